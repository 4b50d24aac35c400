//! From text to the terms that are indexed and searched: Unicode words, lower-cased, without English stop words, stemmed.
//! The builder and the searcher call the same function, and the manifest names it, so that an index is never searched
//! with terms it was not built from.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

/// Name and version of what [`analyse`] does. Any change to the terms it yields is a new version.
pub const ANALYSIS: &str = "english/1";

/// Lucene's English stop words (`EnglishAnalyzer`), sorted.
const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
];

/// The terms of `text`, in its order and with repetitions.
///
/// Words are those of Unicode's UAX #29 that hold a letter or a digit. Years and decimal numbers are terms as they stand;
/// the commas of `1,234,567` go, so that it meets `1234567`. Stems are Snowball's English ones (Porter 2).
///
/// ```
/// let terms: Vec<_> = evident_index::analyse("The Moon’s 1,737 km are NASA's measurements of 1969.").collect();
/// assert_eq!(terms, ["moon", "1737", "km", "nasa", "measur", "1969"]);
/// ```
pub fn analyse(text: &str) -> impl Iterator<Item = String> {
    let stemmer = Stemmer::create(Algorithm::English);
    text.unicode_words().filter_map(move |word| term(&stemmer, word))
}

/// The term of a word; `None` for a stop word.
fn term(stemmer: &Stemmer, word: &str) -> Option<String> {
    let word = word.to_lowercase().replace('’', "'").replace(',', "");
    let stop = STOP_WORDS.binary_search(&word.as_str()).is_ok();
    (!stop).then(|| stemmer.stem(&word).into_owned())
}

/// Analyses many texts, each word of them but once: most words of a text were met before.
pub(crate) struct Lexicon<'a> {
    stemmer: Stemmer,
    /// The number of each word's term.
    words: HashMap<&'a str, Option<usize>>,
    /// Terms in the order in which they were met first.
    numbers: HashMap<String, usize>,
}

impl<'a> Lexicon<'a> {
    pub fn new() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English), words: HashMap::new(), numbers: HashMap::new() }
    }

    /// The terms of these texts, as [`analyse`] yields them, by their numbers. A term that is new has the next number.
    pub fn analyse(&mut self, texts: impl IntoIterator<Item = &'a String>) -> impl Iterator<Item = usize> {
        let words = texts.into_iter().flat_map(|text| text.unicode_words());
        words.filter_map(|word| {
            *self.words.entry(word).or_insert_with(|| {
                let (term, next) = (term(&self.stemmer, word)?, self.numbers.len());
                Some(*self.numbers.entry(term).or_insert(next))
            })
        })
    }

    /// The terms in the order of their numbers.
    pub fn into_terms(self) -> impl Iterator<Item = String> {
        let mut terms: Vec<_> = self.numbers.into_iter().collect();
        terms.sort_unstable_by_key(|&(_, number)| number);
        terms.into_iter().map(|(term, _)| term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn terms(text: &str) -> Vec<String> {
        analyse(text).collect()
    }

    #[test]
    fn inflections_meet() {
        assert_eq!(terms("connected CONNECTING connection"), ["connect"; 3]);
        assert_eq!(terms("Einstein's Einstein’s Einstein"), ["einstein"; 3]);
    }

    #[test]
    fn stop_words_go_and_are_sorted_for_the_search() {
        assert_eq!(terms("It was not to be"), [""; 0]);
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn numbers_and_years_stay() {
        assert_eq!(terms("3.14 in 1999, 12,742 km"), ["3.14", "1999", "12742", "km"]);
    }

    #[test]
    fn other_scripts_are_words_and_emoji_are_not() {
        assert_eq!(terms("مرحبا بالعالم"), ["مرحبا", "بالعالم"]);
        assert_eq!(terms("Ærø Москва"), ["ærø", "москва"]);
        assert_eq!(terms("🚀🌍 👩‍🚀"), [""; 0]);
    }

    proptest! {
        #[test]
        fn a_lexicon_yields_the_same_terms(texts in vec("[a-e’,. ]{0,40}|.{0,20}", 0..8)) {
            let mut lexicon = Lexicon::new();
            let numbers: Vec<usize> = lexicon.analyse(&texts).collect();
            let terms: Vec<String> = lexicon.into_terms().collect();
            let found: Vec<&str> = numbers.iter().map(|&number| terms[number].as_str()).collect();
            prop_assert_eq!(found, texts.iter().flat_map(|text| analyse(text)).collect::<Vec<_>>());
        }

        #[test]
        fn no_term_is_empty(text in any::<String>()) {
            prop_assert!(analyse(&text).all(|term| !term.is_empty()));
        }
    }
}
