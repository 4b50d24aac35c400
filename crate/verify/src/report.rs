//! The report of a verification: the data that the command line and the page's engine return. REPORT.md documents its
//! JSON.

use std::collections::BTreeMap;
use std::ops::Range;

use evident_index::{Manifest as IndexManifest, Traffic};
use evident_nn::{Backend, Manifest as PackManifest};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::settings::{Settings, Wording};

/// The version of the report's JSON.
pub const SCHEMA: u32 = 3;

/// Everything that was found about one answer. All offsets are UTF-16 code units, as JavaScript counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The version of this format. Another is refused.
    #[cfg_attr(feature = "types", ts(type = "3"))]
    #[serde(deserialize_with = "this_schema")]
    pub schema: u32,
    /// What the user asked the chatbot.
    pub question: Option<String>,
    /// What the chatbot said.
    pub answer: String,
    /// The sentences that were judged, in order.
    pub sentences: Vec<SentenceReport>,
    /// The sentences that were not judged because they are no claims, in order.
    pub left_out: Vec<LeftOut>,
    /// The number of sentences with each verdict.
    pub summary: Summary,
    /// What the models ran on.
    pub backend: BackendReport,
    /// The models that scores and verdicts come from.
    pub decided_by: Vec<Decider>,
    /// How both models make one score; only with `scoreBy` "both".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combination: Option<Combination>,
    /// The pack of these models.
    pub pack: PackReport,
    /// The packs of the deciding models that are from another pack.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<Decider, PackReport>,
    /// The pack of the model that marked words in place of the NLI model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked_by: Option<PackReport>,
    /// The sources of evidence, in the order in which they are asked: a passage's `from` is a number in this list.
    pub sources: Vec<ConsultedSource>,
    /// What re-ranked the passages after BM25; `None` if nothing did.
    pub rerank: Option<RerankReport>,
    /// The settings in full.
    pub settings: Settings,
    /// The time that each stage took.
    pub timings: Timings,
    /// What this verification read of all sources.
    pub traffic: TrafficReport,
}

/// Refuses the reports of other versions, and says so.
fn this_schema<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        SCHEMA => Ok(SCHEMA),
        found => Err(D::Error::custom(format!(
            "this report has schema {found}, and this version reads schema {SCHEMA}: check the answer again"
        ))),
    }
}

/// A source of evidence, and how a verification used it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConsultedSource {
    /// What it is.
    #[serde(flatten)]
    pub info: SourceInfo,
    /// The number of sentences that it was asked about.
    pub asked: usize,
    /// What was read from it.
    pub traffic: TrafficReport,
    /// Why it could not be searched; `None` if it could be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<SourceFailure>,
}

/// What a source of evidence is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SourceInfo {
    /// Its kind.
    pub kind: SourceKind,
    /// Its name, for people.
    pub name: String,
    /// Its address; `None` if it has none, such as a folder or a reader's own files.
    pub address: Option<String>,
    /// The checksum of all that it holds; `None` if it has none.
    pub hash: Option<String>,
    /// Its date, as YYYY-MM-DD; `None` if it does not say.
    pub date: Option<String>,
    /// Its licence; `None` if it does not say. A passage may have one of its own.
    pub license: Option<String>,
    /// Its number of passages; `None` if that is not known.
    pub passages: Option<u32>,
    /// What a search for one claim may cost.
    pub cost: SearchCost,
    /// What a search reveals about the claim, and to whom; `None` if nothing.
    pub reveals: Option<Reveals>,
}

/// The kinds of sources of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum SourceKind {
    /// An index that was built before, on a static host or in a folder.
    Index,
    /// A reader's own files.
    Files,
    /// A page that the answer cites.
    Page,
    /// Passages that the caller gave.
    Given,
    /// Something that asks the network about each claim.
    Live,
}

/// The most that a search for one claim costs; `None` where there is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SearchCost {
    /// Bytes that are read.
    pub bytes: Option<u64>,
    /// Round trips of concurrent requests.
    pub trips: Option<u32>,
}

