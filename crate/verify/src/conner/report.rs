//! What CONNER says of one item: each score with the model that gave it, or what is missing for it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::models::nli::Nli;
use crate::report::Span;

/// The scores of one item. In JSON a score is an object that has either `value` and `model`, or `missing`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnerReport {
    /// Whether evidence supports the knowledge (Eq. 1).
    pub factuality: Outcome<Factuality>,
    /// Whether the knowledge is about the question (Eq. 2).
    pub relevance: Outcome<Plain>,
    /// Whether each sentence reads as language does (Eq. 3).
    pub cohesion: Outcome<Cohesion>,
    /// Whether the sentences hang together in their order (Eq. 4).
    pub coherence: Outcome<Plain>,
    /// Whether the knowledge is new to a language model that knows the question (Eq. 5).
    pub informativeness: Outcome<Informativeness>,
    /// Whether the knowledge makes the answer more probable than random passages do (Eq. 6).
    pub helpfulness: Outcome<Helpfulness>,
    /// Whether the answer is right (Eq. 7 or 8).
    pub validity: Outcome<Validity>,
    /// Q_know, the overall quality of the knowledge (Eq. 9).
    pub quality: Outcome<Plain>,
}

/// A score, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Outcome<T> {
    /// The score.
    Scored {
        /// The model that gave it; where several did, their names are joined by " + ".
        model: String,
        /// What it gave.
        #[serde(flatten)]
        score: T,
    },
    /// There is none.
    Missing {
        /// All that would be needed and is not there.
        missing: Vec<Missing>,
    },
}

/// An input or a kind of model that a score needs and that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Missing {
    /// The question, q.
    Question,
    /// The topic, which the prompt that the settings have names.
    Topic,
    /// The knowledge, k.
    Knowledge,
    /// The final answer, a.
    Answer,
    /// A known right answer, a*.
    Reference,
    /// Passages, or an index of them.
    Evidence,
    /// Either a known right answer or passages.
    ReferenceOrEvidence,
    /// Passages that have nothing to do with the question.
    RandomPassages,
    /// A sentence of two tokens: the first of a text has no probability.
    LongerSentence,
    /// An answer that is not certain whatever the passage.
    UncertainAnswer,
    /// A classifier with entailment, neutral and contradiction.
    NliModel,
    /// A cross-encoder or a bi-encoder.
    RelevanceModel,
    /// A causal language model.
    LanguageModel,
    /// A seq2seq or a causal language model.
    GeneratingModel,
    /// A classifier of paragraphs with one logit.
    DiscourseModel,
    /// Knowledge that is known to be right, k*, for a baseline.
    ReferenceKnowledge,
    /// A name or a number in the knowledge.
    NamedEntity,
    /// A classifier with the labels CORRECT and INCORRECT.
    WeaklySupervisedModel,
    /// A second NLI model, trained on several tasks.
    MultitaskModel,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Question => "a question",
            Self::Topic => "a topic",
            Self::Knowledge => "knowledge",
            Self::Answer => "an answer",
            Self::Reference => "a reference",
            Self::Evidence => "evidence: passages or an index",
            Self::ReferenceOrEvidence => "a reference, or evidence: passages or an index",
            Self::RandomPassages => "random passages: an index with passages that are not about the question",
            Self::LongerSentence => "a sentence of two tokens or more",
            Self::UncertainAnswer => "an answer that is not certain whatever the passage",
            Self::NliModel => "an NLI model",
            Self::RelevanceModel => "a relevance model: a cross-encoder or a bi-encoder",
            Self::LanguageModel => "a causal language model",
            Self::GeneratingModel => "a seq2seq or a causal language model",
            Self::DiscourseModel => "a discourse model",
            Self::ReferenceKnowledge => "reference knowledge",
            Self::NamedEntity => "a named entity in the knowledge",
            Self::WeaklySupervisedModel => "a weakly supervised model: CORRECT and INCORRECT",
            Self::MultitaskModel => "a multitask NLI model",
        })
    }
}

/// A score that is one number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plain {
    /// The score, 0 to 1; Eq. 9's with another gamma than the default may leave that range.
    pub value: f64,
}

