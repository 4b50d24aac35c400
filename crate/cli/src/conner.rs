//! `evident conner`: chen2023's six scores of a file of questions, knowledge and answers. crate/verify/CONNER.md documents it.

mod models;
mod record;
mod report;
mod rows;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use evident_index::{FileStorage, Index};
use evident_verify::conner::{Settings, Sources, Step, Watch};
use evident_verify::{Cancelled, Event, IndexReport, Observer, Stage};
use futures_lite::future::block_on;

use crate::CliError;
use crate::journal::Journal;
use crate::progress::Progress;

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
    /// A folder for rows.jsonl, report.json and report.md
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on from the rows in --out instead of starting over
    #[arg(long, requires = "out")]
    resume: bool,
    /// Score the first N items only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Write every item's scores, one JSON object a line, in place of the table
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let settings: Settings =
        serde_json::from_str(arguments.settings.as_deref().unwrap_or("{}")).map_err(CliError::Settings)?;
    settings.validate()?;
    let path = &arguments.file;
    let mut rows = rows::read(path)?;
    rows.truncate(arguments.limit.unwrap_or(usize::MAX));
    if rows.is_empty() {
        return Err(CliError::Unusable { path: path.clone(), why: "there is no item to score" });
    }

    let mut progress = Progress::new();
    progress.show("loading the models");
    let (conner, models) = block_on(models::open(arguments.pack.as_deref(), &arguments.models))?;
    let index = match &arguments.index {
        Some(index) => Some(block_on(Index::open(FileStorage::new(index)))?),
        None => None,
    };
    let manifest = index.as_ref().map(Index::manifest);
    let about =
        manifest.map(|manifest| IndexReport { passages: manifest.passages, hash: manifest.checksum.to_string() });
    let run = Run { index: about, models, settings };
    let mut journal = Journal::open(arguments.out.as_deref(), &run, &rows, arguments.resume)?;
    let (begun, start) = (journal.records().len(), Instant::now());
    for (number, row) in rows.iter().enumerate().skip(begun) {
        progress.label =
            label(number, rows.len(), start.elapsed().as_secs_f64() / (number - begun).max(1) as f64 / 60.0);
        let sources = Sources { passages: &row.evidence, index: index.as_ref(), ..Sources::default() };
        let scored = block_on(conner.score(&row.item, &sources, &run.settings, &mut Shown(&mut progress)));
        let report = scored.map_err(|source| CliError::Line { line: row.line, source })?;
        journal.append(Record {
            row: number,
            line: row.line,
            id: row.id.clone(),
            groups: row.groups.clone(),
            report,
        })?;
    }
    drop(progress);

    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let report = Report::of(file, run, journal.records());
    let text = report.markdown();
    if let Some(out) = &arguments.out {
        let json = serde_json::to_string_pretty(&report).map_err(std::io::Error::from)?;
        fs::write(out.join("report.json"), json + "\n")?;
        fs::write(out.join("report.md"), &text)?;
    }
    let mut out = anstream::stdout().lock();
    if arguments.json {
        for record in journal.records() {
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

/// Shows each step, and stops at one after Ctrl-C.
struct Shown<'a>(&'a mut Progress);

impl Watch for Shown<'_> {
    async fn step(&mut self, step: Step) -> Result<(), Cancelled> {
        // What the verification's observer hears of a stage is whether the user wants it to stop.
        self.0.observe(Event::Stage { sentence: 0, stage: Stage::Nli }).await?;
        self.0.show(&match step {
            Step::Factuality { sentence, of } => format!("factuality, sentence {} of {of}", sentence + 1),
            other => format!("{other:?}").to_lowercase(),
        });
        Ok(())
    }
}
