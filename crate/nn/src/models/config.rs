//! What every model's `config.json` says, whatever its architecture.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::PackError;
use crate::json::parse_json;

/// The name of the architecture: `model_type`.
///
/// # Errors
/// [`PackError::Unreadable`] for a config without one.
pub(crate) fn model_type(path: &str, json: &[u8]) -> Result<String, PackError> {
    #[derive(Deserialize)]
    struct Typed {
        model_type: String,
    }
    Ok(parse_json::<Typed>(path, json)?.model_type)
}

/// A setting of which only one value is supported: its name in `config.json`, and that value in JSON. A config without
/// the setting means that value too.
pub(crate) type Fixed = (&'static str, &'static str);

/// Checks that no unsupported setting is ignored: each of `fixed` has its value or is left out, and the weights are not
/// quantised by another library.
///
/// # Errors
/// [`PackError::Architecture`] with the setting's name; [`PackError::Unreadable`] for what is not a config.
pub(crate) fn check_fixed(path: &str, json: &[u8], fixed: &[Fixed]) -> Result<(), PackError> {
    let settings: Map<String, Value> = parse_json(path, json)?;
    let given = |name: &str| settings.get(name).filter(|value| !value.is_null()).map(Value::to_string);
    let refuse = |reason: String| Err(PackError::Architecture { path: path.to_owned(), reason });
    if given("quantization_config").is_some() {
        return refuse(
            "quantization_config is not read here: take the checkpoint that has its weights in floats".into(),
        );
    }
    match fixed.iter().find_map(|(name, read)| Some((name, read, given(name).filter(|found| found != read)?))) {
        Some((name, read, found)) => refuse(format!("{name} {found} is not read here, only {read}")),
        None => Ok(()),
    }
}

/// Whether the config says that the model is an encoder without a head. Its files may hold a head all the same.
///
/// # Errors
/// [`PackError::Unreadable`] for what is not a config.
pub(crate) fn is_bare(path: &str, json: &[u8]) -> Result<bool, PackError> {
    const BARE: [&str; 4] = ["BertModel", "RobertaModel", "MPNetModel", "ModernBertModel"];
    Ok(architectures(path, json)?.iter().any(|name| BARE.contains(&name.as_str())))
}

/// Whether the config says that the model has a head that classifies tokens rather than texts.
///
/// # Errors
/// [`PackError::Unreadable`] for what is not a config.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn classifies_tokens(path: &str, json: &[u8]) -> Result<bool, PackError> {
    Ok(architectures(path, json)?.iter().any(|name| name.ends_with("ForTokenClassification")))
}

/// The names of the classes of transformers that the model was saved as.
fn architectures(path: &str, json: &[u8]) -> Result<Vec<String>, PackError> {
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        architectures: Vec<String>,
    }
    Ok(parse_json::<Named>(path, json)?.architectures)
}

/// The labels that `id2label` numbers from 0; `None` if a number is missing. Without `id2label` there are two.
pub(crate) fn numbered_labels(id2label: &BTreeMap<String, String>) -> Option<Vec<String>> {
    match id2label.len() {
        0 => Some(["LABEL_0", "LABEL_1"].map(str::to_owned).to_vec()), // the default of transformers
        classes => (0..classes).map(|id| id2label.get(&id.to_string()).cloned()).collect(),
    }
}
