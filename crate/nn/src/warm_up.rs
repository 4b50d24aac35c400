//! Pairs of texts that a model warms up with, and their logits. A device that computes wrongly gives others.

use serde::{Deserialize, Serialize};

use crate::error::NnError;

/// The tolerance of a logit: absolute up to 1, relative above. The pack states logits to two digits, and a device that
/// computes the embedded pack all in bfloat16 is off by 0.01. A device that skips part of the computation gives both of
/// the pack's pairs the same logits; those of its NLI model are 5 apart, those of its T5 up to 0.4.
const OFF: f32 = 0.05;

/// A pair of texts, and the logits that a model gives for it in f32.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarmUp {
    /// The two texts, such as a premise and a hypothesis.
    pub pair: (String, String),
    /// One for each label of a classifier. For an encoder-decoder, the logits of the answer's first token at 16 equally
    /// spaced ids of its vocabulary.
    pub logits: Vec<f32>,
}

impl WarmUp {
    /// Compares a device's logits with those that the pack states.
    ///
    /// # Errors
    /// [`NnError::BackendWrong`] if a logit is not what it must be.
    pub(crate) fn hold(&self, logits: &[f32]) -> Result<(), NnError> {
        for (&found, &stated) in logits.iter().zip(&self.logits) {
            let off = (found - stated).abs();
            if off.is_nan() || off > OFF * stated.abs().max(1.0) {
                return Err(NnError::BackendWrong { found, stated });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_wrong_too() {
        let warm_up = WarmUp { pair: Default::default(), logits: vec![1.0, -20.0] };
        for right in [[1.0, -20.0], [1.04, -20.9]] {
            assert!(warm_up.hold(&right).is_ok());
        }
        for wrong in [[1.06, -20.0], [1.0, -21.1], [f32::NAN, -20.0], [1.0, f32::NEG_INFINITY]] {
            assert!(matches!(warm_up.hold(&wrong), Err(NnError::BackendWrong { .. })), "{wrong:?}");
        }
    }
}
