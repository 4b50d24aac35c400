//! Who judges the sentences of an answer: one judge, one sentence after the other, or several workers at the same time.
//!
//! Sentences are judged independently: a [`Case`] and the settings are enough to judge one anywhere, and both are plain
//! data that can be sent to another thread or worker. One risk flag, `AfterUnfactual`, is added later.

use std::future::Future;
use std::pin::pin;

use futures_util::future::{Either, select};
use serde::{Deserialize, Serialize};

use crate::error::VerifyError;
use crate::events::{Observer, Stage, VerifyEvent};
use crate::evidence::merge::Merged;
use crate::evidence::retrieve::EvidenceSearch;
use crate::evidence::source::FoundPassage;
use crate::report::{Risk, SentenceReport};
use crate::settings::Settings;
use crate::text::claim::Claim;
use crate::text::risks::risks;

/// A claim and what sources have on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The claim.
    pub claim: Claim,
    /// The passages, best first.
    pub hits: Vec<FoundPassage>,
    /// See [`SentenceReport::bm25_bound`].
    pub bm25_bound: Option<f32>,
    /// Reasons for a second look at it.
    pub risks: Vec<Risk>,
}

impl Case {
    /// A claim with the passages of the sources that a search asks next, and of those that it asked before; and the
    /// milliseconds that this took.
    ///
    /// # Errors
    /// [`VerifyError::Cancelled`] if the observer cancels, and those of [`EvidenceSearch::ask`].
    pub(crate) async fn find(
        search: &mut EvidenceSearch<'_>,
        claim: Claim,
        observer: &impl Observer,
    ) -> Result<(Self, f64), VerifyError> {
        let stage = |stage| VerifyEvent::Stage { sentence: claim.number, stage };
        observer.observe(stage(Stage::Retrieve).into()).await?;
        let began = observer.now();
        let ranking = async || observer.observe(stage(Stage::Rerank).into()).await;
        let asked = search.ask(&claim.context, &claim.statement, ranking);
        let Merged { passages, frequencies, bound } = match select(pin!(asked), pin!(observer.cancelled())).await {
            Either::Left((found, _)) => found?,
            Either::Right((cancelled, _)) => return Err(cancelled.into()),
        };
        let risks = risks(&claim.statement, frequencies.as_ref());
        Ok((Self { claim, hits: passages, bm25_bound: bound, risks }, observer.now() - began))
    }
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

    /// Waits for the next free worker. The caller that has waited longest is served first.
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
