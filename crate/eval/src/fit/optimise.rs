//! Minimisation of smooth functions.

/// The tolerance of the argument of a minimum.
const NEAR: f64 = 1e-9;

/// The argument between `from` and `to` that minimises `loss`, which must be unimodal there: golden-section search
/// (Kiefer 1953).
pub(super) fn least(loss: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (from, to);
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (loss(left), loss(right));
    while high - low > NEAR {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = loss(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = loss(right);
        }
    }
    f64::midpoint(low, high)
}

/// (a, b) of maximum likelihood for P(y | x) = sigmoid(a x + b): logistic regression by Newton's method, with steps
/// halved until the loss does not rise. `None` where there is no maximum, such as for classes that a threshold
/// separates.
pub(super) fn logistic(rows: &[(f64, bool)]) -> Option<(f64, f64)> {
    const STEPS: usize = 100;
    let loss = |(a, b): (f64, f64)| -> f64 {
        rows.iter().map(|&(x, y)| softplus(if y { -(a * x + b) } else { a * x + b })).sum()
    };
    let (mut at, mut now) = ((1.0, 0.0), loss((1.0, 0.0)));
    for _ in 0..STEPS {
        let (mut ga, mut gb, mut haa, mut hab, mut hbb) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for &(x, y) in rows {
            let p = sigmoid(at.0 * x + at.1);
            let (miss, slope) = (p - f64::from(u8::from(y)), p * (1.0 - p));
            ga += miss * x;
            gb += miss;
            haa += slope * x * x;
            hab += slope * x;
            hbb += slope;
        }
        let determinant = haa * hbb - hab * hab;
        if determinant.is_nan() || determinant <= 0.0 {
            return None;
        }
        let step = ((hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant);
        let mut scale = 1.0;
        let next = loop {
            let next = (at.0 - scale * step.0, at.1 - scale * step.1);
            if loss(next) <= now || scale < NEAR {
                break next;
            }
            scale /= 2.0;
        };
        let moved = (next.0 - at.0).abs() + (next.1 - at.1).abs();
        (at, now) = (next, loss(next));
        if moved < NEAR {
            return Some(at);
        }
    }
    None
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

/// ln(1 + e^z), without overflow.
fn softplus(z: f64) -> f64 {
    z.max(0.0) + (-z.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_a_parabola_is_its_vertex() {
        assert!((least(|x| (x - 1.25).powi(2), -3.0, 3.0) - 1.25).abs() < 1e-6);
        assert!((least(|x| x, -3.0, 3.0) + 3.0).abs() < 1e-6, "at the edge where it only rises");
    }

    #[test]
    fn one_step_of_two_shares_is_the_line_through_their_logits() {
        let rows: Vec<(f64, bool)> = [(0.0, 1, 4), (1.0, 4, 1)]
            .iter()
            .flat_map(|&(x, yes, no)| std::iter::repeat_n((x, true), yes).chain(std::iter::repeat_n((x, false), no)))
            .collect();
        let (a, b) = logistic(&rows).unwrap();
        assert!((b - 0.25f64.ln()).abs() < 1e-6 && (a + b - 4f64.ln()).abs() < 1e-6, "{a} {b}");
    }

    #[test]
    fn classes_that_a_threshold_parts_have_no_best() {
        assert_eq!(logistic(&[(0.0, false), (1.0, true)]), None);
        assert_eq!(logistic(&[]), None);
        assert_eq!(logistic(&[(2.0, true), (2.0, false)]), None, "of one place there is no slope");
    }
}
