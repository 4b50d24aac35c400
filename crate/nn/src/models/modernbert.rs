//! ModernBERT (Warner et al. 2024, "Smarter, Better, Faster, Longer: A Modern Bidirectional Encoder for Fast, Memory
//! Efficient, and Long Context Finetuning and Inference") and Ettin (Weller et al. 2025, "Seq vs Seq"), whose encoders
//! have its shape. Positions are rotary. Every third layer attends everywhere, the others to the tokens near by. Every
//! layer but the first normalises its input; the embeddings normalise that of the first. The feed-forward is gated.
//! Only the classifier has a bias. The head is over the first token or the mean of all, or over each token.

use std::collections::BTreeMap;

use burn::tensor::Tensor;
use serde::Deserialize;

use crate::error::{NnError, PackError};
use crate::json::parse_json;
use crate::kernels::elementwise::Activation;
use crate::layers::encoder::{EncoderShape, Rows, first_rows};
use crate::layers::linear::Linear;
use crate::layers::loader::{LinearBias, Loader};
use crate::layers::norm::LayerNorm;
use crate::layers::table::Table;
use crate::models::batch::Batch;
use crate::models::config::{Fixed, check_fixed, classifies_tokens};
use crate::models::encoder_settings::{Defaults, EncoderSettings};
use crate::models::{Forward, SequenceClassifier, TextEncoder, TokenClassifier};
use crate::ops::activation::{activate, gate};
use crate::ops::attention::{KeysValues, attention};
use crate::ops::bias::Bias;
use crate::ops::heads::split_heads;
use crate::ops::rotary::Rotation;
use crate::ops::rows::by_rows;
use crate::pause::pause;

const DEFAULTS: Defaults = Defaults { epsilon: 1e-5, padding: 50_283 };

/// No published checkpoint has biases or stretches its positions.
const FIXED: [Fixed; 5] = [
    ("norm_bias", "false"),
    ("attention_bias", "false"),
    ("mlp_bias", "false"),
    ("classifier_bias", "false"),
    ("rope_scaling", "null"),
];

/// The names of the two kinds of layers in `layer_types` and `rope_parameters`.
const GLOBAL: &str = "full_attention";
const LOCAL: &str = "sliding_attention";

/// theta of the rotary positions in a config that states none, of [`GLOBAL`] and [`LOCAL`] layers.
const THETAS: [f64; 2] = [160_000.0, 10_000.0];

/// The settings, checked.
#[derive(Debug)]
pub(crate) struct Config {
    settings: EncoderSettings,
    shape: EncoderShape,
    labels: Vec<String>,
    kinds: LayerKinds,
    /// theta of the rotary positions, of global and of local layers.
    thetas: [f32; 2],
    /// How many tokens a token of a local layer sees on each side.
    reach: usize,
    pooling: Pooling,
    head_activation: Activation,
}

/// Which layers are local.
#[derive(Debug)]
enum LayerKinds {
    /// All layers but 0, n, 2n and so on.
    AllButEvery(usize),
    /// The layers for which the list has true.
    Listed(Vec<bool>),
}

impl LayerKinds {
    fn is_local(&self, layer: usize) -> bool {
        match self {
            Self::AllButEvery(n) => !layer.is_multiple_of(*n),
            Self::Listed(local) => local[layer],
        }
    }
}

/// What the head of a classifier of texts reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Pooling {
    #[serde(rename = "cls")]
    First,
    #[serde(rename = "mean")]
    Mean,
}

/// What a head classifies. Its tensors have the same names either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Classified {
    Texts,
    Tokens,
}

