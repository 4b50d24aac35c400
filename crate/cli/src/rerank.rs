//! Opens the model of `--rerank`.

use std::path::Path;
use std::sync::Arc;

use evident_nn::{Backend, Device, ONLY_MODEL, Pack, PackError, open_device};
use evident_verify::{PackReport, Reranker};

use crate::CliError;

/// The names that a model for re-ranking has in a pack, a cross-encoder's before a bi-encoder's, and in a plain folder.
const NAMES: [&str; 3] = ["relevance", "embedder", ONLY_MODEL];

/// The model of a folder or pack, on the CPU: a cross-encoder or, where its weights have no classifier's head, a bi-encoder.
/// None without a folder.
///
/// # Errors
/// [`CliError::Pack`] for a folder without such a model, [`CliError::Verify`] for a classifier that ranks nothing.
pub async fn open(folder: Option<&Path>) -> Result<Option<Arc<Reranker>>, CliError> {
    let Some(folder) = folder else { return Ok(None) };
    let (device, _) = open_device(Backend::Cpu).await?;
    let mut found = load(folder, NAMES[0], &device);
    for name in &NAMES[1..] {
        if matches!(found, Err(CliError::Pack(PackError::ModelMissing { .. }))) {
            found = load(folder, name, &device);
        }
    }
    Ok(Some(found?.into()))
}

fn load(folder: &Path, name: &str, device: &Device) -> Result<Reranker, CliError> {
    let mut pack = Pack::open(folder)?;
    let report = PackReport::of(pack.manifest());
    match pack.classifier(name, device) {
        Ok(model) => Ok(Reranker::cross_encoder(model, report)?),
        // Loading has used its files up.
        Err(PackError::TensorMissing { .. }) => {
            Ok(Reranker::bi_encoder(Pack::open(folder)?.embedder(name, device)?, report))
        }
        Err(error) => Err(error.into()),
    }
}
