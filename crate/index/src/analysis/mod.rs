//! From text to the terms that are indexed and searched. The builder and the searcher use the same [`Analysis`], which
//! the manifest names, so that an index is never searched for terms that it was not built from.

mod english;
pub(crate) mod names;
mod normal;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use foldhash::fast::RandomState;

pub(crate) use self::normal::normalised;

/// Every analysis. A new language is a file beside `english.rs`, a constant and a row here.
const ANALYSES: [&Analysis; 1] = [Analysis::ENGLISH];

/// How a text becomes terms.
pub struct Analysis {
    /// Name and version, as a manifest has them. Any change to the terms is a new version.
    pub name: &'static str,
    /// The stretches of a normalised text that terms are made of.
    stretches: fn(&str) -> Vec<&str>,
    /// The term of a stretch; `None` for one that is not indexed.
    term: fn(&str) -> Option<String>,
}

impl Analysis {
    /// English: Lucene's stop words and Snowball's English stemmer; accents are folded.
    pub const ENGLISH: &'static Self =
        &Self { name: english::NAME, stretches: english::stretches, term: english::term };

    /// The analysis that a manifest calls `name`, if this version has it.
    pub fn named(name: &str) -> Option<&'static Self> {
        ANALYSES.into_iter().find(|analysis| analysis.name == name)
    }

    /// The names of all analyses, for messages.
    pub(crate) fn all() -> String {
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
        let terms: Vec<String> = (self.stretches)(&normalised(text)).into_iter().filter_map(self.term).collect();
        terms.into_iter()
    }

    /// The terms of a title or a query: as [`Analysis::terms`], or its stop words if it has nothing else, so that "It"
    /// can be found.
    pub fn name_terms(&self, name: &str) -> impl Iterator<Item = String> {
        let terms: Vec<String> = self.terms(name).collect();
        let normal = normalised(name);
        let words = if terms.is_empty() { (self.stretches)(&normal) } else { Vec::new() };
        terms.into_iter().chain(words.into_iter().map(str::to_lowercase).collect::<Vec<_>>())
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

/// Analyses many texts, and each distinct stretch of them once: most words of a text were met before.
pub(crate) struct Lexicon<'a> {
    analysis: &'a Analysis,
    /// The number of each stretch's term.
    stretches: HashMap<&'a str, Option<usize>, RandomState>,
    /// Terms in the order in which they were first met.
    numbers: HashMap<String, usize, RandomState>,
}

impl<'a> Lexicon<'a> {
    pub fn new(analysis: &'a Analysis) -> Self {
        Self { analysis, stretches: HashMap::default(), numbers: HashMap::default() }
    }

    /// The terms of a passage's normalised title, as [`Analysis::name_terms`] yields them, and text, as
    /// [`Analysis::terms`] does, by their numbers. A new term has the next number.
    pub fn analyse(&mut self, [title, text]: &'a [Cow<'a, str>; 2]) -> Vec<usize> {
        let mut found: Vec<usize> = self.known(title).collect();
        if found.is_empty() {
            found = self.analysis.name_terms(title).map(|term| number(&mut self.numbers, term)).collect();
        }
        found.extend(self.known(text));
        found
    }

    /// The names of a passage, as [`Analysis::names`] yields them, by their numbers.
    pub fn names(&mut self, title: &str, others: &[String]) -> Vec<usize> {
        let names = self.analysis.names(title, others).into_iter();
        names.map(|name| number(&mut self.numbers, name)).collect()
    }

    fn known(&mut self, text: &'a str) -> impl Iterator<Item = usize> {
        (self.analysis.stretches)(text).into_iter().filter_map(|stretch| {
            let find = || Some(number(&mut self.numbers, (self.analysis.term)(stretch)?));
            *self.stretches.entry(stretch).or_insert_with(find)
        })
    }

    /// The terms in the order of their numbers.
    pub fn into_terms(self) -> impl Iterator<Item = String> {
        let mut terms: Vec<_> = self.numbers.into_iter().collect();
        terms.sort_unstable_by_key(|&(_, number)| number);
        terms.into_iter().map(|(term, _)| term)
    }
}

/// The number of a term; a new one has the next.
fn number(numbers: &mut HashMap<String, usize, RandomState>, term: String) -> usize {
    let next = numbers.len();
    *numbers.entry(term).or_insert(next)
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
        fn a_lexicon_yields_the_same_terms(passages in vec(("(it|[a-e’é ]{0,9})", "[a-e’,. é-]{0,40}|.{0,20}"), 0..8)) {
            let normal: Vec<_> = passages.iter().map(|(title, text)| [normalised(title), normalised(text)]).collect();
            let mut lexicon = Lexicon::new(Analysis::ENGLISH);
            let numbers: Vec<usize> = normal.iter().flat_map(|passage| lexicon.analyse(passage)).collect();
            let terms: Vec<String> = lexicon.into_terms().collect();
            let found: Vec<&str> = numbers.iter().map(|&number| terms[number].as_str()).collect();
            let each = |(title, text): &(String, String)| {
                Analysis::ENGLISH.name_terms(title).chain(analyse(text)).collect::<Vec<_>>()
            };
            prop_assert_eq!(found, passages.iter().flat_map(each).collect::<Vec<_>>());
        }

        #[test]
        fn a_normalised_text_has_the_same_terms(text in any::<String>()) {
            let again = Analysis::ENGLISH.terms(&normalised(&text)).collect::<Vec<_>>();
            prop_assert_eq!(Analysis::ENGLISH.terms(&text).collect::<Vec<_>>(), again);
        }

        #[test]
        fn no_term_is_empty(text in any::<String>()) {
            for analysis in ANALYSES {
                prop_assert!(analysis.terms(&text).all(|term| !term.is_empty()));
            }
        }
    }
}
