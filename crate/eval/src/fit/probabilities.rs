//! Fits the temperatures, bias and weight, which turn the models' outputs into calibrated probabilities.

use evident_nn::{Calibration, NliCalibration, VerifierCalibration};
use evident_verify::Nli;

use crate::fit::optimise::{least, logistic};
use crate::fit::{Fitted, Judged};
use crate::measures::{Labelled, calibration_error};
use crate::rows::row::Label;
use crate::table::{percent, table};

/// The range in which the logarithm of a temperature is searched.
const LOG_TEMPERATURES: (f64, f64) = (-3.0, 3.0);

/// Keeps logarithms of probabilities finite.
const LEAST: f64 = 1e-9;

/// The calibration of maximum likelihood for the labels of these statements.
///
/// The NLI model's temperature minimises the cross-entropy of the three labels (Guo et al. 2017). The T5's temperature
/// and bias are a logistic regression on the logit of p (Platt 1999), and its weight minimises the cross-entropy of the
/// combined score, both over the statements that are true or false.
pub(super) fn fit(judged: &[Judged], before: &Calibration) -> Fitted {
    let mut calibration = before.clone();
    if judged.iter().any(|each| each.nli.is_some()) {
        let log = least(|log| cross_entropy(judged, log.exp()), LOG_TEMPERATURES.0, LOG_TEMPERATURES.1);
        calibration.nli = NliCalibration { temperature: rounded(log.exp()) };
    }
    let answers: Vec<(f64, bool)> =
        decided(judged).filter_map(|(each, factual)| Some((logit(each.p?), factual))).collect();
    // A T5 whose p does not rise with the label has no positive temperature, so its calibration is kept.
    if let Some((a, b)) = logistic(&answers).filter(|&(a, _)| a > 0.0) {
        calibration.verifier = VerifierCalibration { temperature: rounded(1.0 / a), bias: rounded(b / a) };
    }
    if !answers.is_empty() {
        let loss = |weight: f64| {
            binary_loss(&combined(judged, &Calibration { weight_verifier: Some(weight), ..calibration.clone() }))
        };
        calibration.weight_verifier = Some((least(loss, 0.0, 1.0) * 100.0).round() / 100.0);
    }
    let rows = [("before", before), ("after", &calibration)].map(|(name, of)| row(name, judged, of));
    let columns = ["", "temperature", "loss", "ECE", "T5: temperature", "bias", "ECE", "weight", "ECE of both"];
    Fitted { measured: None, table: table(&columns, rows.into_iter()), calibration }
}

fn row(name: &str, judged: &[Judged], calibration: &Calibration) -> Vec<String> {
    let ece = |rows: Vec<Labelled>| percent(calibration_error(&rows));
    let nli = decided(judged).map(|(each, factual)| Labelled { p: nli_score(each, calibration), factual });
    let t5 =
        decided(judged).filter_map(|(each, factual)| Some(Labelled { p: t5_score(each.p?, calibration), factual }));
    let weight = calibration.weight_verifier.map_or_else(|| "N/A".to_owned(), |weight| format!("{weight:.2}"));
    vec![
        name.to_owned(),
        format!("{:.4}", calibration.nli.temperature),
        format!("{:.4}", cross_entropy(judged, calibration.nli.temperature)),
        ece(nli.collect()),
        format!("{:.4}", calibration.verifier.temperature),
        format!("{:.4}", calibration.verifier.bias),
        ece(t5.collect()),
        weight,
        ece(combined(judged, calibration)),
    ]
}

/// The statements that are true or false, and which.
fn decided(judged: &[Judged]) -> impl Iterator<Item = (&Judged, bool)> {
    judged.iter().filter(|each| each.label != Label::NoEvidence).map(|each| (each, each.label == Label::Factual))
}

/// The mean negative logarithm of the label's probability at a temperature.
fn cross_entropy(judged: &[Judged], temperature: f64) -> f64 {
    let losses: Vec<f64> = judged
        .iter()
        .filter_map(|each| {
            let nli = each.nli?.sharpened(1.0 / temperature);
            let p = match each.label {
                Label::Factual => nli.entailment,
                Label::Unfactual => nli.contradiction,
                Label::NoEvidence => nli.neutral,
            };
            Some(-p.max(LEAST).ln())
        })
        .collect();
    losses.iter().sum::<f64>() / losses.len().max(1) as f64
}

