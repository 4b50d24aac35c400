//! The storage of an index, as chunks are read from it. Every read is counted, and ranges of files are requested as
//! long as the storage serves correct ones.

use std::cell::Cell;
use std::ops::Range;

use futures_util::future::{join_all, try_join_all};

use crate::error::StorageError;
use crate::format::part::Location;
use crate::read::segments::ChunkAddress;
use crate::storage::{Ranged, Storage};

/// What an index has asked its storage for since it was opened, its manifest included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Files, or ranges of them, read.
    pub requests: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A chunk and where it is in its file.
pub(super) type Located<'a> = (ChunkAddress, Location<'a>);

/// The verified bytes of a chunk, without its proof.
pub(super) type Body = (ChunkAddress, Vec<u8>);

/// What is known of the storage's ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RangeSupport {
    /// Nothing yet: the first request will tell.
    Untried,
    /// It has served right ones.
    Served,
    /// It serves none, or has served a wrong one: whole files are read from then on.
    Refused,
}

/// What a request for ranges of a file brought.
pub(super) enum RangeAnswer {
    /// The chunks.
    Bodies(Vec<Body>),
    /// The file itself, not verified.
    Whole(Vec<u8>),
    Nothing,
}

/// The storage, and what is known of it.
#[derive(Debug)]
pub(super) struct Source<S> {
    pub storage: S,
    support: Cell<RangeSupport>,
    traffic: Cell<Traffic>,
}

impl<S: Storage> Source<S> {
    pub fn new(storage: S) -> Self {
        Self { storage, support: Cell::new(RangeSupport::Untried), traffic: Cell::default() }
    }

    pub fn traffic(&self) -> Traffic {
        self.traffic.get()
    }

    pub fn may_serve_ranges(&self) -> bool {
        self.support.get() != RangeSupport::Refused
    }

    /// The bytes of the file `path`, of which a right one has at most `most`; not verified.
    pub async fn whole(&self, path: &str, most: u64) -> Result<Vec<u8>, StorageError> {
        let bytes = self.storage.read(path, most).await;
        self.count(bytes.as_ref().map_or(0, Vec::len));
        bytes
    }

    /// The chunks `wanted` of one file: from a cache where it has them, and each run of missing neighbours in one read.
    pub async fn ranges(&self, path: &str, wanted: &[&Located<'_>]) -> Result<RangeAnswer, StorageError> {
        let cached = join_all(wanted.iter().map(async |(address, location)| {
            let bytes = self.storage.cached_range(path, location.range.clone()).await?;
            Some((*address, location.verify(&bytes)?.to_vec()))
        }));
        let cached = cached.await;
        let missing: Vec<_> =
            wanted.iter().zip(&cached).filter(|(_, body)| body.is_none()).map(|(&one, _)| one).collect();
        let runs = missing.chunk_by(|(_, one), (_, next)| one.range.end == next.range.start);
        let mut bodies: Vec<_> = cached.into_iter().flatten().collect();
        for answer in try_join_all(runs.map(|run| self.run(path, run))).await? {
            match answer {
                RangeAnswer::Bodies(more) => bodies.extend(more),
                other => return Ok(other),
            }
        }
        Ok(RangeAnswer::Bodies(bodies))
    }

    /// Neighbouring chunks of one file, by one range.
    async fn run(&self, path: &str, run: &[&Located<'_>]) -> Result<RangeAnswer, StorageError> {
        let (Some((_, first)), Some((_, last))) = (run.first(), run.last()) else { return Ok(RangeAnswer::Nothing) };
        let (start, end) = (first.range.start, last.range.end);
        let answer = match self.range(path, start..end, first.file.shard.bytes).await {
            Ok(Ranged::Part(bytes)) => match self.accept(path, run, start, &bytes) {
                Some(bodies) => return Ok(RangeAnswer::Bodies(bodies)),
                None => RangeAnswer::Nothing,
            },
            Ok(Ranged::Whole(bytes)) => RangeAnswer::Whole(bytes),
            Ok(Ranged::Refused) => RangeAnswer::Nothing,
            // The host has served ranges before, so it is still asked for them later. This connection broke; the second
            // try reads the whole file.
            Err(StorageError::Failed { .. }) if self.support.get() == RangeSupport::Served => {
                return Ok(RangeAnswer::Nothing);
            }
            Err(StorageError::Failed { .. }) => RangeAnswer::Nothing,
            Err(gone) => return Err(gone),
        };
        self.support.set(RangeSupport::Refused);
        Ok(answer)
    }

    /// The bodies of `run` in `bytes`, which begin at `start` in the file, if every chunk is proved.
    fn accept(&self, path: &str, run: &[&Located<'_>], start: u64, bytes: &[u8]) -> Option<Vec<Body>> {
        let chunk = |range: &Range<u64>| bytes.get((range.start - start) as usize..(range.end - start) as usize);
        let body =
            |(address, location): &&Located| Some((*address, location.verify(chunk(&location.range)?)?.to_vec()));
        let bodies: Vec<_> = run.iter().map(body).collect::<Option<_>>()?;
        self.support.set(RangeSupport::Served);
        for (_, location) in run {
            chunk(&location.range).inspect(|chunk| self.storage.keep_range(path, location.range.clone(), chunk));
        }
        Some(bodies)
    }

    async fn range(&self, path: &str, range: Range<u64>, most: u64) -> Result<Ranged, StorageError> {
        let answer = self.storage.read_range(path, range, most).await;
        if let Ok(Ranged::Part(bytes) | Ranged::Whole(bytes)) = &answer {
            self.count(bytes.len());
        }
        answer
    }

    fn count(&self, length: usize) {
        let Traffic { requests, bytes } = self.traffic.get();
        self.traffic.set(Traffic { requests: requests + 1, bytes: bytes + length as u64 });
    }
}