/// What a search reveals about a claim, and to whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Reveals {
    /// The address to which it is revealed.
    pub to: String,
    /// What is revealed.
    pub what: Revealed,
}

/// What a search reveals about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Revealed {
    /// Which parts of which files are read. These depend on the claim's words, which can therefore be guessed.
    Files,
    /// Words of the claim.
    Claim,
}

/// A source that could not be searched: how often, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SourceFailure {
    /// The number of sentences for which it could not be searched.
    pub sentences: usize,
    /// The stable name of the first error, such as "network".
    pub code: String,
    /// Its message.
    pub message: String,
}

/// A model that scores and verdicts come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Decider {
    /// The NLI model.
    Nli,
    /// The T5.
    Verifier,
}

/// How the T5's p and the support of the passages by NLI make one score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Combination {
    /// The T5's share, w.
    pub weight: f64,
    /// Whether the weight was fitted and is from the pack; otherwise it is one half.
    pub fitted: bool,
}

/// The verdicts of a whole answer, counted, with its score and coverage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The number of sentences that are surely factual.
    pub factual: usize,
    /// The number of sentences that are surely unfactual.
    pub unfactual: usize,
    /// The number of sentences that are likely factual.
    #[serde(default)]
    pub likely_factual: usize,
    /// The number of sentences that are likely unfactual.
    #[serde(default)]
    pub likely_unfactual: usize,
    /// The number of sentences with passages for and against them.
    pub mixed: usize,
    /// The number of sentences that no evidence decides.
    pub no_evidence: usize,
    /// The mean score of all judged sentences, including those without a verdict; `None` if there are none.
    ///
    /// It is the better of guan2024's two scores of a paragraph (Tab. 7, Para B: "averaging sentence-level scores"), in
    /// which every sentence counts. The released code judges single statements and has no such step.
    pub score: Option<f64>,
    /// The share of the sentences that have another verdict than no evidence, 0 to 1; `None` if there are none.
    #[serde(default)]
    pub coverage: Option<f64>,
}

/// A sentence that will be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Sentence"))]
pub struct UnjudgedSentence {
    /// Its place in the answer.
    #[serde(flatten)]
    pub span: Span,
    /// The sentence without Markdown.
    pub text: String,
    /// The statement that will be judged: the sentence, with its pronouns resolved by rule if the settings ask for
    /// that.
    pub statement: String,
    /// The question and the sentences before it that go with the statement, joined by spaces; "" for none.
    pub context: String,
    /// What it cites, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
}

/// One sentence, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SentenceReport {
    /// Its start in the answer.
    pub start: usize,
    /// Its end in the answer.
    pub end: usize,
    /// The sentence without Markdown.
    pub text: String,
    /// The statement that was judged: the sentence, made to stand alone if the settings ask for that.
    pub statement: String,
    /// The question and preceding sentences that went with it; "" for none.
    pub context: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How sure the verdict is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Whether a passage is about it, or could be, because a part of the statement was not read. For a sentence without
    /// a verdict this distinguishes "undecided" from "not in this index".
    pub related: bool,
    /// The score, 0 to 1, from the models that the settings name, calibrated as they say.
    pub score: f64,
    /// The T5's probability that it is factual (guan2024, Sec. 4.2); `None` if the T5 was not asked.
    pub p_factual: Option<f64>,
    /// The decoding step, from 0, at which the T5 answered the wording of the settings, or else the first wording that
    /// it answered; `None` if it answered none, and then p is 0.5.
    pub answered_at: Option<usize>,
    /// p by each wording of the question, if all were asked; `p_factual` is their mean.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wordings: Vec<ByWording>,
    /// The standard deviation of p over the wordings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// The reasons that the T5 gave, if the method asks for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// The triple of the passage with the most entailment (chen2023, Eq. 1).
    pub nli: Nli,
    /// The parts, in order, of a compound statement, which was judged as a whole too, or of one that is too long to be
    /// read at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartReport>,
    /// The stretches of `statement` that no model read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Span>,
    /// The reason for the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The words of `statement` that the deciding passage contradicts or lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Span>,
    /// Reasons for a second look at it.
    #[serde(default)]
    pub risks: Vec<Risk>,
    /// An upper bound on the BM25 score of any passage that the search missed; `None` if it proved that it missed none.
    #[serde(default)]
    pub bm25_bound: Option<f32>,
    /// The passages that were retrieved, best first.
    pub evidence: Vec<Evidence>,
    /// The names in it that stand for several articles of a wiki, which the verdict does not rest on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ambiguous: Vec<Ambiguous>,
    /// What it cites, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// What each page that it cites says of it: each address once, in order. Empty until the pages are checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    // In a browser the page's own script keeps these, so the WebAssembly module does not need the code to read them.
    #[cfg_attr(target_family = "wasm", serde(skip))]
    pub sources: Vec<SourceReport>,
}

