//! An opened index: from a query to its best passages.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures_util::future::try_join_all;
use serde::Serialize;

use crate::cache::ShardCache;
use crate::codec::Malformed;
use crate::manifest::{MANIFEST, Manifest, Shard, Verified};
use crate::passages::{Passage, PassageShard};
use crate::terms::{Posting, TermShard};
use crate::{IndexError, Storage, StorageError, analyse};

/// Bytes of files whose decoded shards are kept in memory, for either kind of shard.
const CACHED_BYTES: usize = 4 << 20;

/// A passage that answers a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// The passage.
    pub passage: Passage,
    /// Its BM25 score for the query; above 0.
    pub score: f32,
}

/// What a search finds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The best passages, best first.
    pub hits: Vec<Hit>,
    /// The query's terms, each with the share of the index's passages that hold it: 0 for a term that it does not know.
    pub frequencies: BTreeMap<String, f64>,
}

/// What an index has asked its storage for since it was opened, its manifest included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Files read.
    pub requests: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// An index that was found, is of this version, and can be searched.
#[derive(Debug)]
pub struct Index<S> {
    storage: S,
    manifest: Manifest,
    traffic: Cell<Traffic>,
    terms: RefCell<ShardCache<TermShard>>,
    passages: RefCell<ShardCache<PassageShard>>,
}

impl<S: Storage> Index<S> {
    /// Opens the index in `storage`, which costs one read: the manifest.
    ///
    /// # Errors
    /// [`IndexError::Missing`] where there is no manifest, [`IndexError::Version`] where it is of another version,
    /// [`IndexError::Corrupt`] where it is damaged, [`IndexError::Storage`] where it could not be read.
    pub async fn open(storage: S) -> Result<Self, IndexError> {
        let traffic = Cell::default();
        let read = async || {
            read(&storage, &traffic, MANIFEST).await.map_err(|error| match error {
                StorageError::NotFound { .. } => IndexError::Missing,
                error => IndexError::Storage(error),
            })
        };
        let manifest = match Manifest::parse(&read().await?) {
            Err(IndexError::Corrupt { .. }) => {
                storage.evict(MANIFEST).await;
                Manifest::parse(&read().await?)?
            }
            parsed => parsed?,
        };
        let (terms, passages) = (ShardCache::new(CACHED_BYTES), ShardCache::new(CACHED_BYTES));
        Ok(Self { storage, manifest, traffic, terms: terms.into(), passages: passages.into() })
    }

