//! What can go wrong in a verification or a scoring.

use evident_index::{ErrorCode, IndexError};
use evident_nn::NnError;

/// Why an answer was not verified or scored. Each message says what to do.
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
        /// The answer's length in characters.
        characters: usize,
        /// The setting.
        most: usize,
    },
    /// The question is longer than the settings allow.
    #[error(
        "the question has {characters} characters, and at most {most} are read: \
             leave out what the answer does not need, or raise the setting maxCharacters"
    )]
    QuestionTooLong {
        /// The question's length in characters.
        characters: usize,
        /// The setting.
        most: usize,
    },
    /// A setting is out of its range.
    #[error("the setting {field} is {value}: choose {least} to {most}")]
    Settings {
        /// The setting's name in JSON.
        field: &'static str,
        /// The value that it has.
        value: usize,
        /// The smallest value that it may have.
        least: usize,
        /// The largest value that it may have.
        most: usize,
    },
    /// A setting that is no whole number is out of its range.
    #[error("the setting {field} is {value}: choose {least} to {most}")]
    Number {
        /// The setting's name in JSON.
        field: &'static str,
        /// The value that it has.
        value: f64,
        /// The smallest value that it may have.
        least: f64,
        /// The largest value that it may have.
        most: f64,
    },
    /// Two settings contradict each other.
    #[error("the settings do not go together: {why}")]
    Together {
        /// Which two, and what to do.
        why: &'static str,
    },
    /// The observer asked to stop.
    #[error("the verification was cancelled")]
    Cancelled(#[from] Cancelled),
    /// The settings ask a T5, and none is loaded.
    #[error("the settings ask a T5, and there is none: choose a pack with a verifier, or set scoreBy to nli")]
    NoVerifier,
    /// The settings ask the NLI model, and none is loaded.
    #[error(
        "the settings ask an NLI model, and there is none: choose a pack with one, or set scoreBy to verifier and facts \
             to passages"
    )]
    NoNli,
    /// The verifier was published with its own prompt: it takes no other, and writes no text.
    #[error(
        "the verifier is asked by a prompt of its own and writes nothing: set method to direct and resolver to rules"
    )]
    OnePrompt,
    /// The T5's vocabulary lacks the ratings that it must answer with.
    #[error("the verifier's vocabulary lacks the ratings 1 to 5: choose another pack, or another method than likert")]
    NoRatings,
    /// A model gave infinities or NaN in place of probabilities.
    #[error("the {model} model gave no probabilities: the device may have failed; try again, or use the CPU")]
    NotFinite {
        /// Which model.
        model: &'static str,
    },
    /// A source of evidence could not be searched.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A model could not be run.
    #[error(transparent)]
    Nn(#[from] NnError),
}

/// Why a source could not be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Its index could not be read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// It could not be reached, or did not answer as it must.
    #[error("{name} could not be asked: {reason}")]
    Unreachable {
        /// The source's name.
        name: String,
        /// What the network or the source said, and what to do.
        reason: String,
    },
    /// It is named as a wiki and is none.
    #[error(
        "{name:?} is no wiki: write en or simple for Wikipedia, or the address of a wiki's api.php, such as \
             https://en.wikipedia.org/w/api.php"
    )]
    NoWiki {
        /// The name.
        name: String,
    },
}

impl SourceError {
    /// The stable name of this kind of error, for callers that branch on it.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Index(error) => error.code(),
            Self::Unreachable { .. } => ErrorCode::Network,
            Self::NoWiki { .. } => ErrorCode::BadSettings,
        }
    }
}

/// An [`Observer`](crate::events::Observer) returns this to stop the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A classifier that has other labels than its role needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model {model} has the labels {labels:?}, so it is not {wanted}")]
pub struct WrongModel {
    /// The model's name.
    pub model: String,
    /// The labels that it has.
    pub labels: Vec<String>,
    /// The kind of model that is needed, and which one to choose.
    pub wanted: &'static str,
}

impl From<IndexError> for VerifyError {
    fn from(error: IndexError) -> Self {
        Self::Source(error.into())
    }
}

impl VerifyError {
    /// The stable name of this kind of error, for callers that branch on it.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::EmptyAnswer => ErrorCode::EmptyAnswer,
            Self::AnswerTooLong { .. } => ErrorCode::AnswerTooLong,
            Self::QuestionTooLong { .. } => ErrorCode::QuestionTooLong,
            Self::Settings { .. } | Self::Number { .. } | Self::Together { .. } => ErrorCode::BadSettings,
            Self::Cancelled(_) => ErrorCode::Cancelled,
            Self::NoVerifier | Self::NoNli | Self::OnePrompt | Self::NoRatings => ErrorCode::PackArchitecture,
            Self::NotFinite { .. } => ErrorCode::BackendLost,
            Self::Source(error) => error.code(),
            Self::Nn(error) => error.code(),
        }
    }
}
