//! How the models judge a statement by passages, wherever those are from.

pub(crate) mod answer_words;
pub(crate) mod demonstrations;
pub(crate) mod methods;
pub(crate) mod opposition;
pub(crate) mod prompt;
pub(crate) mod reading;
pub(crate) mod verdict;
pub(crate) mod workers;
pub(crate) mod writing;

use std::ops::Range;
use std::sync::OnceLock;

use evident_index::{Hit, Passage};
use evident_nn::{Calibration, Device, Pack, Seq2Seq, VerifierCalibration};

use crate::error::VerifyError;
use crate::events::{Observer, Stage, UnjudgedSentence, VerifyEvent};
use crate::evidence::premises::{Premise, premises, with_title};
use crate::judge::answer_words::{AnswerWords, Judgment};
use crate::judge::prompt::Prompt;
use crate::judge::reading::{Reading, bearings, most_decisive, read};
use crate::judge::verdict::{Bearing, Decision, score, support};
use crate::judge::workers::{Apart, Case, Judge, Judged};
use crate::meta::mean_and_deviation;
use crate::models::load::RoleError;
use crate::models::nli::NliModel;
use crate::report::{ByWording, Nli, PartReport, Risk, SentenceReport, Span, Verdict};
use crate::settings::{Demonstration, Facts, Method, Preset, Resolver, ScoreBy, Settings, Wording};
use crate::text::claims::Reader;
use crate::text::parts::fitting_parts;
use crate::text::risks::risks;
use crate::text::split::parts;

/// The NLI model, where it is asked a T5, and how their words become a verdict.
pub struct Assessor {
    nli: NliModel,
    /// The T5, once there is one.
    verifier: OnceLock<T5>,
    calibration: Calibration,
}

/// A T5 that can be asked.
struct T5 {
    model: Seq2Seq,
    words: AnswerWords,
}

/// What each model alone, and both together, make of one statement: probabilities that it is factual, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// The T5's calibrated p; `None` where it was not asked.
    pub verifier: Option<f64>,
    /// What the evidence says together by NLI; 0.5 without evidence.
    pub nli: f64,
    /// The report's score.
    pub both: f64,
}

/// What the T5 said, to all wordings that it was asked in, and what it was shown.
struct Asked {
    judgment: Judgment,
    wordings: Vec<ByWording>,
    /// The numbers of the readings in its prompt.
    shown: Vec<usize>,
    /// The bytes of the statement that its prompt had room for.
    room: usize,
}

/// A part of a statement and what was made of it.
struct JudgedPart {
    /// Its bytes in the statement.
    place: Range<usize>,
    readings: Vec<Reading>,
    score: f64,
    decision: Decision,
}

impl Assessor {
    /// A judge by this NLI model, without a T5.
    #[must_use]
    pub fn new(nli: NliModel, calibration: Calibration) -> Self {
        Self { nli, verifier: OnceLock::new(), calibration }
    }

    /// Loads the NLI model that a pack calls `model`, such as "nli".
    ///
    /// # Errors
    /// Those of [`NliModel::load`].
    pub fn load(pack: &mut Pack, model: &str, device: &Device) -> Result<Self, RoleError> {
        let called = format!("{}/{model}", pack.manifest().name());
        let calibration = pack.manifest().calibration_of(model).clone();
        Ok(Self::new(NliModel::load(pack, model, &called, device)?, calibration))
    }

    /// Gives it a T5 to ask, unless it has one.
    ///
    /// # Errors
    /// [`VerifyError::NoAnswerWords`] for a model that cannot answer.
    pub fn add_verifier(&self, model: Seq2Seq) -> Result<(), VerifyError> {
        let words = AnswerWords::new(model.tokenizer()).ok_or(VerifyError::NoAnswerWords)?;
        self.verifier.get_or_init(|| T5 { model, words });
        Ok(())
    }

    /// Whether it can judge by these settings: where they ask a T5, it has one.
    ///
    /// # Errors
    /// [`VerifyError::NoVerifier`] where it cannot.
    pub fn can(&self, settings: &Settings) -> Result<(), VerifyError> {
        if settings.asks_verifier() { self.verifier().map(drop) } else { Ok(()) }
    }

    fn verifier(&self) -> Result<&T5, VerifyError> {
        self.verifier.get().ok_or(VerifyError::NoVerifier)
    }

    /// The NLI model.
    pub fn nli(&self) -> &NliModel {
        &self.nli
    }

    /// Judges one statement by given passages, best first, in place of a search: `text` as it is, after the last sentences
    /// of `context` (what precedes it in its answer; "" for nothing) and `question`, as many as the settings say. The
    /// passages have no BM25 score, and none counts for more than another by it.
    ///
    /// # Errors
    /// [`VerifyError::Settings`] and [`VerifyError::NoVerifier`] before anything is computed; [`VerifyError::Cancelled`] when
    /// the observer says so; and whatever keeps the models from working.
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
        self.can(settings)?;
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

