//! GPT-2 and GPT-Neo as language models (Radford et al. 2019, "Language Models are Unsupervised Multitask Learners"; Black et
//! al. 2021): a decoder with learnt positions that normalises before each of its parts, and the embedding as its head.
//! In GPT-Neo every other layer attends to a window of tokens only, and no scores are scaled.

use burn::tensor::Tensor;
use serde::Deserialize;

use crate::layers::table::Table;
use crate::layers::{Activation, Bias, KeysValues, LayerNorm, Linear, attention, split_heads};
use crate::models::batch::Batch;
use crate::models::config::parse_config;
use crate::pause::pause;
use crate::threads::by_rows;
use crate::weights::Weights;
use crate::{NnError, PackError};

/// What config.json says, in the terms of both layouts.
#[derive(Debug)]
pub(crate) struct Config {
    kind: Kind,
    vocabulary: usize,
    positions: usize,
    width: usize,
    heads: usize,
    layers: usize,
    /// The width between the two layers of the feed-forward.
    inner: usize,
    activation: Activation,
    epsilon: f64,
    tied: bool,
}

#[derive(Debug)]
enum Kind {
    Gpt2 {
        /// Whether scores are divided by the square root of a head's width.
        scaled: bool,
        /// Whether they are also divided by the number of the layer, from 1.
        by_layer: bool,
    },
    GptNeo {
        /// How the layers attend, and how many times over: `[["global", "local"], 6]`.
        attention: Vec<(Vec<Attention>, usize)>,
        window: usize,
    },
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Attention {
    Global,
    Local,
}

#[derive(Debug, Deserialize)]
struct Gpt2Layout {
    vocab_size: usize,
    n_positions: usize,
    n_embd: usize,
    n_layer: usize,
    n_head: usize,
    n_inner: Option<usize>,
    #[serde(default = "gelu_new")]
    activation_function: String,
    #[serde(default = "epsilon")]
    layer_norm_epsilon: f64,
    #[serde(default = "yes")]
    scale_attn_weights: bool,
    #[serde(default)]
    scale_attn_by_inverse_layer_idx: bool,
    #[serde(default = "yes")]
    tie_word_embeddings: bool,
}

#[derive(Debug, Deserialize)]
struct GptNeoLayout {
    vocab_size: usize,
    max_position_embeddings: usize,
    hidden_size: usize,
    num_layers: usize,
    num_heads: usize,
    intermediate_size: Option<usize>,
    #[serde(default = "gelu_new")]
    activation_function: String,
    #[serde(default = "epsilon")]
    layer_norm_epsilon: f64,
    attention_types: Vec<(Vec<Attention>, usize)>,
    #[serde(default = "window")]
    window_size: usize,
    #[serde(default = "yes")]
    tie_word_embeddings: bool,
}

fn gelu_new() -> String {
    "gelu_new".to_owned()
}

fn epsilon() -> f64 {
    1e-5
}

fn window() -> usize {
    256
}

fn yes() -> bool {
    true
}

impl Config {
    /// Reads GPT-2's layout.
    ///
    /// # Errors
    /// [`PackError::Architecture`] for a setting that this module does not compute.
    pub fn gpt2(path: &str, json: &[u8]) -> Result<Self, PackError> {
        let c: Gpt2Layout = parse_config(path, json)?;
        let config = Self {
            kind: Kind::Gpt2 { scaled: c.scale_attn_weights, by_layer: c.scale_attn_by_inverse_layer_idx },
            vocabulary: c.vocab_size,
            positions: c.n_positions,
            width: c.n_embd,
            heads: c.n_head,
            layers: c.n_layer,
            inner: c.n_inner.unwrap_or_else(|| c.n_embd.saturating_mul(4)),
            activation: activation(path, &c.activation_function)?,
            epsilon: c.layer_norm_epsilon,
            tied: c.tie_word_embeddings,
        };
        config.check(path)
    }

