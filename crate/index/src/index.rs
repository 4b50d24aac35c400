//! An opened index: from a query to its best passages.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use evident_base::Hash;
use futures_util::future::try_join_all;

use crate::error::IndexError;
use crate::format::codec::Malformed;
use crate::format::directory::Directory;
use crate::format::manifest::{MANIFEST, Manifest, Shard};
use crate::format::part::SMALL_INDEX;
use crate::format::passages::Passage;
use crate::read::chunks::{Chunk, Chunks};
use crate::read::reading::Reading;
use crate::read::segments::{ChunkAddress, Opened};
use crate::read::source::Traffic;
use crate::search::Search;
use crate::search::limits::Limits;
use crate::search::result::{Hit, SearchResult};
use crate::storage::Storage;

/// An index of this version, ready to be searched.
#[derive(Debug)]
pub struct Index<S> {
    chunks: Chunks<S>,
    opened: RefCell<Rc<Opened>>,
    options: OpenOptions,
}

/// How an index is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions {
    /// The checksum that its manifest must have, now and if it is replaced in its place later; `None` for any.
    pub expected: Option<Hash>,
    /// Whether a small index is read whole.
    pub reading: Reading,
}

impl<S: Storage> Index<S> {
    /// Opens the index in `storage` in two round trips: the manifest, then the directory of each segment.
    ///
    /// # Errors
    /// [`IndexError::Missing`] if there is no manifest, [`IndexError::Page`] if it is HTML, [`IndexError::Version`] if
    /// it is of another version, [`IndexError::Corrupt`] or [`IndexError::Gone`] if a file is damaged or missing,
    /// [`IndexError::Storage`] if one could not be read.
    pub async fn open(storage: S) -> Result<Self, IndexError> {
        Self::open_with(storage, OpenOptions::default()).await
    }

    /// As [`Index::open`], by these options.
    ///
    /// # Errors
    /// [`IndexError::Unexpected`] for an index with another checksum than is expected, and those of [`Index::open`].
    pub async fn open_with(storage: S, options: OpenOptions) -> Result<Self, IndexError> {
        let expected = options.expected;
        let chunks = Chunks::new(storage);
        let opened = match read_opened(&chunks, expected, false).await {
            Err(
                IndexError::Corrupt { .. } | IndexError::Gone { .. } | IndexError::Page | IndexError::Unexpected { .. },
            ) => read_opened(&chunks, expected, true).await?,
            opened => opened?,
        };
        Ok(Self { chunks, opened: RefCell::new(opened.into()), options })
    }

    /// The manifest in force.
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

    /// What was read since the index was opened.
    pub fn traffic(&self) -> Traffic {
        self.chunks.traffic()
    }

    /// The `k` passages with the highest score for `query`, best first and ties by passage number: BM25's, and more if
    /// the query has the words of the passage's title side by side. A term that stands twice in the query counts twice;
    /// a passage that shares no term with the query is never a hit.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] or [`IndexError::Gone`] if a file is damaged or missing, [`IndexError::Storage`] if one
    /// could not be read.
    pub async fn search(&self, query: &str, k: usize) -> Result<Vec<Hit>, IndexError> {
        Ok(self.find(query, k, Limits::default()).await?.hits)
    }

    /// As [`Index::search`], within `limits`. The result says whether the hits are proved to be the best, and how
    /// common the query's terms are, which costs no further read. An index that is read whole is searched without
    /// limits.
    ///
    /// # Errors
    /// As [`Index::search`].
    pub async fn find(&self, query: &str, k: usize, limits: Limits) -> Result<SearchResult, IndexError> {
        self.with_opened(async |opened| {
            let asked = opened.analysis.asked(query);
            if k == 0 || asked.is_empty() {
                return Ok(SearchResult::default());
            }
            let limits = if self.reads_whole(&opened) { Limits::default() } else { limits };
            Search::new(&opened, &asked, k, limits).run(&self.chunks).await
        })
        .await
    }

