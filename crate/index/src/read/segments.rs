//! What a reader keeps of an index in memory: its manifest, and the directory of each segment.

use std::ops::Range;
use std::rc::Rc;

use crate::analysis::Analysis;
use crate::bm25::Bm25;
use crate::format::directory::{Directory, PartKind};
use crate::format::manifest::{Manifest, Shard};

/// Which chunk of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ChunkAddress {
    /// The segment's number.
    pub segment: usize,
    pub part: PartKind,
    /// The chunk's number in the part.
    pub chunk: usize,
}

/// What a manifest names, as long as it is the one in force.
#[derive(Debug)]
pub(crate) struct Opened {
    pub manifest: Rc<Manifest>,
    pub analysis: &'static Analysis,
    pub segments: Vec<Segment>,
    pub bm25: Bm25,
}

/// A segment of an opened index.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The number of its first passage in the index.
    pub first: u32,
    pub passages: u32,
    /// BM25 as the segment was built: it ordered the tiers.
    pub built: Bm25,
    pub directory: Directory,
}

impl Opened {
    /// An index of these directories, one for each segment of the manifest.
    pub fn new(manifest: Manifest, analysis: &'static Analysis, directories: Vec<Directory>) -> Self {
        let (mut segments, mut first) = (Vec::new(), 0);
        for (directory, entry) in directories.into_iter().zip(&manifest.segments) {
            let passages = entry.passages;
            let built = Bm25::new(manifest.k1, manifest.b, passages, entry.tokens);
            segments.push(Segment { first, passages, built, directory });
            first += passages;
        }
        Self { bm25: manifest.bm25(), manifest: manifest.into(), analysis, segments }
    }

    /// The files of its parts.
    pub fn files(&self) -> impl Iterator<Item = &Shard> {
        let parts = self.segments.iter().flat_map(|segment| segment.directory.parts());
        parts.flat_map(|(_, part)| part.files()).map(|file| &file.shard)
    }

    /// The bytes of its parts.
    pub fn bytes(&self) -> u64 {
        self.files().map(|file| file.bytes).fold(0, u64::saturating_add)
    }

    /// Where passage `number` is: its group, and its place in the group. `None` beyond the last passage.
    pub fn place(&self, number: u32) -> Option<(ChunkAddress, usize)> {
        let segment = self.segments.partition_point(|segment| segment.first <= number).checked_sub(1)?;
        let Segment { first, passages, directory, .. } = &self.segments[segment];
        let inside = number - first;
        let group = ChunkAddress { segment, part: PartKind::Texts, chunk: (inside / directory.group) as usize };
        (inside < *passages).then_some((group, (inside % directory.group) as usize))
    }

    /// The numbers of the passages in a group.
    pub fn passages_of(&self, group: ChunkAddress) -> Range<u32> {
        let Some(Segment { first, passages, directory, .. }) = self.segments.get(group.segment) else { return 0..0 };
        let [from, to] =
            [group.chunk, group.chunk + 1].map(|chunk| (chunk as u32).saturating_mul(directory.group).min(*passages));
        first + from..first + to
    }
}
