//! Which English words can be verbs, in lower case.

use crate::text::english::{AUXILIARIES, IRREGULAR, PASTS, VERBS};

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

/// Whether `word` is a verb that a question begins with, or its negation: "is", "didn't".
pub(crate) fn is_auxiliary(word: &str) -> bool {
    word == "cannot" || AUXILIARIES.has(word.strip_suffix("n't").unwrap_or(word)) || matches!(word, "can't" | "won't")
}

/// The form of `verb` that replaces `auxiliary` and its infinitive: "won" for "did", "wins" for "does", itself for any
/// other.
pub(crate) fn form(verb: &str, auxiliary: &str) -> String {
    let stem = verb.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match (auxiliary, stem) {
        ("did", _) => past(verb, stem),
        ("does", _) if verb == "have" => "has".to_owned(),
        ("does", _) if verb == "be" => "is".to_owned(),
        ("does", Some(stem)) => format!("{stem}ies"),
        ("does", None) if verb.ends_with(['s', 'x', 'z', 'o']) || verb.ends_with("ch") || verb.ends_with("sh") => {
            format!("{verb}es")
        }
        ("does", None) => format!("{verb}s"),
        _ => verb.to_owned(),
    }
}

/// The past of `verb`; `stem` is what stands before a final "y" behind a consonant.
fn past(verb: &str, stem: Option<&str>) -> String {
    const DOUBLING: [&str; 8] = ["commit", "drop", "occur", "permit", "plan", "refer", "ship", "stop"];
    match (PASTS.get(verb), stem) {
        (Some(past), _) => (*past).to_owned(),
        (None, Some(stem)) => format!("{stem}ied"),
        (None, None) if verb.ends_with('e') => format!("{verb}d"),
        (None, None) if DOUBLING.contains(&verb) => format!("{verb}{}ed", &verb[verb.len() - 1..]),
        (None, None) => format!("{verb}ed"),
    }
}
