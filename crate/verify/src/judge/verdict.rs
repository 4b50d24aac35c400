//! From the two models' probabilities to one calibrated score and a verdict.

use evident_nn::Calibration;

use crate::evidence::weigh::{Bearing, weights};
use crate::report::Verdict;

impl Verdict {
    /// How bad it is, 0 for the best: of a statement's parts the worst decides.
    pub(crate) fn badness(self) -> u8 {
        match self {
            Self::Factual => 0,
            Self::NoEvidence => 1,
            Self::Mixed => 2,
            Self::Unfactual => 3,
        }
    }
}

/// The decisiveness from which a passage is about the statement: it decides it more likely than not.
const RELATED_FROM: f64 = 0.5;

/// The sureness from which a passage can make a verdict mixed.
const GOOD_FROM: f64 = 0.8;

/// The share of the greatest weight from which a passage can make a verdict mixed.
const HEAVY_FROM: f64 = 0.25;

/// The combined score w p' + (1 - w) s: p' = sigmoid((logit(p) + bias) / temperature) is the T5's calibrated p, s the
/// support of the passages by NLI, and w the calibration's weight of the T5.
pub(crate) fn score(p: f64, support: f64, calibration: &Calibration) -> f64 {
    const SURE: f64 = 1e-6; // keeps the logit finite
    let p = p.clamp(SURE, 1.0 - SURE);
    let logit = (p / (1.0 - p)).ln();
    let calibrated = 1.0 / (1.0 + (-(logit + calibration.verifier.bias) / calibration.verifier.temperature).exp());
    calibration.weight_verifier * calibrated + (1.0 - calibration.weight_verifier) * support
}

/// A verdict and the passages that it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub verdict: Verdict,
    /// Whether a passage is about the statement.
    pub related: bool,
    /// The numbers of the deciding passages: one for factual and unfactual, two for mixed (first the one that entails),
    /// none for no evidence.
    pub deciding: Vec<usize>,
}

