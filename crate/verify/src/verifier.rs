//! The flow: answer, sentences, claims, evidence, verdicts, report.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use evident_index::Traffic;
use futures_util::stream::{self, StreamExt};

use crate::error::{SourceError, VerifyError};
use crate::events::{Observer, VerifyEvent};
use crate::evidence::rerank::Reranker;
use crate::evidence::retrieve::Retriever;
use crate::evidence::source::EvidenceSource;
use crate::input::Input;
use crate::judge::Judge;
use crate::judge::workers::{Case, JudgedCase, Worker, Workers};
use crate::report::{
    BackendReport, Combination, ConsultedSource, Decider, PackReport, Report, RerankReport, Risk, SCHEMA,
    SentenceReport, SourceFailure, SourceInfo, Summary, Timings, TrafficReport, Verdict,
};
use crate::settings::{ScoreBy, Settings};
use crate::text::claim::Claim;
use crate::text::split::{Split, split};

/// Checks answers against an ordered list of sources of evidence.
pub struct Verifier {
    judge: Arc<Judge>,
    retriever: Retriever,
    about: About,
}

/// What a report says of the machinery behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// What the models run on.
    pub backend: BackendReport,
    /// The pack that they are from.
    pub pack: PackReport,
    /// The packs of the deciding models that are from another pack.
    pub models: BTreeMap<Decider, PackReport>,
    /// The pack of the model that marks words in place of the NLI model.
    pub marked_by: Option<PackReport>,
}

/// Loaded models, which any number of verifiers share.
pub struct SharedModels {
    /// Those that judge.
    pub judge: Arc<Judge>,
    /// The one that puts the best passages in order, if there is one.
    pub reranker: Option<Arc<Reranker>>,
    /// The pack that they are from, and what they are computed on.
    pub about: About,
}

impl SharedModels {
    /// What re-ranks; `None` for BM25 alone.
    #[must_use]
    pub fn rerank(&self) -> Option<&RerankReport> {
        self.reranker.as_deref().map(Reranker::report)
    }

    /// A verifier by these models, with evidence from `sources`, which are asked in this order.
    #[must_use]
    pub fn verifier(&self, sources: Vec<Rc<dyn EvidenceSource>>) -> Verifier {
        let retriever = Retriever::new(sources, self.reranker.clone());
        Verifier::new(self.judge.clone(), retriever, self.about.clone())
    }
}

/// A judged claim, with the sources that were asked about it.
struct Judged {
    case: JudgedCase,
    retrieve_ms: f64,
    /// How many of the sources were asked, from the first on.
    asked: usize,
    /// Those that could not be searched, by their numbers.
    failures: Vec<(usize, SourceError)>,
}

impl Verifier {
    /// A verifier whose judge others may share, with evidence from `retriever`.
    pub fn new(judge: Arc<Judge>, retriever: Retriever, about: About) -> Self {
        Self { judge, retriever, about }
    }

    /// What finds evidence.
    pub fn retriever(&self) -> &Retriever {
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
    /// [`VerifyError::EmptyAnswer`], [`VerifyError::AnswerTooLong`], [`VerifyError::QuestionTooLong`] and
    /// [`VerifyError::Settings`] before anything is computed; [`VerifyError::NoVerifier`] if the settings ask a T5 and
    /// there is none; [`VerifyError::Cancelled`] if the observer cancels; the failure of a source if every source that
    /// was asked of a sentence has failed; and any error of the models.
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
        let before: Vec<Traffic> = self.retriever.sources().iter().map(|source| source.traffic()).collect();
        let split = VerifyEvent::Sentences { sentences: &sentences, left_out: &left_out, blocks: &blocks };
        observer.observe(split.into()).await?;

        let sentences = &sentences;
        let mut judged = stream::iter(0..sentences.len())
            .map(async |number| {
                let worker = workers.next().await;
                let claim = self.judge.claim(sentences, number, question, settings).await?;
                self.settle(&worker, claim, settings, observer).await
            })
            .buffered(workers.limit());
        let mut reports: Vec<SentenceReport> = Vec::with_capacity(sentences.len());
        let mut timings = Timings::default();
        let mut consulted = self.consulted(settings);
        while let Some(done) = judged.next().await {
            let Judged { case: JudgedCase { mut report, nli_ms, verify_ms }, retrieve_ms, asked, failures } = done?;
            consulted[..asked].iter_mut().for_each(|source| source.asked += 1);
            failures.iter().for_each(|(number, error)| consulted[*number].fail(error));
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
        for ((consulted, source), before) in consulted.iter_mut().zip(self.retriever.sources()).zip(before) {
            consulted.info = source.info(settings); // an index may have been replaced meanwhile
            consulted.traffic = TrafficReport::between(before, source.traffic());
        }
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
            traffic: TrafficReport::sum(consulted.iter().map(|source| source.traffic)),
            sources: consulted,
            rerank: self.retriever.reranker().cloned(),
            settings: settings.clone(),
            timings,
        })
    }

    /// Judges one claim by what the sources have on it, as [`Self::verify`] judges each sentence of an answer. The
    /// claim's statement and context are used as they are, for example as [`split`](crate::split) gives them.
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
        settings.take_question(claim.question.as_deref())?;
        self.judge.can(settings)?;
        let worker = workers.next().await;
        Ok(self.settle(&worker, claim, settings, observer).await?.case.report)
    }

    /// Makes one statement stand alone by the settings' resolver, and judges it by what the sources have on it. The
    /// arguments are those of [`Judge::assess`].
    ///
    /// # Errors
    /// Those of [`Judge::assess`], and the failure of a source if every source that was asked has failed.
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

    /// Judges a claim by what the sources have on it: by all at once, or by one after the other until there is a
    /// verdict, as the settings say.
    async fn settle(
        &self,
        worker: &impl Worker,
        claim: Claim,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<Judged, VerifyError> {
        let mut search = self.retriever.search(settings);
        let (mut retrieve_ms, mut nli_ms, mut verify_ms) = (0.0, 0.0, 0.0);
        loop {
            let (case, searched_ms) = Case::find(&mut search, claim.clone(), observer).await?;
            let mut case = worker.judge(case, settings, observer).await?;
            retrieve_ms += searched_ms;
            nli_ms += case.nli_ms;
            verify_ms += case.verify_ms;
            if case.report.verdict != Verdict::NoEvidence || search.is_at_its_end() {
                (case.nli_ms, case.verify_ms) = (nli_ms, verify_ms);
                case.report.ambiguous = search.ambiguous();
                let (asked, failures) = (search.asked(), search.failures().to_vec());
                return Ok(Judged { case, retrieve_ms, asked, failures });
            }
        }
    }

    /// The sources, as a report lists them, before anything was asked.
    fn consulted(&self, settings: &Settings) -> Vec<ConsultedSource> {
        let sources = self.retriever.sources().iter();
        sources.map(|source| ConsultedSource::unasked(source.info(settings))).collect()
    }
}

impl ConsultedSource {
    fn unasked(info: SourceInfo) -> Self {
        Self { info, asked: 0, traffic: TrafficReport::default(), failed: None }
    }

    /// Notes that it could not be searched for a sentence.
    fn fail(&mut self, error: &SourceError) {
        let first = || SourceFailure { sentences: 0, code: error.code().to_string(), message: error.to_string() };
        self.failed.get_or_insert_with(first).sentences += 1;
    }
}
