//! An index as a source: on a static host, in a folder, of a reader's own files, or of a page that an answer cites.

use std::collections::HashSet;
use std::rc::Rc;

use evident_index::{Hit, Index, IndexError, Limits, SearchResult, Storage, Traffic, analyse};
use futures_util::future::LocalBoxFuture;

use crate::error::SourceError;
use crate::evidence::copies::distinct;
use crate::evidence::source::{EvidenceSource, Found, Query};
use crate::report::{IndexReport, Revealed, Reveals, SearchCost, SourceInfo, SourceKind};
use crate::settings::Settings;

/// Where copies of a passage took the places of others, the index is searched for so many times as many passages.
const WITH_COPIES: usize = 4;

/// An index as a source of evidence. The caller may keep the index too.
pub struct IndexSource<S> {
    index: Rc<Index<S>>,
    kind: SourceKind,
    name: String,
    address: Option<String>,
}

impl<S: Storage + 'static> IndexSource<S> {
    /// An index on this machine, called `name`.
    pub fn in_folder(index: impl Into<Rc<Index<S>>>, name: impl Into<String>) -> Self {
        Self { index: index.into(), kind: SourceKind::Index, name: name.into(), address: None }
    }

    /// An index on a static host at `address`; its name is the address's last part.
    pub fn on_host(index: impl Into<Rc<Index<S>>>, address: impl Into<String>) -> Self {
        let address = address.into();
        let name = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
        Self { index: index.into(), kind: SourceKind::Index, name, address: Some(address) }
    }

    /// An index of a reader's own files, called `name`.
    pub fn of_files(index: impl Into<Rc<Index<S>>>, name: impl Into<String>) -> Self {
        Self { kind: SourceKind::Files, ..Self::in_folder(index, name) }
    }

    /// An index of the passages of the page at `address`, which an answer cites. The page was read before.
    pub fn of_page(index: impl Into<Rc<Index<S>>>, address: impl Into<String>) -> Self {
        let address = address.into();
        Self { index: index.into(), kind: SourceKind::Page, name: address.clone(), address: Some(address) }
    }

    /// The best passages for these words, each copy once. Where copies took places and the search left half of its bytes,
    /// a second one has these, and counts if it finds more. With fewer it could not keep to them: the texts of its hits
    /// are read in any case.
    async fn distinct(&self, words: &str, count: usize, limits: Limits) -> Result<SearchResult, IndexError> {
        let before = self.index.traffic().bytes;
        let mut found = self.index.find(words, count, limits).await?;
        let were_all = found.hits.len() < count;
        found.hits = distinct(found.hits, |hit| &hit.passage);
        let spent = self.index.traffic().bytes - before;
        let left = Limits { bytes: limits.bytes.saturating_sub(spent), ..limits };
        if found.hits.len() < count && !were_all && left.bytes >= limits.bytes / 2 {
            let mut more = self.index.find(words, WITH_COPIES * count, left).await?;
            more.hits = distinct(more.hits, |hit| &hit.passage);
            more.hits.truncate(count);
            if more.hits.len() > found.hits.len() {
                found = more;
            }
        }
        Ok(found)
    }

    /// The best passages for a claim. Where the context says so much else that the passages to be read have few of the
    /// statement's words, and half of the search's bytes are left, the statement is searched for alone.
    async fn about(&self, query: &Query<'_>) -> Result<SearchResult, IndexError> {
        let limits = query.settings.search.limits();
        let before = self.index.traffic().bytes;
        let found = self.distinct(&query.words(), query.count, limits).await?;
        let said: HashSet<String> = analyse(query.statement).collect();
        let most_shared = |found: &SearchResult| {
            found.hits.iter().take(query.settings.read.max(1)).map(|hit| shared(&said, hit)).max().unwrap_or(0)
        };
        let spent = self.index.traffic().bytes - before;
        let left = Limits { bytes: limits.bytes.saturating_sub(spent), ..limits };
        if query.context.is_empty() || 2 * most_shared(&found) >= said.len() || left.bytes < limits.bytes / 2 {
            return Ok(found);
        }
        let alone = self.distinct(&query.alone(), query.count, left).await?;
        Ok(if most_shared(&alone) > most_shared(&found) { alone } else { found })
    }

    /// What a search reveals, and to whom. Which files of an index are read depends on the words that are searched for;
    /// an index that is read whole reveals nothing of them.
    fn reveals(&self) -> Option<Reveals> {
        let to = self.address.clone().filter(|_| self.kind == SourceKind::Index && !self.index.is_read_whole())?;
        Some(Reveals { to, what: Revealed::Files })
    }
}

