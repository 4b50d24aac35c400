//! The settings that `verify`, `eval` and `measure` are given.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use evident_base::json_lines;
use evident_verify::{Demonstration, Method, Preset, ScoreBy, Settings};
use serde_json::{Map, Value, json};

use crate::error::CliError;
use crate::size;

/// The settings a command was given.
#[derive(Args)]
pub struct SettingsArguments {
    /// The settings to start from
    #[arg(long, value_enum)]
    preset: Option<Preset>,
    /// Settings as JSON, such as '{"evidence": 5}'
    #[arg(long, value_name = "JSON")]
    settings: Option<String>,
    #[command(flatten)]
    switches: Switches,
}

/// The settings that have a switch of their own, each over what `--settings` says of it.
#[derive(Args)]
#[command(next_help_heading = "Method")]
struct Switches {
    /// The models that the score is by; without the T5 it is not loaded
    #[arg(long, value_enum, hide_short_help = true)]
    score_by: Option<ScoreBy>,
    /// How the T5 is asked
    #[arg(long, value_enum, hide_short_help = true)]
    method: Option<Method>,
    /// How the question is put; all is the mean of the four and their spread
    #[arg(long, value_enum, hide_short_help = true)]
    wording: Option<Wording>,
    /// Let p be 1 or 0 by what the T5 says, and not its probability
    #[arg(long, hide_short_help = true)]
    hard: bool,
    /// Show it judged statements first: {"facts", "context", "statement", "factual", "rationale"} a line; paper for the
    /// two of guan2024's Tab. 20
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    demonstrations: Option<PathBuf>,
    /// Passages retrieved for each statement, 0 to 100; 0 is to judge without evidence
    #[arg(long, value_name = "N", hide_short_help = true)]
    passages: Option<usize>,
    /// Bytes that the index may be read for each statement, such as 1M (as a page does: 200000); exact, until the best
    /// are proved
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

impl SettingsArguments {
    /// The chosen settings, with `--preset` and the other switches over what `--settings` may say of them.
    pub fn settings(&self) -> Result<Settings, CliError> {
        let mut chosen: Map<String, Value> =
            serde_json::from_str(self.settings.as_deref().unwrap_or("{}")).map_err(CliError::Settings)?;
        if let Some(preset) = self.preset {
            chosen.insert("preset".into(), json!(preset));
        }
        self.switches.choose(&mut chosen)?;
        let settings: Settings = serde_json::from_value(chosen.into()).map_err(CliError::Settings)?;
        settings.validate()?;
        Ok(settings)
    }
}

impl Switches {
    /// Puts the switches that were given among the settings.
    fn choose(&self, chosen: &mut Map<String, Value>) -> Result<(), CliError> {
        let mut set = |name: &str, value: Value| chosen.insert(name.into(), value);
        if let Some(score_by) = self.score_by {
            set("scoreBy", json!(score_by));
        }
        if let Some(method) = self.method {
            set("method", json!(method));
        }
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
            set("demonstrations", json!(demonstrations(path)?));
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
    let found = json_lines(path, "not a demonstration with statement and factual")?;
    Ok(found.into_iter().map(|(_, demonstration)| demonstration).collect())
}
