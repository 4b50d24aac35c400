//! Natural language inference: what a premise says of a statement. CONNER's sentence-level factuality (chen2023, Eq. 1)
//! is computed from it.

use std::ops::Range;

use evident_nn::Classifier;

use crate::error::{VerifyError, WrongModel};
use crate::report::Nli;

/// A classifier with the labels entailment, neutral and contradiction. Clones are the same model.
#[derive(Clone)]
pub struct NliModel {
    classifier: Classifier,
    classes: Classes,
    /// Its logits are divided by this.
    temperature: f64,
}

impl NliModel {
    /// The NLI model of this classifier. Its logits are divided by `temperature`: 1, unless a pack's calibration has
    /// another.
    ///
    /// # Errors
    /// [`WrongModel`], which calls the model `name`, for a classifier with other labels.
    pub fn new(name: &str, classifier: Classifier, temperature: f64) -> Result<Self, WrongModel> {
        let wanted = "an NLI model: choose one with entailment, neutral and contradiction";
        match Classes::find(classifier.labels()) {
            Some(classes) => Ok(Self { classifier, classes, temperature }),
            None => Err(WrongModel { model: name.into(), labels: classifier.labels().to_vec(), wanted }),
        }
    }

    /// The classifier.
    #[must_use]
    pub fn classifier(&self) -> &Classifier {
        &self.classifier
    }

    /// Its temperature.
    #[must_use]
    pub fn temperature(&self) -> f64 {
        self.temperature
    }

    /// The same model with temperature 1.
    #[must_use]
    pub(crate) fn uncalibrated(self) -> Self {
        Self { temperature: 1.0, ..self }
    }

    /// The triple of each pair of a premise and a statement, in order.
    ///
    /// # Errors
    /// [`VerifyError::NotFinite`], and any error of the model.
    pub async fn triples(&self, pairs: &[(&str, &str)]) -> Result<Vec<Nli>, VerifyError> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let logits = self.classifier.logits(pairs).await?;
        let triples = logits.iter().map(|logits| self.classes.read(logits, self.temperature));
        triples.collect::<Option<_>>().ok_or(VerifyError::NotFinite { model: "NLI" })
    }

    /// For each token of a statement its bytes and the probability that the premise contradicts it there; `None` for a
    /// model without a head for that.
    ///
    /// # Errors
    /// [`VerifyError::NotFinite`], and any error of the model.
    pub(crate) async fn marks(
        &self,
        premise: &str,
        statement: &str,
    ) -> Result<Option<Vec<(Range<usize>, f64)>>, VerifyError> {
        let Some(tokens) = self.classifier.marks(premise, statement).await? else { return Ok(None) };
        let probability = |logit: f32| 1.0 / (1.0 + (-f64::from(logit)).exp());
        let marks = tokens.into_iter().map(|(token, logit)| logit.is_finite().then(|| (token, probability(logit))));
        marks.collect::<Option<_>>().map(Some).ok_or(VerifyError::NotFinite { model: "NLI" })
    }

    /// Whether the model has room for every token of a premise and a statement.
    pub(crate) fn reads_whole(&self, premise: &str, statement: &str) -> Result<bool, VerifyError> {
        Ok(self.classifier.pair_tokens(premise, statement)? <= self.classifier.max_tokens())
    }
}

impl Nli {
    /// The triple without evidence.
    pub const SILENT: Self = Self { entailment: 0.0, neutral: 1.0, contradiction: 0.0 };

    /// How much the premise decides, either way: 1 - neutral.
    #[must_use]
    pub fn decisiveness(&self) -> f64 {
        1.0 - self.neutral
    }

    /// Whether it entails at least as much as it contradicts.
    pub(crate) fn entails(&self) -> bool {
        self.entailment >= self.contradiction
    }

    /// Whether it decides more than `other`.
    pub(crate) fn decides_more(&self, other: &Self) -> bool {
        self.decisiveness() > other.decisiveness()
    }

    /// entailment / (entailment + contradiction); 0.5 if both are 0.
    #[must_use]
    pub fn support(&self) -> f64 {
        let said = self.entailment + self.contradiction;
        if said > 0.0 { self.entailment / said } else { 0.5 }
    }

    /// The triple at another temperature: its probabilities to the power of `sharpness`, the old temperature divided by
    /// the new one, normalised to sum to 1.
    #[must_use]
    pub fn sharpened(&self, sharpness: f64) -> Self {
        let Self { entailment, neutral, contradiction } = *self;
        let [e, n, c] = [entailment, neutral, contradiction].map(|share| share.powf(sharpness));
        let sum = e + n + c;
        Self { entailment: e / sum, neutral: n / sum, contradiction: c / sum }
    }

