//! T5, v1.0 and v1.1: an encoder-decoder with relative position buckets and no biases (Raffel et al. 2020,
//! "Exploring the Limits of Transfer Learning"). FLAN-T5 is v1.1: a gated feed-forward and a head of its own.

use burn::tensor::Tensor;
use burn::tensor::activation::softmax;
use serde::Deserialize;

use crate::error::{NnError, PackError};
use crate::json::parse_json;
use crate::kernels::elementwise::Activation;
use crate::layers::linear::Linear;
use crate::layers::loader::{LinearBias, Loader};
use crate::layers::norm::RmsNorm;
use crate::layers::relative::{Buckets, Reach, RelativePosition};
use crate::layers::table::Table;
use crate::models::config::{Fixed, check_fixed};
use crate::ops::activation::{activate, gate};
use crate::ops::attention::{KeysValues, attention};
use crate::ops::bias::Bias;
use crate::ops::heads::split_heads;
use crate::ops::rows::by_rows;
use crate::pause::pause;

/// T5 does not scale its attention scores: its initialisation takes the place of 1 / sqrt(d_kv).
const UNSCALED: f64 = 1.0;

/// An encoder or a decoder alone, and a decoder that shares the encoder's weights, are not supported.
const FIXED: [Fixed; 3] = [("is_encoder_decoder", "true"), ("is_decoder", "false"), ("tie_encoder_decoder", "false")];

/// The settings, checked.
#[derive(Debug)]
pub(crate) struct Config {
    json: ConfigJson,
    activation: Activation,
    gated: bool,
}

#[derive(Debug, Deserialize)]
struct ConfigJson {
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
    /// transformers repeats in these two settings what `feed_forward_proj` says.
    is_gated_act: Option<bool>,
    dense_act_fn: Option<String>,
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
        check_fixed(path, json, &FIXED)?;
        let json: ConfigJson = parse_json(path, json)?;
        let refuse = |reason: String| Err(PackError::Architecture { path: path.to_owned(), reason });
        // "gated-gelu" means the approximation by tanh, plain "gelu" the exact function.
        let (gated, name) = match json.feed_forward_proj.as_str() {
            "gated-gelu" => (true, "gelu_new"),
            other => other.strip_prefix("gated-").map_or((false, other), |name| (true, name)),
        };
        let Some(activation) = Activation::named(name) else {
            return refuse(format!("feed_forward_proj {name:?} is not known here"));
        };
        if json.is_gated_act.is_some_and(|found| found != gated)
            || json.dense_act_fn.as_ref().is_some_and(|found| found != name)
        {
            let (is_gated, act) = (json.is_gated_act, json.dense_act_fn);
            let other = format!("is_gated_act {is_gated:?} and dense_act_fn {act:?}");
            return refuse(format!("feed_forward_proj {:?} contradicts {other}", json.feed_forward_proj));
        }
        if json.num_heads == 0 || json.d_kv == 0 || json.num_heads.checked_mul(json.d_kv).is_none() {
            return refuse(format!("num_heads {} of d_kv {}", json.num_heads, json.d_kv));
        }
        if json.d_model == 0 || json.d_ff == 0 || json.layer_norm_epsilon < 0.0 {
            return refuse("d_model, d_ff or layer_norm_epsilon is out of range".to_owned());
        }
        let (buckets, distance) = (json.relative_attention_num_buckets, json.relative_attention_max_distance);
        if buckets < 4 || !buckets.is_multiple_of(2) || distance <= buckets / 2 {
            return refuse(format!("{buckets} relative_attention_num_buckets to a distance of {distance}"));
        }
        let start = json.decoder_start_token_id.unwrap_or(json.pad_token_id);
        if start as usize >= json.vocab_size {
            return refuse(format!("decoder_start_token_id {start} of {} tokens", json.vocab_size));
        }
        Ok(Self { json, activation, gated })
    }

    /// The rows and columns of the word embeddings.
    #[cfg(not(target_family = "wasm"))]
    pub fn words(&self) -> [usize; 2] {
        [self.json.vocab_size, self.json.d_model]
    }

    /// The id of `<pad>`.
    #[cfg(not(target_family = "wasm"))]
    pub fn padding(&self) -> u32 {
        self.json.pad_token_id
    }
}

