//! `evident verify`: judges answers as the page does.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, stdin};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use evident_index::{FileStorage, Index};
use evident_nn::{Backend, CausalLm, Pack, PackError, open_device};
use evident_verify::{About, BackendReport, Demonstration, Judge, PackReport, Report, Retriever, Settings, Verifier};
use futures_lite::future::block_on;
use serde::Deserialize;
use serde_json::{Map, Value, json as object};

use crate::progress::Progress;
use crate::threads::Threads;
use crate::{CliError, readable, rerank, size, threads};

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
    /// Go on behind an answer of --jsonl that cannot be verified: an {"error"} takes the place of its report
    #[arg(long, requires = "jsonl")]
    keep_going: bool,
    /// Judge sentences on N threads; the report is the same [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Write the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Choice,
    /// Judge each sentence, or the answer at once
    #[arg(long, value_enum, help_heading = "Method", hide_short_help = true)]
    unit: Option<Unit>,
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
    #[command(flatten)]
    method: Method,
}

/// The settings that have a switch of their own, each over what `--settings` says of it.
#[derive(Args)]
#[command(next_help_heading = "Method")]
struct Method {
    /// The models that the score is by; without the T5 it is not loaded
    #[arg(long, value_enum, hide_short_help = true)]
    score_by: Option<ScoreBy>,
    /// How the T5 is asked
    #[arg(long, value_enum, hide_short_help = true)]
    method: Option<Way>,
    /// How the question is put; all is the mean of the four and their spread
    #[arg(long, value_enum, hide_short_help = true)]
    wording: Option<Wording>,
    /// Let p be 1 or 0 by what the T5 says, and not its probability
    #[arg(long, hide_short_help = true)]
    hard: bool,
    /// Show it judged statements first: {"facts", "context", "statement", "factual", "rationale"} a line; paper for the two of
    /// guan2024's Tab. 20
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    demonstrations: Option<PathBuf>,
    /// Passages retrieved for each statement, 0 to 100; 0 is to judge without evidence
    #[arg(long, value_name = "N", hide_short_help = true)]
    passages: Option<usize>,
    /// Bytes that the index may be read for each statement, such as 1M (as a page does: 100000); exact, until the best are proved
    #[arg(long, value_name = "BYTES", value_parser = search, hide_short_help = true)]
    search: Option<Value>,
    /// How much of the evidence the T5 is shown, 0 to 100
    #[arg(long, value_name = "N", hide_short_help = true)]
    facts: Option<usize>,
    /// Preceding sentences that go with each statement; 0 is no context
    #[arg(long, value_name = "N", hide_short_help = true)]
    context: Option<usize>,
    /// Whether statements are made to stand alone, and by what
    #[arg(long, value_enum, hide_short_help = true)]
    decontextualise: Option<Decontextualise>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScoreBy {
    /// The NLI model
    Nli,
    /// The T5 (guan2024)
    Verifier,
    /// Both, by the pack's weight
    Both,
}

#[derive(Clone, Copy, ValueEnum)]
enum Way {
    /// For A or B (guan2024, Tab. 4)
    Direct,
    /// For reasons, and then Yes or No (Tab. 20)
    ChainOfThought,
    /// For a rating of 1 to 5 (Tab. 20)
    Likert,
}

#[derive(Clone, Copy, ValueEnum)]
enum Wording {
    /// "Based on the given facts, is the statement correct?" (Tab. 4)
    Correct,
    /// "Is the statement entailed by the given facts?" (App. C.5)
    Entailed,
    /// "Judge whether the statement is factually correct" (App. C.5)
    Judge,
    /// "Can the given facts support the statement?" (App. C.5)
    Support,
    /// Each of them
    All,
}

#[derive(Clone, Copy, ValueEnum)]
enum Decontextualise {
    /// They are judged as they stand
    Off,
    /// By rules
    Rules,
    /// By the pack's T5 (guan2024, Tab. 24), which has to be able to write, as FLAN-T5 is
    Model,
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

/// How the answers of a JSONL file were done.
struct Batch<'a> {
    verifier: &'a Verifier<FileStorage>,
    threads: &'a Threads,
    settings: &'a Settings,
    keep_going: bool,
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
    let mut settings = arguments.settings.settings()?;
    match arguments.unit {
        Some(Unit::Sentence) => settings.unit = evident_verify::Unit::Sentence,
        Some(Unit::Paragraph) => settings.unit = evident_verify::Unit::Paragraph,
        None => {}
    }
    let mut progress = Progress::new();
    progress.show("loading the models");
    let (verifier, assessor) = block_on(open(arguments, settings.asks_verifier()))?;
    let threads = Threads::new(assessor, threads::number(arguments.threads))?;
    let mut out = anstream::stdout().lock();
    if let Some(path) = &arguments.input.jsonl {
        let batch =
            Batch { verifier: &verifier, threads: &threads, settings: &settings, keep_going: arguments.keep_going };
        batch.run(path, &mut out, &mut progress)?;
    } else {
        let answer = arguments.input.answer()?;
        let question = arguments.question.as_deref();
        let report = block_on(verifier.verify(&threads, &answer, question, &settings, &progress))?;
        drop(progress);
        if arguments.json {
            writeln!(out, "{}", json(&report, true)?)?;
        } else {
            readable::write(&mut out, &report)?;
        }
    }
    Ok(out.flush()?)
}

impl Batch<'_> {
    /// Writes a report per answer, and an error in its place where `keep_going` says so.
    fn run(&self, path: &Path, out: &mut impl Write, progress: &mut Progress) -> Result<(), CliError> {
        let mut failed = 0;
        for line in lines(path)? {
            let (number, line) = line.map_err(|source| unreadable(path, source))?;
            progress.label = format!("answer {number}, ");
            match self.report(number, &line, progress) {
                Ok(report) => writeln!(out, "{}", json(&report, false)?)?,
                Err(error) if self.keep_going => {
                    failed += 1;
                    let why =
                        object!({ "line": number, "error": { "code": error.code(), "message": error.to_string() } });
                    writeln!(out, "{why}")?;
                }
                Err(error) => return Err(error),
            }
            out.flush()?;
        }
        if failed > 0 { Err(CliError::Failed { failed }) } else { Ok(()) }
    }

