//! Measures that read a score as a probability.

use serde::{Deserialize, Serialize};

use crate::measures::{Labelled, PrecisionRecall, share};

/// Bins of the calibration error (guan2024, App. C.1).
pub const BINS: usize = 20;

/// The threshold: a score above it calls a row factual, one below it not factual, and one equal to it neither.
const EVEN: f64 = 0.5;

/// The rows whose score lies in one bin. Bins without rows are left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// The least score of the bin, a multiple of 1 / [`BINS`].
    pub from: f64,
    /// How many rows it has.
    pub n: usize,
    /// Their mean score.
    pub p: f64,
    /// The share of them that is factual.
    pub factual: f64,
}

/// The bins of a reliability diagram, by score. A score on the edge of two bins belongs to the upper, 1 to the last.
/// `None` without rows and where a score is not in [0, 1].
#[must_use]
pub fn reliability(rows: &[Labelled]) -> Option<Vec<Bin>> {
    if rows.is_empty() || !are_probabilities(rows) {
        return None;
    }
    let mut bins = [(0usize, 0.0, 0usize); BINS];
    for row in rows {
        let (n, sum, factual) = &mut bins[((row.p * BINS as f64) as usize).min(BINS - 1)];
        *n += 1;
        *sum += row.p;
        *factual += usize::from(row.factual);
    }
    let filled = bins.into_iter().enumerate().filter(|(_, (n, ..))| *n > 0);
    let bin = |(i, (n, sum, factual)): (usize, (usize, f64, usize))| Bin {
        from: i as f64 / BINS as f64,
        n,
        p: sum / n as f64,
        factual: factual as f64 / n as f64,
    };
    Some(filled.map(bin).collect())
}

/// ECE, the expected calibration error: the mean over rows of |mean score - share of factual rows| of their bin
/// (guan2024, App. C.1; there acc(b) is called the accuracy, and Constant's ECE in Tab. 7 shows that this share is
/// meant). `None` as for [`reliability`].
#[must_use]
pub fn calibration_error(rows: &[Labelled]) -> Option<f64> {
    let gaps = reliability(rows)?.into_iter().map(|bin| bin.n as f64 * (bin.p - bin.factual).abs());
    Some(gaps.sum::<f64>() / rows.len() as f64)
}

/// ACC: the share of rows whose score is on the right side of 0.5; a score of 0.5 is wrong (guan2024, App. C.1). `None`
/// as for [`reliability`].
#[must_use]
pub fn accuracy(rows: &[Labelled]) -> Option<f64> {
    let right = rows.iter().filter(|row| called(row.p) == Some(row.factual)).count();
    share(right, rows.len()).filter(|_| are_probabilities(rows))
}

/// Balanced accuracy: the mean of the share of factual rows with a score above 0.5 and the share of other rows with a
/// score of at most 0.5 (Tang et al. 2024, Sec. 2; scikit-learn's balanced_accuracy_score). `None` unless there are
/// rows of both classes, and as for [`reliability`].
#[must_use]
pub fn balanced_accuracy(rows: &[Labelled]) -> Option<f64> {
    let right = |factual: bool| {
        let of_class = || rows.iter().filter(move |row| row.factual == factual);
        share(of_class().filter(|row| (row.p > EVEN) == factual).count(), of_class().count())
    };
    Some(f64::midpoint(right(true)?, right(false)?)).filter(|_| are_probabilities(rows))
}

/// P and R of the rows that are factual, or of those that are not: a score above 0.5 calls a row factual, one below
/// not, and one of 0.5 neither.
#[must_use]
pub fn precision_recall(rows: &[Labelled], factual: bool) -> PrecisionRecall {
    if !are_probabilities(rows) {
        return PrecisionRecall { precision: None, recall: None };
    }
    let is = |row: &&Labelled| row.factual == factual;
    let was_called = |row: &&Labelled| called(row.p) == Some(factual);
    let right = rows.iter().filter(is).filter(was_called).count();
    PrecisionRecall {
        precision: share(right, rows.iter().filter(was_called).count()),
        recall: share(right, rows.iter().filter(is).count()),
    }
}

fn called(p: f64) -> Option<bool> {
    (p != EVEN).then_some(p > EVEN)
}

fn are_probabilities(rows: &[Labelled]) -> bool {
    rows.iter().all(|row| (0.0..=1.0).contains(&row.p))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::measures::tests::judged;

    #[test]
    fn the_calibration_error_weighs_each_bins_gap_by_its_rows() {
        let rows = judged(&[(0.91, 1), (0.93, 0), (0.12, 0)]);
        let bins = reliability(&rows).unwrap();
        assert_eq!(
            bins.iter().map(|bin| (bin.from, bin.n, bin.factual)).collect::<Vec<_>>(),
            [(0.1, 1, 0.0), (0.9, 2, 0.5)]
        );
        assert!((calibration_error(&rows).unwrap() - (2.0 * 0.42 + 0.12) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn an_edge_belongs_to_the_upper_bin_and_one_to_the_last() {
        let bins = reliability(&judged(&[(0.5, 1), (1.0, 1), (0.97, 0)])).unwrap();
        assert_eq!(bins.iter().map(|bin| (bin.from, bin.n)).collect::<Vec<_>>(), [(0.5, 1), (0.95, 2)]);
    }

    #[test]
    fn even_odds_are_wrong_and_call_neither_class() {
        let rows = judged(&[(0.5, 1), (0.5, 0), (0.8, 1), (0.3, 1)]);
        assert_eq!(accuracy(&rows), Some(0.25));
        assert_eq!(precision_recall(&rows, true), PrecisionRecall { precision: Some(1.0), recall: Some(1.0 / 3.0) });
        assert_eq!(precision_recall(&rows, false), PrecisionRecall { precision: Some(0.0), recall: Some(0.0) });
    }

    #[test]
    fn what_is_no_probability_is_not_calibrated() {
        assert_eq!(calibration_error(&judged(&[(1.5, 1)])), None);
        assert_eq!(accuracy(&judged(&[(-0.1, 0)])), None);
    }

    proptest! {
        #[test]
        fn the_calibration_error_is_at_least_the_gap_of_the_means_and_at_most_one(
            rows in proptest::collection::vec((0.0..=1.0, 0..=1u8), 1..99)
        ) {
            let rows = judged(&rows);
            let n = rows.len() as f64;
            let gap = rows.iter().map(|row| row.p - f64::from(u8::from(row.factual))).sum::<f64>() / n;
            let error = calibration_error(&rows).unwrap();
            prop_assert!(gap.abs() <= error + 1e-12 && error <= 1.0);
            prop_assert_eq!(reliability(&rows).unwrap().iter().map(|bin| bin.n).sum::<usize>(), rows.len());
        }
    }
}
