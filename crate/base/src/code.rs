//! The stable codes of errors.

use std::fmt;

use serde::Serialize;

/// The stable name of a kind of error, for programs that branch on it; docs/errors.md of the npm package says what to
/// do about each. It prints as it stands in JSON, such as "empty-answer".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// The answer has nothing to check.
    EmptyAnswer,
    /// The answer is longer than the settings allow.
    AnswerTooLong,
    /// The question is longer than the settings allow.
    QuestionTooLong,
    /// A setting or an option is unknown, out of its range, or contradicts another.
    BadSettings,
    /// The passages cannot be indexed.
    BadPassages,
    /// The caller stopped the work.
    Cancelled,
    /// A file could not be fetched or read.
    Network,
    /// There is no index at the place.
    IndexMissing,
    /// The index has a format that this version does not read.
    IndexVersion,
    /// A file of the index is not what its manifest says.
    IndexCorrupt,
    /// The index is another one than the caller expects.
    IndexUnexpected,
    /// The index is not signed by the key that the caller names.
    IndexUnsigned,
    /// The index is an older one than its key has signed before.
    IndexRollback,
    /// There is no pack at the place, or a file of it is missing.
    PackMissing,
    /// The pack has a format that this version does not read.
    PackVersion,
    /// A file of the pack is not what its manifest says.
    PackCorrupt,
    /// The pack is another one than the caller expects.
    PackUnexpected,
    /// The pack is not signed by the key that the caller names.
    PackUnsigned,
    /// The pack is an older one than its key has signed before.
    PackRollback,
    /// The pack's models are not of the kinds that are needed.
    PackArchitecture,
    /// The browser cannot check signatures.
    SignatureUnavailable,
    /// The backend is not compiled in, or the machine does not have it.
    BackendUnavailable,
    /// The device stopped giving results.
    BackendLost,
    /// The pack does not fit into memory.
    OutOfMemory,
    /// A fault of this program.
    Internal,
    /// A file that the command line was given cannot be used.
    #[cfg_attr(feature = "types", ts(skip))]
    BadInput,
    /// The index cannot be written to the disk.
    #[cfg_attr(feature = "types", ts(skip))]
    IndexUnwritable,
    /// The build of an index was stopped.
    #[cfg_attr(feature = "types", ts(skip))]
    Stopped,
    /// The command line may not fetch a pack's files, or cannot.
    #[cfg_attr(feature = "types", ts(skip))]
    Offline,
    /// A host does not give a pack's file.
    #[cfg_attr(feature = "types", ts(skip))]
    FetchFailed,
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}

impl PartialEq<&str> for ErrorCode {
    /// Compares the code's printed name.
    fn eq(&self, name: &&str) -> bool {
        let own = self.to_string();
        own == *name
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorCode;

    #[test]
    fn a_code_prints_as_in_json() {
        assert_eq!(ErrorCode::BackendUnavailable, "backend-unavailable");
        assert_ne!(ErrorCode::Internal, "empty-answer");
        assert_eq!(serde_json::to_string(&ErrorCode::OutOfMemory).unwrap(), "\"out-of-memory\"");
    }
}
