//! The calibration in a pack.json.

use serde::{Deserialize, Serialize};

/// How raw scores become probabilities and verdicts. It is fitted when a pack is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Calibration {
    /// p' = sigmoid((logit(p) + bias) / temperature) for the verifier's p.
    pub verifier: VerifierCalibration,
    /// The logits of the NLI model are divided by its temperature.
    pub nli: NliCalibration,
    /// The verifier's share w of the combined score w p' + (1 - w) s, where s is the NLI model's score; `None` if it
    /// was not fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_verifier: Option<f64>,
    /// A sentence is factual from this score on.
    pub threshold_factual: f64,
    /// A sentence is unfactual below this score. Between the two thresholds the evidence does not decide.
    pub threshold_unfactual: f64,
    /// A sentence is likely factual from this score on, which is below `threshold_factual`; `None` if there are no likely
    /// verdicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold_likely_factual: Option<f64>,
    /// A sentence is likely unfactual below this score, which is above `threshold_unfactual`; `None` if there are no
    /// likely verdicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold_likely_unfactual: Option<f64>,
    /// A sentence has evidence if 1 - neutral reaches this.
    pub threshold_evidence: f64,
    /// Other thresholds of sure verdicts for brief sentences, on which models err less at the same score; `None` if all
    /// have the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<BriefThresholds>,
}

/// The thresholds of sure verdicts on brief sentences, in place of those of a [`Calibration`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BriefThresholds {
    /// A sentence is brief if it has at most so many words between white space.
    pub words: usize,
    /// In place of `threshold_factual`.
    pub factual: f64,
    /// In place of `threshold_unfactual`.
    pub unfactual: f64,
}

impl BriefThresholds {
    /// True for a sentence of at most `words` words.
    #[must_use]
    pub fn hold_for(&self, sentence: &str) -> bool {
        sentence.split_whitespace().nth(self.words).is_none()
    }
}

/// The verifier's part of a [`Calibration`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct VerifierCalibration {
    /// Divides the shifted logit. Above 1 it makes the verifier less sure.
    pub temperature: f64,
    /// Shifts the logit.
    pub bias: f64,
}

/// The NLI model's part of a [`Calibration`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NliCalibration {
    /// Divides the logits.
    pub temperature: f64,
}

impl Default for Calibration {
    fn default() -> Self {
        Self {
            verifier: VerifierCalibration::default(),
            nli: NliCalibration::default(),
            weight_verifier: None,
            threshold_factual: 0.5,
            threshold_unfactual: 0.5,
            threshold_likely_factual: None,
            threshold_likely_unfactual: None,
            threshold_evidence: 0.5,
            brief: None,
        }
    }
}

impl Default for VerifierCalibration {
    fn default() -> Self {
        Self { temperature: 1.0, bias: 0.0 }
    }
}

impl Default for NliCalibration {
    fn default() -> Self {
        Self { temperature: 1.0 }
    }
}

impl Calibration {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether its temperatures can divide logits, and its weight is a share.
    pub(super) fn is_valid(&self) -> bool {
        let is_share = self.weight_verifier.is_none_or(|weight| (0.0..=1.0).contains(&weight));
        self.verifier.temperature > 0.0 && self.nli.temperature > 0.0 && is_share
    }
}
