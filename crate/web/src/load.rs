//! Fetches the models of a remote pack and loads them for their roles.

use evident_nn::Device;
use evident_verify::{Judge, Reranker, Role, reranking_model};

use crate::error::WebError;
use crate::pack::RemotePack;

/// The name of the NLI model to load: `wanted` if the pack has a model of this name, else "nli".
pub fn nli_model(pack: &RemotePack, wanted: &str) -> String {
    let there = pack.manifest().models().any(|name| name == wanted);
    if there { wanted } else { Role::Nli.name() }.to_owned()
}

/// Fetches and loads the judge by the pack's NLI model `model`; `fetched` and `warn` are those of
/// [`RemotePack::fetch`].
pub async fn open_judge(
    pack: &RemotePack,
    model: &str,
    fetched: impl FnMut(u64, u64),
    warn: impl FnMut(&str, &str),
) -> Result<Judge, WebError> {
    pack.fetch(&[model], fetched, warn).await?;
    pack.load(async |pack, device| Judge::load(pack, model, device).await).await
}

/// Fetches and loads the pack's T5 for `judge`; `fetched` and `warn` are those of [`RemotePack::fetch`].
pub async fn add_t5(
    judge: &Judge,
    pack: &RemotePack,
    fetched: impl FnMut(u64, u64),
    warn: impl FnMut(&str, &str),
) -> Result<(), WebError> {
    pack.fetch(&["verifier"], fetched, warn).await?;
    let t5 = pack.load(async |pack, device| Ok(pack.seq2seq("verifier", device).await?)).await?;
    Ok(judge.add_t5(t5)?)
}

/// Fetches and loads the reranker of the pack at `base`; `fetched` and `warn` are those of [`RemotePack::fetch`].
pub async fn open_reranker(
    base: &str,
    device: &Device,
    fetched: impl FnMut(u64, u64),
    warn: impl FnMut(&str, &str),
) -> Result<Reranker, WebError> {
    let pack = RemotePack::open(base, device).await?;
    let name = reranking_model(pack.manifest())?;
    pack.fetch(&[name], fetched, warn).await?;
    pack.load(Reranker::load).await
}
