//! What can go wrong on the command line.

use std::io;
use std::path::{Path, PathBuf};

use evident_corpus::CorpusError;
use evident_eval::EvalError;
use evident_fetch::FetchError;
use evident_index::{BuildError, ErrorCode, IndexError};
use evident_nn::{ConvertError, NnError, PackError};
use evident_serve::ListenError;
use evident_verify::{RoleError, VerifyError};

use crate::signed::SignedError;

/// Any failure of a command.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The text to check could not be read.
    #[error("{} could not be read: {source}", path.display())]
    Unreadable {
        /// The file, or standard input.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line of a JSONL file is no answer.
    #[error(
        "line {line} is not an answer ({source}): write one JSON object per line, with answer, statement, plain or \
             blocks"
    )]
    NotAnAnswer {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// An answer of a JSONL file could not be verified.
    #[error("line {line}: {source}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What went wrong.
        source: VerifyError,
    },
    /// Some answers of a JSONL file could not be verified; what is wrong with each stands in its place in the output.
    #[error("{failed} of the lines could not be done: each has an \"error\" in its place")]
    Failed {
        /// How many.
        failed: usize,
    },
    /// Some lines of a corpus are no passages; the index has the others.
    #[error("{lines} of the lines are no passages; the index has the others")]
    PassedOver {
        /// How many.
        lines: usize,
    },
    /// A file or folder does not hold what it must.
    #[error("{}: {why}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        why: &'static str,
    },
    /// The settings are no settings.
    #[error("the settings are not right: {0}")]
    Settings(serde_json::Error),
    /// No port could be had.
    #[error("{0}; choose another with --port")]
    Listen(#[from] ListenError),
    /// The output could not be written.
    #[error("the output could not be written: {0}")]
    Write(#[from] io::Error),
    /// A corpus could not be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// An index could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Ctrl-C was pressed before the work was done.
    #[error("stopped before the end; what was there before is there still")]
    Stopped,
    /// Files of an index are not what they were.
    #[error("{damaged} of the index's {files} files are damaged: copy or build it again")]
    Damaged {
        /// How many.
        damaged: usize,
        /// Of how many.
        files: usize,
    },
    /// An index could not be opened or searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A pack could not be opened.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A pack or an index is not signed as the user wants it.
    #[error(transparent)]
    Signed(#[from] SignedError),
    /// A pack could not be converted.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// A checkpoint could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// A model that was named, or that is needed, is not as it must be.
    #[error("the model for the role {role}: {why}")]
    Models {
        /// The role.
        role: &'static str,
        /// The error and the way out of it.
        why: &'static str,
    },
    /// A model is not of its role's kind.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// No device to compute on.
    #[error(transparent)]
    Nn(#[from] NnError),
    /// Nothing could be measured.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// An answer could not be verified.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

impl CliError {
    /// The stable name of this kind of error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Unreadable { .. }
            | Self::NotAnAnswer { .. }
            | Self::Failed { .. }
            | Self::PassedOver { .. }
            | Self::Unusable { .. } => ErrorCode::BadInput,
            Self::Line { source, .. } => source.code(),
            Self::Settings(_) | Self::Models { .. } | Self::Listen(_) => ErrorCode::BadSettings,
            Self::Write(_) => ErrorCode::Internal,
            Self::Corpus(error) => error.code(),
            Self::Build(error) => error.code(),
            Self::Stopped => ErrorCode::Cancelled,
            Self::Damaged { .. } => ErrorCode::IndexCorrupt,
            Self::Index(error) => error.code(),
            Self::Pack(error) => error.code(),
            Self::Signed(error) => error.code(),
            Self::Convert(error) => error.code(),
            Self::Fetch(error) => error.code(),
            Self::Role(error) => error.code(),
            Self::Nn(error) => error.code(),
            Self::Eval(error) => error.code(),
            Self::Verify(error) => error.code(),
        }
    }

    /// Whether the reader of the output went away.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// The error of a file that could not be read.
pub fn unreadable(path: &Path, source: io::Error) -> CliError {
    CliError::Unreadable { path: path.into(), source }
}
