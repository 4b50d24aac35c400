//! The introduction that a sentence opens with, such as "In 1903," and "During the war" before "she".

use crate::text::english::{BETWEEN, INTRODUCTIONS, MONTHS};
use crate::text::verbs::{is_base, is_finite, is_surely_finite};
use crate::text::words::{is_preposition, starts, words};

/// A sentence's introduction with its comma, if it has one, and space ("In 1903, ", "During the war " before "she"),
/// and the rest.
pub(crate) fn introduced(text: &str) -> (&str, &str) {
    let words = words(text);
    let first = words.first().map_or("", |word| word.lower.as_str());
    if is_preposition(first)
        && let Some(at) = pronoun_behind_noun(text)
    {
        return text.split_at(at);
    }
    if ADVERBS.contains(&first)
        && let Some((adverb, rest)) = text.split_once(' ')
        && SUBJECTS.iter().any(|pronoun| rest.starts_with(pronoun))
    {
        return text.split_at(adverb.len() + 1);
    }
    if starts(&words, &INTRODUCTIONS) > 0
        && let Some(comma) = text.find(", ")
        && text[..comma].split_whitespace().count() <= 8
    {
        return text.split_at(comma + 2);
    }
    if matches!(first, "in" | "by" | "since" | "from" | "around" | "until" | "on")
        && let Some(at) = behind_date(text)
    {
        return text.split_at(at);
    }
    // "Using statistics, she showed"
    if let Some(comma) = text.find(", ")
        && text[..comma].split_whitespace().count() <= 14
        && SUBJECTS.iter().any(|pronoun| text[comma + 2..].starts_with(pronoun))
    {
        return text.split_at(comma + 2);
    }
    ("", text)
}

/// Adverbs before a subject without a comma: "There she became".
const ADVERBS: [&str; 12] = [
    "there",
    "then",
    "later",
    "today",
    "now",
    "soon",
    "here",
    "eventually",
    "initially",
    "originally",
    "afterwards",
    "thus",
];

/// Pronouns as subjects, with their space.
const SUBJECTS: [&str; 4] = ["he ", "she ", "it ", "they "];

/// Where a pronoun stands that is the subject behind an opening without a comma: "she" of "During the war she led".
fn pronoun_behind_noun(text: &str) -> Option<usize> {
    let mut previous = "";
    let mut at = 0;
    for (count, word) in text.split_inclusive(' ').enumerate().take(9) {
        let bare = word.trim_end();
        let next = text[at + word.len()..].split(' ').next().unwrap_or_default();
        let is_subject =
            count > 1 && SUBJECTS.contains(&word) && (is_finite(next) || is_base(next) || BETWEEN.has(next));
        if is_subject && !is_preposition(previous) && !is_surely_finite(previous) && !CONJUNCTIONS.contains(&previous) {
            return Some(at);
        }
        if bare.ends_with([',', ';', ':']) || is_surely_finite(bare) {
            return None;
        }
        previous = bare;
        at += word.len();
    }
    None
}

/// Where a name begins behind a date without a comma: "Ada Lovelace" of "In 1843 Ada Lovelace wrote".
fn behind_date(text: &str) -> Option<usize> {
    let mut at = 0;
    let mut is_dated = false;
    for word in text.split_inclusive(' ').take(6) {
        let bare = word.trim_end().to_lowercase();
        let is_date = bare.starts_with(|c: char| c.is_ascii_digit()) || MONTHS.contains(&bare.as_str());
        if is_dated && !is_date && word.starts_with(char::is_uppercase) {
            return Some(at);
        }
        let leads = matches!(
            bare.as_str(),
            "in" | "by" | "since" | "from" | "around" | "until" | "on" | "early" | "late" | "the" | "about"
        );
        if !is_date && (!leads || is_dated) {
            return None;
        }
        is_dated |= is_date;
        at += word.len();
    }
    None
}

/// Conjunctions that begin a clause before the main one.
pub(super) const CONJUNCTIONS: [&str; 12] =
    ["when", "while", "after", "before", "because", "although", "though", "since", "if", "as", "until", "once"];