    /// Reads GPT-Neo's layout.
    ///
    /// # Errors
    /// As [`Config::gpt2`].
    pub fn gpt_neo(path: &str, json: &[u8]) -> Result<Self, PackError> {
        let c: GptNeoLayout = parse_config(path, json)?;
        let layers = c
            .attention_types
            .iter()
            .try_fold(0_usize, |sum, (attention, times)| sum.checked_add(attention.len().checked_mul(*times)?));
        if layers != Some(c.num_layers) || c.window_size == 0 {
            let reason = format!("attention_types do not name {} layers, or window_size is 0", c.num_layers);
            return Err(PackError::Architecture { path: path.to_owned(), reason });
        }
        let config = Self {
            kind: Kind::GptNeo { attention: c.attention_types, window: c.window_size },
            vocabulary: c.vocab_size,
            positions: c.max_position_embeddings,
            width: c.hidden_size,
            heads: c.num_heads,
            layers: c.num_layers,
            inner: c.intermediate_size.unwrap_or_else(|| c.hidden_size.saturating_mul(4)),
            activation: activation(path, &c.activation_function)?,
            epsilon: c.layer_norm_epsilon,
            tied: c.tie_word_embeddings,
        };
        config.check(path)
    }

    fn check(self, path: &str) -> Result<Self, PackError> {
        let refuse = |reason: String| Err(PackError::Architecture { path: path.to_owned(), reason });
        if self.heads == 0 || self.width == 0 || !self.width.is_multiple_of(self.heads) {
            return refuse(format!("a width of {} over {} attention heads", self.width, self.heads));
        }
        if self.vocabulary == 0 || self.positions == 0 || self.inner == 0 || self.epsilon < 0.0 {
            return refuse("vocabulary, positions, feed-forward width or epsilon is out of range".to_owned());
        }
        Ok(self)
    }

    /// What attention scores of a layer are multiplied with.
    fn scale(&self, layer: usize) -> f64 {
        match self.kind {
            Kind::Gpt2 { scaled, by_layer } => {
                let by_width = if scaled { ((self.width / self.heads) as f64).powf(-0.5) } else { 1.0 };
                if by_layer { by_width / (layer + 1) as f64 } else { by_width }
            }
            Kind::GptNeo { .. } => 1.0,
        }
    }

    /// Which tokens those of a layer attend to.
    fn bias(&self, layer: usize) -> Bias {
        let everything = Bias::Causal { window: usize::MAX };
        let Kind::GptNeo { attention, window } = &self.kind else { return everything };
        let mut layer = layer;
        for (kinds, times) in attention {
            let here = kinds.len() * times;
            if layer < here {
                return match kinds[layer % kinds.len()] {
                    Attention::Global => everything,
                    Attention::Local => Bias::Causal { window: *window },
                };
            }
            layer -= here;
        }
        everything
    }
}

fn activation(path: &str, name: &str) -> Result<Activation, PackError> {
    Activation::named(name).ok_or_else(|| PackError::Architecture {
        path: path.to_owned(),
        reason: format!("activation_function {name:?} is not known here"),
    })
}

/// The model, ready to run.
pub(crate) struct Gpt {
    /// `[vocabulary, width]`
    words: Table,
    positions: Tensor<2>,
    blocks: Vec<Block>,
    norm: LayerNorm,
    head: Linear,
    heads: usize,
}

impl Gpt {
    pub fn load(config: &Config, weights: &Weights) -> Result<Self, PackError> {
        // The first checkpoints were saved without the head, and without a name before those of its parts.
        let base = if weights.has("wte.weight") { "" } else { "transformer." };
        let (name, vocabulary, width) = (format!("{base}wte.weight"), config.vocabulary, config.width);
        let (words, head) = match config.tied {
            true => {
                let words = weights.table(&name, vocabulary, width)?;
                (Table::Placed(words.clone()), Linear::tied(words))
            }
            false => {
                (weights.words(&name, vocabulary, width)?, weights.linear("", &["lm_head"], width, vocabulary, false)?)
            }
        };
        let positions = weights.table(&format!("{base}wpe.weight"), config.positions, config.width)?;
        let block = |i: usize| Block::load(config, weights, i, &format!("{base}h.{i}"));
        Ok(Self {
            blocks: (0..config.layers).map(block).collect::<Result<_, _>>()?,
            norm: LayerNorm::load(weights, &format!("{base}ln_f"), config.width, config.epsilon)?,
            words,
            positions,
            head,
            heads: config.heads,
        })
    }

