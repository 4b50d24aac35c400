//! `evident pack compare`: how far packs' probabilities are from those of another on the same texts.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use evident_nn::{Backend, CausalLm, Classifier, Device, Embedder, ModelKind, Pack, Seq2Seq, open_device};
use evident_verify::{Method, Prompt, Wording};
use futures_lite::future::block_on;
use serde::Serialize;

use super::megabytes;
use crate::CliError;
use crate::progress::Progress;
use evident_eval::Format;

/// Texts that are computed between two looks at Ctrl-C.
const GROUP: usize = 32;

/// guan2024's cut (Sec. 4.3).
const PROMPT_TOKENS: usize = 4000;

/// The words of the two sides (guan2024, Sec. 3.2).
const FACTUAL: [&str; 5] = ["A", "a", "Yes", "yes", "YES"];
const UNFACTUAL: [&str; 5] = ["B", "b", "No", "no", "NO"];

#[derive(Args)]
pub struct Arguments {
    /// The pack, or checkpoint, that the others are compared with
    reference: PathBuf,
    /// The others
    #[arg(required = true)]
    packs: Vec<PathBuf>,
    /// Statements with their evidence
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// The layout of the file
    #[arg(long, value_enum, default_value_t = Format::Jsonl, value_name = "NAME")]
    format: Format,
    /// How many statements, from the first
    #[arg(long, default_value_t = 1000, value_name = "N")]
    limit: usize,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// A premise and a hypothesis.
type Pair = (String, String);

/// How one model of a pack differs from the reference's.
#[derive(Serialize)]
struct Difference {
    pack: String,
    bytes: u64,
    model: String,
    /// What is compared, a text's value of which lies in a range of 1 or, for log-probabilities, without bounds.
    measure: &'static str,
    texts: usize,
    mean: f64,
    /// The 99th of a hundred.
    p99: f64,
    max: f64,
    /// The share of texts where another class, or side of one half, comes out; for kinds that decide.
    flipped: Option<f64>,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let rows = arguments.format.read(&arguments.data)?;
    let pair = |row: evident_eval::LabelledRow| {
        let evidence: Vec<&str> = row.evidence.iter().map(|passage| passage.text.as_str()).collect();
        (evidence.join(" "), row.statement)
    };
    let pairs: Vec<Pair> = rows.into_iter().take(arguments.limit).map(pair).collect();
    let (device, _) = block_on(open_device(Backend::Cpu))?;
    let mut progress = Progress::new();
    let reference = values(&arguments.reference, &pairs, &device, &mut progress)?;
    let mut differences = Vec::new();
    for path in &arguments.packs {
        let other = values(path, &pairs, &device, &mut progress)?;
        let both = reference.models.iter().filter_map(|model| {
            other.models.iter().find(|found| found.name == model.name && found.kind == model.kind).map(|it| (model, it))
        });
        differences.extend(both.map(|(reference, found)| difference(&other, reference, found)));
    }
    drop(progress);
    let mut out = anstream::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &differences).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "| pack | size | model | measure | texts | mean | 99 % | max | flipped |")?;
        writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
        for Difference { pack, bytes, model, measure, texts, mean, p99, max, flipped } in &differences {
            let flipped = flipped.map_or_else(String::new, |flipped| format!("{:.1} %", 100.0 * flipped));
            let size = megabytes(*bytes);
            writeln!(
                out,
                "| {pack} | {size} | {model} | {measure} | {texts} | {mean:.5} | {p99:.5} | {max:.5} | {flipped} |"
            )?;
        }
    }
    Ok(out.flush()?)
}

/// What the models of a pack make of the texts.
struct Values {
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

fn values(path: &Path, pairs: &[Pair], device: &Device, progress: &mut Progress) -> Result<Values, CliError> {
    let mut pack = Pack::open(path)?;
    let manifest = pack.manifest();
    let (name, bytes) = (manifest.name().to_owned(), manifest.files().iter().map(|file| file.bytes).sum());
    let mut models = Vec::new();
    for model in pack.models()? {
        let model_name = model.name.as_str();
        let loaded: Loaded = match model.kind {
            ModelKind::Classifier => Loaded::Classifier(block_on(pack.classifier(model_name, device))?),
            ModelKind::Seq2Seq => Loaded::Seq2Seq(block_on(pack.seq2seq(model_name, device))?),
            ModelKind::Embedder => Loaded::Embedder(block_on(pack.embedder(model_name, device))?),
            ModelKind::CausalLm => Loaded::CausalLm(block_on(pack.causal_lm(model_name, device))?),
        };
        let mut values = Vec::new();
        for (group, number) in pairs.chunks(GROUP).zip(1..) {
            progress.interrupted().map_err(evident_verify::VerifyError::from)?;
            progress.label = format!("{}, {model_name}: ", path.display());
            progress.show_row((number * GROUP).min(pairs.len()), pairs.len(), number * GROUP);
            values.extend(block_on(loaded.of(group))?);
        }
        models.push(Model { name: model.name, kind: model.kind, values });
    }
    Ok(Values { pack: name, bytes, models })
}

enum Loaded {
    Classifier(Classifier),
    Seq2Seq(Seq2Seq),
    Embedder(Embedder),
    CausalLm(CausalLm),
}

impl Loaded {
    /// Of each pair: the probabilities of all classes; p as guan2024's Eq. 1 has it; the cosine; the mean log-probability of the
    /// hypothesis' tokens after the premise.
    async fn of(&self, pairs: &[Pair]) -> Result<Vec<Vec<f64>>, CliError> {
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
            Self::CausalLm(model) => {
                let mean =
                    |logs: &Vec<f32>| logs.iter().map(|&log| f64::from(log)).sum::<f64>() / logs.len().max(1) as f64;
                model.log_probabilities_after(&texts).await?.iter().map(|logs| vec![mean(logs)]).collect()
            }
        })
    }
}

/// Of one label the sigmoid, of several the softmax.
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
async fn p(model: &Seq2Seq, (premise, hypothesis): &Pair) -> Result<f64, CliError> {
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
