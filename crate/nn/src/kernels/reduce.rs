//! Sums and maxima of rows.

/// Elements that a loop works on at a time: two registers of four, which every target has.
const LANES: usize = 8;

/// Folds each lane, then the results of the lanes. `f` must be associative and commutative.
pub(crate) fn fold(row: &[f32], start: f32, f: impl Fn(f32, f32) -> f32) -> f32 {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut lanes = [start; LANES];
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = f(*lane, *x);
        }
    }
    lanes.iter().chain(rest).fold(start, |a, b| f(a, *b))
}

/// The largest value of a row, minus infinity for an empty one.
pub(crate) fn max(row: &[f32]) -> f32 {
    fold(row, f32::NEG_INFINITY, at_least)
}

/// The sum of `term(x)` over a row.
pub(crate) fn sum(row: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += term(*x);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|x| term(*x)).sum::<f32>()
}

/// `f32::max` as the one instruction that vector units have for it. An `x` that is NaN stays NaN.
#[inline(always)]
pub(crate) fn at_least(low: f32, x: f32) -> f32 {
    if low > x { low } else { x }
}
