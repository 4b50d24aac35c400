//! What can go wrong in a verification.

use evident_index::IndexError;
use evident_nn::NnError;

use crate::events::Cancelled;

/// Why an answer was not verified. Each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// There is nothing to check.
    #[error("the answer has no sentence to check: give it some text")]
    EmptyAnswer,
    /// The answer is longer than the settings allow.
    #[error(
        "the answer has {characters} characters, and at most {most} are checked at once: \
             check it in parts, or raise the setting maxCharacters"
    )]
    AnswerTooLong {
        /// The answer's length.
        characters: usize,
        /// The setting.
        most: usize,
    },
    /// A setting is out of its range.
    #[error("the setting {field} is {value}: choose {least} to {most}")]
    Settings {
        /// The setting's name.
        field: &'static str,
        /// What it was set to.
        value: usize,
        /// Its least value.
        least: usize,
        /// Its greatest value.
        most: usize,
    },
    /// Settings that do not go together.
    #[error("the settings do not go together: {why}")]
    Together {
        /// Which, and what to do.
        why: &'static str,
    },
    /// The observer asked to stop.
    #[error("the verification was cancelled")]
    Cancelled(#[from] Cancelled),
    /// The settings ask a T5, and none was given.
    #[error("the settings ask a T5, and there is none: choose a pack with a verifier, or set scoreBy to nli")]
    NoVerifier,
    /// The verifier's vocabulary lacks the words that it must answer with.
    #[error("the verifier's vocabulary lacks the answer words A and Yes, or B and No: choose another pack")]
    NoAnswerWords,
    /// The verifier's vocabulary lacks the ratings that it must answer with.
    #[error("the verifier's vocabulary lacks the ratings 1 to 5: choose another pack, or another method than likert")]
    NoRatings,
    /// The NLI model does not tell entailment, neutral and contradiction apart.
    #[error("the NLI model's labels are {labels:?}, not entailment, neutral and contradiction: choose another pack")]
    Labels {
        /// The labels it has.
        labels: Vec<String>,
    },
    /// A classifier does not tell relevant passages from others.
    #[error("the re-ranking model's labels are {labels:?}: choose one with a single label, or two, or a bi-encoder")]
    NoRanker {
        /// The labels it has.
        labels: Vec<String>,
    },
    /// A model gave something that is no probability.
    #[error("the {model} model gave no probabilities: the device may have failed; try again, or use the CPU")]
    NotFinite {
        /// Which model.
        model: &'static str,
    },
    /// The index could not be searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A model could not be run.
    #[error(transparent)]
    Nn(#[from] NnError),
}

impl VerifyError {
    /// The stable name of this kind of error, for callers that branch on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::EmptyAnswer => "empty-answer",
            Self::AnswerTooLong { .. } => "answer-too-long",
            Self::Settings { .. } | Self::Together { .. } => "bad-settings",
            Self::Cancelled(_) => "cancelled",
            Self::NoVerifier | Self::NoAnswerWords | Self::NoRatings | Self::Labels { .. } | Self::NoRanker { .. } => {
                "pack-architecture"
            }
            Self::NotFinite { .. } => "backend-lost",
            Self::Index(error) => error.code(),
            Self::Nn(error) => error.code(),
        }
    }
}
