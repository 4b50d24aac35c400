//! What the `config.json` of every encoder like BERT says.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::PackError;
use crate::kernels::elementwise::Activation;
use crate::layers::encoder::EncoderShape;
use crate::models::config::numbered_labels;

/// The settings that BERT, RoBERTa, MPNet and DeBERTa share.
#[derive(Debug, Deserialize)]
pub(crate) struct EncoderSettings {
    pub vocab_size: usize,
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub intermediate_size: usize,
    pub hidden_act: String,
    pub max_position_embeddings: usize,
    pub layer_norm_eps: Option<f64>,
    pub pad_token_id: Option<usize>,
    #[serde(default)]
    pub id2label: BTreeMap<String, String>,
}

/// An architecture's defaults, for settings that its config leaves out.
pub(crate) struct Defaults {
    /// `layer_norm_eps`
    pub epsilon: f64,
    /// `pad_token_id`
    pub padding: usize,
}

impl EncoderSettings {
    /// The sizes of the layers, and the labels.
    ///
    /// # Errors
    /// [`PackError::Architecture`] for settings that make no encoder.
    pub fn check(&self, path: &str, defaults: &Defaults) -> Result<(EncoderShape, Vec<String>), PackError> {
        let refuse = |reason: String| Err(PackError::Architecture { path: path.to_owned(), reason });
        let Some(activation) = Activation::named(&self.hidden_act) else {
            return refuse(format!("hidden_act {:?} is not known here", self.hidden_act));
        };
        let (width, heads, inner) = (self.hidden_size, self.num_attention_heads, self.intermediate_size);
        if heads == 0 || width == 0 || !width.is_multiple_of(heads) {
            return refuse(format!("hidden_size {width} over {heads} attention heads"));
        }
        let epsilon = self.layer_norm_eps.unwrap_or(defaults.epsilon);
        if inner == 0 || epsilon < 0.0 || self.padding(defaults) >= self.vocab_size {
            return refuse("intermediate_size, layer_norm_eps or pad_token_id is out of range".to_owned());
        }
        if self.num_hidden_layers == 0 {
            return refuse("num_hidden_layers is 0".to_owned());
        }
        let Some(labels) = numbered_labels(&self.id2label) else {
            return refuse("id2label does not number its labels from 0".to_owned());
        };
        Ok((EncoderShape { width, heads, inner, activation, epsilon }, labels))
    }

    /// The id of the padding token.
    pub fn padding(&self, defaults: &Defaults) -> usize {
        self.pad_token_id.unwrap_or(defaults.padding)
    }
}
