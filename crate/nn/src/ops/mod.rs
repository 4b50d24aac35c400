//! Operations on tensors. Activations are matrices with one row for each token, `[tokens, width]`.
//!
//! Functions named `composed` use Burn's operations and run on every device. On the CPU, [`kernels`](crate::kernels) do
//! the same in fewer passes over memory. Both are in one file, and tests compare their results.

pub(crate) mod activation;
pub(crate) mod attention;
pub(crate) mod bias;
pub(crate) mod heads;
pub(crate) mod linear;
pub(crate) mod log_softmax;
pub(crate) mod norm;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod rotary;
pub(crate) mod rows;

use burn::tensor::{Device, Int, Tensor, TensorData};

/// Whether a device is the CPU.
#[cfg(feature = "cpu")]
pub(crate) fn is_cpu(device: &Device) -> bool {
    *device == Device::flex()
}

#[cfg(not(feature = "cpu"))]
pub(crate) fn is_cpu(_: &Device) -> bool {
    false
}

/// Whether a tensor is on the CPU, so that kernels can compute with it.
pub(crate) fn on_cpu<const D: usize>(x: &Tensor<D>) -> bool {
    is_cpu(&x.device())
}

/// The values of a tensor on the CPU, in row-major order.
pub(crate) fn values<const D: usize>(x: Tensor<D>) -> Vec<f32> {
    x.into_data().try_into_vec().expect("activations are f32")
}

/// Changes the values of a tensor on the CPU. They are copied first if another tensor shares them.
fn edit<const D: usize>(x: Tensor<D>, change: impl FnOnce(&mut [f32])) -> Tensor<D> {
    let device = x.device();
    let mut data = x.into_data();
    change(data.as_mut_slice().expect("activations are f32"));
    Tensor::from_data(data, &device)
}

/// The numbers of rows to select.
pub(crate) fn indices(rows: impl IntoIterator<Item = usize>, device: &Device) -> Tensor<1, Int> {
    let rows: Vec<i32> = rows.into_iter().map(|row| row as i32).collect();
    let length = rows.len();
    Tensor::from_data(TensorData::new(rows, [length]), device)
}

#[cfg(all(test, feature = "cpu"))]
pub(crate) mod tests {
    use super::*;

    /// Values of both signs without a pattern, some of them large.
    pub fn noise<const D: usize>(shape: [usize; D], seed: u32) -> Tensor<D> {
        let value = |i: u32| {
            let hash = (i + seed).wrapping_mul(2_654_435_761);
            ((hash ^ (hash >> 15)) % 10_007) as f32 / 1_000.0 - 5.0
        };
        let values: Vec<f32> = (0..shape.iter().product::<usize>() as u32).map(value).collect();
        Tensor::from_data(TensorData::new(values, shape), &Device::flex())
    }

    pub fn assert_equal(found: Tensor<2>, composed: Tensor<2>) {
        assert_eq!(found.dims(), composed.dims());
        for (a, b) in values(found).iter().zip(values(composed)) {
            assert!((a - b).abs() < 1e-5 * b.abs().max(1.0), "{a} where the composed gives {b}");
        }
    }
}
