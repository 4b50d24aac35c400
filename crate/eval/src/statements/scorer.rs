//! The scorers: the models and the baselines.

use serde::{Deserialize, Serialize};

/// Constant's score of every statement (guan2024, Tab. 5).
pub const CONSTANT: f64 = 1.0;

/// A model or baseline that gives a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scorer {
    #[serde(rename = "T5")]
    T5,
    /// The T5's p as guan2024's Sec. 4.2 defines it, where `T5` is calibrated.
    #[serde(rename = "T5 raw")]
    T5Raw,
    #[serde(rename = "NLI")]
    Nli,
    #[serde(rename = "both")]
    Both,
    Constant,
    #[serde(rename = "knowledge F1")]
    KnowledgeF1,
    #[serde(rename = "NLI passages max")]
    NliPassagesMax,
    #[serde(rename = "NLI passages mean")]
    NliPassagesMean,
    #[serde(rename = "NLI sentences max")]
    NliSentencesMax,
    #[serde(rename = "NLI sentences mean")]
    NliSentencesMean,
    #[serde(rename = "NLI windows max")]
    NliWindowsMax,
    #[serde(rename = "NLI windows mean")]
    NliWindowsMean,
    #[serde(rename = "FActScore by rule")]
    FactScoreRules,
    #[serde(rename = "FActScore by T5")]
    FactScoreModel,
    #[serde(rename = "1 / perplexity")]
    Perplexity,
}

impl Scorer {
    /// The models, alone and together.
    pub const MODELS: [Self; 3] = [Self::T5, Self::Nli, Self::Both];

    /// The baselines without models.
    pub const BASELINES: [Self; 2] = [Self::Constant, Self::KnowledgeF1];
    /// The baselines that need models; not all are always computed.
    pub const MODEL_BASELINES: [Self; 9] = [
        Self::NliPassagesMax,
        Self::NliPassagesMean,
        Self::NliSentencesMax,
        Self::NliSentencesMean,
        Self::NliWindowsMax,
        Self::NliWindowsMean,
        Self::FactScoreRules,
        Self::FactScoreModel,
        Self::Perplexity,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::T5 => "T5",
            Self::T5Raw => "T5 raw",
            Self::Nli => "NLI",
            Self::Both => "both",
            Self::Constant => "Constant",
            Self::KnowledgeF1 => "knowledge F1",
            Self::NliPassagesMax => "NLI passages max",
            Self::NliPassagesMean => "NLI passages mean",
            Self::NliSentencesMax => "NLI sentences max",
            Self::NliSentencesMean => "NLI sentences mean",
            Self::NliWindowsMax => "NLI windows max",
            Self::NliWindowsMean => "NLI windows mean",
            Self::FactScoreRules => "FActScore by rule",
            Self::FactScoreModel => "FActScore by T5",
            Self::Perplexity => "1 / perplexity",
        }
    }
}
