//! `evident verify`: judges answers as the page does.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, stdin};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use evident_index::{FileStorage, Index};
use evident_nn::{Backend, Calibration, Classifier, Pack, Seq2Seq, open_device};
use evident_verify::{About, BackendReport, PackReport, Report, Settings, Verifier};
use futures_lite::future::block_on;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::progress::Progress;
use crate::{CliError, readable};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// The folder of the index
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// The folder of the model pack
    #[arg(long, value_name = "DIR", env = "EVIDENT_PACK")]
    pack: PathBuf,
    /// What the user asked the chatbot
    #[arg(long, conflicts_with = "jsonl")]
    question: Option<String>,
    /// Write the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Choice,
}

/// The settings a command was given.
#[derive(Args)]
pub struct Choice {
    /// The settings to start from
    #[arg(long, value_enum)]
    preset: Option<Preset>,
    /// Settings as JSON, such as '{"evidence": 5}'
    #[arg(long, value_name = "JSON")]
    settings: Option<String>,
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

#[derive(Clone, Copy, ValueEnum)]
enum Preset {
    Recommended,
    Paper,
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
    let settings = arguments.settings.settings()?;
    let mut progress = Progress::new();
    progress.show("loading the models");
    let verifier = block_on(open(&arguments.index, &arguments.pack))?;
    let mut out = anstream::stdout().lock();
    if let Some(path) = &arguments.input.jsonl {
        for (line, number) in lines(path)?.zip(1..) {
            let line = line.map_err(|source| unreadable(path, source))?;
            let Line { answer, question } =
                serde_json::from_str(&line).map_err(|source| CliError::NotAnAnswer { line: number, source })?;
            progress.label = format!("answer {number}, ");
            let report = block_on(verifier.verify(&answer, question.as_deref(), &settings, &mut progress))
                .map_err(|source| CliError::Line { line: number, source })?;
            writeln!(out, "{}", json(&report, false)?)?;
            out.flush()?;
        }
    } else {
        let answer = arguments.input.answer()?;
        let report = block_on(verifier.verify(&answer, arguments.question.as_deref(), &settings, &mut progress))?;
        drop(progress);
        if arguments.json {
            writeln!(out, "{}", json(&report, true)?)?;
        } else {
            readable::write(&mut out, &report)?;
        }
    }
    Ok(out.flush()?)
}

async fn open(index: &Path, pack: &Path) -> Result<Verifier<FileStorage>, CliError> {
    let index = Index::open(FileStorage::new(index)).await?;
    let Models { seq2seq, nli, calibration, about } = Models::open(pack).await?;
    Ok(Verifier::new(seq2seq, nli, calibration, index, about)?)
}

/// What a pack holds, on the CPU.
pub struct Models {
    pub seq2seq: Seq2Seq,
    pub nli: Classifier,
    pub calibration: Calibration,
    pub about: About,
}

impl Models {
    pub async fn open(pack: &Path) -> Result<Self, CliError> {
        let mut pack = Pack::open(pack)?;
        let (device, name) = open_device(Backend::Cpu).await?;
        let backend = BackendReport { kind: Backend::Cpu, name };
        let about = About { backend, pack: PackReport::of(pack.manifest()) };
        let calibration = pack.manifest().calibration().clone();
        let seq2seq = pack.seq2seq("verifier", &device)?;
        let nli = pack.classifier("nli", &device)?;
        Ok(Self { seq2seq, nli, calibration, about })
    }
}

impl Choice {
    /// The chosen settings, with `--preset` over what `--settings` may say of it.
    pub fn settings(&self) -> Result<Settings, CliError> {
        let mut chosen: Map<String, Value> =
            serde_json::from_str(self.settings.as_deref().unwrap_or("{}")).map_err(CliError::Settings)?;
        if let Some(preset) = self.preset {
            let preset = match preset {
                Preset::Recommended => "recommended",
                Preset::Paper => "paper",
            };
            chosen.insert("preset".into(), preset.into());
        }
        let settings: Settings = serde_json::from_value(chosen.into()).map_err(CliError::Settings)?;
        settings.validate()?;
        Ok(settings)
    }
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

pub fn lines(path: &Path) -> Result<impl Iterator<Item = std::io::Result<String>> + use<>, CliError> {
    Ok(BufReader::new(File::open(path).map_err(|source| unreadable(path, source))?).lines())
}

pub fn unreadable(path: &Path, source: std::io::Error) -> CliError {
    CliError::Unreadable { path: path.into(), source }
}

fn json(report: &Report, pretty: bool) -> std::io::Result<String> {
    let written = if pretty { serde_json::to_string_pretty(report) } else { serde_json::to_string(report) };
    Ok(written?)
}