/// A name that stands for several articles of a wiki.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Ambiguous {
    /// The name.
    pub name: String,
    /// The address of the page that lists the articles.
    pub source: String,
    /// The first of them.
    pub articles: Vec<Listed>,
}

/// An article that a page lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Listed {
    /// Its title.
    pub title: String,
    /// Its address.
    pub source: String,
}

/// A mark by which a sentence names its source: a link, the number of a footnote, or one such as "[1]".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Citation {
    /// The mark's place in the answer.
    #[serde(flatten)]
    pub span: Span,
    /// The link's words, or the number.
    pub label: String,
    /// The address that it stands for, of http or https; `None` if the answer does not say.
    pub address: Option<String>,
}

/// What a page says of a sentence that cites it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SourceReport {
    /// The page's address, as the sentence cites it.
    pub address: String,
    /// What the page says.
    pub state: SourceState,
    /// Why the page was not read; only of an unread one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Unread>,
    /// The passages of the page that decide: one, two if they disagree, none if nothing is decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// What a cited page says of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum SourceState {
    /// It supports the sentence.
    Supported,
    /// It contradicts the sentence.
    Contradicted,
    /// One passage of it supports the sentence and another contradicts it.
    Mixed,
    /// None of the passages found in it decides the sentence.
    NotInIt,
    /// It was not read.
    Unread,
}

/// Why a cited page was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Unread {
    /// The caller did not give the page.
    NotGiven,
    /// It is not there (HTTP 404 or 410).
    NotFound,
    /// Its host refuses to give it, or lets no other site read it.
    Blocked,
    /// Its host asks for a login or for money (HTTP 401 or 402).
    Paywall,
    /// It has more bytes than may be read.
    TooLarge,
    /// It did not come in time.
    Timeout,
    /// It is no text, such as a picture.
    NotText,
    /// It has no words to compare with.
    Empty,
    /// Its address, or one that it leads to, is that of a private network.
    Private,
    /// Its host could not be reached, or failed.
    Failed,
}

/// The verdict on a sentence (guan2024, Sec. 3: factual, unfactual, no evidence).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The evidence supports it.
    Factual,
    /// The evidence contradicts it.
    Unfactual,
    /// One good passage supports it and another contradicts it.
    Mixed,
    /// No evidence decides it.
    NoEvidence,
}

/// How sure a verdict is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Confidence {
    /// By the pack's thresholds for sure verdicts. Mixed and no evidence are always sure.
    #[default]
    Sure,
    /// Less sure: such verdicts are wrong more often. Only factual and unfactual can be likely.
    Likely,
}

/// The relation of a premise to a statement: three probabilities that sum to 1 (chen2023's factual-consistent,
/// non-verified and factual-inconsistent).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Nli {
    /// The premise entails the statement.
    pub entailment: f64,
    /// The premise says nothing of it.
    pub neutral: f64,
    /// The premise contradicts it.
    pub contradiction: f64,
}

