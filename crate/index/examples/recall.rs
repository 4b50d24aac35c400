//! How often a search finds the passage that settles a claim, and what it costs, each on the index opened anew and by
//! ranges: `cargo run --release -p evident-index --example recall PASSAGES.jsonl CLAIMS.jsonl [BYTES [BUCKET_TERMS]]`.
//! A line of claims is `{"set": "fm2", "query": "...", "gold": ["id", ...]}`; without BYTES each search is exact.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use evident_index::{BuildOptions, Index, Limits, MemoryStorage, assemble, parse_line};
use futures_lite::future::block_on;
use serde::Deserialize;

/// The ranks up to which a passage counts as found.
const RANKS: [usize; 3] = [1, 3, 10];

#[derive(Deserialize)]
struct Claim {
    /// The name of its data set.
    set: String,
    query: String,
    /// The ids of the passages any of which settles it.
    gold: Vec<String>,
}

/// What the claims of a set found and cost.
#[derive(Default)]
struct Found {
    /// The number of claims whose passage was among the first [`RANKS`].
    at: [usize; RANKS.len()],
    bytes: Vec<u64>,
    requests: Vec<u64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [passages, claims, numbers @ ..] = &arguments[..] else { return Err("name passages and claims".into()) };
    let mut numbers = numbers.iter().map(|number| number.parse::<u64>());
    let limits = numbers.next().transpose()?.map_or_else(Limits::default, Limits::within);
    let mut options = BuildOptions::default();
    if let Some(terms) = numbers.next().transpose()? {
        options.shard_terms = terms as usize;
    }

    let lines = fs::read(passages)?;
    let passages = lines.split(|&byte| byte == b'\n').zip(1..).filter(|(line, _)| !line.trim_ascii().is_empty());
    let (manifest, files) = assemble(passages.map(|(line, number)| parse_line(line, number)), &options)?;
    let bytes: usize = files.values().map(Vec::len).sum();
    println!("{} passages, {} terms, {} files, {bytes} bytes", manifest.passages, manifest.terms, files.len());

    let files = MemoryStorage(files);
    let mut sets = BTreeMap::<String, Found>::new();
    for line in fs::read_to_string(claims)?.lines() {
        let claim: Claim = serde_json::from_str(line)?;
        let index = block_on(Index::open(&files))?;
        let opened = index.traffic();
        let found = block_on(index.find(&claim.query, RANKS[RANKS.len() - 1], limits))?;
        let rank = found.hits.iter().position(|hit| claim.gold.contains(&hit.passage.id)).unwrap_or(usize::MAX);
        let set = sets.entry(claim.set).or_default();
        RANKS.iter().zip(&mut set.at).for_each(|(&most, count)| *count += usize::from(rank < most));
        set.bytes.push(index.traffic().bytes - opened.bytes);
        set.requests.push(index.traffic().requests - opened.requests);
    }
    let opened = block_on(Index::open(&files))?.traffic().bytes;
    println!("opening: {opened} bytes");
    for (name, Found { at, mut bytes, mut requests }) in sets {
        bytes.sort_unstable();
        requests.sort_unstable();
        let count = bytes.len();
        let shares = at.map(|found| format!("{:.1}", 100.0 * found as f64 / count as f64)).join(", ");
        println!(
            "{name}: {count} claims, found among {RANKS:?}: {shares} %; bytes {} (95 %: at most {}), requests {}",
            bytes[count / 2],
            bytes[count * 95 / 100],
            requests[count / 2]
        );
    }
    Ok(())
}
