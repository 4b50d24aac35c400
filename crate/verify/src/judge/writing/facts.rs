//! Atomic facts: a statement as the several things it says, for FActScore's precision (guan2024, Sec. 4.3; Min et al. 2023).

use evident_nn::Seq2Seq;
use unicode_segmentation::UnicodeSegmentation;

use crate::error::VerifyError;
use crate::judge::methods::{keeps, room};
use crate::text::claims::{VERBS, subject};
use crate::text::sentences::sentences;

/// What stands between two predicates of one subject, or between two sentences in one; the longer before its own end.
const CONNECTORS: [&str; 5] = ["; ", ", and ", ", but ", " and ", " but "];
/// Verbs that a participle after "and" shares: "was designed and built".
const AUXILIARIES: [&str; 7] = ["is", "are", "was", "were", "has", "have", "had"];
/// What a later part may call the subject.
const PRONOUNS: [&str; 4] = ["he ", "she ", "it ", "they "];

/// The facts of a statement by rule, each a sentence: an apposition or relative clause right after the subject, and each of
/// several predicates that "and", "but" or a semicolon joins. A statement that no rule fits is one fact.
#[must_use]
pub fn atomic_facts(statement: &str) -> Vec<String> {
    let text = statement.trim();
    split(text.trim_end_matches(['.', '!'])).unwrap_or_else(|| vec![text.to_owned()])
}

/// The facts of a sentence without its stop; `None` where it cannot be told what it is about.
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
            Some(Part::Predicate) => {
                facts.push(format!("{name} {}.", &predicate[begin..at]));
                begin = after;
            }
            Some(Part::Sentences(others)) => {
                facts.push(format!("{name} {}.", &predicate[begin..at]));
                facts.extend(others);
                return Some(facts);
            }
            Some(Part::Participle(auxiliary)) => {
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

/// What an aside between commas says of the subject; `after` is the predicate that follows it.
fn aside_fact(name: &str, clause: &str, after: &str) -> Option<String> {
    if let Some(said) = ["who ", "which "].iter().find_map(|pronoun| clause.strip_prefix(pronoun)) {
        return opens_with_verb(said).then(|| format!("{name} {said}."));
    }
    let noun = ["a ", "an ", "the "].iter().any(|article| clause.starts_with(article));
    let first = first_word(after);
    let past = ["was", "were", "had", "did"].contains(&first) || first.ends_with("ed");
    noun.then(|| format!("{name} {} {clause}.", if past { "was" } else { "is" }))
}

/// What follows a connector, where it is a fact of its own.
enum Part<'a> {
    /// Another predicate of the same subject.
    Predicate,
    /// A participle that shares this auxiliary.
    Participle(&'a str),
    /// A sentence with a subject of its own, split in turn.
    Sentences(Vec<String>),
}

fn own_fact<'a>(name: &str, before: &'a str, after: &str, connector: &str) -> Option<Part<'a>> {
    if opens_with_verb(after) {
        return Some(match before.split_whitespace().collect::<Vec<_>>().as_slice() {
            [auxiliary, participle]
                if AUXILIARIES.contains(auxiliary)
                    && participle.ends_with("ed")
                    && first_word(after).ends_with("ed") =>
            {
                Part::Participle(auxiliary)
            }
            _ => Part::Predicate,
        });
    }
    if let Some(rest) = PRONOUNS.iter().find_map(|pronoun| after.strip_prefix(pronoun)) {
        return opens_with_verb(rest).then(|| split(&format!("{name} {rest}"))).flatten().map(Part::Sentences);
    }
    // After a bare "and" a name may just end a list.
    let sentence = !connector.starts_with(' ') && subject(after).is_some();
    sentence.then(|| split(after)).flatten().map(Part::Sentences)
}

/// The next connector from a byte on: where it is, and which.
fn next_connector(text: &str, from: usize) -> Option<(usize, &'static str)> {
    let found = CONNECTORS.iter().filter_map(|connector| Some((from + text[from..].find(connector)?, *connector)));
    found.min_by_key(|(at, _)| *at)
}

fn opens_with_verb(text: &str) -> bool {
    let first = first_word(text);
    VERBS.contains(&first) || first.len() > 4 && first.ends_with("ed") && first.starts_with(char::is_lowercase)
}

fn first_word(text: &str) -> &str {
    text.unicode_words().next().unwrap_or_default()
}

/// The facts of a statement as a model that can write splits it; `None` where it wrote none that is about the statement. The
/// wording is ours, as the paper gives none.
pub(crate) async fn written_facts(
    seq2seq: &Seq2Seq,
    statement: &str,
    max_tokens: usize,
) -> Result<Option<Vec<String>>, VerifyError> {
    let prompt = format!(
        "Task: Given a statement, write down every single fact that it states, each as one short sentence that can be understood \
         alone.\nStatement: {statement}\nOutput:"
    );
    let steps = 2 * room(seq2seq.tokenizer(), statement)?;
    let written = seq2seq.write(&prompt, max_tokens, steps).await?;
    let facts = sentences(&written).into_iter().map(|sentence| sentence.text);
    let facts: Vec<String> = facts.filter(|fact| keeps(fact, statement)).collect();
    Ok((!facts.is_empty()).then_some(facts))
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
