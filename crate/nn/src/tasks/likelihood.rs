//! How probable given tokens are under a language model.

use std::ops::Range;

use burn::tensor::{Int, Tensor, TensorData};

use crate::ops::cpu;
use crate::{NnError, read_back};

/// The most logits that exist at once: a vocabulary of 50,000 at 80 positions, 16 MB.
const LOGITS: usize = 4 * 1024 * 1024;

/// The positions whose logits are computed together.
pub(crate) fn slices(positions: usize, vocabulary: usize) -> impl Iterator<Item = Range<usize>> {
    let size = (LOGITS / vocabulary.max(1)).max(1);
    (0..positions).step_by(size).map(move |first| first..positions.min(first + size))
}

/// The natural logarithm of each target's probability, where `head` turns the states, `[targets, width]`, into logits,
/// `[targets, vocabulary]`.
pub(crate) async fn log_probabilities(
    states: Tensor<2>,
    targets: &[u32],
    vocabulary: usize,
    head: impl Fn(Tensor<2>) -> Tensor<2>,
) -> Result<Vec<f32>, NnError> {
    let mut found = Vec::with_capacity(targets.len());
    for slice in slices(targets.len(), vocabulary) {
        let logits = head(states.clone().narrow(0, slice.start, slice.len()));
        found.extend(read_back(log_softmax_at(logits, &targets[slice])).await?);
    }
    Ok(found)
}

/// The log-softmax of each row, `[rows, vocabulary]`, at its target.
fn log_softmax_at(logits: Tensor<2>, targets: &[u32]) -> Tensor<1> {
    if cpu::holds(&logits) { cpu::log_softmax_at(logits, targets) } else { composed(logits, targets) }
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
        let values: Vec<f32> = (0..rows * vocabulary).map(logit).collect();
        let logits = Tensor::<2>::from_data(TensorData::new(values, [rows, vocabulary]), &Device::flex());
        let mut sums = vec![0.0; rows];
        for target in 0..vocabulary as u32 {
            let targets = vec![target; rows];
            let found = cpu::values(log_softmax_at(logits.clone(), &targets));
            let composed = cpu::values(composed(logits.clone(), &targets));
            for ((found, composed), sum) in found.iter().zip(&composed).zip(&mut sums) {
                assert!((found - composed).abs() < 1e-5 * composed.abs().max(1.0), "{found} for {composed}");
                *sum += found.exp();
            }
        }
        assert!(sums.iter().all(|sum| (sum - 1.0_f32).abs() < 1e-5), "{sums:?}");
    }

    #[test]
    fn slices_cover_every_position_once() {
        for (positions, vocabulary) in [(0, 10), (1, 10), (300, 50_257), (7, usize::MAX), (5, 0)] {
            let all: Vec<usize> = slices(positions, vocabulary).flatten().collect();
            assert_eq!(all, (0..positions).collect::<Vec<_>>());
        }
    }
}
