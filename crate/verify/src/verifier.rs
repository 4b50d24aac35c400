//! The flow: answer, sentences, evidence, NLI and prompt, verdicts, report.

use std::sync::Arc;

use evident_index::{Found, Index, Storage};
use futures_util::stream::{self, StreamExt};

use crate::error::VerifyError;
use crate::events::{Observer, Stage, UnjudgedSentence, VerifyEvent};
use crate::evidence::retrieve::Retriever;
use crate::judge::workers::{Apart, Case, Judge, Judged, Lanes};
use crate::judge::{Assessor, context};
use crate::report::{
    BackendReport, Decider, IndexReport, PackReport, Report, Risk, SCHEMA, SentenceReport, Summary, Timings,
    TrafficReport, Verdict,
};
use crate::settings::Settings;
use crate::text::risks::risks;
use crate::text::split::{Split, split};

/// Checks answers over one index.
pub struct Verifier<S> {
    assessor: Arc<Assessor>,
    retriever: Retriever<S>,
    about: About,
}

/// What a report says of the machinery behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// What the models run on.
    pub backend: BackendReport,
    /// Where they come from.
    pub pack: PackReport,
}

impl<S: Storage> Verifier<S> {
    /// A verifier by this judge over this index, with BM25 alone.
    pub fn new(judge: Assessor, index: Index<S>, about: About) -> Self {
        Self::sharing(judge.into(), Retriever::new(index, None), about)
    }

    /// A verifier by models that others use too, one on each thread, with evidence from `retriever`.
    pub fn sharing(assessor: Arc<Assessor>, retriever: Retriever<S>, about: About) -> Self {
        Self { assessor, retriever, about }
    }

    /// The index that evidence comes from.
    pub fn index(&self) -> &Index<S> {
        self.retriever.index()
    }

    /// The models.
    pub fn assessor(&self) -> &Assessor {
        &self.assessor
    }

    /// Judges every sentence of `answer`, what a chatbot said to `question`, one after the other.
    ///
    /// # Errors
    /// [`VerifyError::EmptyAnswer`], [`VerifyError::AnswerTooLong`] and [`VerifyError::Settings`] before anything is
    /// computed; [`VerifyError::NoVerifier`] where the settings ask a T5 and there is none; [`VerifyError::Cancelled`] when
    /// the observer says so; and whatever keeps the index or the models from working.
    pub async fn verify(
        &self,
        answer: &str,
        question: Option<&str>,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<Report, VerifyError> {
        self.verify_on(&*self.assessor, answer, question, settings, observer).await
    }

    /// As [`Self::verify`], with the sentences judged on these lanes. The report is the same, but for its timings.
    ///
    /// # Errors
    /// Those of [`Self::verify`].
    pub async fn verify_on(
        &self,
        lanes: &impl Lanes,
        answer: &str,
        question: Option<&str>,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<Report, VerifyError> {
        let began = observer.now();
        let Split { sentences: found, left_out } = split(answer, question, settings)?;
        self.assessor.can(settings)?;
        let before = self.index().traffic();
        let mut timings = Timings::default();
        if found.is_empty() && left_out.is_empty() {
            return Err(VerifyError::EmptyAnswer);
        }
        observer.observe(VerifyEvent::Sentences { sentences: &found, left_out: &left_out }.into()).await?;

        let found = &found;
        let mut judged = stream::iter(0..found.len())
            .map(async |number| {
                let lane = lanes.free().await;
                let (UnjudgedSentence { span, text, statement }, before) = (&found[number], &found[..number]);
                let restated = self.assessor.restated(text, question, before, settings).await?;
                let statement = restated.unwrap_or_else(|| statement.clone());
                let context = context(question, before, settings.context);
                let apart = Apart { number, span: *span, text: text.clone(), statement, context };
                let (case, retrieve_ms) = self.retrieve(apart, settings, observer).await?;
                Ok::<_, VerifyError>((lane.judge(case, settings, observer).await?, retrieve_ms))
            })
            .buffered(lanes.most());
        let mut reports: Vec<SentenceReport> = Vec::with_capacity(found.len());
        while let Some(done) = judged.next().await {
            let (Judged { mut report, nli_ms, verify_ms }, retrieve_ms) = done?;
            timings.retrieve_ms += retrieve_ms;
            timings.nli_ms += nli_ms;
            timings.verify_ms += verify_ms;
            if reports.iter().any(|earlier| earlier.verdict == Verdict::Unfactual) {
                report.risks.push(Risk::AfterUnfactual);
            }
            observer.observe(VerifyEvent::Sentence { index: reports.len(), sentence: &report }.into()).await?;
            reports.push(report);
        }

        timings.total_ms = observer.now() - began;
        let after = self.index().traffic();
        Ok(Report {
            schema: SCHEMA,
            question: question.map(str::to_owned),
            answer: answer.to_owned(),
            summary: Summary::of(&reports),
            sentences: reports,
            left_out,
            backend: self.about.backend.clone(),
            decided_by: Decider::of(settings),
            pack: self.about.pack.clone(),
            index: IndexReport::of(&self.index().manifest()),
            rerank: self.retriever.reranker().cloned(),
            settings: settings.clone(),
            timings,
            traffic: TrafficReport { requests: after.requests - before.requests, bytes: after.bytes - before.bytes },
        })
    }

    /// Judges one statement by what the index has on it, as [`Self::verify`] judges each sentence; the arguments are
    /// those of [`Assessor::assess`].
    ///
    /// # Errors
    /// Those of [`Assessor::assess`], and whatever keeps the index from working.
    pub async fn verify_statement(
        &self,
        text: &str,
        context: &str,
        question: Option<&str>,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<SentenceReport, VerifyError> {
        settings.validate()?;
        self.assessor.can(settings)?;
        let (apart, _) = self.assessor.apart(text, context, question, settings).await?;
        let (case, _) = self.retrieve(apart, settings, observer).await?;
        Ok(self.assessor.judge(case, settings, observer).await?.report)
    }

    /// The statement with the passages that the index has on it, and the milliseconds that took.
    async fn retrieve(
        &self,
        apart: Apart,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<(Case, f64), VerifyError> {
        observer.observe(VerifyEvent::Stage { sentence: apart.number, stage: Stage::Retrieve }.into()).await?;
        let began = observer.now();
        let Apart { number, ref context, ref statement, .. } = apart;
        let found = match settings.evidence {
            0 => Found::default(),
            _ => {
                let ranking = VerifyEvent::Stage { sentence: number, stage: Stage::Rerank };
                self.retriever
                    .retrieve(context, statement, settings, async || observer.observe(ranking.into()).await)
                    .await?
            }
        };
        let Found { hits, frequencies, completeness } = found;
        let risks = risks(statement, Some(&frequencies));
        Ok((Case { apart, hits, bm25_bound: completeness.bound(), risks }, observer.now() - began))
    }
}
