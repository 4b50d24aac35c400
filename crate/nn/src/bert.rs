//! BERT and RoBERTa (Devlin et al. 2019; Liu et al. 2019): an encoder with learnt positions, and for sequence classification
//! a head over its first token.

use std::collections::BTreeMap;

use burn::tensor::Tensor;
use serde::Deserialize;

use crate::batch::{Batch, indices};
use crate::classifier::numbered;
use crate::layers::{Activation, EncoderLayer, EncoderShape, KeysValues, LayerNorm, Linear, attention};
use crate::pack::parse_config;
use crate::pause::pause;
use crate::weights::Weights;
use crate::{NnError, PackError};

/// What config.json says, with the defaults of the layout.
#[derive(Debug)]
pub(crate) struct Config {
    layout: Layout,
    kind: Kind,
    activation: Activation,
    labels: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bert,
    Roberta,
}

#[derive(Debug, Deserialize)]
struct Layout {
    model_type: String,
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    hidden_act: String,
    max_position_embeddings: usize,
    #[serde(default = "two")]
    type_vocab_size: usize,
    #[serde(default = "epsilon")]
    layer_norm_eps: f64,
    #[serde(default)]
    pad_token_id: usize,
    #[serde(default)]
    id2label: BTreeMap<String, String>,
}

fn two() -> usize {
    2
}

fn epsilon() -> f64 {
    1e-12
}

impl Config {
    /// # Errors
    /// [`PackError::Architecture`] for a setting that this module does not compute.
    pub fn parse(path: &str, json: &[u8]) -> Result<Self, PackError> {
        let layout: Layout = parse_config(path, json)?;
        let refuse = |reason: String| Err(PackError::Architecture { path: path.to_owned(), reason });
        let kind = if layout.model_type == "roberta" { Kind::Roberta } else { Kind::Bert };
        let Some(activation) = Activation::named(&layout.hidden_act) else {
            return refuse(format!("hidden_act {:?} is not known here", layout.hidden_act));
        };
        let heads = layout.num_attention_heads;
        if heads == 0 || layout.hidden_size == 0 || !layout.hidden_size.is_multiple_of(heads) {
            return refuse(format!("hidden_size {} over {heads} attention heads", layout.hidden_size));
        }
        if layout.intermediate_size == 0 || layout.layer_norm_eps < 0.0 || layout.pad_token_id >= layout.vocab_size {
            return refuse("intermediate_size, layer_norm_eps or pad_token_id is out of range".to_owned());
        }
        if kind == Kind::Bert && layout.type_vocab_size < 2 {
            return refuse(format!(
                "type_vocab_size {} does not tell the texts of a pair apart",
                layout.type_vocab_size
            ));
        }
        if layout.num_hidden_layers == 0 {
            return refuse("num_hidden_layers is 0".to_owned());
        }
        let Some(labels) = numbered(&layout.id2label) else {
            return refuse("id2label does not number its labels from 0".to_owned());
        };
        Ok(Self { layout, kind, activation, labels })
    }
}

impl Kind {
    /// The position embedding of the first token: RoBERTa counts on from its padding token's id.
    fn first_position(self, layout: &Layout) -> usize {
        match self {
            Self::Bert => 0,
            Self::Roberta => layout.pad_token_id.saturating_add(1),
        }
    }
}

/// The encoder, ready to run.
pub(crate) struct Bert {
    layout: Layout,
    kind: Kind,
    /// `[vocabulary, hidden]`
    words: Tensor<2>,
    positions: Tensor<2>,
    types: Tensor<2>,
    norm: LayerNorm,
    layers: Vec<EncoderLayer>,
}

