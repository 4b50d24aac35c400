//! English: words in lower case without stop words, stemmed.

use std::collections::HashMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

/// The analysis's name and version. Any change to the terms is a new version.
pub(super) const NAME: &str = "english/2";

/// Lucene's English stop words (`EnglishAnalyzer`).
const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
];

/// The stop words as [`packed`] makes them.
const PACKED_STOP_WORDS: [u64; STOP_WORDS.len()] = {
    let mut all = [0; STOP_WORDS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = packed(STOP_WORDS[at].as_bytes());
        at += 1;
    }
    all
};

/// This many stop words in a row form a term, so that "to be or not to be" can be found.
const RUN: usize = 4;

/// The most letters of the shorter part of a compound that is also written as one word: "Wi-Fi", "e-mail".
const SHORT: usize = 3;

/// Plurals that a stemmer does not know, each with its singular.
static PLURALS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| include_str!("plurals.txt").lines().skip(1).filter_map(|line| line.split_once(' ')).collect());

/// True for a stop word, in capitals or not. It runs for every word of a text, so it allocates no string.
fn is_stop_word(word: &str) -> bool {
    word.len() < size_of::<u64>() && PACKED_STOP_WORDS.contains(&packed(word.as_bytes()))
}

/// A word of less than eight bytes as one integer, with ASCII's letters in lower case. A 1 before the letters marks the
/// length.
const fn packed(word: &[u8]) -> u64 {
    let (mut packed, mut at) = (1, 0);
    while at < word.len() {
        packed = packed << u8::BITS | word[at].to_ascii_lowercase() as u64;
        at += 1;
    }
    packed
}

/// The stretches of a normalised text that terms are made of, in its order: words by UAX #29, with the signs of "C++"
/// and "C#"; compounds of two words, one of them short, after their first word; and every four stop words in a row.
pub(super) fn stretches(text: &str) -> Vec<&str> {
    let words: Vec<(usize, &str)> = text.unicode_word_indices().collect();
    let mut found = Vec::with_capacity(words.len());
    let mut run = 0;
    for (at, &(start, word)) in words.iter().enumerate() {
        let end = start + word.len();
        found.push(&text[start..end + signs(word, &text[end..])]);
        if let Some(&(next, second)) = words.get(at + 1)
            && is_compound(word, &text[end..next], second)
            && !text[..start].ends_with('-')
            && !text[next + second.len()..].starts_with('-')
        {
            found.push(&text[start..next + second.len()]);
        }
        run = if is_stop_word(word) { run + 1 } else { 0 };
        if run >= RUN {
            found.push(&text[words[at + 1 - RUN].0..end]);
        }
    }
    found
}

/// The bytes of the signs that belong to a letter: those of "C++", "C#" and "F#".
fn signs(word: &str, rest: &str) -> usize {
    let length = match rest.as_bytes() {
        [b'+', b'+', ..] => 2,
        [b'#', ..] => 1,
        _ => 0,
    };
    let ends = !rest[length..].starts_with(|c: char| c.is_alphanumeric());
    if word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic()) && ends { length } else { 0 }
}

fn is_compound(first: &str, between: &str, second: &str) -> bool {
    let are_letters = [first, second].iter().all(|word| word.chars().all(char::is_alphabetic));
    matches!(between, "-" | "\u{2010}") && are_letters && first.chars().count().min(second.chars().count()) <= SHORT
}

/// The term of a stretch; `None` for a stop word. Years and decimal numbers stay as they are; the commas of `1,234,567`
/// are removed, so that it matches `1234567`. Other words are stemmed by Snowball's English stemmer (Porter 2).
pub(super) fn term(stretch: &str) -> Option<String> {
    let word = stretch.to_lowercase();
    if word.chars().all(char::is_alphanumeric) {
        return stemmed(&word); // most words
    }
    let word = word.replace('’', "'").replace(',', "");
    let words: Vec<&str> = word.unicode_words().collect();
    if words.len() == RUN {
        return Some(words.join(" "));
    }
    if word.ends_with(['+', '#']) {
        return Some(word);
    }
    let joined: String = if is_abbreviation(&word) {
        word.replace('.', "")
    } else {
        word.chars().filter(|c| !matches!(c, '-' | '\u{2010}')).collect()
    };
    stemmed(without_article(&joined))
}

