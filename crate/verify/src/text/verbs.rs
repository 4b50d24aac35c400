//! Which English words can be verbs, in lower case.

use crate::text::english::{IRREGULAR, VERBS};

/// Whether `word` can give an order: "heat", "visit".
pub(crate) fn is_base(word: &str) -> bool {
    VERBS.has(word)
}

/// Whether `word` can be the verb of a sentence in the present or past, whatever else it can be.
pub(crate) fn is_finite(word: &str) -> bool {
    IRREGULAR.has(word) || is_third_person(word) || is_past(word)
}

/// Whether `word` is a verb and seldom anything else: "is", "could", "wrote".
pub(crate) fn is_surely_finite(word: &str) -> bool {
    const OFTEN_ELSE: [&str; 18] = [
        "cost", "felt", "found", "hit", "lay", "left", "let", "lies", "meant", "put", "saw", "set", "shot", "split",
        "spread", "thought", "won", "wove",
    ];
    IRREGULAR.has(word) && !OFTEN_ELSE.contains(&word)
}

/// "boils", "carries", "reaches".
pub(crate) fn is_third_person(word: &str) -> bool {
    let Some(stem) = word.strip_suffix('s') else { return false };
    is_base(stem)
        || stem.strip_suffix('e').is_some_and(|stem| is_base(stem) && stem.ends_with(['s', 'x', 'z', 'h', 'o']))
        || stem.strip_suffix("ie").is_some_and(|stem| is_base(&format!("{stem}y")))
}

/// "boiled", "carried", "stopped", "changed".
pub(crate) fn is_past(word: &str) -> bool {
    word.strip_suffix("ed").is_some_and(|stem| stem.len() > 2 || is_base(stem) || is_base(&word[..word.len() - 1]))
}
