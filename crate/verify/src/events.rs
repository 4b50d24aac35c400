//! How a caller follows a verification, and stops it.

use serde::Serialize;

use crate::report::{LeftOut, SentenceReport, Span};

/// What has just happened or is about to.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Event<'a> {
    /// The answer was split.
    Sentences {
        /// The sentences that will be judged, in order.
        sentences: &'a [SentenceStart],
        /// Those that will not, for they are no claims.
        #[serde(rename = "leftOut")]
        left_out: &'a [LeftOut],
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
        /// What was found.
        sentence: &'a SentenceReport,
    },
}

/// A sentence that is yet to be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SentenceStart {
    /// Where it stands in the answer.
    #[serde(flatten)]
    pub span: Span,
    /// The sentence without Markdown.
    pub text: String,
    /// The statement that will be judged.
    pub statement: String,
}

/// The stages of one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// Searching the index.
    Retrieve,
    /// Putting what was found in another order, where a model does.
    Rerank,
    /// Running the NLI model.
    Nli,
    /// Running the verifier.
    Verify,
}

/// Follows a verification: a progress bar, a Cancel button, a clock.
pub trait Observer {
    /// Told of each event; of several sentences in turn where they are judged at once. While it is awaited nothing is computed, so
    /// that a page can draw; an error stops the work.
    fn observe(&self, event: Event<'_>) -> impl Future<Output = Result<(), Cancelled>>;

    /// Milliseconds on a clock that never goes back, for the report's timings; where it starts does not matter. (Rust's
    /// own clock does not run in a browser.)
    fn now(&self) -> f64;
}

/// The answer of an [`Observer`] that wants the work stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
