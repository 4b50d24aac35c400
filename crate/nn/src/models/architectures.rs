//! The table of architectures: which `model_type` is which, and what it can be loaded as.

use std::pin::Pin;
use std::sync::Arc;

use crate::error::PackError;
use crate::layers::loader::Loader;
#[cfg(not(target_family = "wasm"))]
use crate::models::TokenClassifier;
use crate::models::bert::{self, Bert, BertClassifier};
use crate::models::deberta::{self, DebertaClassifier};
use crate::models::gpt::{self, Gpt};
#[cfg(not(target_family = "wasm"))]
use crate::models::hhem::{self, HhemClassifier};
#[cfg(not(target_family = "wasm"))]
use crate::models::modernbert::{self, Classified, ModernBert, ModernBertClassifier};
use crate::models::mpnet::{self, Mpnet, MpnetClassifier};
use crate::models::t5::{self, T5};
use crate::models::{SequenceClassifier, TextEncoder};

/// Loads a model. Takes the path of its config, the config, and the loader of its tensors.
type Load<M> = for<'a> fn(&'a str, &'a [u8], &'a Loader<'a>) -> Loading<'a, M>;

/// A model that is being loaded: it pauses after each tensor, so it is a future.
type Loading<'a, M> = Pin<Box<dyn Future<Output = Result<M, PackError>> + 'a>>;

/// One architecture, or several that share a file here.
pub(crate) struct Architecture {
    /// The names in `config.json`.
    pub model_types: &'static [&'static str],
    pub family: Family,
    pub seq2seq: Option<Load<T5>>,
    pub classifier: Option<Load<Arc<dyn SequenceClassifier>>>,
    #[cfg(not(target_family = "wasm"))]
    pub token_classifier: Option<Load<Arc<dyn TokenClassifier>>>,
    pub causal_lm: Option<Load<Gpt>>,
    pub embedder: Option<Load<Arc<dyn TextEncoder>>>,
}

/// The kinds of transformers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    EncoderDecoder,
    /// A classifier if its files have a head, else a bi-encoder.
    Encoder,
    Decoder,
}

/// An empty row, from which the others take the fields that they do not set.
const NOTHING: Architecture = Architecture {
    model_types: &[],
    family: Family::Encoder,
    seq2seq: None,
    classifier: None,
    #[cfg(not(target_family = "wasm"))]
    token_classifier: None,
    causal_lm: None,
    embedder: None,
};

