//! Normalisation of rows.

use crate::kernels::reduce::sum;

/// Divides each row of `weight.len()` values by its root mean square and multiplies it by the weight, in place
/// (Zhang and Sennrich 2019, "Root Mean Square Layer Normalization").
pub(crate) fn rms_norm(x: &mut [f32], weight: &[f32], epsilon: f32) {
    for row in x.chunks_exact_mut(weight.len()) {
        let mean_square = sum(row, |x| x * x) / row.len() as f32;
        let scale = 1.0 / (mean_square + epsilon).sqrt();
        for (x, weight) in row.iter_mut().zip(weight) {
            *x *= scale * weight;
        }
    }
}
