//! What the models of a pack compute.

use std::fmt;

use serde::Serialize;

/// The kinds of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// An encoder-decoder.
    Seq2Seq,
    /// A classifier of text pairs.
    Classifier,
    /// A classifier of tokens.
    #[cfg(not(target_family = "wasm"))]
    TokenClassifier,
    /// A causal language model.
    CausalLm,
    /// An encoder of single texts.
    Embedder,
}

impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Seq2Seq => "encoder-decoder",
            Self::Classifier => "classifier",
            #[cfg(not(target_family = "wasm"))]
            Self::TokenClassifier => "token classifier",
            Self::CausalLm => "causal language model",
            Self::Embedder => "bi-encoder",
        })
    }
}
