//! Where statements are judged: by one assessor, one after the other, or by several at once, each in a thread or worker of its own.
//!
//! What is found out about an answer's sentences does not depend on each other, but for one risk flag. So a [`Case`] and the settings
//! are all that judging takes, and both are plain data that can be sent to where another assessor is.

use std::future::{Future, ready};

use evident_index::Hit;
use serde::{Deserialize, Serialize};

use crate::error::VerifyError;
use crate::events::Observer;
use crate::judge::Assessor;
use crate::report::{Risk, SentenceReport, Span};
use crate::settings::Settings;

/// A statement as it is judged: apart from its answer, with what precedes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Apart {
    /// Its sentence's number in the answer, from 0.
    pub number: usize,
    /// Where the sentence stands there.
    pub span: Span,
    /// The sentence without Markdown.
    pub text: String,
    /// What is judged: the text, made to stand alone where the settings say so.
    pub statement: String,
    /// The question and preceding sentences that go with it; "" for none.
    pub context: String,
}

/// A statement and what was found on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The statement.
    pub apart: Apart,
    /// The passages, best first.
    pub hits: Vec<Hit>,
    /// What [`SentenceReport::bm25_bound`] is.
    pub bm25_bound: Option<f32>,
    /// What speaks for a second look at it.
    pub risks: Vec<Risk>,
}

/// A statement, judged, and the milliseconds that each model took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// What was found out.
    pub report: SentenceReport,
    /// Running the NLI model.
    pub nli_ms: f64,
    /// Running the verifier.
    pub verify_ms: f64,
}

/// Judges cases: an [`Assessor`], or what passes them on to one.
pub trait Judge {
    /// Judges a case; the observer is told the stages.
    ///
    /// # Errors
    /// [`VerifyError::Cancelled`] when the observer says so, and whatever keeps the models from working.
    fn judge(
        &self,
        case: Case,
        settings: &Settings,
        observer: &impl Observer,
    ) -> impl Future<Output = Result<Judged, VerifyError>>;
}

/// Those that judge an answer's sentences. Lanes may be added while they do.
pub trait Lanes {
    /// One of them. It is free again when it is dropped.
    type Lane<'a>: Judge
    where
        Self: 'a;

    /// The most that there may ever be.
    fn most(&self) -> usize;

    /// The next that is free. Those who wait are served in the order in which they came.
    fn free(&self) -> impl Future<Output = Self::Lane<'_>>;
}

/// One lane, which never has two users: a verification judges at most [`Lanes::most`] sentences at once.
impl Lanes for Assessor {
    type Lane<'a> = &'a Self;

    fn most(&self) -> usize {
        1
    }

    fn free(&self) -> impl Future<Output = &Self> {
        ready(self)
    }
}

impl<J: Judge> Judge for &J {
    async fn judge(&self, case: Case, settings: &Settings, observer: &impl Observer) -> Result<Judged, VerifyError> {
        (**self).judge(case, settings, observer).await
    }
}
