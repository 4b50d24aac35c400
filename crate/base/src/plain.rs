//! Texts from elsewhere on a terminal. Control characters in them could move its cursor, hide what stands there or set
//! its title, and bidirectional controls could show words in another order than they have.

use std::io::{self, Write};

/// The text as a terminal may show it: control characters, but for line breaks and tabs, and bidirectional controls
/// stand as escapes such as `\u{1b}`.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if controls(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// As [`plain`], on one line: a space stands for each line break and tab.
#[must_use]
pub fn plain_line(text: &str) -> String {
    plain(&text.replace(['\r', '\n', '\t'], " "))
}

/// A writer for a terminal, which writes every text as [`plain`] makes it. A single write holds whole characters, as
/// those of `write!` do.
#[derive(Debug)]
pub struct PlainWriter<W>(pub W);

impl<W: Write> Write for PlainWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(plain(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether a terminal would obey the character instead of showing it. The ranges are those of the bidirectional
/// embeddings, overrides and isolates (UAX #9).
fn controls(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown_and_all_else_stays() {
        let text = "Zürich\t→ 北京 עברית\nnext";
        assert_eq!(plain(text), text);
        assert_eq!(plain("\u{1b}[2J\u{7}\r\u{9b}31m\u{7f}"), r"\u{1b}[2J\u{7}\r\u{9b}31m\u{7f}");
        assert_eq!(plain("a\u{202e}b\u{2066}c\u{2069}"), r"a\u{202e}b\u{2066}c\u{2069}");
        assert_eq!(plain_line("one\r\ntwo\tthree\u{1b}"), r"one  two three\u{1b}");
    }

    #[test]
    fn a_writer_writes_plain_texts() {
        let mut out = Vec::new();
        let text = "ü\u{1b}c";
        writeln!(PlainWriter(&mut out), "{text}: {}", 7).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "ü\\u{1b}c: 7\n");
    }
}
