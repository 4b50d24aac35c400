//! A bi-encoder: texts as vectors whose cosine is high for similar meanings (Reimers and Gurevych 2019,
//! "Sentence-BERT").

use std::sync::Arc;

use crate::device::read_back;
use crate::error::NnError;
use crate::models::TextEncoder;
use crate::models::batch::{Batch, batches};
use crate::tokenizer::{Encoded, Tokenizer};

/// A vector is divided by at least this, as in PyTorch's `normalize`.
const LEAST_NORM: f32 = 1e-12;

/// An encoder of single texts with its tokenizer.
pub struct Embedder {
    model: Arc<dyn TextEncoder>,
    tokenizer: Arc<Tokenizer>,
}

impl Embedder {
    pub(crate) fn new(model: Arc<dyn TextEncoder>, tokenizer: Arc<Tokenizer>) -> Self {
        Self { model, tokenizer }
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The most tokens of a text that are read, special tokens included: 256 for BERT, 384 for MPNet, and as many as
    /// there are positions for ModernBERT or a model with fewer.
    pub fn max_tokens(&self) -> usize {
        self.model.max_tokens()
    }

    /// The embedding of every text: the mean of its tokens' last states, divided by its Euclidean norm. So the cosine
    /// of two texts is their dot product. A text that is too long loses its end. Texts of similar length are computed
    /// together.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses, [`NnError::BackendLost`] if the device fails.
    pub async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, NnError> {
        let encode = |text: &&str| self.tokenizer.encode_within(text, self.max_tokens());
        let encoded: Vec<Encoded> = texts.iter().map(encode).collect::<Result<_, _>>()?;
        let mut embeddings = vec![Vec::new(); texts.len()];
        for places in batches(&encoded) {
            let batch = Batch::new(places.iter().map(|&place| &encoded[place]));
            let means = batch.mean(self.model.forward(&batch).await?);
            let width = means.dims()[1];
            let means = read_back(means).await?;
            for (place, mean) in places.into_iter().zip(means.chunks(width)) {
                let norm = mean.iter().map(|x| x * x).sum::<f32>().sqrt().max(LEAST_NORM);
                embeddings[place] = mean.iter().map(|x| x / norm).collect();
            }
        }
        Ok(embeddings)
    }
}
