//! What is in a pack, by its files' headers.

use std::fmt;

use serde::Serialize;

use crate::error::PackError;
use crate::models::architectures::{Architecture, Family};
use crate::models::config::{is_bare, model_type};
use crate::pack::Pack;
use crate::weights::formats::{format_of, scale_of};
use crate::weights::safetensors::FileTensor;

/// What a model computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An encoder-decoder.
    Seq2Seq,
    /// A classifier of text pairs.
    Classifier,
    /// A causal language model.
    CausalLm,
    /// An encoder of single texts.
    Embedder,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Seq2Seq => "encoder-decoder",
            Self::Classifier => "classifier",
            Self::CausalLm => "causal language model",
            Self::Embedder => "bi-encoder",
        })
    }
}

/// The heads of classifiers, by which an encoder that comes with one is told from a bare one.
const HEADS: [&str; 2] = ["classifier.weight", "classifier.out_proj.weight"];

/// A model of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelSummary {
    /// Its name in the pack.
    pub name: String,
    /// What it computes.
    pub kind: Kind,
    /// `model_type` in its config.json.
    pub architecture: String,
    /// Its files of weights.
    pub weights: Vec<String>,
}

/// A tensor of a file of weights, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TensorSummary {
    /// Its name in the file.
    pub name: String,
    /// "f32", "f16", "bf16", "int8", "4-bit", or the name that safetensors has for what is read nowhere here.
    pub stored: String,
    /// The shape of its values.
    pub shape: Vec<usize>,
    /// The bytes of its values and of their scales.
    pub bytes: u64,
}

impl Pack {
    /// What its models are.
    ///
    /// # Errors
    /// [`PackError::FileMissing`] where a config or a file of weights is not in memory, [`PackError::Unreadable`] for what is none,
    /// [`PackError::Architecture`] for a model that this crate does not compute.
    pub fn models(&self) -> Result<Vec<ModelSummary>, PackError> {
        self.manifest().models().map(|name| self.model(name)).collect()
    }

    pub(crate) fn model(&self, name: &str) -> Result<ModelSummary, PackError> {
        let entry = self.entry(name)?;
        let architecture = model_type(&entry.config, self.text(&entry.config)?)?;
        let weights: Vec<String> = entry.weights.iter().map(|file| file.path.clone()).collect();
        let Some(row) = Architecture::of(&architecture) else {
            let reason = format!("model_type {architecture:?} is not one that this version reads");
            return Err(PackError::Architecture { path: entry.config.clone(), reason });
        };
        let kind = match row.family {
            Family::EncoderDecoder => Kind::Seq2Seq,
            Family::Decoder => Kind::CausalLm,
            Family::Encoder => {
                let files = weights.iter().map(|path| self.weights(path)).collect::<Result<Vec<_>, _>>()?;
                let has_head = files.iter().any(|file| HEADS.iter().any(|head| file.get(head).is_some()));
                let bare = !has_head || is_bare(&entry.config, self.text(&entry.config)?)?;
                if bare { Kind::Embedder } else { Kind::Classifier }
            }
        };
        Ok(ModelSummary { name: name.to_owned(), kind, architecture, weights })
    }

    /// The tensors of one of its files of weights, by name.
    ///
    /// # Errors
    /// [`PackError::FileMissing`] where it is not in memory, [`PackError::Unreadable`] for a config or a tokenizer.
    pub fn tensors(&self, path: &str) -> Result<Vec<TensorSummary>, PackError> {
        let file = self.weights(path)?;
        let mut names: Vec<&str> = file.names().collect();
        names.sort_unstable();
        let bytes = |name: &str| file.get(name).map_or(0, FileTensor::bytes);
        let is_scale = |name: &str| name.strip_suffix(".scale").is_some_and(|whole| file.get(whole).is_some());
        let summary = |name: &str| {
            let tensor = file.get(name)?;
            let scaled = file.get(&scale_of(name)).is_some();
            // A matrix without its scales is in no format.
            let format = format_of(tensor.dtype())
                .filter(|format| scaled || format.scales(tensor.shape()).is_none())
                .and_then(|format| Some((format.name().to_owned(), format.shape(tensor.shape())?)));
            let (stored, shape) =
                format.unwrap_or_else(|| (format!("{:?}", tensor.dtype()).to_lowercase(), tensor.shape().to_vec()));
            Some(TensorSummary { name: name.to_owned(), stored, shape, bytes: bytes(name) + bytes(&scale_of(name)) })
        };
        Ok(names.into_iter().filter(|name| !is_scale(name)).filter_map(summary).collect())
    }
}
