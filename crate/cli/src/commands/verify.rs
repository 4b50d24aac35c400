//! `evident verify`: judges answers as the page does.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write, stdin};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::string::FromUtf8Error;

use clap::{Args, ValueEnum};
use evident_base::{Hash, PublicKey};
use evident_index::{FileStorage, Index, OpenOptions};
use evident_verify::{
    Block, Consult, EvidenceSource, IndexSource, Input, Report, Settings, Sources, Summary, Unit, Verifier,
    VerifyError, check_sources,
};
use futures_lite::future::block_on;
use serde::Deserialize;
use serde_json::json as object;

use crate::error::{CliError, unreadable};
use crate::models::{JudgeArguments, hash};
use crate::progress::Progress;
use crate::settings::SettingsArguments;
use crate::signed::signed_index;
use crate::threads::ThreadWorkers;
use crate::{print, sources, threads, wiki};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// The folder of the index; or of several, in the order in which they are asked, each by its own --index
    #[arg(long, value_name = "DIR", required_unless_present = "wiki")]
    index: Vec<PathBuf>,
    /// A wiki that is asked after the indexes: en or simple for Wikipedia in English or Simple English, or the address
    /// of a MediaWiki's api.php. It is sent the names in the sentences that the indexes leave without a verdict, and
    /// words of these
    #[arg(long, value_name = "WIKI")]
    wiki: Option<String>,
    /// Ask a later source only about what those before it leave without a verdict, or all about each sentence
    #[arg(long, value_enum, hide_short_help = true)]
    consult: Option<Consult>,
    /// The checksum that the index must have, as reports state it: any other index is refused
    #[arg(long, value_name = "SHA256", value_parser = hash, hide_short_help = true)]
    expect_index: Option<Hash>,
    /// The public key of minisign that must have signed its manifest.json, in manifest.json.minisig, with a version not
    /// before the last: any other index is refused
    #[arg(long, value_name = "KEY", hide_short_help = true)]
    index_signed_by: Option<PublicKey>,
    #[command(flatten)]
    models: JudgeArguments,
    /// A folder or pack with a bi-encoder or cross-encoder that puts BM25's best 100 passages in order
    #[arg(long, value_name = "DIR")]
    rerank: Option<PathBuf>,
    /// A folder of pages that the answer cites: each sentence is also judged by its own sources. The folder's
    /// sources.json names the file of each address, {"https://...": "page.html"}: HTML, Markdown, text, or passages in
    /// JSONL
    #[arg(long, value_name = "DIR")]
    sources: Option<PathBuf>,
    /// Read the answer as plain text, in which nothing is Markdown
    #[arg(long, conflicts_with = "jsonl")]
    plain: bool,
    /// The question to the chatbot
    #[arg(long, conflicts_with = "jsonl")]
    question: Option<String>,
    /// Go on behind an answer of --jsonl that cannot be verified: an {"error"} takes the place of its report
    #[arg(long, requires = "jsonl")]
    keep_going: bool,
    /// End with the exit status 3 if a sentence is contradicted, or also if its evidence is mixed. A sentence that is
    /// only probably contradicted does not count
    #[arg(long, value_enum, value_name = "VERDICT")]
    fail_on: Option<FailOn>,
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

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Source {
    /// The answer; - reads it from standard input
    answer: Option<String>,
    /// Read the answer from a file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Read answers, one object per line, and write a report per line: "answer" or "statement" in Markdown, "plain"
    /// without marks, or "blocks" as a page shows them, and the "question"
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
}

/// The verdicts that an answer must not have.
#[derive(Clone, Copy, ValueEnum)]
enum FailOn {
    /// Surely contradicted
    Contradicted,
    /// Surely contradicted, or with mixed evidence
    Mixed,
}

/// The exit status where an answer has a verdict of `--fail-on`.
const FAILED_ON: u8 = 3;

impl FailOn {
    /// Returns true if an answer has such a verdict.
    fn is_in(self, answer: &Summary) -> bool {
        answer.unfactual > 0 || matches!(self, Self::Mixed) && answer.mixed > 0
    }
}

