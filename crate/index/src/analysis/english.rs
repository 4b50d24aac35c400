//! English: lower-cased words without stop words, stemmed.

use rust_stemmers::{Algorithm, Stemmer};

/// The analysis's name and version. Any change to the terms is a new version.
pub(super) const NAME: &str = "english/1";

/// Lucene's English stop words (`EnglishAnalyzer`), sorted.
const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
];

/// The term of a word; `None` for a stop word. Years and decimal numbers stay as they are; the commas of `1,234,567`
/// go, so that it meets `1234567`. Other words are stemmed by Snowball's English stemmer (Porter 2).
pub(super) fn term(word: &str) -> Option<String> {
    let word = word.to_lowercase().replace('’', "'").replace(',', "");
    let stop = STOP_WORDS.binary_search(&word.as_str()).is_ok();
    (!stop).then(|| Stemmer::create(Algorithm::English).stem(&word).into_owned())
}

#[cfg(test)]
mod tests {
    use super::STOP_WORDS;
    use crate::analysis::Analysis;

    fn terms(text: &str) -> Vec<String> {
        Analysis::ENGLISH.terms(text).collect()
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
}
