//! T5, v1.0 and v1.1: an encoder-decoder with relative position buckets and no biases (Raffel et al. 2020,
//! "Exploring the Limits of Transfer Learning"). FLAN-T5 is v1.1: a gated feed-forward and a head of its own.

use burn::tensor::Tensor;
use burn::tensor::activation::softmax;
use serde::Deserialize;

use crate::layers::relative::{Buckets, RelativePosition};
use crate::layers::table::Table;
use crate::layers::{Activation, Bias, KeysValues, Linear, RmsNorm, attention, split_heads};
use crate::models::config::parse_config;
use crate::pause::pause;
use crate::threads::by_rows;
use crate::weights::Weights;
use crate::{NnError, PackError};

/// T5 leaves its attention scores as they are: its initialisation takes the place of 1 / sqrt(d_kv).
const UNSCALED: f64 = 1.0;

/// What config.json says, with the defaults of the layout.
#[derive(Debug)]
pub(crate) struct Config {
    layout: Layout,
    activation: Activation,
    gated: bool,
}

#[derive(Debug, Deserialize)]
struct Layout {
    vocab_size: usize,
    d_model: usize,
    d_kv: usize,
    d_ff: usize,
    num_heads: usize,
    num_layers: usize,
    num_decoder_layers: Option<usize>,
    #[serde(default = "buckets")]
    relative_attention_num_buckets: usize,
    #[serde(default = "max_distance")]
    relative_attention_max_distance: usize,
    #[serde(default = "relu")]
    feed_forward_proj: String,
    #[serde(default = "epsilon")]
    layer_norm_epsilon: f64,
    #[serde(default = "tied")]
    tie_word_embeddings: bool,
    /// Written by recent versions of transformers in place of `tie_word_embeddings: false`.
    scale_decoder_outputs: Option<bool>,
    #[serde(default)]
    pad_token_id: u32,
    decoder_start_token_id: Option<u32>,
    #[serde(default = "end")]
    eos_token_id: u32,
}

fn buckets() -> usize {
    32
}

fn max_distance() -> usize {
    128
}

fn relu() -> String {
    "relu".to_owned()
}

fn epsilon() -> f64 {
    1e-6
}

fn tied() -> bool {
    true
}

fn end() -> u32 {
    1
}

impl Config {
    /// # Errors
    /// [`PackError::Architecture`] for a setting that this module does not compute.
    pub fn parse(path: &str, json: &[u8]) -> Result<Self, PackError> {
        let layout: Layout = parse_config(path, json)?;
        let refuse = |reason: String| Err(PackError::Architecture { path: path.to_owned(), reason });
        // "gated-gelu" has always meant the approximation by tanh, plain "gelu" the exact one.
        let (gated, name) = match layout.feed_forward_proj.as_str() {
            "gated-gelu" => (true, "gelu_new"),
            other => other.strip_prefix("gated-").map_or((false, other), |name| (true, name)),
        };
        let Some(activation) = Activation::named(name) else {
            return refuse(format!("feed_forward_proj {name:?} is not known here"));
        };
        if layout.num_heads == 0 || layout.d_kv == 0 || layout.num_heads.checked_mul(layout.d_kv).is_none() {
            return refuse(format!("num_heads {} of d_kv {}", layout.num_heads, layout.d_kv));
        }
        if layout.d_model == 0 || layout.d_ff == 0 || layout.layer_norm_epsilon < 0.0 {
            return refuse("d_model, d_ff or layer_norm_epsilon is out of range".to_owned());
        }
        let (buckets, distance) = (layout.relative_attention_num_buckets, layout.relative_attention_max_distance);
        if buckets < 4 || !buckets.is_multiple_of(2) || distance <= buckets / 2 {
            return refuse(format!("{buckets} relative_attention_num_buckets to a distance of {distance}"));
        }
        let start = layout.decoder_start_token_id.unwrap_or(layout.pad_token_id);
        if start as usize >= layout.vocab_size {
            return refuse(format!("decoder_start_token_id {start} of {} tokens", layout.vocab_size));
        }
        Ok(Self { layout, activation, gated })
    }
}

/// The model, ready to run.
pub(crate) struct T5 {
    /// `[vocabulary, d_model]`
    words: Table,
    encoder: Encoder,
    decoder: Decoder,
    head: Linear,
    /// What the decoder's output is multiplied with before a tied head.
    scale: Option<f64>,
    start: u32,
    end: u32,
}

