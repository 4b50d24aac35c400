//! `evident measure`: how good the parts are, each by itself. EVAL.md of crate/eval documents it.

mod curve;
mod decontextualise;
mod marks;
mod pronouns;
mod recall;
mod risks;
mod sentences;

use std::io::Write;

use clap::Subcommand;
use evident_base::plain;

use crate::error::CliError;

#[derive(Subcommand)]
pub enum Command {
    /// The share of gold evidence that retrieval finds, and the bytes it reads (guan2024, Tab. 15)
    Recall(recall::Arguments),
    /// The correlation with people's labels by the number of passages (guan2024, Tab. 16)
    Curve(curve::Arguments),
    /// How each risk flag goes with the labels (guan2024, Tab. 23)
    Risks(risks::Arguments),
    /// How answers are split into sentences, and claims told from what is none
    Sentences(sentences::Arguments),
    /// How near statements that were made to stand alone come to those that people made so (guan2024, App. C.6)
    Decontextualise(decontextualise::Arguments),
    /// How well the words that are marked as wrong agree with people's marks
    Marks(marks::Arguments),
    /// How often the rules put the name for a pronoun that a person puts
    Pronouns(pronouns::Arguments),
}

pub fn run(command: &Command) -> Result<(), CliError> {
    let text = match command {
        Command::Recall(arguments) => arguments.measure()?,
        Command::Curve(arguments) => arguments.measure()?,
        Command::Risks(arguments) => arguments.measure()?,
        Command::Sentences(arguments) => arguments.measure()?,
        Command::Decontextualise(arguments) => arguments.measure()?,
        Command::Marks(arguments) => arguments.measure()?,
        Command::Pronouns(arguments) => arguments.measure()?,
    };
    let mut out = anstream::stdout().lock();
    out.write_all(plain(&text).as_bytes())?;
    Ok(out.flush()?)
}