impl Bert {
    pub fn load(config: Config, weights: &Weights) -> Result<Self, PackError> {
        let Config { layout: c, kind, activation, .. } = config;
        let width = c.hidden_size;
        // An encoder that was saved by itself has no name of its own before those of its parts.
        let base = match kind {
            _ if weights.has("embeddings.word_embeddings.weight") => "",
            Kind::Bert => "bert.",
            Kind::Roberta => "roberta.",
        };
        let shape = EncoderShape {
            width,
            heads: c.num_attention_heads,
            inner: c.intermediate_size,
            activation,
            epsilon: c.layer_norm_eps,
        };
        let layer = |i: usize| {
            EncoderLayer::load(weights, &format!("{base}encoder.layer.{i}"), &["query", "key", "value"], &shape)
        };
        let layers = (0..c.num_hidden_layers).map(layer).collect::<Result<_, _>>()?;
        let embeddings = format!("{base}embeddings");
        let norm = LayerNorm::load(weights, &format!("{embeddings}.LayerNorm"), width, c.layer_norm_eps)?;
        let table = |part: &str, rows| weights.table(&format!("{embeddings}.{part}_embeddings.weight"), rows, width);
        Ok(Self {
            positions: table("position", c.max_position_embeddings)?,
            types: table("token_type", c.type_vocab_size)?,
            words: table("word", c.vocab_size)?,
            norm,
            layers,
            layout: c,
            kind,
        })
    }

    pub fn vocabulary(&self) -> usize {
        self.layout.vocab_size
    }

    /// The most tokens that it has positions for.
    pub fn max_tokens(&self) -> usize {
        let first = self.kind.first_position(&self.layout);
        self.layout.max_position_embeddings.saturating_sub(first)
    }

    /// The states of a batch, `[batch * length, hidden]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn forward(&self, batch: &Batch<'_>) -> Result<Tensor<2>, NnError> {
        self.states(batch, false).await
    }

    /// The states of the texts' first tokens, `[batch, hidden]`: the last layer computes no others.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn forward_first(&self, batch: &Batch<'_>) -> Result<Tensor<2>, NnError> {
        self.states(batch, true).await
    }

    async fn states(&self, batch: &Batch<'_>, first_only: bool) -> Result<Tensor<2>, NnError> {
        let scale = ((self.layout.hidden_size / self.layout.num_attention_heads) as f64).powf(-0.5);
        let bias = batch.bias();
        let mut x = self.norm.forward(self.embed(batch));
        for (layer, later) in self.layers.iter().zip((0..self.layers.len()).rev()) {
            let [mut q, keys, values] = layer.project(x.clone(), batch.size());
            if first_only && later == 0 {
                (q, x) = (q.narrow(2, 0, 1), x.select(0, batch.first_rows(&self.words.device())));
            }
            let mixed = attention(q, KeysValues { keys, values }, &bias, scale);
            pause().await?;
            x = layer.finish(x, mixed);
            pause().await?;
        }
        Ok(x)
    }

    /// `[batch * length, hidden]`
    fn embed(&self, batch: &Batch) -> Tensor<2> {
        let device = self.words.device();
        let types = match self.kind {
            Kind::Bert => batch.types(&device),
            Kind::Roberta => indices(std::iter::repeat_n(0, batch.size() * batch.length()), &device),
        };
        let positions = batch.positions(self.kind.first_position(&self.layout), &device);
        self.words.clone().select(0, batch.ids(self.layout.pad_token_id, &device))
            + self.positions.clone().select(0, positions)
            + self.types.clone().select(0, types)
    }
}

/// The encoder with its head for classification.
pub(crate) struct BertClassifier {
    bert: Bert,
    labels: Vec<String>,
    /// BERT's pooler, or the first layer of RoBERTa's head: the same sum under another name.
    pooler: Linear,
    classifier: Linear,
}

impl BertClassifier {
    pub fn load(config: Config, weights: &Weights) -> Result<Self, PackError> {
        let (pooler, classifier) = match config.kind {
            Kind::Bert => ("bert.pooler.dense", "classifier"),
            Kind::Roberta => ("classifier.dense", "classifier.out_proj"),
        };
        let (width, labels) = (config.layout.hidden_size, config.labels.clone());
        Ok(Self {
            bert: Bert::load(config, weights)?,
            pooler: weights.linear(pooler, &[""], width, width, true)?,
            classifier: weights.linear(classifier, &[""], width, labels.len(), true)?,
            labels,
        })
    }

    pub fn encoder(&self) -> &Bert {
        &self.bert
    }

    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The logits of a batch, `[batch, labels]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn forward(&self, batch: &Batch<'_>) -> Result<Tensor<2>, NnError> {
        let first = self.bert.forward_first(batch).await?;
        Ok(self.classifier.forward(self.pooler.forward(first).tanh()))
    }
}
