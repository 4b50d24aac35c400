//! A pack over HTTP: its manifest, then every file it names, each checked against its hash.

use evident_nn::{Manifest, Pack, PackError};

use crate::error::WebError;
use crate::fetch::{Files, Freshness};

/// Fetches the pack in `files`; `progress` is told the bytes loaded so far and the bytes in all.
pub async fn fetch(files: &Files, mut progress: impl FnMut(u64, u64)) -> Result<Pack, WebError> {
    let manifest = files.read("pack.json", Freshness::Revalidate, |_| {}).await?;
    let manifest = Manifest::parse(&manifest)?;
    let total = manifest.files().iter().map(|file| file.bytes).sum();
    let mut before = 0;
    let mut verified = Vec::new();
    for file in manifest.files().to_vec() {
        let mut read =
            async || files.read(&file.path, Freshness::Immutable, |loaded| progress(before + loaded, total)).await;
        let bytes = read().await?;
        let whole = match manifest.verify(&file.path, bytes) {
            // The copy in the cache may be of another version of the pack, or damaged: once more from the host.
            Err(PackError::Altered { .. }) => {
                files.evict(&file.path).await;
                manifest.verify(&file.path, read().await?)?
            }
            checked => checked?,
        };
        before += file.bytes;
        verified.push(whole);
    }
    Ok(Pack::new(manifest, verified)?)
}