    /// What the index is and which files it has.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What was read so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic.get()
    }

    /// The `k` passages with the highest BM25 score for `query`, best first and ties by passage number. A term that stands
    /// twice in the query counts twice; passages that share no term with it are never among the hits.
    ///
    /// Reads the term shards that the query's terms hash to, all at once, then the passage shards of the hits, all at
    /// once; of either only those that are not in memory.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] where a file is damaged or missing, [`IndexError::Storage`] where it could not be read.
    pub async fn search(&self, query: &str, k: usize) -> Result<Vec<Hit>, IndexError> {
        Ok(self.find(query, k).await?.hits)
    }

    /// As [`Index::search`], with how common the query's terms are, which the same reads say.
    ///
    /// # Errors
    /// As [`Index::search`].
    pub async fn find(&self, query: &str, k: usize) -> Result<Found, IndexError> {
        let mut terms = BTreeMap::<String, u32>::new();
        for term in analyse(query) {
            *terms.entry(term).or_default() += 1;
        }
        if k == 0 || terms.is_empty() {
            return Ok(Found { hits: Vec::new(), frequencies: BTreeMap::new() });
        }
        let (ranked, frequencies) = self.rank(&terms, k).await?;
        let numbers: Vec<u32> = ranked.iter().map(|&(passage, _)| passage).collect();
        let passages = self.passages(&numbers).await?.into_iter();
        let hits = passages.zip(ranked).map(|(passage, (_, score))| Hit { passage, score }).collect();
        Ok(Found { hits, frequencies })
    }

    /// The `k` best passages for the terms of a query and their multiplicity: numbers and scores, best first. With them, how
    /// common each term is.
    async fn rank(
        &self,
        terms: &BTreeMap<String, u32>,
        k: usize,
    ) -> Result<(Vec<(u32, f32)>, BTreeMap<String, f64>), IndexError> {
        let manifest = &self.manifest;
        let numbers = terms.keys().map(|term| manifest.term_shard(term)).collect();
        let decode = |_, bytes: &_| TermShard::decode(bytes, manifest.passages);
        let shards = self.shards(&self.terms, &manifest.term_shards, numbers, decode).await?;

        let bm25 = manifest.bm25();
        let (mut scores, mut frequencies) = (Vec::new(), BTreeMap::new());
        for (term, &count) in terms {
            let postings = shards.get(&manifest.term_shard(term)).map_or(&[][..], |shard| shard.postings_of(term));
            let weight = count as f32 * bm25.idf(postings.len());
            frequencies.insert(term.clone(), postings.len() as f64 / f64::from(manifest.passages.max(1)));
            let score = |posting: &Posting| weight * bm25.saturation(posting.frequency, posting.length);
            scores.extend(postings.iter().map(|posting| (posting.passage, score(posting))));
        }
        // A stable sort leaves each passage's parts in the order of the terms, so that their sum is always the same.
        scores.sort_by_key(|&(passage, _)| passage);
        scores.dedup_by(|part, sum| {
            let same = part.0 == sum.0;
            if same {
                sum.1 += part.1;
            }
            same
        });
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        scores.truncate(k);
        Ok((scores, frequencies))
    }

    /// The passages of these numbers, from 0 to below the manifest's `passages`; a number beyond that has none. Reads their
    /// shards, all at once, if they are not in memory.
    ///
    /// # Errors
    /// As [`Index::search`].
    pub async fn passages(&self, numbers: &[u32]) -> Result<Vec<Passage>, IndexError> {
        let manifest = &self.manifest;
        let place = |passage: u32| {
            let per_shard = manifest.passages_per_shard;
            ((passage / per_shard) as usize, (passage % per_shard) as usize)
        };
        let wanted = numbers.iter().map(|&passage| place(passage).0).collect();
        let decode = |number, bytes: &_| PassageShard::decode(bytes, manifest.passages_in(number));
        let shards = self.shards(&self.passages, &manifest.passage_shards, wanted, decode).await?;
        let passage = |&passage: &u32| {
            let (number, place) = place(passage);
            shards.get(&number)?.get(place).cloned()
        };
        Ok(numbers.iter().filter_map(passage).collect())
    }

    /// The shards `numbers` of `files`, from memory or else all at once from storage.
    async fn shards<T>(
        &self,
        cache: &RefCell<ShardCache<T>>,
        files: &[Shard],
        numbers: BTreeSet<usize>,
        decode: impl Fn(usize, &Verified) -> Result<T, Malformed>,
    ) -> Result<BTreeMap<usize, Rc<T>>, IndexError> {
        let (decode, wanted) = (&decode, numbers.into_iter().filter_map(|number| Some((number, files.get(number)?))));
        let shards = wanted.map(async |(number, file)| {
            if let Some(shard) = cache.borrow_mut().get(number) {
                return Ok((number, shard));
            }
            let bytes = self.verified(file).await?;
            let shard = decode(number, &bytes).map_err(|Malformed(how)| IndexError::corrupt(&file.path(), how))?;
            let shard = Rc::new(shard);
            cache.borrow_mut().insert(number, shard.clone(), bytes.as_slice().len());
            Ok((number, shard))
        });
        Ok(try_join_all(shards).await?.into_iter().collect())
    }

    /// The bytes of `file`, read once more where they do not have its hash.
    async fn verified(&self, file: &Shard) -> Result<Verified, IndexError> {
        let path = file.path();
        let read = async || {
            read(&self.storage, &self.traffic, &path).await.map_err(|error| match error {
                StorageError::NotFound { .. } => IndexError::corrupt(&path, "it is not there"),
                error => IndexError::Storage(error),
            })
        };
        if let Some(bytes) = file.sha256.verify(read().await?) {
            return Ok(bytes);
        }
        self.storage.evict(&path).await;
        let damaged = || IndexError::corrupt(&path, "its SHA-256 is not the one in its name");
        file.sha256.verify(read().await?).ok_or_else(damaged)
    }
}

/// Reads one file and counts it.
async fn read(storage: &impl Storage, traffic: &Cell<Traffic>, path: &str) -> Result<Vec<u8>, StorageError> {
    let bytes = storage.read(path).await;
    let Traffic { requests, bytes: before } = traffic.get();
    let length = bytes.as_ref().map_or(0, Vec::len) as u64;
    traffic.set(Traffic { requests: requests + 1, bytes: before + length });
    bytes
}

#[cfg(test)]
mod tests;
