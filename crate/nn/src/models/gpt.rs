//! GPT-2 and GPT-Neo as language models (Radford et al. 2019, "Language Models are Unsupervised Multitask Learners";
//! Black et al. 2021). A decoder with learnt positions that normalises before each of its parts; its head is the table
//! of embeddings. In GPT-Neo every other layer attends only to a window of tokens, and scores are not scaled.

use burn::tensor::Tensor;
use serde::Deserialize;

use crate::error::{NnError, PackError};
use crate::json::parse_json;
use crate::kernels::elementwise::Activation;
use crate::layers::linear::Linear;
use crate::layers::loader::{LinearBias, Loader};
use crate::layers::norm::LayerNorm;
use crate::layers::table::Table;
use crate::models::batch::Batch;
use crate::models::config::{Fixed, check_fixed};
use crate::ops::activation::activate;
use crate::ops::attention::{KeysValues, attention};
use crate::ops::bias::Bias;
use crate::ops::heads::split_heads;
use crate::ops::rows::by_rows;
use crate::pause::pause;

/// A decoder that attends to another model's states is no language model by itself.
const FIXED: [Fixed; 1] = [("add_cross_attention", "false")];

/// The settings of either model, checked.
#[derive(Debug)]
pub(crate) struct Config {
    variant: GptVariant,
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
enum GptVariant {
    Gpt2 {
        /// Whether scores are divided by the square root of a head's width.
        scaled: bool,
        /// Whether they are also divided by the number of the layer, from 1.
        by_layer: bool,
    },
    GptNeo {
        /// How some layers attend, and how often this repeats: `[["global", "local"], 6]`.
        attention: Vec<(Vec<Reach>, usize)>,
        window: usize,
    },
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Reach {
    Global,
    Local,
}

#[derive(Debug, Deserialize)]
struct Gpt2Json {
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
struct GptNeoJson {
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
    attention_types: Vec<(Vec<Reach>, usize)>,
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
    /// Reads GPT-2's config.
    ///
    /// # Errors
    /// [`PackError::Architecture`] for a setting that this module does not compute.
    pub fn gpt2(path: &str, json: &[u8]) -> Result<Self, PackError> {
        check_fixed(path, json, &FIXED)?;
        let c: Gpt2Json = parse_json(path, json)?;
        let config = Self {
            variant: GptVariant::Gpt2 { scaled: c.scale_attn_weights, by_layer: c.scale_attn_by_inverse_layer_idx },
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

    /// Reads GPT-Neo's config.
    ///
    /// # Errors
    /// As [`Config::gpt2`].
    pub fn gpt_neo(path: &str, json: &[u8]) -> Result<Self, PackError> {
        check_fixed(path, json, &FIXED)?;
        let c: GptNeoJson = parse_json(path, json)?;
        let layers = c
            .attention_types
            .iter()
            .try_fold(0_usize, |sum, (attention, times)| sum.checked_add(attention.len().checked_mul(*times)?));
        if layers != Some(c.num_layers) || c.window_size == 0 {
            let reason = format!("attention_types do not name {} layers, or window_size is 0", c.num_layers);
            return Err(PackError::Architecture { path: path.to_owned(), reason });
        }
        let config = Self {
            variant: GptVariant::GptNeo { attention: c.attention_types, window: c.window_size },
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

    /// The attention scores of a layer are multiplied by this.
    fn scale(&self, layer: usize) -> f64 {
        match self.variant {
            GptVariant::Gpt2 { scaled, by_layer } => {
                let by_width = if scaled { ((self.width / self.heads) as f64).powf(-0.5) } else { 1.0 };
                if by_layer { by_width / (layer + 1) as f64 } else { by_width }
            }
            GptVariant::GptNeo { .. } => 1.0,
        }
    }

    /// The bias that keeps the tokens of a layer from attending to those out of its reach.
    fn bias(&self, layer: usize) -> Bias {
        let everything = Bias::Causal { window: usize::MAX };
        let GptVariant::GptNeo { attention, window } = &self.variant else { return everything };
        let mut layer = layer;
        for (reaches, times) in attention {
            let here = reaches.len() * times;
            if layer < here {
                return match reaches[layer % reaches.len()] {
                    Reach::Global => everything,
                    Reach::Local => Bias::Causal { window: *window },
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

/// The model.
pub(crate) struct Gpt {
    /// `[vocabulary, width]`
    words: Table,
    /// `[positions, width]`
    positions: Tensor<2>,
    blocks: Vec<Block>,
    norm: LayerNorm,
    head: Linear,
    heads: usize,
}

impl Gpt {
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: &Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let (words, vocabulary, width) = ("transformer.wte.weight", config.vocabulary, config.width);
        let (words, head) = match config.tied {
            true => {
                // The embeddings and the head are one matrix, which a checkpoint has under either name.
                let name = loader.named_one_of([words, "lm_head.weight"]);
                let words = loader.table(name, vocabulary, width).await?;
                (Table::OnDevice(words.clone()), Linear::tied(words))
            }
            false => (
                loader.words(words, vocabulary, width).await?,
                loader.linear("lm_head", width, vocabulary, LinearBias::Without).await?,
            ),
        };
        let positions = loader.table("transformer.wpe.weight", config.positions, config.width).await?;
        let mut blocks = Vec::new();
        for i in 0..config.layers {
            blocks.push(Block::load(config, loader, i, &format!("transformer.h.{i}")).await?);
        }
        Ok(Self {
            blocks,
            norm: LayerNorm::load(loader, "transformer.ln_f", config.width, config.epsilon)?,
            words,
            positions,
            head,
            heads: config.heads,
        })
    }

    pub fn vocabulary(&self) -> usize {
        self.words.shape()[0]
    }

    /// The tokens that there are positions for.
    pub fn max_tokens(&self) -> usize {
        self.positions.dims()[0]
    }

    /// The states of a batch, `[batch * length, width]`. No token attends to the padding, for it comes last.
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

    /// The logits of the next token for each state: `[rows, width]` to `[rows, vocabulary]`.
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
    async fn load(config: &Config, loader: &Loader<'_>, layer: usize, name: &str) -> Result<Self, PackError> {
        let (width, inner) = (config.width, config.inner);
        let norm = |part: &str| LayerNorm::load(loader, &format!("{name}.{part}"), width, config.epsilon);
        let linear = async |part: &str, inputs, outputs| {
            let name = format!("{name}.{part}");
            match config.variant {
                GptVariant::Gpt2 { .. } => loader.conv1d(&name, inputs, outputs).await,
                GptVariant::GptNeo { .. } => loader.linear(&name, inputs, outputs, LinearBias::With).await,
            }
        };
        let (qkv, attention_output) = match config.variant {
            GptVariant::Gpt2 { .. } => (linear("attn.c_attn", width, 3 * width).await?, "attn.c_proj"),
            GptVariant::GptNeo { .. } => {
                let prefix = format!("{name}.attn.attention.");
                let parts = ["q_proj", "k_proj", "v_proj"];
                let qkv = loader.linears(&prefix, &parts, width, width, LinearBias::Without).await?;
                (qkv, "attn.attention.out_proj")
            }
        };
        Ok(Self {
            attention_norm: norm("ln_1")?,
            qkv,
            attention_output: linear(attention_output, width, width).await?,
            scale: config.scale(layer),
            bias: config.bias(layer),
            norm: norm("ln_2")?,
            input: linear("mlp.c_fc", width, inner).await?,
            activation: config.activation,
            output: linear("mlp.c_proj", inner, width).await?,
        })
    }

    /// The attention, added to its input: `[batch * length, width]` to the same.
    fn mix(&self, x: Tensor<2>, batch: usize, heads: usize) -> Tensor<2> {
        let projected = by_rows([x.clone()], |[x]| self.qkv.forward(self.attention_norm.forward(x)));
        let [q, keys, values] = split_heads(projected, batch, heads);
        let mixed = attention(q, KeysValues { keys, values }, &self.bias, self.scale);
        by_rows([x, mixed], |[x, mixed]| x + self.attention_output.forward(mixed))
    }

    /// The feed-forward, added to its input: `[batch * length, width]` to the same.
    fn feed_forward(&self, x: Tensor<2>) -> Tensor<2> {
        by_rows([x], |[x]| {
            let inner = activate(self.input.forward(self.norm.forward(x.clone())), self.activation);
            x + self.output.forward(inner)
        })
    }
}