/// Every architecture that this crate reads.
pub(crate) static ARCHITECTURES: &[Architecture] = &[
    Architecture {
        model_types: &["t5"],
        family: Family::EncoderDecoder,
        seq2seq: Some(|path, json, loader| Box::pin(async { T5::load(&t5::Config::parse(path, json)?, loader).await })),
        ..NOTHING
    },
    Architecture {
        model_types: &["bert", "roberta"],
        classifier: Some(|path, json, loader| {
            Box::pin(async { Ok(Arc::new(BertClassifier::load(bert::Config::parse(path, json)?, loader).await?) as _) })
        }),
        embedder: Some(|path, json, loader| {
            Box::pin(async { Ok(Arc::new(Bert::load(bert::Config::parse(path, json)?, loader).await?) as _) })
        }),
        ..NOTHING
    },
    Architecture {
        model_types: &["mpnet"],
        classifier: Some(|path, json, loader| {
            Box::pin(async {
                Ok(Arc::new(MpnetClassifier::load(mpnet::Config::parse(path, json)?, loader).await?) as _)
            })
        }),
        embedder: Some(|path, json, loader| {
            Box::pin(async { Ok(Arc::new(Mpnet::load(&mpnet::Config::parse(path, json)?, loader).await?) as _) })
        }),
        ..NOTHING
    },
    Architecture {
        model_types: &["deberta-v2"],
        classifier: Some(|path, json, loader| {
            Box::pin(async {
                Ok(Arc::new(DebertaClassifier::load(deberta::Config::parse(path, json)?, loader).await?) as _)
            })
        }),
        ..NOTHING
    },
    #[cfg(not(target_family = "wasm"))]
    Architecture {
        model_types: &["modernbert"],
        classifier: Some(|path, json, loader| {
            Box::pin(async {
                let config = modernbert::Config::of_classifier(path, json, Classified::Texts)?;
                Ok(Arc::new(ModernBertClassifier::load(config, loader).await?) as _)
            })
        }),
        token_classifier: Some(|path, json, loader| {
            Box::pin(async {
                let config = modernbert::Config::of_classifier(path, json, Classified::Tokens)?;
                Ok(Arc::new(ModernBertClassifier::load(config, loader).await?) as _)
            })
        }),
        embedder: Some(|path, json, loader| {
            Box::pin(async {
                Ok(Arc::new(ModernBert::load(modernbert::Config::parse(path, json)?, loader).await?) as _)
            })
        }),
        ..NOTHING
    },
    #[cfg(not(target_family = "wasm"))]
    Architecture {
        model_types: &["HHEMv2", "HHEMv2Config"],
        classifier: Some(|path, json, loader| {
            Box::pin(async { Ok(Arc::new(HhemClassifier::load(hhem::Config::parse(path, json)?, loader).await?) as _) })
        }),
        ..NOTHING
    },
    Architecture {
        model_types: &["gpt2"],
        family: Family::Decoder,
        causal_lm: Some(|path, json, loader| {
            Box::pin(async { Gpt::load(&gpt::Config::gpt2(path, json)?, loader).await })
        }),
        ..NOTHING
    },
    Architecture {
        model_types: &["gpt_neo"],
        family: Family::Decoder,
        causal_lm: Some(|path, json, loader| {
            Box::pin(async { Gpt::load(&gpt::Config::gpt_neo(path, json)?, loader).await })
        }),
        ..NOTHING
    },
];

impl Architecture {
    /// The architecture with this `model_type`.
    pub fn of(model_type: &str) -> Option<&'static Self> {
        ARCHITECTURES.iter().find(|architecture| architecture.model_types.contains(&model_type))
    }
}

/// The loader in one column of the table for a model with this `model_type`. An error names the config, `path`, and
/// calls the kind of model `wanted`.
///
/// # Errors
/// [`PackError::Architecture`] for a `model_type` without such a loader; it lists those that have one.
pub(crate) fn load_as<M>(
    path: &str,
    model_type: &str,
    wanted: &str,
    column: fn(&Architecture) -> Option<Load<M>>,
) -> Result<Load<M>, PackError> {
    Architecture::of(model_type).and_then(column).ok_or_else(|| {
        let read = ARCHITECTURES.iter().filter(|row| column(row).is_some()).flat_map(|row| row.model_types);
        let reason =
            format!("model_type {model_type:?} is not {wanted} that this version reads: it reads {}", listed(read));
        PackError::Architecture { path: path.to_owned(), reason }
    })
}

/// Names in quotation marks: `"a", "b" or "c"`.
fn listed<'a>(names: impl Iterator<Item = &'a &'a str>) -> String {
    let mut names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} or {last}", names.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_lists_what_would_be_read() {
        let error = load_as("c.json", "gpt2", "a bi-encoder", |row| row.embedder).err().unwrap().to_string();
        let known = "it reads \"bert\", \"roberta\", \"mpnet\" or \"modernbert\"";
        assert_eq!(error, format!("c.json: model_type \"gpt2\" is not a bi-encoder that this version reads: {known}"));
        let error = load_as("c.json", "gpt2", "an encoder-decoder", |row| row.seq2seq).err().unwrap().to_string();
        assert!(error.ends_with("it reads \"t5\""), "{error}");
    }

    #[test]
    fn a_model_type_stands_in_one_row() {
        let names: Vec<_> = ARCHITECTURES.iter().flat_map(|row| row.model_types).collect();
        assert!(names.iter().enumerate().all(|(i, name)| !names[..i].contains(name)));
    }
}
