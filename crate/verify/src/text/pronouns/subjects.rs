//! What a sentence is about: the subject before its first verb, or what it gives as an example.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::{BETWEEN, CARDINALS, NAMELESS};
use crate::text::verbs::{is_base, is_finite, is_surely_finite, is_third_person};

/// What a sentence is about: the few words before its first verb, if they name something.
pub(crate) fn subject(text: &str) -> Option<&str> {
    let mut end = 0;
    let mut last_capital = false;
    let mut previous = "";
    for (count, (at, word)) in
        text.split_word_bound_indices().filter(|(_, w)| w.starts_with(char::is_alphanumeric)).enumerate()
    {
        let capital = word.starts_with(char::is_uppercase);
        let is_noun_before = count > 0
            && !matches!(
                previous.to_lowercase().as_str(),
                "the" | "a" | "an" | "of" | "in" | "and" | "s" | "largest" | "first"
            );
        let next = text[at + word.len()..].unicode_words().next().unwrap_or_default();
        let is_plural = word.ends_with('s')
            && !is_surely_finite(word)
            && (is_plural_verb(next) || !is_third_person(word) && is_finite(next));
        let verb = !capital
            && !is_plural
            && (is_surely_finite(word)
                || (last_capital
                    && is_noun_before
                    && word.len() > 3
                    && (is_finite(word) || word.ends_with("ed") || word.ends_with('s')))
                || (last_capital && count == 1 && previous.ends_with('s') && is_base(word))
                || (is_noun_before && is_finite(word)));
        if verb {
            let name = text[..at].trim();
            let name = match name.rsplit_once(' ') {
                Some((name, last)) if BETWEEN.has(last) => name,
                _ => name,
            };
            return names(name).then_some(name);
        }
        if count >= 8 || text[end..at].contains([',', '(', ':', ';']) {
            let name = text[..end].trim();
            let apposed = last_capital && text[end..at].contains([',', '(']) && names(name);
            return apposed.then_some(name);
        }
        end = at + word.len();
        last_capital = capital;
        previous = word;
    }
    None
}

/// Whether the word can be the verb of a plural: "live" of "Emperor penguins live", "are".
fn is_plural_verb(word: &str) -> bool {
    matches!(word, "are" | "were" | "have" | "do" | "can" | "may" | "also" | "often")
        || word.len() > 4 && word.ends_with("ly")
        || is_base(word)
}

/// What a sentence gives as an example: "the ostrich" of "One example is the ostrich, which ...".
pub(super) fn example(text: &str) -> Option<&str> {
    let (before, rest) = text.split_once(" is ")?;
    let name = rest.split([',', '.', ';', '(']).next().unwrap_or_default().trim();
    let is_example = matches!(before.to_lowercase().as_str(), "one example" | "an example" | "another example");
    (is_example && (1..=4).contains(&name.split_whitespace().count())).then_some(name)
}

/// Whether words before a verb can stand for a pronoun later: not pronouns themselves, nor led by one.
pub(super) fn names(subject: &str) -> bool {
    let first = subject.unicode_words().next().unwrap_or_default().to_lowercase();
    let is_number = CARDINALS.has(&first) && first.len() == subject.len();
    let has_pronoun = subject.unicode_words().any(|word| matches!(word, "its" | "his" | "her" | "their"));
    let is_letter = subject.chars().count() == 1;
    !first.is_empty()
        && !is_letter
        && !is_number
        && !has_pronoun
        && !NAMELESS.has(&first)
        && !subject.contains("'s")
        && !subject.contains("’s")
}
