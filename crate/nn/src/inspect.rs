//! What is in a pack, by its files' headers.

use std::fmt;

use safetensors::SafeTensors;
use safetensors::tensor::Dtype;
use serde::Serialize;

use crate::pack::{is_bare, model_type};
use crate::weights::scale_of;
use crate::{Pack, PackError};

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
        let architecture = model_type(&entry.config, self.file(&entry.config)?)?;
        let weights: Vec<String> = entry.weights.iter().map(|file| file.path.clone()).collect();
        let kind = match architecture.as_str() {
            "t5" => Kind::Seq2Seq,
            "gpt2" | "gpt_neo" => Kind::CausalLm,
            "bert" | "roberta" | "deberta-v2" => {
                let files = weights.iter().map(|path| read(path, self.file(path)?)).collect::<Result<Vec<_>, _>>()?;
                let has_head = files.iter().any(|file| HEADS.iter().any(|head| file.tensor(head).is_ok()));
                let bare = !has_head || is_bare(&entry.config, self.file(&entry.config)?)?;
                if bare { Kind::Embedder } else { Kind::Classifier }
            }
            other => {
                let reason = format!("model_type {other:?} is not one that this version reads");
                return Err(PackError::Architecture { path: entry.config.clone(), reason });
            }
        };
        Ok(ModelSummary { name: name.to_owned(), kind, architecture, weights })
    }

    /// The tensors of one of its files of weights, by name.
    ///
    /// # Errors
    /// [`PackError::FileMissing`] where it is not in memory, [`PackError::Unreadable`] for what is no safetensors file.
    pub fn tensors(&self, path: &str) -> Result<Vec<TensorSummary>, PackError> {
        let file = read(path, self.file(path)?)?;
        let mut names = file.names();
        names.sort_unstable();
        let bytes = |name: &str| file.tensor(name).map_or(0, |view| view.data().len() as u64);
        let is_scale = |name: &str| name.strip_suffix(".scale").is_some_and(|whole| file.tensor(whole).is_ok());
        let summary = |name: &str| {
            let view = file.tensor(name).ok()?;
            let scaled = file.tensor(&scale_of(name)).is_ok();
            let mut shape = view.shape().to_vec();
            let stored = match view.dtype() {
                Dtype::I8 if scaled => "int8".to_owned(),
                Dtype::U8 if scaled => {
                    shape.last_mut().into_iter().for_each(|pairs| *pairs *= 2);
                    "4-bit".to_owned()
                }
                other => format!("{other:?}").to_lowercase(),
            };
            Some(TensorSummary { name: name.to_owned(), stored, shape, bytes: bytes(name) + bytes(&scale_of(name)) })
        };
        Ok(names.into_iter().filter(|name| !is_scale(name)).filter_map(summary).collect())
    }
}

/// The header of a safetensors file, which holds for all of its bytes.
pub(crate) fn read<'a>(path: &str, bytes: &'a [u8]) -> Result<SafeTensors<'a>, PackError> {
    SafeTensors::deserialize(bytes)
        .map_err(|error| PackError::Unreadable { path: path.to_owned(), reason: error.to_string() })
}