impl<S: Storage + 'static> EvidenceSource for IndexSource<S> {
    fn info(&self, settings: &Settings) -> SourceInfo {
        let IndexReport { passages, hash } = IndexReport::of(&self.index.manifest());
        let limits = settings.search.limits();
        let cost = match self.kind {
            SourceKind::Index => SearchCost {
                bytes: (limits.bytes < u64::MAX).then_some(limits.bytes),
                trips: (limits.trips < u32::MAX).then_some(limits.trips),
            },
            _ => SearchCost::NOTHING, // it is in memory
        };
        SourceInfo {
            address: self.address.clone(),
            hash: Some(hash),
            passages: Some(passages),
            cost,
            reveals: self.reveals(),
            ..SourceInfo::new(self.kind, &self.name)
        }
    }

    fn find<'a>(&'a self, query: &'a Query<'a>) -> LocalBoxFuture<'a, Result<Found, SourceError>> {
        Box::pin(async move { Ok(self.about(query).await?.into()) })
    }

    fn traffic(&self) -> Traffic {
        self.index.traffic()
    }
}

/// How many of the terms that are `said` a passage has in its title and text.
fn shared(said: &HashSet<String>, hit: &Hit) -> usize {
    let terms: HashSet<String> = analyse(&hit.passage.title).chain(analyse(&hit.passage.text)).collect();
    said.intersection(&terms).count()
}

#[cfg(test)]
mod tests {
    use evident_index::{BuildOptions, MemoryStorage, Passage, assemble};
    use futures_lite::future::block_on;

    use super::*;

    #[test]
    fn a_statement_on_something_else_than_its_context_is_searched_for_alone() {
        let queen = "Elizabeth was queen of the United Kingdom, the queen of Canada and a queen of many realms.";
        let passages = [("queen", queen), ("gold", "Gold is a soft metal."), ("crown", "The queen has a gold crown.")];
        let passages = passages.map(|(id, text)| Passage { id: id.into(), text: text.into(), ..Passage::default() });
        let (_, files) = assemble(passages.into_iter().map(Ok), &BuildOptions::default()).unwrap();
        let source = IndexSource::in_folder(block_on(Index::open(MemoryStorage(files))).unwrap(), "an index");
        let settings = Settings { read: 1, ..Settings::default() };
        let first = |context| {
            let query = Query { context, statement: "Gold is a metal.", count: 1, settings: &settings };
            block_on(source.find(&query)).unwrap().passages[0].passage.id.clone()
        };
        assert_eq!(first(""), "gold");
        assert_eq!(first("Elizabeth is the queen of the United Kingdom and the queen of Canada."), "gold");
    }

    #[test]
    fn copies_leave_room_for_what_else_there_is() {
        let said = "The capital of Switzerland is Zürich.";
        let texts = [said; 7].into_iter().chain(["Bern is the capital of Switzerland."]).enumerate();
        let passages = texts.map(|(id, text)| Passage { id: id.to_string(), text: text.into(), ..Passage::default() });
        let (_, files) = assemble(passages.map(Ok), &BuildOptions::default()).unwrap();
        let index = block_on(Index::open(MemoryStorage(files))).unwrap();
        let source = IndexSource::in_folder(index, "an index");
        let settings = Settings::default();
        let query = Query { context: "", statement: said, count: 2, settings: &settings };
        let found = block_on(source.find(&query)).unwrap();
        let ids: Vec<&str> = found.passages.iter().map(|found| found.passage.id.as_str()).collect();
        assert_eq!(ids, ["0", "7"]);
    }
}