    pub fn vocabulary(&self) -> usize {
        self.words.shape()[0]
    }

    /// The most tokens that it has positions for.
    pub fn max_tokens(&self) -> usize {
        self.positions.dims()[0]
    }

    /// The states of a batch, `[batch * length, width]`. No token sees the padding, which comes after all of them.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn forward(&self, batch: &Batch<'_>) -> Result<Tensor<2>, NnError> {
        let device = self.words.device();
        let mut x = self.words.select(&batch.ids(0)) + self.positions.clone().select(0, batch.positions(0, &device));
        for block in &self.blocks {
            x = block.mix(x, batch.size(), self.heads);
            pause().await?;
            x = block.feed_forward(x);
            pause().await?;
        }
        Ok(self.norm.forward(x))
    }

    /// The logits that follow from states: `[rows, width]` to `[rows, vocabulary]`.
    pub fn head(&self, states: Tensor<2>) -> Tensor<2> {
        by_rows([states], |[states]| self.head.forward(states))
    }
}

struct Block {
    attention_norm: LayerNorm,
    /// Queries, keys and values side by side.
    qkv: Linear,
    attention_output: Linear,
    scale: f64,
    bias: Bias,
    norm: LayerNorm,
    input: Linear,
    activation: Activation,
    output: Linear,
}

impl Block {
    fn load(config: &Config, weights: &Weights, layer: usize, name: &str) -> Result<Self, PackError> {
        let (width, inner) = (config.width, config.inner);
        let norm = |part: &str| LayerNorm::load(weights, &format!("{name}.{part}"), width, config.epsilon);
        let linear = |part: &str, inputs, outputs| {
            let name = format!("{name}.{part}");
            match config.kind {
                Kind::Gpt2 { .. } => weights.conv1d(&name, inputs, outputs),
                Kind::GptNeo { .. } => weights.linear(&name, &[""], inputs, outputs, true),
            }
        };
        let (qkv, attention_output) = match config.kind {
            Kind::Gpt2 { .. } => (linear("attn.c_attn", width, 3 * width)?, "attn.c_proj"),
            Kind::GptNeo { .. } => {
                let prefix = format!("{name}.attn.attention.");
                let parts = ["q_proj", "k_proj", "v_proj"];
                (weights.linear(&prefix, &parts, width, width, false)?, "attn.attention.out_proj")
            }
        };
        Ok(Self {
            attention_norm: norm("ln_1")?,
            qkv,
            attention_output: linear(attention_output, width, width)?,
            scale: config.scale(layer),
            bias: config.bias(layer),
            norm: norm("ln_2")?,
            input: linear("mlp.c_fc", width, inner)?,
            activation: config.activation,
            output: linear("mlp.c_proj", inner, width)?,
        })
    }

    fn mix(&self, x: Tensor<2>, batch: usize, heads: usize) -> Tensor<2> {
        let projected = by_rows([x.clone()], |[x]| self.qkv.forward(self.attention_norm.forward(x)));
        let [q, keys, values] = split_heads(projected, batch, heads);
        let mixed = attention(q, KeysValues { keys, values }, &self.bias, self.scale);
        by_rows([x, mixed], |[x, mixed]| x + self.attention_output.forward(mixed))
    }

    fn feed_forward(&self, x: Tensor<2>) -> Tensor<2> {
        by_rows([x], |[x]| {
            let inner = self.activation.forward(self.input.forward(self.norm.forward(x.clone())));
            x + self.output.forward(inner)
        })
    }
}
