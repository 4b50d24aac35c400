//! Pairs of texts that a classifier warms up with, and what it must make of them. A device that computes wrongly is known
//! by them.

use serde::{Deserialize, Serialize};

/// A pair of texts, and the logits that a classifier gives for it in f32.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarmUp {
    /// The two texts, such as a premise and a hypothesis.
    pub pair: (String, String),
    /// One for each label of the model.
    pub logits: Vec<f32>,
}
