//! Measures the index: how its costs grow with the corpus, and how they stand against tantivy's.
//! `./build.sh bench index` runs it all.
//!
//! ```text
//! evident-bench corpus N                     N synthetic passages as JSONL
//! evident-bench claims CORPUS COUNT          queries drawn from a corpus as FM2's claims: text, tab, the passage's id
//! evident-bench sentences CORPUS COUNT       sentences of a corpus as queries, without a third of their words
//! evident-bench fit CORPUS [CLAIMS]          compares synthetic passages with a corpus, or drawn claims with a file's
//! evident-bench build ENGINE CORPUS DIR      builds an index with evident or tantivy: time, peak memory, size
//! evident-bench build evident CORPUS DIR N   the same with N passages in a group
//! evident-bench search ENGINE DIR QUERIES    searches it with each line of a file: times
//! evident-bench cost INDEX QUERIES [BYTES]   costs of cold queries, without limits and within BYTES or a page's 200 KB
//! evident-bench scale OUT [LARGEST]          the index's costs by size of corpus, as JSON and SVG
//! ```
//!
//! A CORPUS is whatever `evident index build` reads, or `synthetic:N`. Results are JSON on standard output.

#![forbid(unsafe_code)]

mod claims;
mod corpus;
mod counting;
mod evident;
mod fit;
mod plot;
mod process;
mod scale;
mod synthetic;
mod tantivy;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use evident_index::Limits;

use crate::claims::Claim;
use crate::corpus::Corpus;

/// Whatever stops a measurement; it is told and nothing else.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Queries that a measurement takes.
const QUERIES: usize = 200;
/// Passages that a query asks for: the papers' ten (guan2024, Sec. 4.2).
const K: usize = 10;
/// The seed of all draws, so that two runs measure the same.
const SEED: u64 = 7;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), Failure> {
    match *arguments {
        ["corpus", count] => synthetic::write(count.parse()?, SEED, io::stdout().lock()),
        ["claims", corpus, count] => list(&claims::draw(Corpus::of(corpus), count.parse()?, SEED)?),
        ["sentences", corpus, count] => list(&claims::sentences(Corpus::of(corpus), count.parse()?, SEED)?),
        ["fit", corpus] => print(&fit::compare(Corpus::of(corpus))?),
        ["fit", corpus, claims] => print(&fit::compare_claims(Corpus::of(corpus), &Claim::read(Path::new(claims))?)?),
        ["build", "evident", corpus, out] => print(&evident::build(Corpus::of(corpus), Path::new(out), None)?),
        ["build", "evident", corpus, out, group] => {
            print(&evident::build(Corpus::of(corpus), Path::new(out), Some(group.parse()?))?)
        }
        ["build", "tantivy", corpus, out] => print(&tantivy::build(Corpus::of(corpus), Path::new(out))?),
        ["search", "evident", index, queries] => {
            print(&evident::search(Path::new(index), &Claim::read(Path::new(queries))?)?)
        }
        ["search", "tantivy", index, queries] => {
            print(&tantivy::search(Path::new(index), &Claim::read(Path::new(queries))?)?)
        }
        ["cost", index, queries] => {
            print(&scale::cost(Path::new(index), &Claim::read(Path::new(queries))?, Limits::WEB)?)
        }
        ["cost", index, queries, bytes] => {
            let limits = Limits::within(bytes.parse()?);
            print(&scale::cost(Path::new(index), &Claim::read(Path::new(queries))?, limits)?)
        }
        ["scale", out] => scale::run(Path::new(out), scale::LARGEST),
        ["scale", out, largest] => scale::run(Path::new(out), largest.parse()?),
        _ => Err("see the head of tests/bench/src/main.rs for what it takes".into()),
    }
}

fn list(claims: &[Claim]) -> Result<(), Failure> {
    Ok(claims.iter().try_for_each(|claim| writeln!(io::stdout(), "{claim}"))?)
}

fn print(value: &impl serde::Serialize) -> Result<(), Failure> {
    Ok(writeln!(io::stdout(), "{}", serde_json::to_string(value)?)?)
}
