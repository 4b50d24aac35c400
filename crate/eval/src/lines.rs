//! What Evident's own layouts of JSON lines have in common.

use serde::Deserialize;
use serde_json::Value;

/// A passage that comes with a row.
#[derive(Deserialize)]
pub(crate) struct GivenPassage {
    #[serde(default)]
    pub title: String,
    pub text: String,
}

/// A string, number or truth value as text: an id, or the value of a group.
pub(crate) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}
