//! How the products in [`float`](crate::kernels::float) and [`int8`](crate::kernels::int8) are cut into pieces.
//!
//! Four rows by two vectors of outputs make eight sums, as many as an engine keeps in registers. The weights lie in
//! panels of eight outputs, one block of inputs after the other: a panel stays in the first-level cache while all rows
//! of a block pass by, and the rows stay in the second-level cache while all panels do.

use std::ops::Range;

/// Outputs that are computed together: two vectors of four.
pub(crate) const OUTPUTS: usize = 8;

/// Rows that are computed together.
pub(crate) const ROWS: usize = 4;

/// Rows that are multiplied by all panels before the next rows are.
const ROW_BLOCK: usize = 64;

/// Inputs that are summed before the next ones. The int8 sums have 32 bits: 512 * 127 * 32,767 is less than 2^31.
pub(crate) const INPUT_BLOCK: usize = 512;

/// The blocks of some inputs.
pub(crate) fn input_blocks(inputs: usize) -> impl Iterator<Item = Range<usize>> {
    (0..inputs).step_by(INPUT_BLOCK).map(move |start| start..inputs.min(start + INPUT_BLOCK))
}

/// Cuts `[rows, inputs]` and `[rows, outputs]` into blocks of rows.
pub(crate) fn row_blocks<'a>(
    x: &'a [f32],
    y: &'a mut [f32],
    inputs: usize,
    outputs: usize,
) -> impl Iterator<Item = (&'a [f32], &'a mut [f32])> {
    x.chunks(ROW_BLOCK * inputs).zip(y.chunks_mut(ROW_BLOCK * outputs))
}

/// A block of inputs of each of `R` rows. If `group` has fewer rows, its last one is repeated.
pub(crate) fn rows_of<'a, const R: usize>(group: &'a [f32], inputs: usize, block: &Range<usize>) -> [&'a [f32]; R] {
    let last = group.len() - inputs;
    std::array::from_fn(|row| &group[last.min(row * inputs)..][block.clone()])
}

/// Adds eight sums to `y`, which has fewer outputs at the end of a row.
#[inline(always)]
pub(crate) fn add_to(y: &mut [f32], sums: [[f32; 4]; 2]) {
    match y.as_chunks_mut::<4>() {
        ([left, right], []) => {
            // Two loops: a chained one would not become vector instructions.
            left.iter_mut().zip(sums[0]).for_each(|(y, sum)| *y += sum);
            right.iter_mut().zip(sums[1]).for_each(|(y, sum)| *y += sum);
        }
        _ => y.iter_mut().zip(sums.into_iter().flatten()).for_each(|(y, sum)| *y += sum),
    }
}
