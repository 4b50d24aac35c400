//! What can go wrong between a query and its hits.

use evident_base::{ErrorCode, Hash};

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// There is no such file.
    #[error("{path} is not there")]
    NotFound {
        /// The file asked for.
        path: String,
    },
    /// The file may be there, but it could not be fetched.
    #[error("{path} could not be read: {reason}")]
    Failed {
        /// The file asked for.
        path: String,
        /// What the file system or the network said.
        reason: String,
    },
}

/// Why an index could not be opened or searched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// No manifest was found.
    #[error("there is no index here: manifest.json was not found; check the address, or build an index first")]
    Missing,
    /// A web page is in the place of the manifest.
    #[error(
        "the host answered with a page in place of manifest.json: check the address, which is that of the index's \
         folder, upload the whole folder, and see that the host has no page for files that are not there"
    )]
    Page,
    /// The index is of a version that this code does not read.
    #[error(
        "this index has {found}, but this version reads {expected}: build it again, with this version's `evident index build`"
    )]
    Version {
        /// What the manifest names.
        found: String,
        /// What this code reads.
        expected: String,
    },
    /// The index is another one than the caller expects.
    #[error(
        "this index is not the one that is expected: its checksum is {found} and should be {expected}; see whether the host \
         has replaced it, and with what"
    )]
    Unexpected {
        /// Its checksum.
        found: Hash,
        /// The expected checksum.
        expected: Hash,
    },
    /// A file does not have its hash, even when read again, or its contents do not follow the format.
    #[error("the index file {file} is damaged: {reason}; copy or build the index again")]
    Corrupt {
        /// The file.
        file: String,
        /// How it is damaged.
        reason: String,
    },
    /// A file of the index is not there, and the manifest still names it.
    #[error("the index file {file} is not there: copy the whole index to its place again, manifest.json last")]
    Gone {
        /// The file.
        file: String,
    },
    /// A file could not be read.
    #[error("the index could not be read: {0}")]
    Storage(StorageError),
}

impl IndexError {
    /// The stable name of this kind of error, for callers that branch on it.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Missing => ErrorCode::IndexMissing,
            Self::Version { .. } => ErrorCode::IndexVersion,
            Self::Unexpected { .. } => ErrorCode::IndexUnexpected,
            Self::Corrupt { .. } | Self::Gone { .. } | Self::Page => ErrorCode::IndexCorrupt,
            Self::Storage(_) => ErrorCode::Network,
        }
    }

    /// The error of an index of format 3 that was built before passages had names.
    pub(crate) fn nameless() -> Self {
        let (found, expected) = ("the first form of format 3, without names of passages", "format 3 with them");
        Self::Version { found: found.into(), expected: expected.into() }
    }

    pub(crate) fn corrupt(file: &str, reason: impl ToString) -> Self {
        Self::Corrupt { file: file.into(), reason: reason.to_string() }
    }
}
