//! Errors as JavaScript sees them: an `Error` with a stable `code`.

use evident_index::{BuildError, ErrorCode, IndexError};
use evident_nn::{NnError, PackError};
use evident_verify::{RoleError, VerifyError};
use js_sys::Reflect;
use wasm_bindgen::JsValue;

use crate::http::error::FetchError;

/// Anything that can go wrong in the engine.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// The index could not be opened or read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The reader's own passages could not be indexed.
    #[error("{place}{source}")]
    Build {
        /// The file and a colon, or nothing if the error is about all files.
        place: String,
        /// What is wrong.
        source: BuildError,
    },
    /// Two files of the reader's own share an id.
    #[error("{file}: line {line}: the id {id:?} is already that of line {first} of {other}: give each passage its own")]
    SharedId {
        /// The later file.
        file: String,
        /// The line there.
        line: usize,
        /// The earlier file.
        other: String,
        /// The line there.
        first: usize,
        /// Their id.
        id: String,
    },
    /// A device or a model failed.
    #[error(transparent)]
    Nn(#[from] NnError),
    /// This version cannot read the pack, or a file of it is not what its manifest says.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A model of the pack does not fit its role.
    #[error(transparent)]
    Model(#[from] RoleError),
    /// A model was named for a role that there is not.
    #[error("there is no role {name}: a model is for nli, verifier, relevance, embedder, lm, seq2seq or discourse")]
    Role {
        /// The name.
        name: String,
    },
    /// The verification could not run or was cancelled.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// A file of the pack could not be fetched.
    #[error("the pack could not be loaded: {0}")]
    Fetch(#[from] FetchError),
    /// The options are not the engine's.
    #[error("the options are not right: {0}")]
    Options(String),
}

impl From<serde_wasm_bindgen::Error> for WebError {
    fn from(error: serde_wasm_bindgen::Error) -> Self {
        Self::Options(error.to_string())
    }
}

impl WebError {
    /// The stable code of this error, the same as on the command line.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Index(e) => e.code(),
            Self::Build { source, .. } => source.code(),
            Self::SharedId { .. } => ErrorCode::BadPassages,
            Self::Nn(e) => e.code(),
            Self::Pack(e) => e.code(),
            Self::Model(e) => e.code(),
            Self::Verify(e) => e.code(),
            Self::Fetch(FetchError::Missing { .. }) => ErrorCode::PackMissing,
            Self::Fetch(FetchError::Network { .. }) => ErrorCode::Network,
            Self::Options(_) | Self::Role { .. } => ErrorCode::BadSettings,
        }
    }
}

impl From<WebError> for JsValue {
    fn from(error: WebError) -> Self {
        let js = js_sys::Error::new(&error.to_string());
        // Setting a plain property of an object that was just made cannot fail.
        let _ = Reflect::set(&js, &"code".into(), &error.code().to_string().into());
        js.into()
    }
}
