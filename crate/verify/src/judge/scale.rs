//! How the T5's p and the support of the passages become one score, and where scores become verdicts.

use evident_nn::{BriefThresholds, Calibration, VerifierCalibration};

use crate::settings::{Method, ScoreBy, Settings};

/// The T5's share of a combination that no pack has fitted.
const EVEN: f64 = 0.5;

/// How models' numbers become scores and verdicts by given settings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    /// The T5's temperature and bias; `None` to leave p uncalibrated.
    verifier: Option<VerifierCalibration>,
    /// The T5's share of the score, w.
    pub weight: f64,
    /// Whether the weight was fitted, or is 0 or 1 because one model scores alone.
    pub fitted: bool,
    /// The thresholds between the verdicts; `None` if the score alone decides, at 0.5.
    pub thresholds: Option<Thresholds>,
    /// Those of brief statements, where they have their own.
    brief: Option<BriefThresholds>,
}

/// The scores that separate the verdicts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Thresholds {
    /// Factual from here on.
    pub factual: f64,
    /// Unfactual below.
    pub unfactual: f64,
    /// Likely factual from here on: at most `factual`.
    pub likely_factual: f64,
    /// Likely unfactual below: at least `unfactual`.
    pub likely_unfactual: f64,
    /// There is evidence if 1 - neutral of a passage reaches this.
    pub evidence: f64,
}

/// The T5's p, and whether an answer word came: without one p is 0.5 whatever the calibration (guan2024, Sec. 4.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Answered {
    pub p: f64,
    pub silent: bool,
}

impl Scale {
    /// The scale of these settings. `judge` is the calibration of the NLI model's pack, and `own` that of the T5's pack
    /// if that is another.
    pub fn of(settings: &Settings, judge: &Calibration, own: Option<&Calibration>) -> Self {
        let of_t5 = own.unwrap_or(judge);
        let fitted = judge.weight_verifier.filter(|_| own.is_none());
        let (weight, fitted) = match settings.score_by {
            ScoreBy::Nli => (0.0, true),
            ScoreBy::Verifier => (1.0, true),
            ScoreBy::Both => (fitted.unwrap_or(EVEN), fitted.is_some()),
        };
        // A pack's calibration is fitted on the probabilities of the direct question.
        let direct = settings.method == Method::Direct && !settings.hard;
        let verifier = (settings.calibrate && direct).then(|| of_t5.verifier.clone());
        let cuts = match settings.score_by {
            ScoreBy::Nli => judge.clone(),
            ScoreBy::Verifier if direct => of_t5.clone(),
            ScoreBy::Both if direct && fitted => judge.clone(),
            _ => Calibration::default(),
        };
        let thresholds = settings.calibrate.then_some(Thresholds {
            factual: cuts.threshold_factual,
            unfactual: cuts.threshold_unfactual,
            likely_factual: cuts.threshold_likely_factual.unwrap_or(cuts.threshold_factual),
            likely_unfactual: cuts.threshold_likely_unfactual.unwrap_or(cuts.threshold_unfactual),
            evidence: judge.threshold_evidence,
        });
        Self { verifier, weight, fitted, thresholds, brief: cuts.brief.filter(|_| settings.calibrate) }
    }

    /// The thresholds between the verdicts on this statement; `None` if the score alone decides, at 0.5.
    pub fn thresholds_of(&self, statement: &str) -> Option<Thresholds> {
        let thresholds = self.thresholds?;
        let Some(brief) = self.brief.as_ref().filter(|brief| brief.hold_for(statement)) else {
            return Some(thresholds);
        };
        Some(Thresholds {
            factual: brief.factual,
            unfactual: brief.unfactual,
            likely_factual: thresholds.likely_factual.min(brief.factual),
            likely_unfactual: thresholds.likely_unfactual.max(brief.unfactual),
            ..thresholds
        })
    }

    /// The same scale with one threshold between all verdicts.
    pub fn parted_at(self, score: f64) -> Self {
        let parted = |thresholds| Thresholds {
            factual: score,
            unfactual: score,
            likely_factual: score,
            likely_unfactual: score,
            ..thresholds
        };
        Self { thresholds: self.thresholds.map(parted), brief: None, ..self }
    }

    /// The same scale, with p uncalibrated.
    pub fn raw(self) -> Self {
        Self { verifier: None, ..self }
    }

    /// The score w p' + (1 - w) s: p' is the T5's calibrated p, s the support of the passages by NLI.
    pub fn score(&self, answered: Option<Answered>, support: f64) -> f64 {
        let p = answered.map_or(0.5, |answered| self.calibrated(answered));
        self.weight * p + (1.0 - self.weight) * support
    }

