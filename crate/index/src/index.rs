//! An opened index: from a query to its best passages.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};

use crate::bm25::Bm25;
use crate::format::codec::Malformed;
use crate::format::directory::{Directory, Kind, Segment};
use crate::format::manifest::{MANIFEST, Manifest};
use crate::read::chunks::{Chunk, Chunks, Traffic};
use crate::search::{Found, Limits, Search};
use crate::{IndexError, Passage, Shard, Storage, analyse};

/// A passage that answers a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The passage.
    pub passage: Passage,
    /// Its BM25 score for the query; above 0.
    pub score: f32,
}

/// An index that was found, is of this version, and can be searched.
#[derive(Debug)]
pub struct Index<S> {
    chunks: Chunks<S>,
    opened: RefCell<Rc<Opened>>,
}

/// What a manifest names, as long as it is the one in force.
#[derive(Debug)]
pub(crate) struct Opened {
    manifest: Rc<Manifest>,
    pub segments: Vec<Segment>,
    pub bm25: Bm25,
}

impl<S: Storage> Index<S> {
    /// Opens the index in `storage`, which costs two round trips: the manifest, then the directory of each segment.
    ///
    /// # Errors
    /// [`IndexError::Missing`] where there is no manifest, [`IndexError::Version`] where it is of another version,
    /// [`IndexError::Corrupt`] or [`IndexError::Gone`] where a file is damaged or missing, [`IndexError::Storage`] where one
    /// could not be read.
    pub async fn open(storage: S) -> Result<Self, IndexError> {
        let chunks = Chunks::new(storage);
        let opened = match Opened::read(&chunks, false).await {
            Err(IndexError::Corrupt { .. } | IndexError::Gone { .. }) => Opened::read(&chunks, true).await?,
            opened => opened?,
        };
        Ok(Self { chunks, opened: RefCell::new(opened.into()) })
    }

    /// What the index is.
    pub fn manifest(&self) -> Rc<Manifest> {
        self.opened().manifest.clone()
    }

    /// All files but the manifest, by the part they belong to: "directory", "terms", "lists" or "texts".
    pub fn files(&self) -> BTreeMap<&'static str, Vec<Shard>> {
        let opened = self.opened();
        let mut files = BTreeMap::<_, Vec<Shard>>::new();
        files.insert("directory", opened.manifest.segments.iter().map(|segment| segment.directory).collect());
        for (kind, part) in opened.segments.iter().flat_map(|segment| segment.directory.parts()) {
            files.entry(kind.name()).or_default().extend(part.files().iter().map(|file| file.shard));
        }
        files
    }

    /// What was read so far.
    pub fn traffic(&self) -> Traffic {
        self.chunks.traffic()
    }

    /// The `k` passages with the highest BM25 score for `query`, best first and ties by passage number. A term that stands
    /// twice in the query counts twice; passages that share no term with it are never among the hits.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] or [`IndexError::Gone`] where a file is damaged or missing, [`IndexError::Storage`] where it
    /// could not be read.
    pub async fn search(&self, query: &str, k: usize) -> Result<Vec<Hit>, IndexError> {
        Ok(self.find(query, k, Limits::default()).await?.hits)
    }

    /// As [`Index::search`], as far as `limits` let it, and whether they kept it from proving that the hits are the best. With
    /// them how common the query's terms are, which the same reads say.
    ///
    /// # Errors
    /// As [`Index::search`].
    pub async fn find(&self, query: &str, k: usize, limits: Limits) -> Result<Found, IndexError> {
        let mut terms = BTreeMap::<String, u32>::new();
        for term in analyse(query) {
            *terms.entry(term).or_default() += 1;
        }
        if k == 0 || terms.is_empty() {
            return Ok(Found::default());
        }
        self.with_opened(async |opened| Search::new(&opened, &terms, k, limits).run(&self.chunks).await).await
    }

    /// The passages of these numbers, from 0 to below the manifest's `passages`; a number beyond that has none. Reads their
    /// groups, all at once, if they are not in memory.
    ///
    /// # Errors
    /// As [`Index::search`].
    pub async fn passages(&self, numbers: &[u32]) -> Result<Vec<Passage>, IndexError> {
        self.with_opened(async |opened| {
            let places: Vec<_> = numbers.iter().filter_map(|&number| opened.place(number)).collect();
            let wanted: BTreeSet<_> = places.iter().map(|&(segment, group, _)| (segment, Kind::Texts, group)).collect();
            let chunks = self.chunks.read(&opened.segments, &wanted).await?;
            let passage = |&(segment, group, place): &(usize, usize, usize)| match &**chunks.get(&(
                segment,
                Kind::Texts,
                group,
            ))? {
                Chunk::Group(passages) => passages.get(place).cloned(),
                _ => None,
            };
            Ok(places.iter().filter_map(passage).collect())
        })
        .await
    }

    fn opened(&self) -> Rc<Opened> {
        self.opened.borrow().clone()
    }

    /// Asks what the manifest in force names. Where a file of it has gone, the index may have been replaced: the manifest is
    /// read again, and if it is another one, that is asked.
    async fn with_opened<T>(&self, ask: impl AsyncFn(Rc<Opened>) -> Result<T, IndexError>) -> Result<T, IndexError> {
        let opened = self.opened();
        let gone = match ask(opened.clone()).await {
            Err(gone @ IndexError::Gone { .. }) => gone,
            answer => return answer,
        };
        let _turn = self.chunks.turn(MANIFEST).await; // of several that miss a file one asks, and the others take what it found
        if Rc::ptr_eq(&opened, &self.opened()) {
            let renewed = Opened::read(&self.chunks, true).await?;
            if renewed.manifest.checksum == opened.manifest.checksum {
                return Err(gone);
            }
            self.chunks.clear();
            self.opened.replace(renewed.into());
        }
        ask(self.opened()).await
    }
}

