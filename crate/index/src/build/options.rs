//! How an index is built.

use std::thread;

use crate::analysis::Analysis;
use crate::bm25::{B, K1};
use crate::build::error::BuildError;
use crate::format::directory::LARGEST_GROUP;
use crate::format::manifest::{Manifest, SegmentEntry};
use crate::format::part::SMALL_INDEX;

/// How to build an index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BuildOptions {
    /// How text becomes terms.
    pub analysis: &'static Analysis,
    /// BM25's saturation of term frequency; 0 or more.
    pub k1: f32,
    /// BM25's weight of length; from 0 to 1.
    pub b: f32,
    /// The size in bytes that files aim at in a small index; above 0. In a large index they grow, so that there are not
    /// too many.
    pub shard_bytes: usize,
    /// An index with parts of at most this many bytes has one file for each, as readers read it whole.
    pub whole_bytes: u64,
    /// The fewest terms of a bucket of the dictionary; above 0. A request for a bucket of many terms reveals little
    /// about the query.
    pub shard_terms: usize,
    /// The number of passages that are compressed and fetched together; from 1 to 65,536.
    pub group_passages: u32,
    /// The most postings of a list in a bucket, above 0; a longer list has chunks of its own. In an index of fewer than
    /// 131,072 passages the limit is lower: one in 256 of the passages, but at least 64.
    pub long_list: usize,
    /// The memory in bytes that a build aims to stay within; the rest goes to scratch files in the index's folder. The
    /// longest posting list must fit: 12 bytes for each passage that holds the commonest term.
    pub memory: usize,
    /// The number of threads that analyse and compress; above 0.
    pub threads: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            analysis: Analysis::ENGLISH,
            k1: K1,
            b: B,
            shard_bytes: 8 << 10,
            whole_bytes: SMALL_INDEX,
            shard_terms: 256,
            group_passages: 8,
            long_list: 512,
            memory: 1 << 30,
            threads: thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl BuildOptions {
    /// Whether every option is in its range.
    pub(super) fn are_sound(&self) -> bool {
        let &Self { k1, b, shard_bytes, shard_terms, group_passages, long_list, threads, .. } = self;
        let counts = [shard_bytes, shard_terms, group_passages as usize, long_list, threads];
        group_passages <= LARGEST_GROUP
            && k1 >= 0.0
            && k1.is_finite()
            && (0.0..=1.0).contains(&b)
            && !counts.contains(&0)
    }

    /// The manifest of an index of these segments, not yet sealed.
    pub(super) fn manifest(&self, segments: Vec<SegmentEntry>) -> Result<Manifest, BuildError> {
        Manifest::of(self.analysis, self.k1, self.b, segments).ok_or(BuildError::TooLarge)
    }
}