impl T5 {
    pub fn load(config: &Config, weights: &Weights) -> Result<Self, PackError> {
        let c = &config.layout;
        let scaled = c.scale_decoder_outputs.unwrap_or(c.tie_word_embeddings);
        let own_head = !scaled && (!c.tie_word_embeddings || weights.has("lm_head.weight"));
        let (words, head) = match own_head {
            true => (
                weights.words("shared.weight", c.vocab_size, c.d_model)?,
                weights.linear("", &["lm_head"], c.d_model, c.vocab_size, false)?,
            ),
            false => {
                let words = weights.table("shared.weight", c.vocab_size, c.d_model)?;
                (Table::Placed(words.clone()), Linear::tied(words))
            }
        };
        Ok(Self {
            encoder: Encoder::load(config, weights)?,
            decoder: Decoder::load(config, weights)?,
            words,
            head,
            scale: scaled.then(|| (c.d_model as f64).powf(-0.5)),
            start: c.decoder_start_token_id.unwrap_or(c.pad_token_id),
            end: c.eos_token_id,
        })
    }

    pub fn vocabulary(&self) -> usize {
        self.words.shape()[0]
    }

    /// The token that decoding starts from.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// The token that ends a text.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// Reads the input and stands before the first step of its decoding.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn encode(&self, ids: &[u32]) -> Result<Decoding, NnError> {
        let states = self.encoder.forward(self.embed(ids)).await?;
        let layer = |_: &_| LayerCache { input: Input::States(states.clone()), output: None };
        Ok(Decoding { layers: self.decoder.blocks.iter().map(layer).collect(), length: 0 })
    }

    /// Reads more tokens of the output: the states that the next follow from, `[tokens, d_model]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`], after which the decoding is of no use.
    pub async fn decode(&self, decoding: &mut Decoding, tokens: &[u32]) -> Result<Tensor<2>, NnError> {
        self.decoder.forward(self.embed(tokens), decoding).await
    }

    /// The logits that follow from states: `[rows, d_model]` to `[rows, vocabulary]`.
    pub fn head(&self, states: Tensor<2>) -> Tensor<2> {
        self.head.forward(match self.scale {
            Some(scale) => states * scale,
            None => states,
        })
    }

    /// `[tokens, d_model]`
    fn embed(&self, ids: &[u32]) -> Tensor<2> {
        let ids: Vec<usize> = ids.iter().map(|&id| id as usize).collect();
        self.words.select(&ids)
    }
}

/// How far a decoding is: what its steps share, layer by layer.
pub(crate) struct Decoding {
    layers: Vec<LayerCache>,
    /// Tokens read so far.
    length: usize,
}

struct LayerCache {
    input: Input,
    /// Of the tokens decoded so far.
    output: Option<KeysValues>,
}

/// What a decoder's layer attends to.
enum Input {
    /// The encoder's states, `[length, d_model]`.
    States(Tensor<2>),
    /// The layer's keys and values of them.
    Projected(KeysValues),
}

