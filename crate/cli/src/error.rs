//! What can go wrong on the command line.

use std::io;
use std::path::{Path, PathBuf};

use evident_base::{LinesError, SeenError, SignatureError};
use evident_corpus::CorpusError;
use evident_eval::EvalError;
use evident_fetch::FetchError;
use evident_index::{BuildError, ErrorCode, IndexError, MANIFEST};
use evident_nn::{ConvertError, NnError, PackError, ThreadsError};
use evident_serve::ListenError;
use evident_verify::{RoleError, VerifyError};

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
    /// A line of a JSONL file is not text.
    #[error("line {line} is not UTF-8 text: convert the file to UTF-8, or take the line out")]
    NotUtf8 {
        /// Its number, from 1.
        line: usize,
    },
    /// An answer of a JSONL file could not be verified.
    #[error("line {line}: {source}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What went wrong.
        source: VerifyError,
    },
    /// Some answers of a JSONL file could not be verified; the output has an error in the place of each.
    #[error("{failed} of the lines could not be done: each has an \"error\" in its place")]
    Failed {
        /// How many.
        failed: usize,
    },
    /// Some lines of a corpus are no passages, or some files of a folder cannot be read; the index has the others.
    #[error("{count} of the lines or files could not be read, see above; the index has the others")]
    PassedOver {
        /// How many.
        count: usize,
    },
    /// A file or folder does not hold what it must.
    #[error("{}: {why}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        why: &'static str,
    },
    /// The settings could not be parsed.
    #[error("the settings are not right: {0}")]
    Settings(serde_json::Error),
    /// No port could be opened.
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
    /// Files of an index are damaged.
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
    /// A model that was named is not used or cannot be, or a model that is needed was not named.
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
    /// A file of JSON lines could not be read.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
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
            | Self::NotUtf8 { .. }
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
            Self::Lines(error) => error.code(),
            Self::Threads(error) => error.code(),
            Self::Eval(error) => error.code(),
            Self::Verify(error) => error.code(),
        }
    }

    /// Returns true if the reader of the output has closed it.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// A thing that its publisher signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A pack, by its pack.json.
    Pack,
    /// An index, by its manifest.json.
    Index,
}

impl Part {
    /// The file that describes it.
    pub fn file(self) -> &'static str {
        match self {
            Self::Pack => "pack.json",
            Self::Index => MANIFEST,
        }
    }
}

/// Why a pack or an index is refused.
#[derive(Debug, thiserror::Error)]
pub enum SignedError {
    /// There is no signature.
    #[error("{} is not there: sign the file beside it with minisign -S -t version:N", path.display())]
    Missing {
        /// The pack or the index.
        part: Part,
        /// The signature's path.
        path: PathBuf,
    },
    /// It is not signed by the key.
    #[error("{} is not signed by {key}: {source}", path.display())]
    Unsigned {
        /// The pack or the index.
        part: Part,
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// Why not.
        source: SignatureError,
    },
    /// Its version is lower than one accepted before, or the accepted versions could not be read or written.
    #[error("{}: {source}", path.display())]
    Seen {
        /// The pack or the index.
        part: Part,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: SeenError,
    },
}

impl SignedError {
    /// The stable name of this kind of error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Missing { part: Part::Pack, .. } | Self::Unsigned { part: Part::Pack, .. } => ErrorCode::PackUnsigned,
            Self::Missing { part: Part::Index, .. } | Self::Unsigned { part: Part::Index, .. } => {
                ErrorCode::IndexUnsigned
            }
            Self::Seen { part: Part::Pack, source: SeenError::Rollback { .. }, .. } => ErrorCode::PackRollback,
            Self::Seen { part: Part::Index, source: SeenError::Rollback { .. }, .. } => ErrorCode::IndexRollback,
            Self::Seen { .. } => ErrorCode::BadInput,
        }
    }
}

/// The error of a file that could not be read.
pub fn unreadable(path: &Path, source: io::Error) -> CliError {
    CliError::Unreadable { path: path.into(), source }
}
