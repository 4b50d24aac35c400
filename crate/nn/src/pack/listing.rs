//! The contents of a pack as a listing: its models, and the bytes of each part of a model.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::PackError;
use crate::pack::Pack;
use crate::pack::inspect::{ModelSummary, TensorSummary};
use crate::pack::manifest::FileEntry;

/// What is in a pack, every file checked against its hash.
#[derive(Debug, Serialize)]
pub struct PackListing {
    /// Its name.
    pub name: String,
    /// Its version, or nothing.
    pub version: String,
    /// Its licence, or nothing.
    pub license: String,
    /// What it was made of.
    pub sources: Vec<String>,
    /// The SHA-256 of its pack.json.
    pub hash: String,
    /// The bytes of all files.
    pub bytes: u64,
    /// Its files.
    pub files: Vec<FileEntry>,
    /// Its models.
    pub models: Vec<ModelSummary>,
    /// By file of weights.
    pub weights: BTreeMap<String, WeightsListing>,
}

/// What is in a file of weights.
#[derive(Debug, Serialize)]
pub struct WeightsListing {
    /// The number of its values.
    pub parameters: u64,
    /// Its parts, the largest first.
    pub parts: Vec<LayerSize>,
    /// Its tensors, by name.
    pub tensors: Vec<TensorSummary>,
}

/// Tensors of one part of a model, such as its encoder's layers, that are stored alike.
#[derive(Debug, Serialize)]
pub struct LayerSize {
    /// What their names begin with.
    pub name: String,
    /// As in [`TensorSummary::stored`].
    pub stored: String,
    /// How many they are.
    pub tensors: usize,
    /// The number of their values.
    pub parameters: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Pack {
    /// What is in it.
    ///
    /// # Errors
    /// Those of [`Pack::models`] and [`Pack::tensors`].
    pub fn listing(&self) -> Result<PackListing, PackError> {
        let manifest = self.manifest();
        let models = self.models()?;
        let mut weights = BTreeMap::new();
        for path in models.iter().flat_map(|model| &model.weights) {
            let tensors = self.tensors(path)?;
            let parts = parts(&tensors);
            let parameters = parts.iter().map(|part| part.parameters).sum();
            weights.insert(path.clone(), WeightsListing { parameters, parts, tensors });
        }
        Ok(PackListing {
            name: manifest.name().to_owned(),
            version: manifest.version().to_owned(),
            license: manifest.license().to_owned(),
            sources: manifest.sources().to_vec(),
            hash: manifest.hash().to_owned(),
            bytes: manifest.bytes(),
            files: manifest.files().to_vec(),
            models,
            weights,
        })
    }
}

/// The sizes of tensors, grouped by part and storage type, the largest group first.
fn parts(tensors: &[TensorSummary]) -> Vec<LayerSize> {
    let mut parts: BTreeMap<(&str, &str), LayerSize> = BTreeMap::new();
    for tensor in tensors {
        let name = part(&tensor.name);
        let entry = parts.entry((name, &tensor.stored)).or_insert_with(|| LayerSize {
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
    let mut parts: Vec<LayerSize> = parts.into_values().collect();
    parts.sort_by_key(|part| Reverse(part.bytes));
    parts
}

/// The part that a tensor belongs to: its name up to the number of its layer, or else up to "weight" or "bias".
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
