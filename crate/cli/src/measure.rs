//! `evident measure`: how good the parts are, each by itself. EVAL.md documents it.

mod curve;
mod decontextualise;
mod pronouns;
mod recall;
mod risks;
mod sentences;

use std::io::Write;

use clap::Subcommand;

use crate::CliError;

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
    /// How often the rules put the name for a pronoun that a person puts
    Pronouns(pronouns::Arguments),
}

pub fn run(command: &Command) -> Result<(), CliError> {
    let text = match command {
        Command::Recall(arguments) => recall::run(arguments)?,
        Command::Curve(arguments) => curve::run(arguments)?,
        Command::Risks(arguments) => risks::run(arguments)?,
        Command::Sentences(arguments) => sentences::run(arguments)?,
        Command::Decontextualise(arguments) => decontextualise::run(arguments)?,
        Command::Pronouns(arguments) => pronouns::run(arguments)?,
    };
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
