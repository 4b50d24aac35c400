//! Reading chunks: from memory, else from storage, by ranges of bytes where it serves them and by whole files where
//! not. Nothing leaves here unverified, and callers that want the same file at once share one read.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use futures_util::future::try_join_all;

use crate::error::{IndexError, StorageError};
use crate::format::bucket::Bucket;
use crate::format::codec::{Malformed, Reader};
use crate::format::directory::{Directory, PartKind};
use crate::format::manifest::{LARGEST_MANIFEST, MANIFEST, Shard};
use crate::format::part::{Location, Part};
use crate::format::passages::{Passage, decode_group, is_nameless_group};
use crate::format::postings::{Posting, read_list};
use crate::read::cache::ChunkCache;
use crate::read::segments::{ChunkAddress, Segment};
use crate::read::source::{Body, Located, RangeAnswer, Source, Traffic};
use crate::storage::Storage;

/// The bytes of chunks that are kept in memory, decoded.
const CACHED_BYTES: usize = 8 << 20;

/// If a file that was read whole has at most this many bytes, all its chunks are kept: they may be wanted soon.
const SHARED_FILE: u64 = 32 << 10;

/// What is wrong with a chunk whose proof does not lead to the root of its file.
const UNPROVED: &str = "a chunk does not have the hash that the directory says";

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
    source: Source<S>,
    cache: RefCell<ChunkCache<ChunkAddress, Chunk>>,
    /// Whole files of a small index, verified.
    held: RefCell<HashMap<String, Rc<[u8]>>>,
    /// Files being read, each with the tasks that wait for it.
    reading: RefCell<HashMap<String, Vec<Waker>>>,
}

impl<S: Storage> Chunks<S> {
    pub fn new(storage: S) -> Self {
        let cache = ChunkCache::new(CACHED_BYTES).into();
        Self { source: Source::new(storage), cache, held: RefCell::default(), reading: RefCell::default() }
    }

    pub fn traffic(&self) -> Traffic {
        self.source.traffic()
    }

    /// Forgets all chunks: another index is in force now.
    pub fn clear(&self) {
        self.cache.replace(ChunkCache::new(CACHED_BYTES));
        self.held.take();
    }

    /// The manifest's bytes, which only the caller can check; with `again`, not from a cache.
    pub async fn manifest(&self, again: bool) -> Result<Vec<u8>, IndexError> {
        if again {
            self.source.storage.evict(MANIFEST).await;
        }
        self.source.whole(MANIFEST, LARGEST_MANIFEST).await.map_err(|error| match error {
            StorageError::NotFound { .. } => IndexError::Missing,
            error => IndexError::Storage(error),
        })
    }

    /// The bytes of `file`, which is read a second time if they do not have its hash.
    pub async fn file(&self, file: &Shard) -> Result<Vec<u8>, IndexError> {
        let path = file.path();
        let read = async || self.source.whole(&path, file.bytes).await.map_err(unreadable);
        if let Some(bytes) = file.sha256.verify(read().await?) {
            return Ok(bytes);
        }
        self.source.storage.evict(&path).await;
        let damaged = || IndexError::corrupt(&path, "its SHA-256 is not the one in its name");
        file.sha256.verify(read().await?).ok_or_else(damaged)
    }

    /// Reads `files` concurrently and keeps them in memory: nothing in them is read again.
    pub async fn hold(&self, files: impl Iterator<Item = &Shard>) -> Result<(), IndexError> {
        let reads = files.map(async |file| {
            let path = file.path();
            let _turn = self.turn(&path).await;
            if !self.held.borrow().contains_key(&path) {
                let bytes = self.file(file).await?;
                self.held.borrow_mut().insert(path.clone(), bytes.into());
            }
            Ok(())
        });
        try_join_all(reads).await.map(|_: Vec<()>| ())
    }

