//! A tokenizer's model that finds no control token in a text.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tokenizers::models::{ModelWrapper, TrainerWrapper};
use tokenizers::{Model, Result, Token};

/// A model whose vocabulary holds control tokens, such as "</s>" or "[SEP]". Where a text spells one, it is read in
/// smaller pieces, as any other text.
///
/// `set_encode_special_tokens` keeps the tokenizers crate from looking for them in a text. Its models find them all the
/// same: for Unigram they are the pieces with the best score, for the others words of the vocabulary.
pub struct TextOnly {
    model: ModelWrapper,
    /// The spellings of the control tokens in the model's vocabulary, by their ids.
    control: HashMap<u32, String>,
    /// The id of unknown text. It is no control token, unless its own spelling was found.
    unknown: Option<u32>,
}

impl TextOnly {
    /// A model with these control tokens.
    pub fn new(model: ModelWrapper, control: impl IntoIterator<Item = String>, unknown: Option<u32>) -> Self {
        let control = control.into_iter().filter_map(|token| Some((model.token_to_id(&token)?, token)));
        Self { control: control.collect(), unknown, model }
    }

    fn is_control(&self, token: &Token, text: &str) -> bool {
        let is_spelt = |spelling: &String| text.get(token.offsets.0..token.offsets.1) == Some(spelling);
        let spelling = self.control.get(&token.id);
        spelling.is_some_and(|spelling| self.unknown != Some(token.id) || is_spelt(spelling))
    }
}

impl Model for TextOnly {
    type Trainer = TrainerWrapper;

    fn tokenize(&self, text: &str) -> Result<Vec<Token>> {
        let mut found = Vec::new();
        // The parts of the text that are still to be read, the first one last.
        let mut parts = vec![(0, text.len())];
        while let Some((start, end)) = parts.pop() {
            let part = &text[start..end];
            let tokens = self.model.tokenize(part)?;
            // A control token is broken after its first character. One of a single character cannot be broken: it goes.
            let (control, tokens): (Vec<_>, Vec<_>) =
                tokens.into_iter().partition(|token| self.is_control(token, part));
            let after_first = |token: &Token| {
                let spelt = part.get(token.offsets.0..token.offsets.1)?;
                let first = spelt.chars().next()?.len_utf8();
                (first < spelt.len()).then_some(start + token.offsets.0 + first)
            };
            let breaks: Vec<usize> = control.iter().filter_map(after_first).collect();
            if breaks.is_empty() {
                found.extend(
                    tokens
                        .into_iter()
                        .map(|token| Token { offsets: (start + token.offsets.0, start + token.offsets.1), ..token }),
                );
            } else {
                let starts = std::iter::once(start).chain(breaks.iter().copied());
                let ends = breaks.iter().copied().chain([end]);
                parts.extend(starts.zip(ends).collect::<Vec<_>>().into_iter().rev());
            }
        }
        Ok(found)
    }

    fn token_to_id(&self, token: &str) -> Option<u32> {
        self.model.token_to_id(token)
    }

    fn id_to_token(&self, id: u32) -> Option<String> {
        self.model.id_to_token(id)
    }

    fn get_vocab(&self) -> HashMap<String, u32> {
        self.model.get_vocab()
    }

    fn get_vocab_size(&self) -> usize {
        self.model.get_vocab_size()
    }

    fn save(&self, folder: &Path, prefix: Option<&str>) -> Result<Vec<PathBuf>> {
        self.model.save(folder, prefix)
    }

    fn get_trainer(&self) -> TrainerWrapper {
        self.model.get_trainer()
    }
}
