//! Reading chunks: from memory, else from storage, by ranges of bytes where it has them and by whole files where not. Nothing
//! leaves here unchecked, and two who want the same chunk at once share one read.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::poll_fn;
use std::ops::Range;
use std::rc::Rc;
use std::task::{Poll, Waker};

use futures_util::future::{join_all, try_join_all};

use crate::format::bucket::Bucket;
use crate::format::codec::{Malformed, Reader};
use crate::format::directory::{Kind, Segment};
use crate::format::manifest::{MANIFEST, Shard};
use crate::format::part::Location;
use crate::format::passages::read_group;
use crate::format::postings::{Posting, read_list};
use crate::read::cache::ChunkCache;
use crate::{IndexError, Passage, Ranged, Storage, StorageError};

/// Bytes of chunks that are kept in memory, decoded.
const CACHED_BYTES: usize = 8 << 20;

/// Up to so many bytes all chunks of a file that was read whole are kept, for they may soon be wanted.
const SHARED_FILE: u64 = 32 << 10;

/// What an index has asked its storage for since it was opened, its manifest included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Files, or ranges of them, read.
    pub requests: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What is known of the storage's ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ranges {
    /// Nothing yet: the first that is wanted will tell.
    Untried,
    /// It has given right ones.
    Served,
    /// It has none, or has given a wrong one: whole files are read from then on.
    Refused,
}

/// What came of the wish for ranges of a file.
enum Answer {
    Bodies(Vec<(Address, Vec<u8>)>),
    /// The file itself, not verified.
    Whole(Vec<u8>),
    Nothing,
}

/// Which chunk: the segment's number, the part, and the chunk's number in it.
pub(crate) type Address = (usize, Kind, usize);

/// A chunk, verified and decoded.
#[derive(Debug)]
pub(crate) enum Chunk {
    Bucket(Bucket),
    Tier(Vec<Posting>),
    Group(Vec<Passage>),
}

/// The files of an index, and what was read of them.
#[derive(Debug)]
pub(crate) struct Chunks<S> {
    storage: S,
    traffic: Cell<Traffic>,
    ranges: Cell<Ranges>,
    cache: RefCell<ChunkCache<Address, Chunk>>,
    /// Files being read, each with those who wait for it.
    under_way: RefCell<HashMap<String, Vec<Waker>>>,
}

impl<S: Storage> Chunks<S> {
    pub fn new(storage: S) -> Self {
        Self {
            storage,
            traffic: Cell::default(),
            ranges: Cell::new(Ranges::Untried),
            cache: ChunkCache::new(CACHED_BYTES).into(),
            under_way: RefCell::default(),
        }
    }

    pub fn traffic(&self) -> Traffic {
        self.traffic.get()
    }

    /// Forgets what was read: the index is another one now.
    pub fn clear(&self) {
        self.cache.replace(ChunkCache::new(CACHED_BYTES));
    }

    /// The manifest's bytes, which only the caller can check; with `again`, not from a cache.
    pub async fn manifest(&self, again: bool) -> Result<Vec<u8>, IndexError> {
        if again {
            self.storage.evict(MANIFEST).await;
        }
        self.whole(MANIFEST).await.map_err(|error| match error {
            StorageError::NotFound { .. } => IndexError::Missing,
            error => IndexError::Storage(error),
        })
    }

    /// The bytes of `file`, read once more where they do not have its hash.
    pub async fn file(&self, file: &Shard) -> Result<Vec<u8>, IndexError> {
        let path = file.path();
        let read = async || self.whole(&path).await.map_err(unreadable);
        if let Some(bytes) = file.sha256.verify(read().await?) {
            return Ok(bytes);
        }
        self.storage.evict(&path).await;
        let damaged = || IndexError::corrupt(&path, "its SHA-256 is not the one in its name");
        file.sha256.verify(read().await?).ok_or_else(damaged)
    }

    /// The chunks `wanted`, all files at once; those that are not there are left out.
    pub async fn read(
        &self,
        segments: &[Segment],
        wanted: &BTreeSet<Address>,
    ) -> Result<BTreeMap<Address, Rc<Chunk>>, IndexError> {
        let mut files = BTreeMap::<String, Vec<(Address, Location)>>::new();
        for &address in wanted {
            let (segment, kind, number) = address;
            let location = segments.get(segment).and_then(|segment| segment.directory.part(kind).locate(number));
            if let Some(location) = location {
                files.entry(location.file.shard.path()).or_default().push((address, location));
            }
        }
        let reads = files.iter().map(|(path, wanted)| self.read_file(segments, path, wanted));
        Ok(try_join_all(reads).await?.into_iter().flatten().collect())
    }

