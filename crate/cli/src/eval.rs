//! `evident eval`: judges labelled statements and measures how well the judgments agree with the labels. EVAL.md documents it.

mod baseline;
mod formats;
mod markdown;
mod record;
mod report;
pub mod row;
pub mod svg;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use evident_index::{FileStorage, Index};
use evident_verify::{Assessor, IndexReport, PackReport, SentenceReport, Settings, Verifier, VerifyError};
use futures_lite::future::block_on;

use crate::CliError;
use crate::journal::Journal;
use crate::progress::Progress;
use crate::verify::{Choice, Models};

use formats::Format;
use record::{Record, Run};
use report::Report;
use row::Row;

#[derive(Args)]
pub struct Arguments {
    /// The labelled statements
    file: PathBuf,
    /// The layout they are in
    #[arg(long, value_enum, default_value_t = Format::Jsonl, value_name = "NAME")]
    format: Format,
    #[command(flatten)]
    source: Source,
    /// The folder of the model pack
    #[arg(long, value_name = "DIR", env = "EVIDENT_PACK")]
    pack: PathBuf,
    #[command(flatten)]
    settings: Choice,
    /// A folder for rows.jsonl, report.json, report.md and the plots
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Judge the first N labelled statements only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Go on from the rows in --out instead of starting over
    #[arg(long, requires = "out")]
    resume: bool,
    /// Measure Constant and knowledge F1 too
    #[arg(long)]
    baselines: bool,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Source {
    /// The folder of the index that evidence is retrieved from
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    /// Take each statement's own passages in place of retrieval
    #[arg(long, value_enum)]
    evidence: Option<Own>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Own {
    Gold,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let settings = arguments.settings.settings()?;
    let path = &arguments.file;
    let (mut rows, without): (Vec<Row>, Vec<Row>) =
        arguments.format.read(path)?.into_iter().partition(|row| row.label.is_some());
    rows.truncate(arguments.limit.unwrap_or(usize::MAX));
    if rows.is_empty() {
        return Err(CliError::Unusable { path: path.clone(), why: "there is no labelled statement to judge" });
    }
    if arguments.source.index.is_none() && rows.iter().all(|row| row.evidence.is_empty()) {
        let why = "no statement comes with evidence of its own: give --index DIR instead of --evidence gold";
        return Err(CliError::Unusable { path: path.clone(), why });
    }

    let mut progress = Progress::new();
    progress.show("loading the models");
    let (judge, pack) = block_on(Judge::open(arguments.source.index.as_deref(), &arguments.pack))?;
    let run = Run { format: arguments.format.name(), index: judge.index(), pack, settings };
    let mut journal = Journal::open(arguments.out.as_deref(), &run, &rows, arguments.resume)?;
    let begun = journal.records().len();
    let start = std::time::Instant::now();
    for (number, row) in rows.iter().enumerate().skip(begun) {
        progress.label = label(number, rows.len(), start.elapsed().as_secs_f64() / (number - begun).max(1) as f64);
        let judged = block_on(judge.judge(row, &run.settings, &mut progress));
        let judged = judged.map_err(|source| CliError::Line { line: row.line, source })?;
        journal.append(Record::of(number, row, &judged, judge.assessor().scores(&judged)))?;
    }
    drop(progress);

    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let report = Report::of(file, run, journal.records(), without.len(), arguments.baselines);
    let text = markdown::write(&report);
    if let Some(out) = &arguments.out {
        fs::write(
            out.join("report.json"),
            serde_json::to_string_pretty(&report).map_err(std::io::Error::from)? + "\n",
        )?;
        fs::write(out.join("report.md"), &text)?;
        for (name, plot) in svg::plots(&report, journal.records()) {
            fs::write(out.join(name), plot)?;
        }
    }
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// How far the work is, with the time that is left where a row's `seconds` are known.
fn label(number: usize, of: usize, seconds: f64) -> String {
    let left = (of - number) as f64 * seconds / 60.0;
    if seconds == 0.0 {
        format!("row {} of {of}: ", number + 1)
    } else {
        format!("row {} of {of}, {left:.0} min left: ", number + 1)
    }
}

/// Judges by an index or by the rows' own passages.
enum Judge {
    Retrieved(Box<Verifier<FileStorage>>),
    Gold(Box<Assessor>),
}

impl Judge {
    async fn open(index: Option<&Path>, pack: &Path) -> Result<(Self, PackReport), CliError> {
        let index = match index {
            Some(index) => Some(Index::open(FileStorage::new(index)).await?),
            None => None,
        };
        let Models { seq2seq, nli, calibration, about } = Models::open(pack).await?;
        let pack = about.pack.clone();
        let judge = match index {
            Some(index) => Self::Retrieved(Box::new(Verifier::new(seq2seq, nli, calibration, index, about)?)),
            None => Self::Gold(Box::new(Assessor::new(seq2seq, nli, calibration)?)),
        };
        Ok((judge, pack))
    }

    fn assessor(&self) -> &Assessor {
        match self {
            Self::Retrieved(verifier) => verifier.assessor(),
            Self::Gold(assessor) => assessor,
        }
    }

    /// The index; `None` where there is none.
    fn index(&self) -> Option<IndexReport> {
        let Self::Retrieved(verifier) = self else { return None };
        let manifest = verifier.index().manifest();
        Some(IndexReport { passages: manifest.passages, hash: manifest.checksum.to_string() })
    }

    async fn judge(
        &self,
        row: &Row,
        settings: &Settings,
        progress: &mut Progress,
    ) -> Result<SentenceReport, VerifyError> {
        let (text, context, question) = (&row.statement, &row.context, row.question.as_deref());
        match self {
            Self::Retrieved(verifier) => verifier.verify_statement(text, context, question, settings, progress).await,
            Self::Gold(assessor) => {
                assessor.assess(text, context, question, row.evidence.clone(), settings, progress).await
            }
        }
    }
}
