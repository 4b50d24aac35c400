//! The JSON files of packs.

use serde::Deserialize;

use crate::error::PackError;

/// Reads the JSON file `path` as `T`.
///
/// # Errors
/// [`PackError::Unreadable`] for JSON that is not a `T`, [`PackError::WrongFile`] for another file in its place.
pub(crate) fn parse_json<'a, T: Deserialize<'a>>(path: &str, json: &'a [u8]) -> Result<T, PackError> {
    serde_json::from_slice(json).map_err(|error| PackError::of_start(path, json, || error.to_string()))
}
