//! Normalisation by the root mean square.

use burn::tensor::Tensor;

use crate::kernels::norm;
use crate::ops::{edit, on_cpu};

/// x / rms(x) * weight for each row of `[rows, width]`. The CPU takes the weight from `values`, the other devices from
/// `weight`, `[width]`.
pub(crate) fn rms_norm(x: Tensor<2>, weight: &Tensor<1>, values: &[f32], epsilon: f64) -> Tensor<2> {
    match on_cpu(&x) {
        true => edit(x, |x| norm::rms_norm(x, values, epsilon as f32)),
        false => composed(x, weight, epsilon),
    }
}

fn composed(x: Tensor<2>, weight: &Tensor<1>, epsilon: f64) -> Tensor<2> {
    let mean_square = (x.clone() * x.clone()).mean_dim(1);
    x / (mean_square + epsilon).sqrt() * weight.clone().unsqueeze()
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use super::*;
    use crate::ops::tests::{assert_equal, noise};
    use crate::ops::values;

    #[test]
    fn norms_on_the_cpu_equal_the_composed() {
        let (weight, x) = (noise([37], 1), noise([19, 37], 2));
        let found = rms_norm(x.clone(), &weight, &values(weight.clone()), 1e-6);
        assert_equal(found, composed(x, &weight, 1e-6));
    }
}
