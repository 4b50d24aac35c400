//! The report of a verification, as the command line and the page's engine return it. `REPORT.md` documents its JSON.

use evident_nn::{Backend, Manifest};
use serde::{Deserialize, Serialize};

use crate::evidence::retrieve::RerankReport;
use crate::judge::prompt::Wording;
use crate::judge::verdict::Verdict;
use crate::models::nli::Nli;
use crate::settings::{ScoreBy, Settings};
use crate::text::claims::Kind;
use crate::text::risks::Risk;

/// The version of the report's JSON.
pub const SCHEMA: u32 = 2;

/// Everything that was found about one answer. All offsets are UTF-16 code units, as JavaScript counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// What the user asked the chatbot.
    pub question: Option<String>,
    /// What the chatbot said.
    pub answer: String,
    /// Its sentences that were judged, in order.
    pub sentences: Vec<SentenceReport>,
    /// Its sentences that were not, for they are no claims, in order.
    pub left_out: Vec<LeftOut>,
    /// How many of each verdict.
    pub summary: Summary,
    /// What computed it.
    pub backend: BackendReport,
    /// The models behind scores and verdicts.
    pub decided_by: Vec<Decider>,
    /// Where they come from.
    pub pack: PackReport,
    /// Over which text.
    pub index: IndexReport,
    /// What put the passages in order after BM25; `None` where nothing did.
    pub rerank: Option<RerankReport>,
    /// The settings in full.
    pub settings: Settings,
    /// Where the time went.
    pub timings: Timings,
    /// What this verification read of the index.
    pub traffic: TrafficReport,
}

/// A model that scores and verdicts are by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Decider {
    /// The NLI model.
    Nli,
    /// The T5.
    Verifier,
}

impl Decider {
    /// The models that a score of these settings is by.
    pub(crate) fn of(settings: &Settings) -> Vec<Self> {
        match settings.score_by {
            ScoreBy::Nli => vec![Self::Nli],
            ScoreBy::Verifier => vec![Self::Verifier],
            ScoreBy::Both => vec![Self::Nli, Self::Verifier],
        }
    }
}

/// A whole answer in five numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Sentences judged factual.
    pub factual: usize,
    /// Sentences judged unfactual.
    pub unfactual: usize,
    /// Sentences with passages for and against them.
    pub mixed: usize,
    /// Sentences that no evidence decides.
    pub no_evidence: usize,
    /// The mean score of the sentences that have a verdict; `None` where none has.
    pub score: Option<f64>,
}

/// One sentence, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentenceReport {
    /// Where it starts in the answer.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The sentence without Markdown.
    pub text: String,
    /// The statement that was judged: the sentence, made to stand alone where the settings say so.
    pub statement: String,
    /// The question and preceding sentences that went with it; "" for none.
    pub context: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether a passage speaks of it, or may, for not all of it was read: tells "undecided" from "not in this index" where there is no verdict.
    pub related: bool,
    /// The calibrated score, 0 to 1, by the models that the settings name.
    pub score: f64,
    /// The T5's probability that it is factual (guan2024, Sec. 4.2); `None` where it was not asked.
    pub p_factual: Option<f64>,
    /// The decoding step, from 0, at which the T5 answered; `None` where it did not, and then p is 0.5.
    pub answered_at: Option<usize>,
    /// p by each wording of the question, of which `p_factual` is the mean; empty unless all were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wordings: Vec<ByWording>,
    /// Their standard deviation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// What the verifier gave as reasons; `None` unless the method asks for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// What NLI says: the triple of the evidence with the most entailment (chen2023, Eq. 1).
    pub nli: Nli,
    /// The parts that a long statement was judged in, in order; the worst of them decides. Empty where it was judged whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartReport>,
    /// The stretches of `statement` that no model read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Span>,
    /// Why it has its verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The words of `statement` that the deciding passage contradicts or lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Span>,
    /// What speaks for a second look at it.
    #[serde(default)]
    pub risks: Vec<Risk>,
    /// Where the search came to its limits: the most BM25 score that a passage can have which it did not find. `None` where
    /// the passages are proved to be BM25's best.
    #[serde(default)]
    pub bm25_bound: Option<f32>,
    /// The passages that were retrieved, best first.
    pub evidence: Vec<Evidence>,
}

/// A part of a statement, judged by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartReport {
    /// Where it stands in the statement.
    #[serde(flatten)]
    pub span: Span,
    /// Its words.
    pub text: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Its score, 0 to 1.
    pub score: f64,
}

/// The words of a statement and of a passage that stand against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The passage's number in the sentence's evidence, from 0.
    pub evidence: usize,
    /// What the statement says: a stretch of `statement`.
    pub said: Span,
    /// What the passage says instead: a stretch of its text.
    pub found: Span,
}

/// What the verifier says to one wording of the question.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ByWording {
    /// The wording.
    pub wording: Wording,
    /// The probability that the sentence is factual.
    pub p_factual: f64,
}

/// One sentence that was not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Where it stands in the answer.
    #[serde(flatten)]
    pub span: Span,
    /// The sentence without Markdown.
    pub text: String,
    /// Why: what it is instead of a claim.
    pub kind: Kind,
}

/// One passage set against one sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The passage's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Where its facts come from.
    pub source: Option<String>,
    /// Its BM25 score for the query made of context and statement.
    pub bm25: f32,
    /// How what was read of it bears on the sentence; `None` where it was not read.
    pub nli: Option<Nli>,
    /// The stretch of `text` that NLI read.
    pub read: Option<Span>,
    /// Of that stretch the sentence that shares most words with the statement.
    pub sentence: Option<Span>,
    /// Whether the verdict rests on it.
    pub decisive: bool,
    /// Whether the verifier was shown it.
    pub in_prompt: bool,
}

/// A stretch of a text, in UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Its first unit.
    pub start: usize,
    /// The unit after its last.
    pub end: usize,
}

impl Span {
    /// The span of `text[bytes]`.
    pub(crate) fn utf16(text: &str, bytes: std::ops::Range<usize>) -> Self {
        let units = |part: &str| part.encode_utf16().count();
        let start = units(&text[..bytes.start]);
        Self { start, end: start + units(&text[bytes]) }
    }

    /// The words of `text` that stand there.
    pub(crate) fn of(self, text: &str) -> String {
        let units: Vec<u16> = text.encode_utf16().skip(self.start).take(self.end.saturating_sub(self.start)).collect();
        String::from_utf16_lossy(&units)
    }
}

/// What computed a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendReport {
    /// The backend.
    pub kind: Backend,
    /// The adapter's name, or the CPU's vector instructions.
    pub name: String,
}

/// Which models a report is by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackReport {
    /// The pack's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The SHA-256 of its manifest.
    pub hash: String,
}

impl PackReport {
    /// What a pack says of itself.
    #[must_use]
    pub fn of(manifest: &Manifest) -> Self {
        Self { name: manifest.name().into(), version: manifest.version().into(), hash: manifest.hash().into() }
    }
}

/// Which index a report's evidence is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexReport {
    /// Its number of passages.
    pub passages: u32,
    /// Its checksum.
    pub hash: String,
}

/// Milliseconds by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Timings {
    /// Searching the index.
    pub retrieve_ms: f64,
    /// Running the NLI model.
    pub nli_ms: f64,
    /// Running the verifier.
    pub verify_ms: f64,
    /// From the call to the report.
    pub total_ms: f64,
}

/// Index files that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrafficReport {
    /// How many.
    pub requests: u64,
    /// Their bytes.
    pub bytes: u64,
}
