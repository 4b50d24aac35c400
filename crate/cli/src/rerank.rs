//! Opens the model of `--rerank`.

use std::path::Path;
use std::sync::Arc;

use evident_nn::{Backend, Pack, open_device};
use evident_verify::Reranker;

use crate::CliError;

/// The model of a folder or pack, on the CPU: a cross-encoder or a bi-encoder. None without a folder.
///
/// # Errors
/// [`CliError::Role`] for a folder without such a model, and for a classifier that ranks nothing.
pub async fn open(folder: Option<&Path>) -> Result<Option<Arc<Reranker>>, CliError> {
    let Some(folder) = folder else { return Ok(None) };
    let (device, _) = open_device(Backend::Cpu).await?;
    let mut pack = Pack::open(folder)?;
    Ok(Some(Reranker::load(&mut pack, &device)?.into()))
}
