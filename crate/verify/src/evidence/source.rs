//! The interface of a source of evidence: anything that finds passages for a claim.
//!
//! A source may be an index on a static host, a reader's own files, a page that an answer cites, passages that a caller
//! gives, or something that asks the network about each claim by itself. The [`Retriever`] asks sources in order and
//! makes one ranking of what they find; the code that judges does not depend on the kind of source.
//!
//! [`Retriever`]: crate::evidence::retrieve::Retriever

use std::collections::BTreeMap;

use evident_index::{Passage, SearchResult, Traffic};
use futures_util::future::LocalBoxFuture;
use serde::{Deserialize, Serialize};

use crate::error::SourceError;
use crate::report::{Ambiguous, SourceInfo};
use crate::settings::Settings;
use crate::text::quantities::with_named_units;

/// What finds passages for a claim.
///
/// ```
/// use evident_index::Passage;
/// use evident_verify::{
///     EvidenceSource, Found, FoundPassage, LocalBoxFuture, Query, SearchCost, Settings, SourceError, SourceInfo,
///     SourceKind,
/// };
///
/// /// Finds one passage, whatever is asked.
/// struct Almanac;
///
/// impl EvidenceSource for Almanac {
///     fn info(&self, _: &Settings) -> SourceInfo {
///         SourceInfo { license: Some("CC0-1.0".into()), ..SourceInfo::new(SourceKind::Live, "almanac") }
///     }
///
///     fn find<'a>(&'a self, _: &'a Query<'a>) -> LocalBoxFuture<'a, Result<Found, SourceError>> {
///         let text = "The Sun rose at 4:43 on 21 June.".to_owned();
///         let passage = Passage { id: "1".into(), title: "Sunrise".into(), text, ..Passage::default() };
///         Box::pin(async { Ok(Found { passages: vec![FoundPassage::of(passage)], ..Found::default() }) })
///     }
/// }
///
/// assert_eq!(Almanac.info(&Settings::default()).cost, SearchCost::default());
/// ```
pub trait EvidenceSource {
    /// What it is, and what a search by these settings may cost and reveals. A host can show this before anything is
    /// asked.
    fn info(&self, settings: &Settings) -> SourceInfo;

    /// The passages about a claim, best first. A search is cancelled by dropping the future, at any point at which it
    /// waits; the next search must then work.
    ///
    /// # Errors
    /// [`SourceError`] says why it could not be searched; to find nothing is no error.
    fn find<'a>(&'a self, query: &'a Query<'a>) -> LocalBoxFuture<'a, Result<Found, SourceError>>;

    /// What it has read since it was opened.
    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}

/// What a source is asked.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The question and the sentences before the claim; "" for none.
    pub context: &'a str,
    /// The claim, as a statement that stands alone.
    pub statement: &'a str,
    /// The most passages that are wanted.
    pub count: usize,
    /// The settings of the verification.
    pub settings: &'a Settings,
}

impl Query<'_> {
    /// Context and statement as one query of words (guan2024, Sec. 4), with the statement as often as the settings say.
    /// Its units are named: the letter of a sign is no name.
    #[must_use]
    pub fn words(&self) -> String {
        self.with(&with_named_units(self.statement), self.settings.statement_weight)
    }

    /// The statement alone as a query of words.
    pub(crate) fn alone(&self) -> String {
        with_named_units(self.statement).into_owned()
    }

    /// Context and statement as a text that a model reads, which has the statement once.
    pub(crate) fn text(&self) -> String {
        self.with(self.statement, 1)
    }

    /// The context, and after it a statement so many times; without a context, once.
    fn with(&self, statement: &str, times: usize) -> String {
        match self.context {
            "" => statement.to_owned(),
            context => format!("{context}{}", format!(" {statement}").repeat(times)),
        }
    }
}

/// What a source has found for a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The passages, best first.
    pub passages: Vec<FoundPassage>,
    /// The words of the query, each with the share of the source's passages that contain it; `None` if it counts no
    /// words. They are not serialised: what is found elsewhere has no such counts.
    #[serde(skip)]
    pub frequencies: Option<BTreeMap<String, f64>>,
    /// The sum of the weights of the query's words, the most that these can add to a score: it puts scores of two
    /// sources on one scale. `None` if the passages have no scores; each then counts as relevant as the best of the
    /// other sources.
    pub ceiling: Option<f32>,
    /// An upper bound on the score of any passage that was missed; `None` if none was.
    pub bound: Option<f32>,
    /// Names in the claim that stand for several articles of the source, which found nothing by them.
    #[serde(default)]
    pub ambiguous: Vec<Ambiguous>,
}

/// A passage that a source has found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundPassage {
    /// The passage. Its `source` is its own address, if it has one.
    pub passage: Passage,
    /// Its BM25 score for the query, in which names count as terms too; 0 if it has none.
    pub score: f32,
    /// The number of its source among those of the verifier, from 0; `None` if it is from none of them, and until the
    /// retriever sets it.
    #[serde(default)]
    pub from: Option<usize>,
    /// Its date, as YYYY-MM-DD, if it has one of its own.
    #[serde(default)]
    pub date: Option<String>,
    /// Its licence, if it has one of its own.
    #[serde(default)]
    pub license: Option<String>,
}

impl FoundPassage {
    /// A passage without a score, of which nothing more is known.
    #[must_use]
    pub fn of(passage: Passage) -> Self {
        Self { passage, ..Self::default() }
    }
}

impl From<SearchResult> for Found {
    /// What an index has found.
    fn from(SearchResult { hits, frequencies, ceiling, completeness }: SearchResult) -> Self {
        let passages = hits.into_iter().map(|hit| FoundPassage { score: hit.score, ..FoundPassage::of(hit.passage) });
        Self {
            passages: passages.collect(),
            frequencies: Some(frequencies),
            ceiling: Some(ceiling),
            bound: completeness.bound(),
            ambiguous: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_weighs_more_than_its_context_and_stands_alone_once() {
        let settings = Settings { statement_weight: 2, ..Settings::default() };
        let query = |context| Query { context, statement: "It rusts.", count: 1, settings: &settings };
        assert_eq!(query("Why?").words(), "Why? It rusts. It rusts.");
        assert_eq!(query("Why?").text(), "Why? It rusts.");
        assert_eq!(query("").words(), "It rusts.");
    }
}
