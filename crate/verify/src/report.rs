//! The report of a verification, as the command line and the page's engine return it. `REPORT.md` documents its JSON.

use evident_nn::{Backend, Manifest};
use serde::{Deserialize, Serialize};

use crate::{Kind, Nli, RerankReport, Risk, Settings, Verdict, Wording};

/// The version of the report's JSON.
pub const SCHEMA: u32 = 1;

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
    /// Which models.
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

/// A whole answer in four numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Sentences judged factual.
    pub factual: usize,
    /// Sentences judged unfactual.
    pub unfactual: usize,
    /// Sentences without evidence.
    pub no_evidence: usize,
    /// The mean score of the sentences that have evidence; `None` where none has.
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
    /// The calibrated score of both models together, 0 to 1.
    pub score: f64,
    /// The verifier's probability that it is factual (guan2024, Sec. 4.2).
    pub p_factual: f64,
    /// The decoding step, from 0, at which the verifier answered; `None` where it did not, and then p is 0.5.
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
    /// How its most decisive part bears on the sentence.
    pub nli: Nli,
    /// The sentence of `text` that decides.
    pub sentence: Span,
    /// Whether it is the most decisive of all.
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
