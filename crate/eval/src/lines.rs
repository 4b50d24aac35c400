//! Files of JSON lines, and what Evident's own layouts have in common.

use std::fs::read_to_string;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{EvalError, unreadable};

/// The lines of a file that are not blank, each with its number, from 1, without a byte order mark. `problem` is what
/// is wrong with a line that is no `T`, such as "not a passage".
///
/// # Errors
/// [`EvalError::Unreadable`]; [`EvalError::BadLine`] for the first line that is no `T`.
pub fn json_lines<T: DeserializeOwned>(path: &Path, problem: &str) -> Result<Vec<(usize, T)>, EvalError> {
    let text = read_to_string(path).map_err(unreadable(path))?;
    let parse = |(line, number)| match serde_json::from_str(line) {
        Ok(value) => Ok((number, value)),
        Err(error) => Err(EvalError::BadLine { path: path.into(), line: number, why: format!("{problem} ({error})") }),
    };
    let lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
    lines.filter(|(line, _)| !line.trim().is_empty()).map(parse).collect()
}

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