/// Checks answers, one after the other.
struct Checker {
    verifier: Verifier,
    threads: ThreadWorkers,
    settings: Settings,
    /// The pages that answers cite, if they are to be read.
    sources: Option<Sources>,
}

/// A line of a JSONL file; other members are ignored.
#[derive(Deserialize)]
struct AnswerLine {
    #[serde(flatten)]
    answer: Answer,
    #[serde(default)]
    question: Option<String>,
}

/// The answer of a line: the first of these that it has.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Markdown {
        #[serde(alias = "statement")]
        answer: String,
    },
    Plain {
        plain: String,
    },
    Blocks {
        blocks: Vec<Block>,
    },
}

impl From<Answer> for Input {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Markdown { answer } => Self::Markdown(answer),
            Answer::Plain { plain } => Self::Plain(plain),
            Answer::Blocks { blocks } => Self::Blocks(blocks),
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, CliError> {
    let mut is_met = false;
    let done = check(arguments, |report| {
        is_met |= arguments.fail_on.is_some_and(|verdict| verdict.is_in(&report.summary));
    });
    match done {
        Err(error) if !(is_met && error.is_broken_pipe()) => Err(error),
        _ => Ok(if is_met { ExitCode::from(FAILED_ON) } else { ExitCode::SUCCESS }),
    }
}

/// Checks the answers and writes their reports. `judge` receives each before it is written.
fn check(arguments: &Arguments, mut judge: impl FnMut(&Report)) -> Result<(), CliError> {
    let mut settings = arguments.settings.settings()?;
    if let Some(unit) = arguments.unit {
        settings.unit = unit;
    }
    if let Some(consult) = arguments.consult {
        settings.consult = consult;
    }
    let mut progress = Progress::new();
    progress.show("loading the models");
    let checker = block_on(Checker::open(arguments, settings))?;
    let mut out = anstream::stdout().lock();
    if let Some(path) = &arguments.source.jsonl {
        checker.check_lines(path, arguments.keep_going, &mut out, &mut progress, judge)?;
    } else {
        let text = arguments.source.text()?;
        let answer = match arguments.plain {
            true => Input::Plain(text),
            false => Input::Markdown(text),
        };
        let report = block_on(checker.check(answer, arguments.question.as_deref(), &progress))?;
        drop(progress);
        judge(&report);
        if arguments.json {
            writeln!(out, "{}", json(&report, true)?)?;
        } else {
            print::write(&mut out, &report)?;
        }
    }
    Ok(out.flush()?)
}

impl Checker {
    /// The models, with a T5 if the settings ask it, the indexes and the cited pages.
    async fn open(arguments: &Arguments, settings: Settings) -> Result<Self, CliError> {
        let mut consulted: Vec<Rc<dyn EvidenceSource>> = Vec::new();
        for folder in &arguments.index {
            consulted.push(Rc::new(arguments.open_index(folder).await?));
        }
        if let Some(wiki) = &arguments.wiki {
            consulted.push(Rc::new(wiki::open(wiki).map_err(VerifyError::from)?));
        }
        let models = arguments.models.open(&settings, false, arguments.rerank.as_deref()).await?;
        let threads = ThreadWorkers::new(models.judge.clone(), threads::number(arguments.threads))?;
        let verifier = models.verifier(consulted);
        let sources = match &arguments.sources {
            Some(folder) => Some(sources::read(folder, verifier.retriever()).await?),
            None => None,
        };
        Ok(Self { verifier, threads, settings, sources })
    }

    async fn check(&self, answer: Input, question: Option<&str>, progress: &Progress) -> Result<Report, VerifyError> {
        let Self { verifier, threads, settings, sources } = self;
        let mut report = verifier.verify(threads, answer, question, settings, progress).await?;
        if let Some(sources) = sources {
            check_sources(threads, &mut report.sentences, sources, settings, progress).await?;
        }
        Ok(report)
    }

