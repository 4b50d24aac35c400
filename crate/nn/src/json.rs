//! The JSON files of packs.

use serde::Deserialize;

use crate::error::PackError;
use crate::wrong_file;

/// Reads the JSON file `path` as `T`.
///
/// # Errors
/// [`PackError::Unreadable`] for JSON that is not a `T`, and for another file in its place.
pub(crate) fn parse_json<'a, T: Deserialize<'a>>(path: &str, json: &'a [u8]) -> Result<T, PackError> {
    serde_json::from_slice(json).map_err(|error| {
        let reason = wrong_file::named(json).map_or_else(|| error.to_string(), str::to_owned);
        PackError::Unreadable { path: path.to_owned(), reason }
    })
}
