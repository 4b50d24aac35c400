//! `evident eval`: judges labelled statements and measures how well the judgments agree with the labels. EVAL.md documents it.

mod baseline;
mod evidence;
pub mod formats;
pub mod markdown;
pub mod record;
mod report;
pub mod row;
pub mod svg;
mod unit;

use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use evident_index::{FileStorage, Index};
use evident_nn::CausalLm;
use evident_verify::{
    About, IndexReport, Judge as Assessor, RerankReport, Reranker, Retriever, SentenceReport, Settings, Verifier,
    VerifyError,
};
use futures_lite::future::block_on;

use crate::commands::verify::{Choice, Models, PackArguments, language_model};
use crate::journal::Journal;
use crate::parallel::in_order;
use crate::progress::Progress;
use crate::{CliError, rerank, threads};

use evidence::Evidence;
use formats::Format;
use record::{Record, Run};
use report::Report;
use row::Row;
use unit::Unit;

#[derive(Args)]
pub struct Arguments {
    /// The labelled statements
    file: PathBuf,
    /// The layout they are in
    #[arg(long, value_enum, default_value_t = Format::Jsonl, value_name = "NAME")]
    format: Format,
    #[command(flatten)]
    source: Source,
    /// A folder or pack with a model that puts BM25's best 100 passages in order
    #[arg(long, value_name = "DIR", conflicts_with = "evidence")]
    rerank: Option<PathBuf>,
    #[command(flatten)]
    pack: PackArguments,
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
    /// Judge on N threads; the numbers are the same [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Measure Constant, knowledge F1, NLI alone and FActScore too; takes several times as long
    #[arg(long)]
    baselines: bool,
    /// Measure perplexity too, under the causal language model in a folder
    #[arg(long, value_name = "DIR", requires = "baselines")]
    lm: Option<PathBuf>,
    /// What is judged at once
    #[arg(long, value_enum, default_value_t = Unit::Row)]
    unit: Unit,
    /// What random passages are drawn by
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

#[derive(Args)]
#[group(required = true, multiple = true)]
struct Source {
    /// The folder of the index that evidence is retrieved from, or random passages
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    /// What each statement is judged by; what retrieval finds where only an index is given
    #[arg(long, value_enum, value_name = "MODE")]
    evidence: Option<Evidence>,
}

impl Source {
    /// The evidence, with what it needs at hand.
    fn evidence(&self, file: &Path, rows: &[Row]) -> Result<Evidence, CliError> {
        let evidence = self.evidence.unwrap_or(Evidence::Retrieved);
        let unusable = |path: &Path, why| Err(CliError::Unusable { path: path.into(), why });
        match &self.index {
            None if evidence.needs_index() => {
                unusable(file, "this evidence comes from an index: give --index DIR, or choose another --evidence")
            }
            Some(index) if !evidence.needs_index() => unusable(
                index,
                "this evidence does not come from an index: leave --index out, or choose another --evidence",
            ),
            _ if evidence.needs_gold() && rows.iter().all(|row| row.evidence.is_empty()) => unusable(
                file,
                "no statement comes with evidence of its own: give --index DIR, or choose another --evidence than gold",
            ),
            _ => Ok(evidence),
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let settings = arguments.settings.settings()?;
    let path = &arguments.file;
    let (mut rows, without): (Vec<Row>, Vec<Row>) =
        arguments.format.read(path)?.into_iter().partition(|row| row.label.is_some());
    if arguments.unit == Unit::Paragraph {
        rows = unit::join(rows);
    }
    rows.truncate(arguments.limit.unwrap_or(usize::MAX));
    if rows.is_empty() {
        return Err(CliError::Unusable { path: path.clone(), why: "there is no labelled statement to judge" });
    }
    let evidence = arguments.source.evidence(path, &rows)?;

    let progress = Progress::new();
    progress.show("loading the models");
    let lm = arguments.lm.as_deref().map(|folder| block_on(language_model(folder))).transpose()?;
    let parts = block_on(Parts::open(&arguments.pack, arguments.rerank.as_deref(), settings.asks_verifier()))?;
    let index = arguments.source.index.as_deref();
    let retrieved = index.filter(|_| evidence == Evidence::Retrieved);
    let open = || block_on(Judge::open(retrieved, &parts));
    let drawn_from = match index {
        Some(index) if evidence != Evidence::Retrieved => Some(block_on(Index::open(FileStorage::new(index)))?),
        _ => None,
    };
    let seed = arguments.seed;
    if evidence != Evidence::Retrieved {
        progress.show("gathering the evidence");
        for row in &mut rows {
            row.evidence = block_on(evidence.of(row, drawn_from.as_ref(), settings.evidence, seed))?;
        }
    }
    let run = Run {
        format: arguments.format.name(),
        evidence,
        index: match &drawn_from {
            Some(index) => Some(about(index)),
            None => open()?.index(),
        },
        rerank: parts.rerank(),
        unit: arguments.unit,
        seed,
        baselines: arguments.baselines,
        lm: lm.as_ref().map(|(_, about)| about.clone()),
        pack: parts.about.pack.clone(),
        settings,
    };
    let lm = lm.as_ref().map(|(lm, _)| lm);
    let mut journal = Journal::open(arguments.out.as_deref(), &run, &rows, arguments.resume)?;
    let begun = journal.records().len();
    let work = |judge: &Judge, number: usize| {
        let row = &rows[number];
        let record = block_on(record(judge, &parts.assessor, lm, number, row, &run, &Progress::quiet()));
        record.map_err(|source| CliError::Line { line: row.line, source })
    };
    in_order(begun..rows.len(), threads::number(arguments.threads), open, work, |number, record| {
        progress.show_row(number + 1, rows.len(), number + 1 - begun);
        journal.append(record)
    })?;
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

/// Judges a row, or each of its sentences, and computes the baselines that were asked for.
async fn record(
    judge: &Judge,
    assessor: &Assessor,
    lm: Option<&CausalLm>,
    number: usize,
    row: &Row,
    run: &Run,
    progress: &Progress,
) -> Result<Record, VerifyError> {
    let settings = &run.settings;
    let one = async |part: &Row| {
        let judged = judge.judge(part, settings, progress).await?;
        let mut record = Record::of(number, part, &judged, assessor);
        if run.baselines {
            record.baselines = baseline::scores(judge, assessor, lm, part, &judged, settings, progress).await?;
        }
        Ok(record)
    };
    let mut parts = Vec::new();
    if run.unit == Unit::Sentence {
        for part in unit::split(row) {
            parts.push(one(&part).await?);
        }
    }
    match Record::mean(row, &parts) {
        Some(whole) => Ok(whole),
        None => one(row).await,
    }
}

fn about(index: &Index<FileStorage>) -> IndexReport {
    let manifest = index.manifest();
    IndexReport { passages: manifest.passages, hash: manifest.checksum.to_string() }
}

/// What all threads share.
pub struct Parts {
    pub assessor: Arc<Assessor>,
    reranker: Option<Arc<Reranker>>,
    about: About,
}

impl Parts {
    /// With the pack's T5 where it is `asked`.
    pub async fn open(pack: &PackArguments, rerank: Option<&Path>, asked: bool) -> Result<Self, CliError> {
        let Models { assessor, about } = pack.models(asked).await?;
        Ok(Self { assessor: assessor.into(), reranker: rerank::open(rerank).await?, about })
    }

    pub fn rerank(&self) -> Option<RerankReport> {
        self.reranker.as_deref().map(Reranker::report).cloned()
    }
}

/// Judges by an index or by the rows' own passages.
pub enum Judge {
    Retrieved(Box<Verifier<FileStorage>>),
    Gold(Arc<Assessor>),
}

impl Judge {
    /// A judge for one thread.
    pub async fn open(index: Option<&Path>, parts: &Parts) -> Result<Self, CliError> {
        let Some(index) = index else { return Ok(Self::Gold(parts.assessor.clone())) };
        let retriever = Retriever::new(Index::open(FileStorage::new(index)).await?, parts.reranker.clone());
        Ok(Self::Retrieved(Verifier::new(parts.assessor.clone(), retriever, parts.about.clone()).into()))
    }

    /// The index; `None` where there is none.
    fn index(&self) -> Option<IndexReport> {
        let Self::Retrieved(verifier) = self else { return None };
        Some(about(verifier.index()))
    }

    pub async fn judge(
        &self,
        row: &Row,
        settings: &Settings,
        progress: &Progress,
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
