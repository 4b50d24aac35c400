//! The pronouns that are resolved, what they can stand for, and when "it" stands for nothing.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::names::Gender;
use crate::text::pronouns::named::Named;
use crate::text::words::is_preposition;

/// What a pronoun can stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Person(Gender),
    Thing,
    Several,
}

pub(super) struct Pronoun {
    /// In lower case; in [`PRONOUNS`], with the space after it.
    pub(super) word: &'static str,
    pub(super) of: Of,
    pub(super) is_possessive: bool,
    /// The verb that is contracted with it: "is" of "it's".
    pub(super) verb: Option<&'static str>,
}

impl Pronoun {
    const fn new(word: &'static str, of: Of, is_possessive: bool, verb: Option<&'static str>) -> Self {
        Self { word, of, is_possessive, verb }
    }

    pub(super) fn can_mean(&self, named: &Named) -> bool {
        match self.of {
            Of::Person(gender) => {
                named.is_person != Some(false) && !named.is_plural && named.gender.is_none_or(|known| known == gender)
            }
            Of::Thing => named.is_person != Some(true) && !named.is_plural,
            Of::Several => named.is_plural,
        }
    }
}

const HE: Of = Of::Person(Gender::Male);
const SHE: Of = Of::Person(Gender::Female);

pub(super) const PRONOUNS: &[Pronoun] = &[
    Pronoun::new("he ", HE, false, None),
    Pronoun::new("she ", SHE, false, None),
    Pronoun::new("his ", HE, true, None),
    Pronoun::new("her ", SHE, true, None),
    Pronoun::new("it ", Of::Thing, false, None),
    Pronoun::new("its ", Of::Thing, true, None),
    Pronoun::new("they ", Of::Several, false, None),
    Pronoun::new("their ", Of::Several, true, None),
    Pronoun::new("he's ", HE, false, Some("is")),
    Pronoun::new("she's ", SHE, false, Some("is")),
    Pronoun::new("it's ", Of::Thing, false, Some("is")),
    Pronoun::new("they're ", Of::Several, false, Some("are")),
];

/// The pronouns behind a verb.
pub(super) const OBJECTS: &[Pronoun] = &[
    Pronoun::new("it", Of::Thing, false, None),
    Pronoun::new("him", HE, false, None),
    Pronoun::new("her", SHE, false, None),
    Pronoun::new("them", Of::Several, false, None),
];

/// Words that show that the pronoun before them is the object of a verb, and not a possessive as "her" can be.
pub(super) const OBJECT_FOLLOWS: &[&str] = &[
    "in", "on", "at", "to", "from", "for", "with", "by", "after", "before", "during", "as", "and", "until", "into",
    "of", "about", "again",
];

/// Whether "'s" before `rest` stands for "has": "He's won", "She's been".
pub(super) fn is_participle_of_have(rest: &str) -> bool {
    matches!(
        rest.unicode_words().next().unwrap_or_default(),
        "been" | "had" | "won" | "become" | "got" | "gone" | "done"
    )
}

/// Whether a noun names a time of the day or year.
fn is_time(word: &str) -> bool {
    matches!(word, "morning" | "afternoon" | "evening" | "night" | "day" | "summer" | "winter" | "spring" | "autumn")
}

/// Whether the "it" before `rest` stands for nothing named, as in "It is known that", "It takes an hour to", "It
/// rained".
pub(super) fn says_nothing(rest: &str) -> bool {
    let words: Vec<&str> = rest.unicode_words().take(8).collect();
    let at = |i: usize| words.get(i).copied().unwrap_or_default();
    let plain = |word: &str| {
        !word.ends_with("ed")
            && !matches!(
                word,
                "home" | "known" | "close" | "able" | "next" | "used" | "similar" | "due" | "thanks" | "said"
            )
    };
    // "It was Bell who invented it", "It was a Dane who designed it"; but "It is a metal that rusts".
    let is_cleft = matches!(at(0), "is" | "was")
        && (words.contains(&"who") || at(1).starts_with(char::is_uppercase) && words.contains(&"that"));
    let is_weather = matches!(at(0), "is" | "was")
        && matches!(at(1), "hotter" | "colder" | "warmer" | "cooler" | "darker" | "wetter" | "drier")
        && is_preposition(at(2));
    matches!(at(0), "takes" | "took" | "seems" | "appears" | "depends" | "turns")
        || words.iter().take(3).any(|word| matches!(*word, "rained" | "rains" | "snows" | "snowed" | "freezes"))
        || matches!(at(1), "raining" | "snowing" | "noon" | "midnight" | "o'clock" | "late" | "early")
        || matches!(at(1), "been") && matches!(at(2), "raining" | "snowing")
        || matches!(at(0), "is" | "was") && words.iter().skip(1).take(3).any(|word| is_time(word))
        || at(0) == "would" && at(1) == "be" && words.iter().skip(3).take(3).any(|word| *word == "to")
        || at(1) == "cold" && at(2).is_empty()
        || words.contains(&"o'clock")
        || matches!(at(0), "is" | "was" | "has" | "can" | "could" | "may" | "should")
            && words.iter().skip(2).take(3).any(|&word| matches!(word, "that" | "whether"))
            && !words.iter().any(|word| matches!(*word, "so"))
        || matches!(at(0), "is" | "was") && at(2) == "to" && plain(at(1))
        || is_cleft
        || is_weather
}