    /// The atomic facts of a statement as the T5 writes them; `None` where it writes none that is about the statement, as a
    /// model that cannot write does.
    ///
    /// # Errors
    /// [`VerifyError::NoVerifier`], and whatever keeps the model from working.
    pub async fn atomic_facts(&self, statement: &str, settings: &Settings) -> Result<Option<Vec<String>>, VerifyError> {
        writing::facts::written_facts(&self.verifier()?.model, statement, settings.max_tokens).await
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
        let pairs: Vec<_> = premises.iter().map(|premise| (premise.text.as_str(), statement)).collect();
        self.nli.triples(&pairs).await
    }

    /// The T5's p after the pack's temperature and bias.
    #[must_use]
    pub fn calibrated(&self, p: f64) -> f64 {
        score(p, 0.5, &self.weighing(1.0))
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
        let sharpened = |bearing: Bearing| Bearing { nli: bearing.nli.sharpened(sharpness), ..bearing };
        let support = support(&bearings(report).into_iter().map(sharpened).collect::<Vec<_>>());
        let by = |weight_verifier: f64, p| score(p, support, &Calibration { weight_verifier, ..calibration.clone() });
        let both = report.p_factual.map_or(support, |p| by(calibration.weight_verifier, p));
        Scores { verifier: report.p_factual.map(|p| by(1.0, p)), nli: support, both }
    }

    /// The verdict that a reported statement would have with another score, such as one of [`Self::scores`].
    #[must_use]
    pub fn verdict(&self, report: &SentenceReport, score: f64) -> Verdict {
        Decision::of(score, &bearings(report), &self.calibration, true).verdict
    }

    /// This calibration with another weight of the T5.
    fn weighing(&self, weight_verifier: f64) -> Calibration {
        Calibration { weight_verifier, ..self.calibration.clone() }
    }

    /// The weight of the T5 by these settings.
    fn weight(&self, settings: &Settings) -> f64 {
        match settings.score_by {
            ScoreBy::Nli => 0.0,
            ScoreBy::Verifier => 1.0,
            ScoreBy::Both => self.calibration.weight_verifier,
        }
    }

    /// The parts of a statement, each of which leaves a premise half of the NLI model's positions. Most are one.
    fn parts(&self, statement: &str) -> Result<Vec<Range<usize>>, VerifyError> {
        let most = self.nli.classifier().max_tokens() / 2;
        let mut parts = fitting_parts(statement, |part| {
            Ok::<_, VerifyError>(self.nli.classifier().pair_tokens("", part)? <= most)
        })?;
        if parts.is_empty() {
            parts.push(0..statement.len()); // nothing but white space
        }
        Ok(parts)
    }

    /// What becomes of a part of a statement that has been read.
    fn decide(
        &self,
        statement: &str,
        part: Range<usize>,
        readings: Vec<Reading>,
        p: f64,
        settings: &Settings,
    ) -> JudgedPart {
        let said: Vec<Bearing> =
            readings.iter().filter_map(|reading| reading.bearing(&statement[part.clone()])).collect();
        let score = score(p, support(&said), &self.weighing(self.weight(settings)));
        let decision = Decision::of(score, &said, &self.calibration, settings.preset != Preset::Paper);
        JudgedPart { place: part, readings, score, decision }
    }

    /// The statement as the model rewrites it after the question and all sentences `before` it; `None` where that is not asked
    /// for, or came to nothing.
    pub(crate) async fn restated(
        &self,
        text: &str,
        question: Option<&str>,
        before: &[UnjudgedSentence],
        settings: &Settings,
    ) -> Result<Option<String>, VerifyError> {
        if !settings.decontextualise || settings.resolver == Resolver::Rules {
            return Ok(None);
        }
        let context = context(question, before, usize::MAX);
        writing::restate::restate(&self.verifier()?.model, &context, text, settings.max_tokens).await
    }

