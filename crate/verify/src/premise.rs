//! Lays a passage out as premises for NLI: whole, or as windows of a few sentences.
//!
//! Small NLI models read a sentence or two far better than a whole passage, so by default a premise is a window of two
//! sentences, and of a passage only those windows are read that share most words with the statement.

use std::{cmp::Reverse, collections::HashSet, ops::Range};

use evident_index::Passage;
use unicode_segmentation::UnicodeSegmentation;

use crate::sentence::{Sentence, sentences};

/// A stretch of a passage to set against a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Premise {
    /// The passage's title and the stretch's sentences.
    pub text: String,
    /// Of those sentences the one that shares most words with the statement: its bytes in the passage's text.
    pub sentence: Range<usize>,
}

/// A text under its title, as both models were shown it in training: "title. text".
pub(crate) fn titled(title: &str, text: &str) -> String {
    if title.is_empty() { text.to_owned() } else { format!("{title}. {text}") }
}

/// The premises of a passage: windows of `size` sentences, of these the `count` that share most words with `statement`,
/// best first; the whole passage where `size` is 0 or covers it.
pub(crate) fn premises(passage: &Passage, statement: &str, size: usize, count: usize) -> Vec<Premise> {
    let statement: HashSet<String> = words(statement).collect();
    let found = sentences(&passage.text);
    if found.is_empty() {
        return vec![Premise { text: titled(&passage.title, &passage.text), sentence: 0..passage.text.len() }];
    }
    let shared: Vec<HashSet<String>> =
        found.iter().map(|sentence| words(&sentence.text).filter(|word| statement.contains(word)).collect()).collect();
    let size = if size == 0 { found.len() } else { size.min(found.len()) };
    let mut starts: Vec<usize> = (0..=found.len() - size).collect();
    starts.sort_by_key(|&start| Reverse(shared[start..start + size].iter().flatten().collect::<HashSet<_>>().len()));
    let premise = |start: usize| {
        let window = start..start + size;
        let closest = window.clone().min_by_key(|&i| Reverse(shared[i].len())).unwrap_or(start);
        let whole = size == found.len();
        Premise {
            text: titled(&passage.title, &if whole { passage.text.clone() } else { join(&found[window]) }),
            sentence: found[closest].span.clone(),
        }
    };
    starts.into_iter().take(count.max(1)).map(premise).collect()
}

fn join(sentences: &[Sentence]) -> String {
    sentences.iter().map(|sentence| sentence.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.unicode_words().map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(title: &str, text: &str) -> Passage {
        Passage { id: "1".into(), title: title.into(), section: None, text: text.into(), source: None }
    }

    fn texts(premises: &[Premise]) -> Vec<&str> {
        premises.iter().map(|premise| premise.text.as_str()).collect()
    }

    const IRON: &str = "Iron is a metal. It rusts in wet air. Steel is made of it. The Earth's core holds much of it.";

    #[test]
    fn a_short_passage_is_one_premise_under_its_title() {
        let premises = premises(&passage("Iron", "Iron is a metal. It rusts."), "Iron rusts.", 2, 3);
        assert_eq!(texts(&premises), ["Iron. Iron is a metal. It rusts."]);
    }

    #[test]
    fn the_windows_with_most_common_words_are_kept_best_first() {
        let premises = premises(&passage("Iron", IRON), "Steel rusts in wet air.", 2, 2);
        assert_eq!(
            texts(&premises),
            ["Iron. It rusts in wet air. Steel is made of it.", "Iron. Iron is a metal. It rusts in wet air."]
        );
        assert_eq!(&IRON[premises[0].sentence.clone()], "It rusts in wet air.");
    }

    #[test]
    fn a_whole_passage_is_one_premise_that_still_points_at_a_sentence() {
        let premises = premises(&passage("", IRON), "The core of the Earth is iron.", 0, 3);
        assert_eq!(texts(&premises), [IRON]);
        assert_eq!(&IRON[premises[0].sentence.clone()], "The Earth's core holds much of it.");
    }

    #[test]
    fn a_passage_without_prose_is_still_a_premise() {
        let premises = premises(&passage("Dash", "---"), "A dash.", 2, 3);
        assert_eq!(premises, [Premise { text: "Dash. ---".into(), sentence: 0..3 }]);
    }
}
