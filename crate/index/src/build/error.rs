//! What can go wrong between passages and their index.

use std::io;
use std::path::PathBuf;

use evident_base::ErrorCode;

use crate::error::IndexError;
use crate::format::passages::MOST_NAMES;

/// Why an index could not be built. Passages are numbered from 1, like the lines of their file.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A line is not a passage.
    #[error("line {line} is not a passage ({reason}): write one JSON object per line, with id, title and text")]
    NotAPassage {
        /// Its number.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A passage has no text.
    #[error("line {line}: the passage {id:?} has no text: fill it or leave it out")]
    EmptyText {
        /// The passage's number.
        line: usize,
        /// The passage's id.
        id: String,
    },
    /// A passage has more names than an index holds.
    #[error("line {line}: the passage {id:?} has more than {MOST_NAMES} names: keep those that people use")]
    TooManyNames {
        /// The passage's number.
        line: usize,
        /// The passage's id.
        id: String,
    },
    /// Two passages share an id.
    #[error("line {line}: the id {id:?} is already that of line {first}: give each passage its own")]
    DuplicateId {
        /// The later passage's number.
        line: usize,
        /// The earlier passage's number.
        first: usize,
        /// Their id.
        id: String,
    },
    /// There is nothing to index.
    #[error("there are no passages to index")]
    NoPassages,
    /// The passages are more, or longer, than the format's 32-bit numbers can count.
    #[error("there are more passages, or longer ones, than one index can hold: build several")]
    TooLarge,
    /// An option is out of its range.
    #[error("k1 must be 0 or more, b 0 to 1, a group at most 65536 passages, and all options but the memory above 0")]
    BadOptions,
    /// A manifest of so many segments would be longer than a reader takes.
    #[error("the index has as many segments as its manifest can hold: merge them first")]
    TooManySegments,
    /// The caller asked to stop. An index that was there before is unchanged.
    #[error("the build was stopped")]
    Stopped,
    /// The index to add to or to merge could not be read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// An id is already in the index.
    #[error("line {line}: the id {id:?} is already in the index: give each passage its own")]
    TakenId {
        /// The passage's number.
        line: usize,
        /// Its id.
        id: String,
    },
    /// Indexes that are to be one have different analyses or parameters.
    #[error("the index in {} has another analysis, k1 or b than the first: build both alike", path.display())]
    Unlike {
        /// The folder of the index.
        path: PathBuf,
    },
    /// A scratch file could not be written or read. An index that was there before is unchanged.
    #[error("the scratch files of the build failed: {0}; see that the disk has room for about twice the index")]
    Scratch(#[from] io::Error),
    /// The folder holds something else than an index.
    #[error("{} is there already and is not an index: choose another place or remove it", path.display())]
    Occupied {
        /// The place.
        path: PathBuf,
    },
    /// Another build writes to the folder.
    #[error(
        "{} is being written by {}: wait until that has ended, or end it, and try again",
        path.display(), named(*holder)
    )]
    Busy {
        /// The folder.
        path: PathBuf,
        /// The other build's process id, if it can be read.
        holder: Option<u32>,
    },
    /// The index could not be written. An index that was there before is unchanged, or replaced as a whole.
    #[error("{} could not be written: {source}", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl BuildError {
    /// The stable name of this kind of error, for callers that branch on it.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::BadOptions | Self::Unlike { .. } => ErrorCode::BadSettings,
            Self::Write { .. } | Self::Occupied { .. } | Self::Busy { .. } | Self::Scratch(_) => {
                ErrorCode::IndexUnwritable
            }
            Self::Index(error) => error.code(),
            Self::Stopped => ErrorCode::Stopped,
            _ => ErrorCode::BadPassages,
        }
    }
}

fn named(process: Option<u32>) -> String {
    process.map_or_else(|| "another process".into(), |id| format!("process {id}"))
}

/// The error of a failed write to `path`.
#[cfg(not(target_family = "wasm"))]
pub(super) fn unwritable(path: &std::path::Path) -> impl Fn(io::Error) -> BuildError + use<> {
    let path = path.to_path_buf();
    move |source| BuildError::Write { path: path.clone(), source }
}
