//! Untrusted text on a terminal.

/// The text on one line, without control characters, which could control the terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
