//! Atomic facts by rule: each single thing that a statement says, for FActScore (guan2024, Sec. 4.3; Min et al. 2023).

use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::{CONNECTORS, SHARED, SUBJECT_PRONOUNS};
use crate::text::pronouns::subject;
use crate::text::verbs::is_finite;

/// The facts of a statement by rule, each a sentence: an apposition or relative clause right after the subject, and
/// each predicate of several that "and", "but" or a semicolon joins. A statement that no rule fits is one fact.
#[must_use]
pub fn atomic_facts(statement: &str) -> Vec<String> {
    let text = statement.trim();
    split(text.trim_end_matches(['.', '!'])).unwrap_or_else(|| vec![text.to_owned()])
}

/// The facts of a sentence without its full stop; `None` if it has no clear subject.
fn split(text: &str) -> Option<Vec<String>> {
    let name = subject(text)?;
    let rest = text.strip_prefix(name)?;
    let (mut facts, mut predicate) = (Vec::new(), rest.trim_start());
    if let Some(aside) = rest.strip_prefix(", ") {
        let (clause, after) = aside.split_once(", ").filter(|(_, after)| opens_with_verb(after))?;
        facts.push(aside_fact(name, clause, after)?);
        predicate = after;
    }
    if !predicate.starts_with(char::is_alphanumeric) {
        return None;
    }
    let (mut begin, mut from) = (0, 0);
    while let Some((at, connector)) = next_connector(predicate, from) {
        let after = at + connector.len();
        match own_fact(name, &predicate[begin..at], &predicate[after..], connector) {
            Some(NextFact::Predicate) => {
                facts.push(format!("{name} {}.", &predicate[begin..at]));
                begin = after;
            }
            Some(NextFact::Sentences(others)) => {
                facts.push(format!("{name} {}.", &predicate[begin..at]));
                facts.extend(others);
                return Some(facts);
            }
            Some(NextFact::Participle(auxiliary)) => {
                facts.push(format!("{name} {}.", &predicate[begin..at]));
                facts.extend(split(&format!("{name} {auxiliary} {}", &predicate[after..]))?);
                return Some(facts);
            }
            None => {}
        }
        from = after;
    }
    facts.push(format!("{name} {}.", &predicate[begin..]));
    Some(facts)
}

/// The fact of an aside between commas after the subject `name`; `after` is the predicate that follows it.
fn aside_fact(name: &str, clause: &str, after: &str) -> Option<String> {
    if let Some(said) = ["who ", "which "].iter().find_map(|pronoun| clause.strip_prefix(pronoun)) {
        return opens_with_verb(said).then(|| format!("{name} {said}."));
    }
    let noun = ["a ", "an ", "the "].iter().any(|article| clause.starts_with(article));
    let first = first_word(after);
    let past = ["was", "were", "had", "did"].contains(&first) || first.ends_with("ed");
    noun.then(|| format!("{name} {} {clause}.", if past { "was" } else { "is" }))
}

/// What follows a connector, if it is a fact of its own.
enum NextFact<'a> {
    /// Another predicate of the same subject.
    Predicate,
    /// A participle that shares this auxiliary verb.
    Participle(&'a str),
    /// The facts of a sentence with a subject of its own.
    Sentences(Vec<String>),
}

fn own_fact<'a>(name: &str, before: &'a str, after: &str, connector: &str) -> Option<NextFact<'a>> {
    if opens_with_verb(after) {
        return Some(match before.split_whitespace().collect::<Vec<_>>().as_slice() {
            [auxiliary, participle]
                if SHARED.contains(auxiliary) && participle.ends_with("ed") && first_word(after).ends_with("ed") =>
            {
                NextFact::Participle(auxiliary)
            }
            _ => NextFact::Predicate,
        });
    }
    if let Some(rest) = SUBJECT_PRONOUNS.iter().find_map(|pronoun| after.strip_prefix(pronoun)) {
        return opens_with_verb(rest).then(|| split(&format!("{name} {rest}"))).flatten().map(NextFact::Sentences);
    }
    // A name after a bare "and" may just end a list.
    let sentence = !connector.starts_with(' ') && subject(after).is_some();
    sentence.then(|| split(after)).flatten().map(NextFact::Sentences)
}

/// The next connector from a byte on, and its place.
fn next_connector(text: &str, from: usize) -> Option<(usize, &'static str)> {
    let found = CONNECTORS.iter().filter_map(|connector| Some((from + text[from..].find(connector)?, *connector)));
    found.min_by_key(|(at, _)| *at)
}

fn opens_with_verb(text: &str) -> bool {
    let first = first_word(text);
    first.starts_with(char::is_lowercase) && is_finite(first)
}

fn first_word(text: &str) -> &str {
    text.unicode_words().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_statement_that_says_one_thing_is_one_fact() {
        for one in [
            "Iron is a metal.",
            "Tin and lead are soft.",
            "In 1903, she won a prize.",
            "Paris, Lyon, and Nice are cities.",
        ] {
            assert_eq!(atomic_facts(one), [one]);
        }
    }

    #[test]
    fn predicates_of_one_subject_are_facts_of_their_own() {
        assert_eq!(
            atomic_facts("Marie Curie was born in Warsaw and won two Nobel Prizes, but died in France."),
            ["Marie Curie was born in Warsaw.", "Marie Curie won two Nobel Prizes.", "Marie Curie died in France."]
        );
        assert_eq!(
            atomic_facts("The Eiffel Tower was designed and constructed by a company."),
            ["The Eiffel Tower was designed.", "The Eiffel Tower was constructed by a company."]
        );
    }

    #[test]
    fn an_aside_after_the_subject_is_a_fact() {
        assert_eq!(
            atomic_facts("Alan Turing, a mathematician, was born in London."),
            ["Alan Turing was a mathematician.", "Alan Turing was born in London."]
        );
        assert_eq!(atomic_facts("Mars, which has two moons, is red."), ["Mars has two moons.", "Mars is red."]);
    }

    #[test]
    fn a_sentence_with_its_own_subject_stands_alone() {
        assert_eq!(
            atomic_facts("Paris is the capital of France, and Rome is the capital of Italy; it lies on the Tiber."),
            ["Paris is the capital of France.", "Rome is the capital of Italy.", "Rome lies on the Tiber."]
        );
    }

    proptest! {
        #[test]
        fn any_text_has_facts(text in r"(Iron |iron |, |and |; |but |it |is |was |designed |who |a |é|\PC){0,20}") {
            let facts = atomic_facts(&text);
            prop_assert!(!facts.is_empty());
        }
    }
}
