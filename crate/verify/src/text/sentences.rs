//! Splits a text into sentences.
//!
//! The base is the sentence boundary of Unicode Standard Annex 29. On top of it come the few rules that a chatbot's
//! English needs: Markdown blocks and line breaks end a sentence ([`crate::text::markdown`]), and a full stop after a title,
//! an initial or another abbreviation does not.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::markdown::blocks;

/// One sentence of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Where it stands in the text, in bytes, without the white space and marks around it.
    pub span: Range<usize>,
    /// What it says, without Markdown and on one line.
    pub text: String,
    /// Whether it stands in a heading.
    pub heading: bool,
}

/// The sentences of `text`, in order.
///
/// ```
/// let text = "- **Dr. Who** began in 1963. It is British.";
/// let found = evident_verify::sentences(text);
/// assert_eq!(found[0].text, "Dr. Who began in 1963.");
/// assert_eq!(&text[found[1].span.clone()], "It is British.");
/// ```
#[must_use]
pub fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    for block in blocks(text) {
        let prose = block.text();
        let mut start = 0;
        let mut close = |end: usize| {
            let span = start..start + prose[start..end].trim_end().len();
            start = end;
            let text = prose[span.clone()].replace('\n', " ");
            found.push(Sentence { text, span: block.source(span), heading: block.heading() });
        };
        let mut open = 0;
        for (at, next) in prose.split_sentence_bound_indices() {
            if ends_sentence(&prose[open..at], next) {
                close(at);
                open = at;
            }
        }
        close(prose.len());
    }
    found
}

/// After these a full stop never ends a sentence.
const LEADING: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "gen", "sen", "rep", "gov", "capt", "lt", "col", "sgt", "rev", "hon", "mt",
    "ft", "vs", "e.g", "i.e", "cf", "fig", "no", "nos", "vol", "pp", "ca", "approx",
];

/// After these, initials and dotted abbreviations a full stop ends a sentence only before one of [`STARTERS`].
const TRAILING: &[&str] = &[
    "jr", "sr", "inc", "ltd", "co", "corp", "etc", "al", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
    "sept", "oct", "nov", "dec",
];

/// Words that often open a sentence and seldom go on with a name.
pub(crate) const STARTERS: &[&str] = &[
    "a", "after", "all", "also", "although", "an", "and", "as", "at", "because", "before", "but", "by", "during",
    "each", "for", "from", "he", "her", "his", "however", "i", "if", "in", "it", "its", "many", "most", "no", "on",
    "one", "our", "she", "since", "so", "some", "that", "the", "their", "there", "these", "they", "this", "those",
    "to", "today", "we", "what", "when", "where", "which", "while", "who", "with", "yes", "you", "your",
];

/// Whether the boundary that Annex 29 sees between `before` and `after` ends a sentence.
fn ends_sentence(before: &str, after: &str) -> bool {
    let Some(first) = after.chars().find(|c| c.is_alphanumeric()) else { return false };
    if first.is_lowercase() || !before.contains(char::is_alphanumeric) {
        return false;
    }
    let Some(stem) = before.split_whitespace().next_back().and_then(|word| word.strip_suffix('.')) else { return true };
    if stem.is_empty() && before.ends_with('.') {
        return false; // a name that begins with a dot, as in "the .NET platform"
    }
    if before.ends_with('\n') {
        return true;
    }
    let stem = stem.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    if LEADING.contains(&stem.as_str()) {
        return false;
    }
    let initial = stem.chars().count() == 1 && stem.contains(char::is_alphabetic);
    if initial || stem.contains('.') || TRAILING.contains(&stem.as_str()) {
        return after.unicode_words().next().is_some_and(|word| STARTERS.contains(&word.to_lowercase().as_str()));
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<String> {
        sentences(text).into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn plain_sentences_are_split() {
        assert_eq!(
            texts("Iron is a metal. It rusts! Does it? Yes."),
            ["Iron is a metal.", "It rusts!", "Does it?", "Yes."]
        );
    }

    #[test]
    fn abbreviations_initials_and_decimals_do_not_end_a_sentence() {
        for whole in [
            "Dr. Smith met Mrs. Jones at St. Paul's.",
            "Gases, e.g. Argon, are inert.",
            "The U.S. Army has 3.5 million boots.",
            "J. K. Rowling and John F. Kennedy never met.",
            "J.R.R. Tolkien wrote it in approx. 12 years.",
            "Acme Inc. Europe was founded on Dec. 24 of that year.",
            "\"Stop!\" he said.",
            "He lives at No. 10 Downing Street.",
            "It is part of the .NET platform.",
        ] {
            assert_eq!(texts(whole), [whole]);
        }
    }

    #[test]
    fn an_abbreviation_before_a_sentence_starter_ends_it() {
        assert_eq!(
            texts("He moved to the U.S. The climate suited him."),
            ["He moved to the U.S.", "The climate suited him."]
        );
        assert_eq!(
            texts("Oranges hold vitamin C. It prevents scurvy."),
            ["Oranges hold vitamin C.", "It prevents scurvy."]
        );
    }

    #[test]
    fn line_breaks_and_list_items_end_a_sentence_unless_a_lower_case_letter_goes_on() {
        assert_eq!(
            texts("Metals:\n- **Iron**\n- Tin, which\n  is soft\nGases\n# Noble\nArgon"),
            ["Metals:", "Iron", "Tin, which is soft", "Gases", "Noble", "Argon"]
        );
    }

    #[test]
    fn spans_point_into_the_text_as_it_was() {
        let text = "1. **Paris** is in France.[1] 🎉\r\n2. _Lyon_ too. 日本は国。東京は首都。";
        let found: Vec<&str> = sentences(text).into_iter().map(|s| &text[s.span]).collect();
        assert_eq!(found, ["Paris** is in France.[1] 🎉", "Lyon_ too.", "日本は国。", "東京は首都。"]);
    }

    #[test]
    fn one_word_emoji_and_right_to_left_text_are_sentences() {
        assert_eq!(texts("Paris"), ["Paris"]);
        assert_eq!(texts("🎉🎉"), ["🎉🎉"]);
        assert_eq!(texts("باريس عاصمة فرنسا. هل تعرف؟ نعم."), ["باريس عاصمة فرنسا.", "هل تعرف؟", "نعم."]);
        assert!(texts(" \n\t ").is_empty());
        assert!(texts("---\n").is_empty());
    }

    proptest! {
        #[test]
        fn spans_are_in_order_disjoint_and_inside_the_text(text in r#"([a-zA-Z0-9 .!?\n*_`#>\[\]()|-]|日|。|é|🎉|\PC){0,80}"#) {
            let mut end = 0;
            for sentence in sentences(&text) {
                prop_assert!(end <= sentence.span.start && sentence.span.start < sentence.span.end);
                prop_assert!(text.get(sentence.span.clone()).is_some());
                prop_assert!(!sentence.text.is_empty() && sentence.text.trim() == sentence.text);
                end = sentence.span.end;
            }
        }

        #[test]
        fn text_without_marks_is_covered_but_for_white_space(text in r#"([a-zA-Z,;:'"“” .!?\n]|日|。|é|🎉|ل){0,80}"#) {
            let mut rest = text.clone();
            for sentence in sentences(&text).into_iter().rev() {
                prop_assert!(text[sentence.span.clone()].split_whitespace().eq(sentence.text.split_whitespace()));
                rest.replace_range(sentence.span, "");
            }
            prop_assert_eq!(rest.trim(), "");
        }
    }
}