/// A word in lower case without its ending; `None` for a stop word.
fn stemmed(word: &str) -> Option<String> {
    (!is_stop_word(word)).then(|| {
        let word = word.strip_suffix("'s").unwrap_or(word);
        let word = PLURALS.get(word).copied().unwrap_or(word);
        Stemmer::create(Algorithm::English).stem(word).into_owned()
    })
}

/// Whether points stand between single letters: "U.S".
fn is_abbreviation(word: &str) -> bool {
    word.contains('.') && word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic))
}

/// A word without a French article before its apostrophe: "l'Hôpital", "d'Ivoire".
fn without_article(word: &str) -> &str {
    let behind = ["l'", "d'", "qu'"].iter().find_map(|article| word.strip_prefix(article));
    behind.filter(|rest| rest.chars().count() > 1).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::{PLURALS, STOP_WORDS, is_stop_word};
    use crate::analysis::Analysis;

    fn terms(text: &str) -> Vec<String> {
        Analysis::ENGLISH.terms(text).collect()
    }

    #[test]
    fn inflections_meet() {
        assert_eq!(terms("connected CONNECTING connection"), ["connect"; 3]);
        assert_eq!(terms("Einstein's Einstein’s Einstein"), ["einstein"; 3]);
        assert_eq!(terms("Geese, mice, children, wolves"), terms("goose mouse child wolf"));
        assert!(PLURALS.len() > 40);
    }

    #[test]
    fn stop_words_go_whatever_their_letters() {
        assert_eq!(terms("It was not"), [""; 0]);
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word) && is_stop_word(&word.to_uppercase())));
        assert!(
            ["", "thei", "theirs", "hte", "\u{0}a", "it\u{301}", "thethethe"].iter().all(|word| !is_stop_word(word))
        );
    }

    #[test]
    fn four_stop_words_in_a_row_are_a_term() {
        assert_eq!(terms("To be, or not to be"), ["to be or not", "be or not to", "or not to be"]);
        assert_eq!(terms("It is in the house"), ["it is in the", "hous"]);
    }

    #[test]
    fn a_name_of_nothing_but_stop_words_keeps_them() {
        let name = |text| Analysis::ENGLISH.name_terms(text).collect::<Vec<_>>();
        assert_eq!((name("It"), name("The Who")), (vec!["it".into()], vec!["who".into()]));
    }

    #[test]
    fn numbers_and_years_stay() {
        assert_eq!(terms("3.14 in 1999, 12,742 km"), ["3.14", "1999", "12742", "km"]);
        assert_eq!(terms("10³⁰"), terms("10^30"));
    }

    #[test]
    fn articles_points_hyphens_and_signs_are_read() {
        assert_eq!(terms("l'Hôpital, Côte d’Ivoire"), ["hopit", "cote", "ivoir"]);
        assert_eq!(terms("O'Brien"), ["o'brien"]);
        assert_eq!(terms("the U.S. and the US"), ["us", "us"]);
        assert_eq!(terms("Wi-Fi e-mail"), ["wi", "wifi", "fi", "e", "email", "mail"]);
        assert_eq!(terms("long-term state-of-the-art"), ["long", "term", "state", "art"]);
        assert_eq!(terms("C, C++ and C#."), ["c", "c++", "c#"]);
    }

    #[test]
    fn accents_and_compatible_characters_meet_plain_ones() {
        assert_eq!(terms("Dvořák cafe\u{301} H₂O in\u{ad}for\u{ad}mation"), terms("Dvorak café H2O information"));
    }

    #[test]
    fn other_scripts_are_words_and_emoji_are_not() {
        assert_eq!(terms("مرحبا بالعالم"), ["مرحبا", "بالعالم"]);
        assert_eq!(terms("Ærø Москва"), ["aero", "москва"]);
        assert_eq!(terms("🚀🌍 👩‍🚀"), [""; 0]);
    }
}
