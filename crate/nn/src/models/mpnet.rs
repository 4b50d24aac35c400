//! MPNet (Song et al. 2020, "MPNet: Masked and Permuted Pre-training for Language Understanding"): BERT's layers over
//! words and learnt positions, without segments, whose attention scores get T5's bias by distance, one for all layers;
//! and for sequence classification a head over its first token. all-mpnet-base-v2 is one.

use burn::tensor::Tensor;
use serde::Deserialize;

use crate::layers::encoder::{Defaults, Encoder, EncoderShape, Names, Settings, Tokens};
use crate::layers::relative::{Buckets, RelativePosition};
use crate::layers::table::Table;
use crate::layers::{LayerNorm, Linear};
use crate::models::batch::Batch;
use crate::models::config::parse_config;
use crate::models::{Forward, SequenceClassifier, TextEncoder};
use crate::weights::Weights;
use crate::{NnError, PackError};

/// The id of the padding and the buckets of distances: transformers computes no others, whatever config.json says.
const PADDING: usize = 1;
const BUCKETS: Buckets = Buckets { count: 32, max_distance: 128, bidirectional: true };

/// The position embedding of the first token: they count on from the padding's id.
const FIRST_POSITION: usize = PADDING + 1;

const DEFAULTS: Defaults = Defaults { epsilon: 1e-12, padding: PADDING };

const NAMES: Names = Names {
    projections: ("attention.attn.", ["q", "k", "v"]),
    output: "attention.attn.o",
    norm: "attention.LayerNorm",
};

/// What config.json says, with the defaults of the layout.
#[derive(Debug)]
pub(crate) struct Config {
    settings: Settings,
    shape: EncoderShape,
    labels: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Layout {
    #[serde(flatten)]
    settings: Settings,
    relative_attention_num_buckets: Option<usize>,
}

impl Config {
    /// # Errors
    /// [`PackError::Architecture`] for a setting that this module does not compute.
    pub fn parse(path: &str, json: &[u8]) -> Result<Self, PackError> {
        let Layout { settings, relative_attention_num_buckets: buckets } = parse_config(path, json)?;
        let (shape, labels) = settings.check(path, &DEFAULTS)?;
        let fixed = [
            ("pad_token_id", settings.pad_token_id, PADDING),
            ("relative_attention_num_buckets", buckets, BUCKETS.count),
        ];
        match fixed.into_iter().find(|(_, found, read)| found.is_some_and(|found| found != *read)) {
            Some((name, found, read)) => {
                let reason = format!("{name} {found:?} is not read here, only {read}");
                Err(PackError::Architecture { path: path.to_owned(), reason })
            }
            None => Ok(Self { settings, shape, labels }),
        }
    }
}

/// The encoder, ready to run.
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
    pub fn load(config: &Config, weights: &Weights) -> Result<Self, PackError> {
        let Config { settings: c, shape, .. } = config;
        // An encoder that was saved by itself has no name of its own before those of its parts.
        let base = if weights.has("embeddings.word_embeddings.weight") { "" } else { "mpnet." };
        let (embeddings, encoder) = (format!("{base}embeddings"), format!("{base}encoder"));
        let bias = format!("{encoder}.relative_attention_bias.weight");
        let (words, positions) =
            (format!("{embeddings}.word_embeddings.weight"), format!("{embeddings}.position_embeddings.weight"));
        Ok(Self {
            encoder: Encoder::load(weights, &format!("{encoder}.layer"), &NAMES, shape, c.num_hidden_layers)?,
            relative: RelativePosition::load(weights, &bias, shape.heads, BUCKETS)?,
            norm: LayerNorm::load(weights, &format!("{embeddings}.LayerNorm"), shape.width, shape.epsilon)?,
            positions: weights.table(&positions, c.max_position_embeddings, shape.width)?,
            words: weights.words(&words, c.vocab_size, shape.width)?,
        })
    }

    pub fn vocabulary(&self) -> usize {
        self.words.shape()[0]
    }

    /// The most tokens that it has positions for.
    pub fn max_tokens(&self) -> usize {
        self.positions.dims()[0].saturating_sub(FIRST_POSITION)
    }

    /// The states of a batch, `[batch * length, hidden]`, or of its texts' first tokens, `[batch, hidden]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn forward(&self, batch: &Batch<'_>, tokens: Tokens) -> Result<Tensor<2>, NnError> {
        let length = batch.length();
        // Over the scores of every layer, `[batch, heads, query, key]`.
        let bias = self.relative.bias(0, length, length, batch.padded_lengths());
        let positions = batch.positions(FIRST_POSITION, &self.positions.device());
        let x = self.words.select(&batch.ids(PADDING)) + self.positions.clone().select(0, positions);
        self.encoder.forward(self.norm.forward(x), batch, &bias, tokens).await
    }
}

/// The encoder with its head for classification.
pub(crate) struct MpnetClassifier {
    mpnet: Mpnet,
    labels: Vec<String>,
    dense: Linear,
    out: Linear,
}

impl MpnetClassifier {
    pub fn load(config: Config, weights: &Weights) -> Result<Self, PackError> {
        let width = config.shape.width;
        Ok(Self {
            mpnet: Mpnet::load(&config, weights)?,
            dense: weights.linear("classifier.dense", &[""], width, width, true)?,
            out: weights.linear("classifier.out_proj", &[""], width, config.labels.len(), true)?,
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
            let first = self.mpnet.forward(batch, Tokens::First).await?;
            Ok(self.out.forward(self.dense.forward(first).tanh()))
        })
    }
}

impl TextEncoder for Mpnet {
    fn vocabulary(&self) -> usize {
        self.vocabulary()
    }

    /// No more than the `max_seq_length` of all-mpnet-base-v2, which sentence-transformers keeps outside of config.json.
    fn max_tokens(&self) -> usize {
        self.max_tokens().min(384)
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(self.forward(batch, Tokens::All))
    }
}