/// A reason for a second look at a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Risk {
    /// It has a number or an ordinal: verifiers do worst on these (guan2024, Sec. 5.3, Fig. 4).
    Numeral,
    /// It depends on what precedes it even after it was made to stand alone: a pronoun or demonstrative comes before
    /// any name (guan2024, Sec. 5.3, Tab. 11).
    Context,
    /// It has a name that hardly any passage of the index has.
    RareName,
    /// An earlier sentence of the answer is not factual, but unfactual, mixed or without evidence: errors come together
    /// (guan2024, App. C.6, Tab. 23).
    AfterUnfactual,
    /// The T5's answer depends on the wording of its question: p is above 0.5 for one wording and below for another
    /// (guan2024, Sec. 5.2, Tab. 10).
    Wording,
}

/// A part of a statement, judged by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Part"))]
pub struct PartReport {
    /// The stretch of the statement that says it.
    #[serde(flatten)]
    pub span: Span,
    /// Its words: a part of a compound statement is a sentence with its subject.
    pub text: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// How sure the verdict is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Its score, 0 to 1.
    pub score: f64,
}

/// The words of a statement and of a passage that contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Reason {
    /// The passage's number in the sentence's evidence, from 0.
    pub evidence: usize,
    /// What the statement says: a stretch of `statement`.
    pub said: Span,
    /// What the passage says instead: a stretch of its text.
    pub found: Span,
}

/// The T5's answer to one wording of the question.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ByWording {
    /// The wording.
    pub wording: Wording,
    /// The probability that the sentence is factual.
    pub p_factual: f64,
    /// The decoding step, from 0, of the answer; `None` if there was none, and then p is 0.5.
    pub answered_at: Option<usize>,
}

/// One sentence that was not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct LeftOut {
    /// Its place in the answer.
    #[serde(flatten)]
    pub span: Span,
    /// The sentence without Markdown.
    pub text: String,
    /// What it is instead of a claim. Later versions may have further kinds.
    #[cfg_attr(feature = "types", ts(type = "NoClaim | (string & {})"))]
    pub kind: SentenceKind,
}

/// What a sentence is: a claim, or the reason why it is not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "NoClaim"))]
#[serde(rename_all = "camelCase")]
pub enum SentenceKind {
    /// It states something.
    #[cfg_attr(feature = "types", ts(skip))]
    Claim,
    /// It asks.
    Question,
    /// It tells the reader what to do.
    Instruction,
    /// It gives its writer's opinion, in the first person.
    Opinion,
    /// It greets, thanks, offers, apologises, or speaks of the answer itself.
    Pleasantry,
    /// It says what is good, right or beautiful.
    Judgment,
    /// It says what will be.
    Forecast,
    /// A heading, a lead-in to a list, or a few words without a verb.
    Fragment,
    /// It speaks of something that nothing before it names, such as "It is large.", so it cannot be judged alone.
    Unresolved,
    /// It is not in English, which is all that the models read.
    Language,
    /// It contains a formula or another object that cannot be written as text.
    Formula,
    /// The answer itself calls it false: "Myth: ...", "❌ ...".
    Denied,
}

/// One passage and what it says of one sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The passage's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
    /// The source of its facts.
    pub source: Option<String>,
    /// The number of the source that found it in the report's `sources`; `None` if it is of none of them, such as a
    /// passage of a cited page.
    #[serde(default)]
    pub from: Option<usize>,
    /// Its date, as YYYY-MM-DD, if it has one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Its licence, if it has one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Its BM25 score for the query made of context and statement, in which names count as terms too. Scores of several
    /// sources are on one scale.
    pub bm25: f32,
    /// What its most decisive premise says of the sentence; `None` if it was not read.
    pub nli: Option<Nli>,
    /// That premise: a stretch of `text`.
    pub read: Option<Span>,
    /// The sentence of that premise that shares most words with the statement.
    pub sentence: Option<Span>,
    /// Whether the verdict rests on it.
    pub decisive: bool,
    /// Whether it was in the T5's prompt.
    pub in_prompt: bool,
}

