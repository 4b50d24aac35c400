//! The flow: answer, sentences, claims, evidence, verdicts, report.

use std::collections::BTreeMap;
use std::sync::Arc;

use evident_index::{Index, Storage};
use futures_util::stream::{self, StreamExt};

use crate::error::VerifyError;
use crate::events::{Observer, VerifyEvent};
use crate::evidence::retrieve::Retriever;
use crate::input::Input;
use crate::judge::Judge;
use crate::judge::workers::{Case, JudgedCase, Worker, Workers};
use crate::report::{
    BackendReport, Combination, Decider, IndexReport, PackReport, Report, Risk, SCHEMA, SentenceReport, Summary,
    Timings, TrafficReport, Verdict,
};
use crate::settings::{ScoreBy, Settings};
use crate::text::claim::Claim;
use crate::text::split::{Split, split};

/// Checks answers over one index.
pub struct Verifier<S> {
    judge: Arc<Judge>,
    retriever: Retriever<S>,
    about: About,
}

/// What a report says of the machinery behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// What the models run on.
    pub backend: BackendReport,
    /// The pack that they are from.
    pub pack: PackReport,
    /// The packs of those that are from another.
    pub models: BTreeMap<Decider, PackReport>,
    /// The pack of the model that marks words in place of the NLI model.
    pub marked_by: Option<PackReport>,
}

impl<S: Storage> Verifier<S> {
    /// A verifier whose judge others may share, with evidence from `retriever`.
    pub fn new(judge: Arc<Judge>, retriever: Retriever<S>, about: About) -> Self {
        Self { judge, retriever, about }
    }

    /// The index that evidence comes from.
    pub fn index(&self) -> &Index<S> {
        self.retriever.index()
    }

    /// What finds evidence.
    pub fn retriever(&self) -> &Retriever<S> {
        &self.retriever
    }

    /// The models.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// Judges every sentence of `answer`, what a chatbot said to `question`: Markdown, or an [`Input`] of another kind.
    /// The sentences are judged by `workers`, of which [`Self::judge`] is one; the report is the same for any number of
    /// them, but for its timings.
    ///
    /// # Errors
    /// [`VerifyError::EmptyAnswer`], [`VerifyError::AnswerTooLong`] and [`VerifyError::Settings`] before anything is
    /// computed; [`VerifyError::NoVerifier`] if the settings ask a T5 and there is none; [`VerifyError::Cancelled`] if
    /// the observer cancels; and any error of the index or the models.
    pub async fn verify(
        &self,
        workers: &impl Workers,
        answer: impl Into<Input>,
        question: Option<&str>,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<Report, VerifyError> {
        let began = observer.now();
        let answer = answer.into();
        let text = answer.text().into_owned();
        let Split { sentences, left_out, blocks } = split(answer, question, settings)?;
        self.judge.can(settings)?;
        if sentences.is_empty() && left_out.is_empty() {
            return Err(VerifyError::EmptyAnswer);
        }
        let before = self.index().traffic();
        let split = VerifyEvent::Sentences { sentences: &sentences, left_out: &left_out, blocks: &blocks };
        observer.observe(split.into()).await?;

        let sentences = &sentences;
        let mut judged = stream::iter(0..sentences.len())
            .map(async |number| {
                let worker = workers.next().await;
                let claim = self.judge.claim(sentences, number, question, settings).await?;
                let (case, retrieve_ms) = Case::find(&self.retriever, claim, settings, observer).await?;
                Ok::<_, VerifyError>((worker.judge(case, settings, observer).await?, retrieve_ms))
            })
            .buffered(workers.limit());
        let mut reports: Vec<SentenceReport> = Vec::with_capacity(sentences.len());
        let mut timings = Timings::default();
        while let Some(done) = judged.next().await {
            let (JudgedCase { mut report, nli_ms, verify_ms }, retrieve_ms) = done?;
            timings.retrieve_ms += retrieve_ms;
            timings.nli_ms += nli_ms;
            timings.verify_ms += verify_ms;
            if reports.iter().any(|earlier| earlier.verdict != Verdict::Factual) {
                report.risks.push(Risk::AfterUnfactual);
            }
            report.citations.clone_from(&sentences[reports.len()].citations);
            observer.observe(VerifyEvent::Sentence { index: reports.len(), sentence: &report }.into()).await?;
            reports.push(report);
        }

        let scale = self.judge.scale(settings);
        timings.total_ms = observer.now() - began;
        let after = self.index().traffic();
        Ok(Report {
            schema: SCHEMA,
            question: question.map(str::to_owned),
            answer: text,
            summary: Summary::of(&reports),
            sentences: reports,
            left_out,
            backend: self.about.backend.clone(),
            decided_by: Decider::of(scale.weight),
            combination: (settings.score_by == ScoreBy::Both)
                .then_some(Combination { weight: scale.weight, fitted: scale.fitted }),
            pack: self.about.pack.clone(),
            models: self.about.models.clone(),
            marked_by: self.about.marked_by.clone(),
            index: IndexReport::of(&self.index().manifest()),
            rerank: self.retriever.reranker().cloned(),
            settings: settings.clone(),
            timings,
            traffic: TrafficReport { requests: after.requests - before.requests, bytes: after.bytes - before.bytes },
        })
    }

    /// Judges one claim by what the index has on it, as [`Self::verify`] judges each sentence of an answer: the claim's
    /// statement and context stand as they are, such as [`split`](crate::split) gives them.
    ///
    /// # Errors
    /// Those of [`Self::verify`], but for an answer that is empty or too long.
    pub async fn judge_claim(
        &self,
        workers: &impl Workers,
        claim: Claim,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<SentenceReport, VerifyError> {
        settings.validate()?;
        self.judge.can(settings)?;
        let worker = workers.next().await;
        let (case, _) = Case::find(&self.retriever, claim, settings, observer).await?;
        Ok(worker.judge(case, settings, observer).await?.report)
    }

    /// Judges one statement by what the index has on it, after it was made to stand alone by the settings' resolver. The
    /// arguments are those of [`Judge::assess`].
    ///
    /// # Errors
    /// Those of [`Judge::assess`], and any error of the index.
    pub async fn verify_statement(
        &self,
        text: &str,
        context: &str,
        question: Option<&str>,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<SentenceReport, VerifyError> {
        settings.validate()?;
        self.judge.can(settings)?;
        let (claim, _) = self.judge.claim_of(text, context, question, settings).await?;
        self.judge_claim(self.judge(), claim, settings, observer).await
    }
}
