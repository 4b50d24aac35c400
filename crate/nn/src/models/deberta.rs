//! DeBERTa-v2 and v3 for sequence classification (He et al. 2021, "DeBERTa: Decoding-enhanced BERT with Disentangled
//! Attention"; He et al. 2023, "DeBERTaV3"). An encoder without positions in its embeddings: its attention scores are
//! the sum of content to content, content to position and position to content. It has a head over its first token.

use burn::tensor::Tensor;
use serde::Deserialize;

use crate::error::{NnError, PackError};
use crate::json::parse_json;
use crate::kernels::elementwise::Activation;
use crate::layers::encoder::{BERT, EncoderLayer, EncoderShape, Names, first_rows};
use crate::layers::linear::Linear;
use crate::layers::loader::{LinearBias, Loader};
use crate::layers::norm::LayerNorm;
use crate::layers::table::Table;
use crate::models::batch::Batch;
use crate::models::config::{Fixed, check_fixed};
use crate::models::encoder_settings::{Defaults, EncoderSettings};
use crate::models::{Forward, SequenceClassifier};
use crate::ops::activation::activate;
use crate::ops::attention::{KeysValues, attention};
use crate::ops::bias::Bias;
use crate::ops::indices;
use crate::pause::pause;

const DEFAULTS: Defaults = Defaults { epsilon: 1e-7, padding: 0 };

const NAMES: Names = Names { projections: ("attention.self.", ["query_proj", "key_proj", "value_proj"]), ..BERT };

/// The convolution of deberta-v2-xlarge is not computed.
const FIXED: [Fixed; 1] = [("conv_kernel_size", "0")];

/// The settings, checked.
#[derive(Debug)]
pub(crate) struct Config {
    json: ConfigJson,
    positions: RelativePositions,
    content_to_position: bool,
    position_to_content: bool,
    shape: EncoderShape,
    pooler_activation: Activation,
    labels: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct ConfigJson {
    #[serde(flatten)]
    settings: EncoderSettings,
    #[serde(default)]
    type_vocab_size: usize,
    #[serde(default)]
    relative_attention: bool,
    #[serde(default = "unset")]
    max_relative_positions: i64,
    #[serde(default = "unset")]
    position_buckets: i64,
    #[serde(default)]
    pos_att_type: PositionTerms,
    #[serde(default)]
    share_att_key: bool,
    #[serde(default = "yes")]
    position_biased_input: bool,
    #[serde(default)]
    norm_rel_ebd: String,
    embedding_size: Option<usize>,
    attention_head_size: Option<usize>,
    pooler_hidden_size: Option<usize>,
    #[serde(default = "gelu")]
    pooler_hidden_act: String,
}

/// `pos_att_type`: one string as published, a list as transformers writes it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum PositionTerms {
    Joined(String),
    Listed(Vec<String>),
}

impl Default for PositionTerms {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

impl PositionTerms {
    fn names(&self) -> Vec<String> {
        match self {
            Self::Joined(names) => {
                let names = names.split('|').map(|name| name.trim().to_lowercase());
                names.filter(|name| !name.is_empty()).collect()
            }
            Self::Listed(names) => names.clone(),
        }
    }
}

fn unset() -> i64 {
    -1
}

fn yes() -> bool {
    true
}

fn gelu() -> String {
    "gelu".to_owned()
}

impl Config {
    /// # Errors
    /// [`PackError::Architecture`] for a setting that this module does not compute.
    pub fn parse(path: &str, json: &[u8]) -> Result<Self, PackError> {
        check_fixed(path, json, &FIXED)?;
        let json: ConfigJson = parse_json(path, json)?;
        let refuse = |reason: String| Err(PackError::Architecture { path: path.to_owned(), reason });
        let (shape, labels) = json.settings.check(path, &DEFAULTS)?;
        let Some(pooler_activation) = Activation::named(&json.pooler_hidden_act) else {
            return refuse(format!("pooler_hidden_act {:?} is not known here", json.pooler_hidden_act));
        };
        let (width, heads) = (shape.width, shape.heads);
        let other_widths = [
            ("embedding_size", json.embedding_size, width),
            ("pooler_hidden_size", json.pooler_hidden_size, width),
            ("attention_head_size", json.attention_head_size, width / heads),
        ];
        for (name, found, read) in other_widths {
            if found.is_some_and(|found| found != read) {
                return refuse(format!("{name} {found:?} is not read here, only {read}"));
            }
        }
        // The defaults of all three are the opposite values, which are not supported.
        let wanted = [
            ("position_biased_input", json.position_biased_input, false),
            ("relative_attention", json.relative_attention, true),
            ("share_att_key", json.share_att_key, true),
        ];
        if let Some((name, found, read)) = wanted.into_iter().find(|(_, found, read)| found != read) {
            return refuse(format!("{name} {found} is not read here, only {read}"));
        }
        let terms = json.pos_att_type.names();
        if terms.is_empty() || terms.iter().any(|term| !matches!(&**term, "c2p" | "p2c")) {
            return refuse(format!("pos_att_type {terms:?} is not read here, only \"c2p\" and \"p2c\""));
        }
        let Some(positions) = RelativePositions::of(&json) else {
            let (buckets, distance) = (json.position_buckets, json.max_relative_positions);
            return refuse(format!("{buckets} position_buckets to a distance of {distance}"));
        };
        let (content_to_position, position_to_content) =
            ["c2p", "p2c"].map(|name| terms.iter().any(|term| term == name)).into();
        Ok(Self { json, positions, content_to_position, position_to_content, shape, pooler_activation, labels })
    }
}

/// delta(i, j) of the paper: maps how far the query is after the key to a row of the relative embedding.
#[derive(Clone, Copy, Debug)]
struct RelativePositions {
    /// The rows on each side of 0.
    span: usize,
    /// All distances from this one on share a row.
    max_distance: usize,
    /// Whether distances beyond half the span share rows, in buckets that widen logarithmically.
    bucketed: bool,
}

impl RelativePositions {
    fn of(json: &ConfigJson) -> Option<Self> {
        let max_distance = match json.max_relative_positions {
            ..1 => json.settings.max_position_embeddings,
            distance => usize::try_from(distance).ok()?,
        };
        let bucketed = json.position_buckets > 0;
        let span = if bucketed { usize::try_from(json.position_buckets).ok()? } else { max_distance };
        span.checked_mul(2)?;
        let fits = if bucketed { span >= 4 && max_distance > span / 2 + 1 } else { span > 0 };
        fits.then_some(Self { span, max_distance, bucketed })
    }

