//! The beta distribution.

use libm::lgamma;

/// The regularised incomplete beta function I_x(a, b) for x in [0, 1], by its continued fraction (Abramowitz and
/// Stegun, 26.5.8), which converges fast for x below the mean. For x above it, I_x(a, b) = 1 - I_(1-x)(b, a) is used.
pub(super) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = (a * x.ln() + b * (1.0 - x).ln() + lgamma(a + b) - lgamma(a) - lgamma(b)).exp() / a;
    let term = |m: f64| {
        let half = (m / 2.0).floor();
        if m % 2.0 == 0.0 {
            half * (b - half) * x / ((a + 2.0 * half - 1.0) * (a + 2.0 * half))
        } else {
            -(a + half) * (a + b + half) * x / ((a + 2.0 * half) * (a + 2.0 * half + 1.0))
        }
    };
    let fraction = (1..=500).rev().fold(1.0, |below, m| 1.0 + term(f64::from(m)) / below);
    front / fraction
}
