//! How far the outputs of packs are from those of a reference on the same texts, such as quantised packs from f32.

use evident_nn::{CausalLm, Classifier, Device, Embedder, ModelKind, Pack, Seq2Seq, TokenClassifier};
use evident_verify::{Method, Prompt, VerifyError, Wording};
use futures_lite::future::block_on;
use serde::Serialize;

use crate::error::EvalError;
use crate::monitor::Monitor;
use crate::rows::row::LabelledRow;

/// Texts that are computed between two checks for Ctrl-C.
const GROUP: usize = 32;

/// The most tokens of a prompt (guan2024, Sec. 4.3).
const PROMPT_TOKENS: usize = 4000;

/// The words that answer factual and unfactual (guan2024, Sec. 3.2).
const FACTUAL: [&str; 5] = ["A", "a", "Yes", "yes", "YES"];
const UNFACTUAL: [&str; 5] = ["B", "b", "No", "no", "NO"];

/// A premise and a hypothesis.
pub type Pair = (String, String);

/// A row's evidence as the premise, and its statement.
pub fn pair(row: LabelledRow) -> Pair {
    let evidence: Vec<&str> = row.evidence.iter().map(|passage| passage.text.as_str()).collect();
    (evidence.join(" "), row.statement)
}

/// How one model of a pack differs from the reference's.
#[derive(Serialize)]
pub struct Difference {
    /// The pack's name.
    pub pack: String,
    /// Its size.
    pub bytes: u64,
    /// The model's name.
    pub model: String,
    /// The name of the value that is compared: a probability in [0, 1], a cosine in [-1, 1] or a log-probability.
    pub measure: &'static str,
    /// The number of texts.
    pub texts: usize,
    /// The mean difference, where that of a text is the largest absolute difference of its values.
    pub mean: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The largest.
    pub max: f64,
    /// The share of texts on which the decision differs: the class, or the side of 0.5. `None` for models that do not
    /// decide.
    pub flipped: Option<f64>,
}

/// The outputs of a pack's models for the texts.
pub struct Values {
    pack: String,
    bytes: u64,
    models: Vec<Model>,
}

struct Model {
    name: String,
    kind: ModelKind,
    /// Text by text.
    values: Vec<Vec<f64>>,
}

impl Values {
    /// Runs every model of `pack` on the pairs. The monitor shows the pack as `called`.
    ///
    /// # Errors
    /// [`EvalError::Pack`] and [`EvalError::Verify`].
    pub fn of(
        pack: &mut Pack,
        called: &str,
        pairs: &[Pair],
        device: &Device,
        monitor: &mut impl Monitor,
    ) -> Result<Self, EvalError> {
        let manifest = pack.manifest();
        let (name, bytes) = (manifest.name().to_owned(), manifest.bytes());
        let mut models = Vec::new();
        for model in pack.models()? {
            let model_name = model.name.as_str();
            let loaded: Loaded = match model.kind {
                ModelKind::Classifier => Loaded::Classifier(block_on(pack.classifier(model_name, device))?),
                ModelKind::Seq2Seq => Loaded::Seq2Seq(block_on(pack.seq2seq(model_name, device))?),
                ModelKind::Embedder => Loaded::Embedder(block_on(pack.embedder(model_name, device))?),
                ModelKind::TokenClassifier => {
                    Loaded::TokenClassifier(block_on(pack.token_classifier(model_name, device))?)
                }
                ModelKind::CausalLm => Loaded::CausalLm(block_on(pack.causal_lm(model_name, device))?),
            };
            let mut values = Vec::new();
            for (group, number) in pairs.chunks(GROUP).zip(1..) {
                monitor.check().map_err(VerifyError::from)?;
                monitor.set_label(format!("{called}, {model_name}: "));
                monitor.show_row((number * GROUP).min(pairs.len()), pairs.len(), number * GROUP);
                values.extend(block_on(loaded.of(group))?);
            }
            models.push(Model { name: model.name, kind: model.kind, values });
        }
        Ok(Self { pack: name, bytes, models })
    }

    /// How `other`'s models differ from those of this pack with the same name and kind.
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let same = |model: &Model| other.models.iter().find(|it| it.name == model.name && it.kind == model.kind);
        self.models.iter().filter_map(|model| Some(difference(other, model, same(model)?))).collect()
    }
}

enum Loaded {
    Classifier(Classifier),
    Seq2Seq(Seq2Seq),
    Embedder(Embedder),
    TokenClassifier(TokenClassifier),
    CausalLm(CausalLm),
}

