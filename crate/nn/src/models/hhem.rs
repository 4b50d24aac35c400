//! HHEM-2.1-Open (Li, Luo and Mendelevitch 2024, vectara/hallucination_evaluation_model): the encoder of a T5 with a
//! head over its first token, which is a `<pad>` before the text.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use burn::tensor::Tensor;

use crate::error::PackError;
use crate::json::parse_json;
use crate::layers::linear::Linear;
use crate::layers::loader::{LinearBias, Loader};
use crate::layers::table::Table;
use crate::models::batch::Batch;
use crate::models::config::numbered_labels;
use crate::models::t5::{self, Encoder};
use crate::models::{Forward, SequenceClassifier};

/// The most tokens of a text that are read. The positions are relative, so only the memory for attention limits it.
const MOST_TOKENS: usize = 2048;

/// The model whose shape it has. The published config states only this name, not the shape.
const FOUNDATION: &str = "google/flan-t5-base";

/// The settings, checked.
#[derive(Debug)]
pub(crate) struct Config {
    t5: t5::Config,
    labels: Vec<String>,
}

impl Config {
    /// Reads a config. The shape that it does not state is that of its foundation.
    ///
    /// # Errors
    /// [`PackError::Architecture`] for another foundation, and for a setting that is not computed here.
    pub fn parse(path: &str, json: &[u8]) -> Result<Self, PackError> {
        #[derive(Deserialize)]
        struct Own {
            foundation: Option<String>,
            #[serde(default)]
            id2label: BTreeMap<String, String>,
        }
        let refuse = |reason: String| PackError::Architecture { path: path.to_owned(), reason };
        let Own { foundation, id2label } = parse_json(path, json)?;
        if let Some(other) = foundation.filter(|name| name != FOUNDATION) {
            return Err(refuse(format!("foundation {other:?} is not read here, only {FOUNDATION:?}")));
        }
        let mut settings: Map<String, Value> = parse_json(path, json)?;
        for (name, value) in foundation_settings() {
            settings.entry(name).or_insert(value);
        }
        let labels = numbered_labels(&id2label)
            .ok_or_else(|| refuse("id2label does not number its labels from 0".to_owned()))?;
        Ok(Self { t5: t5::Config::parse(path, Value::from(settings).to_string().as_bytes())?, labels })
    }
}

/// What flan-t5-base's config.json says of its encoder.
fn foundation_settings() -> [(String, Value); 7] {
    [
        ("vocab_size", json!(32128)),
        ("d_model", json!(768)),
        ("d_kv", json!(64)),
        ("d_ff", json!(2048)),
        ("num_heads", json!(12)),
        ("num_layers", json!(12)),
        ("feed_forward_proj", json!("gated-gelu")),
    ]
    .map(|(name, value)| (name.to_owned(), value))
}

/// The encoder with its head.
pub(crate) struct HhemClassifier {
    config: Config,
    /// `[vocabulary, d_model]`
    words: Table,
    encoder: Encoder,
    head: Linear,
}

impl HhemClassifier {
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(config: Config, loader: &Loader<'_>) -> Result<Self, PackError> {
        let [vocabulary, width] = config.t5.words();
        let words = loader.named_one_of(["t5.transformer.shared.weight", "t5.transformer.encoder.embed_tokens.weight"]);
        Ok(Self {
            words: loader.words(words, vocabulary, width).await?,
            encoder: Encoder::load(&config.t5, loader, "t5.transformer.encoder").await?,
            head: loader.linear("t5.classifier", width, config.labels.len(), LinearBias::With).await?,
            config,
        })
    }
}

impl SequenceClassifier for HhemClassifier {
    fn vocabulary(&self) -> usize {
        self.config.t5.words()[0]
    }

    fn max_tokens(&self) -> usize {
        MOST_TOKENS
    }

    fn labels(&self) -> &[String] {
        &self.config.labels
    }

    fn forward<'a>(&'a self, batch: &'a Batch<'a>) -> Forward<'a> {
        Box::pin(async {
            let padding = self.config.t5.padding() as usize;
            let ids = batch.ids(padding);
            let mut first = Vec::with_capacity(batch.size());
            for (ids, length) in ids.chunks(batch.length()).zip(batch.lengths()) {
                let ids: Vec<usize> = std::iter::once(padding).chain(ids[..length].iter().copied()).collect();
                first.push(self.encoder.forward(self.words.select(&ids)).await?.narrow(0, 0, 1));
            }
            Ok(self.head.forward(Tensor::cat(first, 0)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_config_has_the_shape_of_its_foundation() {
        let config = Config::parse("config.json", br#"{"model_type": "HHEMv2", "foundation": "google/flan-t5-base"}"#);
        assert_eq!(config.unwrap().t5.words(), [32128, 768]);
        let other = Config::parse("config.json", br#"{"model_type": "HHEMv2", "foundation": "t5-11b"}"#).unwrap_err();
        assert!(other.to_string().contains("only \"google/flan-t5-base\""), "{other}");
    }
}
