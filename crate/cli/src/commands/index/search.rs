//! `evident index search`: the passages that answer a query best.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_base::plain_line;
use evident_index::{FileStorage, Hit, Index, Limits};
use futures_lite::future::block_on;
use serde::Serialize;

use super::write_json;
use crate::error::CliError;
use crate::print::DIM;
use crate::size;

#[derive(Args)]
pub struct Arguments {
    /// The folder of the index
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// The query
    query: String,
    /// How many passages
    #[arg(short, default_value_t = 10)]
    k: usize,
    /// Keep to so many bytes, such as 200000 (a page's limit) or 1M, and say where a better passage may be missing
    #[arg(long, value_name = "BYTES", value_parser = size::bytes)]
    within: Option<usize>,
    /// Write what is found as JSON
    #[arg(long)]
    json: bool,
}

/// The hits, and what opening the index and searching it read.
#[derive(Serialize)]
struct Answer<'a> {
    query: &'a str,
    hits: Vec<Hit>,
    /// The highest score that a passage outside the hits can have; null where the hits are proved to be the best.
    bound: Option<f32>,
    /// Files read.
    requests: u64,
    /// Their bytes.
    bytes: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let Arguments { index, query, k, within, json } = arguments;
    let limits = within.map_or_else(Limits::default, |bytes| Limits::within(bytes as u64));
    let (found, traffic) = block_on(async {
        let index = Index::open(FileStorage::new(index)).await?;
        index.find(query, *k, limits).await.map(|found| (found, index.traffic()))
    })?;
    let (hits, bound) = (found.hits, found.completeness.bound());
    let mut out = anstream::stdout().lock();
    if *json {
        let answer = Answer { query, hits, bound, requests: traffic.requests, bytes: traffic.bytes };
        write_json(&mut out, &answer)?;
        return Ok(out.flush()?);
    }
    for (hit, rank) in hits.iter().zip(1..) {
        let passage = &hit.passage;
        let (title, id, text) = (plain_line(&passage.title), plain_line(&passage.id), plain_line(&passage.text));
        writeln!(out, "{rank}. {title} {DIM}[{id}] BM25 {:.2}{DIM:#}\n   {text}", hit.score)?;
    }
    if hits.is_empty() {
        writeln!(out, "{DIM}No passage has any of these words.{DIM:#}")?;
    }
    if let Some(bound) = bound {
        writeln!(
            out,
            "{DIM}The search kept to its limit: a passage with up to BM25 {bound:.2} may be missing.{DIM:#}"
        )?;
    }
    Ok(out.flush()?)
}