    fn report(&self, number: usize, line: &str, progress: &Progress) -> Result<Report, CliError> {
        let Line { answer, question } =
            serde_json::from_str(line).map_err(|source| CliError::NotAnAnswer { line: number, source })?;
        let report = self.verifier.verify(self.threads, &answer, question.as_deref(), self.settings, progress);
        block_on(report).map_err(|source| CliError::Line { line: number, source })
    }
}

/// The verifier, with the pack's T5 where it is `asked`.
async fn open(arguments: &Arguments, asked: bool) -> Result<(Verifier<FileStorage>, Arc<Judge>), CliError> {
    let index = Index::open(FileStorage::new(&arguments.index)).await?;
    let Models { assessor, about } = arguments.pack.models(asked).await?;
    let retriever = Retriever::new(index, rerank::open(arguments.rerank.as_deref()).await?);
    let assessor = Arc::new(assessor);
    Ok((Verifier::new(assessor.clone(), retriever, about), assessor))
}

/// The pack whose models judge.
#[derive(Args)]
pub struct PackArguments {
    /// The folder of the model pack
    #[arg(long, value_name = "DIR", env = "EVIDENT_PACK")]
    pack: PathBuf,
    /// Its NLI model: nli, or small where the pack has that, which is several times as fast and less often right
    #[arg(long, value_name = "NAME", default_value = "nli", env = "EVIDENT_MODEL", hide_short_help = true)]
    model: String,
}

/// The models of a pack that judge, on the CPU.
pub struct Models {
    pub assessor: Judge,
    pub about: About,
}

impl PackArguments {
    /// Opens the NLI model and, where it is `asked`, the T5. The pack's other files are not read.
    pub async fn models(&self, asked: bool) -> Result<Models, CliError> {
        let model = self.model.as_str();
        let wanted = [model, "verifier"];
        let mut pack = Pack::open_for(&self.pack, &wanted[..1 + usize::from(asked)])?;
        let (device, name) = open_device(Backend::Cpu).await?;
        let backend = BackendReport { kind: Backend::Cpu, name };
        let about = About { backend, pack: PackReport::of(pack.manifest()) };
        let assessor = Judge::load(&mut pack, model, &device)?;
        if asked {
            assessor.add_t5(pack.seq2seq("verifier", &device)?)?;
        }
        Ok(Models { assessor, about })
    }
}

