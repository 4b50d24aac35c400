//! Kinds of sentences and risks in words, and texts on one line.

use evident_verify::{Risk, SentenceKind};

/// A kind of sentence, as one says it.
#[must_use]
pub fn kind_name(kind: SentenceKind) -> &'static str {
    match kind {
        SentenceKind::Claim => "a claim",
        SentenceKind::Question => "a question",
        SentenceKind::Instruction => "an instruction",
        SentenceKind::Opinion => "an opinion",
        SentenceKind::Pleasantry => "a pleasantry",
        SentenceKind::Judgment => "a judgment",
        SentenceKind::Forecast => "a forecast",
        SentenceKind::Fragment => "a fragment",
        SentenceKind::Unresolved => "not clear by itself",
        SentenceKind::Language => "not in English",
        SentenceKind::Formula => "with a formula that cannot be told in words",
    }
}

/// A risk, as one says it.
#[must_use]
pub fn risk_name(risk: Risk) -> &'static str {
    match risk {
        Risk::Numeral => "a number",
        Risk::Context => "leans on its context",
        Risk::RareName => "a name seldom seen in the index",
        Risk::AfterUnfactual => "after a sentence that is not factual",
        Risk::Wording => "depends on the wording",
    }
}

/// The text on one line, without the control characters that would steer a terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
