//! Reads the factuality score off a verifier's answer (guan2024, Sec. 4.2).

use evident_nn::{Generation, NnError, Tokenizer};

/// L_A, the words that say factual.
const FACTUAL: [&str; 5] = ["A", "a", "Yes", "yes", "YES"];
/// L_B, the words that say not factual.
const NOT_FACTUAL: [&str; 5] = ["B", "b", "No", "no", "NO"];
/// The leading-space mark of SentencePiece; WordPiece has none.
const SPACE: char = '▁';

/// The tokens that say factual (L_A) and not factual (L_B): those spellings of the answer words, with and without the
/// leading-space mark, that are one single piece of the vocabulary. A word of several pieces is never taken by its
/// first: that could be the bare mark, which would then stand in both sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnswerWords {
    factual: Vec<u32>,
    not_factual: Vec<u32>,
}

impl AnswerWords {
    /// The answer words of a tokenizer; `None` where it lacks all words of one side.
    pub(crate) fn new(tokenizer: &Tokenizer) -> Option<Self> {
        Self::find(|word| tokenizer.single_piece(word), |piece| tokenizer.token_id(piece))
    }

    fn find(single_piece: impl Fn(&str) -> Option<u32>, token_id: impl Fn(&str) -> Option<u32>) -> Option<Self> {
        let tokens = |words: [&str; 5]| {
            let spellings = |word: &str| [single_piece(word), token_id(word), token_id(&format!("{SPACE}{word}"))];
            let mut tokens: Vec<u32> = words.into_iter().flat_map(spellings).flatten().collect();
            tokens.sort_unstable();
            tokens.dedup();
            (!tokens.is_empty()).then_some(tokens)
        };
        Some(Self { factual: tokens(FACTUAL)?, not_factual: tokens(NOT_FACTUAL)? })
    }

    fn answered_by(&self, token: u32) -> bool {
        self.factual.contains(&token) || self.not_factual.contains(&token)
    }

    /// p = P(L_A) / (P(L_A) + P(L_B)) under the softmax of `logits` [vocabulary].
    fn p(&self, logits: &[f32]) -> f64 {
        let logits_of = |tokens: &[u32]| -> Vec<f64> {
            tokens.iter().filter_map(|&t| logits.get(t as usize)).map(|&l| f64::from(l)).collect()
        };
        let (a, b) = (logits_of(&self.factual), logits_of(&self.not_factual));
        let top = a.iter().chain(&b).copied().fold(f64::NEG_INFINITY, f64::max);
        let mass = |side: &[f64]| side.iter().map(|l| (l - top).exp()).sum::<f64>();
        mass(&a) / (mass(&a) + mass(&b))
    }
}

/// What the verifier said of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Judgment {
    /// The probability that the statement is factual; 0.5 where no answer word came.
    pub p: f64,
    /// The decoding step, from 0, of the first answer word.
    pub answered_at: Option<usize>,
}

/// Decodes greedily for at most `max_steps` steps and reads p at the first whose token is an answer word.
pub(crate) async fn judge(
    mut generation: Generation<'_>,
    words: &AnswerWords,
    max_steps: usize,
) -> Result<Judgment, NnError> {
    for at in 0..max_steps {
        match generation.step().await? {
            Some(step) if words.answered_by(step.token) => {
                return Ok(Judgment { p: words.p(&step.logits), answered_at: Some(at) });
            }
            Some(_) => {}
            None => break,
        }
    }
    Ok(Judgment { p: 0.5, answered_at: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vocabulary as T5's: marked words, no "YES", no marked lower-case letters.
    const T5: [&str; 12] = ["▁", "a", "b", "▁A", "A", "▁B", "B", "▁Yes", "▁yes", "yes", "▁No", "▁no"];

    fn id(piece: &str) -> Option<u32> {
        T5.iter().position(|&known| known == piece).map(|at| at as u32)
    }

    fn t5() -> AnswerWords {
        AnswerWords::find(|word| id(&format!("▁{word}")), id).unwrap()
    }

    #[test]
    fn every_single_piece_spelling_counts_and_the_bare_mark_never() {
        let words = t5();
        assert_eq!(words.factual, [1, 3, 4, 7, 8, 9]);
        assert_eq!(words.not_factual, [2, 5, 6, 10, 11]);
        assert!(!words.answered_by(0));
    }

    #[test]
    fn an_uncased_vocabulary_without_marks_has_its_words_once() {
        let vocabulary = ["a", "b", "yes", "no"];
        let id = |piece: &str| vocabulary.iter().position(|&known| known == piece).map(|at| at as u32);
        let words = AnswerWords::find(|word| id(&word.to_lowercase()), id).unwrap();
        assert_eq!((words.factual, words.not_factual), (vec![0, 2], vec![1, 3]));
    }

    #[test]
    fn a_vocabulary_without_answers_is_refused() {
        assert_eq!(AnswerWords::find(|_| None, |piece| (piece == "A").then_some(0)), None);
    }

    #[test]
    fn p_is_the_share_of_l_a_in_the_mass_of_both() {
        let mut logits = [-1e9_f32; 12];
        logits[0] = 50.0; // no answer word: its mass does not matter
        (logits[3], logits[8], logits[5]) = (1.0, 0.0, 1.0);
        let e = std::f64::consts::E;
        assert!((t5().p(&logits) - (e + 1.0) / (2.0 * e + 1.0)).abs() < 1e-9);
    }

    #[test]
    fn p_is_finite_for_large_logits() {
        let logits: Vec<f32> = (0..12).map(|i| if i == 3 { 3e4 } else { -3e4 }).collect();
        assert_eq!(t5().p(&logits), 1.0);
    }
}
