//! Confidence intervals by resampling.

use evident_verify::SplitMix;
use serde::{Deserialize, Serialize};

use crate::measures::Labelled;

/// How to resample. Equal settings give the same interval for the same rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bootstrap {
    /// The number of resamples.
    pub resamples: usize,
    /// The share of resamples within the interval, 0 to 1.
    pub level: f64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// A confidence interval of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Default for Bootstrap {
    /// 95 % of a thousand resamples.
    fn default() -> Self {
        Self { resamples: 1000, level: 0.95, seed: 2024 }
    }
}

impl Bootstrap {
    /// The percentile interval of a measure (Efron and Tibshirani 1993, ch. 13): as many rows are drawn with
    /// replacement as there are, and the measure taken of each such sample. Samples on which it is not defined are left
    /// out; `None` where that is more than half of them, and without rows.
    pub fn interval<T: Copy>(&self, rows: &[T], measure: impl Fn(&[T]) -> Option<f64>) -> Option<Interval> {
        if rows.is_empty() {
            return None;
        }
        let mut random = SplitMix(self.seed);
        let mut sample = rows.to_vec();
        self.middle(|| {
            sample.fill_with(|| rows[random.below(rows.len())]);
            measure(&sample)
        })
    }

    /// The interval of a measure for perfectly calibrated scores: each sample draws every label with its score as the
    /// probability (consistency resampling, Bröcker and Smith 2007, over the same scores each time). An ECE in this
    /// interval may be chance. `None` as for [`Bootstrap::interval`].
    pub fn if_calibrated(&self, rows: &[Labelled], measure: impl Fn(&[Labelled]) -> Option<f64>) -> Option<Interval> {
        let mut random = SplitMix(self.seed);
        let mut sample = rows.to_vec();
        self.middle(|| {
            sample.iter_mut().for_each(|row| row.factual = random.happens(row.p));
            measure(&sample)
        })
    }

    /// The percentile interval of the values that `draw` returns.
    fn middle(&self, mut draw: impl FnMut() -> Option<f64>) -> Option<Interval> {
        let mut found: Vec<f64> =
            (0..self.resamples).filter_map(|_| draw()).filter(|value| value.is_finite()).collect();
        if found.is_empty() || 2 * found.len() < self.resamples {
            return None;
        }
        found.sort_by(f64::total_cmp);
        let tail = (1.0 - self.level.clamp(0.0, 1.0)) / 2.0;
        Some(Interval { low: quantile(&found, tail), high: quantile(&found, 1.0 - tail) })
    }
}

/// The quantile of sorted numbers, at least one, by linear interpolation (numpy's default).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = sorted[at.floor() as usize];
    below + (sorted[at.ceil() as usize] - below) * at.fract()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::measures::calibration_error;

    fn mean(rows: &[f64]) -> Option<f64> {
        Some(rows.iter().sum::<f64>() / rows.len() as f64)
    }

    #[test]
    fn the_interval_of_a_mean_is_about_two_standard_errors_each_way() {
        let rows: Vec<f64> = (0..400).map(|i| f64::from(i % 2)).collect();
        let interval = Bootstrap::default().interval(&rows, mean).unwrap();
        let half = 1.96 * 0.5 / 20.0;
        assert!((interval.low - (0.5 - half)).abs() < 0.01 && (interval.high - (0.5 + half)).abs() < 0.01);
    }

    #[test]
    fn the_same_seed_gives_the_same_interval_and_another_another() {
        let rows: Vec<f64> = (0..50).map(f64::from).collect();
        let plan = Bootstrap::default();
        assert_eq!(plan.interval(&rows, mean), plan.interval(&rows, mean));
        assert_ne!(plan.interval(&rows, mean), Bootstrap { seed: 1, ..plan }.interval(&rows, mean));
    }

    #[test]
    fn what_is_hardly_ever_defined_has_no_interval() {
        assert_eq!(Bootstrap::default().interval(&[], mean), None);
        assert_eq!(Bootstrap::default().interval(&[1.0], |_| None), None);
    }

    /// Compares the draws with all outcomes of ten rows, each weighted by its probability under the scores.
    #[test]
    fn calibrated_scores_have_the_errors_of_all_their_outcomes() {
        let scores = [0.03, 0.12, 0.33, 0.34, 0.41, 0.58, 0.66, 0.67, 0.81, 0.94];
        let rows = scores.map(|p| Labelled { p, factual: false });
        let mut outcomes: Vec<(f64, f64)> = (0..1u32 << scores.len())
            .map(|outcome| {
                let mut rows = rows;
                let mut likely = 1.0;
                for (i, row) in rows.iter_mut().enumerate() {
                    row.factual = outcome >> i & 1 == 1;
                    likely *= if row.factual { row.p } else { 1.0 - row.p };
                }
                (calibration_error(&rows).unwrap(), likely)
            })
            .collect();
        outcomes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let quantile = |share: f64| {
            let mut sum = 0.0;
            outcomes
                .iter()
                .find(|(_, likely)| {
                    sum += likely;
                    sum >= share
                })
                .unwrap()
                .0
        };
        let plan = Bootstrap { resamples: 20_000, ..Bootstrap::default() };
        let interval = plan.if_calibrated(&rows, calibration_error).unwrap();
        assert!((interval.low - quantile(0.025)).abs() < 0.01, "{interval:?} {}", quantile(0.025));
        assert!((interval.high - quantile(0.975)).abs() < 0.01, "{interval:?} {}", quantile(0.975));
        assert_eq!(plan.if_calibrated(&[], calibration_error), None);
        assert_eq!(plan.if_calibrated(&[Labelled { p: 1.5, factual: true }], calibration_error), None);
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 1.0), 4.0);
        assert_eq!(quantile(&[5.0], 0.3), 5.0);
    }

    proptest! {
        #[test]
        fn an_interval_lies_within_the_rows(rows in proptest::collection::vec(-5.0..5.0f64, 1..30)) {
            let plan = Bootstrap { resamples: 50, ..Bootstrap::default() };
            let interval = plan.interval(&rows, mean).unwrap();
            let least = rows.iter().copied().fold(f64::INFINITY, f64::min);
            let most = rows.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(least - 1e-12 <= interval.low && interval.low <= interval.high && interval.high <= most + 1e-12);
        }
    }
}
