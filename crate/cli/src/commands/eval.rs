//! `evident eval`: judges labelled statements and measures how well the judgments agree with the labels.

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use evident_base::plain;
use evident_eval::{Evaluation, EvidenceMode, Portion, Unit};
use futures_lite::future::block_on;

use crate::error::CliError;
use crate::models::{JudgeArguments, language_model};
use crate::progress::Progress;
use crate::rows::RowsArguments;
use crate::settings::SettingsArguments;
use crate::threads;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    rows: RowsArguments,
    #[command(flatten)]
    source: Source,
    /// A folder or pack with a model that puts BM25's best 100 passages in order
    #[arg(long, value_name = "DIR", conflicts_with = "evidence")]
    rerank: Option<PathBuf>,
    #[command(flatten)]
    models: JudgeArguments,
    #[command(flatten)]
    settings: SettingsArguments,
    /// A folder for rows.jsonl, report.json, report.md and the plots
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Judge the first N labelled statements only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Judge the K-th of N portions of these only, as one of several machines; see crate/index/cluster
    #[arg(long, value_name = "K/N")]
    portion: Option<Portion>,
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
    /// How much is judged at once
    #[arg(long, value_enum, default_value_t = Unit::Row)]
    unit: Unit,
    /// The seed of random passages
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

#[derive(Args)]
#[group(required = true, multiple = true)]
struct Source {
    /// The folder of the index that evidence is retrieved from, or random passages
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    /// The evidence of each statement [default: with an index alone, what retrieval finds]
    #[arg(long, value_enum, value_name = "MODE")]
    evidence: Option<EvidenceMode>,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let settings = arguments.settings.settings()?;
    if arguments.models.reranks() && arguments.source.evidence.is_some_and(|mode| mode != EvidenceMode::Retrieved) {
        let why = "nothing is retrieved that it could re-rank: leave it out, or leave --evidence out";
        return Err(CliError::Models { role: "relevance", why });
    }
    let evaluation = Evaluation {
        file: arguments.rows.file.clone(),
        format: arguments.rows.format,
        unit: arguments.unit,
        limit: arguments.limit,
        portion: arguments.portion,
        evidence: arguments.source.evidence,
        index: arguments.source.index.clone(),
        seed: arguments.seed,
        settings,
        baselines: arguments.baselines,
        out: arguments.out.clone(),
        resume: arguments.resume,
        threads: threads::number(arguments.threads),
    };
    let statements = evaluation.read()?;
    let progress = Progress::new();
    progress.show("loading the models");
    let lm = arguments.lm.as_deref().map(|folder| block_on(language_model(folder))).transpose()?;
    // The baselines need the NLI model.
    let opening = arguments.models.open(&evaluation.settings, arguments.baselines, arguments.rerank.as_deref());
    let models = block_on(opening)?;
    let report = evaluation.run(statements, &models, lm.as_ref(), &progress)?;
    drop(progress);
    let mut out = anstream::stdout().lock();
    out.write_all(plain(&report).as_bytes())?;
    Ok(out.flush()?)
}
