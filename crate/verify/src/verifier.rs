//! The flow: answer, sentences, evidence, NLI and prompt, verdicts, report.

use std::sync::Arc;

use evident_index::{Found, Hit, Index, Passage, Storage};
use evident_nn::{Calibration, Classifier, Seq2Seq, VerifierCalibration};
use futures_util::stream::{self, StreamExt};

use crate::answer::{AnswerWords, Judgment};
use crate::claim::Reader;
use crate::lanes::{Apart, Case, Judge, Judged, Lanes};
use crate::meta::mean_and_deviation;
use crate::method;
use crate::nli::Classes;
use crate::observer::{Event, Observer, SentenceStart, Stage};
use crate::premise::{Premise, premises, titled};
use crate::prompt::Prompt;
use crate::report::{
    BackendReport, ByWording, Evidence, IndexReport, PackReport, Report, SCHEMA, SentenceReport, Span, Summary,
    Timings, TrafficReport,
};
use crate::retrieve::Retriever;
use crate::risk::{Risk, risks};
use crate::settings::{Facts, Resolver, Settings};
use crate::split::{Split, parts, split};
use crate::verdict::{score, support, weights};
use crate::{Demonstration, Method, Nli, Verdict, VerifyError, Wording};

/// Checks answers with two models over one index.
pub struct Verifier<S> {
    assessor: Arc<Assessor>,
    retriever: Retriever<S>,
    about: About,
}

/// The two models and how their words become a verdict: judges a statement by passages, wherever those are from.
pub struct Assessor {
    seq2seq: Seq2Seq,
    words: AnswerWords,
    nli: Classifier,
    classes: Classes,
    calibration: Calibration,
}

/// What each model alone, and both together, make of one statement: probabilities that it is factual, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// The verifier's calibrated p.
    pub verifier: f64,
    /// What the evidence says together by NLI; 0.5 without evidence.
    pub nli: f64,
    /// The report's score.
    pub both: f64,
}

/// What a report says of the machinery behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// What the models run on.
    pub backend: BackendReport,
    /// Where they come from.
    pub pack: PackReport,
}

/// A retrieved passage and what its most decisive premise says of the statement.
struct Reading {
    hit: Hit,
    premise: Premise,
    nli: Nli,
}

/// What the verifier said, to all wordings that it was asked in, and the passages that it was shown.
struct Asked {
    judgment: Judgment,
    wordings: Vec<ByWording>,
    shown: Vec<usize>,
}

