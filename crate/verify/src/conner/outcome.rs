//! The outcome of a score: the score and the model that gave it, or what it lacks.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A score, or what it lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(bound = "T: ts_rs::TS"))]
#[serde(untagged)]
pub enum Outcome<T> {
    /// There is a score.
    #[cfg_attr(feature = "types", ts(type = "T & { model: string; cut?: Cut; missing?: never }"))]
    Scored {
        /// The model that gave it. The names of several models are joined by " + ".
        model: String,
        /// How much of the knowledge was scored, if that was too long for the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cut: Option<Cut>,
        /// The score.
        #[serde(flatten)]
        score: T,
    },
    /// There is no score.
    #[cfg_attr(feature = "types", ts(type = "{ missing: Missing[]; value?: never }"))]
    Missing {
        /// All that it lacks.
        missing: Vec<Missing>,
    },
}

/// How much of a text was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Cut {
    /// The number of words that were read.
    pub read: usize,
    /// The number of words that there are.
    pub of: usize,
}

impl Cut {
    /// The cut of pairs of a text and the part of it that was read; `None` if all texts were read whole.
    pub(super) fn of<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<Self> {
        let words = |text: &str| text.split_whitespace().count();
        let add = |sum: Self, (text, read)| Self { read: sum.read + words(read), of: sum.of + words(text) };
        let all = texts.into_iter().fold(Self { read: 0, of: 0 }, add);
        (all.read < all.of).then_some(all)
    }
}

/// An input or a model that a score lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Missing {
    /// The question, q.
    Question,
    /// The topic, if the settings' prompt names it.
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
    /// Passages that are not about the question.
    RandomPassages,
    /// A sentence of two tokens: the first token of a text has no probability.
    LongerSentence,
    /// An answer whose probability is below 1 after random passages.
    UncertainAnswer,
    /// A classifier with entailment, neutral and contradiction.
    NliModel,
    /// A cross-encoder or a bi-encoder.
    RelevanceModel,
    /// A causal language model.
    LanguageModel,
    /// A seq2seq or a causal language model.
    GeneratingModel,
    /// A classifier of paragraphs with one or two logits.
    DiscourseModel,
    /// Right knowledge, k*, for a baseline.
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
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Score"))]
pub struct Plain {
    /// The score, 0 to 1; Eq. 9's with another gamma than the default may leave that range.
    pub value: f64,
}

/// A score that is, or has, one number.
pub trait Value {
    /// The number.
    fn value(&self) -> f64;
}

impl Value for Plain {
    fn value(&self) -> f64 {
        self.value
    }
}

impl<T> Outcome<T> {
    /// The score that a model gave to the whole knowledge.
    #[must_use]
    pub fn scored(model: &str, score: T) -> Self {
        Self::Scored { model: model.to_owned(), cut: None, score }
    }

    /// The same score, with how much of the knowledge was scored.
    pub(super) fn of_part(self, part: Option<Cut>) -> Self {
        match self {
            Self::Scored { model, score, .. } => Self::Scored { model, cut: part, score },
            missing @ Self::Missing { .. } => missing,
        }
    }

    /// How much of the knowledge was scored; `None` for all of it, and without a score.
    pub fn cut(&self) -> Option<Cut> {
        match self {
            Self::Scored { cut, .. } => *cut,
            Self::Missing { .. } => None,
        }
    }

    /// The score, if there is one.
    pub fn score(&self) -> Option<&T> {
        match self {
            Self::Scored { score, .. } => Some(score),
            Self::Missing { .. } => None,
        }
    }

    /// The model that gave it, if there is a score.
    pub fn model(&self) -> Option<&str> {
        match self {
            Self::Scored { model, .. } => Some(model),
            Self::Missing { .. } => None,
        }
    }

    /// What it lacks; nothing if there is a score.
    pub fn missing(&self) -> &[Missing] {
        match self {
            Self::Scored { .. } => &[],
            Self::Missing { missing } => missing,
        }
    }
}

impl<T: Value> Outcome<T> {
    /// The score's number, if there is a score.
    pub fn value(&self) -> Option<f64> {
        self.score().map(Value::value)
    }
}

impl<T> From<Missing> for Outcome<T> {
    fn from(missing: Missing) -> Self {
        Self::Missing { missing: vec![missing] }
    }
}

/// The outcome of a score that lacks an input or a model: those of its `needs` that are not met.
pub(super) fn missing_of<T>(needs: &[(bool, Missing)]) -> Outcome<T> {
    Outcome::Missing { missing: needs.iter().filter(|(met, _)| !met).map(|&(_, missing)| missing).collect() }
}
