//! BERT and RoBERTa (Devlin et al. 2019; Liu et al. 2019): an encoder with learnt positions. For classification it has
//! a head over the first token.

use burn::tensor::Tensor;
use serde::Deserialize;

use crate::error::{NnError, PackError};
use crate::json::parse_json;
use crate::layers::encoder::{BERT, Encoder, EncoderShape, Rows};
use crate::layers::linear::Linear;
use crate::layers::loader::{LinearBias, Loader};
use crate::layers::norm::LayerNorm;
use crate::layers::table::Table;
use crate::models::batch::Batch;
use crate::models::config::{Fixed, check_fixed};
use crate::models::encoder_settings::{Defaults, EncoderSettings};
use crate::models::{Forward, SequenceClassifier, TextEncoder};
use crate::ops::indices;

const DEFAULTS: Defaults = Defaults { epsilon: 1e-12, padding: 0 };

/// transformers also supports relative positions and decoders; this module does not.
const FIXED: [Fixed; 3] =
    [("position_embedding_type", "\"absolute\""), ("is_decoder", "false"), ("add_cross_attention", "false")];

/// The tokens of a text that a bi-encoder reads: `max_seq_length` of all-MiniLM-L6-v2, which sentence-transformers
/// keeps in a file of its own.
const EMBEDDED_TOKENS: usize = 256;

/// The settings, checked.
#[derive(Debug)]
pub(crate) struct Config {
    json: ConfigJson,
    variant: BertVariant,
    shape: EncoderShape,
    labels: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BertVariant {
    Bert,
    Roberta,
}

#[derive(Debug, Deserialize)]
struct ConfigJson {
    model_type: String,
    #[serde(flatten)]
    settings: EncoderSettings,
    #[serde(default = "two")]
    type_vocab_size: usize,
}

fn two() -> usize {
    2
}

impl Config {
    /// # Errors
    /// [`PackError::Architecture`] for a setting that this module does not compute.
    pub fn parse(path: &str, json: &[u8]) -> Result<Self, PackError> {
        check_fixed(path, json, &FIXED)?;
        let json: ConfigJson = parse_json(path, json)?;
        let variant = if json.model_type == "roberta" { BertVariant::Roberta } else { BertVariant::Bert };
        let (shape, labels) = json.settings.check(path, &DEFAULTS)?;
        if variant == BertVariant::Bert && json.type_vocab_size < 2 {
            let reason = format!("type_vocab_size {} does not tell the texts of a pair apart", json.type_vocab_size);
            return Err(PackError::Architecture { path: path.to_owned(), reason });
        }
        Ok(Self { json, variant, shape, labels })
    }

    /// The position of the first token. RoBERTa's positions start after the padding's id.
    fn first_position(&self) -> usize {
        match self.variant {
            BertVariant::Bert => 0,
            BertVariant::Roberta => self.json.settings.padding(&DEFAULTS).saturating_add(1),
        }
    }
}

/// The encoder.
pub(crate) struct Bert {
    config: Config,
    /// `[vocabulary, hidden]`
    words: Table,
    /// `[positions, hidden]`
    positions: Tensor<2>,
    /// `[types, hidden]`
    types: Tensor<2>,
    norm: LayerNorm,
    encoder: Encoder,
}

impl Bert {
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let (c, shape, width) = (&config.json.settings, &config.shape, config.shape.width);
        let base = match config.variant {
            BertVariant::Bert => "bert.",
            BertVariant::Roberta => "roberta.",
        };
        let layers = format!("{base}encoder.layer");
        let encoder = Encoder::load(loader, &layers, &BERT, shape, c.num_hidden_layers).await?;
        let embeddings = format!("{base}embeddings");
        let norm = LayerNorm::load(loader, &format!("{embeddings}.LayerNorm"), width, shape.epsilon)?;
        let table = |part: &str| format!("{embeddings}.{part}_embeddings.weight");
        Ok(Self {
            positions: loader.table(&table("position"), c.max_position_embeddings, width).await?,
            types: loader.table(&table("token_type"), config.json.type_vocab_size, width).await?,
            words: loader.words(&table("word"), c.vocab_size, width).await?,
            norm,
            encoder,
            config,
        })
    }

    fn vocabulary(&self) -> usize {
        self.config.json.settings.vocab_size
    }

    /// The tokens that there are positions for.
    fn max_tokens(&self) -> usize {
        self.config.json.settings.max_position_embeddings.saturating_sub(self.config.first_position())
    }

    /// The states of a batch, `[batch * length, hidden]`, or of its texts' first tokens, `[batch, hidden]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    async fn states(&self, batch: &Batch<'_>, rows: Rows) -> Result<Tensor<2>, NnError> {
        self.encoder.forward(self.norm.forward(self.embed(batch)), batch.size(), &batch.bias(), rows).await
    }

    /// `[batch * length, hidden]`
    fn embed(&self, batch: &Batch) -> Tensor<2> {
        let device = self.words.device();
        let types = match self.config.variant {
            BertVariant::Bert => batch.types(&device),
            BertVariant::Roberta => indices(std::iter::repeat_n(0, batch.size() * batch.length()), &device),
        };
        let positions = batch.positions(self.config.first_position(), &device);
        self.words.select(&batch.ids(self.config.json.settings.padding(&DEFAULTS)))
            + self.positions.clone().select(0, positions)
            + self.types.clone().select(0, types)
    }
}

impl TextEncoder for Bert {
    fn vocabulary(&self) -> usize {
        Bert::vocabulary(self)
    }

    fn max_tokens(&self) -> usize {
        Bert::max_tokens(self).min(EMBEDDED_TOKENS)
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(self.states(batch, Rows::All))
    }
}

/// The encoder with its head for classification.
pub(crate) struct BertClassifier {
    bert: Bert,
    /// BERT's pooler, or the first layer of RoBERTa's head. Both compute the same.
    pooler: Linear,
    classifier: Linear,
}

impl BertClassifier {
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let (pooler, classifier) = match config.variant {
            BertVariant::Bert => ("bert.pooler.dense", "classifier"),
            BertVariant::Roberta => ("classifier.dense", "classifier.out_proj"),
        };
        let (width, labels) = (config.shape.width, config.labels.len());
        Ok(Self {
            bert: Bert::load(config, loader).await?,
            pooler: loader.linear(pooler, width, width, LinearBias::With).await?,
            classifier: loader.linear(classifier, width, labels, LinearBias::With).await?,
        })
    }
}

impl SequenceClassifier for BertClassifier {
    fn vocabulary(&self) -> usize {
        self.bert.vocabulary()
    }

    fn max_tokens(&self) -> usize {
        self.bert.max_tokens()
    }

    fn labels(&self) -> &[String] {
        &self.bert.config.labels
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(async {
            let first = self.bert.states(batch, Rows::First).await?; // [batch, hidden]
            Ok(self.classifier.forward(self.pooler.forward(first).tanh()))
        })
    }
}