#[derive(Debug, Deserialize)]
struct ConfigJson {
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    #[serde(default = "gelu")]
    hidden_activation: String,
    max_position_embeddings: usize,
    norm_eps: Option<f64>,
    pad_token_id: Option<usize>,
    #[serde(default)]
    id2label: BTreeMap<String, String>,
    #[serde(default = "window")]
    local_attention: usize,
    /// As published.
    #[serde(default = "three")]
    global_attn_every_n_layers: usize,
    global_rope_theta: Option<f64>,
    local_rope_theta: Option<f64>,
    /// As transformers 5 writes it.
    layer_types: Option<Vec<String>>,
    #[serde(default)]
    rope_parameters: BTreeMap<String, Option<RopeJson>>,
    #[serde(default = "first")]
    classifier_pooling: Pooling,
    #[serde(default = "gelu")]
    classifier_activation: String,
}

#[derive(Debug, Deserialize)]
struct RopeJson {
    rope_type: Option<String>,
    rope_theta: Option<f64>,
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn window() -> usize {
    128
}

fn three() -> usize {
    3
}

fn first() -> Pooling {
    Pooling::First
}

impl Config {
    /// # Errors
    /// [`PackError::Architecture`] for a setting that this module does not compute.
    pub fn parse(path: &str, json: &[u8]) -> Result<Self, PackError> {
        check_fixed(path, json, &FIXED)?;
        let mut json: ConfigJson = parse_json(path, json)?;
        let refuse = |reason: String| PackError::Architecture { path: path.to_owned(), reason };
        let activation = |setting: &str, name: &str| {
            Activation::named(name).ok_or_else(|| refuse(format!("{setting} {name:?} is not known here")))
        };
        activation("hidden_activation", &json.hidden_activation)?;
        let head_activation = activation("classifier_activation", &json.classifier_activation)?;
        let kinds = json.layer_kinds().map_err(refuse)?;
        let thetas = json.thetas().map_err(refuse)?;
        let settings = EncoderSettings {
            vocab_size: json.vocab_size,
            hidden_size: json.hidden_size,
            num_hidden_layers: json.num_hidden_layers,
            num_attention_heads: json.num_attention_heads,
            intermediate_size: json.intermediate_size,
            hidden_act: json.hidden_activation,
            max_position_embeddings: json.max_position_embeddings,
            layer_norm_eps: json.norm_eps,
            pad_token_id: json.pad_token_id,
            id2label: std::mem::take(&mut json.id2label),
        };
        let (shape, labels) = settings.check(path, &DEFAULTS)?;
        let head = shape.width / shape.heads;
        if !head.is_multiple_of(2) {
            return Err(refuse(format!("attention heads of the odd width {head} have no rotary positions")));
        }
        let (reach, pooling) = (json.local_attention / 2, json.classifier_pooling);
        Ok(Self { settings, shape, labels, kinds, thetas, reach, pooling, head_activation })
    }

    /// As [`Config::parse`], of a model whose head classifies texts or tokens, as `classified` says.
    ///
    /// # Errors
    /// Those of [`Config::parse`], and [`PackError::Architecture`] for a model with the other head.
    pub fn of_classifier(path: &str, json: &[u8], classified: Classified) -> Result<Self, PackError> {
        let reason = match (classified, classifies_tokens(path, json)?) {
            (Classified::Texts, true) => "its head classifies tokens, not texts",
            (Classified::Tokens, false) => "its head does not classify tokens",
            _ => return Self::parse(path, json),
        };
        Err(PackError::Architecture { path: path.to_owned(), reason: reason.to_owned() })
    }
}

impl ConfigJson {
    fn layer_kinds(&self) -> Result<LayerKinds, String> {
        let Some(types) = &self.layer_types else {
            return match self.global_attn_every_n_layers {
                0 => Err("global_attn_every_n_layers is 0".to_owned()),
                every => Ok(LayerKinds::AllButEvery(every)),
            };
        };
        if types.len() != self.num_hidden_layers {
            return Err(format!("layer_types has {} of {} layers", types.len(), self.num_hidden_layers));
        }
        match types.iter().find(|kind| ![GLOBAL, LOCAL].contains(&kind.as_str())) {
            Some(kind) => Err(format!("layer_types {kind:?} is not read here, only {GLOBAL:?} and {LOCAL:?}")),
            None => Ok(LayerKinds::Listed(types.iter().map(|kind| kind == LOCAL).collect())),
        }
    }

