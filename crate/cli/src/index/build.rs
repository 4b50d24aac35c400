//! `evident index build`: from a corpus to an index.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use evident_corpus::Passages;
use evident_index::{BuildError, BuildOptions, Passage, build};
use serde::Serialize;

use super::costs::Costs;
use super::write_json;
use crate::CliError;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// A folder of .txt and .md files, a MediaWiki dump (.xml, .xml.bz2), or a file of one passage per line: {"id", "title", "text"},
    /// and "section" and "source" where wanted
    corpus: PathBuf,
    /// The folder to write
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write what was built as JSON
    #[arg(long)]
    json: bool,
}

/// What was built, and how long it took.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Built {
    seconds: f64,
    #[serde(flatten)]
    costs: Costs,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let began = Instant::now();
    let mut progress = Progress::new();
    let mut corpus = Passages::open(&arguments.corpus)?;
    let mut failed = None;
    let passages = std::iter::from_fn(|| match next(&mut corpus, &mut progress) {
        Ok(passage) => passage.map(Ok),
        // Any error stops the builder, which then leaves no trace; that this one is told, and not the builder's, is seen to below.
        Err(error) => {
            failed = Some(error);
            Some(Err(BuildError::NoPassages))
        }
    });
    let built = build(passages, &arguments.out, &BuildOptions::default());
    drop(progress);
    if let Some(error) = failed {
        return Err(error);
    }
    built?;

    let built = Built { seconds: began.elapsed().as_secs_f64(), costs: Costs::of(&arguments.out)? };
    let mut out = anstream::stdout().lock();
    if arguments.json {
        write_json(&mut out, &built)?;
    } else {
        built.costs.write(&mut out)?;
        writeln!(out, "in {}, built in {:.1} s", arguments.out.display(), built.seconds)?;
    }
    Ok(out.flush()?)
}

/// The next passage, with a word on how far the corpus is read.
fn next(corpus: &mut Passages, progress: &mut Progress) -> Result<Option<Passage>, CliError> {
    progress.interrupted().map_err(|_| CliError::Stopped)?;
    let passage = corpus.next().transpose()?;
    match passage {
        Some(_) => progress.show_share("reading", corpus.bytes_read(), corpus.bytes()),
        None => progress.show("writing"),
    }
    Ok(passage)
}
