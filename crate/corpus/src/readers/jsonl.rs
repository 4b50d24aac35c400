//! Passages in JSONL: one object per line, with `id`, `title`, `text`, and if wanted `section`, `source` and `names`;
//! or with fields of other names.

use std::path::PathBuf;

use evident_index::{BuildError, Passage, parse_line};

use crate::error::CorpusError;
use crate::fields::Fields;
use crate::lines::Lines;

/// The passages of the file at `path`, whose text is `lines`.
pub(crate) fn passages(
    path: PathBuf,
    mut lines: Lines,
    fields: Option<Fields>,
) -> impl Iterator<Item = Result<Passage, CorpusError>> {
    let mut text = Vec::new();
    std::iter::from_fn(move || {
        let line = match lines.next_line(&mut text) {
            Ok(line) => line?,
            Err(source) => return Some(Err(lines.failed(&path, source))),
        };
        let passage = match &fields {
            Some(fields) => fields.passage(&text, line),
            None => parse_line(&text, line).map_err(|error| match error {
                BuildError::NotAPassage { reason, .. } => reason,
                error => error.to_string(),
            }),
        };
        Some(passage.map_err(|reason| CorpusError::NotAPassage { path: path.clone(), line, reason }))
    })
}
