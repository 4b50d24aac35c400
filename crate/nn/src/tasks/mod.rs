//! What a caller asks of a model.

pub(crate) mod causal_lm;
pub(crate) mod classifier;
pub(crate) mod embedder;
pub(crate) mod likelihood;
pub(crate) mod seq2seq;