    /// The row for a query that is `after` tokens after its key.
    fn row(&self, after: isize) -> usize {
        let place = self.span as isize + if self.bucketed { self.bucket(after) } else { after };
        place.clamp(0, 2 * self.span as isize - 1) as usize
    }

    /// The bucket of a distance: one for each distance up to half the span, then logarithmically wider ones.
    fn bucket(&self, after: isize) -> isize {
        let exact = self.span as isize / 2;
        if after.abs() <= exact {
            return after;
        }
        let (exact_f, last) = (exact as f64, (self.max_distance - 1) as f64);
        let wide = (after.abs() as f64 / exact_f).ln() / (last / exact_f).ln() * (exact_f - 1.0);
        // The 1e-9 puts a distance at the bound of a bucket into the same bucket on every platform, however it rounds
        // logarithms.
        after.signum() * ((wide - 1e-9).ceil() as isize + exact)
    }
}

/// The encoder with its head for classification.
pub(crate) struct DebertaClassifier {
    config: Config,
    /// `[vocabulary, hidden]`
    words: Table,
    /// `[types, hidden]`, in a model that has token types.
    types: Option<Tensor<2>>,
    norm: LayerNorm,
    layers: Vec<Layer>,
    pooler: Linear,
    classifier: Linear,
}

impl DebertaClassifier {
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let c = &config.json;
        let (width, epsilon) = (config.shape.width, config.shape.epsilon);
        let relative = loader.table("deberta.encoder.rel_embeddings.weight", 2 * config.positions.span, width).await?;
        let relative = match c.norm_rel_ebd.split('|').any(|norm| norm.trim() == "layer_norm") {
            true => LayerNorm::load(loader, "deberta.encoder.LayerNorm", width, epsilon)?.forward(relative),
            false => relative,
        };
        let mut layers = Vec::new();
        for i in 0..c.settings.num_hidden_layers {
            layers.push(Layer::load(&config, loader, &format!("deberta.encoder.layer.{i}"), &relative).await?);
        }
        let types = match c.type_vocab_size {
            0 => None,
            types => Some(loader.table("deberta.embeddings.token_type_embeddings.weight", types, width).await?),
        };
        Ok(Self {
            words: loader.words("deberta.embeddings.word_embeddings.weight", c.settings.vocab_size, width).await?,
            types,
            norm: LayerNorm::load(loader, "deberta.embeddings.LayerNorm", width, epsilon)?,
            layers,
            pooler: loader.linear("pooler.dense", width, width, LinearBias::With).await?,
            classifier: loader.linear("classifier", width, config.labels.len(), LinearBias::With).await?,
            config,
        })
    }

    /// The states of the texts' first tokens, `[batch, hidden]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    async fn encode(&self, batch: &Batch<'_>) -> Result<Tensor<2>, NnError> {
        let device = self.words.device();
        let mut x = self.words.select(&batch.ids(self.config.json.settings.padding(&DEFAULTS)));
        if let Some(types) = &self.types {
            x = x + types.clone().select(0, batch.types(&device));
        }
        x = self.norm.forward(x);
        for (layer, later) in self.layers.iter().zip((0..self.layers.len()).rev()) {
            let mut mixed = layer.mix(x.clone(), batch, &self.config);
            pause().await?;
            if later == 0 {
                (x, mixed) = (first_rows(x, batch.size()), first_rows(mixed, batch.size())); // the head reads no other
            }
            x = layer.content.finish(x, mixed);
            pause().await?;
        }
        Ok(x)
    }
}

