//! Risk flags: signs that a sentence, or its verdict, is more likely to be wrong, before any evidence is read.
//!
//! `evident measure risks` counts how often each flag goes with people's labels; REPORT.md has the figures.

use std::collections::BTreeMap;

use evident_index::analyse;
use unicode_segmentation::UnicodeSegmentation;

use crate::report::Risk;
use crate::text::english::POINTERS;
use crate::text::entities::{EntityKind, entities};

/// A name is rare if one of its words is in a smaller share of the index's passages than this. In a small index that is
/// a word in none of them.
const RARE_BELOW: f64 = 1e-4;

impl Risk {
    /// All flags but [`Risk::Wording`], which needs the T5.
    pub const ALL: [Self; 4] = [Self::Numeral, Self::Context, Self::RareName, Self::AfterUnfactual];
}

/// The risks of a statement by itself: all but [`Risk::AfterUnfactual`] and [`Risk::Wording`]. `frequencies` are the
/// shares of the index's passages that have each of its words, as a search returns them; without an index they are
/// `None`, and no name is rare.
#[must_use]
pub fn risks(statement: &str, frequencies: Option<&BTreeMap<String, f64>>) -> Vec<Risk> {
    let found = entities(statement);
    let named = |kind| !matches!(kind, EntityKind::Cardinal | EntityKind::Ordinal | EntityKind::Date);
    let names = || found.iter().filter(|entity| named(entity.kind)).map(|entity| &entity.span);
    let first_name = names().next().map_or(statement.len(), |span| span.start);
    let seldom = |frequencies: &BTreeMap<String, f64>| {
        let mut terms = names().flat_map(|span| analyse(&statement[span.clone()]));
        terms.any(|term| frequencies.get(&term).is_some_and(|&share| share < RARE_BELOW))
    };
    let holds = |risk| match risk {
        Risk::Numeral => found.iter().any(|e| matches!(e.kind, EntityKind::Cardinal | EntityKind::Ordinal)),
        Risk::Context => statement[..first_name].unicode_words().enumerate().any(|(n, word)| points(n, word)),
        Risk::RareName => frequencies.is_some_and(seldom),
        Risk::AfterUnfactual | Risk::Wording => false, // depends on other sentences, or on the T5
    };
    Risk::ALL.into_iter().filter(|&risk| holds(risk)).collect()
}

/// Whether the `n`th word of a sentence refers to something said before. "That" and "such" do so only at its start.
fn points(n: usize, word: &str) -> bool {
    let word = word.to_lowercase();
    POINTERS.contains(&word.as_str()) && (n == 0 || !["that", "such"].contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(statement: &str) -> Vec<Risk> {
        risks(statement, None)
    }

    #[test]
    fn numerals_are_a_risk_and_dates_are_not() {
        assert_eq!(of("Iron has 26 protons."), [Risk::Numeral]);
        assert_eq!(of("Iron was the third metal."), [Risk::Numeral]);
        assert_eq!(of("Rome fell on 4 September 476."), []);
        assert_eq!(of("The wall fell on 9 November 1989."), []);
    }

    #[test]
    fn a_pronoun_before_any_name_leans_on_the_context() {
        for leaning in ["It rusts.", "In 1903, she won a prize.", "This metal rusts.", "Their ore is red."] {
            assert_eq!(of(leaning), [Risk::Context], "{leaning}");
        }
        for alone in
            ["Marie Curie said that she was tired.", "Iron rusts when it is wet.", "The metal that rusts is iron."]
        {
            assert_eq!(of(alone), [], "{alone}");
        }
    }

    #[test]
    fn a_name_with_a_word_that_few_passages_have_is_rare() {
        let of = |curie: f64| {
            let frequencies =
                [("mari", 0.5), ("curi", curie), ("rust", 0.0)].map(|(term, n)| (term.to_owned(), n)).into();
            risks("Marie Curie rusts.", Some(&frequencies))
        };
        assert_eq!(of(0.000_09), [Risk::RareName]);
        assert_eq!(of(0.000_11), []);
        assert_eq!(of(0.0), [Risk::RareName]);
    }
}
