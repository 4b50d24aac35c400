//! What a wiki has said of its articles, and those that were read.

use std::collections::BTreeMap;
use std::rc::Rc;

use evident_index::{Index, MemoryStorage};
use serde::{Deserialize, Serialize};

use super::api::{Api, Version};
use crate::evidence::source::FoundPassage;

/// The most articles in memory; after that the first are forgotten. A new article has the index built again, so this
/// also bounds the time for that.
const REMEMBERED: usize = 60;

/// For how many seconds the wiki's word holds. After that it is asked again.
const FRESH: u64 = 60 * 60;

/// What a wiki is asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Question {
    /// The article with this title, or with a redirect of this title.
    Title(String),
    /// The articles with these words.
    Search(String),
}

/// What a wiki has said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Said {
    /// When, in seconds since 1970.
    pub at: u64,
    /// The articles in question; none if there is no such article, or none that can be read.
    pub articles: Vec<Version>,
}

/// An article that was read.
pub(super) struct Read {
    /// Its page and revision.
    pub version: Version,
    /// When the wiki named that revision, in seconds since 1970.
    pub at: u64,
    /// Its title.
    pub title: String,
    /// Its passages; none for a page that lists articles.
    pub passages: Vec<FoundPassage>,
    /// The titles that a page lists.
    pub listed: Vec<String>,
}

/// The articles in memory.
#[derive(Default)]
pub(super) struct Articles {
    said: BTreeMap<Question, Said>,
    /// In the order in which they were read, each page once.
    read: Vec<Read>,
    /// An index of all passages, until an article comes or goes.
    pub index: Option<Rc<Index<MemoryStorage>>>,
}

impl Question {
    pub fn title(&self) -> Option<&str> {
        match self {
            Self::Title(title) => Some(title),
            Self::Search(_) => None,
        }
    }

    /// The address at which a reader would ask it.
    pub fn address(&self, api: &Api) -> String {
        match self {
            Self::Title(title) => api.page(title),
            Self::Search(words) => api.results(words),
        }
    }
}

impl Said {
    /// Whether it still holds.
    pub fn is_fresh(&self, now: u64) -> bool {
        is_fresh(self.at, now)
    }
}

/// A time to come is none that a wiki has spoken at.
fn is_fresh(at: u64, now: u64) -> bool {
    now.checked_sub(at).is_some_and(|age| age < FRESH)
}

impl Articles {
    /// What the wiki has said to a question.
    pub fn said(&self, question: &Question) -> Option<&Said> {
        self.said.get(question)
    }

    /// Notes what the wiki has said, once its articles are there.
    pub fn note(&mut self, question: Question, said: Said) {
        self.said.insert(question, said);
    }

    /// The revision of a page that was read.
    pub fn version(&self, page: u64) -> Option<Version> {
        self.read.iter().map(|read| read.version).find(|version| version.page == page)
    }

    /// Adds an article, in place of another revision of its page.
    pub fn add(&mut self, read: Read) {
        self.index = None;
        self.read.retain(|other| other.version.page != read.version.page);
        self.read.push(read);
        let excess = self.read.len().saturating_sub(REMEMBERED);
        let forgotten: Vec<Version> = self.read.drain(..excess).map(|read| read.version).collect();
        self.said.retain(|_, said| !said.articles.iter().any(|version| forgotten.contains(version)));
    }

    /// Forgets the articles and answers that no longer hold.
    pub fn forget_stale(&mut self, now: u64) {
        let before = self.read.len();
        self.read.retain(|read| is_fresh(read.at, now));
        if self.read.len() < before {
            self.index = None;
        }
        let left: Vec<u64> = self.read.iter().map(|read| read.version.page).collect();
        let is_left = |said: &Said| said.articles.iter().all(|version| left.contains(&version.page));
        self.said.retain(|_, said| said.is_fresh(now) && is_left(said));
    }

    /// Whether one of these pages has a passage.
    pub fn tell(&self, pages: &[u64]) -> bool {
        self.read.iter().any(|read| pages.contains(&read.version.page) && !read.passages.is_empty())
    }

    /// Those of these pages that list articles.
    pub fn lists(&self, pages: &[u64]) -> impl Iterator<Item = &Read> {
        self.read.iter().filter(move |read| pages.contains(&read.version.page) && !read.listed.is_empty())
    }

    /// The passages of all articles.
    pub fn passages(&self) -> impl Iterator<Item = &FoundPassage> {
        self.read.iter().flat_map(|read| &read.passages)
    }
}
