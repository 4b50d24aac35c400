//! The architectures: each in a file of its own, with what its `config.json` says and its forward pass.
//!
//! To add one, write its file and add a row to [`architectures`]. `cfg(not(target_family = "wasm"))` leaves an
//! architecture out of the browser's modules, to keep them small.

pub(crate) mod architectures;
pub(crate) mod batch;
pub(crate) mod bert;
pub(crate) mod config;
pub(crate) mod deberta;
pub(crate) mod encoder_settings;
pub(crate) mod gpt;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod hhem;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod modernbert;
pub(crate) mod mpnet;
pub(crate) mod t5;

use std::pin::Pin;

use burn::tensor::Tensor;

use crate::error::NnError;
use crate::models::batch::Batch;

/// A running forward pass. It is a future because it pauses within layers.
pub(crate) type Forward<'a> = Pin<Box<dyn Future<Output = Result<Tensor<2>, NnError>> + 'a>>;

/// An encoder with a head that sorts texts, or pairs of texts, into classes.
pub(crate) trait SequenceClassifier: Send + Sync {
    /// How many token ids the model has embeddings for.
    fn vocabulary(&self) -> usize;

    /// The most tokens that the model reads at once, special tokens included.
    fn max_tokens(&self) -> usize;

    /// The most tokens that a caller can let it read: more than [`max_tokens`](Self::max_tokens) where positions are
    /// relative.
    fn most_tokens(&self) -> usize {
        self.max_tokens()
    }

    /// The names of the classes, in the order of the logits.
    fn labels(&self) -> &[String];

    /// The logits of a batch, `[batch, labels]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a>;

    /// For each token of a batch the logit that it is wrong, `[batch * length, 1]`; `None` for a model without a head
    /// for that.
    fn marks<'a>(&'a self, _batch: &'a Batch<'a>) -> Option<Forward<'a>> {
        None
    }
}

/// An encoder with a head that sorts each token into classes.
#[cfg(not(target_family = "wasm"))]
pub(crate) trait TokenClassifier: Send + Sync {
    /// How many token ids the model has embeddings for.
    fn vocabulary(&self) -> usize;

    /// The most tokens that the model reads at once, special tokens included.
    fn max_tokens(&self) -> usize;

    /// The names of the classes, in the order of the logits.
    fn labels(&self) -> &[String];

    /// The logits of a batch's tokens, `[batch * length, labels]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a>;
}

/// An encoder whose states, averaged over the tokens, stand for a text.
pub(crate) trait TextEncoder: Send + Sync {
    /// How many token ids the model has embeddings for.
    fn vocabulary(&self) -> usize;

    /// The most tokens of a text that count, special tokens included.
    fn max_tokens(&self) -> usize;

    /// The states of a batch, `[batch * length, hidden]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a>;
}