    /// p' = sigmoid((logit(p) + bias) / temperature); p itself if there was no answer or is no calibration.
    pub fn calibrated(&self, Answered { p, silent }: Answered) -> f64 {
        const SURE: f64 = 1e-6; // keeps the logit finite
        let Some(VerifierCalibration { temperature, bias }) = self.verifier.as_ref().filter(|_| !silent) else {
            return p;
        };
        let p = p.clamp(SURE, 1.0 - SURE);
        1.0 / (1.0 + (-((p / (1.0 - p)).ln() + bias) / temperature).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Preset;

    fn calibration(weight_verifier: Option<f64>) -> Calibration {
        let verifier = VerifierCalibration { temperature: 2.0, bias: 0.5 };
        let [threshold_factual, threshold_unfactual, threshold_evidence] = [0.9, 0.2, 0.4];
        let nli = Calibration::default().nli;
        Calibration {
            verifier,
            nli,
            weight_verifier,
            threshold_factual,
            threshold_unfactual,
            threshold_evidence,
            ..Calibration::default()
        }
    }

    /// The thresholds where nothing was fitted but the evidence's.
    const EVEN_CUTS: Thresholds =
        Thresholds { factual: 0.5, unfactual: 0.5, likely_factual: 0.5, likely_unfactual: 0.5, evidence: 0.4 };

    fn by(score_by: ScoreBy) -> Settings {
        Settings { score_by, ..Settings::default() }
    }

    fn said(p: f64) -> Option<Answered> {
        Some(Answered { p, silent: false })
    }

    #[test]
    fn brief_statements_have_their_own_thresholds() {
        let brief = BriefThresholds { words: 3, factual: 0.8, unfactual: 0.3 };
        let calibration = Calibration { brief: Some(brief), ..calibration(None) };
        let scale = Scale::of(&Settings::default(), &calibration, None);
        let factual = |scale: &Scale, statement| scale.thresholds_of(statement).unwrap().factual;
        assert_eq!((factual(&scale, "Iron is heavy."), factual(&scale, "Iron is a metal.")), (0.8, 0.9));
        let parted = scale.parted_at(0.5);
        assert_eq!((factual(&parted, "Iron is heavy."), factual(&parted, "Iron is a metal.")), (0.5, 0.5));
        let plain = Settings { calibrate: false, ..Settings::default() };
        assert_eq!(Scale::of(&plain, &calibration, None).thresholds_of("Iron is heavy."), None);
    }

    #[test]
    fn the_score_is_that_of_one_model_or_the_weighted_mean_of_both() {
        let plain = Calibration { verifier: VerifierCalibration::default(), ..calibration(Some(0.25)) };
        let score = |score_by| Scale::of(&by(score_by), &plain, None).score(said(0.9), 0.7);
        assert!((score(ScoreBy::Verifier) - 0.9).abs() < 1e-9);
        assert!((score(ScoreBy::Nli) - 0.7).abs() < 1e-9);
        assert!((score(ScoreBy::Both) - 0.75).abs() < 1e-9);
    }

    #[test]
    fn temperature_and_bias_move_p_and_leave_silence_where_it_is() {
        let mut own = calibration(None);
        let at = |own: &Calibration, p| Scale::of(&by(ScoreBy::Verifier), own, None).calibrated(p);
        own.verifier.bias = 0.0;
        assert!((at(&own, Answered { p: 0.9, silent: false }) - 0.75).abs() < 1e-9);
        own.verifier.bias = -(9f64.ln());
        assert!((at(&own, Answered { p: 0.9, silent: false }) - 0.5).abs() < 1e-9);
        assert_eq!(at(&own, Answered { p: 0.5, silent: true }), 0.5);
        for p in [0.0, 1.0] {
            assert!((0.0..=1.0).contains(&at(&own, Answered { p, silent: false })), "finite and in range");
        }
    }

    #[test]
    fn the_papers_score_is_p_and_is_parted_at_0_5() {
        let paper = Settings::preset(Preset::Paper);
        let scale = Scale::of(&paper, &calibration(Some(0.25)), None);
        for p in [0.0, 0.3, 0.5, 0.97, 1.0] {
            assert_eq!(scale.score(said(p), 0.1), p);
        }
        assert_eq!(scale.thresholds, None);
    }

    #[test]
    fn what_the_calibration_was_not_fitted_on_is_not_calibrated() {
        let chain = Settings { method: Method::ChainOfThought, ..by(ScoreBy::Verifier) };
        let likert = Settings { method: Method::Likert, ..by(ScoreBy::Verifier) };
        let hard = Settings { hard: true, ..by(ScoreBy::Verifier) };
        for settings in [chain, likert, hard] {
            let scale = Scale::of(&settings, &calibration(None), None);
            assert_eq!(scale.score(said(0.75), 0.1), 0.75);
            assert_eq!(scale.thresholds, Some(EVEN_CUTS));
        }
    }

    #[test]
    fn a_t5_of_another_pack_has_its_own_calibration_and_no_fitted_weight() {
        let (judge, own) = (calibration(Some(0.25)), Calibration::default());
        let both = Scale::of(&by(ScoreBy::Both), &judge, Some(&own));
        assert_eq!((both.weight, both.fitted), (0.5, false));
        assert!((both.score(said(0.9), 0.7) - 0.8).abs() < 1e-9);
        let alone = Scale::of(&by(ScoreBy::Verifier), &judge, Some(&own));
        assert_eq!(alone.thresholds, Some(EVEN_CUTS));
        let of_pack = Scale::of(&by(ScoreBy::Both), &judge, None);
        assert_eq!((of_pack.weight, of_pack.fitted), (0.25, true));
        assert!(!Scale::of(&by(ScoreBy::Both), &calibration(None), None).fitted);
    }
}
