//! The words that a passage and a statement have in common.
//!
//! The most common error of NLI models is a contradiction by evidence that says nothing of the claim. Rules on words
//! drop such contradictions; the model decides about the rest.

use std::collections::HashSet;

use evident_index::analyse;

use crate::evidence::copies::repeats_itself;
use crate::text::english::TITLES;
use crate::text::entities::{EntityKind, entities};
use crate::text::quantities::said_alike;

/// A passage can contradict a statement if it lacks at most this many of its words, the subject's aside, however few it
/// shares.
const FEW: usize = 3;

/// Support is sure only from a passage that has at least one in this many of the statement's words. Chosen on the
/// answers of tests/data/ordinary.jsonl.
const ONE_IN: usize = 3;

/// A statement that has at least this share of a title's words names the title's subject.
const NAMING: f64 = 0.5;

/// The words that a passage, or a stretch of it, and a statement have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overlap {
    /// The statement names the passage's subject: it has half the words of its title, without those in brackets, or the
    /// last of them in a name.
    pub names_subject: bool,
    /// The passage can contradict the statement: it has the same subject, and of the statement's other words it has at
    /// least half or lacks at most [`FEW`].
    ///
    /// The subject is the same if the statement names it, or if the last word of a name in the statement is in the
    /// title or stretch, and not only as a part of other names: the Night Watch is not the Starry Night. For a
    /// statement without names any shared word is enough.
    pub opposes: bool,
    /// The number of the statement's words that are in the title or stretch.
    pub shared: usize,
    /// All of the statement's words are in the title or stretch.
    pub has_all: bool,
    /// At least one of [`ONE_IN`] of the statement's words is in the title or stretch.
    pub has_enough: bool,
    /// The title or stretch lacks a word of the statement, names and numbers aside, so it may be about another side of
    /// the subject.
    pub lacks_word: bool,
    /// The stretch is evidence: it does not say few words again and again, nor does the title alone have the
    /// statement's words.
    pub is_evidence: bool,
}

impl Overlap {
    /// The overlap of `statement` with the stretch `read` of the passage called `title`.
    pub fn of(statement: &str, title: &str, read: &str) -> Self {
        let read = &said_alike(read, statement);
        let titled: HashSet<String> = analyse(title).collect();
        let in_text: HashSet<String> = analyse(read).collect();
        let found: HashSet<String> = in_text.union(&titled).cloned().collect();
        let names = names_in(statement);
        let said: HashSet<String> = analyse(statement).collect();
        let names_subject = names_title(&said, &names, title);
        let same_subject = names_subject
            || match names.is_empty() {
                true => said.iter().any(|term| found.contains(term)),
                false => {
                    let others: Vec<Vec<String>> = [title, read].into_iter().flat_map(names_in).collect();
                    names.iter().any(|name| speaks_of(name, &found, &others))
                }
            };
        let subject: HashSet<&String> = names.iter().flatten().chain(&titled).collect();
        let titled_alone = said.is_subset(&titled) && 2 * said.intersection(&in_text).count() < said.len();
        let (shared, lacking): (Vec<&String>, _) =
            said.iter().filter(|term| !subject.contains(term)).partition(|term| found.contains(*term));
        Self {
            names_subject,
            opposes: same_subject && (lacking.len() <= FEW || shared.len() >= lacking.len()),
            shared: said.intersection(&found).count(),
            has_all: said.is_subset(&found),
            has_enough: ONE_IN * said.intersection(&found).count() >= said.len(),
            lacks_word: lacking.iter().any(|term| !term.contains(|c: char| c.is_ascii_digit())),
            is_evidence: !repeats_itself(read) && !titled_alone,
        }
    }
}

/// A sentence is near to a statement if it and its title have at least this share of the statement's words, or lack at
/// most [`OTHERWISE`].
const NEAR: f64 = 0.6;

/// So many words may be said otherwise, one of them wrongly.
const OTHERWISE: usize = 2;

/// True if a sentence of the passage called `title` is near to `statement`: it says the same, or something else in the
/// same words.
pub(crate) fn is_near(statement: &str, title: &str, sentence: &str) -> bool {
    let said: HashSet<String> = analyse(statement).collect();
    let found: HashSet<String> = analyse(title).chain(analyse(&said_alike(sentence, statement))).collect();
    let shared = said.intersection(&found).count();
    said.len() - shared <= OTHERWISE || shared as f64 >= NEAR * said.len() as f64
}

/// True if a statement with the terms `said` and these `names` has at least [`NAMING`] of a title's terms, those in
/// brackets aside, or the last of them in a name.
fn names_title(said: &HashSet<String>, names: &[Vec<String>], title: &str) -> bool {
    let bare: Vec<String> = analyse(title.split(" (").next().unwrap_or(title)).collect();
    let named = bare.iter().filter(|term| said.contains(*term)).count();
    let has_most = named > 0 && named as f64 >= NAMING * bare.len() as f64;
    has_most || bare.last().is_some_and(|last| names.iter().any(|name| name.contains(last)))
}

/// The names in a text, each as its terms, without a person's title.
fn names_in(text: &str) -> Vec<Vec<String>> {
    let named = entities(text)
        .into_iter()
        .filter(|entity| !matches!(entity.kind, EntityKind::Cardinal | EntityKind::Ordinal | EntityKind::Date));
    named
        .map(|name| {
            let name = &text[name.span];
            let bare =
                name.split_once(' ').filter(|(first, _)| TITLES.has(&first.trim_end_matches('.').to_lowercase()));
            analyse(bare.map_or(name, |(_, rest)| rest)).collect()
        })
        .collect()
}

