//! Listing a pack: its models, and the tensors in its files.

#[cfg(not(target_family = "wasm"))]
use burn::tensor::Device;
use serde::Serialize;

use crate::error::PackError;
use crate::models::architectures::{Architecture, Family};
#[cfg(not(target_family = "wasm"))]
use crate::models::config::classifies_tokens;
use crate::models::config::{is_bare, model_type};
use crate::pack::Pack;
use crate::pack::kind::ModelKind;
use crate::pack::manifest::WeightEntry;
use crate::weights::formats::{format_of, scale_of};
use crate::weights::safetensors::FileTensor;

/// The weights of classification heads. An encoder whose files have none is bare.
const HEADS: [&str; 3] = ["classifier.weight", "classifier.out_proj.weight", "t5.classifier.weight"];

/// A model of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelSummary {
    /// Its name in the pack.
    pub name: String,
    /// What it computes.
    pub kind: ModelKind,
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
    /// "f32", "f16", "bf16", "int8" or "4-bit", or for a type that is not read here the name that safetensors has for
    /// it.
    pub stored: String,
    /// The shape of its values.
    pub shape: Vec<usize>,
    /// The bytes of its values and its scales.
    pub bytes: u64,
}

impl Pack {
    /// Its models.
    ///
    /// # Errors
    /// [`PackError::FileMissing`] if a config or a file of weights is not in memory, [`PackError::Unreadable`] if it
    /// cannot be read, [`PackError::Architecture`] for a model that this crate does not compute.
    pub fn models(&self) -> Result<Vec<ModelSummary>, PackError> {
        self.manifest().models().map(|name| self.model(name)).collect()
    }

    /// One of its models.
    ///
    /// # Errors
    /// As [`Pack::models`], and [`PackError::ModelMissing`].
    pub fn model(&self, name: &str) -> Result<ModelSummary, PackError> {
        let entry = self.entry(name)?;
        let architecture = model_type(&entry.config, self.text(&entry.config)?)?;
        let weights: Vec<String> = entry.weights.iter().map(|file| file.path.clone()).collect();
        let Some(row) = Architecture::of(&architecture) else {
            let reason = format!("model_type {architecture:?} is not one that this version reads");
            return Err(PackError::Architecture { path: entry.config.clone(), reason });
        };
        let kind = match row.family {
            Family::EncoderDecoder => ModelKind::Seq2Seq,
            Family::Decoder => ModelKind::CausalLm,
            Family::Encoder => {
                let mut has_head = false;
                for WeightEntry { path, names } in &entry.weights {
                    let file = self.weights(path)?;
                    has_head |=
                        HEADS.iter().any(|head| file.get(head).is_some() || names.values().any(|own| own == head));
                }
                let (path, json) = (&entry.config, self.text(&entry.config)?);
                match !has_head || is_bare(path, json)? {
                    true => ModelKind::Embedder,
                    #[cfg(not(target_family = "wasm"))]
                    false if classifies_tokens(path, json)? => ModelKind::TokenClassifier,
                    false => ModelKind::Classifier,
                }
            }
        };
        Ok(ModelSummary { name: name.to_owned(), kind, architecture, weights })
    }

    /// Loads a model as its own kind, to check that it is complete.
    ///
    /// # Errors
    /// As [`Pack::seq2seq`].
    #[cfg(not(target_family = "wasm"))]
    pub(crate) async fn load_whole(&mut self, name: &str, device: &Device) -> Result<(), PackError> {
        match self.model(name)?.kind {
            ModelKind::Seq2Seq => self.seq2seq(name, device).await.map(drop),
            ModelKind::Classifier => self.classifier(name, device).await.map(drop),
            ModelKind::TokenClassifier => self.token_classifier(name, device).await.map(drop),
            ModelKind::CausalLm => self.causal_lm(name, device).await.map(drop),
            ModelKind::Embedder => self.embedder(name, device).await.map(drop),
        }
    }

    /// The tensors of one of its files of weights, by name.
    ///
    /// # Errors
    /// [`PackError::FileMissing`] if it is not in memory, [`PackError::Unreadable`] for a config or a tokenizer.
    pub fn tensors(&self, path: &str) -> Result<Vec<TensorSummary>, PackError> {
        let file = self.weights(path)?;
        let mut names: Vec<&str> = file.names().collect();
        names.sort_unstable();
        let bytes = |name: &str| file.get(name).map_or(0, FileTensor::bytes);
        let is_scale = |name: &str| name.strip_suffix(".scale").is_some_and(|whole| file.get(whole).is_some());
        let summary = |name: &str| {
            let tensor = file.get(name)?;
            let scaled = file.get(&scale_of(name)).is_some();
            // A quantised matrix without its scales is listed by its type in the file.
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
