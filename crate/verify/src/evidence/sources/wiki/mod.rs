//! A MediaWiki as a source: its articles are asked for by their names while an answer is checked.
//!
//! The articles for a claim are those with the names in it, at most three. For a claim without a subject of its own, or
//! without such an article, those with the names in its context are read too. If there are none, the wiki is searched.
//! The articles stay in an index in memory, so each is read once for a whole answer. The claim's names and words leave
//! this machine, and nothing else does.

mod api;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use evident_index::{BuildOptions, Index, Limits, MemoryStorage, Passage, Traffic, assemble};
use futures_util::future::LocalBoxFuture;
use serde::Serialize;

use self::api::{Api, Outcome, Revision, Site};
pub use self::api::{WikiReply, wiki_host};
use crate::error::SourceError;
use crate::evidence::source::{EvidenceSource, Found, FoundPassage, Query};
use crate::report::{Revealed, Reveals, SearchCost, SourceInfo, SourceKind};
use crate::settings::Settings;
use crate::text::pronouns::subject;
use crate::text::titles::{candidates, search_words};

/// The wikis that have a short name.
const WIKIS: [(&str, &str); 2] =
    [("en", "https://en.wikipedia.org/w/api.php"), ("simple", "https://simple.wikipedia.org/w/api.php")];

/// The most articles that a search finds.
const ARTICLES: usize = 3;

/// The most requests for a claim: its names, those of its context, a search, and for each article that these bring the
/// revision before a new one.
const REQUESTS: u32 = 3 + 3 * ARTICLES as u32;

/// The most bytes of an article's wikitext. A longer one is not read.
const LONGEST: usize = 2 << 20;

/// The most bytes of a reply.
const LONGEST_REPLY: u64 = 8 << 20;

/// The most articles in memory; after that the first are forgotten. A new article has the index built again, so this
/// also bounds the time for that.
const REMEMBERED: usize = 60;

/// The age in seconds that a revision must have. Vandalism seldom lives longer.
const SETTLED: u64 = 60 * 60;

/// The longest wait that a busy wiki may ask for, in seconds.
const LONGEST_WAIT: u64 = 30;

/// The seconds after which a wiki that did not answer is asked again. Without that pause each sentence of an answer
/// would wait for it.
const PAUSE: u64 = 10;

/// What a wiki needs of the program that asks it.
pub trait WikiHost {
    /// Gets the reply at an address of the wiki, without cookies and referrer; its body may have `most` bytes. It asks
    /// for one address at a time.
    ///
    /// # Errors
    /// The reason for having no reply, and what to do, as a clause: "it did not answer within 10 s: try again".
    fn get<'a>(&'a self, address: &'a str, most: u64) -> LocalBoxFuture<'a, Result<WikiReply, String>>;

    /// Makes passages of an article's wikitext.
    fn read(&self, article: &WikiArticle) -> Vec<Passage>;

    /// Waits, for a wiki that asks for that.
    fn wait(&self, seconds: u64) -> LocalBoxFuture<'_, ()>;

    /// The time now, in seconds since 1970.
    fn now(&self) -> u64;
}

/// An article as a wiki has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WikiArticle {
    /// The wiki and the page's id in it, which begin the ids of its passages: "en.wikipedia.org/14627".
    pub id: String,
    /// Its title.
    pub title: String,
    /// Other names, which lead to it.
    pub names: Vec<String>,
    /// The address of the revision that was read.
    pub address: String,
    /// Its wikitext.
    pub wikitext: String,
}

/// A wiki that runs MediaWiki 1.35 or later, asked about each claim.
pub struct WikiSource<H> {
    host: H,
    api: Api,
    site: RefCell<Option<Site>>,
    articles: RefCell<Articles>,
    traffic: Cell<Traffic>,
    /// The last failure, and the time at which the wiki may be asked again.
    silent: RefCell<Option<(SourceError, u64)>>,
}

