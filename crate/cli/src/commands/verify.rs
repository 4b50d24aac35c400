//! `evident verify`: judges answers as the page does.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write, stdin};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use evident_eval::SharedModels;
use evident_index::{FileStorage, Index};
use evident_verify::{Judge, Report, Retriever, Verifier};
use futures_lite::future::block_on;
use serde::Deserialize;

use crate::error::unreadable;
use crate::models::PackArguments;
use crate::progress::Progress;
use crate::settings::SettingsArguments;
use crate::threads::ThreadWorkers;
use crate::{CliError, print, threads};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// The folder of the index
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    #[command(flatten)]
    pack: PackArguments,
    /// A folder or pack with a bi-encoder or cross-encoder that puts BM25's best 100 passages in order
    #[arg(long, value_name = "DIR")]
    rerank: Option<PathBuf>,
    /// What the user asked the chatbot
    #[arg(long, conflicts_with = "jsonl")]
    question: Option<String>,
    /// Judge sentences on N threads; the report is the same [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Write the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsArguments,
    /// Judge each sentence, or the answer at once
    #[arg(long, value_enum, help_heading = "Method", hide_short_help = true)]
    unit: Option<Unit>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Unit {
    /// Each sentence
    Sentence,
    /// All of the answer
    Paragraph,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Input {
    /// The answer; - reads it from standard input
    answer: Option<String>,
    /// Read the answer from a file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Read answers, one object per line ({"answer" or "statement", "question"}), and write a report per line
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
}

/// A line of a JSONL file; whatever else it holds is passed over.
#[derive(Deserialize)]
struct Line {
    #[serde(alias = "statement")]
    answer: String,
    #[serde(default)]
    question: Option<String>,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let mut settings = arguments.settings.settings()?;
    match arguments.unit {
        Some(Unit::Sentence) => settings.unit = evident_verify::Unit::Sentence,
        Some(Unit::Paragraph) => settings.unit = evident_verify::Unit::Paragraph,
        None => {}
    }
    let mut progress = Progress::new();
    progress.show("loading the models");
    let (verifier, judge) = block_on(open(arguments, settings.asks_verifier()))?;
    let threads = ThreadWorkers::new(judge, threads::number(arguments.threads))?;
    let mut out = anstream::stdout().lock();
    if let Some(path) = &arguments.input.jsonl {
        for (line, number) in lines(path)?.zip(1..) {
            let line = line.map_err(|source| unreadable(path, source))?;
            let Line { answer, question } =
                serde_json::from_str(&line).map_err(|source| CliError::NotAnAnswer { line: number, source })?;
            progress.label = format!("answer {number}, ");
            let report = block_on(verifier.verify(&threads, &answer, question.as_deref(), &settings, &progress))
                .map_err(|source| CliError::Line { line: number, source })?;
            writeln!(out, "{}", json(&report, false)?)?;
            out.flush()?;
        }
    } else {
        let answer = arguments.input.answer()?;
        let question = arguments.question.as_deref();
        let report = block_on(verifier.verify(&threads, &answer, question, &settings, &progress))?;
        drop(progress);
        if arguments.json {
            writeln!(out, "{}", json(&report, true)?)?;
        } else {
            print::write(&mut out, &report)?;
        }
    }
    Ok(out.flush()?)
}

/// The verifier, with the pack's T5 if it is `asked`.
async fn open(arguments: &Arguments, asked: bool) -> Result<(Verifier<FileStorage>, Arc<Judge>), CliError> {
    let index = Index::open(FileStorage::new(&arguments.index)).await?;
    let SharedModels { judge, reranker, about } = arguments.pack.open(asked, arguments.rerank.as_deref()).await?;
    Ok((Verifier::new(judge.clone(), Retriever::new(index, reranker), about), judge))
}

impl Input {
    fn answer(&self) -> Result<String, CliError> {
        match (&self.answer, &self.file) {
            (Some(answer), _) if answer != "-" => Ok(answer.clone()),
            (_, Some(file)) => std::fs::read_to_string(file).map_err(|source| unreadable(file, source)),
            _ => {
                let mut answer = String::new();
                stdin()
                    .read_to_string(&mut answer)
                    .map_err(|source| unreadable(Path::new("standard input"), source))?;
                Ok(answer)
            }
        }
    }
}

fn lines(path: &Path) -> Result<impl Iterator<Item = io::Result<String>> + use<>, CliError> {
    Ok(BufReader::new(File::open(path).map_err(|source| unreadable(path, source))?).lines())
}

fn json(report: &Report, pretty: bool) -> io::Result<String> {
    let written = if pretty { serde_json::to_string_pretty(report) } else { serde_json::to_string(report) };
    Ok(written?)
}
