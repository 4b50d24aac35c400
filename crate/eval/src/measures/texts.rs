//! How similar two texts are (chen2023, App. J.3).

use std::collections::{BTreeSet, HashMap};

use evident_verify::{entities, sentences};
use unicode_segmentation::UnicodeSegmentation;

use crate::measures::share;

/// HE (App. J.3; Lee et al. 2023): the share of a text's distinct [`entities`] that the reference does not contain word
/// for word, ignoring case, 0 to 1. A sentence's first word alone does not count, because its capital says nothing.
/// `None` for a text without entities. Lee et al. find entities with a tagger.
#[must_use]
pub fn hallucinated_entities(text: &str, reference: &str) -> Option<f64> {
    let bare = |text: &str| format!(" {} ", text.unicode_words().collect::<Vec<_>>().join(" ").to_lowercase());
    let reference = bare(reference);
    let said = sentences(text).into_iter().map(|sentence| &text[sentence.span]);
    let named = said.flat_map(|said| {
        let found = entities(said).into_iter().map(|entity| (entity.span.start, &said[entity.span]));
        found.filter(|(start, name)| *start > 0 || name.contains(' ')).map(|(_, name)| bare(name))
    });
    let named: BTreeSet<String> = named.collect();
    let hallucinated = named.iter().filter(|entity| !reference.contains(*entity)).count();
    share(hallucinated, named.len())
}

/// The F1 of two texts' words (App. J.3; Liu et al. 2022), 0 to 1: 2 P R / (P + R). P and R are the shares of the words
/// of `a` and of `b` that the other text has too, a repeated word as often as both have it. Words are compared in lower
/// case, without punctuation and articles.
#[must_use]
pub fn unigram_f1(a: &str, b: &str) -> f64 {
    let (a, b) = (words(a), words(b));
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in &b {
        *left.entry(word).or_default() += 1;
    }
    let mut shared = 0;
    for word in &a {
        if let Some(count) = left.get_mut(word.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1;
        }
    }
    // With P = shared / |a| and R = shared / |b|.
    if shared == 0 { 0.0 } else { 2.0 * f64::from(shared) / (a.len() + b.len()) as f64 }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    words.filter(|word| !is_article(word)).collect()
}

/// EM (App. J.3; Rajpurkar et al. 2016): whether two answers differ in nothing but case, punctuation, articles and
/// spaces. Punctuation is deleted, so that "U.S." is "US".
#[must_use]
pub fn exact_match(answer: &str, reference: &str) -> bool {
    let normalised = |text: &str| {
        let text: String = text.chars().filter(|c| !c.is_ascii_punctuation()).collect();
        let text = text.to_lowercase();
        text.split_whitespace().filter(|word| !is_article(word)).map(str::to_owned).collect::<Vec<_>>()
    };
    normalised(answer) == normalised(reference)
}

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_are_counted_as_often_as_both_have_them() {
        assert_eq!(unigram_f1("Iron is a metal.", "The iron is metal!"), 1.0);
        assert_eq!(unigram_f1("iron iron", "iron"), 2.0 / 3.0);
        assert_eq!((unigram_f1("iron", "tin"), unigram_f1("", "")), (0.0, 0.0));
    }

    #[test]
    fn an_exact_match_looks_past_case_punctuation_and_articles() {
        assert!(exact_match("the U.S.", "US") && exact_match(" Old  Trafford", "old trafford"));
        assert!(!exact_match("China", "PRC") && !exact_match("20 %", "20.5"));
    }

    #[test]
    fn an_entity_that_the_reference_does_not_name_is_hallucinated() {
        let reference = "In 1911 marie curie was in Stockholmsgatan.";
        assert_eq!(hallucinated_entities("Here lived Marie Curie, Marie Curie in Stockholm.", reference), Some(0.5));
        assert_eq!(hallucinated_entities("It was in 1911.", reference), Some(0.0));
        assert_eq!(hallucinated_entities("It rusts.", reference), None);
    }
}