/// What is known of a wiki's articles.
#[derive(Default)]
struct Articles {
    /// The page of each title that was asked for; `None` if there is no such article.
    asked: BTreeMap<String, Option<u64>>,
    /// The articles that were read, in order, with their passages; no passages for one that cannot be read.
    read: Vec<(u64, Vec<FoundPassage>)>,
    /// An index of all passages, until an article is added.
    index: Option<Rc<Index<MemoryStorage>>>,
}

impl<H: WikiHost> WikiSource<H> {
    /// The wiki that `wiki` names, as in [`wiki_address`].
    ///
    /// # Errors
    /// Those of [`wiki_address`].
    pub fn new(host: H, wiki: &str) -> Result<Self, SourceError> {
        let api = Api::at(wiki_address(wiki)?);
        let (site, articles, traffic, silent) = Default::default();
        Ok(Self { host, api, site, articles, traffic, silent })
    }

    fn unreachable(&self, reason: impl Into<String>) -> SourceError {
        SourceError::Unreachable { name: self.api.host().to_owned(), reason: reason.into() }
    }

    /// The reply to a request; during the pause after a failure, that failure.
    async fn ask(&self, address: &str) -> Result<Outcome, SourceError> {
        if let Some((error, _)) = self.silent.borrow().as_ref().filter(|(_, until)| *until > self.host.now()) {
            return Err(error.clone());
        }
        let answer = self.answer(address).await;
        self.silent.replace(answer.as_ref().err().map(|error| (error.clone(), self.host.now() + PAUSE)));
        answer
    }

    /// The reply to a request. A wiki that is busy is asked once more when it says.
    async fn answer(&self, address: &str) -> Result<Outcome, SourceError> {
        let mut has_waited = false;
        loop {
            let reply = self.host.get(address, LONGEST_REPLY).await.map_err(|reason| self.unreachable(reason))?;
            let mut traffic = self.traffic.get();
            traffic.requests += 1;
            traffic.bytes += reply.body.len() as u64;
            self.traffic.set(traffic);
            match api::outcome(&reply) {
                Ok(outcome) => return Ok(outcome),
                Err(api::Fault::Busy(seconds)) if !has_waited && seconds <= LONGEST_WAIT => {
                    has_waited = true;
                    self.host.wait(seconds.max(1)).await;
                }
                Err(fault) => return Err(self.unreachable(fault.reason())),
            }
        }
    }

    /// Asks for the articles with those of these titles that were not asked for before, and reads them. The first
    /// request also asks for the wiki's language and licence. Gives the pages that have the titles, in their order.
    async fn read_titled(&self, titles: &[String]) -> Result<Vec<u64>, SourceError> {
        let new: Vec<&str> = {
            let known = self.articles.borrow();
            titles.iter().map(String::as_str).filter(|title| !known.asked.contains_key(*title)).collect()
        };
        let is_known = self.site.borrow().is_some();
        if !new.is_empty() || !is_known {
            let outcome = self.ask(&self.api.articles(&new, !is_known)).await?;
            if !is_known {
                let site = outcome.site().ok_or_else(|| self.unreachable("it is no MediaWiki: check the address"))?;
                if !site.is_english() {
                    let language = &site.language;
                    let reason =
                        format!("it is in the language {language}, and the models read English: choose another");
                    return Err(self.unreachable(reason));
                }
                *self.site.borrow_mut() = Some(site);
            }
            let found = outcome.titles(&new);
            self.read(outcome.revisions(), &found).await?;
            self.articles.borrow_mut().asked.extend(found);
        }
        let known = self.articles.borrow();
        let mut pages: Vec<u64> = titles.iter().filter_map(|title| known.asked.get(title).copied().flatten()).collect();
        pages.dedup();
        Ok(pages)
    }

