//! The words that a T5 answers with, and the probability that they give (guan2024, Sec. 4.2).

use evident_nn::{DecodingStep, Tokenizer};

/// The words of L_A, which say factual.
const FACTUAL: [&str; 5] = ["A", "a", "Yes", "yes", "YES"];
/// The words of L_B, which say not factual.
const NOT_FACTUAL: [&str; 5] = ["B", "b", "No", "no", "NO"];
/// SentencePiece's mark for a leading space; WordPiece has none.
const SPACE: char = '▁';

/// The tokens that say factual (L_A) and not factual (L_B): each spelling of an answer word, with and without the mark
/// for a leading space, that is a single piece of the vocabulary. A word of several pieces is not represented by its
/// first piece: that could be the bare mark, which would then be in both sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnswerWords {
    factual: Vec<u32>,
    not_factual: Vec<u32>,
}

impl AnswerWords {
    /// The answer words of a tokenizer; `None` if it lacks all words of one side.
    pub(crate) fn new(tokenizer: &Tokenizer) -> Option<Self> {
        Self::find(|word| tokenizer.single_piece(word), |piece| tokenizer.token_id(piece))
    }

    fn find(single_piece: impl Fn(&str) -> Option<u32>, token_id: impl Fn(&str) -> Option<u32>) -> Option<Self> {
        let tokens = |words: [&str; 5]| spellings(&words, &single_piece, &token_id);
        Some(Self { factual: tokens(FACTUAL)?, not_factual: tokens(NOT_FACTUAL)? })
    }

    /// p = P(L_A) / (P(L_A) + P(L_B)) at a step whose token is an answer word; `None` at another. If `hard`, p is 1 for
    /// a word of L_A and 0 for one of L_B (guan2024, Tab. 18).
    pub(crate) fn read(&self, step: &DecodingStep, hard: bool) -> Option<f64> {
        let factual = self.factual.contains(&step.token);
        if !factual && !self.not_factual.contains(&step.token) {
            return None;
        }
        Some(if hard { f64::from(u8::from(factual)) } else { self.p(&step.logits) })
    }

    fn p(&self, logits: &[f32]) -> f64 {
        let [a, b] = masses(logits, [&self.factual, &self.not_factual]);
        a / (a + b)
    }
}

/// The tokens that spell one of the words as a single piece; `None` if there are none.
pub(crate) fn spellings(
    words: &[&str],
    single_piece: impl Fn(&str) -> Option<u32>,
    token_id: impl Fn(&str) -> Option<u32>,
) -> Option<Vec<u32>> {
    let spelt = |word: &&str| [single_piece(word), token_id(word), token_id(&format!("{SPACE}{word}"))];
    let mut tokens: Vec<u32> = words.iter().flat_map(spelt).flatten().collect();
    tokens.sort_unstable();
    tokens.dedup();
    (!tokens.is_empty()).then_some(tokens)
}

/// The mass of each set of tokens under the softmax of `logits`, `[vocabulary]`, relative to the likeliest token of all
/// sets.
pub(crate) fn masses<const N: usize>(logits: &[f32], sets: [&[u32]; N]) -> [f64; N] {
    let logits_of = |tokens: &[u32]| -> Vec<f64> {
        tokens.iter().filter_map(|&t| logits.get(t as usize)).map(|&l| f64::from(l)).collect()
    };
    let sets = sets.map(logits_of);
    let top = sets.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    sets.map(|set| set.iter().map(|l| (l - top).exp()).sum())
}

/// The T5's answer on a statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct T5Answer {
    /// The probability that the statement is factual; 0.5 if no answer word came.
    pub p: f64,
    /// The decoding step, from 0, of the first answer word; `None` if none came.
    pub answered_at: Option<usize>,
    /// The reasons before it, if the method asks for them.
    pub rationale: Option<String>,
}

impl T5Answer {
    /// No answer word came.
    pub(crate) const SILENT: Self = Self { p: 0.5, answered_at: None, rationale: None };
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
        let says = |token| words.read(&DecodingStep { token, logits: vec![0.0; T5.len()] }, true);
        assert_eq!([0, 3, 11].map(says), [None, Some(1.0), Some(0.0)]);
    }

    /// The ids are those of sentencepiece's `piece_to_id` on T5's own spiece.model, for every word with and without the
    /// mark: a ▁A A ▁Yes ▁yes yes Yes, and b ▁no ▁B B ▁No No ▁NO NO. Its other spellings are no pieces.
    #[test]
    fn the_published_tokenizer_has_these_answer_words() {
        const FACTUAL: [u32; 7] = [9, 71, 188, 2163, 4273, 10070, 19739];
        const NOT_FACTUAL: [u32; 8] = [115, 150, 272, 279, 465, 4168, 5693, 7400];
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/t5_tokenizer/tokenizer.json");
        if !path.exists() {
            println!("skipped: {} is not there (T5's tokenizer)", path.display());
            return;
        }
        let tokenizer = Tokenizer::load(&std::fs::read(path).unwrap()).unwrap();
        let words = AnswerWords::new(&tokenizer).unwrap();
        assert_eq!((words.factual.as_slice(), words.not_factual.as_slice()), (&FACTUAL[..], &NOT_FACTUAL[..]));
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
