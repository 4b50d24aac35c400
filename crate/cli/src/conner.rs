//! `evident conner`: chen2023's six scores of a file of questions, knowledge and answers. crate/verify/CONNER.md documents it.

mod agreement;
mod breakdown;
mod chosen;
pub mod floors;
mod models;
mod radar;
mod ratings;
mod record;
mod report;
mod rows;

use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use evident_index::{FileStorage, Index};
use evident_verify::IndexReport;
use evident_verify::conner::{Settings, Sources};
use futures_lite::future::block_on;

use crate::journal::Journal;
use crate::progress::Progress;
use crate::{CliError, threads};

use chosen::Choose;
use models::Choice;
use record::{Record, Run};
use report::Report;

#[derive(Args)]
pub struct Arguments {
    /// The items, one {"question", "knowledge", "answer", "reference"} a line, or .tsv (topic, query, knowledge, answer)
    file: PathBuf,
    /// The folder of the model pack; of its models those named nli, relevance, embedder, lm, seq2seq and discourse are used
    #[arg(long, value_name = "DIR", env = "EVIDENT_PACK")]
    pack: Option<PathBuf>,
    /// Models in place of the pack's or beside them, each a pack or a folder as published on Hugging Face
    #[arg(long, value_name = "ROLE=DIR", value_delimiter = ',')]
    models: Vec<Choice>,
    /// The folder of the index that evidence and random passages are from
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    /// Settings as JSON, such as '{"aggregate": "mean"}'
    #[arg(long, value_name = "JSON")]
    settings: Option<String>,
    #[command(flatten)]
    choose: Choose,
    /// Compute the baselines of the paper too, which read the items' referenceKnowledge and reference
    #[arg(long)]
    baselines: bool,
    /// What people say of the items: id and ratings of 0, 1 and 2, parted by tabs under a line that names them
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

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    threads::start(threads::number(arguments.threads))?.run(|| score(arguments))
}

fn score(arguments: &Arguments) -> Result<(), CliError> {
    let settings: Settings =
        serde_json::from_str(arguments.settings.as_deref().unwrap_or("{}")).map_err(CliError::Settings)?;
    settings.validate()?;
    let path = &arguments.file;
    let mut rows = rows::read(path)?;
    if let Some(ratings) = &arguments.ratings {
        ratings::read(ratings, &mut rows)?;
    }
    if let Some(frequencies) = &arguments.frequencies {
        breakdown::read_frequencies(frequencies, &mut rows)?;
    }
    rows.truncate(arguments.limit.unwrap_or(usize::MAX));
    if rows.is_empty() {
        return Err(CliError::Unusable { path: path.clone(), why: "there is no item to score" });
    }

    let mut progress = Progress::new();
    progress.show("loading the models");
    let (conner, models) =
        block_on(models::open(arguments.pack.as_deref(), &arguments.models, &models::roles().collect::<Vec<_>>()))?;
    let index = match &arguments.index {
        Some(index) => Some(block_on(Index::open(FileStorage::new(index)))?),
        None => None,
    };
    let about = index.as_ref().map(|index| IndexReport::of(&index.manifest()));
    let run = Run { index: about, models, settings, baselines: arguments.baselines };
    let mut journal = Journal::open(arguments.out.as_deref(), &run, &rows, arguments.resume)?;
    let (begun, start) = (journal.records().len(), Instant::now());
    for (number, row) in rows.iter().enumerate().skip(begun) {
        progress.label =
            label(number, rows.len(), start.elapsed().as_secs_f64() / (number - begun).max(1) as f64 / 60.0);
        let sources = Sources { passages: &row.evidence, index: index.as_ref(), ..Sources::default() };
        let of_line = |source| CliError::Line { line: row.line, source };
        let report = block_on(conner.score(&row.item, &sources, &run.settings, &progress)).map_err(of_line)?;
        let right = row.reference_knowledge.as_deref();
        let baselines = match run.baselines {
            true => Some(block_on(conner.baselines(&row.item, right, &run.settings, &progress)).map_err(of_line)?),
            false => None,
        };
        journal.append(Record {
            row: number,
            line: row.line,
            id: row.id.clone(),
            groups: row.groups.clone(),
            report,
            baselines,
        })?;
    }
    drop(progress);

    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let report = Report::of(file, run, &rows, journal.records(), arguments.choose);
    let text = report.markdown();
    if let Some(out) = &arguments.out {
        let json = serde_json::to_string_pretty(&report).map_err(std::io::Error::from)?;
        fs::write(out.join("report.json"), json + "\n")?;
        fs::write(out.join("report.md"), &text)?;
        fs::write(out.join("radar.svg"), radar::plot(&report))?;
        if let Some(chosen) = &report.chosen {
            let kept = chosen.items.iter().map(|item| rows[item.row].text.clone() + "\n").collect::<String>();
            fs::write(out.join("chosen").with_extension(path.extension().unwrap_or_default()), kept)?;
        }
    }
    let mut out = anstream::stdout().lock();
    if arguments.json {
        let all = 0..journal.records().len();
        let shown: Vec<usize> = match &report.chosen {
            Some(chosen) => chosen.items.iter().map(|item| item.row).collect(),
            None => all.collect(),
        };
        for record in shown.into_iter().map(|at| &journal.records()[at]) {
            writeln!(out, "{}", serde_json::to_string(record).map_err(std::io::Error::from)?)?;
        }
    } else {
        out.write_all(text.as_bytes())?;
    }
    Ok(out.flush()?)
}

/// How far the work is, with the time that is left where an item's `minutes` are known.
fn label(number: usize, of: usize, minutes: f64) -> String {
    let item = format!("item {} of {of}", number + 1);
    let left = (of - number) as f64 * minutes;
    if left == 0.0 { format!("{item}: ") } else { format!("{item}, {left:.0} min left: ") }
}
