//! Makes premises for NLI of a passage: the whole passage, or windows of a few sentences.
//!
//! Of the windows only those are read that share most words with the statement. A premise that is too long for the
//! model is replaced by a shorter one, so that everything reported as read was read.

use std::{cmp::Reverse, collections::HashSet, ops::Range};

use evident_index::Passage;
use unicode_segmentation::UnicodeSegmentation;

use crate::text::assertion::asserts;
use crate::text::quantities::said_alike;
use crate::text::sentences::{Sentence, sentences_of_prose};

/// A stretch of a passage, to be read beside a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Premise {
    /// The passage's title and the sentences of the stretch, their quantities said as the statement says its own.
    pub text: String,
    /// The bytes of the stretch in the passage's text.
    pub read: Range<usize>,
    /// The bytes of its sentence that shares most words with the statement.
    pub sentence: Range<usize>,
}

impl Premise {
    /// The same premise of `passage`, with its sentence that shares most words with another statement.
    pub(crate) fn beside(&self, statement: &str, passage: &Passage) -> Self {
        let said: HashSet<String> = words(statement).collect();
        let mut inside = sentences_of_prose(&passage.text);
        inside.retain(|sentence| self.read.start <= sentence.span.start && sentence.span.end <= self.read.end);
        let closest = inside.into_iter().min_by_key(|sentence| Reverse(shared(&sentence.text, &said).len()));
        let sentence = closest.map_or_else(|| self.sentence.clone(), |sentence| sentence.span);
        Self { sentence, ..self.clone() }
    }
}

/// A text after its title: "title. text", the form in which both models read passages in training.
pub(crate) fn with_title(title: &str, text: &str) -> String {
    if title.is_empty() { text.to_owned() } else { format!("{title}. {text}") }
}

/// The premises of a passage: of its windows of `size` sentences the `count` that share most words with `statement`,
/// best first; the whole passage if `size` is 0 or at least its number of sentences. Sentences that assert nothing on
/// the statement are left out; there is no premise if all of them are.
pub(crate) fn premises(passage: &Passage, statement: &str, size: usize, count: usize) -> Vec<Premise> {
    let said: HashSet<String> = words(statement).collect();
    let mut found = sentences_of_prose(&passage.text);
    let all = found.len();
    found.retain(|sentence| asserts(&sentence.text, statement));
    if found.is_empty() && all > 0 {
        return Vec::new();
    }
    if found.is_empty() {
        let all = 0..passage.text.len();
        let text = with_title(&passage.title, &said_alike(&passage.text, statement));
        return vec![Premise { text, read: all.clone(), sentence: all }];
    }
    let shared: Vec<HashSet<String>> = found.iter().map(|sentence| shared(&sentence.text, &said)).collect();
    let size = if size == 0 { found.len() } else { size.min(found.len()) };
    let mut starts: Vec<usize> = (0..=found.len() - size).collect();
    starts.sort_by_key(|&start| Reverse(shared[start..start + size].iter().flatten().collect::<HashSet<_>>().len()));
    let premise = |start: usize| {
        let window = start..start + size;
        let closest = window.clone().min_by_key(|&i| Reverse(shared[i].len())).unwrap_or(start);
        let whole = size == all;
        let stretch = found[start].span.start..found[start + size - 1].span.end;
        Premise {
            text: with_title(
                &passage.title,
                &said_alike(&if whole { passage.text.clone() } else { join(&found[window]) }, statement),
            ),
            read: if whole { 0..passage.text.len() } else { stretch },
            sentence: found[closest].span.clone(),
        }
    };
    starts.into_iter().take(count.max(1)).map(premise).collect()
}

/// The same premises, made so short that each `fits`: windows lose sentences, and a sentence that is too long by itself
/// loses its end.
///
/// # Errors
/// Those of `fits`.
pub(crate) fn fitting_premises<E>(
    passage: &Passage,
    statement: &str,
    size: usize,
    count: usize,
    fits: impl Fn(&str) -> Result<bool, E>,
) -> Result<Vec<Premise>, E> {
    let mut size = if size == 0 { sentences_of_prose(&passage.text).len().max(1) } else { size };
    loop {
        let mut found = premises(passage, statement, size, count);
        let mut all_fit = true;
        for premise in &found {
            all_fit &= fits(&premise.text)?;
        }
        if all_fit {
            return Ok(found);
        }
        if size == 1 {
            for premise in &mut found {
                shorten(premise, passage, statement, &fits)?;
            }
            return Ok(found);
        }
        size -= 1;
    }
}

/// Halves a premise until it fits.
fn shorten<E>(
    premise: &mut Premise,
    passage: &Passage,
    statement: &str,
    fits: impl Fn(&str) -> Result<bool, E>,
) -> Result<(), E> {
    while !premise.read.is_empty() && !fits(&premise.text)? {
        let half = premise.read.start + premise.read.len() / 2;
        premise.read.end = passage.text.floor_char_boundary(half);
        premise.sentence = premise.read.clone();
        premise.text = with_title(&passage.title, &said_alike(&passage.text[premise.read.clone()], statement));
    }
    Ok(())
}

fn join(sentences: &[Sentence]) -> String {
    sentences.iter().map(|sentence| sentence.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The words of `text` that are among those `said`.
fn shared(text: &str, said: &HashSet<String>) -> HashSet<String> {
    words(text).filter(|word| said.contains(word)).collect()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.unicode_words().map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(title: &str, text: &str) -> Passage {
        Passage { id: "1".into(), title: title.into(), text: text.into(), ..Passage::default() }
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
    fn sentences_that_assert_nothing_are_not_read() {
        let carbon = passage("Carbon", "Is the atomic number of carbon 8? It is a non-metal.");
        let read = premises(&carbon, "The atomic number of carbon is 8.", 0, 1);
        assert_eq!(texts(&read), ["Carbon. It is a non-metal."]);
        let film = passage("The Emperor", "In the film, Napoleon wins at Waterloo.");
        assert_eq!(premises(&film, "Napoleon won at Waterloo.", 0, 1), []);
        assert_eq!(premises(&film, "In the film The Emperor, Napoleon wins.", 0, 1).len(), 1);
    }

    #[test]
    fn a_passage_without_prose_is_still_a_premise() {
        let premises = premises(&passage("Dash", "---"), "A dash.", 2, 3);
        assert_eq!(premises, [Premise { text: "Dash. ---".into(), read: 0..3, sentence: 0..3 }]);
    }

    #[test]
    fn a_premise_that_is_too_long_gives_way_to_what_can_be_read() {
        let fitting = |text: &str, most: usize| {
            let fits = |premise: &str| Ok::<_, ()>(premise.len() <= most);
            fitting_premises(&passage("Iron", text), "Steel is made of it.", 0, 1, fits).unwrap().remove(0)
        };
        let whole = fitting(IRON, 500);
        assert_eq!(&IRON[whole.read], IRON);
        let window = fitting(IRON, 60);
        assert_eq!(&IRON[window.read], "It rusts in wet air. Steel is made of it.");
        let long = format!("Iron {}", "é".repeat(99));
        let cut = fitting(&long, 40);
        assert!(cut.text.len() <= 40 && long.starts_with(&long[cut.read.clone()]) && !cut.read.is_empty());
    }
}
