//! Which names and nouns are of persons, and of which gender.

use crate::text::english::{HE, MEN, PERSONS, PROPERTIES, SHE, WOMEN};

/// A person's gender as a pronoun tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gender {
    /// "She".
    Female,
    /// "He".
    Male,
}

/// The gender of persons with this first name; `None` if it is unknown or can be either.
pub(crate) fn gender_of_first_name(name: &str) -> Option<Gender> {
    let name = name.to_lowercase();
    match (WOMEN.has(&name), MEN.has(&name)) {
        (true, false) => Some(Gender::Female),
        (false, true) => Some(Gender::Male),
        _ => None,
    }
}

/// The gender of a title or noun, in lower case: "queen".
pub(crate) fn gender_of_noun(noun: &str) -> Option<Gender> {
    match (SHE.has(noun), HE.has(noun)) {
        (true, _) => Some(Gender::Female),
        (_, true) => Some(Gender::Male),
        _ => None,
    }
}

/// Whether a noun, in lower case, is what a person can be: "physicist".
pub(crate) fn is_person_noun(noun: &str) -> bool {
    PERSONS.has(noun) || gender_of_noun(noun).is_some() || noun.len() > 6 && noun.ends_with("ologist")
}

/// Whether a noun, in lower case, is a property of something named before: "symbol", "capital".
pub(crate) fn is_property(noun: &str) -> bool {
    PROPERTIES.has(noun)
}