    /// Reads articles, except those that were read before. If the newest revision is younger than [`SETTLED`], it reads
    /// the one before. `titles` lead to the articles.
    async fn read(&self, revisions: Vec<Revision>, titles: &BTreeMap<String, Option<u64>>) -> Result<(), SourceError> {
        let settled = api::timestamp(self.host.now().saturating_sub(SETTLED));
        for newest in revisions {
            let page = newest.page;
            if self.articles.borrow().read.iter().any(|(read, _)| *read == page) {
                continue;
            }
            let revision = if newest.timestamp > settled {
                let before = self.ask(&self.api.revision_before(page, &settled)).await?;
                before.revisions().into_iter().next()
            } else {
                Some(newest)
            };
            let names = titles.iter().filter(|(_, found)| **found == Some(page)).map(|(title, _)| title.clone());
            let passages = match revision {
                Some(revision) => self.passages(revision, names.collect()),
                None => Vec::new(),
            };
            self.articles.borrow_mut().add(page, passages);
        }
        Ok(())
    }

    /// The passages of a revision, whose article has these names too. A disambiguation and an article that is too long
    /// have none.
    fn passages(&self, revision: Revision, mut names: Vec<String>) -> Vec<FoundPassage> {
        let Revision { page, title, id, timestamp, wikitext } = revision;
        if wikitext.len() > LONGEST || is_disambiguation(&wikitext) {
            return Vec::new();
        }
        let license = self.site.borrow().as_ref().and_then(|site| site.license.clone());
        let address = self.api.revision(id);
        names.retain(|name| *name != title);
        let id = format!("{}/{page}", self.api.host());
        let article = WikiArticle { id, title, names, address, wikitext };
        let passages = self.host.read(&article);
        let date = timestamp.get(..10).map(str::to_owned);
        let found =
            |passage| FoundPassage { date: date.clone(), license: license.clone(), ..FoundPassage::of(passage) };
        passages.into_iter().map(found).collect()
    }
}

/// The address of the `api.php` of a wiki: that of Wikipedia for "en" and "simple", and otherwise `wiki` itself.
///
/// # Errors
/// [`SourceError::NoWiki`] for what is no address of http or https that ends with "/api.php".
///
/// ```
/// assert_eq!(evident_verify::wiki_address("simple").unwrap(), "https://simple.wikipedia.org/w/api.php");
/// assert!(evident_verify::wiki_address("https://en.wikipedia.org").is_err());
/// ```
pub fn wiki_address(wiki: &str) -> Result<&str, SourceError> {
    let address = WIKIS.iter().find(|(short, _)| *short == wiki).map_or(wiki, |(_, address)| address);
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://")).unwrap_or_default();
    let is_address = rest.ends_with("/api.php") && !rest.starts_with('/') && !rest.contains(['?', '#', ' ', '@']);
    if is_address { Ok(address) } else { Err(SourceError::NoWiki { name: wiki.to_owned() }) }
}

/// What a wiki may be sent about a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WikiWords {
    /// The names that it is asked for as titles of articles.
    pub names: Vec<String>,
    /// The words that it is searched for if no article of these names says anything.
    pub search: String,
}

/// What a wiki may be sent about `statement`, which follows its `context`.
///
/// ```
/// let words = evident_verify::wiki_words("Marie Curie was born in Warsaw.", "");
/// assert_eq!(words.names, ["Marie Curie", "Warsaw"]);
/// assert_eq!(words.search, "marie curie born warsaw");
/// ```
#[must_use]
pub fn wiki_words(statement: &str, context: &str) -> WikiWords {
    let mut names = candidates(statement);
    names.extend(candidates(context));
    WikiWords { names, search: search_words(statement) }
}

/// Describes the wiki with this `api.php` as a source. Its licence is known once it was asked.
#[must_use]
pub fn wiki_info(address: &str, license: Option<String>) -> SourceInfo {
    let cost = SearchCost { bytes: Some(u64::from(REQUESTS) * LONGEST_REPLY), trips: Some(REQUESTS) };
    let reveals = Some(Reveals { to: address.to_owned(), what: Revealed::Claim });
    let named = SourceInfo::new(SourceKind::Live, wiki_host(address));
    SourceInfo { address: Some(address.to_owned()), license, cost, reveals, ..named }
}