    /// Chunks of one file.
    async fn read_file(
        &self,
        segments: &[Segment],
        path: &str,
        wanted: &[(Address, Location<'_>)],
    ) -> Result<BTreeMap<Address, Rc<Chunk>>, IndexError> {
        let found = self.cached(wanted);
        if found.len() == wanted.len() {
            return Ok(found);
        }
        let _turn = self.turn(path).await;
        let mut found = self.cached(wanted); // whoever had the file before may have read what is wanted here
        let missing: Vec<_> = wanted.iter().filter(|(address, _)| !found.contains_key(address)).collect();
        for (address, body) in self.fetch(segments, path, &missing).await? {
            let chunk = decode(segments, address, &body).map_err(|Malformed(how)| IndexError::corrupt(path, how))?;
            let chunk = Rc::new(chunk);
            self.cache.borrow_mut().insert(address, chunk.clone(), body.len());
            if missing.iter().any(|(missing, _)| *missing == address) {
                found.insert(address, chunk);
            }
        }
        Ok(found)
    }

    fn cached(&self, wanted: &[(Address, Location)]) -> BTreeMap<Address, Rc<Chunk>> {
        let mut cache = self.cache.borrow_mut();
        wanted.iter().filter_map(|&(address, _)| Some((address, cache.get(address)?))).collect()
    }

    /// The verified bodies of chunks of one file, and of others where they came with them.
    async fn fetch(
        &self,
        segments: &[Segment],
        path: &str,
        wanted: &[&(Address, Location<'_>)],
    ) -> Result<Vec<(Address, Vec<u8>)>, IndexError> {
        let Some((_, Location { file, .. })) = wanted.first() else { return Ok(Vec::new()) };
        let mut sent = None;
        if self.ranges.get() != Ranges::Refused && !file.is_read_whole() {
            match self.fetch_ranges(path, wanted).await? {
                Answer::Bodies(bodies) => return Ok(bodies),
                Answer::Whole(bytes) => sent = file.shard.sha256.verify(bytes),
                Answer::Nothing => {}
            }
        }
        let bytes = match sent {
            Some(bytes) => bytes,
            None => self.file(&file.shard).await?,
        };
        bodies_of(segments, path, wanted, &bytes)
    }

    /// As [`Self::fetch`], by ranges: of those chunks that are not at hand, each run of neighbours in one read.
    async fn fetch_ranges(&self, path: &str, wanted: &[&(Address, Location<'_>)]) -> Result<Answer, IndexError> {
        let at_hand = wanted.iter().map(async |(address, location)| {
            let bytes = self.storage.cached_range(path, location.range.clone()).await?;
            Some((*address, location.verify(&bytes)?.to_vec()))
        });
        let at_hand = join_all(at_hand).await;
        let missing: Vec<_> =
            wanted.iter().zip(&at_hand).filter(|(_, body)| body.is_none()).map(|(&one, _)| one).collect();
        let runs = missing.chunk_by(|(_, one), (_, next)| one.range.end == next.range.start);
        let mut bodies: Vec<_> = at_hand.into_iter().flatten().collect();
        for answer in try_join_all(runs.map(|run| self.fetch_run(path, run))).await? {
            match answer {
                Answer::Bodies(more) => bodies.extend(more),
                other => return Ok(other),
            }
        }
        Ok(Answer::Bodies(bodies))
    }

    /// Chunks of one file that follow one another, by one range.
    async fn fetch_run(&self, path: &str, run: &[&(Address, Location<'_>)]) -> Result<Answer, IndexError> {
        let (Some((_, first)), Some((_, last))) = (run.first(), run.last()) else { return Ok(Answer::Nothing) };
        let (start, end) = (first.range.start, last.range.end);
        let answer = match self.range(path, start..end).await {
            Ok(Ranged::Part(bytes)) => match self.accept(path, run, start, &bytes) {
                Some(bodies) => return Ok(Answer::Bodies(bodies)),
                None => Answer::Nothing,
            },
            Ok(Ranged::Whole(bytes)) => Answer::Whole(bytes),
            Ok(Ranged::Refused) => Answer::Nothing,
            // Once the host has given ranges, a connection that broke says nothing of them: the whole file is the second try.
            Err(StorageError::Failed { .. }) if self.ranges.get() == Ranges::Served => return Ok(Answer::Nothing),
            Err(StorageError::Failed { .. }) => Answer::Nothing,
            Err(gone) => return Err(unreadable(gone)),
        };
        self.ranges.set(Ranges::Refused);
        Ok(answer)
    }

    /// The bodies of `run` in `bytes`, which stand in the file from `start` on, if all are proved.
    fn accept(
        &self,
        path: &str,
        run: &[&(Address, Location<'_>)],
        start: u64,
        bytes: &[u8],
    ) -> Option<Vec<(Address, Vec<u8>)>> {
        let chunk = |range: &Range<u64>| bytes.get((range.start - start) as usize..(range.end - start) as usize);
        let body = |(address, location): &&(Address, Location)| {
            Some((*address, location.verify(chunk(&location.range)?)?.to_vec()))
        };
        let bodies: Option<Vec<_>> = run.iter().map(body).collect();
        if bodies.is_some() {
            self.ranges.set(Ranges::Served);
            for (_, location) in run {
                chunk(&location.range).inspect(|chunk| self.storage.keep_range(path, location.range.clone(), chunk));
            }
        }
        bodies
    }

    async fn whole(&self, path: &str) -> Result<Vec<u8>, StorageError> {
        let bytes = self.storage.read(path).await;
        self.count(bytes.as_ref().map_or(0, Vec::len));
        bytes
    }

    async fn range(&self, path: &str, range: Range<u64>) -> Result<Ranged, StorageError> {
        let answer = self.storage.read_range(path, range).await;
        if let Ok(Ranged::Part(bytes) | Ranged::Whole(bytes)) = &answer {
            self.count(bytes.len());
        }
        answer
    }

    fn count(&self, length: usize) {
        let Traffic { requests, bytes } = self.traffic.get();
        self.traffic.set(Traffic { requests: requests + 1, bytes: bytes + length as u64 });
    }

    /// Waits until nobody else reads the file, and keeps others from it until what is returned is dropped.
    pub async fn turn(&self, path: &str) -> Turn<'_> {
        poll_fn(|context| match self.under_way.borrow_mut().get_mut(path) {
            Some(waiting) => {
                waiting.push(context.waker().clone());
                Poll::Pending
            }
            None => Poll::Ready(()),
        })
        .await;
        self.under_way.borrow_mut().insert(path.into(), Vec::new());
        Turn { under_way: &self.under_way, path: path.into() }
    }
}

/// The right to read a file. Dropped, also where its future is, it wakes those who wait.
pub(crate) struct Turn<'a> {
    under_way: &'a RefCell<HashMap<String, Vec<Waker>>>,
    path: String,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let waiting = self.under_way.borrow_mut().remove(&self.path);
        waiting.into_iter().flatten().for_each(Waker::wake);
    }
}

/// The verified bodies of the chunks `wanted` in the bytes of their file, and of all its chunks where it is small.
fn bodies_of(
    segments: &[Segment],
    path: &str,
    wanted: &[&(Address, Location<'_>)],
    bytes: &[u8],
) -> Result<Vec<(Address, Vec<u8>)>, IndexError> {
    let Some(&&((segment, kind, _), Location { file, .. })) = wanted.first() else { return Ok(Vec::new()) };
    let numbers = match file.shard.bytes {
        ..=SHARED_FILE => file.chunks().collect(),
        _ => wanted.iter().map(|((.., number), _)| *number).collect::<Vec<_>>(),
    };
    let part = segments.get(segment).map(|segment| segment.directory.part(kind));
    let body = |number: usize| {
        let location = part?.locate(number)?;
        let Range { start, end } = location.range;
        Some(location.verify(bytes.get(start as usize..end as usize)?)?.to_vec())
    };
    let corrupt = || IndexError::corrupt(path, "a chunk does not have the hash that the directory says");
    let bodies = numbers.into_iter().map(|number| Ok(((segment, kind, number), body(number).ok_or_else(corrupt)?)));
    bodies.collect()
}

fn unreadable(error: StorageError) -> IndexError {
    match error {
        StorageError::NotFound { path } => IndexError::Gone { file: path },
        error => IndexError::Storage(error),
    }
}

fn decode(segments: &[Segment], (segment, kind, number): Address, body: &[u8]) -> Result<Chunk, Malformed> {
    let Some(Segment { passages, directory, .. }) = segments.get(segment) else {
        return Err(Malformed("there is no such segment"));
    };
    Ok(match kind {
        Kind::Terms => Chunk::Bucket(Bucket::decode(body, *passages)?),
        Kind::Texts => {
            let before = number as u32 * directory.group; // the directory's numbers fit together: below `passages`
            Chunk::Group(read_group(body, directory.group.min(passages - before))?)
        }
        Kind::Lists => {
            let count = directory.tier(number).ok_or(Malformed("no long list has this chunk"))?;
            let mut reader = Reader::new(body);
            let postings = read_list(&mut reader, count as u64, *passages)?;
            reader.end()?;
            Chunk::Tier(postings)
        }
    })
}
