//! From the two models' probabilities to one calibrated score and a verdict.

use evident_nn::Calibration;
use serde::{Deserialize, Serialize};

use crate::Nli;

/// What is said of a sentence (guan2024, Sec. 3: factual, unfactual, no evidence).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The evidence bears it out.
    Factual,
    /// The evidence speaks against it.
    Unfactual,
    /// No evidence found decides it.
    NoEvidence,
}

/// The combined score w p' + (1 - w) e / (e + c), where p' = sigmoid((logit(p) + bias) / temperature) is the verifier's
/// calibrated p and e, c are entailment and contradiction by the most decisive evidence.
pub(crate) fn score(p: f64, decisive: Nli, calibration: &Calibration) -> f64 {
    const SURE: f64 = 1e-6; // keeps the logit finite
    let p = p.clamp(SURE, 1.0 - SURE);
    let logit = (p / (1.0 - p)).ln();
    let calibrated = 1.0 / (1.0 + (-(logit + calibration.verifier.bias) / calibration.verifier.temperature).exp());
    calibration.weight_verifier * calibrated + (1.0 - calibration.weight_verifier) * decisive.support()
}

impl Verdict {
    /// No evidence where even the most decisive evidence decides less than the threshold; else by the score.
    pub(crate) fn of(score: f64, decisive: Nli, calibration: &Calibration) -> Self {
        if decisive.decisiveness() < calibration.threshold_evidence {
            Self::NoEvidence
        } else if score >= calibration.threshold_factual {
            Self::Factual
        } else {
            Self::Unfactual
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibration(weight: f64) -> Calibration {
        Calibration {
            weight_verifier: weight,
            threshold_factual: 0.5,
            threshold_evidence: 0.4,
            ..Calibration::default()
        }
    }

    fn nli(entailment: f64, contradiction: f64) -> Nli {
        Nli { entailment, neutral: 1.0 - entailment - contradiction, contradiction }
    }

    #[test]
    fn the_score_weighs_both_models() {
        assert!((score(0.9, nli(0.6, 0.2), &calibration(1.0)) - 0.9).abs() < 1e-9);
        assert!((score(0.9, nli(0.6, 0.2), &calibration(0.0)) - 0.75).abs() < 1e-9);
        assert!((score(0.9, nli(0.6, 0.2), &calibration(0.5)) - 0.825).abs() < 1e-9);
    }

    #[test]
    fn temperature_and_bias_move_the_verifiers_p() {
        let mut calibration = calibration(1.0);
        calibration.verifier.temperature = 2.0;
        assert!((score(0.9, Nli::SILENT, &calibration) - 0.75).abs() < 1e-9);
        calibration.verifier.bias = -(9f64.ln());
        assert!((score(0.9, Nli::SILENT, &calibration) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_score_is_finite_and_in_range_for_a_certain_p() {
        for p in [0.0, 1.0] {
            assert!((0.0..=1.0).contains(&score(p, Nli::SILENT, &calibration(1.0))));
        }
    }

    #[test]
    fn evidence_that_decides_too_little_is_none() {
        let calibration = calibration(0.5);
        assert_eq!(Verdict::of(0.9, nli(0.3, 0.05), &calibration), Verdict::NoEvidence);
        assert_eq!(Verdict::of(0.9, nli(0.4, 0.05), &calibration), Verdict::Factual);
        assert_eq!(Verdict::of(0.4, nli(0.1, 0.8), &calibration), Verdict::Unfactual);
    }
}
