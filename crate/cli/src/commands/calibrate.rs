//! `evident calibrate`: fits a pack's calibration on labelled statements and writes it into the pack.

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use evident_base::PlainWriter;
use evident_eval::{Evaluation, EvidenceMode, Unit};
use evident_nn::{Pack, recalibrate};
use evident_verify::{Role, ScoreBy, Settings};
use futures_lite::future::block_on;

use crate::error::CliError;
use crate::models::JudgeArguments;
use crate::progress::Progress;
use crate::rows::RowsArguments;
use crate::threads;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    rows: RowsArguments,
    /// Fit the thresholds, on evidence from the index in this folder; without it fit temperatures, bias and weight, on
    /// the statements' own evidence
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    /// The folder of the pack
    #[arg(long, value_name = "DIR")]
    pack: PathBuf,
    /// Its NLI model
    #[arg(long, value_name = "NAME", default_value = "nli")]
    model: String,
    /// Print the table and leave the pack as it is
    #[arg(long)]
    dry_run: bool,
    /// Take the first N labelled statements only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Judge on N threads; the numbers are the same [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let Arguments { pack, model, index, .. } = arguments;
    let manifest = Pack::open_for(pack, &[])?.manifest().clone();
    let before = manifest.calibration_of(model);
    let has_t5 = manifest.models().any(|name| name == Role::Verifier.name());
    let score_by = if has_t5 && index.is_none() { ScoreBy::Both } else { ScoreBy::Nli };
    let evaluation = Evaluation {
        file: arguments.rows.file.clone(),
        format: arguments.rows.format,
        unit: Unit::Row,
        limit: arguments.limit,
        portion: None,
        evidence: Some(if index.is_some() { EvidenceMode::Retrieved } else { EvidenceMode::Gold }),
        index: index.clone(),
        seed: 0,
        settings: Settings { score_by, ..Settings::default() },
        baselines: false,
        out: None,
        resume: false,
        threads: threads::number(arguments.threads),
    };
    let statements = evaluation.read()?;
    let progress = Progress::new();
    progress.show("loading the models");
    let models = block_on(JudgeArguments::of_pack(pack, model).open(&evaluation.settings, false, None))?;
    let fitted = evaluation.fit(statements, &models, before, &progress)?;
    drop(progress);
    let mut out = PlainWriter(anstream::stdout().lock());
    writeln!(out, "{}", fitted.table)?;
    if !arguments.dry_run {
        let manifest = recalibrate(pack, model, fitted.calibration, fitted.measured)?;
        writeln!(out, "\n{}: calibrated, pack {}", pack.display(), manifest.hash())?;
    }
    Ok(out.flush()?)
}
