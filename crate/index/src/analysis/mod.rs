//! From text to the terms that are indexed and searched. The builder and the searcher use the same [`Analysis`], which
//! the manifest names, so that an index is never searched for terms that it was not built from.

mod english;

use std::collections::HashMap;
use std::fmt;

use unicode_segmentation::UnicodeSegmentation;

/// Every analysis. A new language is a file beside `english.rs`, a constant and a row here.
const ANALYSES: [&Analysis; 1] = [Analysis::ENGLISH];

/// How the words of a text become terms. Words are those of Unicode's UAX #29 that hold a letter or a digit.
pub struct Analysis {
    /// Name and version, as a manifest has them. Any change to the terms is a new version.
    pub name: &'static str,
    /// The term of a word; `None` for a word that is not indexed.
    term: fn(&str) -> Option<String>,
}

impl Analysis {
    /// English: Lucene's stop words and Snowball's English stemmer.
    pub const ENGLISH: &'static Self = &Self { name: english::NAME, term: english::term };

    /// The analysis that a manifest calls `name`, if this version has it.
    pub fn named(name: &str) -> Option<&'static Self> {
        ANALYSES.into_iter().find(|analysis| analysis.name == name)
    }

    /// The names of all analyses, for messages.
    pub(crate) fn names() -> String {
        ANALYSES.map(|analysis| analysis.name).join(" or ")
    }

    /// The terms of `text`, in its order and with repetitions.
    ///
    /// ```
    /// use evident_index::Analysis;
    ///
    /// let terms: Vec<_> = Analysis::ENGLISH.terms("The Moon’s 1,737 km are NASA's measurements of 1969.").collect();
    /// assert_eq!(terms, ["moon", "1737", "km", "nasa", "measur", "1969"]);
    /// ```
    pub fn terms(&self, text: &str) -> impl Iterator<Item = String> {
        text.unicode_words().filter_map(self.term)
    }
}

impl fmt::Debug for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Analysis {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The terms of `text` by [`Analysis::ENGLISH`].
pub fn analyse(text: &str) -> impl Iterator<Item = String> {
    Analysis::ENGLISH.terms(text)
}

/// Analyses many texts, and each distinct word of them once: most words of a text were met before.
pub(crate) struct Lexicon<'a> {
    analysis: &'a Analysis,
    /// The number of each word's term.
    words: HashMap<&'a str, Option<usize>>,
    /// Terms in the order in which they were first met.
    numbers: HashMap<String, usize>,
}

impl<'a> Lexicon<'a> {
    pub fn new(analysis: &'a Analysis) -> Self {
        Self { analysis, words: HashMap::new(), numbers: HashMap::new() }
    }

    /// The terms of these texts, as [`Analysis::terms`] yields them, by their numbers. A new term has the next number.
    pub fn analyse(&mut self, texts: impl IntoIterator<Item = &'a String>) -> impl Iterator<Item = usize> {
        let words = texts.into_iter().flat_map(|text| text.unicode_words());
        words.filter_map(|word| {
            *self.words.entry(word).or_insert_with(|| {
                let (term, next) = ((self.analysis.term)(word)?, self.numbers.len());
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

    #[test]
    fn every_analysis_is_found_by_its_name() {
        assert!(ANALYSES.into_iter().all(|analysis| Analysis::named(analysis.name) == Some(analysis)));
        assert_eq!(Analysis::named("klingon/1"), None);
    }

    proptest! {
        #[test]
        fn a_lexicon_yields_the_same_terms(texts in vec("[a-e’,. ]{0,40}|.{0,20}", 0..8)) {
            let mut lexicon = Lexicon::new(Analysis::ENGLISH);
            let numbers: Vec<usize> = lexicon.analyse(&texts).collect();
            let terms: Vec<String> = lexicon.into_terms().collect();
            let found: Vec<&str> = numbers.iter().map(|&number| terms[number].as_str()).collect();
            prop_assert_eq!(found, texts.iter().flat_map(|text| analyse(text)).collect::<Vec<_>>());
        }

        #[test]
        fn no_term_is_empty(text in any::<String>()) {
            for analysis in ANALYSES {
                prop_assert!(analysis.terms(&text).all(|term| !term.is_empty()));
            }
        }
    }
}
