//! Values on their way to and from JavaScript.

use js_sys::{Function, JSON};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

use crate::error::WebError;

/// A value as plain JavaScript objects, arrays, numbers and strings.
pub fn plain(value: &impl Serialize) -> Result<JsValue, WebError> {
    Ok(value.serialize(&Serializer::json_compatible())?)
}

/// Calls back with `event` as a plain object. A callback that throws does not stop the work.
pub fn emit(callback: &Function, event: &impl Serialize) {
    if let Ok(event) = event.serialize(&Serializer::json_compatible()) {
        let _ = callback.call1(&JsValue::NULL, &event);
    }
}

/// The value that [`plain`] objects stand for. It is read as JSON, so that a field that `T` does not know is an error:
/// `serde_wasm_bindgen` looks only for those that it knows. The last digit of a number may differ from what was
/// written.
///
/// # Errors
/// [`WebError::Options`], which names the field.
pub fn from_plain<T: DeserializeOwned>(value: &JsValue) -> Result<T, WebError> {
    let json = JSON::stringify(value).ok().and_then(|json| json.as_string());
    serde_json::from_str(json.as_deref().unwrap_or("{}")).map_err(|error| {
        let message = error.to_string();
        let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        WebError::Options(reason.to_owned())
    })
}
