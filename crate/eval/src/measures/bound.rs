//! An upper confidence bound of a proportion.

use crate::measures::beta::incomplete_beta;

/// The one-sided upper confidence bound of a proportion by `count` successes of `n`, at `confidence` from 0 to 1
/// (Clopper and Pearson 1934; `scipy.stats.beta.ppf(confidence, count + 1, n - count)`). 1 if `count` is `n`.
#[must_use]
pub fn upper_bound(count: usize, n: usize, confidence: f64) -> f64 {
    const HALVINGS: usize = 60;
    if count >= n {
        return 1.0;
    }
    let (a, b) = (count as f64 + 1.0, (n - count) as f64);
    let (mut below, mut above) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(below, above);
        if incomplete_beta(a, b, middle) < confidence { below = middle } else { above = middle }
    }
    above
}
