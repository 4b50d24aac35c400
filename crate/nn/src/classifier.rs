//! Classifying pairs of texts, such as a premise and a hypothesis.

use crate::bert::Bert;
use crate::tokenizer::Encoded;
use crate::{NnError, Tokenizer, read_back};

/// The most tokens, padding included, that are computed at once: enough to fill a matrix product, little enough to keep
/// the activations in cache and a batch short.
const TOKENS_PER_BATCH: usize = 2048;

/// A classifier of text pairs with its tokenizer.
pub struct Classifier {
    model: Bert,
    tokenizer: Tokenizer,
}

impl Classifier {
    pub(crate) fn new(model: Bert, tokenizer: Tokenizer) -> Self {
        Self { model, tokenizer }
    }

    /// The classes, in the order of the logits.
    pub fn labels(&self) -> &[String] {
        self.model.labels()
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The logits of every pair, one for each label. A pair that is too long for the model loses the end of its first
    /// text. Pairs of like length are computed together, so that little is spent on padding.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses, [`NnError::BackendLost`] where the device fails.
    pub async fn logits(&self, pairs: &[(&str, &str)]) -> Result<Vec<Vec<f32>>, NnError> {
        let limit = self.model.max_tokens();
        let encode = |&(first, second): &(&str, &str)| self.tokenizer.encode_pair_within(first, second, limit);
        let encoded: Vec<Encoded> = pairs.iter().map(encode).collect::<Result<_, _>>()?;
        let mut by_length: Vec<(usize, &Encoded)> = encoded.iter().enumerate().collect();
        by_length.sort_by_key(|(_, pair)| std::cmp::Reverse(pair.ids.len()));

        let mut logits = vec![Vec::new(); pairs.len()];
        let mut rest = by_length.as_slice();
        while let Some((_, longest)) = rest.first() {
            let size = (TOKENS_PER_BATCH / longest.ids.len().max(1)).clamp(1, rest.len());
            let (batch, later) = rest.split_at(size);
            let texts: Vec<&Encoded> = batch.iter().map(|(_, pair)| *pair).collect();
            let values = read_back(self.model.forward(&texts)).await?;
            for ((place, _), row) in batch.iter().zip(values.chunks(self.labels().len())) {
                if let Some(slot) = logits.get_mut(*place) {
                    *slot = row.to_vec();
                }
            }
            rest = later;
        }
        Ok(logits)
    }
}