/// A stretch of a text, in UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Span {
    /// Its first unit.
    pub start: usize,
    /// The unit after its last.
    pub end: usize,
}

/// What the models of a report ran on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Backend"))]
pub struct BackendReport {
    /// The backend.
    pub kind: Backend,
    /// The adapter's name, or the CPU's vector instructions.
    pub name: String,
}

/// The pack of a report's models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PackReport {
    /// The pack's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The SHA-256 of its manifest.
    pub hash: String,
}

/// The size and checksum of an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexReport {
    /// Its number of passages.
    pub passages: u32,
    /// Its checksum.
    pub hash: String,
}

/// The model that re-ranks passages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct RerankReport {
    /// How it reads.
    pub kind: RerankKind,
    /// The number of BM25's best passages that it reads.
    pub candidates: usize,
    /// The pack of the model.
    pub pack: PackReport,
}

/// How a model reads a query and a passage to rank the passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RerankKind {
    /// Each by itself, as an embedding; the cosine gives the rank.
    BiEncoder,
    /// Both together; the logit gives the rank.
    CrossEncoder,
}

/// Milliseconds by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Timings {
    /// Searching the index.
    pub retrieve_ms: f64,
    /// Running the NLI model.
    pub nli_ms: f64,
    /// Running the T5.
    pub verify_ms: f64,
    /// From the call to the report.
    pub total_ms: f64,
}

/// What was read of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct TrafficReport {
    /// The number of requests.
    pub requests: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Decider {
    /// The models with a share of the score above 0, where the T5's share is `weight`.
    pub(crate) fn of(weight: f64) -> Vec<Self> {
        let has_share = |decider: &Self| match decider {
            Self::Nli => weight < 1.0,
            Self::Verifier => weight > 0.0,
        };
        [Self::Nli, Self::Verifier].into_iter().filter(has_share).collect()
    }
}

impl SentenceKind {
    /// The kind in words, such as "a claim".
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Claim => "a claim",
            Self::Question => "a question",
            Self::Instruction => "an instruction",
            Self::Opinion => "an opinion",
            Self::Pleasantry => "a pleasantry",
            Self::Judgment => "a judgment",
            Self::Forecast => "a forecast",
            Self::Fragment => "a fragment",
            Self::Unresolved => "not clear by itself",
            Self::Language => "not in English",
            Self::Formula => "with a formula that cannot be told in words",
            Self::Denied => "called false by the answer itself",
        }
    }
}

impl Risk {
    /// The risk in words, such as "a number".
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Numeral => "a number",
            Self::Context => "leans on its context",
            Self::RareName => "a name seldom seen in the index",
            Self::AfterUnfactual => "after a sentence that is not factual",
            Self::Wording => "depends on the wording",
        }
    }
}

impl SentenceReport {
    /// The verdict if it is sure, else no evidence. Evaluations use this verdict.
    #[must_use]
    pub fn sure_verdict(&self) -> Verdict {
        match self.confidence {
            Confidence::Sure => self.verdict,
            Confidence::Likely => Verdict::NoEvidence,
        }
    }
}

impl SourceState {
    /// What a page says of a sentence that was judged by it. One that likely supports what cites it counts as support:
    /// it is cited for that. One that likely contradicts it does not count: that would be a false alarm too often.
    pub(crate) fn of(judged: &SentenceReport) -> Self {
        match (judged.verdict, judged.confidence) {
            (Verdict::Factual, _) => Self::Supported,
            (Verdict::Unfactual, Confidence::Sure) => Self::Contradicted,
            (Verdict::Mixed, _) => Self::Mixed,
            (Verdict::Unfactual, Confidence::Likely) | (Verdict::NoEvidence, _) => Self::NotInIt,
        }
    }
}

