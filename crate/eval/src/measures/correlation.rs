//! Correlation of two numbers of the same rows.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::measures::beta::incomplete_beta;

/// Pearson's r of (x, y), -1 to 1 (guan2024, App. C.1; scipy.stats.pearsonr). `None` for fewer than two pairs, where
/// either is a constant, and where a number is not finite.
#[must_use]
pub fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    let constant = |of: fn(&(f64, f64)) -> f64| pairs.windows(2).all(|two| of(&two[0]) == of(&two[1]));
    if !are_finite(pairs) || constant(|pair| pair.0) || constant(|pair| pair.1) {
        return None;
    }
    let n = pairs.len() as f64;
    let mean = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0 / n, sum.1 + pair.1 / n));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        let (x, y) = (x - mean.0, y - mean.1);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    let r = xy / (xx.sqrt() * yy.sqrt());
    r.is_finite().then(|| r.clamp(-1.0, 1.0))
}

/// The two-sided p-value of Pearson's r over `n` pairs, under the null hypothesis of uncorrelated normal numbers
/// (scipy.stats.pearsonr). `None` for fewer than three pairs.
#[must_use]
pub fn pearson_p_value(r: f64, n: usize) -> Option<f64> {
    // r sqrt((n - 2) / (1 - r^2)) has Student's t distribution of n - 2 degrees of freedom.
    (n > 2 && r.abs() <= 1.0).then(|| incomplete_beta(n as f64 / 2.0 - 1.0, 0.5, 1.0 - r * r))
}

/// Somers' D and its p-value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SomersD {
    /// D(y | x), -1 to 1.
    pub d: f64,
    /// The two-sided p-value under the null hypothesis of no association, by the normal approximation.
    pub p_value: f64,
}

/// Somers' D(y | x) of (x, y): among pairs of rows that differ in x, the share of concordant ones minus the share of
/// discordant ones (chen2023, Sec. 6, with a metric's score as x or y; Somers 1962). It is not symmetric. Equal to
/// scipy.stats.somersd(x, y), except that the p-value is 1 where D and its variance are 0 and SciPy gives NaN. Takes
/// time quadratic in the number of rows. `None` where either is a constant, and where a number is not finite.
#[must_use]
pub fn somers_d(pairs: &[(f64, f64)]) -> Option<SomersD> {
    if !are_finite(pairs) {
        return None;
    }
    let sign = |a: f64, b: f64| match a.total_cmp(&b) {
        _ if a == b => 0, // also 0 and -0
        Ordering::Less => -1,
        _ => 1,
    };
    let (mut differ_x, mut differ_y, mut net, mut squares) = (0i64, 0i64, 0i64, 0.0);
    for (xi, yi) in pairs {
        let mut own = 0i64;
        for (xj, yj) in pairs {
            let (x, y) = (sign(*xi, *xj), sign(*yi, *yj));
            own += x * y;
            differ_x += x.abs();
            differ_y += y.abs();
        }
        net += own;
        squares += own as f64 * own as f64;
    }
    if differ_x == 0 || differ_y == 0 {
        return None;
    }
    let (net, n) = (net as f64, pairs.len() as f64);
    let spread = squares - net * net / n;
    // The standard error under the null hypothesis (Brown and Benedetti 1977); twice, since both orders of a pair are
    // counted.
    let p_value = if net == 0.0 {
        1.0
    } else if spread > 0.0 {
        libm::erfc(net.abs() / (2.0 * spread.sqrt()) / std::f64::consts::SQRT_2)
    } else {
        0.0
    };
    Some(SomersD { d: net / differ_x as f64, p_value })
}

fn are_finite(pairs: &[(f64, f64)]) -> bool {
    pairs.iter().all(|(x, y)| x.is_finite() && y.is_finite())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::measures::{Labelled, roc_area};

    #[test]
    fn a_line_correlates_fully_and_a_constant_not_at_all() {
        assert!((pearson(&[(1.0, 3.0), (2.0, 5.0), (4.0, 9.0)]).unwrap() - 1.0).abs() < 1e-15);
        assert!((pearson(&[(1.0, 3.0), (2.0, 1.0)]).unwrap() + 1.0).abs() < 1e-15);
        assert_eq!(pearson(&[(0.1, 1.0), (0.1, 2.0), (0.1, 4.0)]), None);
        assert_eq!(pearson(&[(1.0, 1.0)]), None);
        assert_eq!(pearson(&[(1.0, f64::INFINITY), (2.0, 1.0)]), None);
    }

    #[test]
    fn somers_d_is_not_symmetric() {
        let pairs = [(1.0, 1.0), (1.0, 2.0), (2.0, 3.0)];
        assert_eq!(somers_d(&pairs).unwrap().d, 1.0);
        assert_eq!(somers_d(&pairs.map(|(x, y)| (y, x))).unwrap().d, 2.0 / 3.0);
        assert_eq!(somers_d(&[(1.0, 1.0), (1.0, 2.0)]), None);
    }

    #[test]
    fn no_association_has_a_p_value_of_one() {
        let cross = [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)];
        assert_eq!(somers_d(&cross), Some(SomersD { d: 0.0, p_value: 1.0 }));
    }

    #[test]
    fn a_line_is_no_chance_and_two_points_are_always_one() {
        assert_eq!((pearson_p_value(1.0, 5), pearson_p_value(0.0, 5)), (Some(0.0), Some(1.0)));
        assert_eq!((pearson_p_value(0.5, 2), pearson_p_value(f64::NAN, 5)), (None, None));
    }

    fn pairs() -> impl Strategy<Value = Vec<(f64, f64)>> {
        proptest::collection::vec((0..6u8, 0..6u8), 2..40)
            .prop_map(|pairs| pairs.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect())
    }

    proptest! {
        #[test]
        fn correlations_stay_in_range_and_turn_with_a_sign(pairs in pairs()) {
            let turned: Vec<_> = pairs.iter().map(|&(x, y)| (x, -y)).collect();
            if let (Some(r), Some(minus)) = (pearson(&pairs), pearson(&turned)) {
                prop_assert!((-1.0..=1.0).contains(&r) && (r + minus).abs() < 1e-12);
            }
            if let (Some(somers), Some(minus)) = (somers_d(&pairs), somers_d(&turned)) {
                prop_assert!((-1.0..=1.0).contains(&somers.d) && somers.d == -minus.d);
                prop_assert!((0.0..=1.0).contains(&somers.p_value));
            }
        }

        #[test]
        fn with_two_classes_somers_d_is_the_area_rescaled(pairs in pairs()) {
            let rows: Vec<Labelled> = pairs.iter().map(|&(x, y)| Labelled { p: y, factual: x > 2.0 }).collect();
            let classes: Vec<_> = rows.iter().map(|row| (f64::from(u8::from(row.factual)), row.p)).collect();
            if let (Some(area), Some(somers)) = (roc_area(&rows), somers_d(&classes)) {
                prop_assert!((somers.d - (2.0 * area - 1.0)).abs() < 1e-12);
            }
        }
    }
}
