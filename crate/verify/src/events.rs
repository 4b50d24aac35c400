//! How a caller follows a verification or a scoring, and stops it.

use std::future::{Future, pending};

use serde::Serialize;

use crate::error::Cancelled;
use crate::report::{LeftOut, SentenceReport, SourceReport, UnjudgedSentence};
use crate::text::markup::Markup;

/// What has just happened, or is about to. In JSON it is the inner event.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum Event<'a> {
    /// In a verification.
    Verify(VerifyEvent<'a>),
    /// In a scoring by CONNER.
    Score(ScoreStep),
}

/// An event of a verification.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "JudgingEvent"))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum VerifyEvent<'a> {
    /// The answer was split into sentences.
    Sentences {
        /// The sentences that will be judged, in order.
        sentences: &'a [UnjudgedSentence],
        /// The sentences that are no claims and will not be judged, in order.
        #[serde(rename = "leftOut")]
        left_out: &'a [LeftOut],
        /// The answer, block by block.
        blocks: &'a [Markup],
    },
    /// A stage of one sentence begins.
    Stage {
        /// The sentence's number, from 0.
        sentence: usize,
        /// The stage.
        stage: Stage,
    },
    /// A sentence is done.
    Sentence {
        /// Its number, from 0.
        index: usize,
        /// Its report.
        sentence: &'a SentenceReport,
    },
    /// A sentence was compared with a page that it cites.
    Source {
        /// The sentence's number, from 0.
        index: usize,
        /// What the page says of it.
        source: &'a SourceReport,
    },
}

/// The stages of judging one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// Searching the index.
    Retrieve,
    /// Re-ranking what was found, if there is a model for it.
    Rerank,
    /// Running the NLI model.
    Nli,
    /// Running the T5.
    Verify,
}

/// A step of a scoring that is about to begin. A score of several steps sends an event for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScoreStep {
    /// The score's name in JSON, such as "relevance".
    #[serde(rename = "step")]
    pub score: &'static str,
    /// The sentence that the step is about; `None` if it is about the whole text.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub sentence: Option<SentenceNumber>,
}

/// One sentence of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SentenceNumber {
    /// Its number, from 0.
    pub sentence: usize,
    /// The number of sentences.
    pub of: usize,
}

/// Follows the work: a progress bar, a Cancel button, a clock. `()` watches nothing and never cancels.
pub trait Observer {
    /// Receives each event. Sentences that are judged at the same time send theirs in turn. Nothing is computed while
    /// this is awaited, so a page can draw. An error stops the work.
    fn observe(&self, event: Event<'_>) -> impl Future<Output = Result<(), Cancelled>>;

    /// Resolves when the work is to stop: a search that waits, such as for the network, is then dropped. By default it
    /// never resolves, and only an error of [`Self::observe`] stops the work.
    fn cancelled(&self) -> impl Future<Output = Cancelled> {
        pending()
    }

    /// Milliseconds on a clock that never goes back, from any start; a report's timings are differences of it. (Rust's
    /// own clock does not run in a browser.)
    fn now(&self) -> f64;
}

impl Observer for () {
    async fn observe(&self, _: Event<'_>) -> Result<(), Cancelled> {
        Ok(())
    }

    fn now(&self) -> f64 {
        0.0
    }
}

impl<'a> From<VerifyEvent<'a>> for Event<'a> {
    fn from(event: VerifyEvent<'a>) -> Self {
        Self::Verify(event)
    }
}

impl From<ScoreStep> for Event<'_> {
    fn from(step: ScoreStep) -> Self {
        Self::Score(step)
    }
}