    /// Reads `file` and decodes every chunk in it, in each segment that has it.
    pub async fn check(&self, segments: &[Segment], file: &Shard) -> Result<(), IndexError> {
        let (path, bytes) = (file.path(), self.file(file).await?);
        let corrupt = |Malformed(how)| IndexError::corrupt(&path, how);
        for (segment, number) in segments.iter().zip(0..) {
            for (kind, part) in segment.directory.parts() {
                for of_part in part.files().iter().filter(|it| it.shard == *file) {
                    for chunk in of_part.chunks() {
                        let body = body(part, chunk, &bytes);
                        let body = body.ok_or_else(|| corrupt(Malformed(UNPROVED)))?;
                        let address = ChunkAddress { segment: number, part: kind, chunk };
                        if let Chunk::Bucket(bucket) = decode(segments, address, body, &path)? {
                            bucket.check_place(chunk, part.chunks()).map_err(corrupt)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The chunks `wanted`, all files at once; chunks that do not exist are left out.
    pub async fn read(
        &self,
        segments: &[Segment],
        wanted: &BTreeSet<ChunkAddress>,
    ) -> Result<BTreeMap<ChunkAddress, Rc<Chunk>>, IndexError> {
        let mut files = BTreeMap::<String, Vec<Located>>::new();
        for &address in wanted {
            let segment = segments.get(address.segment);
            if let Some(location) = segment.and_then(|it| it.directory.part(address.part).locate(address.chunk)) {
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
        wanted: &[Located<'_>],
    ) -> Result<BTreeMap<ChunkAddress, Rc<Chunk>>, IndexError> {
        let found = self.cached(wanted);
        if found.len() == wanted.len() {
            return Ok(found);
        }
        let _turn = self.turn(path).await;
        let mut found = self.cached(wanted); // whoever read the file before may have read these too
        let missing: Vec<_> = wanted.iter().filter(|(address, _)| !found.contains_key(address)).collect();
        for (address, body) in self.fetch(segments, path, &missing).await? {
            let chunk = Rc::new(decode(segments, address, &body, path)?);
            self.cache.borrow_mut().insert(address, chunk.clone(), body.len());
            if missing.iter().any(|(missing, _)| *missing == address) {
                found.insert(address, chunk);
            }
        }
        Ok(found)
    }

    fn cached(&self, wanted: &[Located]) -> BTreeMap<ChunkAddress, Rc<Chunk>> {
        let mut cache = self.cache.borrow_mut();
        wanted.iter().filter_map(|&(address, _)| Some((address, cache.get(address)?))).collect()
    }

    /// The verified bodies of chunks of one file, and of its other chunks if they came with them.
    async fn fetch(&self, segments: &[Segment], path: &str, wanted: &[&Located<'_>]) -> Result<Vec<Body>, IndexError> {
        let Some((_, Location { file, .. })) = wanted.first() else { return Ok(Vec::new()) };
        if let Some(held) = self.held.borrow().get(path) {
            return bodies_of(segments, path, wanted, held);
        }
        let mut whole = None;
        if self.source.may_serve_ranges() && !file.is_read_whole() {
            match self.source.ranges(path, wanted).await.map_err(unreadable)? {
                RangeAnswer::Bodies(bodies) => return Ok(bodies),
                RangeAnswer::Whole(bytes) => whole = file.shard.sha256.verify(bytes),
                RangeAnswer::Nothing => {}
            }
        }
        let bytes = match whole {
            Some(bytes) => bytes,
            None => self.file(&file.shard).await?,
        };
        bodies_of(segments, path, wanted, &bytes)
    }

    /// Waits until nobody else reads the file, and keeps others from it until the result is dropped.
    pub async fn turn(&self, path: &str) -> Turn<'_> {
        poll_fn(|context| match self.reading.borrow_mut().get_mut(path) {
            Some(waiting) => {
                waiting.push(context.waker().clone());
                Poll::Pending
            }
            None => Poll::Ready(()),
        })
        .await;
        self.reading.borrow_mut().insert(path.into(), Vec::new());
        Turn { reading: &self.reading, path: path.into() }
    }
}

/// The right to read a file. It wakes the waiting tasks when it is dropped, also when its future is.
pub(crate) struct Turn<'a> {
    reading: &'a RefCell<HashMap<String, Vec<Waker>>>,
    path: String,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let waiting = self.reading.borrow_mut().remove(&self.path);
        waiting.into_iter().flatten().for_each(Waker::wake);
    }
}

/// The verified bodies of the chunks `wanted` in the bytes of their file, and of all its chunks if it is small.
fn bodies_of(segments: &[Segment], path: &str, wanted: &[&Located<'_>], bytes: &[u8]) -> Result<Vec<Body>, IndexError> {
    let Some(&&(first, Location { file, .. })) = wanted.first() else { return Ok(Vec::new()) };
    let chunks = match file.shard.bytes {
        ..=SHARED_FILE => file.chunks().collect(),
        _ => wanted.iter().map(|(address, _)| address.chunk).collect::<Vec<_>>(),
    };
    let part = segments.get(first.segment).map(|segment| segment.directory.part(first.part));
    let body = |chunk: usize| Some((ChunkAddress { chunk, ..first }, body(part?, chunk, bytes)?.to_vec()));
    let corrupt = || IndexError::corrupt(path, UNPROVED);
    chunks.into_iter().map(|chunk| body(chunk).ok_or_else(corrupt)).collect()
}

/// The verified body of a chunk in the bytes of its file.
fn body<'a>(part: &Part, chunk: usize, file: &'a [u8]) -> Option<&'a [u8]> {
    let location = part.locate(chunk)?;
    location.verify(file.get(location.range.start as usize..location.range.end as usize)?)
}

fn unreadable(error: StorageError) -> IndexError {
    match error {
        StorageError::NotFound { path } => IndexError::Gone { file: path },
        error => IndexError::Storage(error),
    }
}

/// Decodes the body of a chunk of the file `path`.
fn decode(segments: &[Segment], address: ChunkAddress, body: &[u8], path: &str) -> Result<Chunk, IndexError> {
    let corrupt = |Malformed(how)| IndexError::corrupt(path, how);
    let segment = segments.get(address.segment).ok_or(Malformed("there is no such segment")).map_err(corrupt)?;
    let Segment { passages, directory, .. } = segment;
    match address.part {
        PartKind::Terms => Bucket::decode(body, *passages, directory.first_tier).map(Chunk::Bucket).map_err(corrupt),
        PartKind::Texts => {
            // The directory was checked to have a group for every passage and no more: this is below `passages`.
            let count = directory.group.min(passages - address.chunk as u32 * directory.group);
            decode_group(body, count).map(Chunk::Group).map_err(|malformed| {
                if is_nameless_group(body, count) { IndexError::nameless() } else { corrupt(malformed) }
            })
        }
        PartKind::Lists => tier(directory, address.chunk, body, *passages).map(Chunk::Tier).map_err(corrupt),
    }
}

/// The postings of a chunk of the part of lists.
fn tier(directory: &Directory, chunk: usize, body: &[u8], passages: u32) -> Result<Vec<Posting>, Malformed> {
    let count = directory.tier(chunk).ok_or(Malformed("no long list has this chunk"))?;
    let mut reader = Reader::new(body);
    let postings = read_list(&mut reader, count as u64, passages)?;
    reader.end()?;
    Ok(postings)
}
