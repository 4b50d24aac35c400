//! Linear layers by the kernels.

use burn::tensor::{Tensor, TensorData};

/// `[rows, inputs]` to `[rows, outputs]` by `multiply`, one of the kernels' products.
pub(crate) fn linear(x: Tensor<2>, outputs: usize, multiply: impl FnOnce(&[f32]) -> Vec<f32>) -> Tensor<2> {
    let (rows, device) = (x.dims()[0], x.device());
    let y = multiply(x.into_data().as_slice().expect("activations are f32"));
    Tensor::from_data(TensorData::new(y, [rows, outputs]), &device)
}