impl SequenceClassifier for DebertaClassifier {
    fn vocabulary(&self) -> usize {
        self.config.json.settings.vocab_size
    }

    fn max_tokens(&self) -> usize {
        self.config.json.settings.max_position_embeddings
    }

    fn most_tokens(&self) -> usize {
        usize::MAX
    }

    fn labels(&self) -> &[String] {
        &self.config.labels
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(async {
            let first = self.encode(batch).await?; // [batch, hidden]
            let pooled = activate(self.pooler.forward(first), self.config.pooler_activation);
            Ok(self.classifier.forward(pooled))
        })
    }
}

/// The most scores of content with positions in memory at once: 16 MiB.
const SCORES: usize = 4 * 1024 * 1024;

struct Layer {
    content: EncoderLayer,
    /// K_r and Q_r of the paper, `[1, heads, 2 * span, width]`: the relative embedding as keys and as queries.
    position_keys: Tensor<4>,
    position_queries: Tensor<4>,
}

impl Layer {
    async fn load(config: &Config, loader: &Loader<'_>, name: &str, relative: &Tensor<2>) -> Result<Self, PackError> {
        let content = EncoderLayer::load(loader, name, &NAMES, &config.shape).await?;
        let [position_queries, position_keys, _] = content.project(relative.clone(), 1);
        Ok(Self { content, position_keys, position_queries })
    }

    /// The layer's attention: `[batch * length, hidden]` to the same.
    fn mix(&self, x: Tensor<2>, batch: &Batch, config: &Config) -> Tensor<2> {
        let [q, keys, values] = self.content.project(x, batch.size());
        let [texts, heads, length, width] = q.dims();
        let terms = 1 + usize::from(config.content_to_position) + usize::from(config.position_to_content);
        let scale = ((width * terms) as f64).powf(-0.5);
        let lengths = batch.lengths();
        let group = (SCORES / (heads * length * 2 * length)).clamp(1, texts);
        let mixed = (0..texts).step_by(group).map(|first| {
            let group = group.min(texts - first);
            let of_group = |x: &Tensor<4>| x.clone().narrow(0, first, group);
            let (q, keys, values) = (of_group(&q), of_group(&keys), of_group(&values));
            let positions = self.position_scores(&q, &keys, config) * scale;
            let bias = Bias::by_pair(positions, &Bias::Padding(lengths[first..first + group].to_vec()));
            attention(q, KeysValues { keys, values }, &bias, scale)
        });
        Tensor::cat(mixed.collect(), 0)
    }

    /// Q_i K_r[delta(i, j)] + K_j Q_r[delta(j, i)] for each query i and key j, `[batch, heads, queries, keys]`. For
    /// delta(j, i) this takes the row of i - j, as transformers does.
    fn position_scores(&self, q: &Tensor<4>, keys: &Tensor<4>, config: &Config) -> Tensor<4> {
        let length = q.dims()[2] as isize;
        let rows = |table: &Tensor<4>, after: &dyn Fn(isize) -> isize| {
            let rows = (0..2 * length).map(|column| config.positions.row(after(column)));
            table.clone().select(2, indices(rows, &table.device())).transpose()
        };
        let content_to_position =
            config.content_to_position.then(|| skew(q.clone().matmul(rows(&self.position_keys, &|c| length - 1 - c))));
        let position_to_content = config
            .position_to_content
            .then(|| skew(keys.clone().matmul(rows(&self.position_queries, &|c| c - (length - 1)))).transpose());
        match (content_to_position, position_to_content) {
            (Some(a), Some(b)) => a + b,
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => unreachable!("the config names at least one of them"),
        }
    }
}

/// Row i of the result is row i of `x` from column length - 1 - i on: `[batch, heads, length, 2 * length]` to
/// `[batch, heads, length, length]`. Reading the values as rows that are one shorter shifts each row by one column
/// more.
fn skew(x: Tensor<4>) -> Tensor<4> {
    let [batch, heads, length, columns] = x.dims();
    x.reshape([batch, heads, length * columns])
        .narrow(2, length - 1, length * (columns - 1))
        .reshape([batch, heads, length, columns - 1])
        .narrow(3, 0, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_exact_up_to_half_the_buckets_and_then_widen() {
        let positions = RelativePositions { span: 256, max_distance: 512, bucketed: true };
        // From make_log_bucket_position of transformers, for DeBERTa-v3's 256 buckets.
        for (after, row) in [(0, 256), (1, 257), (-128, 128), (128, 384), (129, 385), (200, 425), (-511, 1), (511, 511)]
        {
            assert_eq!(positions.row(after), row, "{after}");
        }
        assert_eq!((positions.row(5000), positions.row(-5000)), (511, 0));
    }
}
