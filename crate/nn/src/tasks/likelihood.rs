//! How probable given tokens are under a language model.

use std::ops::Range;

use burn::tensor::Tensor;

use crate::device::read_back;
use crate::error::NnError;
use crate::ops::log_softmax::log_softmax_at;

/// Logits that exist at once: 16 MiB, which is 80 positions of a vocabulary of 50,000.
const LOGITS: usize = 4 * 1024 * 1024;

/// The positions whose logits are computed together.
pub(crate) fn slices(positions: usize, vocabulary: usize) -> impl Iterator<Item = Range<usize>> {
    let size = (LOGITS / vocabulary.max(1)).max(1);
    (0..positions).step_by(size).map(move |first| first..positions.min(first + size))
}

/// The natural logarithm of each target's probability. `head` turns the states, `[targets, width]`, into logits,
/// `[targets, vocabulary]`.
///
/// # Errors
/// [`NnError::BackendLost`] if the device fails.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_cover_every_position_once() {
        for (positions, vocabulary) in [(0, 10), (1, 10), (300, 50_257), (7, usize::MAX), (5, 0)] {
            let all: Vec<usize> = slices(positions, vocabulary).flatten().collect();
            assert_eq!(all, (0..positions).collect::<Vec<_>>());
        }
    }
}
