//! What every model's `config.json` says, whatever its architecture.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::PackError;

/// Reads a `config.json` as `T`.
///
/// # Errors
/// [`PackError::Unreadable`] for JSON that is not a `T`.
pub(crate) fn parse_config<'a, T: Deserialize<'a>>(path: &str, json: &'a [u8]) -> Result<T, PackError> {
    serde_json::from_slice(json)
        .map_err(|error| PackError::Unreadable { path: path.to_owned(), reason: error.to_string() })
}

/// The name of the architecture: `model_type`.
///
/// # Errors
/// [`PackError::Unreadable`] for a config without one.
pub(crate) fn model_type(path: &str, json: &[u8]) -> Result<String, PackError> {
    #[derive(Deserialize)]
    struct Typed {
        model_type: String,
    }
    Ok(parse_config::<Typed>(path, json)?.model_type)
}

/// Whether the config says that the model is an encoder without a head. Its files may hold a head all the same.
///
/// # Errors
/// [`PackError::Unreadable`] for what is not a config.
pub(crate) fn is_bare(path: &str, json: &[u8]) -> Result<bool, PackError> {
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        architectures: Vec<String>,
    }
    let named: Named = parse_config(path, json)?;
    Ok(named.architectures.iter().any(|name| ["BertModel", "RobertaModel", "MPNetModel"].contains(&name.as_str())))
}

/// The labels that `id2label` numbers from 0; `None` if a number is missing. Without `id2label` there are two.
pub(crate) fn numbered_labels(id2label: &BTreeMap<String, String>) -> Option<Vec<String>> {
    match id2label.len() {
        0 => Some(["LABEL_0", "LABEL_1"].map(str::to_owned).to_vec()), // the default of transformers
        classes => (0..classes).map(|id| id2label.get(&id.to_string()).cloned()).collect(),
    }
}
