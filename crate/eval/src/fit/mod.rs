//! Fits a pack's calibration on labelled statements: the temperatures, the T5's bias and its weight on statements with
//! their own evidence, the thresholds on statements with retrieved evidence.

mod optimise;
mod probabilities;
mod thresholds;

use evident_nn::{Calibration, Measured};
use evident_verify::{Judge, Nli, SentenceReport, Settings, SharedModels};

use crate::error::EvalError;
use crate::monitor::Monitor;
use crate::rows::row::Label;
use crate::statements::evidence::EvidenceMode;
use crate::statements::{Evaluation, Statements};

/// A calibration that was fitted.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The calibration with what was fitted in it.
    pub calibration: Calibration,
    /// How often verdicts by it are right; `None` where the thresholds were not fitted.
    pub measured: Option<Measured>,
    /// The errors before and after, as a Markdown table.
    pub table: String,
}

/// What a calibration is fitted on: the label of a statement and the parts of its judgment that matter.
#[derive(Clone, Debug)]
struct Judged {
    label: Label,
    /// The NLI probabilities by the most decisive passage, at temperature 1; `None` without evidence.
    nli: Option<Nli>,
    /// The T5's p before calibration; `None` where it gave no answer or was not asked.
    p: Option<f64>,
    /// The report's score.
    score: f64,
    /// True if the passages decide it; the thresholds say which way.
    decided: bool,
    /// How many words the statement has.
    words: usize,
}

impl Judged {
    fn of(label: Label, report: &SentenceReport, judge: &Judge, settings: &Settings, before: &Calibration) -> Self {
        let read = report.evidence.iter().filter_map(|evidence| evidence.nli);
        let deciding = read.max_by(|a, b| a.decisiveness().total_cmp(&b.decisiveness()));
        Self {
            label,
            nli: deciding.map(|nli| nli.sharpened(before.nli.temperature)),
            p: report.p_factual.filter(|_| report.answered_at.is_some()),
            score: report.score,
            decided: judge.decides(report, settings),
            words: report.statement.split_whitespace().count(),
        }
    }
}

impl Evaluation {
    /// Fits the calibration of the pack's NLI model, and of the T5 if the settings ask it, on these statements: where
    /// their evidence is retrieved the thresholds, else the temperatures, the bias and the weight. `before` is the
    /// calibration that the models have.
    ///
    /// # Errors
    /// [`EvalError::Unusable`] if the statements are all true or all false; any other [`EvalError`] of judging them.
    pub fn fit<M: Monitor>(
        &self,
        statements: Statements,
        models: &SharedModels,
        before: &Calibration,
        monitor: &M,
    ) -> Result<Fitted, EvalError> {
        let settings = &self.settings;
        let retrieved = statements.evidence == EvidenceMode::Retrieved;
        let mut judged = Vec::new();
        self.reports(statements, models, monitor, |row, report| {
            let label = row.label.unwrap_or(Label::NoEvidence);
            judged.push(Judged::of(label, &report, &models.judge, settings, before));
        })?;
        let has = |label| judged.iter().any(|each| each.label == label);
        if !(has(Label::Factual) && has(Label::Unfactual)) {
            let why = "all statements are true, or all are false: both kinds are needed to fit a calibration";
            return Err(EvalError::Unusable { path: self.file.clone(), why });
        }
        let file = self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy();
        Ok(if retrieved { thresholds::fit(&judged, before, &file) } else { probabilities::fit(&judged, before) })
    }
}
