//! A MediaWiki as a source: its articles are asked for by their names while an answer is checked.
//!
//! The articles for a claim are those with the names in it, at most three. For a claim without a subject of its own, or
//! without such an article, those with the names in its context are read too. If there are none, the wiki is searched.
//! The articles stay in an index in memory, so each is read once for a whole answer, and the host may keep them by
//! their revisions for later answers. The claim's names and words leave this machine, and nothing else does.

mod api;
mod articles;
mod lists;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::ready;
use std::rc::Rc;

use evident_index::{BuildOptions, Index, Limits, MemoryStorage, Passage, Traffic, assemble};
use futures_util::future::LocalBoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;

use self::api::{Api, Outcome, Revision, Site, Version};
pub use self::api::{WikiReply, wiki_host};
use self::articles::{Articles, Question, Read, Said};
use crate::error::SourceError;
use crate::evidence::source::{EvidenceSource, Found, FoundPassage, Query};
use crate::report::{Ambiguous, Listed, Revealed, Reveals, SearchCost, SourceInfo, SourceKind};
use crate::settings::Settings;
use crate::text::pronouns::subject;
use crate::text::titles::{candidates, search_words};

/// The wikis that have a short name.
const WIKIS: [(&str, &str); 2] =
    [("en", "https://en.wikipedia.org/w/api.php"), ("simple", "https://simple.wikipedia.org/w/api.php")];

/// The most articles that a search finds.
const ARTICLES: usize = 3;

/// The most requests for a claim, such as its names, those of its context, and a search. Each claim has one, and takes
/// the others from those that the claims before it have left: n claims have at most n + 2.
const REQUESTS: u32 = 3;

/// The most bytes of a reply.
const LONGEST_REPLY: u64 = 8 << 20;

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
    /// for one address at a time, and follows no redirect to another host.
    ///
    /// # Errors
    /// The reason for having no reply, and what to do, as a clause: "it did not answer within 10 s: try again".
    fn get<'a>(&'a self, address: &'a str, most: u64) -> LocalBoxFuture<'a, Result<WikiReply, String>>;

    /// Makes passages of an article's wikitext.
    fn read(&self, article: &WikiArticle) -> Vec<Passage>;

    /// Waits, for a wiki that asks for that, and tells the reader so.
    fn wait(&self, seconds: u64) -> LocalBoxFuture<'_, ()>;

    /// The time now, in seconds since 1970.
    fn now(&self) -> u64;

    /// What [`Self::keep`] kept under an address, if it still does. A host may keep nothing.
    fn kept<'a>(&'a self, _address: &'a str) -> LocalBoxFuture<'a, Option<Vec<u8>>> {
        Box::pin(ready(None))
    }

    /// Keeps what the wiki said for later answers, under an address of the wiki.
    fn keep(&self, _address: String, _bytes: Vec<u8>) {}
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
    /// Whether it has told its language and licence itself, so that the host need not have kept them.
    is_met: Cell<bool>,
    articles: RefCell<Articles>,
    traffic: Cell<Traffic>,
    /// How many requests are left for the claim.
    allowance: Cell<u32>,
    /// The last failure, and the time at which the wiki may be asked again.
    silent: RefCell<Option<(SourceError, u64)>>,
}

impl<H: WikiHost> WikiSource<H> {
    /// The wiki that `wiki` names, as in [`wiki_address`].
    ///
    /// # Errors
    /// Those of [`wiki_address`].
    pub fn new(host: H, wiki: &str) -> Result<Self, SourceError> {
        let api = Api::at(wiki_address(wiki)?);
        let (site, is_met, articles, traffic, silent) = Default::default();
        Ok(Self { host, api, site, is_met, articles, traffic, allowance: Cell::new(REQUESTS - 1), silent })
    }

    fn unreachable(&self, reason: impl Into<String>) -> SourceError {
        SourceError::Unreachable { name: self.api.host().to_owned(), reason: reason.into() }
    }