    /// Writes a report for each answer of a JSONL file, and with `keep_going` an error in the place of one that cannot
    /// be made. `judge` receives each report before it is written.
    fn check_lines(
        &self,
        path: &Path,
        keep_going: bool,
        out: &mut impl Write,
        progress: &mut Progress,
        mut judge: impl FnMut(&Report),
    ) -> Result<(), CliError> {
        let mut failed = 0;
        for line in lines(path)? {
            let (number, line) = line.map_err(|source| unreadable(path, source))?;
            progress.label = format!("answer {number}, ");
            match self.check_line(number, line, progress) {
                Ok(report) => {
                    judge(&report);
                    writeln!(out, "{}", json(&report, false)?)?;
                }
                Err(error) if keep_going => {
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

    fn check_line(&self, number: usize, line: Line, progress: &Progress) -> Result<Report, CliError> {
        let line = line.map_err(|_| CliError::NotUtf8 { line: number })?;
        let AnswerLine { answer, question } =
            serde_json::from_str(&line).map_err(|source| CliError::NotAnAnswer { line: number, source })?;
        let report = self.check(answer.into(), question.as_deref(), progress);
        block_on(report).map_err(|source| CliError::Line { line: number, source })
    }
}

impl Arguments {
    /// The index of a folder, which must be the one that is expected, and signed by the key if one is named.
    ///
    /// # Errors
    /// [`CliError::Unusable`] where an index is expected and several are named; those of [`signed_index`] and of
    /// [`Index::open_with`].
    async fn open_index(&self, folder: &Path) -> Result<IndexSource<FileStorage>, CliError> {
        let mut opening = OpenOptions { expected: self.expect_index, ..OpenOptions::default() };
        if self.index.len() > 1 && (opening.expected.is_some() || self.index_signed_by.is_some()) {
            let why = "a checksum and a key are those of one index: name one, or leave --expect-index and \
                       --index-signed-by out";
            return Err(CliError::Unusable { path: folder.into(), why });
        }
        if let Some(key) = &self.index_signed_by {
            opening.expected = Some(signed_index(folder, key, opening.expected)?);
        }
        let index = Index::open_with(FileStorage::new(folder), opening).await?;
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
        Ok(IndexSource::in_folder(index, name))
    }
}

impl Source {
    fn text(&self) -> Result<String, CliError> {
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

/// A line as text, unless it is not UTF-8.
type Line = Result<String, FromUtf8Error>;

/// The lines of a JSONL file with their numbers, without blank ones and the byte order mark.
fn lines(path: &Path) -> Result<impl Iterator<Item = io::Result<(usize, Line)>> + use<>, CliError> {
    let lines = BufReader::new(File::open(path).map_err(|source| unreadable(path, source))?).split(b'\n');
    let text =
        |bytes: Vec<u8>| -> Line { Ok(String::from_utf8(bytes)?.trim_start_matches('\u{feff}').trim().to_owned()) };
    let numbered = (1..).zip(lines).map(move |(number, line)| Ok((number, text(line?))));
    Ok(numbered.filter(|line| !matches!(line, Ok((_, Ok(text))) if text.is_empty())))
}

fn json(report: &Report, pretty: bool) -> io::Result<String> {
    let written = if pretty { serde_json::to_string_pretty(report) } else { serde_json::to_string(report) };
    Ok(written?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sure_verdicts_count() {
        let none = Summary {
            factual: 1,
            unfactual: 0,
            likely_factual: 1,
            likely_unfactual: 1,
            mixed: 0,
            no_evidence: 1,
            score: None,
            coverage: None,
        };
        let contradicted = Summary { unfactual: 1, ..none };
        let mixed = Summary { mixed: 1, ..none };
        let is_in = |verdict: FailOn| [none, contradicted, mixed].map(|answer| verdict.is_in(&answer));
        assert_eq!(is_in(FailOn::Contradicted), [false, true, false]);
        assert_eq!(is_in(FailOn::Mixed), [false, true, true]);
    }
}
