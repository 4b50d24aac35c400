//! What each model alone makes of a statement, for measurements.

use evident_index::Passage;
use evident_nn::{Calibration, VerifierCalibration};

use crate::error::VerifyError;
use crate::evidence::premises::{Premise, premises};
use crate::evidence::weigh::{Bearing, support};
use crate::judge::Judge;
use crate::judge::reading::bearings;
use crate::judge::verdict::{Decision, score};
use crate::report::{Nli, SentenceReport, Verdict};

/// Probabilities that a statement is factual, 0 to 1, by each model alone and by both together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// The T5's calibrated p; `None` if it was not asked.
    pub verifier: Option<f64>,
    /// What the passages say together by NLI; 0.5 without evidence.
    pub nli: f64,
    /// The report's score.
    pub both: f64,
}

impl Judge {
    /// The triple of a statement with each window of `window` sentences of each passage, in order; 0 for whole
    /// passages.
    ///
    /// # Errors
    /// Any error of the model.
    pub async fn entailments(
        &self,
        statement: &str,
        passages: &[Passage],
        window: usize,
    ) -> Result<Vec<Nli>, VerifyError> {
        let all = |passage| premises(passage, statement, window, usize::MAX);
        let premises: Vec<Premise> = passages.iter().flat_map(all).collect();
        let pairs: Vec<_> = premises.iter().map(|premise| (premise.text.as_str(), statement)).collect();
        self.nli.triples(&pairs).await
    }

    /// The T5's p after the pack's temperature and bias.
    #[must_use]
    pub fn calibrated(&self, p: f64) -> f64 {
        score(p, 0.5, &self.weighing(1.0))
    }

    /// The scores of a statement that this judge reported on.
    #[must_use]
    pub fn scores(&self, report: &SentenceReport) -> Scores {
        Scores { both: report.score, ..self.scores_at(report, &self.calibration, 1.0) }
    }

    /// The same scores without the pack's temperatures and bias. The premise of each passage is still the one that was
    /// chosen with them.
    #[must_use]
    pub fn scores_before_calibration(&self, report: &SentenceReport) -> Scores {
        let plain = Calibration { verifier: VerifierCalibration::default(), ..self.calibration.clone() };
        self.scores_at(report, &plain, self.calibration.nli.temperature)
    }

    /// The verdict that a reported statement would have with another score, such as one of [`Self::scores`].
    #[must_use]
    pub fn verdict(&self, report: &SentenceReport, score: f64) -> Verdict {
        Decision::of(score, &bearings(report), &self.calibration, true).verdict
    }

    fn scores_at(&self, report: &SentenceReport, calibration: &Calibration, sharpness: f64) -> Scores {
        let sharpened = |bearing: Bearing| Bearing { nli: bearing.nli.sharpened(sharpness), ..bearing };
        let support = support(&bearings(report).into_iter().map(sharpened).collect::<Vec<_>>());
        let by = |weight_verifier: f64, p| score(p, support, &Calibration { weight_verifier, ..calibration.clone() });
        let both = report.p_factual.map_or(support, |p| by(calibration.weight_verifier, p));
        Scores { verifier: report.p_factual.map(|p| by(1.0, p)), nli: support, both }
    }
}
