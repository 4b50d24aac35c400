//! The words of a sentence.

use crate::text::english::{DETERMINERS, PREPOSITIONS, Phrases};

/// A word of a sentence.
pub(crate) struct Word {
    /// Where it begins in the text, with the marks before it, in bytes.
    pub start: usize,
    /// Without the marks around it, in lower case, with a straight apostrophe.
    pub lower: String,
    pub is_capital: bool,
    /// Whether a comma, colon, dash or other mark follows it.
    pub is_pause: bool,
    /// Whether a colon follows it.
    pub is_colon: bool,
    /// Whether a dash by itself follows it.
    pub is_dash: bool,
}

/// The words of `text`.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for piece in text.split_whitespace() {
        let bare = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.is_empty() {
            if let (Some(last), true) = (words.last_mut(), piece.starts_with(['-', '–', '—', ','])) {
                last.is_pause = true;
                last.is_dash = !piece.starts_with(',');
            }
            continue;
        }
        words.push(Word {
            start: piece.as_ptr() as usize - text.as_ptr() as usize,
            lower: bare.to_lowercase().replace('’', "'"),
            is_capital: bare.starts_with(char::is_uppercase),
            is_pause: piece.ends_with([',', ';', ':', ')', '–', '—', '!', '.', '…']),
            is_colon: piece.ends_with(':'),
            is_dash: piece.ends_with(['–', '—']),
        });
    }
    words
}

/// The rest of `text` after `prefix`, which is in lower case and matches any case; `None` if `text` begins otherwise.
pub(crate) fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    for expected in prefix.chars() {
        let c = rest.next()?;
        let c = if c == '’' { '\'' } else { c };
        if !c.to_lowercase().eq([expected]) {
            return None;
        }
    }
    Some(rest.as_str())
}

/// The number of words of the longest phrase that `words` begin with; 0 if they begin with none.
pub(crate) fn starts(words: &[Word], phrases: &Phrases) -> usize {
    phrases.opening(words.iter().map(|word| word.lower.as_str()))
}

/// Whether one of the phrases is in `words`.
pub(crate) fn has(words: &[Word], phrases: &Phrases) -> bool {
    (0..words.len()).any(|at| starts(&words[at..], phrases) > 0)
}

/// Whether `words` begin with `phrase`.
pub(crate) fn says(words: &[Word], phrase: &str) -> bool {
    let mut said = words.iter().map(|word| word.lower.as_str());
    phrase.split(' ').all(|word| said.next() == Some(word))
}

/// Whether a noun follows the word: "the", "your", "three", "12".
pub(crate) fn is_determiner(word: &str) -> bool {
    DETERMINERS.has(word) || word.starts_with(|c: char| c.is_ascii_digit())
}

pub(crate) fn is_preposition(word: &str) -> bool {
    PREPOSITIONS.has(word)
}

/// Whether a noun rather than a verb follows the word.
pub(crate) fn is_adjective(word: &str) -> bool {
    const ENDINGS: [&str; 10] = ["ous", "ful", "ive", "able", "ible", "ical", "ic", "ary", "less", "est"];
    ENDINGS.iter().any(|ending| word.len() > 4 && word.ends_with(ending))
        || is_preposition(word)
        || matches!(
            word,
            "common"
                | "main"
                | "key"
                | "major"
                | "minor"
                | "new"
                | "old"
                | "good"
                | "bad"
                | "great"
                | "small"
                | "large"
                | "big"
                | "important"
                | "different"
                | "early"
                | "late"
                | "first"
                | "last"
                | "best"
                | "and"
                | "or"
        )
}

/// `text` with a capital at its start.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `text` with a small letter at its start.
pub(crate) fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
