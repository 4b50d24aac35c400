//! MPNet (Song et al. 2020, "MPNet: Masked and Permuted Pre-training for Language Understanding"), such as
//! all-mpnet-base-v2. It has BERT's layers over embeddings of words and learnt positions, without token types. As in
//! T5, the same bias by distance is added to the attention scores of every layer. For classification it has a head over
//! the first token.

use burn::tensor::Tensor;
use serde::Deserialize;

use crate::error::{NnError, PackError};
use crate::json::parse_json;
use crate::layers::encoder::{Encoder, EncoderShape, Names, Rows};
use crate::layers::linear::Linear;
use crate::layers::loader::{LinearBias, Loader};
use crate::layers::norm::LayerNorm;
use crate::layers::relative::{Buckets, Reach, RelativePosition};
use crate::layers::table::Table;
use crate::models::batch::Batch;
use crate::models::config::{Fixed, check_fixed};
use crate::models::encoder_settings::{Defaults, EncoderSettings};
use crate::models::{Forward, SequenceClassifier, TextEncoder};

/// The id of the padding token and the buckets of distances. transformers computes no others, whatever the config says.
const PADDING: usize = 1;
const BUCKETS: Buckets = Buckets { count: 32, max_distance: 128, reach: Reach::Both };

/// [`PADDING`] and the number of [`BUCKETS`], as a config has them.
const FIXED: [Fixed; 2] = [("pad_token_id", "1"), ("relative_attention_num_buckets", "32")];

/// The position of the first token: positions start after the padding's id.
const FIRST_POSITION: usize = PADDING + 1;

const DEFAULTS: Defaults = Defaults { epsilon: 1e-12, padding: PADDING };

/// The tokens of a text that a bi-encoder reads: `max_seq_length` of all-mpnet-base-v2, which sentence-transformers
/// keeps in a file of its own.
const EMBEDDED_TOKENS: usize = 384;

const NAMES: Names = Names {
    projections: ("attention.attn.", ["q", "k", "v"]),
    output: "attention.attn.o",
    norm: "attention.LayerNorm",
};

/// The settings, checked.
#[derive(Debug)]
pub(crate) struct Config {
    settings: EncoderSettings,
    shape: EncoderShape,
    labels: Vec<String>,
    /// The number of layers below the head that marks tokens; `None` without that head.
    mark_layer: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct ConfigJson {
    #[serde(flatten)]
    settings: EncoderSettings,
    mark_layer: Option<usize>,
}

impl Config {
    /// # Errors
    /// [`PackError::Architecture`] for a setting that this module does not compute.
    pub fn parse(path: &str, json: &[u8]) -> Result<Self, PackError> {
        check_fixed(path, json, &FIXED)?;
        let ConfigJson { settings, mark_layer } = parse_json(path, json)?;
        let (shape, labels) = settings.check(path, &DEFAULTS)?;
        let layers = settings.num_hidden_layers;
        match mark_layer.filter(|layer| !(1..=layers).contains(layer)) {
            Some(layer) => {
                let reason = format!("mark_layer {layer} is none of its {layers} layers");
                Err(PackError::Architecture { path: path.to_owned(), reason })
            }
            None => Ok(Self { settings, shape, labels, mark_layer }),
        }
    }
}

/// The encoder.
pub(crate) struct Mpnet {
    /// `[vocabulary, hidden]`
    words: Table,
    /// `[positions, hidden]`
    positions: Tensor<2>,
    norm: LayerNorm,
    relative: RelativePosition,
    encoder: Encoder,
}

impl Mpnet {
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: &Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let Config { settings: c, shape, .. } = config;
        let bias = "mpnet.encoder.relative_attention_bias.weight";
        let table = |part: &str| format!("mpnet.embeddings.{part}_embeddings.weight");
        Ok(Self {
            encoder: Encoder::load(loader, "mpnet.encoder.layer", &NAMES, shape, c.num_hidden_layers).await?,
            relative: RelativePosition::load(loader, bias, shape.heads, BUCKETS)?,
            norm: LayerNorm::load(loader, "mpnet.embeddings.LayerNorm", shape.width, shape.epsilon)?,
            positions: loader.table(&table("position"), c.max_position_embeddings, shape.width).await?,
            words: loader.words(&table("word"), c.vocab_size, shape.width).await?,
        })
    }

    fn vocabulary(&self) -> usize {
        self.words.shape()[0]
    }

    /// The tokens that there are positions for.
    fn max_tokens(&self) -> usize {
        self.positions.dims()[0].saturating_sub(FIRST_POSITION)
    }

    fn layers(&self) -> usize {
        self.encoder.layers()
    }

    /// The states of a batch after so many layers, `[batch * length, hidden]`, or of its texts' first tokens,
    /// `[batch, hidden]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    async fn states(&self, batch: &Batch<'_>, layers: usize, rows: Rows) -> Result<Tensor<2>, NnError> {
        let length = batch.length();
        // For the scores of every layer, [batch, heads, query, key].
        let bias = self.relative.bias(0, length, length, batch.padded_lengths());
        let positions = batch.positions(FIRST_POSITION, &self.positions.device());
        let x = self.words.select(&batch.ids(PADDING)) + self.positions.clone().select(0, positions);
        self.encoder.forward_through(layers, self.norm.forward(x), batch.size(), &bias, rows).await
    }
}

impl TextEncoder for Mpnet {
    fn vocabulary(&self) -> usize {
        Mpnet::vocabulary(self)
    }

    fn max_tokens(&self) -> usize {
        Mpnet::max_tokens(self).min(EMBEDDED_TOKENS)
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(self.states(batch, self.layers(), Rows::All))
    }
}

/// The encoder with its head for classification.
pub(crate) struct MpnetClassifier {
    mpnet: Mpnet,
    labels: Vec<String>,
    dense: Linear,
    out: Linear,
    /// A head over every token that marks wrong words, and the number of layers below it.
    marks: Option<(Linear, usize)>,
}

impl MpnetClassifier {
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let width = config.shape.width;
        let marks = match config.mark_layer {
            Some(layers) => Some((loader.linear("marks", width, 1, LinearBias::With).await?, layers)),
            None => None,
        };
        Ok(Self {
            mpnet: Mpnet::load(&config, loader).await?,
            dense: loader.linear("classifier.dense", width, width, LinearBias::With).await?,
            out: loader.linear("classifier.out_proj", width, config.labels.len(), LinearBias::With).await?,
            marks,
            labels: config.labels,
        })
    }
}

impl SequenceClassifier for MpnetClassifier {
    fn vocabulary(&self) -> usize {
        self.mpnet.vocabulary()
    }

    fn max_tokens(&self) -> usize {
        self.mpnet.max_tokens()
    }

    fn labels(&self) -> &[String] {
        &self.labels
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(async {
            let first = self.mpnet.states(batch, self.mpnet.layers(), Rows::First).await?; // [batch, hidden]
            Ok(self.out.forward(self.dense.forward(first).tanh()))
        })
    }

    fn marks<'a>(&'a self, batch: &'a Batch<'a>) -> Option<Forward<'a>> {
        let (head, layers) = self.marks.as_ref()?;
        Some(Box::pin(async { Ok(head.forward(self.mpnet.states(batch, *layers, Rows::All).await?)) }))
    }
}