    /// The passages of these numbers, which count from 0; numbers beyond the last passage are left out. Their groups
    /// are read, all at once, unless they are in memory.
    ///
    /// # Errors
    /// As [`Index::search`].
    pub async fn passages(&self, numbers: &[u32]) -> Result<Vec<Passage>, IndexError> {
        self.with_opened(async |opened| {
            let places: Vec<_> = numbers.iter().filter_map(|&number| opened.place(number)).collect();
            let wanted: BTreeSet<_> = places.iter().map(|&(group, _)| group).collect();
            let chunks = self.chunks.read(&opened.segments, &wanted).await?;
            let passage = |(group, place)| match &**chunks.get(&group)? {
                Chunk::Group(passages) => passages.get(place).cloned(),
                _ => None,
            };
            Ok(places.into_iter().filter_map(passage).collect())
        })
        .await
    }

    /// Reads one of [`Index::files`] and decodes every chunk in it.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] for what a search could not read or would never find, and those of [`Index::search`].
    pub async fn check(&self, file: &Shard) -> Result<(), IndexError> {
        self.chunks.check(&self.opened().segments, file).await
    }

    /// Whether the first search reads the whole index, so that its host does not learn the query.
    pub fn is_read_whole(&self) -> bool {
        self.reads_whole(&self.opened())
    }

    fn reads_whole(&self, opened: &Opened) -> bool {
        self.options.reading == Reading::SmallWhole && opened.bytes() <= SMALL_INDEX
    }

    /// A chunk of the index in force, if it has that.
    pub(crate) async fn chunk(&self, address: ChunkAddress) -> Result<Option<Rc<Chunk>>, IndexError> {
        let mut found = self.chunks.read(&self.opened().segments, &BTreeSet::from([address])).await?;
        Ok(found.remove(&address))
    }

    /// What is in force.
    pub(crate) fn opened(&self) -> Rc<Opened> {
        self.opened.borrow().clone()
    }

    /// Runs `ask` on the index in force. A small index is read before that. If a file is gone, the index may have been
    /// replaced: the manifest is read again, and if it has changed, `ask` runs on the new index.
    async fn with_opened<T>(&self, ask: impl AsyncFn(Rc<Opened>) -> Result<T, IndexError>) -> Result<T, IndexError> {
        let ask = async |opened: Rc<Opened>| {
            if self.reads_whole(&opened) {
                self.chunks.hold(opened.files()).await?;
            }
            ask(opened).await
        };
        let opened = self.opened();
        let gone = match ask(opened.clone()).await {
            Err(gone @ IndexError::Gone { .. }) => gone,
            answer => return answer,
        };
        let _turn = self.chunks.turn(MANIFEST).await; // of several callers that miss a file, one reads for all
        if Rc::ptr_eq(&opened, &self.opened()) {
            let renewed = read_opened(&self.chunks, self.options.expected, true).await?;
            if renewed.manifest.checksum == opened.manifest.checksum {
                return Err(gone);
            }
            self.chunks.clear();
            self.opened.replace(renewed.into());
        }
        ask(self.opened()).await
    }
}

/// Reads the manifest, with `again` not from a cache, and the directories that it names.
async fn read_opened<S: Storage>(
    chunks: &Chunks<S>,
    expected: Option<Hash>,
    again: bool,
) -> Result<Opened, IndexError> {
    let manifest = Manifest::parse(&chunks.manifest(again).await?)?;
    if let Some(expected) = expected.filter(|&expected| expected != manifest.checksum) {
        return Err(IndexError::Unexpected { found: manifest.checksum, expected });
    }
    let analysis = manifest.known_analysis()?;
    let directories = try_join_all(manifest.segments.iter().map(async |segment| {
        let bytes = chunks.file(&segment.directory).await?;
        let corrupt = |Malformed(how)| IndexError::corrupt(&segment.directory.path(), how);
        Directory::decode(&bytes, segment.passages).map_err(corrupt)
    }));
    let directories = directories.await?;
    Ok(Opened::new(manifest, analysis, directories))
}

#[cfg(test)]
mod tests;