impl<S: Storage> Verifier<S> {
    /// A verifier of these parts, with evidence by BM25 alone.
    ///
    /// # Errors
    /// [`VerifyError::NoAnswerWords`] and [`VerifyError::Labels`] for models that are no verifier and no NLI model.
    pub fn new(
        seq2seq: Seq2Seq,
        nli: Classifier,
        calibration: Calibration,
        index: Index<S>,
        about: About,
    ) -> Result<Self, VerifyError> {
        let assessor = Assessor::new(seq2seq, nli, calibration)?;
        Ok(Self::sharing(assessor.into(), Retriever::new(index, None), about))
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
    /// computed; [`VerifyError::Cancelled`] when the observer says so; and whatever keeps the index or the models from
    /// working.
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
        let before = self.index().traffic();
        let mut timings = Timings::default();
        if found.is_empty() && left_out.is_empty() {
            return Err(VerifyError::EmptyAnswer);
        }
        observer.observe(Event::Sentences { sentences: &found, left_out: &left_out }).await?;

        let found = &found;
        let mut judged = stream::iter(0..found.len())
            .map(async |number| {
                let lane = lanes.free().await;
                let (SentenceStart { span, text, statement }, before) = (&found[number], &found[..number]);
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
            observer.observe(Event::Sentence { index: reports.len(), sentence: &report }).await?;
            reports.push(report);
        }

        timings.total_ms = observer.now() - began;
        let after = self.index().traffic();
        let manifest = self.index().manifest();
        Ok(Report {
            schema: SCHEMA,
            question: question.map(str::to_owned),
            answer: answer.to_owned(),
            summary: summary(&reports),
            sentences: reports,
            left_out,
            backend: self.about.backend.clone(),
            pack: self.about.pack.clone(),
            index: IndexReport { passages: manifest.passages, hash: manifest.checksum.to_string() },
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
        observer.observe(Event::Stage { sentence: apart.number, stage: Stage::Retrieve }).await?;
        let began = observer.now();
        let Apart { number, ref context, ref statement, .. } = apart;
        let found = match settings.evidence {
            0 => Found::default(),
            _ => {
                let ranking = Event::Stage { sentence: number, stage: Stage::Rerank };
                self.retriever.retrieve(context, statement, settings, async || observer.observe(ranking).await).await?
            }
        };
        let Found { hits, frequencies, completeness } = found;
        let risks = risks(statement, Some(&frequencies));
        Ok((Case { apart, hits, bm25_bound: completeness.bound(), risks }, observer.now() - began))
    }
}

impl Assessor {
    /// An assessor of these models.
    ///
    /// # Errors
    /// [`VerifyError::NoAnswerWords`] and [`VerifyError::Labels`] for models that are no verifier and no NLI model.
    pub fn new(seq2seq: Seq2Seq, nli: Classifier, calibration: Calibration) -> Result<Self, VerifyError> {
        let words = AnswerWords::new(seq2seq.tokenizer()).ok_or(VerifyError::NoAnswerWords)?;
        let classes =
            Classes::find(nli.labels()).ok_or_else(|| VerifyError::Labels { labels: nli.labels().to_vec() })?;
        Ok(Self { seq2seq, words, nli, classes, calibration })
    }

    /// The NLI model.
    pub fn nli(&self) -> &Classifier {
        &self.nli
    }

    /// Judges one statement by given passages, best first, in place of a search: `text` as it is, after the last sentences
    /// of `context` (what precedes it in its answer; "" for nothing) and `question`, as many as the settings say. The
    /// passages have no BM25 score, and none counts for more than another by it.
    ///
    /// # Errors
    /// [`VerifyError::Settings`] before anything is computed; [`VerifyError::Cancelled`] when the observer says so; and
    /// whatever keeps the models from working.
    pub async fn assess(
        &self,
        text: &str,
        context: &str,
        question: Option<&str>,
        passages: Vec<Passage>,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<SentenceReport, VerifyError> {
        settings.validate()?;
        let (apart, _) = self.apart(text, context, question, settings).await?;
        let hits = passages.into_iter().map(|passage| Hit { passage, score: 0.0 }).collect();
        let risks = risks(&apart.statement, None);
        Ok(self.judge(Case { apart, hits, bm25_bound: None, risks }, settings, observer).await?.report)
    }

    /// How a statement reads alone: `text` after `context` and `question`, by the settings' resolver, and whether it was the
    /// model that made it so.
    ///
    /// # Errors
    /// Whatever keeps the model from working.
    pub async fn stand_alone(
        &self,
        text: &str,
        context: &str,
        question: Option<&str>,
        settings: &Settings,
    ) -> Result<(String, Resolver), VerifyError> {
        let (apart, by) = self.apart(text, context, question, settings).await?;
        Ok((apart.statement, by))
    }

    /// The atomic facts of a statement as the verifier writes them; `None` where it writes none that is about the statement,
    /// as a model that cannot write does.
    ///
    /// # Errors
    /// Whatever keeps the model from working.
    pub async fn atomic_facts(&self, statement: &str, settings: &Settings) -> Result<Option<Vec<String>>, VerifyError> {
        method::written_facts(&self.seq2seq, statement, settings.max_tokens).await
    }

    /// What NLI says of a statement from each stretch of `window` sentences of each passage, in order; 0 is the whole passage.
    ///
    /// # Errors
    /// Whatever keeps the model from working.
    pub async fn entailments(
        &self,
        statement: &str,
        passages: &[Passage],
        window: usize,
    ) -> Result<Vec<Nli>, VerifyError> {
        let all = |passage| premises(passage, statement, window, usize::MAX);
        let premises: Vec<Premise> = passages.iter().flat_map(all).collect();
        self.triples(premises.iter().map(|premise| (premise.text.as_str(), statement)).collect()).await
    }

    /// The verifier's p after the pack's temperature and bias.
    #[must_use]
    pub fn calibrated(&self, p: f64) -> f64 {
        score(p, 0.5, &Calibration { weight_verifier: 1.0, ..self.calibration.clone() })
    }

    /// What each model alone makes of a statement that this assessor reported on.
    #[must_use]
    pub fn scores(&self, report: &SentenceReport) -> Scores {
        Scores { both: report.score, ..self.scores_at(report, &self.calibration, 1.0) }
    }

    /// As [`Self::scores`], but without the pack's temperatures and bias. Each passage speaks by the window that was chosen
    /// with them.
    #[must_use]
    pub fn scores_before_calibration(&self, report: &SentenceReport) -> Scores {
        let plain = Calibration { verifier: VerifierCalibration::default(), ..self.calibration.clone() };
        self.scores_at(report, &plain, self.calibration.nli.temperature)
    }

    fn scores_at(&self, report: &SentenceReport, calibration: &Calibration, sharpness: f64) -> Scores {
        let bearing = |evidence: &Evidence| (evidence.nli.sharpened(sharpness), evidence.bm25);
        let support = support(&report.evidence.iter().map(bearing).collect::<Vec<_>>());
        let weighed =
            |weight_verifier| score(report.p_factual, support, &Calibration { weight_verifier, ..calibration.clone() });
        Scores { verifier: weighed(1.0), nli: weighed(0.0), both: weighed(calibration.weight_verifier) }
    }

    /// The verdict that a reported statement would have with another score, such as one of [`Self::scores`].
    #[must_use]
    pub fn verdict(&self, report: &SentenceReport, score: f64) -> Verdict {
        let decisive = report.evidence.iter().find(|evidence| evidence.decisive);
        Verdict::of(score, decisive.map_or(Nli::SILENT, |evidence| evidence.nli), &self.calibration)
    }

    /// Sets each passage against the statement and keeps what its most decisive premise says.
    async fn read(&self, hits: Vec<Hit>, statement: &str, settings: &Settings) -> Result<Vec<Reading>, VerifyError> {
        let premises: Vec<Vec<Premise>> =
            hits.iter().map(|hit| premises(&hit.passage, statement, settings.window, settings.windows)).collect();
        let pairs: Vec<(&str, &str)> =
            premises.iter().flatten().map(|premise| (premise.text.as_str(), statement)).collect();
        let mut triples = self.triples(pairs).await?.into_iter();
        let readings = hits.into_iter().zip(premises).filter_map(|(hit, premises)| {
            let each = premises.into_iter().zip(&mut triples);
            let (premise, nli) = each.reduce(|best, next| if next.1.decides_more(&best.1) { next } else { best })?;
            Some(Reading { hit, premise, nli })
        });
        Ok(readings.collect())
    }

    /// What NLI says of each pair of premise and statement.
    async fn triples(&self, pairs: Vec<(&str, &str)>) -> Result<Vec<Nli>, VerifyError> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let temperature = self.calibration.nli.temperature;
        let read = |logits: Vec<f32>| self.classes.read(&logits, temperature);
        let triples = self.nli.logits(&pairs).await?.into_iter().map(read);
        triples.collect::<Option<_>>().ok_or(VerifyError::NotFinite { model: "NLI" })
    }

    /// The statement as the model rewrites it after the question and all sentences `before` it; `None` where that is not asked
    /// for, or came to nothing.
    async fn restated(
        &self,
        text: &str,
        question: Option<&str>,
        before: &[SentenceStart],
        settings: &Settings,
    ) -> Result<Option<String>, VerifyError> {
        if !settings.decontextualise || settings.resolver == Resolver::Rules {
            return Ok(None);
        }
        let context = context(question, before, usize::MAX);
        method::restate(&self.seq2seq, &context, text, settings.max_tokens).await
    }

    /// A statement of no answer, and what made it stand alone.
    async fn apart(
        &self,
        text: &str,
        context: &str,
        question: Option<&str>,
        settings: &Settings,
    ) -> Result<(Apart, Resolver), VerifyError> {
        let apart = Apart::new(text, context, question, settings);
        let before = parts(context, question, settings).sentences;
        Ok(match self.restated(text, question, &before, settings).await? {
            Some(statement) => (Apart { statement, ..apart }, Resolver::Model),
            None => (apart, Resolver::Rules),
        })
    }

    /// Asks the verifier.
    async fn ask(&self, readings: &[Reading], statement: &Apart, settings: &Settings) -> Result<Asked, VerifyError> {
        let mut shown = match settings.facts {
            Facts::Passages => (0..readings.len()).collect(),
            Facts::Windows => most_decisive(readings),
        };
        shown.truncate(settings.max_facts);
        let fact = |&i: &usize| match settings.facts {
            Facts::Passages => titled(&readings[i].hit.passage.title, &readings[i].hit.passage.text),
            Facts::Windows => readings[i].premise.text.clone(),
        };
        let facts: Vec<String> = shown.iter().map(fact).collect();
        let demonstrations = match settings.method {
            Method::ChainOfThought if settings.demonstrations.is_empty() => Demonstration::paper(),
            _ => settings.demonstrations.clone(),
        };
        let mut ask = async |wording| {
            let prompt = Prompt {
                method: settings.method,
                demonstrations: demonstrations.clone(),
                facts: facts.clone(),
                context: statement.context.clone(),
                statement: statement.statement.clone(),
                wording,
            };
            let prompt = prompt.cut(settings.max_tokens, |text| self.seq2seq.tokenizer().count(text))?;
            shown.truncate(prompt.facts.len());
            method::ask(&self.seq2seq, &self.words, &prompt, settings).await
        };
        let mut judgment = ask(settings.wording).await?;
        let mut wordings = Vec::new();
        if settings.every_wording {
            for wording in Wording::ALL {
                let p_factual = if wording == settings.wording { judgment.p } else { ask(wording).await?.p };
                wordings.push(ByWording { wording, p_factual });
            }
            judgment.p = wordings.iter().map(|each| each.p_factual).sum::<f64>() / wordings.len() as f64;
        }
        Ok(Asked { judgment, wordings, shown })
    }
}

impl Judge for Assessor {
    async fn judge(&self, case: Case, settings: &Settings, observer: &impl Observer) -> Result<Judged, VerifyError> {
        let Case { apart, hits, bm25_bound, risks } = case;
        let sentence = apart.number;
        observer.observe(Event::Stage { sentence, stage: Stage::Nli }).await?;
        let began = observer.now();
        let readings = self.read(hits, &apart.statement, settings).await?;
        let nli_ms = observer.now() - began;

        observer.observe(Event::Stage { sentence, stage: Stage::Verify }).await?;
        let began = observer.now();
        let Asked { judgment, wordings, shown } = self.ask(&readings, &apart, settings).await?;
        let verify_ms = observer.now() - began;

        let decisive = most_decisive(&readings).first().copied();
        let decision = decisive.map_or(Nli::SILENT, |i| readings[i].nli);
        let score = score(judgment.p, support(&bearing(&readings)), &self.calibration);
        let report = SentenceReport {
            start: apart.span.start,
            end: apart.span.end,
            text: apart.text,
            statement: apart.statement,
            context: apart.context,
            verdict: Verdict::of(score, decision, &self.calibration),
            score,
            p_factual: judgment.p,
            answered_at: judgment.answered_at,
            spread: spread(&wordings),
            wordings,
            rationale: judgment.rationale,
            nli: Nli::most_entailed(readings.iter().map(|reading| reading.nli)),
            risks,
            bm25_bound,
            evidence: readings
                .into_iter()
                .enumerate()
                .map(|(i, reading)| reading.report(decisive == Some(i), shown.contains(&i)))
                .collect(),
        };
        Ok(Judged { report, nli_ms, verify_ms })
    }
}

/// What is judged of a statement: the text as it stands or, with the setting `decontextualise`, made to stand alone after
/// its `context` and `question`.
#[must_use]
pub fn stand_alone(text: &str, context: &str, question: Option<&str>, settings: &Settings) -> String {
    Apart::new(text, context, question, settings).statement
}

impl Apart {
    /// A statement of no answer.
    fn new(text: &str, context_text: &str, question: Option<&str>, settings: &Settings) -> Self {
        let before = parts(context_text, question, settings).sentences;
        let mut reader = Reader::new(question);
        for sentence in &before {
            reader.read(&sentence.text);
        }
        let statement = if settings.decontextualise { reader.read(text) } else { text.to_owned() };
        let (span, context) = (Span::utf16(text, 0..text.len()), context(question, &before, settings.context));
        Self { number: 0, span, text: text.to_owned(), statement, context }
    }
}

impl Reading {
    fn report(self, decisive: bool, in_prompt: bool) -> Evidence {
        let passage = self.hit.passage;
        Evidence {
            sentence: Span::utf16(&passage.text, self.premise.sentence),
            id: passage.id,
            title: passage.title,
            text: passage.text,
            source: passage.source,
            bm25: self.hit.score,
            nli: self.nli,
            decisive,
            in_prompt,
        }
    }
}

/// The standard deviation of p over the wordings.
fn spread(wordings: &[ByWording]) -> Option<f64> {
    let each: Vec<f64> = wordings.iter().map(|each| each.p_factual).collect();
    mean_and_deviation(&each).map(|(_, deviation)| deviation)
}

/// What each passage says, and its BM25 score.
fn bearing(readings: &[Reading]) -> Vec<(Nli, f32)> {
    readings.iter().map(|reading| (reading.nli, reading.hit.score)).collect()
}

/// The readings' numbers, those with the most weight first; among equals the better by BM25.
fn most_decisive(readings: &[Reading]) -> Vec<usize> {
    let weights = weights(&bearing(readings));
    let mut order: Vec<usize> = (0..readings.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    order
}

/// What goes with a statement: the question and the last `most` of the sentences before it; "" where `most` is 0.
fn context(question: Option<&str>, before: &[SentenceStart], most: usize) -> String {
    if most == 0 {
        return String::new();
    }
    let question = question.map(str::trim).filter(|question| !question.is_empty());
    let preceding = before[before.len().saturating_sub(most)..].iter().map(|sentence| sentence.text.as_str());
    question.into_iter().chain(preceding).collect::<Vec<_>>().join(" ")
}

fn summary(sentences: &[SentenceReport]) -> Summary {
    let count = |verdict| sentences.iter().filter(|sentence| sentence.verdict == verdict).count();
    let scores: Vec<f64> = sentences.iter().filter(|s| s.verdict != Verdict::NoEvidence).map(|s| s.score).collect();
    Summary {
        factual: count(Verdict::Factual),
        unfactual: count(Verdict::Unfactual),
        no_evidence: count(Verdict::NoEvidence),
        score: (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(text: &str) -> SentenceStart {
        SentenceStart { span: Span { start: 0, end: 0 }, text: text.into(), statement: text.into() }
    }

    #[test]
    fn the_context_is_the_question_and_the_sentences_just_before() {
        let before = ["One.", "Two.", "Three."].map(start);
        assert_eq!(context(Some("Why? "), &before, 2), "Why? Two. Three.");
        assert_eq!(context(None, &before, 9), "One. Two. Three.");
        assert_eq!(context(Some("Why?"), &before, 0), "");
        assert_eq!(context(Some(" "), &[], 2), "");
    }

    #[test]
    fn a_statement_apart_is_read_as_in_its_answer() {
        let context = "Hello! Marie Curie was a physicist.";
        let apart = |settings| Apart::new("She won two prizes.", context, Some("Who was she?"), &settings);
        let read = apart(Settings { context: 2, decontextualise: true, ..Settings::default() });
        assert_eq!(read.statement, "Marie Curie won two prizes.");
        assert_eq!(read.context, "Who was she? Marie Curie was a physicist.");
        assert_eq!(read.text, "She won two prizes.");
        let bare = apart(Settings { context: 0, decontextualise: false, ..Settings::default() });
        assert_eq!((bare.statement.as_str(), bare.context.as_str()), ("She won two prizes.", ""));
    }
}
