//! Activations.

use burn::tensor::{Tensor, TensorData, activation};

use crate::kernels::elementwise::Activation;
use crate::ops::{edit, on_cpu};

/// f(x) for each value of `[tokens, width]`.
pub(crate) fn activate(x: Tensor<2>, f: Activation) -> Tensor<2> {
    if on_cpu(&x) { edit(x, |x| f.apply(x)) } else { composed(x, f) }
}

fn composed(x: Tensor<2>, f: Activation) -> Tensor<2> {
    match f {
        Activation::Relu => activation::relu(x),
        Activation::Gelu => activation::gelu(x),
        Activation::GeluTanh => activation::gelu_approximate(x),
        Activation::Silu => activation::silu(x),
    }
}

/// f(a) b for a and b side by side: `[tokens, 2 * width]` to `[tokens, width]` (Shazeer 2020, "GLU Variants Improve
/// Transformer").
pub(crate) fn gate(x: Tensor<2>, f: Activation) -> Tensor<2> {
    if !on_cpu(&x) {
        return composed_gate(x, f);
    }
    let ([rows, columns], device) = (x.dims(), x.device());
    let mut data = x.into_data();
    let gated = f.gate(data.as_mut_slice().expect("activations are f32"), columns / 2);
    Tensor::from_data(TensorData::new(gated, [rows, columns / 2]), &device)
}

fn composed_gate(x: Tensor<2>, f: Activation) -> Tensor<2> {
    let width = x.dims()[1] / 2;
    composed(x.clone().narrow(1, 0, width), f) * x.narrow(1, width, width)
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use super::*;
    use crate::ops::tests::{assert_equal, noise};

    #[test]
    fn activations_on_the_cpu_equal_the_composed() {
        for f in [Activation::Relu, Activation::Gelu, Activation::GeluTanh, Activation::Silu] {
            let x = noise([23, 70], 3);
            assert_equal(activate(x.clone(), f), composed(x.clone(), f));
            assert_equal(gate(x.clone(), f), composed_gate(x, f));
        }
    }
}
