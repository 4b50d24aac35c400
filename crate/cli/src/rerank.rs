//! Opens the model of `--rerank`.

use std::path::Path;
use std::sync::Arc;

use evident_nn::{Backend, Kind, ONLY_MODEL, Pack, PackError, open_device};
use evident_verify::{PackReport, Reranker};

use crate::CliError;

/// The names that a model for re-ranking has in a pack, a cross-encoder's before a bi-encoder's, and in a plain folder.
const NAMES: [&str; 3] = ["relevance", "embedder", ONLY_MODEL];

/// The model of a folder or pack, on the CPU: a cross-encoder or a bi-encoder. None without a folder.
///
/// # Errors
/// [`CliError::Pack`] for a folder without such a model, [`CliError::Verify`] for a classifier that ranks nothing.
pub async fn open(folder: Option<&Path>) -> Result<Option<Arc<Reranker>>, CliError> {
    let Some(folder) = folder else { return Ok(None) };
    let (device, _) = open_device(Backend::Cpu).await?;
    let mut pack = Pack::open(folder)?;
    let report = PackReport::of(pack.manifest());
    let models = pack.models()?;
    let found = NAMES.iter().find_map(|name| models.iter().find(|model| model.name == *name));
    let Some(found) = found else {
        let known = models.into_iter().map(|model| model.name).collect();
        return Err(PackError::ModelMissing { name: NAMES[0].to_owned(), known }.into());
    };
    let reranker = match found.kind {
        Kind::Embedder => Reranker::bi_encoder(pack.embedder(&found.name, &device)?, report),
        _ => Reranker::cross_encoder(pack.classifier(&found.name, &device)?, report)?,
    };
    Ok(Some(reranker.into()))
}