/// The model.
pub(crate) struct T5 {
    /// `[vocabulary, d_model]`
    words: Table,
    encoder: Encoder,
    decoder: Decoder,
    head: Linear,
    /// The decoder's output is multiplied by this before a tied head.
    scale: Option<f64>,
    start: u32,
    end: u32,
}

impl T5 {
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: &Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let c = &config.json;
        let scaled = c.scale_decoder_outputs.unwrap_or(c.tie_word_embeddings);
        let own_head = !scaled && (!c.tie_word_embeddings || loader.has("lm_head.weight"));
        let (words, head) = match own_head {
            true => (
                loader.words("shared.weight", c.vocab_size, c.d_model).await?,
                loader.linear("lm_head", c.d_model, c.vocab_size, LinearBias::Without).await?,
            ),
            false => {
                // One table, which a checkpoint may have under the head's name alone.
                let name = loader.named_one_of(["shared.weight", "lm_head.weight"]);
                let words = loader.table(name, c.vocab_size, c.d_model).await?;
                (Table::OnDevice(words.clone()), Linear::tied(words))
            }
        };
        Ok(Self {
            encoder: Encoder::load(config, loader, "encoder").await?,
            decoder: Decoder::load(config, loader).await?,
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

    /// Encodes each input separately; the decoder attends to their concatenated states (Izacard and Grave 2021, FiD).
    /// Returns the decoding before its first step.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn encode(&self, inputs: &[Vec<u32>]) -> Result<Decoding, NnError> {
        let mut states = Vec::new();
        for ids in inputs {
            states.push(self.encoder.forward(self.embed(ids)).await?);
        }
        let states = Tensor::cat(states, 0);
        let layer = |_: &_| LayerCache { input: Input::States(states.clone()), output: None };
        Ok(Decoding { layers: self.decoder.blocks.iter().map(layer).collect(), length: 0 })
    }

    /// Reads more tokens of the output. Returns their states, `[tokens, d_model]`, from which [`T5::head`] computes the
    /// logits of the next tokens.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]; the decoding cannot go on after it.
    pub async fn decode(&self, decoding: &mut Decoding, tokens: &[u32]) -> Result<Tensor<2>, NnError> {
        self.decoder.forward(self.embed(tokens), decoding).await
    }

    /// The logits of the next token for each state: `[rows, d_model]` to `[rows, vocabulary]`.
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

/// The state of a decoding: what its steps share, layer by layer.
pub(crate) struct Decoding {
    layers: Vec<LayerCache>,
    /// Tokens read so far.
    length: usize,
}

struct LayerCache {
    input: Input,
    /// The keys and values of the tokens decoded so far.
    output: Option<KeysValues>,
}

/// The encoder's output, as a decoder's layer attends to it.
enum Input {
    /// The encoder's states, `[length, d_model]`.
    States(Tensor<2>),
    /// The layer's keys and values of these states.
    Projected(KeysValues),
}

/// The relative positions of the first layer, which all layers use.
fn relative_position(
    config: &Config,
    loader: &Loader,
    stack: &str,
    reach: Reach,
) -> Result<RelativePosition, PackError> {
    let c = &config.json;
    let name = format!("{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
    let (count, max_distance) = (c.relative_attention_num_buckets, c.relative_attention_max_distance);
    RelativePosition::load(loader, &name, c.num_heads, Buckets { count, max_distance, reach })
}

/// T5's encoder.
pub(super) struct Encoder {
    position: RelativePosition,
    blocks: Vec<EncoderBlock>,
    norm: RmsNorm,
}

struct EncoderBlock {
    attention: SelfAttention,
    feed_forward: FeedForward,
}

impl Encoder {
    /// `stack` is what the names of its tensors begin with.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: &Config, loader: &Loader<'_>, stack: &str) -> Result<Self, PackError> {
        let c = &config.json;
        let mut blocks = Vec::new();
        for i in 0..c.num_layers {
            blocks.push(EncoderBlock {
                attention: SelfAttention::load(config, loader, &format!("{stack}.block.{i}.layer.0")).await?,
                feed_forward: FeedForward::load(config, loader, &format!("{stack}.block.{i}.layer.1")).await?,
            });
        }
        Ok(Self {
            position: relative_position(config, loader, stack, Reach::Both)?,
            blocks,
            norm: RmsNorm::load(loader, &format!("{stack}.final_layer_norm"), c.d_model, c.layer_norm_epsilon)?,
        })
    }

    /// From the embeddings of one text's tokens to their states, both `[tokens, d_model]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn forward(&self, mut x: Tensor<2>) -> Result<Tensor<2>, NnError> {
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
    async fn load(config: &Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let c = &config.json;
        let mut blocks = Vec::new();
        for i in 0..c.num_decoder_layers.unwrap_or(c.num_layers) {
            blocks.push(DecoderBlock {
                attention: SelfAttention::load(config, loader, &format!("decoder.block.{i}.layer.0")).await?,
                cross: CrossAttention::load(config, loader, &format!("decoder.block.{i}.layer.1")).await?,
                feed_forward: FeedForward::load(config, loader, &format!("decoder.block.{i}.layer.2")).await?,
            });
        }
        Ok(Self {
            position: relative_position(config, loader, "decoder", Reach::Before)?,
            blocks,
            norm: RmsNorm::load(loader, "decoder.final_layer_norm", c.d_model, c.layer_norm_epsilon)?,
        })
    }

    /// The states of more tokens, `[tokens, d_model]`, after those in the cache.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
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
    async fn load(config: &Config, loader: &Loader<'_>, layer: &str) -> Result<Self, PackError> {
        let c = &config.json;
        let inner = c.num_heads * c.d_kv;
        let name = format!("{layer}.SelfAttention.");
        Ok(Self {
            norm: RmsNorm::load(loader, &format!("{layer}.layer_norm"), c.d_model, c.layer_norm_epsilon)?,
            qkv: loader.linears(&name, &["q", "k", "v"], c.d_model, inner, LinearBias::Without).await?,
            output: loader.linear(&format!("{name}o"), inner, c.d_model, LinearBias::Without).await?,
            heads: c.num_heads,
        })
    }

    /// Attends to the keys of `earlier` tokens and to those of `x`. Returns the output, and all keys and values.
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

/// Attention to the encoder's states h. A head's scores are q (h K')' = (q K) h', and it mixes a (h V') = (a h) V'.
/// While there are few queries, the right-hand sides take far fewer products, for they project no state.
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
    async fn load(config: &Config, loader: &Loader<'_>, layer: &str) -> Result<Self, PackError> {
        let c = &config.json;
        let inner = c.num_heads * c.d_kv;
        let name = format!("{layer}.EncDecAttention.");
        let by_head = async |part: &str| {
            let weight = loader.matrix(&format!("{name}{part}.weight"), inner, c.d_model).await?;
            Ok::<_, PackError>(weight.reshape([c.num_heads, c.d_kv, c.d_model]))
        };
        Ok(Self {
            norm: RmsNorm::load(loader, &format!("{layer}.layer_norm"), c.d_model, c.layer_norm_epsilon)?,
            query: loader.linear(&format!("{name}q"), c.d_model, inner, LinearBias::Without).await?,
            key: by_head("k").await?,
            value: by_head("v").await?,
            output: loader.linear(&format!("{name}o"), inner, c.d_model, LinearBias::Without).await?,
        })
    }

    /// `asked` is the number of queries so far: the tokens that have attended to the input, these included.
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

    /// From queries, `[heads, tokens, d_kv]`, to the mixed values with the heads side by side,
    /// `[tokens, heads * d_kv]`.
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
    /// Two projections side by side if it is gated.
    input: Linear,
    /// Its inputs reach tens of thousands in published checkpoints, so int8 is too coarse for them.
    output: Linear,
    activation: Activation,
    gated: bool,
}

impl FeedForward {
    async fn load(config: &Config, loader: &Loader<'_>, layer: &str) -> Result<Self, PackError> {
        let c = &config.json;
        let name = format!("{layer}.DenseReluDense.");
        let inputs: &[&str] = if config.gated { &["wi_0", "wi_1"] } else { &["wi"] };
        Ok(Self {
            norm: RmsNorm::load(loader, &format!("{layer}.layer_norm"), c.d_model, c.layer_norm_epsilon)?,
            input: loader.linears(&name, inputs, c.d_model, c.d_ff, LinearBias::Without).await?,
            output: loader.wide_linear(&format!("{name}wo"), c.d_ff, c.d_model).await?,
            activation: config.activation,
            gated: config.gated,
        })
    }

    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        by_rows([x], |[x]| {
            let x = self.input.forward(self.norm.forward(x));
            self.output.forward(if self.gated { gate(x, self.activation) } else { activate(x, self.activation) })
        })
    }
}
