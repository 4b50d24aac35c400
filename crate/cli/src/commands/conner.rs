//! `evident conner`: chen2023's six scores of a file of questions, knowledge and answers.

use std::io::{self, Write};
use std::num::{NonZero, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use evident_base::plain;
use evident_eval::{Composed, ConnerRole, Scoring, SelectBy, Template, Written};
use evident_nn::Threads;
use evident_verify::conner::Settings;
use futures_lite::future::block_on;

use crate::error::CliError;
use crate::models::{RoleModel, conner_models};
use crate::progress::Progress;
use crate::threads;

#[derive(Args)]
pub struct Arguments {
    /// The items, one {"question", "knowledge", "answer", "reference"} a line, or .tsv (topic, query, knowledge,
    /// answer)
    file: PathBuf,
    /// The folder of the model pack; of its models those named nli, relevance, embedder, lm, seq2seq and discourse are
    /// used
    #[arg(long, value_name = "DIR", env = "EVIDENT_PACK")]
    pack: Option<PathBuf>,
    /// Models in place of the pack's or beside them, each a pack or a folder as published on Hugging Face
    #[arg(long, value_name = "ROLE=DIR", value_delimiter = ',')]
    models: Vec<RoleModel>,
    /// The folder of the index that evidence and random passages are from
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    /// Settings as JSON, such as '{"aggregate": "mean"}'
    #[arg(long, value_name = "JSON")]
    settings: Option<String>,
    #[command(flatten)]
    select: Select,
    /// The --out folder of another run: the scores of items with the same id are compared, with intervals
    #[arg(long, value_name = "DIR")]
    against: Option<PathBuf>,
    /// Score N pieces of knowledge for each item that the seq2seq model writes, in place of the item's own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    write: Option<u16>,
    /// Draw each word from the likeliest ones, which together have this probability, if --write asks for several pieces
    #[arg(long, value_name = "SHARE", default_value = "0.9", requires = "write", value_parser = share)]
    top_p: f64,
    /// With --top, write a prompt for each item of FILE into --out, with the chosen items as demonstrations
    #[arg(long, value_name = "FILE", requires_all = ["top", "out"])]
    compose: Option<PathBuf>,
    /// The prompt of --write (zero-nq-4 by default) or --compose (few-nq-5), one of those that CONNER.md lists
    #[arg(long, value_name = "NAME", value_parser = template)]
    template: Option<&'static Template>,
    /// Compute the baselines of the paper too, which read the items' referenceKnowledge and reference
    #[arg(long)]
    baselines: bool,
    /// People's ratings of the items: id and ratings of 0, 1 and 2, parted by tabs, under a line with their names
    #[arg(long, value_name = "TSV")]
    ratings: Option<PathBuf>,
    /// How well known the items' topics are, such as page views: topic and count, parted by a tab
    #[arg(long, value_name = "TSV")]
    frequencies: Option<PathBuf>,
    /// A folder for rows.jsonl, report.json, report.md and radar.svg
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on from the rows in --out instead of starting over
    #[arg(long, requires = "out")]
    resume: bool,
    /// Score the first N items only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Run the models on N threads; the scores are the same [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Write every item's scores, or those of the chosen ones, one JSON object a line, in place of the table
    #[arg(long)]
    json: bool,
}

/// Which items are selected by their quality.
#[derive(Args)]
#[group(multiple = false)]
struct Select {
    /// Choose, of the items that share a question, the one with the highest Q_know
    #[arg(long)]
    best: bool,
    /// Choose the N items with the highest Q_know, such as demonstrations for a prompt
    #[arg(long, value_name = "N")]
    top: Option<NonZeroUsize>,
}

/// A template by its name.
fn template(name: &str) -> Result<&'static Template, String> {
    Template::named(name).ok_or_else(|| "no such template: CONNER.md lists them".to_owned())
}

/// One of the templates that there are.
fn named(name: &'static str) -> &'static Template {
    Template::named(name).unwrap_or(&Template::ALL[0])
}

/// A share of a probability.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "not a share: choose a number above 0 and at most 1".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    Threads::on_cores(threads::number(arguments.threads))?.run(|| score(arguments))
}

/// The settings of `--settings`.
pub fn settings(json: Option<&str>) -> Result<Settings, CliError> {
    serde_json::from_str(json.unwrap_or("{}")).map_err(CliError::Settings)
}

fn score(arguments: &Arguments) -> Result<(), CliError> {
    let settings = settings(arguments.settings.as_deref())?;
    settings.validate()?;
    let Select { best, top } = arguments.select;
    let scoring = Scoring {
        file: arguments.file.clone(),
        ratings: arguments.ratings.clone(),
        frequencies: arguments.frequencies.clone(),
        index: arguments.index.clone(),
        settings,
        baselines: arguments.baselines,
        limit: arguments.limit,
        against: arguments.against.clone(),
        write: arguments.write.map(|pieces| Written {
            pieces: pieces.into(),
            top_p: arguments.top_p,
            template: arguments.template.unwrap_or_else(|| named("zero-nq-4")),
        }),
        compose: arguments
            .compose
            .clone()
            .map(|file| Composed { file, template: arguments.template.unwrap_or_else(|| named("few-nq-5")) }),
        select: top.map(SelectBy::Top).or(best.then_some(SelectBy::Best)),
        out: arguments.out.clone(),
        resume: arguments.resume,
    };
    let items = scoring.read()?;
    let mut progress = Progress::new();
    progress.show("loading the models");
    let wanted: Vec<ConnerRole> = ConnerRole::all().collect();
    let models = block_on(conner_models(arguments.pack.as_deref(), &arguments.models, &wanted))?;
    let scored = scoring.run(&items, &models, &mut progress)?;
    drop(progress);
    let mut out = anstream::stdout().lock();
    if arguments.json {
        for item in scored.items() {
            writeln!(out, "{}", serde_json::to_string(item).map_err(io::Error::from)?)?;
        }
    } else {
        out.write_all(plain(&scored.markdown()).as_bytes())?;
    }
    Ok(out.flush()?)
}
