//! Names, numbers and dates in English text, each with its kind, by rule.
//!
//! The kinds are those of guan2024 (App. C.7), which takes them from spaCy; here no model runs. A name is a run of
//! capitalised words. Its kind depends on a word in it ("University", "Lake"), on its shape, or on the preposition
//! before it.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::{
    CARDINALS, INSIDE, MONTHS, ORDINALS, ORGANISATIONS, OTHERS, PLACES, TITLES, WEEKDAYS, WHERE,
};
use crate::text::sentences::STARTERS;

/// The kind of a name or number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EntityKind {
    /// Two to four capitalised words without a word of another kind, or a title with a name.
    Person,
    /// A name with a word such as "River" or "City", or after "in", "at" or "near".
    Place,
    /// A name with a word such as "University" or "Inc".
    Organisation,
    /// Digits, or a number word from "two" on, that are not part of a date.
    Cardinal,
    /// "First", "22nd".
    Ordinal,
    /// A year, month, weekday, decade or century.
    Date,
    /// Any other name.
    Other,
}

/// A name or number in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Its kind.
    pub kind: EntityKind,
    /// Its bytes in the text.
    pub span: Range<usize>,
}

/// The names and numbers of `text`, in order.
///
/// ```
/// use evident_verify::{EntityKind, entities};
///
/// let text = "In 1969 Neil Armstrong was the first of twelve on the Moon.";
/// let found: Vec<_> = entities(text).into_iter().map(|entity| (entity.kind, &text[entity.span])).collect();
/// assert_eq!(found[0], (EntityKind::Date, "1969"));
/// assert_eq!(found[1], (EntityKind::Person, "Neil Armstrong"));
/// assert_eq!(found[2], (EntityKind::Ordinal, "first"));
/// ```
#[must_use]
pub fn entities(text: &str) -> Vec<Entity> {
    let words: Vec<(usize, &str)> = text.unicode_word_indices().collect();
    let lower: Vec<String> = words.iter().map(|(_, word)| word.to_lowercase()).collect();
    let said = Words { text, words: &words, lower: &lower };
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let length = match said.number(at) {
            Some(kind) => {
                found.push(Entity { kind, span: said.span(at, 1) });
                1
            }
            None => match said.name(at) {
                0 => 1,
                length => {
                    found.push(Entity { kind: said.kind_of_name(at, length), span: said.span(at, length) });
                    length
                }
            },
        };
        at += length;
    }
    found
}

/// A text and its words, as they are and in lower case.
struct Words<'a> {
    text: &'a str,
    words: &'a [(usize, &'a str)],
    lower: &'a [String],
}

