//! Values on their way to and from JavaScript.

use js_sys::Function;
use serde::Serialize;
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