    /// A statement of no answer, and what made it stand alone.
    pub(crate) async fn apart(
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

    /// Asks the T5.
    async fn ask(&self, readings: &[Reading], statement: &Apart, settings: &Settings) -> Result<Asked, VerifyError> {
        let T5 { model, words } = self.verifier()?;
        let mut shown = match settings.facts {
            Facts::Passages => (0..readings.len()).collect(),
            Facts::Windows => most_decisive(readings, &statement.statement),
        };
        shown.truncate(settings.max_facts);
        let fact = |&i: &usize| match (&readings[i].premise, settings.facts) {
            (Some((premise, _)), Facts::Windows) => premise.text.clone(),
            _ => with_title(&readings[i].hit.passage.title, &readings[i].hit.passage.text),
        };
        let facts: Vec<String> = shown.iter().map(fact).collect();
        let demonstrations = match settings.method {
            Method::ChainOfThought if settings.demonstrations.is_empty() => Demonstration::paper(),
            _ => settings.demonstrations.clone(),
        };
        let mut room = statement.statement.len();
        let mut ask = async |wording| {
            let prompt = Prompt {
                method: settings.method,
                demonstrations: demonstrations.clone(),
                facts: facts.clone(),
                context: statement.context.clone(),
                statement: statement.statement.clone(),
                wording,
            };
            let prompt = prompt.cut(settings.max_tokens, |text| model.tokenizer().count(text))?;
            shown.truncate(prompt.facts.len());
            room = room.min(prompt.statement.len());
            methods::ask(model, words, &prompt, settings).await
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
        Ok(Asked { judgment, wordings, shown, room })
    }
}

impl Judge for Assessor {
    async fn judge(&self, case: Case, settings: &Settings, observer: &impl Observer) -> Result<Judged, VerifyError> {
        let Case { apart, hits, bm25_bound, risks } = case;
        let (sentence, statement) = (apart.number, apart.statement.as_str());
        observer.observe(VerifyEvent::Stage { sentence, stage: Stage::Nli }.into()).await?;
        let began = observer.now();
        let mut parts = Vec::new();
        for part in self.parts(statement)? {
            parts.push((part.clone(), read(&self.nli, &hits, &statement[part], settings).await?));
        }
        let nli_ms = observer.now() - began;

        let began = observer.now();
        let asked = match settings.score_by {
            ScoreBy::Nli => None,
            ScoreBy::Verifier | ScoreBy::Both => {
                observer.observe(VerifyEvent::Stage { sentence, stage: Stage::Verify }.into()).await?;
                Some(self.ask(&parts[0].1, &apart, settings).await?)
            }
        };
        let verify_ms = observer.now() - began;

        let p = asked.as_ref().map_or(0.5, |asked| asked.judgment.p);
        let judged = parts.into_iter().map(|(part, readings)| self.decide(statement, part, readings, p, settings));
        let judged = judged.collect();
        Ok(Judged { report: report(apart, judged, asked, bm25_bound, risks), nli_ms, verify_ms })
    }
}

/// The report on a statement: that of the worst of its parts.
fn report(
    apart: Apart,
    parts: Vec<JudgedPart>,
    asked: Option<Asked>,
    bm25_bound: Option<f32>,
    risks: Vec<Risk>,
) -> SentenceReport {
    let statement = apart.statement.as_str();
    let of_parts = match parts.as_slice() {
        [_] => Vec::new(),
        several => several.iter().map(|part| part.report(statement)).collect(),
    };
    let worst = parts.into_iter().reduce(|worst, next| if next.is_worse_than(&worst) { next } else { worst });
    let JudgedPart { readings, score, decision, .. } = worst.expect("a statement has at least one part");
    let room = asked.as_ref().map_or(statement.len(), |asked| asked.room);
    let unread: Vec<Span> =
        (room < statement.len()).then(|| Span::utf16(statement, room..statement.len())).into_iter().collect();
    let (judgment, wordings, shown) = match asked {
        Some(Asked { judgment, wordings, shown, .. }) => (Some(judgment), wordings, shown),
        None => (None, Vec::new(), Vec::new()),
    };
    SentenceReport {
        start: apart.span.start,
        end: apart.span.end,
        verdict: if unread.is_empty() { decision.verdict } else { Verdict::NoEvidence },
        related: decision.related || !unread.is_empty(),
        score,
        p_factual: judgment.as_ref().map(|judgment| judgment.p),
        answered_at: judgment.as_ref().and_then(|judgment| judgment.answered_at),
        rationale: judgment.and_then(|judgment| judgment.rationale),
        spread: spread(&wordings),
        wordings,
        nli: Nli::most_entailed(readings.iter().filter_map(Reading::nli)),
        parts: of_parts,
        reason: None,
        marks: Vec::new(),
        risks,
        bm25_bound,
        evidence: readings
            .into_iter()
            .enumerate()
            .map(|(i, reading)| reading.report(unread.is_empty() && decision.deciding.contains(&i), shown.contains(&i)))
            .collect(),
        unread,
        text: apart.text,
        context: apart.context,
        statement: apart.statement,
    }
}

impl JudgedPart {
    /// Whether it is worse for a statement than `other`: by its verdict and then by its score.
    fn is_worse_than(&self, other: &Self) -> bool {
        let (bad, worst) = (self.decision.verdict.badness(), other.decision.verdict.badness());
        bad > worst || bad == worst && self.score < other.score
    }

    fn report(&self, statement: &str) -> PartReport {
        PartReport {
            span: Span::utf16(statement, self.place.clone()),
            text: statement[self.place.clone()].to_owned(),
            verdict: self.decision.verdict,
            score: self.score,
        }
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

/// The standard deviation of p over the wordings.
fn spread(wordings: &[ByWording]) -> Option<f64> {
    let each: Vec<f64> = wordings.iter().map(|each| each.p_factual).collect();
    mean_and_deviation(&each).map(|(_, deviation)| deviation)
}

/// What goes with a statement: the question and the last `most` of the sentences before it; "" where `most` is 0.
pub(crate) fn context(question: Option<&str>, before: &[UnjudgedSentence], most: usize) -> String {
    if most == 0 {
        return String::new();
    }
    let question = question.map(str::trim).filter(|question| !question.is_empty());
    let preceding = before[before.len().saturating_sub(most)..].iter().map(|sentence| sentence.text.as_str());
    question.into_iter().chain(preceding).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(text: &str) -> UnjudgedSentence {
        UnjudgedSentence { span: Span { start: 0, end: 0 }, text: text.into(), statement: text.into() }
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
