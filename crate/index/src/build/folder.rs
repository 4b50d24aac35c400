//! An index in a folder: built, added to, merged, joined.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use evident_base::{Disk, Hash, SystemDisk};
use futures_lite::future::block_on;

use crate::build::error::BuildError;
use crate::build::lists::passages_of;
use crate::build::options::BuildOptions;
use crate::build::output::{Folder, Output};
use crate::build::segment::{BuildProgress, SegmentBuilder};
use crate::error::IndexError;
use crate::format::manifest::{LARGEST_MANIFEST, SegmentEntry};
use crate::format::passages::Passage;
use crate::index::Index;
use crate::storage::file::FileStorage;

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

/// As [`build`]; `watch` receives the progress and may stop the build.
///
/// # Errors
/// As [`build`], and [`BuildError::Stopped`].
pub fn build_watched(
    passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    out: &Path,
    options: &BuildOptions,
    watch: impl FnMut(BuildProgress) -> ControlFlow<()>,
) -> Result<BuildSummary, BuildError> {
    IndexFolder { path: out, options, disk: Rc::new(SystemDisk) }.build(passages, watch)
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
    IndexFolder { path: out, options, disk: Rc::new(SystemDisk) }.add(passages, watch)
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
    IndexFolder { path: out, options, disk: Rc::new(SystemDisk) }.merge(watch)
}

/// Makes one index of those in the folders `parts`, in the folder `out`, byte for byte what [`build`] makes of all
/// their passages: no passage is analysed again. The parts have one analysis and the same parameters of BM25.
///
/// # Errors
/// As [`build_watched`]; [`BuildError::Unlike`], and [`BuildError::Index`] if a part cannot be read.
pub fn join(
    parts: &[PathBuf],
    out: &Path,
    options: &BuildOptions,
    watch: impl FnMut(BuildProgress) -> ControlFlow<()>,
) -> Result<BuildSummary, BuildError> {
    IndexFolder { path: out, options, disk: Rc::new(SystemDisk) }.join(parts, watch)
}

/// A folder to write an index to, and how.
pub(super) struct IndexFolder<'a> {
    pub path: &'a Path,
    pub options: &'a BuildOptions,
    pub disk: Rc<dyn Disk>,
}

impl IndexFolder<'_> {
    /// As [`build_watched`].
    pub fn build(
        &self,
        passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
        watch: impl FnMut(BuildProgress) -> ControlFlow<()>,
    ) -> Result<BuildSummary, BuildError> {
        let mut folder = Folder::open(self.path, self.disk.clone())?;
        folder.holds(self.index().as_ref().map(names).unwrap_or_default());
        let options = self.options;
        self.replace(folder, options, |output| SegmentBuilder::new(options, output, watch)?.build(passages))
    }

    /// As [`add`].
    pub fn add(
        &self,
        passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
        watch: impl FnMut(BuildProgress) -> ControlFlow<()>,
    ) -> Result<BuildSummary, BuildError> {
        let (folder, index) = self.open()?;
        let options = &of_index(self.options, &index)?;
        let there: u64 = index.files().values().flatten().map(|file| file.bytes).sum();
        let options = &BuildOptions { whole_bytes: options.whole_bytes.saturating_sub(there), ..*options };
        let mut output = Output::Folder(folder);
        let mut builder = SegmentBuilder::new(options, &mut output, watch)?;
        for passage in passages_of(&index) {
            builder.meet_id(&passage?.id, 0)?;
        }
        let segment = builder.build(passages)?;
        let segments = index.manifest().segments.iter().copied().chain([segment]).collect();
        self.commit(output, options, segments, &names(&index))
    }

    /// As [`merge`].
    pub fn merge(&self, watch: impl FnMut(BuildProgress) -> ControlFlow<()>) -> Result<BuildSummary, BuildError> {
        let (folder, index) = self.open()?;
        let options = &of_index(self.options, &index)?;
        self.replace(folder, options, |output| SegmentBuilder::new(options, output, watch)?.join(&[index]))
    }

    /// As [`join`].
    pub fn join(
        &self,
        parts: &[PathBuf],
        watch: impl FnMut(BuildProgress) -> ControlFlow<()>,
    ) -> Result<BuildSummary, BuildError> {
        let indexes = parts.iter().map(|part| block_on(Index::open(FileStorage::new(part))));
        let indexes = indexes.collect::<Result<Vec<_>, _>>()?;
        let first = indexes.first().ok_or(BuildError::NoPassages)?;
        let options = &of_index(self.options, first)?;
        for (part, index) in parts.iter().zip(&indexes) {
            if of_index(self.options, index)? != *options {
                return Err(BuildError::Unlike { path: part.clone() });
            }
        }
        let mut folder = Folder::open(self.path, self.disk.clone())?;
        folder.holds(self.index().as_ref().map(names).unwrap_or_default());
        self.replace(folder, options, |output| SegmentBuilder::new(options, output, watch)?.join(&indexes))
    }

    fn index(&self) -> Result<Index<FileStorage>, IndexError> {
        block_on(Index::open(FileStorage::new(self.path)))
    }

    /// The folder with the index in it. It is read under the lock, so that no other build can change it meanwhile.
    fn open(&self) -> Result<(Folder, Index<FileStorage>), BuildError> {
        self.index()?; // no folder is made where there is no index
        let mut folder = Folder::open(self.path, self.disk.clone())?;
        let index = self.index()?;
        folder.holds(names(&index));
        Ok((folder, index))
    }

    /// Makes an index of one segment in place of what is there.
    fn replace(
        &self,
        folder: Folder,
        options: &BuildOptions,
        make: impl FnOnce(&mut Output) -> Result<SegmentEntry, BuildError>,
    ) -> Result<BuildSummary, BuildError> {
        let mut output = Output::Folder(folder);
        let segment = make(&mut output)?;
        self.commit(output, options, vec![segment], &BTreeSet::new())
    }

    /// Puts the segments in force. The files `kept` stay.
    fn commit(
        &self,
        mut output: Output,
        options: &BuildOptions,
        segments: Vec<SegmentEntry>,
        kept: &BTreeSet<String>,
    ) -> Result<BuildSummary, BuildError> {
        let mut manifest = options.manifest(segments)?;
        let sealed = manifest.seal();
        if sealed.len() as u64 > LARGEST_MANIFEST {
            return Err(BuildError::TooManySegments);
        }
        if let Output::Folder(folder) = &mut output {
            folder.commit(&sealed, kept)?;
        }
        let index = self.index()?;
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
}

/// The options, with the analysis and the parameters of BM25 that the index has.
fn of_index(options: &BuildOptions, index: &Index<FileStorage>) -> Result<BuildOptions, BuildError> {
    let manifest = index.manifest();
    Ok(BuildOptions { analysis: manifest.known_analysis()?, k1: manifest.k1, b: manifest.b, ..*options })
}

/// The names of an index's files, without the manifest.
fn names(index: &Index<FileStorage>) -> BTreeSet<String> {
    index.files().into_values().flatten().map(|file| file.path()).collect()
}