    /// theta of global and of local layers.
    fn thetas(&self) -> Result<[f32; 2], String> {
        let mut thetas = [self.global_rope_theta, self.local_rope_theta];
        for (theta, kind) in thetas.iter_mut().zip([GLOBAL, LOCAL]) {
            let Some(Some(rope)) = self.rope_parameters.get(kind) else { continue };
            if let Some(other) = rope.rope_type.as_ref().filter(|name| *name != "default") {
                return Err(format!("rope_type {other:?} is not read here, only \"default\""));
            }
            *theta = rope.rope_theta.or(*theta);
        }
        let thetas = [0, 1].map(|kind| thetas[kind].unwrap_or(THETAS[kind]) as f32);
        match thetas.iter().find(|theta| !(theta.is_finite() && **theta > 0.0)) {
            Some(theta) => Err(format!("rope_theta {theta} is out of range")),
            None => Ok(thetas),
        }
    }
}

/// The encoder.
pub(crate) struct ModernBert {
    config: Config,
    /// `[vocabulary, hidden]`
    words: Table,
    norm: LayerNorm,
    layers: Vec<Layer>,
    final_norm: LayerNorm,
}

impl ModernBert {
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let Config { settings: c, shape, .. } = &config;
        let mut layers = Vec::new();
        for i in 0..c.num_hidden_layers {
            layers.push(Layer::load(&config, loader, i).await?);
        }
        let norm = |name: &str| LayerNorm::without_bias(loader, name, shape.width, shape.epsilon);
        Ok(Self {
            words: loader.words("model.embeddings.tok_embeddings.weight", c.vocab_size, shape.width).await?,
            norm: norm("model.embeddings.norm")?,
            layers,
            final_norm: norm("model.final_norm")?,
            config,
        })
    }

    fn vocabulary(&self) -> usize {
        self.config.settings.vocab_size
    }

    fn max_tokens(&self) -> usize {
        self.config.settings.max_position_embeddings
    }

    /// The states of a batch, `[batch * length, hidden]`, or of its texts' first tokens, `[batch, hidden]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    async fn states(&self, batch: &Batch<'_>, rows: Rows) -> Result<Tensor<2>, NnError> {
        let Config { settings, shape, thetas, reach, .. } = &self.config;
        let (size, length, head) = (batch.size(), batch.length(), shape.width / shape.heads);
        // Of global and of local layers.
        let rotations = thetas.map(|theta| Rotation::new(theta, length, head));
        let biases = [batch.bias(), Bias::Window { reach: *reach, lengths: batch.padded_lengths() }];
        let mut x = self.norm.forward(self.words.select(&batch.ids(settings.padding(&DEFAULTS))));
        for (layer, later) in self.layers.iter().zip((0..self.layers.len()).rev()) {
            let kind = usize::from(layer.is_local);
            let [q, keys, values] = layer.project(x.clone(), size, shape.heads);
            let (mut q, keys) = (rotations[kind].apply(q), rotations[kind].apply(keys));
            if rows == Rows::First && later == 0 {
                (q, x) = (q.narrow(2, 0, 1), first_rows(x, size));
            }
            let mixed = attention(q, KeysValues { keys, values }, &biases[kind], (head as f64).powf(-0.5));
            pause().await?;
            x = layer.finish(x, mixed, shape.activation);
            pause().await?;
        }
        Ok(self.final_norm.forward(x))
    }
}

impl TextEncoder for ModernBert {
    fn vocabulary(&self) -> usize {
        ModernBert::vocabulary(self)
    }

    fn max_tokens(&self) -> usize {
        ModernBert::max_tokens(self)
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(self.states(batch, Rows::All))
    }
}

struct Layer {
    is_local: bool,
    /// `None` in the first layer.
    attention_norm: Option<LayerNorm>,
    /// Queries, keys and values side by side.
    qkv: Linear,
    attention_output: Linear,
    mlp_norm: LayerNorm,
    /// The activated half and the half that multiplies it, side by side.
    gated: Linear,
    output: Linear,
}

