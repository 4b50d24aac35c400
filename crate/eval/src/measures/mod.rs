//! Meta-evaluation: how well scores agree with people's labels (guan2024, App. C.1; Somers' D is chen2023's choice).
//!
//! Pure functions in f64. A measure is `None` where it is not defined: without rows, for numbers that are not finite
//! (for the measures of calibration: not in [0, 1]), or where the classes or values that it compares are missing, as
//! each says.
//!
//! ```
//! use evident_eval::measures::{Labelled, Measures};
//!
//! let rows = [(0.9, true), (0.6, false), (0.7, true), (0.2, false)].map(|(p, factual)| Labelled { p, factual });
//! let measures = Measures::of(&rows);
//! assert_eq!(measures.aur, Some(1.0));
//! assert_eq!(measures.acc, Some(0.75));
//! ```

mod beta;
mod bootstrap;
mod bound;
mod calibration;
mod correlation;
mod discrimination;
mod kappa;
mod texts;

use serde::{Deserialize, Serialize};

pub use bootstrap::{Bootstrap, Interval};
pub use bound::upper_bound;
pub use calibration::{BINS, Bin, accuracy, balanced_accuracy, calibration_error, precision_recall, reliability};
pub use correlation::{SomersD, pearson, pearson_p_value, somers_d};
pub use discrimination::{average_precision, coverage_curve, precision_recall_curve, roc_area, roc_curve};
pub use kappa::{average_kappa, cohen_kappa, fleiss_kappa};
pub use texts::{exact_match, hallucinated_entities, unigram_f1};

/// A score and the label that people gave the same statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Labelled {
    /// The probability that it is factual, 0 to 1.
    pub p: f64,
    /// Whether it is factual; unfactual statements and those without evidence are not (guan2024, App. A.3).
    pub factual: bool,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The horizontal coordinate.
    pub x: f64,
    /// The vertical coordinate.
    pub y: f64,
}

/// Precision and recall of one class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrecisionRecall {
    /// TP / (TP + FP); `None` where no row was called this class.
    pub precision: Option<f64>,
    /// TP / (TP + FN); `None` where no row is of this class.
    pub recall: Option<f64>,
}

/// The measures of guan2024 (App. C.1), as shares, not per cent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// The number of rows.
    pub n: usize,
    /// The share of them that is factual; 0 without rows.
    pub factual: f64,
    /// [`calibration_error`].
    pub ece: Option<f64>,
    /// [`accuracy`].
    pub acc: Option<f64>,
    /// [`precision_recall`] of the factual.
    pub of_factual: PrecisionRecall,
    /// [`precision_recall`] of the others.
    pub of_unfactual: PrecisionRecall,
    /// [`roc_area`].
    pub aur: Option<f64>,
    /// [`average_precision`].
    pub aup: Option<f64>,
    /// [`pearson`] of the score and 1 for factual, 0 for not.
    pub r: Option<f64>,
}

impl Measures {
    /// All measures of these rows.
    #[must_use]
    pub fn of(rows: &[Labelled]) -> Self {
        let pairs: Vec<(f64, f64)> = rows.iter().map(|row| (row.p, f64::from(u8::from(row.factual)))).collect();
        Self {
            n: rows.len(),
            factual: share(rows.iter().filter(|row| row.factual).count(), rows.len()).unwrap_or(0.0),
            ece: calibration_error(rows),
            acc: accuracy(rows),
            of_factual: precision_recall(rows, true),
            of_unfactual: precision_recall(rows, false),
            aur: roc_area(rows),
            aup: average_precision(rows),
            r: pearson(&pairs),
        }
    }
}

/// The mean and the population standard deviation (divided by n), as in guan2024's Tab. 10 over the wordings of a
/// question. `None` without values.
#[must_use]
pub fn mean_and_deviation(values: &[f64]) -> Option<(f64, f64)> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    (!values.is_empty()).then(|| (mean, variance.sqrt()))
}

/// `part` / `whole`; `None` if `whole` is 0.
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn judged(rows: &[(f64, u8)]) -> Vec<Labelled> {
        rows.iter().map(|&(p, label)| Labelled { p, factual: label == 1 }).collect()
    }

    #[test]
    fn a_deviation_is_that_of_the_values_themselves() {
        assert_eq!(mean_and_deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), Some((5.0, 2.0)));
        assert_eq!((mean_and_deviation(&[0.25]), mean_and_deviation(&[])), (Some((0.25, 0.0)), None));
    }

    #[test]
    fn a_constant_has_every_measure_but_a_correlation() {
        let rows = judged(&[(1.0, 1), (1.0, 1), (1.0, 0), (1.0, 1)]);
        let measures = Measures::of(&rows);
        assert_eq!((measures.ece, measures.acc), (Some(0.25), Some(0.75)));
        assert_eq!(measures.of_factual, PrecisionRecall { precision: Some(0.75), recall: Some(1.0) });
        assert_eq!(measures.of_unfactual, PrecisionRecall { precision: None, recall: Some(0.0) });
        assert_eq!((measures.aur, measures.aup, measures.r), (Some(0.5), Some(0.75), None));
    }

    #[test]
    fn nothing_and_no_number_have_no_measure() {
        for rows in [vec![], judged(&[(f64::NAN, 1), (0.5, 0)])] {
            let measures = Measures::of(&rows);
            assert_eq!((measures.ece, measures.acc, measures.aur, measures.aup), (None, None, None, None));
            assert_eq!(measures.r, None);
        }
    }

    #[test]
    fn one_class_has_no_area() {
        let measures = Measures::of(&judged(&[(0.9, 1), (0.4, 1)]));
        assert_eq!((measures.aur, measures.aup, measures.r), (None, Some(1.0), None));
        assert_eq!(Measures::of(&judged(&[(0.9, 0), (0.4, 0)])).aup, None);
    }
}
