//! Whether a passage can contradict a statement: it is about the same subject, and it has other words in place of some
//! of the statement's.
//!
//! The most common error of NLI models is a contradiction by evidence that says nothing of the claim. This rule on
//! words drops such contradictions; the model decides about the rest.

use std::collections::HashSet;

use evident_index::analyse;

use crate::text::entities::{EntityKind, entities};

/// A passage may lack this many of the statement's words beside the subject, however few it shares.
const FEW: usize = 3;

/// Whether the stretch `read` of the passage called `title` can contradict `statement`: it has the same subject, and of
/// the statement's other words it has at least half or lacks at most [`FEW`].
///
/// The subject is the same if a word of the title is in the statement, or if the last word of a name in the statement
/// is in the title or stretch. For a statement without names any shared word is enough.
pub(crate) fn opposes(statement: &str, title: &str, read: &str) -> bool {
    let title: HashSet<String> = analyse(title).collect();
    let found: HashSet<String> = analyse(read).chain(title.iter().cloned()).collect();
    let named = entities(statement)
        .into_iter()
        .filter(|entity| !matches!(entity.kind, EntityKind::Cardinal | EntityKind::Ordinal | EntityKind::Date));
    let names: Vec<Vec<String>> = named.map(|name| analyse(&statement[name.span]).collect()).collect();
    let said: HashSet<String> = analyse(statement).collect();
    let same_subject = said.iter().any(|term| title.contains(term))
        || match names.is_empty() {
            true => said.iter().any(|term| found.contains(term)),
            false => names.iter().filter_map(|name| name.last()).any(|term| found.contains(term)),
        };
    let subject: HashSet<&String> = names.iter().flatten().chain(&title).collect();
    let (shared, lacking): (Vec<&String>, _) =
        said.iter().filter(|term| !subject.contains(term)).partition(|term| found.contains(*term));
    same_subject && (lacking.len() <= FEW || shared.len() >= lacking.len())
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_persons_taste_beside_a_passage_on_their_work_opposes_nothing() {
        let work = "Grace Hopper wrote one of the first compilers. She was a rear admiral.";
        assert!(!opposes("As a child Grace Hopper took apart seven alarm clocks.", "Grace Hopper", work));
        assert!(!opposes("Grace Hopper's favourite colour was always dark green.", "Grace Hopper", work));
    }
}
