//! What callers ask of a model: to classify, to embed, to generate, or for probabilities.

pub(crate) mod causal_lm;
pub(crate) mod classifier;
pub(crate) mod embedder;
pub(crate) mod likelihood;
pub(crate) mod seq2seq;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod token_classifier;
