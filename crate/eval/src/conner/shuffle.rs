//! The same sentences in another order: what a discourse model must find less coherent (Jwalapuram et al. 2021, who
//! made Eq. 4's scorer).

use evident_verify::{SplitMix, sentences};

/// How many orders are tried before a text counts as one whose sentences are all alike.
const TRIES: usize = 16;

/// The text's sentences, joined by spaces, in their order and in another one: a permutation by `seed` that changes the
/// text. `None` for fewer than `least` sentences, and where all of them are alike.
#[must_use]
pub fn shuffled(text: &str, least: usize, seed: u64) -> Option<(String, String)> {
    let mut sentences: Vec<String> = sentences(text).into_iter().map(|sentence| sentence.text).collect();
    if sentences.len() < least {
        return None;
    }
    let original = sentences.join(" ");
    let mut random = SplitMix(seed);
    for _ in 0..TRIES {
        // The Fisher-Yates shuffle (Knuth, The Art of Computer Programming, vol. 2, 3.4.2, algorithm P).
        for last in (1..sentences.len()).rev() {
            sentences.swap(last, random.below(last + 1));
        }
        let other = sentences.join(" ");
        if other != original {
            return Some((original, other));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_order_has_the_same_sentences_and_a_seed_has_one_order() {
        let text = "Iron is a metal. It rusts. Steel is made of it. Ships are made of steel.";
        for seed in 0..50 {
            let (original, other) = shuffled(text, 4, seed).unwrap();
            assert_eq!(original, text);
            assert_ne!(other, text);
            let sorted = |text: &str| {
                let mut all: Vec<String> = sentences(text).into_iter().map(|sentence| sentence.text).collect();
                all.sort();
                all
            };
            assert_eq!(sorted(&other), sorted(text));
            assert_eq!(shuffled(text, 4, seed), Some((original, other)));
        }
        assert!((1..9).any(|seed| shuffled(text, 4, seed) != shuffled(text, 4, 0)));
    }

    #[test]
    fn too_few_sentences_and_equal_ones_have_no_other_order() {
        assert_eq!(shuffled("It rusts. It is old.", 3, 0), None);
        assert_eq!(shuffled("It rusts. It rusts.", 2, 0), None);
        assert_eq!(shuffled("", 0, 0), None);
    }
}
