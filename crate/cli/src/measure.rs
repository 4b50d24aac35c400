//! `evident measure`: how good the parts are, each by itself. EVAL.md documents it.

mod decontextualise;

use std::io::Write;

use clap::Subcommand;

use crate::CliError;

#[derive(Subcommand)]
pub enum Command {
    /// How near statements that were made to stand alone come to those that people made so (guan2024, App. C.6)
    Decontextualise(decontextualise::Arguments),
}

pub fn run(command: &Command) -> Result<(), CliError> {
    let text = match command {
        Command::Decontextualise(arguments) => decontextualise::run(arguments)?,
    };
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
