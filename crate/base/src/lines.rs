//! Files of JSON lines.

use std::fs::read_to_string;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::code::ErrorCode;

/// Why a file of JSON lines was not read.
#[derive(Debug, thiserror::Error)]
pub enum LinesError {
    /// It cannot be read at all.
    #[error("{} could not be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// A line of it is not in its layout.
    #[error("{} line {line}: {why}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The fault, and the remedy.
        why: String,
    },
}

impl LinesError {
    /// The stable name of this kind of error.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        ErrorCode::BadInput
    }
}

/// The lines of a file that are not blank, each with its number, from 1, without a byte order mark. `problem` is what
/// is wrong with a line that is no `T`, such as "not a passage".
///
/// # Errors
/// [`LinesError::Unreadable`]; [`LinesError::BadLine`] for the first line that is no `T`.
pub fn json_lines<T: DeserializeOwned>(path: &Path, problem: &str) -> Result<Vec<(usize, T)>, LinesError> {
    let text = read_to_string(path).map_err(|source| LinesError::Unreadable { path: path.into(), source })?;
    let parse = |(line, number)| match serde_json::from_str(line) {
        Ok(value) => Ok((number, value)),
        Err(error) => {
            let why = format!("{problem} ({error})");
            Err(LinesError::BadLine { path: path.into(), line: number, why })
        }
    };
    let lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
    lines.filter(|(line, _)| !line.trim().is_empty()).map(parse).collect()
}
