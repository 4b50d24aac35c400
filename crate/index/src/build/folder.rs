//! An index in a folder: built, added to, merged.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::output::{Folder, Output};
use super::{BuildError, BuildOptions, Progress, SegmentBuilder, manifest};
use crate::format::manifest::Hash;
use crate::{FileStorage, Index, IndexError, Passage, SegmentEntry};

/// Passages that are read at a time of an index that is there.
const READ_AT_ONCE: u32 = 1024;

/// What was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildSummary {
    /// Number of passages.
    pub passages: u32,
    /// Number of distinct terms, of each segment.
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

/// Builds an index of `passages` in the folder `out`. An index that is there already is replaced once the new one is whole; a
/// build that fails or is killed leaves it as it was.
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

/// As [`build`], where `watch` is told how far it is, and may stop it.
///
/// # Errors
/// As [`build`], and [`BuildError::Stopped`].
pub fn build_watched(
    passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    out: &Path,
    options: &BuildOptions,
    watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<BuildSummary, BuildError> {
    let old = wait(Index::open(FileStorage::new(out))).as_ref().map(names).unwrap_or_default();
    let mut output = Output::Folder(Folder::open(out, old)?);
    let segment = SegmentBuilder::new(options, &mut output, watch)?.build(passages)?;
    commit(out, output, options, vec![segment], &BTreeSet::new())
}

/// Adds `passages` to the index in the folder `out`, as a segment of their own. Nothing is rebuilt, but the ids that are there
/// are read. BM25's parameters stay those of the index.
///
/// # Errors
/// As [`build_watched`]; [`BuildError::TakenId`], and [`BuildError::Index`] where there is no index, or it cannot be read.
pub fn add(
    passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    out: &Path,
    options: &BuildOptions,
    watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<BuildSummary, BuildError> {
    let index = wait(Index::open(FileStorage::new(out)))?;
    let options = &of_index(options, &index);
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

/// Makes one segment of all those of the index in the folder `out`: the very bytes that [`build`] gives of all its passages.
///
/// # Errors
/// As [`build_watched`], and [`BuildError::Index`] where there is no index, or it cannot be read.
pub fn merge(
    out: &Path,
    options: &BuildOptions,
    watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<BuildSummary, BuildError> {
    let index = wait(Index::open(FileStorage::new(out)))?;
    build_watched(passages_of(&index), out, &of_index(options, &index), watch)
}

/// The options, with what must stay as it is in the index.
fn of_index(options: &BuildOptions, index: &Index<FileStorage>) -> BuildOptions {
    let manifest = index.manifest();
    BuildOptions { k1: manifest.k1, b: manifest.b, ..*options }
}

/// Puts the segments in force.
fn commit(
    out: &Path,
    output: Output,
    options: &BuildOptions,
    segments: Vec<SegmentEntry>,
    kept: &BTreeSet<String>,
) -> Result<BuildSummary, BuildError> {
    let mut manifest = manifest(options, segments)?;
    let sealed = manifest.seal();
    if let Output::Folder(mut folder) = output {
        folder.commit(&sealed, kept)?;
    }
    let index = wait(Index::open(FileStorage::new(out)))?;
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

/// The names of an index's files, but the manifest's.
fn names(index: &Index<FileStorage>) -> BTreeSet<String> {
    index.files().into_values().flatten().map(|file| file.path()).collect()
}

/// All passages of an index, in their order.
fn passages_of(index: &Index<FileStorage>) -> impl Iterator<Item = Result<Passage, BuildError>> {
    let count = index.manifest().passages;
    (0..count).step_by(READ_AT_ONCE as usize).flat_map(move |first| {
        let numbers: Vec<u32> = (first..count.min(first.saturating_add(READ_AT_ONCE))).collect();
        match wait(index.passages(&numbers)) {
            Ok(passages) => passages.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(BuildError::from(error))],
        }
    })
}

/// What a future of [`FileStorage`] gives, whose reads block.
fn wait<T>(future: impl Future<Output = Result<T, IndexError>>) -> Result<T, IndexError> {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
    }
}
