//! `evident index search`: the passages that answer a query best.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_index::{FileStorage, Hit, Index};
use futures_lite::future::block_on;
use serde::Serialize;

use super::write_json;
use crate::CliError;
use crate::readable::{DIM, printable};

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
    /// Write what is found as JSON
    #[arg(long)]
    json: bool,
}

/// What is found, and what it took with the index just opened.
#[derive(Serialize)]
struct Answer<'a> {
    query: &'a str,
    hits: Vec<Hit>,
    /// Files read.
    requests: u64,
    /// Their bytes.
    bytes: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let Arguments { index, query, k, json } = arguments;
    let (hits, traffic) = block_on(async {
        let index = Index::open(FileStorage::new(index)).await?;
        index.search(query, *k).await.map(|hits| (hits, index.traffic()))
    })?;
    let mut out = anstream::stdout().lock();
    if *json {
        let answer = Answer { query, hits, requests: traffic.requests, bytes: traffic.bytes };
        write_json(&mut out, &answer)?;
        return Ok(out.flush()?);
    }
    for (hit, rank) in hits.iter().zip(1..) {
        let passage = &hit.passage;
        let (title, id, text) = (printable(&passage.title), printable(&passage.id), printable(&passage.text));
        writeln!(out, "{rank}. {title} {DIM}[{id}] BM25 {:.2}{DIM:#}\n   {text}", hit.score)?;
    }
    Ok(out.flush()?)
}
