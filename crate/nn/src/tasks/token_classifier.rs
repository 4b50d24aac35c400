//! Classifying the tokens of a text given another text, such as those of an answer given the passages that it rests on.

use std::ops::Range;
use std::sync::Arc;

use crate::device::read_back;
use crate::error::NnError;
use crate::models;
use crate::models::batch::Batch;
use crate::tokenizer::Tokenizer;

/// A classifier of tokens with its tokenizer. Clones are the same model.
#[derive(Clone)]
pub struct TokenClassifier {
    model: Arc<dyn models::TokenClassifier>,
    tokenizer: Arc<Tokenizer>,
}

impl TokenClassifier {
    pub(crate) fn new(model: Arc<dyn models::TokenClassifier>, tokenizer: Arc<Tokenizer>) -> Self {
        Self { model, tokenizer }
    }

    /// The classes, in the order of the logits.
    pub fn labels(&self) -> &[String] {
        self.model.labels()
    }

    /// The most tokens of a pair that are read, special tokens included.
    pub fn max_tokens(&self) -> usize {
        self.model.max_tokens()
    }

    /// The number of tokens of a whole pair, special tokens included.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses.
    pub fn pair_tokens(&self, first: &str, second: &str) -> Result<usize, NnError> {
        self.tokenizer.count_pair(first, second)
    }

    /// For each token of `second` its bytes and its logits, one for each label. A pair that is too long for the model
    /// loses the end of `first`. If `second` alone is too long, nothing of `first` is left and `second` loses its end
    /// too.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses, [`NnError::BackendLost`] if the device fails.
    pub async fn logits(&self, first: &str, second: &str) -> Result<Vec<(Range<usize>, Vec<f32>)>, NnError> {
        let (encoded, places) = self.tokenizer.encode_pair_with_places(first, second, self.max_tokens())?;
        let batch = Batch::new([&encoded]);
        let logits = read_back(self.model.forward(&batch).await?).await?;
        let rows = logits.chunks(self.labels().len());
        Ok(places.into_iter().zip(rows).filter_map(|(place, row)| Some((place?, row.to_vec()))).collect())
    }
}
