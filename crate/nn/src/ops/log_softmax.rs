//! The log-probability of one token in each row of logits.

use burn::tensor::{Int, Tensor, TensorData};

use crate::kernels::softmax;
use crate::ops::{on_cpu, values};

/// The log-softmax of each row at its target: `[rows, vocabulary]` to `[rows]`.
pub(crate) fn log_softmax_at(logits: Tensor<2>, targets: &[u32]) -> Tensor<1> {
    if !on_cpu(&logits) {
        return composed(logits, targets);
    }
    let ([_, vocabulary], device) = (logits.dims(), logits.device());
    let logits = values(logits);
    let rows = logits.chunks_exact(vocabulary).zip(targets);
    let found: Vec<f32> = rows.map(|(row, &target)| softmax::log_softmax_at(row, target as usize)).collect();
    let length = found.len();
    Tensor::from_data(TensorData::new(found, [length]), &device)
}

fn composed(logits: Tensor<2>, targets: &[u32]) -> Tensor<1> {
    let rows = targets.len();
    let places: Vec<i32> = targets.iter().map(|&target| target as i32).collect();
    let places = Tensor::<2, Int>::from_data(TensorData::new(places, [rows, 1]), &logits.device());
    let shifted = logits.clone() - logits.max_dim(1);
    let sum = shifted.clone().exp().sum_dim(1);
    (shifted.gather(1, places) - sum.log()).reshape([rows])
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use burn::tensor::Device;

    use super::*;

    #[test]
    fn log_probabilities_on_the_cpu_equal_the_composed_and_sum_to_one() {
        let (rows, vocabulary) = (5, 37);
        let logit = |i: usize| ((i * 2_654_435_761) >> 9) as f32 % 60.0 - 90.0;
        let logits: Vec<f32> = (0..rows * vocabulary).map(logit).collect();
        let logits = Tensor::<2>::from_data(TensorData::new(logits, [rows, vocabulary]), &Device::flex());
        let mut sums = vec![0.0; rows];
        for target in 0..vocabulary as u32 {
            let targets = vec![target; rows];
            let found = values(log_softmax_at(logits.clone(), &targets));
            let composed = values(composed(logits.clone(), &targets));
            for ((found, composed), sum) in found.iter().zip(&composed).zip(&mut sums) {
                assert!((found - composed).abs() < 1e-5 * composed.abs().max(1.0), "{found} for {composed}");
                *sum += found.exp();
            }
        }
        assert!(sums.iter().all(|sum| (sum - 1.0_f32).abs() < 1e-5), "{sums:?}");
    }
}
