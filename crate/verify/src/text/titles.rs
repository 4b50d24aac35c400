//! What of a claim an encyclopaedia is asked for: names that may be titles of articles, and words to search for.

use crate::text::entities::{EntityKind, entities};
use crate::text::pronouns::subject;
use crate::text::verbs::is_finite;
use crate::text::words::{capitalised, is_determiner, is_preposition, words};

/// The most names of a text. An article for each is read.
const MOST: usize = 3;

/// The longest title in MediaWiki, in bytes.
const LONGEST: usize = 255;

/// The most words that are searched for. A wiki finds the pages with all of them.
const SEARCHED: usize = 4;

/// The titles that the articles about a text may have: those for its subject, and for the first names in it.
pub(crate) fn candidates(text: &str) -> Vec<String> {
    let named = entities(text).into_iter().filter(|entity| is_name(entity.kind)).map(|entity| &text[entity.span]);
    let mut found: Vec<String> = Vec::new();
    let mut names = 0;
    for name in subject(text).into_iter().chain(named) {
        let new: Vec<String> = titles(name).into_iter().filter(|title| !found.contains(title)).collect();
        names += usize::from(!new.is_empty());
        if names > MOST {
            break;
        }
        found.extend(new);
    }
    found
}

fn is_name(kind: EntityKind) -> bool {
    !matches!(kind, EntityKind::Cardinal | EntityKind::Ordinal | EntityKind::Date)
}

/// A name as titles have it: with and without "The", and a plural in the singular too.
fn titles(name: &str) -> Vec<String> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_end_matches("'s").trim_end_matches("’s").trim_matches(|c: char| !c.is_alphanumeric());
    let bare = match name.split_once(' ') {
        Some((first, rest)) if is_determiner(&first.to_lowercase()) => rest,
        _ => name,
    };
    let is_title =
        !bare.is_empty() && name.len() <= LONGEST && !name.contains(['#', '<', '>', '[', ']', '{', '}', '|']);
    if !is_title {
        return Vec::new();
    }
    let mut found = vec![capitalised(bare)];
    let is_proper = bare.starts_with(char::is_uppercase) && bare.len() < name.len();
    if is_proper && name.to_lowercase().starts_with("the ") {
        found.push(capitalised(name));
    }
    let last = bare.rsplit(' ').next().unwrap_or_default();
    let is_plural = last.starts_with(char::is_lowercase) || !bare.contains(' ');
    if let Some(one) =
        bare.strip_suffix('s').filter(|one| is_plural && one.len() > 2 && !one.ends_with(['s', 'u', 'i']))
    {
        found.push(capitalised(one));
    }
    found
}

/// A few words of a statement to search for, in its order: those of names first, then the longest.
pub(crate) fn search_words(statement: &str) -> String {
    let words = words(statement);
    let is_searched =
        |lower: &str| lower.chars().count() > 3 && !is_determiner(lower) && !is_preposition(lower) && !is_finite(lower);
    let mut picked: Vec<usize> = (0..words.len()).filter(|&at| is_searched(&words[at].lower)).collect();
    picked.sort_by_key(|&at| (!(at > 0 && words[at].is_capital), std::cmp::Reverse(words[at].lower.len())));
    picked.truncate(SEARCHED);
    picked.sort_unstable();
    picked.into_iter().map(|at| words[at].lower.as_str()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_comes_first_with_its_variants() {
        assert_eq!(candidates("Marie Curie was born in Warsaw in 1867."), ["Marie Curie", "Warsaw"]);
        assert_eq!(candidates("Honey bees are insects.")[..2], ["Honey bees", "Honey bee"]);
        assert_eq!(candidates("The Eiffel Tower is in Paris.")[..2], ["Eiffel Tower", "The Eiffel Tower"]);
        assert_eq!(candidates("Water boils at 100 °C.")[0], "Water");
        assert_eq!(candidates("It is so."), [""; 0]);
    }

    #[test]
    fn a_search_has_a_few_telling_words() {
        assert_eq!(search_words("The largest river of the old kingdom flows into the Ool."), "largest river kingdom");
        assert_eq!(search_words("It is so."), "");
    }
}
