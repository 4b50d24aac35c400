//! Errors of fetching a checkpoint.

use std::io;
use std::path::PathBuf;

use evident_base::{ErrorCode, Hash};

/// Why a checkpoint could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// A file that is not a list of packs.
    #[error("{} is not a list of packs: {reason}", path.display())]
    List {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A lock that cannot be read.
    #[error("{} cannot be read: {reason}; repair it, or delete it to record the hashes anew", path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A name that is not in the list.
    #[error("no pack is called {name:?}: there are {}", known.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The names in the list.
        known: Vec<String>,
    },
    /// No mirror answered.
    #[error(
        "{path} cannot be fetched, for no mirror can be reached ({reason}): connect to the network and run this again"
    )]
    Offline {
        /// The file.
        path: String,
        /// Why the last mirror failed.
        reason: String,
    },
    /// No mirror gave the file.
    #[error("{path} could not be fetched: {}; run this again later", tried.join("; "))]
    Unavailable {
        /// The file.
        path: String,
        /// The host of each mirror, and why it failed.
        tried: Vec<String>,
    },
    /// A file that is not the pinned one.
    #[error("{path} has the SHA-256 {found} where {stated} has {expected}: it was not kept")]
    Hash {
        /// The file.
        path: String,
        /// The SHA-256 that it has.
        found: Hash,
        /// The SHA-256 that it should have.
        expected: Hash,
        /// The file that states it.
        stated: &'static str,
    },
    /// A file that could not be written.
    #[error("{} could not be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The caller stopped it.
    #[error("stopped; the same command goes on from here")]
    Cancelled,
}

impl FetchError {
    /// The stable name of this kind of error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::List { .. } | Self::Lock { .. } | Self::Unknown { .. } => ErrorCode::BadInput,
            Self::Offline { .. } => ErrorCode::Offline,
            Self::Unavailable { .. } => ErrorCode::FetchFailed,
            Self::Hash { .. } => ErrorCode::PackCorrupt,
            Self::Write { .. } => ErrorCode::Internal,
            Self::Cancelled => ErrorCode::Cancelled,
        }
    }
}
