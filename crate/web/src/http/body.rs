//! The body of a response, chunk by chunk.

use gloo_timers::callback::Timeout;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStream, ReadableStreamDefaultReader};

use crate::http::error::{FetchError, PATIENCE_MS, Reason, describe};

/// The bytes of a file as they come.
pub struct Body {
    url: String,
    reader: ReadableStreamDefaultReader,
    /// Aborts the exchange; `None` for a body from a cache.
    controller: Option<AbortController>,
}

impl Body {
    /// The body of the response to `url`, which `controller` aborts; a response from a cache has none.
    pub fn new(url: &str, stream: ReadableStream, controller: Option<AbortController>) -> Self {
        Self { url: url.to_owned(), reader: stream.get_reader().unchecked_into(), controller }
    }

    /// The next chunk; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<Uint8Array>, FetchError> {
        let read = {
            let _patience = self.controller.as_ref().map(patience);
            JsFuture::from(self.reader.read()).await
        };
        let chunk = read.map_err(|error| self.broken(&error))?;
        if Reflect::get(&chunk, &"done".into()).is_ok_and(|done| done.is_truthy()) {
            return Ok(None);
        }
        let bytes = Reflect::get(&chunk, &"value".into()).and_then(JsCast::dyn_into);
        bytes.map(Some).map_err(|error| self.broken(&error))
    }

    fn broken(&self, error: &JsValue) -> FetchError {
        let reason = reason(self.controller.as_ref(), || describe(error));
        FetchError::Network { url: self.url.clone(), reason }
    }
}

/// Aborts an exchange in a while, unless the timer is dropped before.
pub(super) fn patience(controller: &AbortController) -> Timeout {
    let controller = controller.clone();
    Timeout::new(PATIENCE_MS, move || controller.abort())
}

/// Why an exchange broke off: it was silent for too long, or what the browser said.
pub(super) fn reason(controller: Option<&AbortController>, said: impl FnOnce() -> String) -> Reason {
    match controller {
        Some(controller) if controller.signal().aborted() => Reason::Silence,
        _ => Reason::Said(said()),
    }
}