/// Whether wikitext says by a template that its page only lists articles. Not every wiki has the property for that.
fn is_disambiguation(wikitext: &str) -> bool {
    let templates = wikitext.split("{{").skip(1).filter_map(|rest| rest.split(['|', '}', '\n']).next());
    templates.map(|name| name.trim().to_lowercase()).any(|name| {
        name.starts_with("disambig")
            || matches!(name.as_str(), "dab" | "hndis" | "geodis" | "human name disambiguation")
    })
}

impl Articles {
    /// Whether one of these articles has a passage.
    fn tell(&self, pages: &[u64]) -> bool {
        self.read.iter().any(|(page, passages)| pages.contains(page) && !passages.is_empty())
    }

    fn add(&mut self, page: u64, passages: Vec<FoundPassage>) {
        self.index = None;
        self.read.push((page, passages));
        let excess = self.read.len().saturating_sub(REMEMBERED);
        for (forgotten, _) in self.read.drain(..excess) {
            self.asked.retain(|_, page| *page != Some(forgotten)); // so that it is asked for again
        }
    }

    /// The passages of all articles.
    fn passages(&self) -> impl Iterator<Item = &FoundPassage> {
        self.read.iter().flat_map(|(_, passages)| passages)
    }
}

impl<H: WikiHost> WikiSource<H> {
    /// An index of the articles that were read; `None` if they have no passages.
    async fn index(&self) -> Result<Option<Rc<Index<MemoryStorage>>>, SourceError> {
        if let Some(index) = &self.articles.borrow().index {
            return Ok(Some(index.clone()));
        }
        let passages: Vec<Passage> = self.articles.borrow().passages().map(|found| found.passage.clone()).collect();
        if passages.is_empty() {
            return Ok(None);
        }
        let built = assemble(passages.into_iter().map(Ok), &BuildOptions::default());
        let (_, files) = built.map_err(|error| self.unreachable(format!("its articles cannot be indexed: {error}")))?;
        let index = Rc::new(Index::open(MemoryStorage(files)).await?);
        self.articles.borrow_mut().index = Some(index.clone());
        Ok(Some(index))
    }

    async fn find_passages(&self, query: &Query<'_>) -> Result<Found, SourceError> {
        let (own, context) = (candidates(query.statement), candidates(query.context));
        let is_about = subject(query.statement).is_some();
        let mut pages = self.read_titled(&own).await?;
        if !is_about || !self.articles.borrow().tell(&pages) {
            pages.extend(self.read_titled(&context).await?);
        }
        let search = search_words(query.statement);
        if !self.articles.borrow().tell(&pages) && !search.is_empty() {
            let found = self.ask(&self.api.search(&search, ARTICLES)).await?;
            self.read(found.revisions(), &BTreeMap::new()).await?;
        }
        let Some(index) = self.index().await? else { return Ok(Found::default()) };
        // How rare a word is among the few articles that were read says nothing.
        let found: Found = index.find(&query.words(), query.count, Limits::default()).await?.into();
        let mut found = Found { frequencies: None, ..found };
        let known = self.articles.borrow();
        let by_id: BTreeMap<&str, &FoundPassage> =
            known.passages().map(|found| (found.passage.id.as_str(), found)).collect();
        for passage in &mut found.passages {
            if let Some(read) = by_id.get(passage.passage.id.as_str()) {
                passage.date.clone_from(&read.date);
                passage.license.clone_from(&read.license);
            }
        }
        Ok(found)
    }
}

impl<H: WikiHost> EvidenceSource for WikiSource<H> {
    fn info(&self, _: &Settings) -> SourceInfo {
        wiki_info(self.api.address(), self.site.borrow().as_ref().and_then(|site| site.license.clone()))
    }

    fn find<'a>(&'a self, query: &'a Query<'a>) -> LocalBoxFuture<'a, Result<Found, SourceError>> {
        Box::pin(self.find_passages(query))
    }

    fn traffic(&self) -> Traffic {
        self.traffic.get()
    }
}

#[cfg(test)]
mod tests;
