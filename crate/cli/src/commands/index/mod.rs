//! `evident index`: builds, adds to, searches and looks into an index.

mod build;
mod costs;
mod inspect;
mod search;
mod verify_files;

use std::io::Write;

use clap::Subcommand;
use serde::Serialize;

use crate::CliError;

#[derive(Subcommand)]
pub enum Command {
    /// Build an index of passages, a folder of static files
    Build(build::Build),
    /// Add passages to an index without rebuilding it, as a segment of their own
    Add(build::Add),
    /// Make one segment of all those of an index
    Merge(build::Merge),
    /// Show what an index is and what it costs: its files, their bytes by part, and bytes per passage
    Inspect(inspect::Arguments),
    /// Show the passages that answer a query best
    Search(search::Arguments),
    /// Check every file of an index against its hash, and decode all that is in it
    VerifyFiles(verify_files::Arguments),
}

pub fn run(command: Command) -> Result<(), CliError> {
    match command {
        Command::Build(arguments) => build::build(&arguments),
        Command::Add(arguments) => build::add(&arguments),
        Command::Merge(arguments) => build::merge(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Search(arguments) => search::run(&arguments),
        Command::VerifyFiles(arguments) => verify_files::run(&arguments),
    }
}

/// Writes a value as one line of JSON.
fn write_json(out: &mut impl Write, value: &impl Serialize) -> Result<(), CliError> {
    Ok(writeln!(out, "{}", serde_json::to_string(value).map_err(std::io::Error::from)?)?)
}
