//! Classifying pairs of texts, such as a premise and a hypothesis or a query and a passage.

use std::ops::Range;
use std::sync::Arc;

use crate::device::read_back;
use crate::error::NnError;
use crate::models::SequenceClassifier;
use crate::models::batch::{Batch, batches};
use crate::tokenizer::{Encoded, Tokenizer};
use crate::warm_up::WarmUp;

/// A classifier of text pairs with its tokenizer. Clones are the same model.
#[derive(Clone)]
pub struct Classifier {
    model: Arc<dyn SequenceClassifier>,
    tokenizer: Arc<Tokenizer>,
}

impl Classifier {
    pub(crate) fn new(model: Arc<dyn SequenceClassifier>, tokenizer: Arc<Tokenizer>) -> Self {
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

    /// The most tokens of a pair or of a text that are read, special tokens included.
    pub fn max_tokens(&self) -> usize {
        self.model.max_tokens()
    }

    /// The number of tokens of a whole pair, special tokens included. If there are more than
    /// [`max_tokens`](Self::max_tokens), [`logits`](Self::logits) does not read all of it.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses.
    pub fn pair_tokens(&self, first: &str, second: &str) -> Result<usize, NnError> {
        self.tokenizer.count_pair(first, second)
    }

    /// The logits of every pair, one for each label. A model with one label, such as a cross-encoder that ranks
    /// passages, gives one logit, without the sigmoid. A pair that is too long for the model loses the end of its first
    /// text. If the second alone is too long, nothing of the first is left and the second loses its end too. Pairs of
    /// similar length are computed together, so that there is little padding.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses, [`NnError::BackendLost`] if the device fails.
    pub async fn logits(&self, pairs: &[(&str, &str)]) -> Result<Vec<Vec<f32>>, NnError> {
        let limit = self.model.max_tokens();
        let encode = |&(first, second): &(&str, &str)| self.tokenizer.encode_pair_within(first, second, limit);
        self.forward(pairs.iter().map(encode).collect::<Result<_, _>>()?).await
    }

    /// Classifies pairs whose logits are known. The device compiles its shaders, and a device that computes wrongly,
    /// for example after a shader failed silently, is detected.
    ///
    /// # Errors
    /// [`NnError::BackendWrong`] if a logit is not what it must be, and those of [`Classifier::logits`].
    pub async fn warm_up(&self, pairs: &[WarmUp]) -> Result<(), NnError> {
        let texts: Vec<(&str, &str)> = pairs.iter().map(|it| (it.pair.0.as_str(), it.pair.1.as_str())).collect();
        let found = self.logits(&texts).await?;
        found.iter().zip(pairs).try_for_each(|(found, pair)| pair.hold(found))
    }

    /// The logits of every text by itself, for a model of single texts. A text that is too long loses its end.
    ///
    /// # Errors
    /// As [`Classifier::logits`].
    pub async fn text_logits(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, NnError> {
        self.text_logits_within(texts, self.model.max_tokens()).await
    }

    /// As [`Classifier::text_logits`], but of each text at most `max_tokens` tokens are read, special ones included.
    /// These may be more than [`max_tokens`](Self::max_tokens) where a model's positions are relative.
    ///
    /// # Errors
    /// As [`Classifier::logits`].
    pub async fn text_logits_within(&self, texts: &[&str], max_tokens: usize) -> Result<Vec<Vec<f32>>, NnError> {
        let limit = max_tokens.min(self.model.most_tokens());
        let encode = |text: &&str| self.tokenizer.encode_within(text, limit);
        self.forward(texts.iter().map(encode).collect::<Result<_, _>>()?).await
    }

    /// For each token of `second`, its bytes and the logit that it is wrong given `first`; `None` for a model without a
    /// head for that. A pair that is too long is cut as in [`Classifier::logits`].
    ///
    /// # Errors
    /// As [`Classifier::logits`].
    pub async fn marks(&self, first: &str, second: &str) -> Result<Option<Vec<(Range<usize>, f32)>>, NnError> {
        let (encoded, places) = self.tokenizer.encode_pair_with_places(first, second, self.model.max_tokens())?;
        let batch = Batch::new([&encoded]);
        let Some(forward) = self.model.marks(&batch) else { return Ok(None) };
        let logits = read_back(forward.await?).await?;
        Ok(Some(places.into_iter().zip(logits).filter_map(|(place, logit)| Some((place?, logit))).collect()))
    }

    async fn forward(&self, encoded: Vec<Encoded>) -> Result<Vec<Vec<f32>>, NnError> {
        let mut logits = vec![Vec::new(); encoded.len()];
        for places in batches(&encoded) {
            let batch = Batch::new(places.iter().map(|&place| &encoded[place]));
            let values = read_back(self.model.forward(&batch).await?).await?;
            for (place, row) in places.into_iter().zip(values.chunks(self.labels().len())) {
                logits[place] = row.to_vec();
            }
        }
        Ok(logits)
    }
}
