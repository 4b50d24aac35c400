//! The scores that each model alone gives to a statement, for measurements.

use evident_index::Passage;

use crate::error::VerifyError;
use crate::evidence::premises::{Premise, premises};
use crate::evidence::weigh::support;
use crate::judge::answer_words::T5Answer;
use crate::judge::reading::bearings;
use crate::judge::scale::{Answered, Scale};
use crate::judge::verdict::Decision;
use crate::judge::{Judge, decision};
use crate::report::{ByWording, Nli, SentenceReport, Verdict};
use crate::settings::{ScoreBy, Settings};

/// Probabilities that a statement is factual, 0 to 1, by each model alone and by both together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// The T5's p, calibrated as the settings say; `None` if it was not asked.
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
        self.nli()?.triples(&pairs).await
    }

    /// The T5's p by one wording, as the settings calibrate it.
    #[must_use]
    pub fn calibrated(&self, said: &ByWording, settings: &Settings) -> f64 {
        self.scale(settings).calibrated(Answered { p: said.p_factual, silent: said.answered_at.is_none() })
    }

    /// The scores of a statement that this judge reported on by these settings.
    #[must_use]
    pub fn scores(&self, report: &SentenceReport, settings: &Settings) -> Scores {
        let support = support(&self.at_temperature(bearings(report), settings));
        let verifier = answered(report).map(|answered| self.scale(settings).calibrated(answered));
        Scores { verifier, nli: support, both: report.score }
    }

    /// The same scores without the pack's temperatures and bias. The premise of each passage is still the one that was
    /// chosen with them.
    #[must_use]
    pub fn scores_before_calibration(&self, report: &SentenceReport, settings: &Settings) -> Scores {
        let support = support(&self.without_temperature(bearings(report)));
        let both = self.scale(settings).raw().score(answered(report), support);
        Scores { verifier: report.p_factual, nli: support, both }
    }

    /// The sure verdict that a reported statement would have if the score came from these models alone; the score is
    /// that of [`Self::scores`].
    #[must_use]
    pub fn verdict(&self, report: &SentenceReport, score: f64, by: ScoreBy, settings: &Settings) -> Verdict {
        verdict(report, score, &self.scale(&Settings { score_by: by, ..settings.clone() }), settings)
    }

    /// True if the passages of a reported statement decide it one way or the other: it has a verdict if all thresholds
    /// of the score are 0.5.
    #[must_use]
    pub fn decides(&self, report: &SentenceReport, settings: &Settings) -> bool {
        let verdict = verdict(report, report.score, &self.scale(settings).parted_at(0.5), settings);
        matches!(verdict, Verdict::Factual | Verdict::Unfactual)
    }
}

/// The sure verdict on a statement that was reported on by these settings, by a score of this scale.
fn verdict(report: &SentenceReport, score: f64, scale: &Scale, settings: &Settings) -> Verdict {
    let thresholds = scale.thresholds_of(&report.statement);
    match settings.asks_nli() {
        true => decision(score, &bearings(report), thresholds.as_ref()).if_sure().verdict,
        false => Decision::by_verifier(score, report.evidence.len(), None, thresholds.as_ref()).verdict,
    }
}

/// The T5's answer of a report; `None` if it was not asked.
fn answered(report: &SentenceReport) -> Option<Answered> {
    let silent = |p| report.answered_at.is_none() && p == T5Answer::SILENT.p;
    report.p_factual.map(|p| Answered { p, silent: silent(p) })
}
