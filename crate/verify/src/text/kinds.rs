//! The kind of a sentence: whether it is a claim, which evidence can support, or a question, advice, an opinion, a
//! pleasantry or a fragment. Rules for the English of chatbots, and careful ones: a sentence that no rule fits is a
//! claim.

use unicode_segmentation::UnicodeSegmentation;

use crate::report::SentenceKind;
use crate::text::english::{ADVICE, IMPERATIVES, OPINIONS, PLEASANTRIES, VERBS};
use crate::text::sentences::Sentence;

impl SentenceKind {
    /// The kind of one sentence.
    #[must_use]
    pub fn of(sentence: &Sentence) -> Self {
        let text = sentence.text.trim_matches(|c: char| c.is_whitespace() || "\"'“”‘’()*".contains(c));
        let lower = text.to_lowercase().replace('’', "'");
        let opens = |openings: &[&str]| openings.iter().any(|opening| opens_with(&lower, opening));
        let ending = text.chars().next_back();
        if ending.is_some_and(|c| "?？؟".contains(c)) {
            Self::Question
        } else if sentence.heading || ending.is_some_and(|c| ":：".contains(c)) || is_fragment(text) {
            Self::Fragment
        } else if opens(PLEASANTRIES) {
            Self::Pleasantry
        } else if OPINIONS
            .iter()
            .any(|mark| lower.match_indices(mark).any(|(at, _)| stands_alone(&lower, at, mark.len())))
        {
            Self::Opinion
        } else if opens(ADVICE) || is_instruction(&lower) {
            Self::Instruction
        } else {
            Self::Claim
        }
    }
}

fn opens_with(text: &str, opening: &str) -> bool {
    text.starts_with(opening) && stands_alone(text, 0, opening.len())
}

fn stands_alone(text: &str, at: usize, length: usize) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    edge(text[..at].chars().next_back()) && edge(text[at + length..].chars().next())
}

/// Whether it is a few words without a full stop and a verb.
fn is_fragment(text: &str) -> bool {
    let words: Vec<&str> = text.unicode_words().collect();
    let stopped = text.chars().next_back().is_some_and(|c| ".!…。！।۔".contains(c));
    let verb = |word: &&str| {
        VERBS.contains(word) || (word.len() > 4 && word.ends_with("ed") && word.starts_with(char::is_lowercase))
    };
    !stopped && words.len() <= 8 && !words.iter().any(verb)
}

fn is_instruction(lower: &str) -> bool {
    let mut words = lower.unicode_words();
    let (Some(first), second) = (words.next(), words.next().unwrap_or_default()) else { return false };
    IMPERATIVES.contains(&first) && !VERBS.contains(&second) && !["of", "and", "or", "that"].contains(&second)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::sentences::sentences;

    fn kind(text: &str) -> SentenceKind {
        SentenceKind::of(&sentences(text)[0])
    }

    #[test]
    fn what_says_that_something_is_so_is_a_claim() {
        for text in [
            "Iron is a metal.",
            "Use of iron began early.",
            "Hydrogen has one proton",
            "I, Claudius is a novel.",
            "You are what you eat.",
            "東京は首都。",
            "Paris.",
        ] {
            assert_eq!(kind(text), SentenceKind::Claim, "{text}");
        }
    }

    #[test]
    fn the_other_kinds_are_told_apart() {
        assert_eq!(kind("Did you know that?"), SentenceKind::Question);
        assert_eq!(kind("Make sure that the iron is cold."), SentenceKind::Instruction);
        assert_eq!(kind("Try the local bread first."), SentenceKind::Instruction);
        assert_eq!(kind("I think that Lyon is prettier."), SentenceKind::Opinion);
        assert_eq!(kind("Paris, in my opinion, is overrated."), SentenceKind::Opinion);
        assert_eq!(kind("I hope this helps!"), SentenceKind::Pleasantry);
        assert_eq!(kind("Here are three facts about Mars."), SentenceKind::Pleasantry);
        assert_eq!(kind("# Mars is red"), SentenceKind::Fragment);
        assert_eq!(kind("The three largest are:"), SentenceKind::Fragment);
        assert_eq!(kind("- Liquid mercury"), SentenceKind::Fragment);
    }

    proptest! {
        #[test]
        fn any_text_has_a_kind(text in r#"([a-zA-Z0-9 .,:!?'"\n*-]|It |He |In 1903, |\PC){0,80}"#) {
            for sentence in sentences(&text) {
                let _ = SentenceKind::of(&sentence);
            }
        }
    }
}
