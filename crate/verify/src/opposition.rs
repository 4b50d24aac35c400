//! Whether a passage can stand against a statement: it is on the same subject, and says something else in the place of
//! some of the statement's words.
//!
//! NLI models take evidence that says nothing of a claim for a contradiction more often than any other way round. A rule
//! on words keeps such alarms from readers; what it lets through is still the model's to judge.

use std::collections::HashSet;

use evident_index::analyse;

use crate::entity::{EntityKind, entities};

/// Of the statement's words those that a passage may lack and still speak of the same thing: all, where there are so few.
const FEW: usize = 2;

/// Whether the passage of this title, of which `read` was read, can contradict `statement`.
pub(crate) fn opposes(statement: &str, title: &str, read: &str) -> bool {
    let said: Vec<String> = distinct(analyse(statement));
    let title: HashSet<String> = analyse(title).collect();
    let found: HashSet<String> = analyse(read).chain(title.iter().cloned()).collect();
    let names = entities(statement)
        .into_iter()
        .filter(|entity| !matches!(entity.kind, EntityKind::Cardinal | EntityKind::Ordinal | EntityKind::Date));
    let names: HashSet<String> = names.flat_map(|name| analyse(&statement[name.span]).collect::<Vec<_>>()).collect();
    let same_subject = said.iter().any(|term| title.contains(term))
        || match names.is_empty() {
            true => said.iter().any(|term| found.contains(term)),
            false => names.iter().any(|term| found.contains(term)),
        };
    let subject = |term: &&String| !title.contains(*term) && !names.contains(*term);
    let (mut lacking, mut shared) = (0, 0);
    for term in said.iter().filter(subject) {
        if found.contains(term) { shared += 1 } else { lacking += 1 }
    }
    same_subject && (lacking <= FEW || shared >= lacking)
}

fn distinct(terms: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    terms.filter(|term| seen.insert(term.clone())).collect()
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
    }

    #[test]
    fn a_persons_taste_beside_a_passage_on_their_work_opposes_nothing() {
        let work = "Grace Hopper wrote one of the first compilers. She was a rear admiral.";
        assert!(!opposes("As a child Grace Hopper took apart seven alarm clocks.", "Grace Hopper", work));
        assert!(!opposes("Grace Hopper's favourite colour was dark green.", "Grace Hopper", work));
    }
}
