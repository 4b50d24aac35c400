//! Passages as lines of JSON: `id`, `title`, `text`, and if wanted `section`, `source` and `names`.

use crate::build::error::BuildError;
use crate::format::passages::Passage;

/// The passage in one line of a JSONL file; `line` is the line's number, from 1.
///
/// # Errors
/// [`BuildError::NotAPassage`].
pub fn parse_line(text: &[u8], line: usize) -> Result<Passage, BuildError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text); // the byte order mark of UTF-8
    serde_json::from_slice(text).map_err(|error| {
        // The parser ends its message with a place inside this one line.
        let message = error.to_string();
        let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        BuildError::NotAPassage { line, reason: format!("{reason}, column {}", error.column()) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_json_is_a_passage() {
        assert_eq!(parse_line(br#"{"id":7,"title":"T","text":"x","extra":true}"#, 1).unwrap().id, "7");
        let line = br#"{"id":"b","title":"T","text":"y","section":"S","source":"https://example.org"}"#;
        assert_eq!(parse_line(line, 2).unwrap().section.as_deref(), Some("S"));
        let line = br#"{"id":"c","title":"Iron","text":"z","names":["ferrum","Fe"]}"#;
        assert_eq!(parse_line(line, 3).unwrap().names, ["ferrum", "Fe"]);
    }

    #[test]
    fn a_line_that_is_not_a_passage_is_named() {
        let error = parse_line(br#"{"id":2}"#, 2).unwrap_err().to_string();
        assert!(error.starts_with("line 2 is not a passage (missing field `title`, column 8)"), "{error}");
    }
}