/// Factuality (Eq. 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Factuality {
    /// The entailment of the aggregate that the settings choose, 0 to 1.
    pub value: f64,
    /// Of the sentence with the least entailment its factual-consistent, non-verified and factual-inconsistent.
    pub min: Nli,
    /// The mean of each.
    pub mean: Nli,
    /// Those of the sentence with the most entailment.
    pub max: Nli,
    /// The aggregate that the settings choose: one of these three.
    pub triple: Nli,
    /// The sentences in order.
    pub sentences: Vec<CheckedSentence>,
    /// Which of them pulls the score down: that with the least entailment, the first among equals.
    pub lowest: usize,
}

/// One sentence of the knowledge and what its evidence says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckedSentence {
    /// Where it stands in the knowledge.
    #[serde(flatten)]
    pub span: Span,
    /// The sentence without Markdown.
    pub text: String,
    /// The triple of the evidence with the most entailment.
    pub nli: Nli,
    /// The id of that passage; `None` where none was found.
    pub passage: Option<String>,
    /// The most entailment that each passage gives, in the order they were found: what fewer passages would have given (Fig. 4).
    #[serde(default)]
    pub evidence: Vec<f64>,
}

/// Sentence-level cohesion (Eq. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cohesion {
    /// The mean of the sentences' 1 / PPL, 0 to 1.
    pub value: f64,
    /// The sentences in order.
    pub sentences: Vec<ReadSentence>,
    /// Which of them pulls the score down: that with the least 1 / PPL, the first among equals.
    pub lowest: usize,
}

/// One sentence of the knowledge and how well it reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadSentence {
    /// Where it stands in the knowledge.
    #[serde(flatten)]
    pub span: Span,
    /// The sentence without Markdown.
    pub text: String,
    /// 1 / PPL, 0 to 1; `None` for a sentence of one token, which is left out of the mean.
    pub value: Option<f64>,
}

/// Informativeness (Eq. 5).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Informativeness {
    /// The score, 0 to 1.
    pub value: f64,
    /// M, the tokens of k that it rests on.
    pub tokens: usize,
}

/// Helpfulness (Eq. 6).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Helpfulness {
    /// The score as printed, 0 to 1.
    pub value: f64,
    /// Without the max(0, .), as in Tab. 16: at most 1.
    pub unclipped: f64,
    /// L(q, k, a), in nats a token of a.
    pub loss: f64,
    /// The mean of L(q, k-, a).
    pub random_loss: f64,
    /// u, the random passages that it is the mean over; fewer than the setting where the index has no more.
    pub random_passages: usize,
}

/// Validity (Eq. 7 or 8).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Validity {
    /// The entailment, 0 to 1.
    pub value: f64,
    /// The whole triple.
    pub nli: Nli,
    /// Which equation: 7 for a span against the reference, 8 for an open-ended answer against evidence.
    pub equation: u8,
    /// Eq. 8: the id of the passage with the most entailment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<String>,
}

/// A score's number.
pub trait Value {
    /// The number that a score is.
    fn value(&self) -> f64;
}

macro_rules! has_value {
    ($($kind:ty),*) => {
        $(impl Value for $kind {
            fn value(&self) -> f64 {
                self.value
            }
        })*
    };
}
has_value!(Plain, Factuality, Cohesion, Informativeness, Helpfulness, Validity);

impl<T> Outcome<T> {
    /// The score; `None` where there is none.
    pub fn score(&self) -> Option<&T> {
        match self {
            Self::Scored { score, .. } => Some(score),
            Self::Missing { .. } => None,
        }
    }

    /// The model that gave it; `None` where there is none.
    pub fn model(&self) -> Option<&str> {
        match self {
            Self::Scored { model, .. } => Some(model),
            Self::Missing { .. } => None,
        }
    }

    /// What is missing; nothing where there is a score.
    pub fn missing(&self) -> &[Missing] {
        match self {
            Self::Scored { .. } => &[],
            Self::Missing { missing } => missing,
        }
    }
}

impl<T: Value> Outcome<T> {
    /// The score's number; `None` where there is none.
    pub fn value(&self) -> Option<f64> {
        self.score().map(Value::value)
    }
}
