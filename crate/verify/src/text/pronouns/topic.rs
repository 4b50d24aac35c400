//! What an answer can be expected to speak of: what its question asks about, or the kind that it defines.

use crate::text::verbs::{is_base, is_surely_finite};
use crate::text::words::{strip, uncapitalised};

/// The name that a question is about ("Who was Alan Turing?"), which a first "he" or "it" speaks of.
pub(super) fn asked_about(question: &str) -> Option<String> {
    const ABOUT: [&str; 7] = ["is", "was", "are", "were", "about", "did", "does"];
    let words: Vec<&str> = question.split_whitespace().collect();
    let told = words.iter().rposition(|word| *word == "about").filter(|at| at + 1 < words.len());
    let Some(about) = told.or_else(|| words.iter().position(|word| ABOUT.contains(word))) else {
        return common_noun_asked_about(&words);
    };
    let start = about + 1;
    let has_article = words.get(start) == Some(&"the");
    let start = start + usize::from(has_article);
    let mut name: Vec<&str> = Vec::new();
    for word in words.get(start..)? {
        if !(word.starts_with(char::is_uppercase)
            || !name.is_empty() && matches!(*word, "of" | "the" | "de" | "von" | "van" | "da"))
        {
            break;
        }
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        name.push(bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare));
        if bare != *word {
            break;
        }
    }
    while name.last().is_some_and(|word| word.starts_with(char::is_lowercase)) {
        name.pop();
    }
    let article = if has_article { "the " } else { "" };
    match name.is_empty() {
        true => common_noun_asked_about(&words),
        false => Some(format!("{article}{}", name.join(" "))),
    }
}

/// "carbon" of "What is carbon?", "penguins" of "Where do penguins live?".
fn common_noun_asked_about(words: &[&str]) -> Option<String> {
    let lower: Vec<String> =
        words.iter().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()).collect();
    let at = |i: usize| lower.get(i).map_or("", String::as_str);
    let noun = match (at(0), at(1)) {
        ("what" | "who", "is" | "are" | "was" | "were") => &lower[2..],
        ("how", _) if matches!(at(2), "is" | "are" | "was" | "were") => &lower[3..],
        ("what" | "where" | "when" | "how" | "why", "do" | "does" | "did") => {
            let from = 3 + usize::from(matches!(at(2), "a" | "an" | "the"));
            let verb = lower.iter().skip(from).position(|word| is_base(word))? + from;
            &lower[2..verb]
        }
        _ => return None,
    };
    let is_plain = (1..=3).contains(&noun.len())
        && !noun
            .iter()
            .any(|word| matches!(word.as_str(), "you" | "it" | "of" | "this" | "that" | "we" | "i" | "they"));
    is_plain.then(|| noun.join(" "))
}

/// The kind of thing that a definition speaks of, "a helicopter" of "A helicopter is an aircraft", and what follows it.
pub(super) fn kind_spoken_of(text: &str) -> Option<(String, &str)> {
    let (before, _) = text.split_once(" is a").or_else(|| text.split_once(" is the "))?;
    let bare = strip(before, "a ").or_else(|| strip(before, "an "))?;
    let is_plain = (1..=3).contains(&bare.split(' ').count()) && bare.split(' ').all(|word| !is_surely_finite(word));
    is_plain.then(|| (uncapitalised(before), &text[before.len()..]))
}
