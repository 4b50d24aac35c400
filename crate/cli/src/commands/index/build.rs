//! `evident index build`, `add`, `merge` and `join`: from a corpus to an index.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use evident_base::{PlainWriter, plain, plain_line};
use evident_corpus::{Facts, Fields, Passages, ReadOptions};
use evident_index::{BuildError, BuildOptions, BuildProgress as Stage, BuildSummary, IndexCosts, Passage};
use serde::Serialize;

use super::{write_costs, write_json};
use crate::error::CliError;
use crate::progress::Progress;
use crate::{size, threads};

#[derive(Args)]
pub struct Build {
    /// A folder of .txt, .md and .html files or one of them, a MediaWiki dump (.xml), an HTML dump of Wikimedia
    /// Enterprise (.ndjson, or .tar of such files), a ZIM archive of Kiwix (.zim), or a file of one passage per line:
    /// {"id", "title", "text"}, and "section", "source" and "names" (an array) where wanted. Dumps and lines may be
    /// compressed (.bz2, .gz)
    corpus: PathBuf,
    /// The folder to write
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    means: Means,
}

#[derive(Args)]
pub struct Add {
    /// The folder of the index
    index: PathBuf,
    /// What to add, as for `build`; its ids must be new
    corpus: PathBuf,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    means: Means,
}

#[derive(Args)]
pub struct Merge {
    /// The folder of the index
    index: PathBuf,
    #[command(flatten)]
    means: Means,
}

#[derive(Args)]
pub struct Join {
    /// The folders of the indexes, in the order that their passages are to have; they may share no id
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// The folder to write
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    means: Means,
}

/// What of a corpus is read.
#[derive(Args)]
struct Reading {
    /// Go on behind a line that is no passage or article. A file of a folder that cannot be read is passed over
    /// in any case
    #[arg(long)]
    keep_going: bool,
    /// Leave out the infoboxes and tables of dumps and pages; otherwise they become sentences, in passages with the
    /// section "Facts"
    #[arg(long)]
    no_facts: bool,
    /// The names of a passage's fields in lines of JSON, such as title=name,text=body; without an id, a line's number
    /// is its id
    #[arg(long, value_name = "FIELD=NAME,...")]
    fields: Option<Fields>,
    /// Take each line of JSON for an article and cut it into passages: its paragraphs are parted by line breaks, its
    /// headings written "== Heading =="
    #[arg(long)]
    cut: bool,
}

/// What a build may use, and how it tells what it did.
#[derive(Args)]
struct Means {
    /// The memory to keep to, such as 512M or 2G, beside that for one page of the corpus; the rest is put aside in the
    /// index's folder
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size::bytes)]
    memory: usize,
    /// The threads that analyse and compress [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
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
    costs: IndexCosts,
}

pub fn build(arguments: &Build) -> Result<(), CliError> {
    let Build { corpus, out, reading, means } = arguments;
    from_corpus(corpus, out, reading, means, |passages, options, progress| {
        evident_index::build_watched(passages, out, options, |stage| watch(progress, stage))
    })
}

pub fn add(arguments: &Add) -> Result<(), CliError> {
    let Add { corpus, index, reading, means } = arguments;
    from_corpus(corpus, index, reading, means, |passages, options, progress| {
        evident_index::add(passages, index, options, |stage| watch(progress, stage))
    })
}

pub fn merge(arguments: &Merge) -> Result<(), CliError> {
    let Merge { index, means } = arguments;
    from_indexes(index, means, |options, watch| evident_index::merge(index, options, watch))
}

pub fn join(arguments: &Join) -> Result<(), CliError> {
    let Join { parts, out, means } = arguments;
    from_indexes(out, means, |options, watch| evident_index::join(parts, out, options, watch))
}

/// Makes an index of other indexes in the folder `out`, by `make`.
fn from_indexes(
    out: &Path,
    means: &Means,
    make: impl FnOnce(&BuildOptions, &mut dyn FnMut(Stage) -> ControlFlow<()>) -> Result<BuildSummary, BuildError>,
) -> Result<(), CliError> {
    let began = Instant::now();
    let progress = RefCell::new(Progress::new());
    make(&means.options(), &mut |stage| {
        if let Stage::Read(passages) = stage {
            progress.borrow_mut().show_often(|| format!("{passages} passages read"));
        }
        watch(&progress, stage)
    })?;
    drop(progress);
    tell(out, means, began)
}