impl Layer {
    async fn load(config: &Config, loader: &Loader<'_>, number: usize) -> Result<Self, PackError> {
        let &EncoderShape { width, inner, epsilon, .. } = &config.shape;
        let name = |part: &str| format!("model.layers.{number}.{part}");
        let linear = async |part: &str, inputs: usize, outputs: usize| {
            loader.linear(&name(part), inputs, outputs, LinearBias::Without).await
        };
        let norm = |part: &str| LayerNorm::without_bias(loader, &name(part), width, epsilon);
        Ok(Self {
            is_local: config.kinds.is_local(number),
            attention_norm: if number == 0 { None } else { Some(norm("attn_norm")?) },
            qkv: linear("attn.Wqkv", width, width.saturating_mul(3)).await?,
            attention_output: linear("attn.Wo", width, width).await?,
            mlp_norm: norm("mlp_norm")?,
            gated: linear("mlp.Wi", width, inner.saturating_mul(2)).await?,
            output: linear("mlp.Wo", inner, width).await?,
        })
    }

    /// The queries, keys and values of `batch` texts: `[batch * length, hidden]` to `[batch, heads, length, width]`
    /// each.
    fn project(&self, x: Tensor<2>, batch: usize, heads: usize) -> [Tensor<4>; 3] {
        let projected = by_rows([x], |[x]| {
            self.qkv.forward(match &self.attention_norm {
                Some(norm) => norm.forward(x),
                None => x,
            })
        });
        split_heads(projected, batch, heads)
    }

    /// The layer's output, from its input and its attention's weighted sums of values, `[rows, hidden]` each.
    fn finish(&self, x: Tensor<2>, mixed: Tensor<2>, activation: Activation) -> Tensor<2> {
        by_rows([x, mixed], |[x, mixed]| {
            let x = x + self.attention_output.forward(mixed);
            let inner = gate(self.gated.forward(self.mlp_norm.forward(x.clone())), activation);
            x + self.output.forward(inner)
        })
    }
}

/// The encoder with its head, over a text or over each token.
pub(crate) struct ModernBertClassifier {
    encoder: ModernBert,
    dense: Linear,
    norm: LayerNorm,
    classifier: Linear,
}

impl ModernBertClassifier {
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let EncoderShape { width, epsilon, .. } = config.shape;
        let labels = config.labels.len();
        Ok(Self {
            encoder: ModernBert::load(config, loader).await?,
            dense: loader.linear("head.dense", width, width, LinearBias::Without).await?,
            norm: LayerNorm::without_bias(loader, "head.norm", width, epsilon)?,
            classifier: loader.linear("classifier", width, labels, LinearBias::With).await?,
        })
    }

    /// The logits of states: `[rows, hidden]` to `[rows, labels]`.
    fn classify(&self, x: Tensor<2>) -> Tensor<2> {
        let inner = activate(self.dense.forward(x), self.encoder.config.head_activation);
        self.classifier.forward(self.norm.forward(inner))
    }
}

impl SequenceClassifier for ModernBertClassifier {
    fn vocabulary(&self) -> usize {
        self.encoder.vocabulary()
    }

    fn max_tokens(&self) -> usize {
        self.encoder.max_tokens()
    }

    fn labels(&self) -> &[String] {
        &self.encoder.config.labels
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(async {
            let pooled = match self.encoder.config.pooling {
                Pooling::First => self.encoder.states(batch, Rows::First).await?,
                Pooling::Mean => batch.mean(self.encoder.states(batch, Rows::All).await?),
            };
            Ok(self.classify(pooled))
        })
    }
}

impl TokenClassifier for ModernBertClassifier {
    fn vocabulary(&self) -> usize {
        self.encoder.vocabulary()
    }

    fn max_tokens(&self) -> usize {
        self.encoder.max_tokens()
    }

    fn labels(&self) -> &[String] {
        &self.encoder.config.labels
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(async { Ok(self.classify(self.encoder.states(batch, Rows::All).await?)) })
    }
}