impl Decision {
    /// Decides by the score and by what the passages say of the statement, in this order:
    ///
    /// - no evidence, if the passage with the most weight is less decisive than `threshold_evidence`;
    /// - mixed, if `may_be_mixed`, one good passage entails and another contradicts;
    /// - factual from `threshold_factual` on and unfactual below `threshold_unfactual`; the passage with the most
    ///   weight on that side is the one that decides;
    /// - no evidence between these two thresholds.
    pub fn of(score: f64, passages: &[Bearing], calibration: &Calibration, may_be_mixed: bool) -> Self {
        let weights = weights(passages);
        let heaviest = |counts: &dyn Fn(&Bearing) -> bool| {
            let numbers = (0..passages.len()).filter(|&i| weights[i] > 0.0 && counts(&passages[i]));
            numbers.max_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(b.cmp(&a)))
        };
        let related = passages.iter().any(|passage| passage.decisiveness() >= RELATED_FROM);
        let undecided = Self { verdict: Verdict::NoEvidence, related, deciding: Vec::new() };
        let Some(top) = heaviest(&|_| true) else { return undecided };
        if passages[top].decisiveness() < calibration.threshold_evidence {
            return undecided;
        }
        let good =
            |number: &usize| passages[*number].sureness() >= GOOD_FROM && weights[*number] >= HEAVY_FROM * weights[top];
        let (entails, contradicts) = (heaviest(&|p| p.nli.entails()), heaviest(&|p| !p.nli.entails()));
        if may_be_mixed && let (Some(entails), Some(contradicts)) = (entails.filter(good), contradicts.filter(good)) {
            return Self { verdict: Verdict::Mixed, related, deciding: vec![entails, contradicts] };
        }
        let decided = |verdict, by: Option<usize>| Self { verdict, related, deciding: vec![by.unwrap_or(top)] };
        if score >= calibration.threshold_factual {
            decided(Verdict::Factual, entails)
        } else if score < calibration.threshold_unfactual {
            decided(Verdict::Unfactual, contradicts)
        } else {
            undecided
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Nli;

    fn calibration(weight: f64) -> Calibration {
        Calibration {
            weight_verifier: weight,
            threshold_factual: 0.5,
            threshold_unfactual: 0.45,
            threshold_evidence: 0.4,
            ..Calibration::default()
        }
    }

    fn nli(entailment: f64, contradiction: f64) -> Nli {
        Nli { entailment, neutral: 1.0 - entailment - contradiction, contradiction }
    }

    #[test]
    fn the_score_weighs_both_models() {
        assert!((score(0.9, 0.75, &calibration(1.0)) - 0.9).abs() < 1e-9);
        assert!((score(0.9, 0.75, &calibration(0.0)) - 0.75).abs() < 1e-9);
        assert!((score(0.9, 0.75, &calibration(0.5)) - 0.825).abs() < 1e-9);
    }

    fn says(nli: Nli, bm25: f32) -> Bearing {
        Bearing { nli, bm25, opposes: true }
    }

    #[test]
    fn a_contradiction_that_opposes_nothing_decides_nothing() {
        let off = Bearing { opposes: false, ..says(nli(0.0, 0.99), 3.0) };
        let decision = Decision::of(0.0, &[off], &calibration(0.0), true);
        assert_eq!(decision, Decision { verdict: Verdict::NoEvidence, related: false, deciding: vec![] });
    }

    #[test]
    fn temperature_and_bias_move_the_t5s_p() {
        let mut calibration = calibration(1.0);
        calibration.verifier.temperature = 2.0;
        assert!((score(0.9, 0.5, &calibration) - 0.75).abs() < 1e-9);
        calibration.verifier.bias = -(9f64.ln());
        assert!((score(0.9, 0.5, &calibration) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_score_is_finite_and_in_range_for_a_certain_p() {
        for p in [0.0, 1.0] {
            assert!((0.0..=1.0).contains(&score(p, 0.5, &calibration(1.0))));
        }
    }

    #[test]
    fn evidence_that_decides_too_little_is_none() {
        let verdict = |score, nli| Decision::of(score, &[says(nli, 1.0)], &calibration(0.5), true).verdict;
        assert_eq!(verdict(0.9, nli(0.3, 0.05)), Verdict::NoEvidence);
        assert_eq!(verdict(0.9, nli(0.4, 0.05)), Verdict::Factual);
        assert_eq!(verdict(0.4, nli(0.1, 0.8)), Verdict::Unfactual);
        assert_eq!(verdict(0.47, nli(0.4, 0.5)), Verdict::NoEvidence);
    }

    #[test]
    fn the_deciding_passage_is_on_the_verdicts_side_and_never_a_neutral_one() {
        let passages = [says(Nli::SILENT, 9.0), says(nli(0.1, 0.7), 5.0), says(nli(0.9, 0.0), 5.0)];
        let decision = |score| Decision::of(score, &passages, &calibration(0.0), true);
        assert_eq!(decision(0.9).deciding, [2]);
        assert_eq!(decision(0.1).deciding, [1]);
        let undecided = Decision { verdict: Verdict::NoEvidence, related: true, deciding: vec![] };
        assert_eq!(decision(0.47), undecided);
    }

    #[test]
    fn two_good_passages_that_disagree_make_a_mixed_verdict_where_there_may_be_one() {
        let passages = [says(nli(0.05, 0.9), 5.0), says(nli(0.95, 0.0), 5.0), says(nli(0.0, 0.99), 1.0)];
        let decision = |passages: &[Bearing], mixed| Decision::of(0.9, passages, &calibration(0.0), mixed);
        let mixed = decision(&passages, true);
        assert_eq!((mixed.verdict, mixed.deciding), (Verdict::Mixed, vec![1, 0]));
        assert_eq!(decision(&passages, false).verdict, Verdict::Factual);
        assert_eq!(decision(&passages[1..], true).verdict, Verdict::Factual, "the other is on something else by BM25");
    }

    #[test]
    fn of_several_verdicts_the_worst_is_unfactual_and_the_best_factual() {
        let order = [Verdict::Factual, Verdict::NoEvidence, Verdict::Mixed, Verdict::Unfactual];
        assert!(order.is_sorted_by(|a, b| a.badness() < b.badness()));
    }
}