impl Loaded {
    /// The values of each pair, by kind of model: the probabilities of all classes; p of guan2024's Eq. 1; the cosine;
    /// the probabilities of all classes for each token of the hypothesis; the mean log-probability of these tokens
    /// after the premise.
    async fn of(&self, pairs: &[Pair]) -> Result<Vec<Vec<f64>>, VerifyError> {
        let texts: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        Ok(match self {
            Self::Classifier(model) => model.logits(&texts).await?.iter().map(|logits| probabilities(logits)).collect(),
            Self::Seq2Seq(model) => {
                let mut values = Vec::new();
                for pair in pairs {
                    values.push(vec![p(model, pair).await?]);
                }
                values
            }
            Self::Embedder(model) => {
                let (first, second): (Vec<&str>, Vec<&str>) = texts.into_iter().unzip();
                let (first, second) = (model.embed(&first).await?, model.embed(&second).await?);
                let cosine = |(a, b): (Vec<f32>, Vec<f32>)| vec![a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum()];
                first.into_iter().zip(second).map(cosine).collect()
            }
            Self::TokenClassifier(model) => {
                let mut values = Vec::new();
                for (first, second) in texts {
                    let tokens = model.logits(first, second).await?;
                    values.push(tokens.iter().flat_map(|(_, logits)| probabilities(logits)).collect());
                }
                values
            }
            Self::CausalLm(model) => {
                let mean =
                    |logs: &Vec<f32>| logs.iter().map(|&log| f64::from(log)).sum::<f64>() / logs.len().max(1) as f64;
                model.log_probabilities_after(&texts).await?.iter().map(|logs| vec![mean(logs)]).collect()
            }
        })
    }
}

/// The sigmoid of a single logit, the softmax of several.
fn probabilities(logits: &[f32]) -> Vec<f64> {
    if let [logit] = logits {
        return vec![1.0 / (1.0 + f64::from(-logit).exp())];
    }
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f64> = logits.iter().map(|logit| f64::from(logit - top).exp()).collect();
    let sum: f64 = exps.iter().sum();
    exps.into_iter().map(|exp| exp / sum).collect()
}

/// P(L_A) / (P(L_A) + P(L_B)) at the first step.
async fn p(model: &Seq2Seq, (premise, hypothesis): &Pair) -> Result<f64, VerifyError> {
    let prompt = Prompt {
        method: Method::Direct,
        demonstrations: Vec::new(),
        facts: vec![premise.clone()],
        context: String::new(),
        statement: hypothesis.clone(),
        wording: Wording::Correct,
    };
    let Some(step) = model.generate(&prompt.to_string(), PROMPT_TOKENS).await?.step().await? else { return Ok(0.5) };
    let probabilities = probabilities(&step.logits);
    let mass = |words: [&str; 5]| -> f64 {
        let mut tokens: Vec<u32> = words.iter().filter_map(|word| model.tokenizer().single_piece(word)).collect();
        tokens.sort_unstable();
        tokens.dedup();
        tokens.into_iter().map(|token| probabilities[token as usize]).sum()
    };
    let (factual, unfactual) = (mass(FACTUAL), mass(UNFACTUAL));
    Ok(if factual + unfactual > 0.0 { factual / (factual + unfactual) } else { 0.5 })
}

fn difference(pack: &Values, reference: &Model, found: &Model) -> Difference {
    let largest = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let mut differences: Vec<f64> = reference.values.iter().zip(&found.values).map(largest).collect();
    differences.sort_by(f64::total_cmp);
    let texts = differences.len();
    let decided = |values: &[f64]| match values {
        [p] => usize::from(*p >= 0.5),
        several => several.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(class, _)| class),
    };
    let flips = reference.values.iter().zip(&found.values).filter(|(a, b)| decided(a) != decided(b)).count();
    let (measure, decides) = match reference.kind {
        ModelKind::Classifier => ("probabilities", true),
        ModelKind::Seq2Seq => ("p", true),
        ModelKind::Embedder => ("cosine", false),
        ModelKind::TokenClassifier => ("probabilities of tokens", false),
        ModelKind::CausalLm => ("mean log-probability", false),
    };
    Difference {
        pack: pack.pack.clone(),
        bytes: pack.bytes,
        model: found.name.clone(),
        measure,
        texts,
        mean: differences.iter().sum::<f64>() / texts.max(1) as f64,
        p99: differences.get((texts * 99).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0.0),
        max: differences.last().copied().unwrap_or(0.0),
        flipped: decides.then(|| flips as f64 / texts.max(1) as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_of_the_worst_class_and_flips_of_the_decision() {
        let model = |values: &[[f64; 2]]| Model {
            name: "nli".into(),
            kind: ModelKind::Classifier,
            values: values.iter().map(|row| row.to_vec()).collect(),
        };
        let pack = Values { pack: "q4".into(), bytes: 1, models: Vec::new() };
        let found = difference(&pack, &model(&[[0.6, 0.4], [0.9, 0.1]]), &model(&[[0.45, 0.55], [0.9, 0.1]]));
        assert!((found.max - 0.15).abs() < 1e-9 && (found.mean - 0.075).abs() < 1e-9);
        assert_eq!((found.texts, found.flipped), (2, Some(0.5)));
        assert!((probabilities(&[0.0])[0] - 0.5).abs() < 1e-9);
    }
}