/// Reads a corpus and makes an index of it in the folder `out`, by `make`.
fn from_corpus(
    corpus: &Path,
    out: &Path,
    reading: &Reading,
    means: &Means,
    make: impl FnOnce(
        &mut dyn Iterator<Item = Result<Passage, BuildError>>,
        &BuildOptions,
        &RefCell<Progress>,
    ) -> Result<BuildSummary, BuildError>,
) -> Result<(), CliError> {
    let began = Instant::now();
    let progress = RefCell::new(Progress::new());
    let facts = if reading.no_facts { Facts::LeftOut } else { Facts::Read };
    let how = ReadOptions { facts, fields: reading.fields.clone(), cut: reading.cut, memory: means.memory as u64 };
    let mut corpus = Passages::open_with(corpus, how)?;
    let others = corpus.others().clone();
    let (mut failed, mut passed_over) = (None, 0);
    let mut passages = std::iter::from_fn(|| {
        loop {
            match next(&mut corpus, &progress) {
                Ok(passage) => return passage.map(Ok),
                Err(CliError::Corpus(error))
                    if error.is_of_one_file() || (reading.keep_going && error.is_of_one_line()) =>
                {
                    eprintln!("passed over: {}", plain(&error.to_string()));
                    passed_over += 1;
                }
                // Any error stops the builder, which then leaves no files. The one in `failed` is returned below in its
                // place.
                Err(error) => {
                    failed = Some(error);
                    return Some(Err(BuildError::NoPassages));
                }
            }
        }
    });
    let made = make(&mut passages, &means.options(), &progress);
    drop(progress);
    if let Some(error) = failed {
        return Err(error);
    }
    made?;
    tell(out, means, began)?;
    if !others.is_empty() {
        eprintln!("{}", plain_line(&not_read(&others)));
    }
    if passed_over > 0 { Err(CliError::PassedOver { count: passed_over }) } else { Ok(()) }
}

/// Says how many files of a folder were not read, by the ends of their names.
fn not_read(others: &BTreeMap<String, usize>) -> String {
    let all: usize = others.values().sum();
    let kinds = others.iter().map(|(end, count)| match end.as_str() {
        "" => format!("{count} without an extension"),
        end => format!("{count} {end}"),
    });
    let kinds: Vec<String> = kinds.collect();
    format!("not read: {all} files of other kinds ({})", kinds.join(", "))
}

/// The next passage; shows how much of the corpus is read.
fn next(corpus: &mut Passages, progress: &RefCell<Progress>) -> Result<Option<Passage>, CliError> {
    progress.borrow().interrupted().map_err(|_| CliError::Stopped)?;
    let passage = corpus.next().transpose()?;
    if passage.is_some() {
        progress.borrow_mut().show_share("reading", corpus.bytes_read(), corpus.bytes());
    }
    Ok(passage)
}

/// Shows the stages after reading, and stops the work on Ctrl-C.
fn watch(progress: &RefCell<Progress>, stage: Stage) -> ControlFlow<()> {
    match stage {
        Stage::Read(_) => {}
        Stage::Merged(terms) => progress.borrow_mut().show_often(|| format!("{terms} terms merged")),
        Stage::Writing => progress.borrow().show("writing"),
    }
    match progress.borrow().interrupted() {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

fn tell(index: &Path, means: &Means, began: Instant) -> Result<(), CliError> {
    let built = Built { seconds: began.elapsed().as_secs_f64(), costs: IndexCosts::of(index)? };
    let mut out = anstream::stdout().lock();
    if means.json {
        write_json(&mut out, &built)?;
    } else {
        let mut out = PlainWriter(&mut out);
        write_costs(&mut out, &built.costs)?;
        writeln!(out, "in {}, built in {:.1} s", index.display(), built.seconds)?;
    }
    Ok(out.flush()?)
}

impl Means {
    fn options(&self) -> BuildOptions {
        let threads = threads::number(self.threads);
        BuildOptions { memory: self.memory, threads, ..BuildOptions::default() }
    }
}