/// True if a passage of the terms `found` and the names `others` speaks of `name`: it has the name's last word, and
/// that word is in none of `others`, or in one that is a longer or shorter form of `name`.
fn speaks_of(name: &[String], found: &HashSet<String>, others: &[Vec<String>]) -> bool {
    let Some(last) = name.last() else { return false };
    let within = |one: &[String], other: &[String]| one.iter().all(|term| other.contains(term));
    let mut with_last = others.iter().filter(|other| other.contains(last)).peekable();
    found.contains(last)
        && (with_last.peek().is_none() || with_last.any(|other| within(name, other) || within(other, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opposes(statement: &str, title: &str, read: &str) -> bool {
        Overlap::of(statement, title, read).opposes
    }

    #[test]
    fn another_name_number_or_class_in_the_same_place_opposes() {
        let bern = ("Bern", "Bern is the federal city and seat of government of Switzerland.");
        assert!(opposes("Zürich is the capital of Switzerland.", bern.0, bern.1));
        assert!(opposes("Spiders are insects.", "Spider", "A spider is an arachnid with eight legs."));
        assert!(opposes("The atomic number of carbon is 8.", "Carbon", "Its atomic number is 6."));
        assert!(opposes("Mars has no moons.", "Mars", "It has two moons, Phobos and Deimos."));
    }

    #[test]
    fn a_passage_on_something_else_opposes_nothing() {
        let tin = "Tin is a soft metal with the symbol Sn.";
        assert!(!opposes("Marie Curie won two prizes.", "Tin", tin));
        assert!(!opposes("Paris lies on the Seine.", "Rome", "Rome lies on the Tiber."));
        let paris = "The Treaty of Paris of 1783 ended the war.";
        assert!(!opposes("The Treaty of Tordesillas was signed in 1494.", "American independence", paris));
    }

    #[test]
    fn a_name_that_shares_a_word_with_the_statements_is_another_subject() {
        let watch = "His large group portrait The Night Watch of 1642 hangs in the Rijksmuseum.";
        assert!(!opposes("The Starry Night hangs in New York.", "Rembrandt", watch));
        let obama = "President Obama was born in Honolulu.";
        assert!(opposes("Barack Obama was born in Kenya.", "A president", obama));
        assert!(!opposes("Michelle Obama was born in Kenya.", "A president", "Barack Obama was born in Honolulu."));
    }

    #[test]
    fn a_title_names_a_subject_by_half_its_words_or_by_a_surname() {
        let named = |statement, title| Overlap::of(statement, title, "").names_subject;
        assert!(named("The Berlin Wall opened in 1989.", "Fall of the Berlin Wall"));
        assert!(named("Mercury is a metal.", "Mercury (element)"));
        assert!(named("Handel's Messiah was first performed in Leipzig.", "George Frideric Handel"));
        assert!(!named("The Ool rises in Tarn.", "The Sun Also Rises"));
        assert!(!named("Mercury is a metal.", "(element)"));
        let sun = "It is a novel of 1926 by Ernest Hemingway, who rises early in it.";
        assert!(!opposes("The Ool rises in Tarn.", "The Sun Also Rises", sun));
    }

    #[test]
    fn words_in_common_are_counted_once_and_in_title_and_text() {
        let read = "The chemical element carbon has the symbol C and the atomic number 6.";
        let overlap = Overlap::of("The atomic number of carbon is 8.", "Carbon", read);
        assert_eq!((overlap.names_subject, overlap.shared), (true, 3));
        assert_eq!((overlap.has_all, overlap.lacks_word), (false, false), "a number is no word");
        assert!(Overlap::of("The atomic number of carbon is 6.", "Carbon", read).has_all);
        assert!(Overlap::of("The atomic mass of carbon is 12.", "Carbon", read).lacks_word);
    }

    #[test]
    fn a_sentence_in_much_the_same_words_is_near() {
        let born = "Marie Curie was born in Warsaw in 1867.";
        assert!(is_near("Marie Curie was born in Paris in 1867.", "Marie Curie", born));
        let lisa = "The Mona Lisa is a portrait by Leonardo da Vinci.";
        assert!(is_near("The Mona Lisa was painted by Michelangelo.", "Mona Lisa", lisa));
        assert!(!is_near("Curie died of an illness in a French sanatorium in 1934.", "Marie Curie", born));
    }

    #[test]
    fn neither_a_title_alone_nor_a_repetition_is_evidence() {
        let is_evidence =
            |title, read: &str| Overlap::of("The capital of Switzerland is Zürich.", title, read).is_evidence;
        let said = "The capital of Switzerland is Zürich.";
        assert!(is_evidence("Switzerland", said));
        assert!(is_evidence(said, "It has been the capital of Switzerland since 1848."));
        assert!(!is_evidence(said, "Lake boats, chocolate and cheese from many a shop."));
        assert!(!is_evidence("Switzerland", &said.repeat(15)));
    }

    #[test]
    fn a_persons_taste_beside_a_passage_on_their_work_opposes_nothing() {
        let work = "Grace Hopper wrote one of the first compilers. She was a rear admiral.";
        assert!(!opposes("As a child Grace Hopper took apart seven alarm clocks.", "Grace Hopper", work));
        assert!(!opposes("Grace Hopper's favourite colour was always dark green.", "Grace Hopper", work));
    }
}
