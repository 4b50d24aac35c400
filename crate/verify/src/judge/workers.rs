//! Who judges the sentences of an answer: one judge, one sentence after the other, or several workers at the same time.
//!
//! Sentences are judged independently: a [`Case`] and the settings are enough to judge one anywhere, and both are plain
//! data that can be sent to another thread or worker. One risk flag, `AfterUnfactual`, is added later.

use std::future::Future;

use evident_index::Hit;
use serde::{Deserialize, Serialize};

use crate::error::VerifyError;
use crate::events::Observer;
use crate::report::{Risk, SentenceReport};
use crate::settings::Settings;
use crate::text::claim::Claim;

/// A claim and what the index has on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The claim.
    pub claim: Claim,
    /// The passages, best first.
    pub hits: Vec<Hit>,
    /// See [`SentenceReport::bm25_bound`].
    pub bm25_bound: Option<f32>,
    /// Reasons for a second look at it.
    pub risks: Vec<Risk>,
}

/// A judged claim, and the time that each model took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedCase {
    /// The report on it.
    pub report: SentenceReport,
    /// Milliseconds in the NLI model.
    pub nli_ms: f64,
    /// Milliseconds in the T5.
    pub verify_ms: f64,
}

/// Judges cases: a [`Judge`](crate::judge::Judge), or something that passes them on to one.
pub trait Worker {
    /// Judges a case, and tells the observer each stage.
    ///
    /// # Errors
    /// [`VerifyError::Cancelled`] if the observer cancels, and any error of the models.
    fn judge(
        &self,
        case: Case,
        settings: &Settings,
        observer: &impl Observer,
    ) -> impl Future<Output = Result<JudgedCase, VerifyError>>;
}

/// The workers that judge an answer's sentences. More may be added while they work.
pub trait Workers {
    /// One of them, in use until it is dropped.
    type Worker<'a>: Worker
    where
        Self: 'a;

    /// The most workers that there may ever be.
    fn limit(&self) -> usize;

    /// Waits for the next free worker. Who waits longest is served first.
    fn next(&self) -> impl Future<Output = Self::Worker<'_>>;
}

impl<W: Worker> Worker for &W {
    async fn judge(
        &self,
        case: Case,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<JudgedCase, VerifyError> {
        (**self).judge(case, settings, observer).await
    }
}
