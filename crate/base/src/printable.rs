//! Texts of strangers on a terminal.

/// The text on one line, without the control characters that would steer a terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
