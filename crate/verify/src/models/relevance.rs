//! Whether a text is about a query, by a model that reads both together or each alone.

use evident_nn::{Classifier, Embedder};

use crate::error::WrongModel;

/// A model that tells how relevant a text is to a query.
pub enum RelevanceModel {
    /// Reads both together: one logit, or two classes of which the second is "relevant", as monoBERT has them.
    CrossEncoder(Classifier),
    /// Reads each alone, as a vector; their cosine is the relevance.
    BiEncoder(Box<Embedder>),
}

impl RelevanceModel {
    /// A cross-encoder of this classifier.
    ///
    /// # Errors
    /// [`WrongModel`], which calls the model `name`, for a classifier with more than two labels.
    pub fn cross_encoder(name: &str, classifier: Classifier) -> Result<Self, WrongModel> {
        let wanted = "a cross-encoder: choose one with a single label, or two of which the second is relevant";
        one_or_two_labels(name, classifier, wanted).map(Self::CrossEncoder)
    }
}

/// The classifier, if [`normalised`] can read its logits.
///
/// # Errors
/// [`WrongModel`] for a classifier with more than two labels.
pub(crate) fn one_or_two_labels(
    name: &str,
    classifier: Classifier,
    wanted: &'static str,
) -> Result<Classifier, WrongModel> {
    match classifier.labels() {
        [_] | [_, _] => Ok(classifier),
        labels => Err(WrongModel { model: name.into(), labels: labels.to_vec(), wanted }),
    }
}

/// The logits of a relevance or discourse model as a score in [0, 1] (chen2023, Eq. 2 and 4, p. 3). One logit x gives
/// its sigmoid, 1 / (1 + exp(-x)). Two logits give the softmax of the second (monoBERT's "relevant"). `None` for any
/// other number of logits, and for infinities and NaN.
#[must_use]
pub fn normalised(logits: &[f32]) -> Option<f64> {
    log_odds(logits).map(|odds| 1.0 / (1.0 + (-odds).exp()))
}

/// The number whose sigmoid [`normalised`] is: the one logit, or the second of two minus the first.
pub(crate) fn log_odds(logits: &[f32]) -> Option<f64> {
    let odds = match *logits {
        [logit] => f64::from(logit),
        [other, this] => f64::from(this) - f64::from(other),
        _ => return None,
    };
    odds.is_finite().then_some(odds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-6), "{found:?} is not {expected}");
    }

    #[test]
    fn eq_2_and_4_are_the_sigmoid_of_one_logit_or_the_share_of_the_second_class() {
        near(normalised(&[0.0]), 0.5);
        near(normalised(&[3_f32.ln()]), 0.75);
        near(normalised(&[1.0, 1.0 + 3_f32.ln()]), 0.75);
        near(normalised(&[-1e30]), 0.0);
        near(normalised(&[1e30]), 1.0);
        assert_eq!((normalised(&[]), normalised(&[0.0; 3]), normalised(&[f32::NAN])), (None, None, None));
    }
}