/// entailment / (entailment + contradiction); 0.5 without evidence.
fn nli_score(each: &Judged, calibration: &Calibration) -> f64 {
    each.nli.map_or(0.5, |nli| Nli::support(&nli.sharpened(1.0 / calibration.nli.temperature)))
}

/// sigmoid((logit(p) + bias) / temperature).
fn t5_score(p: f64, calibration: &Calibration) -> f64 {
    let VerifierCalibration { temperature, bias } = calibration.verifier;
    1.0 / (1.0 + (-(logit(p) + bias) / temperature).exp())
}

/// The combined scores, the T5's p being 0.5 where it gave no answer.
fn combined(judged: &[Judged], calibration: &Calibration) -> Vec<Labelled> {
    let weight = calibration.weight_verifier.unwrap_or(0.0);
    let score = |each: &Judged| {
        let t5 = each.p.map_or(0.5, |p| t5_score(p, calibration));
        weight * t5 + (1.0 - weight) * nli_score(each, calibration)
    };
    decided(judged).map(|(each, factual)| Labelled { p: score(each), factual }).collect()
}

fn binary_loss(rows: &[Labelled]) -> f64 {
    rows.iter().map(|row| -(if row.factual { row.p } else { 1.0 - row.p }).max(LEAST).ln()).sum()
}

fn logit(p: f64) -> f64 {
    let p = p.clamp(LEAST, 1.0 - LEAST);
    (p / (1.0 - p)).ln()
}

/// As many digits as pack.json states.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde::Deserialize;

    use super::*;

    /// The fits of SciPy and scikit-learn, from tests/parity/meta/make.py.
    #[derive(Deserialize)]
    struct Fits {
        /// In the order entailment, neutral, contradiction.
        logits: Vec<[f64; 3]>,
        labels: Vec<usize>,
        temperature: f64,
        x: Vec<f64>,
        y: Vec<u8>,
        slope: f64,
        intercept: f64,
    }

    fn golden() -> Fits {
        #[derive(Deserialize)]
        struct Golden {
            fits: Fits,
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/meta/golden.json");
        let golden = std::fs::read(path).expect("there is a golden file");
        serde_json::from_slice::<Golden>(&golden).expect("the golden file is JSON").fits
    }

    fn judged(label: Label, nli: Option<Nli>, p: Option<f64>) -> Judged {
        Judged { label, nli, p, score: 0.5, decided: true, words: 9 }
    }

    #[test]
    fn the_temperature_is_scipys() {
        let Fits { logits, labels, temperature, .. } = golden();
        let one = |(logits, label): (&[f64; 3], &usize)| {
            let [entailment, neutral, contradiction] = logits.map(f64::exp);
            let nli = Nli { entailment, neutral, contradiction }.sharpened(1.0);
            judged([Label::Factual, Label::NoEvidence, Label::Unfactual][*label], Some(nli), None)
        };
        let fitted = fit(&logits.iter().zip(&labels).map(one).collect::<Vec<_>>(), &Calibration::default());
        assert!((fitted.calibration.nli.temperature - temperature).abs() < 1e-4, "{}", fitted.table);
        assert_eq!(fitted.calibration.verifier, VerifierCalibration::default(), "no T5 was asked");
        assert_eq!(fitted.calibration.weight_verifier, None);
    }

    #[test]
    fn the_t5s_temperature_and_bias_are_scikit_learns_regression() {
        let Fits { x, y, slope, intercept, .. } = golden();
        let one = |(x, y): (&f64, &u8)| judged(Label::of_truth(*y == 1), None, Some(1.0 / (1.0 + (-x).exp())));
        let fitted = fit(&x.iter().zip(&y).map(one).collect::<Vec<_>>(), &Calibration::default());
        let VerifierCalibration { temperature, bias } = fitted.calibration.verifier;
        assert!(
            (temperature - 1.0 / slope).abs() < 1e-4 && (bias - intercept / slope).abs() < 1e-4,
            "{}",
            fitted.table
        );
        assert!(fitted.calibration.weight_verifier > Some(0.95), "the NLI model says nothing here");
        assert_eq!(fitted.calibration.nli, NliCalibration::default());
    }

    #[test]
    fn a_t5_that_says_the_opposite_keeps_its_temperature() {
        let rows: Vec<Judged> = [(0.9, false), (0.8, false), (0.7, true), (0.2, true), (0.1, true), (0.3, false)]
            .map(|(p, factual)| judged(Label::of_truth(factual), None, Some(p)))
            .into();
        assert_eq!(fit(&rows, &Calibration::default()).calibration.verifier, VerifierCalibration::default());
    }
}
