//! How products on the CPU are cut up, in f32 ([`float`](crate::kernels::float)) and in int8 ([`int8`](crate::kernels::int8)).
//!
//! Four rows by two vectors of outputs make eight sums, as many as an engine keeps in registers. The other matrix lies in
//! panels of eight outputs, stretch by stretch of the inputs, so that a panel stays in the first-level cache while all rows of a
//! block pass by, and a block's rows in the second while all panels do.

use std::ops::Range;

/// Outputs that are computed together: two vectors of four.
pub(crate) const OUTPUTS: usize = 8;

/// Rows that are computed together.
pub(crate) const ROWS: usize = 4;

/// Rows that are done with all panels before the next ones.
const BLOCK: usize = 64;

/// Inputs that are summed before the next ones. In 32 bits 512 * 127 * 32,767 is less than 2^31.
pub(crate) const STRETCH: usize = 512;

/// The stretches of some inputs.
pub(crate) fn stretches(inputs: usize) -> impl Iterator<Item = Range<usize>> {
    (0..inputs).step_by(STRETCH).map(move |start| start..inputs.min(start + STRETCH))
}

/// Cuts `[rows, inputs]` and `[rows, outputs]` into blocks of rows.
pub(crate) fn blocks<'a>(
    x: &'a [f32],
    y: &'a mut [f32],
    inputs: usize,
    outputs: usize,
) -> impl Iterator<Item = (&'a [f32], &'a mut [f32])> {
    x.chunks(BLOCK * inputs).zip(y.chunks_mut(BLOCK * outputs))
}

/// A stretch of `R` rows of `inputs` each, the last of them over again where there are fewer.
pub(crate) fn rows_of<'a, const R: usize>(group: &'a [f32], inputs: usize, stretch: &Range<usize>) -> [&'a [f32]; R] {
    let last = group.len() - inputs;
    std::array::from_fn(|row| &group[last.min(row * inputs)..][stretch.clone()])
}

/// Adds two vectors to the up to eight outputs there are.
#[inline(always)]
pub(crate) fn add_to(y: &mut [f32], sums: [[f32; 4]; 2]) {
    match y.as_chunks_mut::<4>() {
        ([left, right], []) => {
            // One by one: chained, they would not become vector instructions.
            left.iter_mut().zip(sums[0]).for_each(|(y, sum)| *y += sum);
            right.iter_mut().zip(sums[1]).for_each(|(y, sum)| *y += sum);
        }
        _ => y.iter_mut().zip(sums.into_iter().flatten()).for_each(|(y, sum)| *y += sum),
    }
}
