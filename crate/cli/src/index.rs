//! `evident index`: builds and searches an index.

use std::{io::Write, path::PathBuf};

use clap::Subcommand;
use evident_index::{BuildOptions, FileStorage, Index, build, read_jsonl};
use futures_lite::future::block_on;

use crate::CliError;
use crate::readable::{DIM, printable};

#[derive(Subcommand)]
pub enum Command {
    /// Build an index of passages, a folder of static files
    Build {
        /// One passage per line: {"id", "title", "text"}, and "section" and "source" where wanted
        passages: PathBuf,
        /// The folder to write
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Show the passages that answer a query best
    Search {
        /// The folder of the index
        #[arg(long, value_name = "DIR")]
        index: PathBuf,
        /// The query
        query: String,
        /// How many passages
        #[arg(short, default_value_t = 10)]
        k: usize,
    },
}

pub fn run(command: Command) -> Result<(), CliError> {
    let mut out = anstream::stdout().lock();
    match command {
        Command::Build { passages, out: directory } => {
            let summary = build(read_jsonl(&passages), &directory, &BuildOptions::default())?;
            writeln!(
                out,
                "{} passages, {} terms: {} files, {} bytes in {}",
                summary.passages,
                summary.terms,
                summary.files,
                summary.bytes,
                directory.display()
            )?;
        }
        Command::Search { index, query, k } => {
            let hits = block_on(async { Index::open(FileStorage::new(index)).await?.search(&query, k).await })?;
            for (hit, rank) in hits.iter().zip(1..) {
                let passage = &hit.passage;
                let (title, id, text) = (printable(&passage.title), printable(&passage.id), printable(&passage.text));
                writeln!(out, "{rank}. {title} {DIM}[{id}] BM25 {:.2}{DIM:#}\n   {text}", hit.score)?;
            }
        }
    }
    Ok(out.flush()?)
}
