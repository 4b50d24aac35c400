//! The lead-ins of list items, such as "Everest" of "Everest: It is ...", and whether they name a side of the topic.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::ASPECTS;
use crate::text::names::gender_of_first_name;
use crate::text::pronouns::memory::PronounResolver;
use crate::text::pronouns::named::same_name;
use crate::text::pronouns::pronoun::{Of, Pronoun};
use crate::text::verbs::is_surely_finite;

/// A list item's lead-in and what follows its colon: "Alan Turing" and "He ..." of "Alan Turing: He ...".
pub(super) fn lead_in(text: &str) -> Option<(&str, &str)> {
    let (head, rest) = text.split_once(": ").or_else(|| text.split_once(" – ")).or_else(|| text.split_once(" — "))?;
    let rest = rest.trim_start();
    let words: Vec<&str> = head.split_whitespace().collect();
    let plain = words.len() <= 6
        && !head.contains(['.', ',', ';', '"', '“'])
        && !words.iter().any(|word| is_surely_finite(word));
    (plain && rest.starts_with(char::is_uppercase)).then_some((head.trim(), rest))
}

impl PronounResolver {
    /// True if a list item's lead-in names a side of the topic ("Depth: It is ..."), false if it names the item's own
    /// subject ("Everest: It is ...").
    pub(super) fn is_aspect(&self, lead_in: &str, rest: &str, pronoun: Option<&Pronoun>) -> bool {
        if self.topics.iter().any(|topic| same_name(&topic.name, lead_in)) {
            return false;
        }
        let lower = lead_in.to_lowercase();
        if ASPECTS.has(&lower) {
            return true;
        }
        if !self.topics.iter().any(|topic| pronoun.is_none_or(|pronoun| pronoun.can_mean(topic))) {
            return false;
        }
        let last = lower.rsplit(' ').next().unwrap_or_default();
        let is_common = ASPECTS.has(last)
            || lead_in.split_whitespace().skip(1).any(|word| word.chars().all(char::is_lowercase) && word.len() > 3)
            || pronoun.is_some() && rest.unicode_words().any(|word| word == last);
        let is_person = pronoun.is_some_and(|pronoun| matches!(pronoun.of, Of::Person(_)));
        let first = lead_in.split_whitespace().next().unwrap_or_default();
        is_common || is_person && gender_of_first_name(first).is_none() && !self.is_named(lead_in)
    }

    /// True if something that may be a person and has this name was named before.
    fn is_named(&self, name: &str) -> bool {
        self.named.iter().any(|named| named.is_person != Some(false) && same_name(&named.name, name))
    }
}
