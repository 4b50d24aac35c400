//! BERT and RoBERTa for sequence classification (Devlin et al. 2019; Liu et al. 2019): an encoder with learnt positions,
//! and a head over its first token.

use std::collections::BTreeMap;

use burn::tensor::{Int, Tensor, TensorData};
use serde::Deserialize;

use crate::PackError;
use crate::layers::{Activation, Bias, KeysValues, LayerNorm, Linear, attention, split_heads};
use crate::pack::parse_config;
use crate::tokenizer::Encoded;
use crate::weights::Weights;

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
        let labels = match layout.id2label.len() {
            0 => ["LABEL_0", "LABEL_1"].map(str::to_owned).to_vec(), // the layout's default is two classes
            classes => match (0..classes).map(|id| layout.id2label.get(&id.to_string()).cloned()).collect() {
                Some(labels) => labels,
                None => return refuse("id2label does not number its labels from 0".to_owned()),
            },
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

/// The model, ready to run.
pub(crate) struct Bert {
    config: Config,
    /// `[vocabulary, hidden]`
    words: Tensor<2>,
    positions: Tensor<2>,
    types: Tensor<2>,
    norm: LayerNorm,
    layers: Vec<Layer>,
    /// BERT's pooler, or the first layer of RoBERTa's head: the same sum under another name.
    pooler: Linear,
    classifier: Linear,
}

impl Bert {
    pub fn load(config: Config, weights: &mut Weights) -> Result<Self, PackError> {
        let c = &config.layout;
        let width = c.hidden_size;
        let (base, pooler, classifier) = match config.kind {
            Kind::Bert => ("bert", "bert.pooler.dense", "classifier"),
            Kind::Roberta => ("roberta", "classifier.dense", "classifier.out_proj"),
        };
        let embeddings = format!("{base}.embeddings");
        let layer = |i: usize| Layer::load(&config, weights, &format!("{base}.encoder.layer.{i}"));
        Ok(Self {
            layers: (0..c.num_hidden_layers).map(layer).collect::<Result<_, _>>()?,
            pooler: weights.linear(pooler, &[""], width, width, true)?,
            classifier: weights.linear(classifier, &[""], width, config.labels.len(), true)?,
            norm: LayerNorm::load(weights, &format!("{embeddings}.LayerNorm"), width, c.layer_norm_eps)?,
            positions: weights.table(
                &format!("{embeddings}.position_embeddings.weight"),
                c.max_position_embeddings,
                width,
            )?,
            types: weights.table(&format!("{embeddings}.token_type_embeddings.weight"), c.type_vocab_size, width)?,
            words: weights.table(&format!("{embeddings}.word_embeddings.weight"), c.vocab_size, width)?,
            config,
        })
    }

    pub fn vocabulary(&self) -> usize {
        self.config.layout.vocab_size
    }

    pub fn labels(&self) -> &[String] {
        &self.config.labels
    }

    /// The most tokens that it has positions for.
    pub fn max_tokens(&self) -> usize {
        let first = self.config.kind.first_position(&self.config.layout);
        self.config.layout.max_position_embeddings.saturating_sub(first)
    }

    /// The logits of a batch, `[batch, labels]`. Shorter texts are padded to the longest, and their padding attended to
    /// by nobody.
    pub fn forward(&self, batch: &[&Encoded]) -> Tensor<2> {
        let length = batch.iter().map(|text| text.ids.len()).max().unwrap_or(0);
        let heads = self.config.layout.num_attention_heads;
        let scale = ((self.config.layout.hidden_size / heads) as f64).powf(-0.5);
        let bias = match batch.iter().all(|text| text.ids.len() == length) {
            true => Bias::None,
            false => Bias::Padding(batch.iter().map(|text| text.ids.len()).collect()),
        };
        let mut x = self.norm.forward(self.embed(batch, length));
        for layer in &self.layers {
            x = layer.forward(x, batch.len(), heads, &bias, scale);
        }
        let first = self.indices((0..batch.len()).map(|text| text * length));
        self.classifier.forward(self.pooler.forward(x.select(0, first)).tanh())
    }

    /// `[batch * length, hidden]`
    fn embed(&self, batch: &[&Encoded], length: usize) -> Tensor<2> {
        let padding = self.config.layout.pad_token_id;
        let padded = |values: fn(&Encoded) -> &[u32], default: usize| {
            self.indices(batch.iter().flat_map(move |text| {
                let values = values(text).iter().map(|&value| value as usize);
                values.chain(std::iter::repeat(default)).take(length)
            }))
        };
        let first = self.config.kind.first_position(&self.config.layout);
        let positions = self.indices(batch.iter().flat_map(|_| first..first + length));
        let x = self.words.clone().select(0, padded(|text| &text.ids, padding));
        let types = match self.config.kind {
            Kind::Bert => padded(|text| &text.types, 0),
            Kind::Roberta => self.indices(std::iter::repeat_n(0, batch.len() * length)),
        };
        x + self.positions.clone().select(0, positions) + self.types.clone().select(0, types)
    }

    fn indices(&self, rows: impl Iterator<Item = usize>) -> Tensor<1, Int> {
        let rows: Vec<i32> = rows.map(|row| row as i32).collect();
        let length = rows.len();
        Tensor::from_data(TensorData::new(rows, [length]), &self.words.device())
    }
}

struct Layer {
    /// Queries, keys and values side by side.
    qkv: Linear,
    attention_output: Linear,
    attention_norm: LayerNorm,
    intermediate: Linear,
    activation: Activation,
    output: Linear,
    norm: LayerNorm,
}

impl Layer {
    fn load(config: &Config, weights: &Weights, name: &str) -> Result<Self, PackError> {
        let c = &config.layout;
        let (width, inner) = (c.hidden_size, c.intermediate_size);
        let linear =
            |part: &str, inputs, outputs| weights.linear(&format!("{name}.{part}"), &[""], inputs, outputs, true);
        let norm = |part: &str| LayerNorm::load(weights, &format!("{name}.{part}"), width, c.layer_norm_eps);
        Ok(Self {
            qkv: weights.linear(&format!("{name}.attention.self."), &["query", "key", "value"], width, width, true)?,
            attention_output: linear("attention.output.dense", width, width)?,
            attention_norm: norm("attention.output.LayerNorm")?,
            intermediate: linear("intermediate.dense", width, inner)?,
            activation: config.activation,
            output: linear("output.dense", inner, width)?,
            norm: norm("output.LayerNorm")?,
        })
    }

    fn forward(&self, x: Tensor<2>, batch: usize, heads: usize, bias: &Bias, scale: f64) -> Tensor<2> {
        let [q, keys, values] = split_heads(self.qkv.forward(x.clone()), batch, heads);
        let mixed = attention(q, KeysValues { keys, values }, bias, scale);
        let x = self.attention_norm.forward(x + self.attention_output.forward(mixed));
        let inner = self.activation.forward(self.intermediate.forward(x.clone()));
        self.norm.forward(x + self.output.forward(inner))
    }
}