impl Words<'_> {
    fn span(&self, at: usize, length: usize) -> Range<usize> {
        let (last, word) = self.words[at + length - 1];
        self.words[at].0..last + word.len()
    }

    fn is(&self, at: usize, among: &[&str]) -> bool {
        self.lower.get(at).is_some_and(|word| among.contains(&word.trim_end_matches("'s")))
    }

    fn before(&self, at: usize, among: &[&str]) -> bool {
        at > 0 && self.is(at - 1, among)
    }

    fn capital(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|(_, word)| word.starts_with(char::is_uppercase))
    }

    /// Whether a month is beside a word, as in "4 July" and "July 4".
    fn beside_month(&self, at: usize) -> bool {
        self.before(at, MONTHS) || self.is(at + 1, MONTHS) || self.is(at + 1, &["of"]) && self.is(at + 2, MONTHS)
    }

    fn has_digit(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|(_, word)| word.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// The kind of the number or part of a date at a place; `None` if there is none.
    fn number(&self, at: usize) -> Option<EntityKind> {
        use EntityKind::{Cardinal, Date, Ordinal};
        let word = self.lower[at].as_str();
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let century = self.is(at + 1, &["century", "centuries", "millennium"]);
        if digits > 0 {
            let year = digits == 4 && (1000..=2100).contains(&word[..4].parse::<u16>().unwrap_or(0));
            return Some(match &word[digits..] {
                "st" | "nd" | "rd" | "th" if century || self.beside_month(at) => Date,
                "st" | "nd" | "rd" | "th" => Ordinal,
                "s" => Date,
                "" if year || self.beside_month(at) => Date,
                _ => Cardinal,
            });
        }
        if self.is(at, ORDINALS) {
            return Some(if century { Date } else { Ordinal });
        }
        if self.is(at, CARDINALS) {
            return Some(Cardinal);
        }
        let month = self.is(at, MONTHS)
            // "May" and "March" are also verbs
            && (!self.is(at, &["may", "march"]) || self.has_digit(at + 1) || at > 0 && self.has_digit(at - 1));
        (self.capital(at) && (month || self.is(at, WEEKDAYS))).then_some(Date)
    }

    /// The number of words of the name that begins at a place; 0 if none begins there.
    fn name(&self, at: usize) -> usize {
        let sentence_start = at == 0;
        if !self.capital(at) || self.is(at, &["i", "i'm"]) || sentence_start && self.is(at, STARTERS) {
            return 0;
        }
        let mut length = 1;
        let mut next = at + 1;
        while next < self.words.len() {
            let (end, start) = (self.span(at, next - at).end, self.words[next].0);
            if !matches!(&self.text[end..start], " " | "-" | ". " | " & ") {
                break;
            }
            if self.capital(next) && self.number(next).is_none() {
                length = next + 1 - at;
            } else if !self.is(next, INSIDE) || next > at + length + 1 {
                break;
            }
            next += 1;
        }
        length
    }

    fn kind_of_name(&self, at: usize, length: usize) -> EntityKind {
        let any = |among| (at..at + length).any(|place| self.is(place, among));
        let plain = (at..at + length).all(|place| {
            let word = self.words[place].1;
            self.capital(place) && (word.chars().count() == 1 || word.contains(char::is_lowercase))
        });
        if length > 1 && self.is(at, TITLES) || self.before(at, TITLES) {
            EntityKind::Person
        } else if any(ORGANISATIONS) {
            EntityKind::Organisation
        } else if any(PLACES) {
            EntityKind::Place
        } else if any(OTHERS) {
            EntityKind::Other
        } else if self.before(at, WHERE) || self.before(at, &["the"]) && at > 1 && self.is(at - 2, WHERE) {
            EntityKind::Place
        } else if plain && (2..=4).contains(&length) {
            EntityKind::Person
        } else {
            EntityKind::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn named(text: &str) -> Vec<(EntityKind, &str)> {
        entities(text).into_iter().map(|entity| (entity.kind, &text[entity.span])).collect()
    }

    #[test]
    fn names_are_typed_by_their_words_shape_and_place() {
        use EntityKind::{Organisation, Other, Person, Place};
        for (text, expected) in [
            ("Marie Curie was born in Warsaw.", vec![(Person, "Marie Curie"), (Place, "Warsaw")]),
            ("The University of Oxford is old.", vec![(Organisation, "University of Oxford")]),
            ("J. K. Rowling wrote it.", vec![(Person, "J. K. Rowling")]),
            ("King Charles met NASA.", vec![(Person, "King Charles"), (Other, "NASA")]),
            ("It won the Nobel Prize.", vec![(Other, "Nobel Prize")]),
            ("The Nile flows through the Sahara Desert.", vec![(Other, "Nile"), (Place, "Sahara Desert")]),
            ("It rusts.", vec![]),
        ] {
            assert_eq!(named(text), expected, "{text}");
        }
    }

    #[test]
    fn dates_are_no_numerals() {
        use EntityKind::{Cardinal, Date, Ordinal};
        for (text, expected) in [
            ("It fell on 9 November 1989.", vec![(Date, "9"), (Date, "November"), (Date, "1989")]),
            ("It may weigh 9 kg.", vec![(Cardinal, "9")]),
            ("It was the 22nd of three hundred.", vec![(Ordinal, "22nd"), (Cardinal, "three"), (Cardinal, "hundred")]),
            ("It began in the 1990s, not the 19th century.", vec![(Date, "1990s"), (Date, "19th")]),
            ("It has 1,500 rooms and 3.5 floors.", vec![(Cardinal, "1,500"), (Cardinal, "3.5")]),
            ("It was second.", vec![(Ordinal, "second")]),
        ] {
            assert_eq!(named(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn spans_are_in_order_and_inside_any_text(text in r"([A-Z][a-z]{0,4} |of |[0-9]{1,4}(th|s)? |in |\PC){0,20}") {
            let mut end = 0;
            for entity in entities(&text) {
                prop_assert!(end <= entity.span.start && entity.span.start < entity.span.end);
                prop_assert!(text.get(entity.span.clone()).is_some());
                end = entity.span.end;
            }
        }
    }
}