    /// Eq. 1 for one sentence: of the triples of its evidence the one with the most entailment, unchanged.
    pub(crate) fn most_entailed(triples: impl IntoIterator<Item = Self>) -> Self {
        let better = |best: Self, next: Self| if next.entailment > best.entailment { next } else { best };
        triples.into_iter().reduce(better).unwrap_or(Self::SILENT)
    }
}

/// The places of the three classes in a classifier's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Classes {
    entailment: usize,
    neutral: usize,
    contradiction: usize,
}

impl Classes {
    /// Finds the classes among a model's labels, in any order and case; `None` unless the labels are these three.
    pub(crate) fn find(labels: &[String]) -> Option<Self> {
        let at = |name: &str| labels.iter().position(|label| label.eq_ignore_ascii_case(name));
        let classes =
            Self { entailment: at("entailment")?, neutral: at("neutral")?, contradiction: at("contradiction")? };
        (labels.len() == 3).then_some(classes)
    }

    /// The softmax of `logits`, `[3]`, divided by `temperature`; `None` unless they are three finite numbers.
    pub(crate) fn read(&self, logits: &[f32], temperature: f64) -> Option<Nli> {
        let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mass: Vec<f64> = logits.iter().map(|&l| (f64::from(l - top) / temperature).exp()).collect();
        let sum: f64 = mass.iter().sum();
        let share = |class: usize| mass.get(class).map(|m| m / sum).filter(|p| p.is_finite());
        Some(Nli {
            entailment: share(self.entailment)?,
            neutral: share(self.neutral)?,
            contradiction: share(self.contradiction)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: [&str; 3]) -> Vec<String> {
        names.map(String::from).to_vec()
    }

    #[test]
    fn labels_are_found_in_any_order_and_case() {
        let classes = Classes::find(&labels(["CONTRADICTION", "Entailment", "neutral"])).unwrap();
        assert_eq!(classes, Classes { contradiction: 0, entailment: 1, neutral: 2 });
        assert_eq!(Classes::find(&labels(["yes", "no", "maybe"])), None);
    }

    #[test]
    fn a_triple_is_a_softmax_and_sums_to_one() {
        let classes = Classes::find(&labels(["entailment", "neutral", "contradiction"])).unwrap();
        let nli = classes.read(&[2.0, 0.0, 1000.0], 1.0).unwrap();
        assert!((nli.entailment + nli.neutral + nli.contradiction - 1.0).abs() < 1e-12 && nli.contradiction > 0.99);
        let cooler = classes.read(&[2.0, 0.0, 0.0], 2.0).unwrap();
        assert!((cooler.entailment - 1f64.exp() / (1f64.exp() + 2.0)).abs() < 1e-9);
    }

    #[test]
    fn a_sharpened_triple_is_that_of_another_temperature() {
        let classes = Classes::find(&labels(["entailment", "neutral", "contradiction"])).unwrap();
        let at = |temperature| classes.read(&[2.0, 0.5, -1.0], temperature).unwrap();
        let (sharpened, plain) = (at(1.7).sharpened(1.7), at(1.0));
        assert!((sharpened.entailment - plain.entailment).abs() < 1e-12);
        assert!((sharpened.contradiction - plain.contradiction).abs() < 1e-12);
        assert_eq!(Nli::SILENT.sharpened(2.0), Nli::SILENT);
    }

    #[test]
    fn logits_that_are_not_numbers_give_no_triple() {
        let classes = Classes::find(&labels(["entailment", "neutral", "contradiction"])).unwrap();
        assert_eq!(classes.read(&[f32::NAN, 0.0, 0.0], 1.0), None);
        assert_eq!(classes.read(&[0.0, 0.0], 1.0), None);
    }

    #[test]
    fn the_most_entailed_triple_is_returned_unchanged() {
        let weak = Nli { entailment: 0.2, neutral: 0.1, contradiction: 0.7 };
        let strong = Nli { entailment: 0.6, neutral: 0.1, contradiction: 0.3 };
        assert_eq!(Nli::most_entailed([weak, strong, weak]), strong);
        assert_eq!(Nli::most_entailed([]), Nli::SILENT);
    }

    #[test]
    fn silence_supports_neither_side() {
        assert_eq!(Nli::SILENT.support(), 0.5);
        assert_eq!(Nli::SILENT.decisiveness(), 0.0);
    }
}
