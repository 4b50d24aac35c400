//! Opens the model of `--rerank`.

use std::path::Path;
use std::sync::Arc;

use evident_nn::{Backend, Pack, open_device};
use evident_verify::{PackReport, Ranker, Reranker};

use crate::CliError;

/// The model of a folder or pack, on the CPU: a cross-encoder or a bi-encoder. None without a folder.
///
/// # Errors
/// [`CliError::Pack`] for a folder without such a model, [`CliError::Verify`] for a classifier that ranks nothing.
pub async fn open(folder: Option<&Path>) -> Result<Option<Arc<Reranker>>, CliError> {
    let Some(folder) = folder else { return Ok(None) };
    let (device, _) = open_device(Backend::Cpu).await?;
    let mut pack = Pack::open(folder)?;
    let report = PackReport::of(pack.manifest());
    let name = Ranker::name(pack.manifest())?;
    Ok(Some(Reranker::new(Ranker::load(&mut pack, name, &device)?, report)?.into()))
}
