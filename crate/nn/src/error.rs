//! Errors, each with a stable code that callers match on.

#[cfg(not(target_family = "wasm"))]
use std::{io, path::PathBuf};

use evident_base::{ErrorCode, Hash};
use thiserror::Error;

use crate::pack_json::{FORMAT, PACK};
use crate::wrong_file::WrongFile;

/// A pack that cannot be used. Every message names the file, tensor or model at fault.
#[derive(Debug, Error)]
pub enum PackError {
    /// A file that the manifest or the model names is not there.
    #[error("{path} is missing: fetch the whole pack again")]
    FileMissing {
        /// The file's path in the pack.
        path: String,
    },
    /// A file of another kind is in the place of one of the pack's.
    #[error("{}", in_place(path, *found))]
    WrongFile {
        /// The path in the pack of the file that should be there.
        path: String,
        /// What is there.
        found: WrongFile,
    },
    /// A pack of another format.
    #[error("pack.json has format {found}, and this version reads format {FORMAT}: {}", remedy(*found))]
    Version {
        /// The format that pack.json states.
        found: u64,
    },
    /// A pack.json that does not match its checksum.
    #[error(
        "pack.json has changed since its checksum was made: fetch it again, or if you changed it, run `evident pack seal` on \
         its folder"
    )]
    Checksum,
    /// Another pack than the caller expects.
    #[error(
        "this pack is not the one that is expected: its pack.json has the SHA-256 {found} and should have {expected}; see \
         whether the host has replaced it, and with what"
    )]
    Unexpected {
        /// Its SHA-256.
        found: String,
        /// The expected SHA-256.
        expected: Hash,
    },
    /// Bytes that differ from the manifest's size or SHA-256.
    #[error("{path} does not have the {expected} that its manifest states: fetch it again")]
    Altered {
        /// The file's path in the pack.
        path: String,
        /// What did not match: a size or a hash.
        expected: String,
    },
    /// A file that cannot be read as what it should be.
    #[error("{path} cannot be read: {reason}")]
    Unreadable {
        /// The file's path in the pack.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The manifest does not have the model asked for.
    #[error("the pack has no model {name:?}: it has {known:?}")]
    ModelMissing {
        /// The name asked for.
        name: String,
        /// The names that are there.
        known: Vec<String>,
    },
    /// A model of a kind, or with a setting, that this crate does not compute.
    #[error("{path}: {reason}")]
    Architecture {
        /// The model's config.json.
        path: String,
        /// The setting, and the values that are supported.
        reason: String,
    },
    /// A tensor whose bytes are not weights.
    #[error("tensor {tensor} in {path} cannot be read: {reason}")]
    Tensor {
        /// The file's path in the pack.
        path: String,
        /// The tensor's name in the file.
        tensor: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The weights do not have a tensor that the config calls for.
    #[error("tensor {tensor} is in none of {files:?}: the weights are of another architecture than the config")]
    TensorMissing {
        /// The tensor's name in the model.
        tensor: String,
        /// The weight files.
        files: Vec<String>,
    },
    /// There is no memory for a file.
    #[error(
        "{path} does not fit into memory, where {bytes} bytes more were wanted: take a smaller pack, or one in fewer bits"
    )]
    Memory {
        /// The file's path in the pack.
        path: String,
        /// The bytes that were asked for.
        bytes: u64,
    },
    /// The caller stopped the loading in a [pause](crate::pause_in_models).
    #[error("cancelled")]
    Cancelled,
    /// A tensor whose shape contradicts the config.
    #[error("tensor {tensor} in {path} has shape {found:?} where the config calls for {expected:?}")]
    Shape {
        /// The file's path in the pack.
        path: String,
        /// The tensor's name in the model.
        tensor: String,
        /// The shape that the config implies.
        expected: Vec<usize>,
        /// The shape in the file.
        found: Vec<usize>,
    },
}

impl PackError {
    /// The error for a file that should be JSON or safetensors but starts with these bytes: [`PackError::WrongFile`] if
    /// they are those of a known kind, else [`PackError::Unreadable`] with the `symptom`.
    pub(crate) fn of_start(path: &str, start: &[u8], symptom: impl FnOnce() -> String) -> Self {
        let path = path.to_owned();
        match WrongFile::of(start) {
            Some(found) => Self::WrongFile { path, found },
            None => Self::Unreadable { path, reason: symptom() },
        }
    }

