//! Reading chunks: from memory, else from storage, by ranges of bytes where it has them and by whole files where not. Nothing
//! leaves here unchecked, and two who want the same chunk at once share one read.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::poll_fn;
use std::ops::Range;
use std::rc::Rc;
use std::task::{Poll, Waker};

use futures_util::future::try_join_all;

use crate::bucket::Bucket;
use crate::cache::ChunkCache;
use crate::codec::{Malformed, Reader};
use crate::directory::{Kind, Segment};
use crate::manifest::{MANIFEST, Shard};
use crate::part::Location;
use crate::passages::read_group;
use crate::postings::{Posting, read_list};
use crate::{IndexError, Passage, Storage, StorageError};

/// Bytes of chunks that are kept in memory, decoded.
const CACHED_BYTES: usize = 8 << 20;

/// Up to so many bytes a file is read whole though a range of it would do: it costs little more.
const SMALL_FILE: u64 = 4 << 10;

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
    /// Whether the storage is believed to answer ranges.
    ranges: Cell<bool>,
    cache: RefCell<ChunkCache<Address, Chunk>>,
    /// Files being read, each with those who wait for it.
    under_way: RefCell<HashMap<String, Vec<Waker>>>,
}

impl<S: Storage> Chunks<S> {
    pub fn new(storage: S) -> Self {
        Self {
            storage,
            traffic: Cell::default(),
            ranges: Cell::new(true),
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
        if self.ranges.get()
            && file.shard.bytes > SMALL_FILE
            && !file.is_one_chunk()
            && let Some(bodies) = self.fetch_ranges(path, wanted).await?
        {
            return Ok(bodies);
        }
        self.fetch_whole(segments, path, wanted).await
    }

    /// As [`Self::fetch`], by ranges; `None` where the storage does not give them, or not the right ones.
    async fn fetch_ranges(
        &self,
        path: &str,
        wanted: &[&(Address, Location<'_>)],
    ) -> Result<Option<Vec<(Address, Vec<u8>)>>, IndexError> {
        let runs = wanted.chunk_by(|(_, one), (_, next)| one.range.end == next.range.start);
        let reads = runs.map(async |run| {
            let (Some((_, first)), Some((_, last))) = (run.first(), run.last()) else { return Ok(None) };
            let range = first.range.start..last.range.end;
            let Some(bytes) = self.range(path, range.clone()).await.map_err(unreadable)? else { return Ok(None) };
            let body = |(address, location): &&(Address, Location)| {
                let [start, end] = [location.range.start, location.range.end].map(|at| (at - range.start) as usize);
                Some((*address, location.verify(bytes.get(start..end)?)?.to_vec()))
            };
            let bodies: Option<Vec<_>> = run.iter().map(body).collect();
            if bodies.is_none() {
                self.storage.evict(path).await;
            }
            Ok::<_, IndexError>(bodies)
        });
        let bodies: Option<Vec<_>> = try_join_all(reads).await?.into_iter().collect();
        if bodies.is_none() {
            self.ranges.set(false);
        }
        Ok(bodies.map(|runs| runs.into_iter().flatten().collect()))
    }

    async fn fetch_whole(
        &self,
        segments: &[Segment],
        path: &str,
        wanted: &[&(Address, Location<'_>)],
    ) -> Result<Vec<(Address, Vec<u8>)>, IndexError> {
        let mut bodies = Vec::new();
        let Some(&&((segment, kind, _), Location { file, .. })) = wanted.first() else { return Ok(bodies) };
        let bytes = self.file(&file.shard).await?;
        let numbers = match file.shard.bytes {
            ..=SHARED_FILE => file.chunks().collect(),
            _ => wanted.iter().map(|((.., number), _)| *number).collect::<Vec<_>>(),
        };
        let part = segments.get(segment).map(|segment| segment.directory.part(kind));
        for number in numbers {
            let location = part.and_then(|part| part.locate(number));
            let body = location.and_then(|location| {
                let Range { start, end } = location.range;
                Some(location.verify(bytes.get(start as usize..end as usize)?)?.to_vec())
            });
            let corrupt = || IndexError::corrupt(path, "a chunk does not have the hash that the directory says");
            bodies.push(((segment, kind, number), body.ok_or_else(corrupt)?));
        }
        Ok(bodies)
    }

    async fn whole(&self, path: &str) -> Result<Vec<u8>, StorageError> {
        let bytes = self.storage.read(path).await;
        self.count(bytes.as_ref().map_or(0, Vec::len));
        bytes
    }

    async fn range(&self, path: &str, range: Range<u64>) -> Result<Option<Vec<u8>>, StorageError> {
        let bytes = self.storage.read_range(path, range).await;
        if let Ok(Some(bytes)) = &bytes {
            self.count(bytes.len());
        }
        bytes
    }

    fn count(&self, length: usize) {
        let Traffic { requests, bytes } = self.traffic.get();
        self.traffic.set(Traffic { requests: requests + 1, bytes: bytes + length as u64 });
    }

    /// Waits until nobody else reads the file, and keeps others from it until what is returned is dropped.
    async fn turn(&self, path: &str) -> Turn<'_> {
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
struct Turn<'a> {
    under_way: &'a RefCell<HashMap<String, Vec<Waker>>>,
    path: String,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let waiting = self.under_way.borrow_mut().remove(&self.path);
        waiting.into_iter().flatten().for_each(Waker::wake);
    }
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
