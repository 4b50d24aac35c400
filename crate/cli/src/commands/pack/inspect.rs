//! `evident pack inspect`: says what is in a pack.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_nn::{FileEntry, ModelSummary, Pack, TensorSummary};
use serde::Serialize;

use super::megabytes;
use crate::CliError;

#[derive(Args)]
pub struct Arguments {
    /// The folder of a pack, or of a checkpoint in the Hugging Face layout
    pack: PathBuf,
    /// Write JSON, with every tensor
    #[arg(long)]
    json: bool,
}

/// What is in a pack, every file checked against its hash.
#[derive(Serialize)]
struct Report {
    name: String,
    version: String,
    license: String,
    sources: Vec<String>,
    hash: String,
    bytes: u64,
    files: Vec<FileEntry>,
    models: Vec<ModelSummary>,
    /// By file of weights.
    weights: BTreeMap<String, Weights>,
}

#[derive(Serialize)]
struct Weights {
    parameters: u64,
    parts: Vec<Part>,
    tensors: Vec<TensorSummary>,
}

/// Tensors of one part of a model, such as its encoder's layers, that are stored alike.
#[derive(Debug, PartialEq, Serialize)]
struct Part {
    name: String,
    stored: String,
    tensors: usize,
    parameters: u64,
    bytes: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let report = report(&Pack::open(&arguments.pack)?)?;
    let mut out = anstream::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        print(&report, &mut out)?;
    }
    Ok(out.flush()?)
}

fn report(pack: &Pack) -> Result<Report, CliError> {
    let manifest = pack.manifest();
    let models = pack.models()?;
    let mut weights = BTreeMap::new();
    for path in models.iter().flat_map(|model| &model.weights) {
        let tensors = pack.tensors(path)?;
        let parts = parts(&tensors);
        let parameters = parts.iter().map(|part| part.parameters).sum();
        weights.insert(path.clone(), Weights { parameters, parts, tensors });
    }
    Ok(Report {
        name: manifest.name().to_owned(),
        version: manifest.version().to_owned(),
        license: manifest.license().to_owned(),
        sources: manifest.sources().to_vec(),
        hash: manifest.hash().to_owned(),
        bytes: manifest.files().iter().map(|file| file.bytes).sum(),
        files: manifest.files().to_vec(),
        models,
        weights,
    })
}

/// Tensors by part and form, the largest first.
fn parts(tensors: &[TensorSummary]) -> Vec<Part> {
    let mut parts: BTreeMap<(&str, &str), Part> = BTreeMap::new();
    for tensor in tensors {
        let name = part(&tensor.name);
        let entry = parts.entry((name, &tensor.stored)).or_insert_with(|| Part {
            name: name.to_owned(),
            stored: tensor.stored.clone(),
            tensors: 0,
            parameters: 0,
            bytes: 0,
        });
        entry.tensors += 1;
        entry.parameters += tensor.shape.iter().map(|&side| side as u64).product::<u64>();
        entry.bytes += tensor.bytes;
    }
    let mut parts: Vec<Part> = parts.into_values().collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.bytes));
    parts
}

/// The part that a tensor is of: what stands before the number of its layer, or else before "weight" and "bias".
fn part(tensor: &str) -> &str {
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut end = 0;
    for part in tensor.split('.') {
        if end > 0 && (is_number(part) || ["weight", "bias"].contains(&part)) {
            return &tensor[..end - 1];
        }
        end += part.len() + 1;
    }
    tensor
}

fn print(report: &Report, out: &mut impl Write) -> std::io::Result<()> {
    let Report { name, version, license, sources, hash, bytes, files, models, weights } = report;
    let version = if version.is_empty() { String::new() } else { format!(" {version}") };
    writeln!(out, "{name}{version}, {}, pack {hash}", megabytes(*bytes))?;
    if !license.is_empty() {
        writeln!(out, "licence {license}")?;
    }
    for source in sources {
        writeln!(out, "from {source}")?;
    }
    writeln!(out)?;
    for ModelSummary { name, kind, architecture, weights } in models {
        writeln!(out, "{name}: {architecture}, {kind}, weights in {}", weights.join(" and "))?;
    }
    for (path, Weights { parameters, parts, .. }) in weights {
        writeln!(out, "\n{path}: {:.1} million parameters", *parameters as f64 / 1e6)?;
        for Part { name, stored, tensors, parameters, bytes } in parts {
            let each = if *tensors == 1 { "tensor" } else { "tensors" };
            let millions = *parameters as f64 / 1e6;
            writeln!(
                out,
                "  {:>10}  {stored:<5}  {name} ({tensors} {each}, {millions:.2} million)",
                megabytes(*bytes)
            )?;
        }
    }
    writeln!(out)?;
    for FileEntry { path, bytes, sha256 } in files {
        writeln!(out, "{sha256}  {bytes:>10}  {path}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tensor_is_of_the_part_before_its_layer() {
        for (tensor, of) in [
            ("encoder.block.0.layer.1.DenseReluDense.wo.weight", "encoder.block"),
            ("bert.embeddings.word_embeddings.weight", "bert.embeddings.word_embeddings"),
            ("h.3.attn.c_attn.bias", "h"),
            ("shared.weight", "shared"),
            ("weight", "weight"),
            ("", ""),
        ] {
            assert_eq!(part(tensor), of, "{tensor}");
        }
    }
}