/// The first layer's relative positions, which are used in all.
fn relative_position(
    config: &Config,
    weights: &Weights,
    stack: &str,
    bidirectional: bool,
) -> Result<RelativePosition, PackError> {
    let c = &config.layout;
    let name = format!("{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
    let (count, max_distance) = (c.relative_attention_num_buckets, c.relative_attention_max_distance);
    RelativePosition::load(weights, &name, c.num_heads, Buckets { count, max_distance, bidirectional })
}

struct Encoder {
    position: RelativePosition,
    blocks: Vec<EncoderBlock>,
    norm: RmsNorm,
}

struct EncoderBlock {
    attention: SelfAttention,
    feed_forward: FeedForward,
}

impl Encoder {
    fn load(config: &Config, weights: &Weights) -> Result<Self, PackError> {
        let c = &config.layout;
        let block = |i: usize| {
            Ok(EncoderBlock {
                attention: SelfAttention::load(config, weights, &format!("encoder.block.{i}.layer.0"))?,
                feed_forward: FeedForward::load(config, weights, &format!("encoder.block.{i}.layer.1"))?,
            })
        };
        Ok(Self {
            position: relative_position(config, weights, "encoder", true)?,
            blocks: (0..c.num_layers).map(block).collect::<Result<_, _>>()?,
            norm: RmsNorm::load(weights, "encoder.final_layer_norm", c.d_model, c.layer_norm_epsilon)?,
        })
    }

    async fn forward(&self, mut x: Tensor<2>) -> Result<Tensor<2>, NnError> {
        let length = x.dims()[0];
        let bias = self.position.bias(0, length, length, None);
        for block in &self.blocks {
            x = x.clone() + block.attention.forward(x, &bias, None).0;
            pause().await?;
            x = x.clone() + block.feed_forward.forward(x);
            pause().await?;
        }
        Ok(self.norm.forward(x))
    }
}

struct Decoder {
    position: RelativePosition,
    blocks: Vec<DecoderBlock>,
    norm: RmsNorm,
}

struct DecoderBlock {
    attention: SelfAttention,
    cross: CrossAttention,
    feed_forward: FeedForward,
}

impl Decoder {
    fn load(config: &Config, weights: &Weights) -> Result<Self, PackError> {
        let c = &config.layout;
        let block = |i: usize| {
            Ok(DecoderBlock {
                attention: SelfAttention::load(config, weights, &format!("decoder.block.{i}.layer.0"))?,
                cross: CrossAttention::load(config, weights, &format!("decoder.block.{i}.layer.1"))?,
                feed_forward: FeedForward::load(config, weights, &format!("decoder.block.{i}.layer.2"))?,
            })
        };
        Ok(Self {
            position: relative_position(config, weights, "decoder", false)?,
            blocks: (0..c.num_decoder_layers.unwrap_or(c.num_layers)).map(block).collect::<Result<_, _>>()?,
            norm: RmsNorm::load(weights, "decoder.final_layer_norm", c.d_model, c.layer_norm_epsilon)?,
        })
    }

    /// More tokens, `[tokens, d_model]`, after those in the cache.
    async fn forward(&self, mut x: Tensor<2>, decoding: &mut Decoding) -> Result<Tensor<2>, NnError> {
        let tokens = x.dims()[0];
        let bias = self.position.bias(decoding.length, tokens, decoding.length + tokens, None);
        decoding.length += tokens;
        for (block, cache) in self.blocks.iter().zip(&mut decoding.layers) {
            let (mixed, output) = block.attention.forward(x.clone(), &bias, cache.output.take());
            cache.output = Some(output);
            x = x + mixed;
            x = x.clone() + block.cross.forward(x, &mut cache.input, decoding.length);
            pause().await?;
            x = x.clone() + block.feed_forward.forward(x);
            pause().await?;
        }
        Ok(self.norm.forward(x))
    }
}

struct SelfAttention {
    norm: RmsNorm,
    /// Queries, keys and values side by side.
    qkv: Linear,
    output: Linear,
    heads: usize,
}

impl SelfAttention {
    fn load(config: &Config, weights: &Weights, layer: &str) -> Result<Self, PackError> {
        let c = &config.layout;
        let inner = c.num_heads * c.d_kv;
        let name = format!("{layer}.SelfAttention.");
        Ok(Self {
            norm: RmsNorm::load(weights, &format!("{layer}.layer_norm"), c.d_model, c.layer_norm_epsilon)?,
            qkv: weights.linear(&name, &["q", "k", "v"], c.d_model, inner, false)?,
            output: weights.linear(&name, &["o"], inner, c.d_model, false)?,
            heads: c.num_heads,
        })
    }

    /// Attends to the keys of `earlier` tokens and to its own; gives all of them back.
    fn forward(&self, x: Tensor<2>, bias: &Bias, earlier: Option<KeysValues>) -> (Tensor<2>, KeysValues) {
        let projected = by_rows([x], |[x]| self.qkv.forward(self.norm.forward(x)));
        let [q, keys, values] = split_heads(projected, 1, self.heads);
        let own = KeysValues { keys, values };
        let all = match earlier {
            Some(earlier) => earlier.extend(own),
            None => own,
        };
        let mixed = attention(q, all.clone(), bias, UNSCALED);
        (by_rows([mixed], |[mixed]| self.output.forward(mixed)), all)
    }
}

/// Attention to the encoder's states h. Of a head's scores, q (h K')' = (q K) h', and of what it mixes, a (h V') = (a h) V': as
/// long as few tokens ask, the right-hand sides need far fewer products, for no state is projected.
struct CrossAttention {
    norm: RmsNorm,
    query: Linear,
    /// K: `[heads, d_kv, d_model]`
    key: Tensor<3>,
    /// V: `[heads, d_kv, d_model]`
    value: Tensor<3>,
    output: Linear,
}

impl CrossAttention {
    fn load(config: &Config, weights: &Weights, layer: &str) -> Result<Self, PackError> {
        let c = &config.layout;
        let inner = c.num_heads * c.d_kv;
        let name = format!("{layer}.EncDecAttention.");
        let by_head = |part: &str| {
            let weight = weights.matrix(&format!("{name}{part}.weight"), inner, c.d_model)?;
            Ok(weight.reshape([c.num_heads, c.d_kv, c.d_model]))
        };
        Ok(Self {
            norm: RmsNorm::load(weights, &format!("{layer}.layer_norm"), c.d_model, c.layer_norm_epsilon)?,
            query: weights.linear(&name, &["q"], c.d_model, inner, false)?,
            key: by_head("k")?,
            value: by_head("v")?,
            output: weights.linear(&name, &["o"], inner, c.d_model, false)?,
        })
    }

    /// `asked` counts the tokens that have attended to the input, these included.
    fn forward(&self, x: Tensor<2>, input: &mut Input, asked: usize) -> Tensor<2> {
        let [heads, width, _] = self.key.dims();
        let tokens = x.dims()[0];
        let q = self.query.forward(self.norm.forward(x)).reshape([tokens, heads, width]).swap_dims(0, 1);
        if let Input::States(states) = &*input
            && asked > width
        {
            *input = Input::Projected(self.keys_values(states.clone()));
        }
        self.output.forward(match input {
            Input::States(states) => self.attend(q, states.clone()),
            Input::Projected(to) => attention(q.unsqueeze(), to.clone(), &Bias::None, UNSCALED),
        })
    }

    /// The queries are `[heads, tokens, d_kv]`; what they mix stands side by side, `[tokens, heads * d_kv]`.
    fn attend(&self, q: Tensor<3>, states: Tensor<2>) -> Tensor<2> {
        let [heads, tokens, width] = q.dims();
        let d_model = states.dims()[1];
        let q = q.matmul(self.key.clone()).reshape([heads * tokens, d_model]);
        let weights = softmax(q.matmul(states.clone().transpose()), 1);
        let mixed = weights.matmul(states).reshape([heads, tokens, d_model]);
        mixed.matmul(self.value.clone().swap_dims(1, 2)).swap_dims(0, 1).reshape([tokens, heads * width])
    }

    fn keys_values(&self, states: Tensor<2>) -> KeysValues {
        let project = |weight: &Tensor<3>| {
            states.clone().unsqueeze::<3>().matmul(weight.clone().swap_dims(1, 2)).unsqueeze::<4>()
        };
        KeysValues { keys: project(&self.key), values: project(&self.value) }
    }
}

struct FeedForward {
    norm: RmsNorm,
    /// Two projections side by side where it is gated.
    input: Linear,
    /// Its inputs reach tens of thousands in published checkpoints.
    output: Linear,
    activation: Activation,
    gated: bool,
}

impl FeedForward {
    fn load(config: &Config, weights: &Weights, layer: &str) -> Result<Self, PackError> {
        let c = &config.layout;
        let name = format!("{layer}.DenseReluDense.");
        let inputs: &[&str] = if config.gated { &["wi_0", "wi_1"] } else { &["wi"] };
        Ok(Self {
            norm: RmsNorm::load(weights, &format!("{layer}.layer_norm"), c.d_model, c.layer_norm_epsilon)?,
            input: weights.linear(&name, inputs, c.d_model, c.d_ff, false)?,
            output: weights.wide_linear(&format!("{name}wo"), c.d_ff, c.d_model)?,
            activation: config.activation,
            gated: config.gated,
        })
    }

    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        by_rows([x], |[x]| {
            let x = self.input.forward(self.norm.forward(x));
            self.output.forward(if self.gated { self.activation.gate(x) } else { self.activation.forward(x) })
        })
    }
}