    /// The stable code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::FileMissing { .. } => ErrorCode::PackMissing,
            Self::Version { .. } => ErrorCode::PackVersion,
            Self::Unexpected { .. } => ErrorCode::PackUnexpected,
            Self::WrongFile { .. }
            | Self::Checksum
            | Self::Altered { .. }
            | Self::Unreadable { .. }
            | Self::Tensor { .. } => ErrorCode::PackCorrupt,
            Self::ModelMissing { .. } | Self::Architecture { .. } | Self::TensorMissing { .. } | Self::Shape { .. } => {
                ErrorCode::PackArchitecture
            }
            Self::Memory { .. } => ErrorCode::OutOfMemory,
            Self::Cancelled => ErrorCode::Cancelled,
        }
    }
}

/// The message for a file of another kind in place of a pack's. pack.json is read first, so a page in its place usually
/// means that the pack's address is wrong.
fn in_place(path: &str, found: WrongFile) -> String {
    match (path, found) {
        (PACK, WrongFile::Page) => "the host answered with a page in place of pack.json: check the address, which is \
            that of the pack's folder, upload the whole folder, and see that the host has no page for files that are \
            not there"
            .to_owned(),
        _ => format!("{path} cannot be read: {}", found.reason()),
    }
}

/// What to do about a pack of another format.
fn remedy(found: u64) -> &'static str {
    match found {
        ..FORMAT => "`evident pack seal` on its folder converts it",
        _ => "take a newer version of Evident",
    }
}

/// The caller said in a pause that the work is to stop.
pub(crate) struct Cancelled;

impl From<Cancelled> for PackError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<Cancelled> for NnError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// A device or a computation that failed.
#[derive(Debug, Error)]
pub enum NnError {
    /// The backend is not compiled in, or the machine does not have it.
    #[error("{backend} is not available: {reason}; choose another backend")]
    BackendUnavailable {
        /// The backend asked for.
        backend: crate::backend::Backend,
        /// Why not.
        reason: String,
    },
    /// The device stopped giving results.
    #[error("the device was lost while computing: {reason}; open one again, or use the CPU")]
    BackendLost {
        /// What the device said.
        reason: String,
    },
    /// The device gives results that are not right.
    #[error(
        "the device computes wrongly: a number came out as {found} that its pack says is {stated}; use the CPU, or update the \
         browser and the graphics driver"
    )]
    BackendWrong {
        /// What the device gave.
        found: f32,
        /// What the pack states.
        stated: f32,
    },
    /// The caller stopped the model in a [pause](crate::pause_in_models).
    #[error("cancelled")]
    Cancelled,
    /// Text that the tokenizer refuses.
    #[error("the tokenizer cannot read this text: {reason}")]
    Tokenizer {
        /// What the tokenizer said.
        reason: String,
    },
}

impl NnError {
    /// The stable code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::BackendUnavailable { .. } => ErrorCode::BackendUnavailable,
            Self::BackendLost { .. } | Self::BackendWrong { .. } => ErrorCode::BackendLost,
            Self::Cancelled => ErrorCode::Cancelled,
            Self::Tokenizer { .. } => ErrorCode::Internal,
        }
    }
}

/// Why a pack could not be converted.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug, Error)]
pub enum ConvertError {
    /// The pack cannot be used.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The folder to write exists.
    #[error("{} is there already: name another folder", .0.display())]
    Exists(PathBuf),
    /// A checkpoint's model has no name that says what it does.
    #[error("the model in {} has no name: say what it does, as in verifier={}", .0.display(), .0.display())]
    Unnamed(PathBuf),
    /// A file could not be written.
    #[error("{} could not be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The caller stopped it.
    #[error("cancelled; nothing was written")]
    Cancelled,
}

#[cfg(not(target_family = "wasm"))]
impl ConvertError {
    /// The stable code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Pack(error) => error.code(),
            Self::Exists(_) | Self::Unnamed(_) => ErrorCode::BadInput,
            Self::Write { .. } => ErrorCode::Internal,
            Self::Cancelled => ErrorCode::Cancelled,
        }
    }
}
