//! How often a model's verdicts are right, as a pack.json states it.

use serde::{Deserialize, Serialize};

/// The verdicts by a model on labelled claims that it was neither trained on nor calibrated with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// Which claims, and how they were judged.
    pub on: String,
    /// The verdicts on the true ones.
    #[serde(rename = "true")]
    pub of_true: VerdictCounts,
    /// The verdicts on the false ones.
    #[serde(rename = "false")]
    pub of_false: VerdictCounts,
}

/// How many of some claims got which verdict. The rest got none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictCounts {
    /// All of them.
    pub claims: u32,
    /// Those that were surely called factual.
    pub factual: u32,
    /// Those that were surely called unfactual.
    pub unfactual: u32,
    /// Those that were called likely factual; 0 if the model has no likely verdicts.
    #[serde(default)]
    pub likely_factual: u32,
    /// Those that were called likely unfactual; 0 if the model has no likely verdicts.
    #[serde(default)]
    pub likely_unfactual: u32,
}
