//! Passages in JSONL: one object per line, with `id`, `title`, `text`, and if wanted `section`, `source` and
//! `names`.

use std::io::BufRead;
use std::path::PathBuf;

use evident_index::{BuildError, Passage, parse_line};

use crate::error::CorpusError;
use crate::lines::Lines;

/// The passages of the file at `path`, whose text is `lines`.
pub(crate) fn passages(path: PathBuf, mut lines: Lines) -> impl Iterator<Item = Result<Passage, CorpusError>> {
    let mut text = Vec::new();
    std::iter::from_fn(move || {
        let ended = loop {
            text.clear();
            lines.begin();
            match lines.read_until(b'\n', &mut text) {
                Ok(0) => return None,
                Ok(_) if text.iter().all(u8::is_ascii_whitespace) => {}
                Ok(_) => break Ok(()),
                Err(source) => break Err(lines.failed(&path, source)),
            }
        };
        let line = lines.line() - usize::from(text.ends_with(b"\n"));
        Some(ended.and_then(|()| {
            parse_line(&text, line).map_err(|error| {
                let reason = match error {
                    BuildError::NotAPassage { reason, .. } => reason,
                    error => error.to_string(),
                };
                CorpusError::NotAPassage { path: path.clone(), line, reason }
            })
        }))
    })
}
