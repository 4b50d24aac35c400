//! Why a file did not come.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// A request is given up after this silence. Two of them, and the file fetched in place of a range, are over before the
/// page loses patience with the worker (web/package/src/session.ts).
pub const PATIENCE_MS: u32 = 15_000;

/// Why a file could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The host answered that there is no such file.
    #[error("{url} is not there (HTTP {status}): check the address, and that the file was uploaded")]
    Missing {
        /// The address asked for.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// The host could not be reached, or did not send the file.
    #[error("{url} could not be fetched: {reason}; check the connection and try again")]
    Network {
        /// The address asked for.
        url: String,
        /// Why it did not come.
        reason: Reason,
    },
}

/// Why a file did not come, though it may be there.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The host fell silent.
    #[error("the host sent nothing for {} seconds", PATIENCE_MS / 1000)]
    Silence,
    /// What the browser or the host said.
    #[error("{0}")]
    Said(String),
}

/// The message of a JavaScript error.
pub fn describe(error: &JsValue) -> String {
    Reflect::get(error, &"message".into())
        .ok()
        .and_then(|message| message.as_string())
        .unwrap_or_else(|| format!("{error:?}"))
}
