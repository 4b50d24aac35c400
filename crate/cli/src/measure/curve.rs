//! Pearson's r by the number of passages a statement is judged by.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use evident_eval::measures::{Judged, Measures};
use evident_verify::{Scores, Settings};
use futures_lite::future::block_on;

use crate::commands::verify::{Choice, PackArguments};
use crate::eval::formats::Format;
use crate::eval::markdown::{percent, table};
use crate::eval::record::Scorer;
use crate::eval::row::{Label, Row};
use crate::eval::{Judge, Parts};
use crate::parallel::in_order;
use crate::progress::Progress;
use crate::{CliError, threads};

#[derive(Args)]
pub struct Arguments {
    /// The labelled statements
    file: PathBuf,
    /// The layout they are in
    #[arg(long, value_enum, default_value_t = Format::Jsonl, value_name = "NAME")]
    format: Format,
    /// The folder of the index
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// A folder or pack with a model that puts BM25's best 100 passages in order
    #[arg(long, value_name = "DIR")]
    rerank: Option<PathBuf>,
    #[command(flatten)]
    pack: PackArguments,
    /// The numbers of passages
    #[arg(short, value_delimiter = ',', default_values_t = [1, 3, 5, 7, 10], value_name = "K,...")]
    k: Vec<usize>,
    /// Judge the first N labelled statements only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Judge on N threads; the numbers are the same [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    settings: Choice,
}

pub fn run(arguments: &Arguments) -> Result<String, CliError> {
    let chosen = arguments.settings.settings()?;
    let settings: Vec<Settings> = arguments.k.iter().map(|&evidence| Settings { evidence, ..chosen.clone() }).collect();
    settings.iter().try_for_each(Settings::validate)?;
    let path = &arguments.file;
    let mut rows: Vec<Row> = arguments.format.read(path)?.into_iter().filter(|row| row.label.is_some()).collect();
    rows.truncate(arguments.limit.unwrap_or(usize::MAX));
    if rows.is_empty() {
        return Err(CliError::Unusable { path: path.clone(), why: "there is no labelled statement to judge" });
    }

    let progress = Progress::new();
    progress.show("loading the models");
    let parts = block_on(Parts::open(&arguments.pack, arguments.rerank.as_deref(), chosen.asks_verifier()))?;
    let open = || block_on(Judge::open(Some(&arguments.index), &parts));
    let work = |judge: &Judge, number: usize| {
        let (row, settings) = (&rows[number / settings.len()], &settings[number % settings.len()]);
        let judged = block_on(judge.judge(row, settings, &Progress::quiet()));
        Ok(parts.assessor.scores(&judged.map_err(|source| CliError::Line { line: row.line, source })?))
    };
    let (mut scores, of) = (vec![Vec::new(); settings.len()], rows.len() * settings.len());
    in_order(0..of, threads::number(arguments.threads), open, work, |number, judged| {
        progress.show_row(number + 1, of, number + 1);
        scores[number % settings.len()].push(judged);
        Ok(())
    })?;
    drop(progress);

    let asked = scores.iter().flatten().any(|scores: &Scores| scores.verifier.is_some());
    let scorers = if asked { Scorer::MODELS.to_vec() } else { vec![Scorer::Nli] };
    let r = |scorer: Scorer| {
        let measured = scores.iter().map(|scores| {
            let judged = scores.iter().zip(&rows).map(|(scores, row)| {
                let p = match scorer {
                    Scorer::T5 => scores.verifier.unwrap_or(0.5),
                    Scorer::Nli => scores.nli,
                    _ => scores.both,
                };
                Judged { p, factual: row.label == Some(Label::Factual) }
            });
            percent(Measures::of(&judged.collect::<Vec<_>>()).r)
        });
        std::iter::once(scorer.name().to_owned()).chain(measured).collect()
    };
    let columns: Vec<String> = arguments.k.iter().map(ToString::to_string).collect();
    let columns: Vec<&str> = std::iter::once("Passages").chain(columns.iter().map(String::as_str)).collect();
    let by = parts.rerank().map_or_else(|| "BM25".to_owned(), |report| format!("BM25, then {}", report.pack.name));
    Ok(format!(
        "Pearson's r, in per cent, of {} statements by the number of passages that {by} finds (guan2024, Tab. 16).\n\n{}\n",
        rows.len(),
        table(&columns, scorers.into_iter().map(r))
    ))
}
