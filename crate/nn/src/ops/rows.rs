//! Distributes rows over threads: most of a layer computes each token independently.

use std::ops::Range;

use burn::tensor::Tensor;

use crate::kernels::tiles::ROWS;
use crate::ops::on_cpu;
use crate::threads::{any_spare, share_out};

/// A thread takes at least this many rows: fewer are not worth the call.
const LEAST_ROWS: usize = 32;

/// `f` of all rows, `[rows, width]` each. `f` must compute each row independently: the rows are distributed over this
/// thread and the idle ones.
pub(crate) fn by_rows<const N: usize>(x: [Tensor<2>; N], f: impl Fn([Tensor<2>; N]) -> Tensor<2> + Sync) -> Tensor<2> {
    if !on_cpu(&x[0]) || !any_spare() {
        return f(x);
    }
    let rows = x[0].dims()[0];
    let part = |groups: Range<usize>| {
        let (start, end) = (groups.start * ROWS, rows.min(groups.end * ROWS));
        f(x.each_ref().map(|x| x.clone().narrow(0, start, end - start)))
    };
    joined(share_out(rows.div_ceil(ROWS), rows / LEAST_ROWS, part), 0)
}

/// Parts put together again along `dimension`.
pub(crate) fn joined(mut parts: Vec<Tensor<2>>, dimension: usize) -> Tensor<2> {
    if parts.len() == 1 { parts.remove(0) } else { Tensor::cat(parts, dimension) }
}
