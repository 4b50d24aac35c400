//! Likert-scale rating (guan2024, App. C.4): 1 to 5, rescaled to 0 to 1.

use evident_nn::{DecodingStep, Tokenizer};

use crate::judge::answer_words::{masses, spellings};

const RATINGS: [&str; 5] = ["1", "2", "3", "4", "5"];

/// The tokens of each rating.
pub(super) struct Ratings([Vec<u32>; 5]);

impl Ratings {
    /// The ratings of a tokenizer; `None` if it lacks one.
    pub(super) fn new(tokenizer: &Tokenizer) -> Option<Self> {
        Self::find(|word| tokenizer.single_piece(word), |piece| tokenizer.token_id(piece))
    }

    fn find(single_piece: impl Fn(&str) -> Option<u32>, token_id: impl Fn(&str) -> Option<u32>) -> Option<Self> {
        let mut tokens = RATINGS.map(|_| Vec::new());
        for (tokens, rating) in tokens.iter_mut().zip(RATINGS) {
            *tokens = spellings(&[rating], &single_piece, &token_id)?;
        }
        Some(Self(tokens))
    }

    /// (rating - 1) / 4 at a step whose token is a rating; `None` at another. If `hard`, the rating is that token, as
    /// in the paper; else it is the expectation over the five.
    pub(super) fn read(&self, step: &DecodingStep, hard: bool) -> Option<f64> {
        let said = self.0.iter().position(|tokens| tokens.contains(&step.token))?;
        if hard {
            return Some(rescaled(said));
        }
        let masses = masses(&step.logits, [0, 1, 2, 3, 4].map(|rating| self.0[rating].as_slice()));
        let expected: f64 = masses.iter().enumerate().map(|(rating, mass)| mass * rescaled(rating)).sum();
        Some(expected / masses.iter().sum::<f64>())
    }
}

/// The rating at a place, 0 to 4, on a scale from 0 to 1.
fn rescaled(place: usize) -> f64 {
    place as f64 / (RATINGS.len() - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "▁1" to "▁5" are 1 to 5.
    fn ratings() -> Ratings {
        Ratings::find(|_| None, |piece| piece.strip_prefix('▁')?.parse().ok()).unwrap()
    }

    fn step(token: u32, logits: [f32; 6]) -> DecodingStep {
        DecodingStep { token, logits: logits.into() }
    }

    #[test]
    fn a_rating_is_rescaled_to_0_to_1() {
        let hard = |token| ratings().read(&step(token, [0.0; 6]), true);
        assert_eq!([1, 2, 3, 4, 5].map(hard), [0.0, 0.25, 0.5, 0.75, 1.0].map(Some));
        assert_eq!(hard(0), None);
    }

    #[test]
    fn a_soft_rating_is_the_expectation_over_the_five() {
        let most = 1e4;
        let soft = |logits| ratings().read(&step(5, logits), false).unwrap();
        assert_eq!(soft([most, 0.0, 0.0, 0.0, 0.0, 0.0]), 0.5);
        assert_eq!(soft([0.0, -most, -most, -most, -most, most]), 1.0);
        assert!((soft([0.0, 0.0, -most, -most, -most, 3f32.ln()]) - 0.75).abs() < 1e-6);
    }

    #[test]
    fn a_vocabulary_without_a_rating_is_refused() {
        assert!(Ratings::find(|_| None, |piece| (piece != "5").then_some(1)).is_some(), "the marked one is there");
        assert!(Ratings::find(|_| None, |piece| (!piece.contains('5')).then_some(1)).is_none());
    }
}
