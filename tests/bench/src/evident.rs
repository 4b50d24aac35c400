//! Evident's index, built and searched natively.

use std::path::Path;
use std::time::Instant;

use evident_index::{BuildError, BuildOptions, FileStorage, Index};
use futures_lite::future::block_on;

use crate::claims::Claim;
use crate::corpus::Corpus;
use crate::process::{Built, Searched, peak_memory, size};
use crate::{Failure, K};

/// Builds an index with `group` passages in a group, or as many as by default.
pub fn build(corpus: Corpus, out: &Path, group: Option<u32>) -> Result<Built, Failure> {
    let began = Instant::now();
    let (mut failed, mut count) = (None, 0);
    let passages = corpus.passages()?.map(|passage| {
        count += 1;
        passage.map_err(|error| {
            failed = Some(error);
            BuildError::Stopped
        })
    });
    let mut options = BuildOptions::default();
    options.group_passages = group.unwrap_or(options.group_passages);
    let built = evident_index::build(passages, out, &options);
    if let Some(error) = failed {
        return Err(error);
    }
    built?;
    let seconds = began.elapsed().as_secs_f64();
    let (files, bytes) = size(out)?;
    Ok(Built { passages: count, seconds, peak_memory: peak_memory(), files, bytes, threads: options.threads })
}

pub fn search(index: &Path, queries: &[Claim]) -> Result<Searched, Failure> {
    block_on(async {
        let index = Index::open(FileStorage::new(index)).await?;
        let (mut times, mut hits) = (Vec::new(), 0);
        for query in queries {
            let began = Instant::now();
            hits += index.search(&query.text, K).await?.len();
            times.push(began.elapsed().as_secs_f64() * 1e3);
        }
        Ok(Searched::of(times, hits))
    })
}
