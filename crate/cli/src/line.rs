//! What the lines of Evident's own JSON layouts have in common.

use serde::Deserialize;
use serde_json::Value;

/// A passage that comes with a row.
#[derive(Deserialize)]
pub struct Given {
    #[serde(default)]
    pub title: String,
    pub text: String,
}

/// A value without parts, as text: an id, or the name of a group.
pub fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}