impl Summary {
    /// The verdicts of these sentences, counted.
    pub(crate) fn of(sentences: &[SentenceReport]) -> Self {
        let of = |verdict, confidence| {
            let is_so = |sentence: &&SentenceReport| (sentence.verdict, sentence.confidence) == (verdict, confidence);
            sentences.iter().filter(is_so).count()
        };
        let count = |verdict| of(verdict, Confidence::Sure);
        let decided = sentences.iter().filter(|sentence| sentence.verdict != Verdict::NoEvidence).count();
        let of_all = |sum: f64| (!sentences.is_empty()).then(|| sum / sentences.len() as f64);
        Self {
            factual: count(Verdict::Factual),
            unfactual: count(Verdict::Unfactual),
            likely_factual: of(Verdict::Factual, Confidence::Likely),
            likely_unfactual: of(Verdict::Unfactual, Confidence::Likely),
            mixed: count(Verdict::Mixed),
            no_evidence: count(Verdict::NoEvidence),
            score: of_all(sentences.iter().map(|sentence| sentence.score).sum()),
            coverage: of_all(decided as f64),
        }
    }
}

impl Span {
    /// The span of `text[bytes]`.
    pub(crate) fn utf16(text: &str, bytes: Range<usize>) -> Self {
        let units = |part: &str| part.encode_utf16().count();
        let start = units(&text[..bytes.start]);
        Self { start, end: start + units(&text[bytes]) }
    }

    /// The part of `text` at this span; shorter where the span goes beyond its end.
    #[must_use]
    pub fn of(self, text: &str) -> String {
        let units: Vec<u16> = text.encode_utf16().skip(self.start).take(self.end.saturating_sub(self.start)).collect();
        String::from_utf16_lossy(&units)
    }
}

impl PackReport {
    /// The name, version and hash of a pack.
    #[must_use]
    pub fn of(manifest: &PackManifest) -> Self {
        Self { name: manifest.name().into(), version: manifest.version().into(), hash: manifest.hash().into() }
    }
}

impl SourceInfo {
    /// A source of which no more is known than its kind and name.
    #[must_use]
    pub fn new(kind: SourceKind, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            address: None,
            hash: None,
            date: None,
            license: None,
            passages: None,
            cost: SearchCost::default(),
            reveals: None,
        }
    }
}

impl SearchCost {
    /// The cost of a search in memory.
    pub const NOTHING: Self = Self { bytes: Some(0), trips: Some(0) };
}

impl TrafficReport {
    /// What was read between two counts of a source.
    pub(crate) fn between(before: Traffic, after: Traffic) -> Self {
        Self { requests: after.requests - before.requests, bytes: after.bytes - before.bytes }
    }

    /// What was read of all these.
    pub(crate) fn sum(each: impl Iterator<Item = Self>) -> Self {
        each.fold(Self::default(), |sum, next| Self {
            requests: sum.requests + next.requests,
            bytes: sum.bytes + next.bytes,
        })
    }
}

impl IndexReport {
    /// The size and checksum of an index.
    #[must_use]
    pub fn of(manifest: &IndexManifest) -> Self {
        Self { passages: manifest.passages, hash: manifest.checksum.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cited_page_supports_by_a_likely_verdict_and_contradicts_by_a_sure_one() {
        let state = |verdict: Verdict, confidence: Confidence| {
            let report = serde_json::json!({
                "start": 0, "end": 11, "text": "Iron rusts.", "statement": "Iron rusts.", "context": "",
                "verdict": verdict, "confidence": confidence, "related": true, "score": 0.5, "evidence": [],
                "nli": { "entailment": 0.4, "neutral": 0.2, "contradiction": 0.4 }
            });
            SourceState::of(&serde_json::from_value(report).unwrap())
        };
        assert_eq!(state(Verdict::Factual, Confidence::Likely), SourceState::Supported);
        assert_eq!(state(Verdict::Unfactual, Confidence::Likely), SourceState::NotInIt);
        assert_eq!(state(Verdict::Unfactual, Confidence::Sure), SourceState::Contradicted);
        assert_eq!(state(Verdict::Mixed, Confidence::Sure), SourceState::Mixed);
        assert_eq!(state(Verdict::NoEvidence, Confidence::Sure), SourceState::NotInIt);
    }
}
