//! The softmax of rows of attention scores, and the log-softmax of rows of logits.

use std::ops::Range;

use crate::kernels::elementwise::exp;
use crate::kernels::reduce::{max, sum};

/// The mask and the bias of a query's row of scores, which apply before its softmax.
pub(crate) struct BiasRow<'a> {
    /// The keys that the query attends to.
    pub within: Range<usize>,
    /// What is added to the score of each key of the row, `[keys]`.
    pub added: Option<&'a [f32]>,
}

/// Turns a row of scores into exp(scale score + added - max) and returns the sum. Keys outside of `within` get 0.
pub(crate) fn softmax_numerators(row: &mut [f32], scale: f32, BiasRow { within, added }: BiasRow) -> f32 {
    row[..within.start].fill(0.0);
    row[within.end..].fill(0.0);
    let row = &mut row[within.clone()];
    match added {
        Some(added) => row.iter_mut().zip(&added[within]).for_each(|(x, added)| *x = *x * scale + added),
        None => row.iter_mut().for_each(|x| *x *= scale),
    }
    let max = max(row);
    row.iter_mut().for_each(|x| *x = exp(*x - max));
    sum(row, |x| x)
}

/// The log-softmax of a row of logits at `target`.
pub(crate) fn log_softmax_at(row: &[f32], target: usize) -> f32 {
    let max = max(row);
    row[target] - max - sum(row, |x| exp(x - max)).ln()
}