    /// The reply to a request; `None` if the claim has had its requests. During the pause after a failure, that
    /// failure.
    async fn ask(&self, address: &str) -> Result<Option<Outcome>, SourceError> {
        if let Some((error, _)) = self.silent.borrow().as_ref().filter(|(_, until)| *until > self.host.now()) {
            return Err(error.clone());
        }
        if self.allowance.get() == 0 {
            return Ok(None);
        }
        let answer = self.answer(address).await;
        self.silent.replace(answer.as_ref().err().map(|error| (error.clone(), self.host.now() + PAUSE)));
        answer.map(Some)
    }

    /// The reply to a request. A wiki that is busy is asked once more when it says.
    async fn answer(&self, address: &str) -> Result<Outcome, SourceError> {
        let mut has_waited = false;
        loop {
            self.allowance.set(self.allowance.get().saturating_sub(1));
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

    /// What the host keeps of the wiki under an address.
    async fn kept<T: DeserializeOwned>(&self, address: &str) -> Option<T> {
        serde_json::from_slice(&self.host.kept(address).await?).ok()
    }

    fn keep(&self, address: String, said: &impl Serialize) {
        if let Ok(bytes) = serde_json::to_vec(said) {
            self.host.keep(address, bytes);
        }
    }

    /// Has the articles with these titles in memory. Of those that the host keeps, the ones on which the wiki gave its
    /// word within the hour are taken as they are, and if only older ones are left it is asked for their revisions
    /// without the texts. Gives the pages that have the titles, in their order.
    async fn read_titled(&self, titles: &[String]) -> Result<Vec<u64>, SourceError> {
        if self.site.borrow().is_none() {
            let kept = self.kept(self.api.address()).await;
            self.site.replace(kept);
        }
        let (mut fresh, mut stale) = (BTreeMap::new(), BTreeMap::new());
        for title in titles {
            let question = Question::Title(title.clone());
            if self.articles.borrow().said(&question).is_none()
                && let Some(said) = self.kept::<Said>(&question.address(&self.api)).await
            {
                let known = if said.is_fresh(self.host.now()) { &mut fresh } else { &mut stale };
                known.insert(question, said);
            }
        }
        if self.site.borrow().is_some() {
            self.recall(fresh).await;
            if self.unanswered(titles).iter().all(|title| stale.contains_key(title)) {
                self.confirm(stale).await?;
            }
        }
        self.fetch(&self.unanswered(titles)).await?;
        let known = self.articles.borrow();
        let said = titles.iter().filter_map(|title| known.said(&Question::Title(title.clone())));
        let mut pages: Vec<u64> = said.flat_map(|said| &said.articles).map(|version| version.page).collect();
        pages.dedup();
        Ok(pages)
    }

    /// The titles among these on which memory has no word of the wiki.
    fn unanswered(&self, titles: &[String]) -> Vec<Question> {
        let known = self.articles.borrow();
        let asked = titles.iter().map(|title| Question::Title(title.clone()));
        asked.filter(|question| known.said(question).is_none()).collect()
    }

    /// Takes what the wiki said before, with the articles that it spoke of, from what the host keeps. A question of
    /// which an article is no longer kept stays open.
    async fn recall(&self, said: BTreeMap<Question, Said>) {
        for (question, before) in &said {
            let mut is_whole = true;
            for &version in &before.articles {
                if self.articles.borrow().version(version.page).is_some() {
                    continue;
                }
                let kept = self.kept::<Revision>(&self.api.revision(version.revision)).await;
                let kept = kept.filter(|kept| kept.is_readable() && kept.version == version);
                is_whole &= kept.is_some();
                if let Some(revision) = kept {
                    let leads = said.iter().filter(|(_, said)| said.articles.contains(&version));
                    let names = leads.filter_map(|(question, _)| question.title()).map(str::to_owned).collect();
                    self.add(revision, names, before.at);
                }
            }
            if is_whole {
                self.articles.borrow_mut().note(question.clone(), before.clone());
            }
        }
    }

    /// Asks which revisions titles have now. Those with the revision that is kept are recalled.
    async fn confirm(&self, stale: BTreeMap<Question, Said>) -> Result<(), SourceError> {
        let titles: Vec<&str> = stale.keys().filter_map(Question::title).collect();
        if titles.is_empty() {
            return Ok(());
        }
        let Some(outcome) = self.ask(&self.api.newest(&titles)).await? else { return Ok(()) };
        let newest = outcome.titles(&titles);
        let at = self.host.now();
        let is_same = |question: &Question, said: &Said| {
            let newest = question.title().and_then(|title| *newest.get(title)?);
            newest.and_then(|page| outcome.version(page)).as_ref() == said.articles.first()
        };
        let same = stale.into_iter().filter(|(question, said)| is_same(question, said));
        let same: BTreeMap<_, _> = same.map(|(question, said)| (question, Said { at, ..said })).collect();
        for (question, said) in &same {
            self.keep(question.address(&self.api), said);
        }
        self.recall(same).await;
        Ok(())
    }

    /// Asks for the articles with titles, and reads them. The first request also asks for the wiki's language and
    /// licence.
    async fn fetch(&self, questions: &[Question]) -> Result<(), SourceError> {
        let titles: Vec<&str> = questions.iter().filter_map(Question::title).collect();
        if titles.is_empty() && self.site.borrow().is_some() {
            return Ok(());
        }
        let is_met = self.is_met.get();
        let Some(outcome) = self.ask(&self.api.articles(&titles, !is_met)).await? else { return Ok(()) };
        if !is_met {
            let site = outcome.site().ok_or_else(|| self.unreachable("it is no MediaWiki: check the address"))?;
            if !site.is_english() {
                let language = &site.language;
                let reason = format!("it is in the language {language}, and the models read English: choose another");
                return Err(self.unreachable(reason));
            }
            self.keep(self.api.address().to_owned(), &site);
            self.site.replace(Some(site));
            self.is_met.set(true);
        }
        let found = outcome.titles(&titles);
        let Versions { read, open } = self.read(outcome.revisions(), &found).await?;
        for (title, page) in found {
            if page.is_none_or(|page| !open.contains(&page)) {
                self.note(Question::Title(title), page.and_then(|page| read.get(&page)).copied());
            }
        }
        Ok(())
    }

    /// Has the articles in memory that a search for words finds.
    async fn search(&self, words: &str) -> Result<(), SourceError> {
        let question = Question::Search(words.to_owned());
        if self.articles.borrow().said(&question).is_none()
            && let Some(said) = self.kept::<Said>(&question.address(&self.api)).await
            && said.is_fresh(self.host.now())
        {
            self.recall([(question.clone(), said)].into()).await;
        }
        if self.articles.borrow().said(&question).is_some() {
            return Ok(());
        }
        let Some(outcome) = self.ask(&self.api.search(words, ARTICLES)).await? else { return Ok(()) };
        let Versions { read, open } = self.read(outcome.revisions(), &BTreeMap::new()).await?;
        if open.is_empty() {
            self.note(question, read.into_values());
        }
        Ok(())
    }

    /// Notes what the wiki has said, and has the host keep it.
    fn note(&self, question: Question, articles: impl IntoIterator<Item = Version>) {
        let said = Said { at: self.host.now(), articles: articles.into_iter().collect() };
        self.keep(question.address(&self.api), &said);
        self.articles.borrow_mut().note(question, said);
    }

    /// Reads articles, except revisions that are in memory. If the newest revision is younger than [`SETTLED`], it
    /// reads the one before. `titles` lead to the articles.
    async fn read(
        &self,
        revisions: Vec<Revision>,
        titles: &BTreeMap<String, Option<u64>>,
    ) -> Result<Versions, SourceError> {
        let settled = api::timestamp(self.host.now().saturating_sub(SETTLED));
        let mut versions = Versions::default();
        for newest in revisions {
            let page = newest.version.page;
            let known = self.articles.borrow().version(page);
            let revision = if newest.timestamp <= settled {
                Some(newest)
            } else if let Some(known) = known {
                versions.read.insert(page, known); // it was the one before within the hour
                continue;
            } else if let Some(outcome) = self.ask(&self.api.revision_before(page, &settled)).await? {
                outcome.revisions().into_iter().next()
            } else {
                versions.open.push(page);
                continue;
            };
            let Some(revision) = revision.filter(|revision| revision.is_readable() && revision.version.page == page)
            else {
                continue;
            };
            versions.read.insert(page, revision.version);
            if known != Some(revision.version) {
                let names = titles.iter().filter(|(_, found)| **found == Some(page)).map(|(title, _)| title.clone());
                self.keep(self.api.revision(revision.version.revision), &revision);
                self.add(revision, names.collect(), self.host.now());
            }
        }
        Ok(versions)
    }

    /// Puts a revision into memory, of which the wiki spoke `at` that time, and whose article has these names too. The
    /// text of a page that lists articles is no evidence.
    fn add(&self, revision: Revision, mut names: Vec<String>, at: u64) {
        let Revision { version, title, timestamp, wikitext, is_list } = revision;
        if is_list || lists::is_list(&wikitext) {
            let listed = lists::listed(&wikitext);
            return self.articles.borrow_mut().add(Read { version, at, title, passages: Vec::new(), listed });
        }
        names.retain(|name| *name != title);
        let id = format!("{}/{}", self.api.host(), version.page);
        let article = WikiArticle { id, title, names, address: self.api.revision(version.revision), wikitext };
        let license = self.site.borrow().as_ref().and_then(|site| site.license.clone());
        let date = timestamp.get(..10).map(str::to_owned);
        let found =
            |passage| FoundPassage { date: date.clone(), license: license.clone(), ..FoundPassage::of(passage) };
        let passages = self.host.read(&article).into_iter().map(found).collect();
        let read = Read { version, at, title: article.title, passages, listed: Vec::new() };
        self.articles.borrow_mut().add(read);
    }
}

/// The revisions of pages.
#[derive(Default)]
struct Versions {
    /// Those that are in memory, by their pages.
    read: BTreeMap<u64, Version>,
    /// The pages of which the claim had no request left to ask.
    open: Vec<u64>,
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

    /// The names whose pages, among these, list several articles.
    fn ambiguous(&self, pages: &[u64]) -> Vec<Ambiguous> {
        let listed = |title: &String| Listed { source: self.api.page(title), title: title.clone() };
        let known = self.articles.borrow();
        let lists = known.lists(pages).map(|list| Ambiguous {
            name: list.title.clone(),
            source: self.api.page(&list.title),
            articles: list.listed.iter().map(listed).collect(),
        });
        lists.collect()
    }

    async fn find_passages(&self, query: &Query<'_>) -> Result<Found, SourceError> {
        self.articles.borrow_mut().forget_stale(self.host.now());
        self.allowance.set(REQUESTS.min(self.allowance.get() + 1));
        let (own, context) = (candidates(query.statement), candidates(query.context));
        let is_about = subject(query.statement).is_some();
        let mut pages = self.read_titled(&own).await?;
        if !is_about || !self.articles.borrow().tell(&pages) {
            pages.extend(self.read_titled(&context).await?);
        }
        let words = search_words(query.statement);
        if !self.articles.borrow().tell(&pages) && !words.is_empty() {
            self.search(&words).await?;
        }
        let ambiguous = self.ambiguous(&pages);
        let Some(index) = self.index().await? else { return Ok(Found { ambiguous, ..Found::default() }) };
        // How rare a word is among the few articles that were read says nothing.
        let found: Found = index.find(&query.words(), query.count, Limits::default()).await?.into();
        let mut found = Found { frequencies: None, ambiguous, ..found };
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
