//! Who judges the sentences of an answer: one judge, one sentence after the other, or several workers at the same time.
//!
//! Sentences are judged independently: a [`Case`] and the settings are enough to judge one anywhere, and both are plain
//! data that can be sent to another thread or worker. One risk flag, `AfterUnfactual`, is added later.

use std::future::Future;

use evident_index::{Hit, SearchResult, Storage};
use serde::{Deserialize, Serialize};

use crate::error::VerifyError;
use crate::events::{Observer, Stage, VerifyEvent};
use crate::evidence::retrieve::Retriever;
use crate::report::{Risk, SentenceReport};
use crate::settings::Settings;
use crate::text::claim::Claim;
use crate::text::risks::risks;

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

impl Case {
    /// A claim with what an index has on it, and the milliseconds that the search took.
    ///
    /// # Errors
    /// [`VerifyError::Cancelled`] if the observer cancels, and any error of the index or of the model that re-ranks.
    pub(crate) async fn find<S: Storage>(
        retriever: &Retriever<S>,
        claim: Claim,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<(Self, f64), VerifyError> {
        observer.observe(VerifyEvent::Stage { sentence: claim.number, stage: Stage::Retrieve }.into()).await?;
        let began = observer.now();
        let Claim { number, ref context, ref statement, .. } = claim;
        let found = match settings.evidence {
            0 => SearchResult::default(),
            _ => {
                let ranking = VerifyEvent::Stage { sentence: number, stage: Stage::Rerank };
                let tell = async || observer.observe(ranking.into()).await;
                retriever.retrieve(context, statement, settings, tell).await?
            }
        };
        let SearchResult { hits, frequencies, completeness } = found;
        let risks = risks(statement, Some(&frequencies));
        Ok((Self { claim, hits, bm25_bound: completeness.bound(), risks }, observer.now() - began))
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
