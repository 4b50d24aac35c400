//! BERT and RoBERTa (Devlin et al. 2019; Liu et al. 2019): an encoder with learnt positions, and for sequence classification
//! a head over its first token.

use burn::tensor::Tensor;
use serde::Deserialize;

use crate::layers::encoder::{BERT, Defaults, Encoder, EncoderShape, Settings, Tokens};
use crate::layers::table::Table;
use crate::layers::{LayerNorm, Linear};
use crate::models::batch::{Batch, indices};
use crate::models::config::parse_config;
use crate::models::{Forward, SequenceClassifier, TextEncoder};
use crate::weights::Weights;
use crate::{NnError, PackError};

const DEFAULTS: Defaults = Defaults { epsilon: 1e-12, padding: 0 };

/// What config.json says, with the defaults of the layout.
#[derive(Debug)]
pub(crate) struct Config {
    layout: Layout,
    kind: Kind,
    shape: EncoderShape,
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
    #[serde(flatten)]
    settings: Settings,
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
        let layout: Layout = parse_config(path, json)?;
        let kind = if layout.model_type == "roberta" { Kind::Roberta } else { Kind::Bert };
        let (shape, labels) = layout.settings.check(path, &DEFAULTS)?;
        if kind == Kind::Bert && layout.type_vocab_size < 2 {
            let reason = format!("type_vocab_size {} does not tell the texts of a pair apart", layout.type_vocab_size);
            return Err(PackError::Architecture { path: path.to_owned(), reason });
        }
        Ok(Self { layout, kind, shape, labels })
    }
}

impl Kind {
    /// The position embedding of the first token: RoBERTa counts on from its padding token's id.
    fn first_position(self, layout: &Layout) -> usize {
        match self {
            Self::Bert => 0,
            Self::Roberta => layout.settings.padding(&DEFAULTS).saturating_add(1),
        }
    }
}

/// The encoder, ready to run.
pub(crate) struct Bert {
    layout: Layout,
    kind: Kind,
    /// `[vocabulary, hidden]`
    words: Table,
    positions: Tensor<2>,
    types: Tensor<2>,
    norm: LayerNorm,
    encoder: Encoder,
}

impl Bert {
    pub fn load(config: Config, weights: &Weights) -> Result<Self, PackError> {
        let Config { layout, kind, shape, .. } = config;
        let (c, width) = (&layout.settings, shape.width);
        // An encoder that was saved by itself has no name of its own before those of its parts.
        let base = match kind {
            _ if weights.has("embeddings.word_embeddings.weight") => "",
            Kind::Bert => "bert.",
            Kind::Roberta => "roberta.",
        };
        let encoder = Encoder::load(weights, &format!("{base}encoder.layer"), &BERT, &shape, c.num_hidden_layers)?;
        let embeddings = format!("{base}embeddings");
        let norm = LayerNorm::load(weights, &format!("{embeddings}.LayerNorm"), width, shape.epsilon)?;
        let table = |part: &str| format!("{embeddings}.{part}_embeddings.weight");
        Ok(Self {
            positions: weights.table(&table("position"), c.max_position_embeddings, width)?,
            types: weights.table(&table("token_type"), layout.type_vocab_size, width)?,
            words: weights.words(&table("word"), c.vocab_size, width)?,
            norm,
            encoder,
            layout,
            kind,
        })
    }

    pub fn vocabulary(&self) -> usize {
        self.layout.settings.vocab_size
    }

    /// The most tokens that it has positions for.
    pub fn max_tokens(&self) -> usize {
        let first = self.kind.first_position(&self.layout);
        self.layout.settings.max_position_embeddings.saturating_sub(first)
    }

    /// The states of a batch, `[batch * length, hidden]`, or of its texts' first tokens, `[batch, hidden]`.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn forward(&self, batch: &Batch<'_>, tokens: Tokens) -> Result<Tensor<2>, NnError> {
        self.encoder.forward(self.norm.forward(self.embed(batch)), batch, &batch.bias(), tokens).await
    }

    /// `[batch * length, hidden]`
    fn embed(&self, batch: &Batch) -> Tensor<2> {
        let device = self.words.device();
        let types = match self.kind {
            Kind::Bert => batch.types(&device),
            Kind::Roberta => indices(std::iter::repeat_n(0, batch.size() * batch.length()), &device),
        };
        let positions = batch.positions(self.kind.first_position(&self.layout), &device);
        self.words.select(&batch.ids(self.layout.settings.padding(&DEFAULTS)))
            + self.positions.clone().select(0, positions)
            + self.types.clone().select(0, types)
    }
}

/// The encoder with its head for classification.
pub(crate) struct BertClassifier {
    bert: Bert,
    labels: Vec<String>,
    /// BERT's pooler, or the first layer of RoBERTa's head: the same sum under another name.
    pooler: Linear,
    classifier: Linear,
}

impl BertClassifier {
    pub fn load(config: Config, weights: &Weights) -> Result<Self, PackError> {
        let (pooler, classifier) = match config.kind {
            Kind::Bert => ("bert.pooler.dense", "classifier"),
            Kind::Roberta => ("classifier.dense", "classifier.out_proj"),
        };
        let (width, labels) = (config.shape.width, config.labels.clone());
        Ok(Self {
            bert: Bert::load(config, weights)?,
            pooler: weights.linear(pooler, &[""], width, width, true)?,
            classifier: weights.linear(classifier, &[""], width, labels.len(), true)?,
            labels,
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
        &self.labels
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(async {
            let first = self.bert.forward(batch, Tokens::First).await?;
            Ok(self.classifier.forward(self.pooler.forward(first).tanh()))
        })
    }
}

impl TextEncoder for Bert {
    fn vocabulary(&self) -> usize {
        self.vocabulary()
    }

    /// No more than the `max_seq_length` of all-MiniLM-L6-v2, which sentence-transformers keeps outside of config.json.
    fn max_tokens(&self) -> usize {
        self.max_tokens().min(256)
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(self.forward(batch, Tokens::All))
    }
}
