//! Copies among passages, and passages that repeat themselves: a text is no truer for being said twice.

use std::collections::BTreeSet;

use evident_index::{Passage, analyse};

/// Two passages are copies if they have at least this share of their pairs of neighbouring words in common, and the same
/// numbers in them.
const ALIKE: f64 = 0.8;

/// A passage repeats itself if it has more than this many words for each different one.
const REPEATED: usize = 3;

/// A passage of fewer words is too short to tell.
const SHORT: usize = 12;

/// The pairs of neighbouring words of a passage's title and text, folded as for a search.
struct Pairs(BTreeSet<(String, String)>);

impl Pairs {
    fn of(passage: &Passage) -> Self {
        let words: Vec<String> = analyse(&passage.title).chain(analyse(&passage.text)).collect();
        let next = words.iter().skip(1).cloned().chain([String::new()]);
        Self(words.iter().cloned().zip(next).collect())
    }

    fn are_those_of(&self, other: &Self) -> bool {
        let shared = self.0.intersection(&other.0).count();
        let all = self.0.len() + other.0.len() - shared;
        let mut others = self.0.symmetric_difference(&other.0);
        shared as f64 >= ALIKE * all as f64 && !others.any(|(first, second)| is_number(first) || is_number(second))
    }
}

fn is_number(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

/// The first of each group of copies, in order.
pub(crate) fn distinct<P>(passages: Vec<P>, passage_of: impl Fn(&P) -> &Passage) -> Vec<P> {
    let mut seen: Vec<Pairs> = Vec::new();
    let mut is_new = |passage: &P| {
        let pairs = Pairs::of(passage_of(passage));
        let is_copy = seen.iter().any(|other| other.are_those_of(&pairs));
        seen.push(pairs);
        !is_copy
    };
    passages.into_iter().filter(|passage| is_new(passage)).collect()
}

/// Whether a text says few words again and again.
pub(crate) fn repeats_itself(text: &str) -> bool {
    let words: Vec<String> = analyse(text).collect();
    let different = words.iter().collect::<BTreeSet<_>>().len();
    words.len() >= SHORT && words.len() > REPEATED * different
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(title: &str, text: &str) -> Passage {
        Passage { title: title.into(), text: text.into(), ..Passage::default() }
    }

    fn kept(passages: &[(&str, &str)]) -> Vec<String> {
        let passages = passages.iter().map(|(title, text)| passage(title, text)).collect();
        distinct(passages, |passage| passage).into_iter().map(|passage| passage.text).collect()
    }

    #[test]
    fn a_copy_counts_once_however_it_is_written() {
        let (zurich, bern) = ("The capital of Switzerland is Zürich.", "Bern is the capital of Switzerland.");
        assert_eq!(kept(&[("", zurich), ("", zurich), ("", bern)]), [zurich, bern]);
        assert_eq!(kept(&[("", zurich), ("", "The CAPITAL of Switzerland -- is zürich!"), ("", bern)]), [zurich, bern]);
        let long = "Iron is a metal that rusts in wet air, melts in a furnace, and makes up much of the Earth's core.";
        let longer = format!("{long} Indeed.");
        assert_eq!(kept(&[("Iron", long), ("Iron", &longer)]), [long]);
    }

    #[test]
    fn passages_of_one_pattern_are_no_copies() {
        let carbon = "The chemical element carbon has the symbol C, the atomic number 6 and the group 14.";
        let silicon = "The chemical element silicon has the symbol Si, the atomic number 14 and the group 14.";
        assert_eq!(kept(&[("Carbon", carbon), ("Silicon", silicon)]).len(), 2);
        let year = "The company sold bread, milk, cheese, butter, eggs, flour, sugar, salt, rice and tea in";
        assert_eq!(kept(&[("", &format!("{year} 1990.")), ("", &format!("{year} 1991."))]).len(), 2);
        assert_eq!(kept(&[("", "Bern beat Basel in the final."), ("", "Basel beat Bern in the final.")]).len(), 2);
    }

    #[test]
    fn a_text_that_says_one_thing_again_and_again_repeats_itself() {
        assert!(repeats_itself(&"The capital of Switzerland is Zürich. ".repeat(15)));
        assert!(!repeats_itself("The capital of Switzerland is Zürich."));
        let wall = "The Berlin Wall was built in 1961. The wall fell in 1989. Parts of the wall still stand in Berlin.";
        assert!(!repeats_itself(wall));
    }
}
