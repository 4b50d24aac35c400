//! BERT's layer (Devlin et al. 2019), which the encoders that grew from it have too, and such layers one after the
//! other.

use std::collections::BTreeMap;

use burn::tensor::Tensor;
use serde::Deserialize;

use crate::layers::{Activation, Bias, KeysValues, LayerNorm, Linear, attention, split_heads};
use crate::models::batch::Batch;
use crate::models::config::numbered_labels;
use crate::pause::pause;
use crate::threads::by_rows;
use crate::weights::Weights;
use crate::{NnError, PackError};

/// What config.json says of every such encoder.
#[derive(Debug, Deserialize)]
pub(crate) struct Settings {
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

/// What an architecture's layout leaves out where it is this.
pub(crate) struct Defaults {
    /// Of `layer_norm_eps`.
    pub epsilon: f64,
    /// Of `pad_token_id`.
    pub padding: usize,
}

/// The measures of a layer.
#[derive(Clone, Debug)]
pub(crate) struct EncoderShape {
    pub width: usize,
    pub heads: usize,
    /// The width between the two layers of the feed-forward.
    pub inner: usize,
    pub activation: Activation,
    pub epsilon: f64,
}

impl Settings {
    /// The measures of the layers, and the labels.
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

    /// The id of the padding.
    pub fn padding(&self, defaults: &Defaults) -> usize {
        self.pad_token_id.unwrap_or(defaults.padding)
    }
}

/// What an architecture calls the parts of a layer's attention.
pub(crate) struct Names {
    /// What the names of the queries', keys' and values' layers begin with, and how each goes on.
    pub projections: (&'static str, [&'static str; 3]),
    pub output: &'static str,
    pub norm: &'static str,
}

/// BERT's, and RoBERTa's.
pub(crate) const BERT: Names = Names {
    projections: ("attention.self.", ["query", "key", "value"]),
    output: "attention.output.dense",
    norm: "attention.output.LayerNorm",
};

/// Attention and a feed-forward, each normalised once it is added to its input.
pub(crate) struct EncoderLayer {
    /// Queries, keys and values side by side.
    qkv: Linear,
    heads: usize,
    attention_output: Linear,
    attention_norm: LayerNorm,
    intermediate: Linear,
    activation: Activation,
    output: Linear,
    norm: LayerNorm,
}

impl EncoderLayer {
    pub fn load(weights: &Weights, name: &str, names: &Names, shape: &EncoderShape) -> Result<Self, PackError> {
        let (width, inner) = (shape.width, shape.inner);
        let linear =
            |part: &str, inputs, outputs| weights.linear(&format!("{name}.{part}"), &[""], inputs, outputs, true);
        let norm = |part: &str| LayerNorm::load(weights, &format!("{name}.{part}"), width, shape.epsilon);
        let (prefix, parts) = &names.projections;
        Ok(Self {
            qkv: weights.linear(&format!("{name}.{prefix}"), parts, width, width, true)?,
            heads: shape.heads,
            attention_output: linear(names.output, width, width)?,
            attention_norm: norm(names.norm)?,
            intermediate: linear("intermediate.dense", width, inner)?,
            activation: shape.activation,
            output: linear("output.dense", inner, width)?,
            norm: norm("output.LayerNorm")?,
        })
    }

    /// The queries, keys and values of `batch` texts, `[batch, heads, length, width]` each.
    pub fn project(&self, x: Tensor<2>, batch: usize) -> [Tensor<4>; 3] {
        split_heads(by_rows([x], |[x]| self.qkv.forward(x)), batch, self.heads)
    }

    /// What the layer makes of its input and of what its attention has mixed.
    pub fn finish(&self, x: Tensor<2>, mixed: Tensor<2>) -> Tensor<2> {
        by_rows([x, mixed], |[x, mixed]| {
            let x = self.attention_norm.forward(x + self.attention_output.forward(mixed));
            let inner = self.activation.forward(self.intermediate.forward(x.clone()));
            self.norm.forward(x + self.output.forward(inner))
        })
    }
}

/// Which tokens' states are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tokens {
    All,
    /// The first of each text, for a head that reads no other: the last layer computes no others.
    First,
}

/// Layers one after the other, whose scores are divided by the square root of a head's width.
pub(crate) struct Encoder {
    layers: Vec<EncoderLayer>,
    scale: f64,
}

impl Encoder {
    /// So many layers, called `{name}.0` and so on.
    pub fn load(
        weights: &Weights,
        name: &str,
        names: &Names,
        shape: &EncoderShape,
        layers: usize,
    ) -> Result<Self, PackError> {
        let layer = |i: usize| EncoderLayer::load(weights, &format!("{name}.{i}"), names, shape);
        let scale = ((shape.width / shape.heads) as f64).powf(-0.5);
        Ok(Self { layers: (0..layers).map(layer).collect::<Result<_, _>>()?, scale })
    }

    /// From the embeddings of a batch, `[batch * length, hidden]`, to its states: as many, or `[batch, hidden]` for the
    /// first tokens. The bias is added to the scores of every layer.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn forward(
        &self,
        mut x: Tensor<2>,
        batch: &Batch<'_>,
        bias: &Bias,
        tokens: Tokens,
    ) -> Result<Tensor<2>, NnError> {
        for (layer, later) in self.layers.iter().zip((0..self.layers.len()).rev()) {
            let [mut q, keys, values] = layer.project(x.clone(), batch.size());
            if tokens == Tokens::First && later == 0 {
                let rows = batch.first_rows(&x.device());
                (q, x) = (q.narrow(2, 0, 1), x.select(0, rows));
            }
            let mixed = attention(q, KeysValues { keys, values }, bias, self.scale);
            pause().await?;
            x = layer.finish(x, mixed);
            pause().await?;
        }
        Ok(x)
    }
}