impl Opened {
    /// Reads the manifest, with `again` not from a cache, and the directories that it names.
    async fn read<S: Storage>(chunks: &Chunks<S>, again: bool) -> Result<Self, IndexError> {
        let manifest = Manifest::parse(&chunks.manifest(again).await?)?;
        let directories = try_join_all(manifest.segments.iter().map(async |segment| {
            let bytes = chunks.file(&segment.directory).await?;
            let corrupt = |Malformed(how)| IndexError::corrupt(&segment.directory.path(), how);
            Directory::decode(&bytes, segment.passages).map_err(corrupt)
        }));
        let (mut segments, mut first) = (Vec::new(), 0);
        for (directory, entry) in directories.await?.into_iter().zip(&manifest.segments) {
            let passages = entry.passages;
            let built = Bm25::new(manifest.k1, manifest.b, passages, entry.tokens);
            segments.push(Segment { first, passages, built, directory });
            first += passages;
        }
        Ok(Self { bm25: manifest.bm25(), manifest: manifest.into(), segments })
    }

    /// Where a passage stands: its segment, its group there, and its place in the group.
    pub fn place(&self, number: u32) -> Option<(usize, usize, usize)> {
        let segment = self.segment_of(number)?;
        let Segment { first, directory, .. } = &self.segments[segment];
        let [group, place] = [(number - first) / directory.group, (number - first) % directory.group];
        Some((segment, group as usize, place as usize))
    }

    /// The numbers of the passages in a group.
    pub fn passages_of(&self, segment: usize, group: usize) -> Range<u32> {
        let Some(Segment { first, passages, directory, .. }) = self.segments.get(segment) else { return 0..0 };
        let [from, to] = [group, group + 1].map(|group| (group as u32).saturating_mul(directory.group).min(*passages));
        first + from..first + to
    }

    /// The segment that holds passage `number`.
    pub fn segment_of(&self, number: u32) -> Option<usize> {
        let segment = self.segments.partition_point(|segment| segment.first <= number).checked_sub(1)?;
        let Segment { first, passages, .. } = self.segments[segment];
        (number - first < passages).then_some(segment)
    }
}

#[cfg(test)]
mod tests;
