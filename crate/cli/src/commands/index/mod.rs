//! `evident index`: builds, adds to, searches and looks into an index.

mod build;
mod inspect;
mod search;
mod verify_files;

use std::io::{self, Write};

use clap::Subcommand;
use evident_index::{IndexCosts, PartCosts};
use serde::Serialize;

use crate::error::CliError;

#[derive(Subcommand)]
pub enum Command {
    /// Build an index of passages, a folder of static files
    Build(build::Build),
    /// Add passages to an index without rebuilding it, as a segment of their own
    Add(build::Add),
    /// Make one segment of all those of an index
    Merge(build::Merge),
    /// Make one index of several, the very one that `build` makes of all their passages
    Join(build::Join),
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
        Command::Join(arguments) => build::join(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Search(arguments) => search::run(&arguments),
        Command::VerifyFiles(arguments) => verify_files::run(&arguments),
    }
}

/// Writes a value as one line of JSON.
fn write_json(out: &mut impl Write, value: &impl Serialize) -> Result<(), CliError> {
    Ok(writeln!(out, "{}", serde_json::to_string(value).map_err(io::Error::from)?)?)
}

/// Writes the costs of an index for a person.
fn write_costs(out: &mut impl Write, costs: &IndexCosts) -> io::Result<()> {
    let IndexCosts { passages, terms, files, bytes: all, bytes_per_passage, .. } = costs;
    writeln!(out, "{passages} passages, {terms} terms: {files} files, {all} bytes, {bytes_per_passage:.1} a passage")?;
    for PartCosts { name, files, bytes, largest } in &costs.parts {
        let share = 100.0 * *bytes as f64 / *all as f64;
        writeln!(out, "  {name:<10} {files:>7} files {bytes:>14} bytes {share:>5.1} %   largest {largest}")?;
    }
    Ok(())
}
