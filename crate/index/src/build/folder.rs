//! An index in a folder: built, added to, merged.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use evident_base::Hash;
use futures_lite::future::block_on;

use crate::build::error::BuildError;
use crate::build::options::BuildOptions;
use crate::build::output::{Folder, Output};
use crate::build::segment::{BuildProgress, SegmentBuilder};
use crate::format::manifest::SegmentEntry;
use crate::format::passages::Passage;
use crate::index::Index;
use crate::storage::file::FileStorage;

/// The number of passages that are read at once from an existing index.
const READ_AT_ONCE: u32 = 1024;

/// What a build made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildSummary {
    /// Number of passages.
    pub passages: u32,
    /// Number of distinct terms of each segment, added up.
    pub terms: u32,
    /// Number of terms in all passages together.
    pub tokens: u64,
    /// Number of files, the manifest included.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The manifest's checksum, which names this index.
    pub checksum: Hash,
}

/// Builds an index of `passages` in the folder `out`. An index that is already there is replaced once the new one is
/// complete; a build that fails or is killed leaves it unchanged.
///
/// # Errors
/// The first error among `passages`, or a [`BuildError`] that says what to mend.
pub fn build(
    passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    out: &Path,
    options: &BuildOptions,
) -> Result<BuildSummary, BuildError> {
    build_watched(passages, out, options, |_| ControlFlow::Continue(()))
}

/// As [`build`]; `watch` is told the progress and may stop the build.
///
/// # Errors
/// As [`build`], and [`BuildError::Stopped`].
pub fn build_watched(
    passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    out: &Path,
    options: &BuildOptions,
    watch: impl FnMut(BuildProgress) -> ControlFlow<()>,
) -> Result<BuildSummary, BuildError> {
    let old = block_on(Index::open(FileStorage::new(out))).as_ref().map(names).unwrap_or_default();
    let mut output = Output::Folder(Folder::open(out, old)?);
    let segment = SegmentBuilder::new(options, &mut output, watch)?.build(passages)?;
    commit(out, output, options, vec![segment], &BTreeSet::new())
}

/// Adds `passages` to the index in the folder `out`, as a new segment. Nothing is rebuilt, but all ids of the index are
/// read. The analysis and BM25's parameters stay those of the index.
///
/// # Errors
/// As [`build_watched`]; [`BuildError::TakenId`], and [`BuildError::Index`] if there is no index, or it cannot be read.
pub fn add(
    passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    out: &Path,
    options: &BuildOptions,
    watch: impl FnMut(BuildProgress) -> ControlFlow<()>,
) -> Result<BuildSummary, BuildError> {
    let index = block_on(Index::open(FileStorage::new(out)))?;
    let options = &of_index(options, &index)?;
    let old = names(&index);
    let mut output = Output::Folder(Folder::open(out, old.clone())?);
    let mut builder = SegmentBuilder::new(options, &mut output, watch)?;
    for passage in passages_of(&index) {
        builder.meet_id(&passage?.id, 0)?;
    }
    let segment = builder.build(passages)?;
    let segments = index.manifest().segments.iter().copied().chain([segment]).collect();
    commit(out, output, options, segments, &old)
}

/// Merges the segments of the index in the folder `out`. The result is byte for byte what [`build`] makes of all its
/// passages.
///
/// # Errors
/// As [`build_watched`], and [`BuildError::Index`] if there is no index, or it cannot be read.
pub fn merge(
    out: &Path,
    options: &BuildOptions,
    watch: impl FnMut(BuildProgress) -> ControlFlow<()>,
) -> Result<BuildSummary, BuildError> {
    let index = block_on(Index::open(FileStorage::new(out)))?;
    build_watched(passages_of(&index), out, &of_index(options, &index)?, watch)
}

/// The options, with the analysis and the parameters of BM25 that the index has.
fn of_index(options: &BuildOptions, index: &Index<FileStorage>) -> Result<BuildOptions, BuildError> {
    let manifest = index.manifest();
    Ok(BuildOptions { analysis: manifest.known_analysis()?, k1: manifest.k1, b: manifest.b, ..*options })
}

/// Puts the segments in force. The files `kept` stay.
fn commit(
    out: &Path,
    output: Output,
    options: &BuildOptions,
    segments: Vec<SegmentEntry>,
    kept: &BTreeSet<String>,
) -> Result<BuildSummary, BuildError> {
    let mut manifest = options.manifest(segments)?;
    let sealed = manifest.seal();
    if let Output::Folder(mut folder) = output {
        folder.commit(&sealed, kept)?;
    }
    let index = block_on(Index::open(FileStorage::new(out)))?;
    let files: Vec<_> = index.files().into_values().flatten().collect();
    Ok(BuildSummary {
        passages: manifest.passages,
        terms: manifest.terms,
        tokens: manifest.tokens,
        files: names(&index).len() + 1,
        bytes: files.iter().map(|file| file.bytes).sum::<u64>() + sealed.len() as u64,
        checksum: manifest.checksum,
    })
}

/// The names of an index's files, without the manifest.
fn names(index: &Index<FileStorage>) -> BTreeSet<String> {
    index.files().into_values().flatten().map(|file| file.path()).collect()
}

/// All passages of an index, in their order.
fn passages_of(index: &Index<FileStorage>) -> impl Iterator<Item = Result<Passage, BuildError>> {
    let count = index.manifest().passages;
    (0..count).step_by(READ_AT_ONCE as usize).flat_map(move |first| {
        let numbers: Vec<u32> = (first..count.min(first.saturating_add(READ_AT_ONCE))).collect();
        match block_on(index.passages(&numbers)) {
            Ok(passages) => passages.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(BuildError::from(error))],
        }
    })
}
