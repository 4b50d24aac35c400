//! What can go wrong in a measurement.

use std::io;
use std::path::{Path, PathBuf};

use evident_base::LinesError;
use evident_index::{ErrorCode, IndexError};
use evident_nn::{PackError, ThreadsError};
use evident_verify::VerifyError;

/// Why nothing was measured. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A file cannot be read.
    #[error("{} could not be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line of a file is not in its layout.
    #[error("{} line {line}: {why}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// A file, a folder or a switch does not hold what it must.
    #[error("{}: {why}", path.display())]
    Unusable {
        /// The file, the folder or the switch.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        why: &'static str,
    },
    /// The row on a line cannot be judged or scored.
    #[error("line {line}: {source}")]
    Row {
        /// Its line, from 1.
        line: usize,
        /// What went wrong.
        source: VerifyError,
    },
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// The results cannot be written.
    #[error("the output could not be written: {0}")]
    Write(#[from] io::Error),
    /// A file of the results cannot be written.
    #[error("{} could not be written: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The index cannot be opened or searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A model of a pack cannot be loaded.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A statement cannot be judged.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

impl EvalError {
    /// The stable name of this kind of error.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Unreadable { .. } | Self::BadLine { .. } | Self::Unusable { .. } => ErrorCode::BadInput,
            Self::Row { source, .. } => source.code(),
            Self::Threads(error) => error.code(),
            Self::Write(_) | Self::Unwritable { .. } => ErrorCode::Internal,
            Self::Index(error) => error.code(),
            Self::Pack(error) => error.code(),
            Self::Verify(error) => error.code(),
        }
    }
}

impl From<LinesError> for EvalError {
    fn from(error: LinesError) -> Self {
        match error {
            LinesError::Unreadable { path, source } => Self::Unreadable { path, source },
            LinesError::BadLine { path, line, why } => Self::BadLine { path, line, why },
        }
    }
}

/// The error of a file that cannot be read.
pub(crate) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> EvalError + '_ {
    |source| EvalError::Unreadable { path: path.into(), source }
}

/// The error of a file that cannot be written.
pub(crate) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> EvalError + '_ {
    |source| EvalError::Unwritable { path: path.into(), source }
}