/// The only model of a folder, a causal language model, on the CPU, and which pack it is.
///
/// # Errors
/// [`CliError::Pack`] where it is none.
pub async fn language_model(folder: &Path) -> Result<(CausalLm, PackReport), CliError> {
    let mut pack = Pack::open(folder)?;
    let (device, _) = open_device(Backend::Cpu).await?;
    let model = match pack.causal_lm("lm", &device) {
        Err(PackError::ModelMissing { known, name }) => match known.as_slice() {
            [only] => pack.causal_lm(only, &device)?,
            _ => return Err(PackError::ModelMissing { known, name }.into()),
        },
        model => model?,
    };
    Ok((model, PackReport::of(pack.manifest())))
}

impl Choice {
    /// The chosen settings, with `--preset` and the other switches over what `--settings` may say of them.
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
        self.method.choose(&mut chosen)?;
        let settings: Settings = serde_json::from_value(chosen.into()).map_err(CliError::Settings)?;
        settings.validate()?;
        Ok(settings)
    }
}

impl Method {
    /// Puts the switches that were given among the settings.
    fn choose(&self, chosen: &mut Map<String, Value>) -> Result<(), CliError> {
        let mut set = |name: &str, value: Value| chosen.insert(name.into(), value);
        match self.score_by {
            Some(ScoreBy::Nli) => set("scoreBy", "nli".into()),
            Some(ScoreBy::Verifier) => set("scoreBy", "verifier".into()),
            Some(ScoreBy::Both) => set("scoreBy", "both".into()),
            None => None,
        };
        match self.method {
            Some(Way::Direct) => set("method", "direct".into()),
            Some(Way::ChainOfThought) => set("method", "chainOfThought".into()),
            Some(Way::Likert) => set("method", "likert".into()),
            None => None,
        };
        match self.wording {
            Some(Wording::All) => set("everyWording", true.into()),
            Some(Wording::Correct) => set("wording", "correct".into()),
            Some(Wording::Entailed) => set("wording", "entailed".into()),
            Some(Wording::Judge) => set("wording", "judge".into()),
            Some(Wording::Support) => set("wording", "support".into()),
            None => None,
        };
        if let Some(search) = &self.search {
            set("search", search.clone());
        }
        if self.hard {
            set("hard", true.into());
        }
        if let Some(path) = &self.demonstrations {
            set("demonstrations", serde_json::to_value(demonstrations(path)?).map_err(std::io::Error::from)?);
        }
        for (name, number) in [("evidence", self.passages), ("maxFacts", self.facts), ("context", self.context)] {
            if let Some(number) = number {
                set(name, number.into());
            }
        }
        if let Some(way) = self.decontextualise {
            set("decontextualise", (!matches!(way, Decontextualise::Off)).into());
            set("resolver", if matches!(way, Decontextualise::Model) { "model" } else { "rules" }.into());
        }
        Ok(())
    }
}

/// The setting `search`.
fn search(text: &str) -> Result<Value, String> {
    match text {
        "exact" => Ok(text.into()),
        _ => size::bytes(text).map(Value::from).map_err(|error| format!("{error}, or exact")),
    }
}

/// The demonstrations of a file, or the paper's.
fn demonstrations(path: &Path) -> Result<Vec<Demonstration>, CliError> {
    if path == Path::new("paper") {
        return Ok(Demonstration::paper());
    }
    let mut found = Vec::new();
    for line in lines(path)? {
        let (number, line) = line.map_err(|source| unreadable(path, source))?;
        if !line.trim().is_empty() {
            found.push(serde_json::from_str(&line).map_err(|error| CliError::NotARow {
                path: path.into(),
                line: number,
                why: format!("not a demonstration with statement and factual ({error})"),
            })?);
        }
    }
    Ok(found)
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

/// The lines of a JSONL file with their numbers, without blank ones and the byte order mark.
pub fn lines(path: &Path) -> Result<impl Iterator<Item = std::io::Result<(usize, String)>> + use<>, CliError> {
    let lines = BufReader::new(File::open(path).map_err(|source| unreadable(path, source))?).lines();
    let numbered = (1..).zip(lines).map(|(number, line)| Ok((number, line?.trim_start_matches('\u{feff}').to_owned())));
    Ok(numbered.filter(|line| line.as_ref().map_or(true, |(_, line)| !line.trim().is_empty())))
}

pub fn unreadable(path: &Path, source: std::io::Error) -> CliError {
    CliError::Unreadable { path: path.into(), source }
}

fn json(report: &Report, pretty: bool) -> std::io::Result<String> {
    let written = if pretty { serde_json::to_string_pretty(report) } else { serde_json::to_string(report) };
    Ok(written?)
}
