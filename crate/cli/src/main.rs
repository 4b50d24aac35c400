//! The command line: builds and searches indexes, verifies answers as the page does, natively, and measures how well.

#![forbid(unsafe_code)]

mod commands;
mod error;
mod models;
mod print;
mod progress;
mod rows;
mod settings;
mod signed;
mod size;
mod sources;
mod threads;
mod wiki;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use evident_base::plain;
use mimalloc::MiMalloc;

use crate::commands::{calibrate, conner, eval, floors, index, measure, pack, serve, verify};
use crate::error::CliError;

/// The system's allocator returns the memory of activations to the system after each forward pass, and threads then
/// wait for each other to map it again.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Checks what a chatbot said, sentence by sentence, against an index of passages.
#[derive(Parser)]
#[command(version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build, search or look into an index of passages
    #[command(subcommand)]
    Index(index::Command),
    /// Fetch, convert and inspect model packs
    #[command(subcommand)]
    Pack(pack::Command),
    /// Serve a folder of static files on localhost
    Serve(serve::Arguments),
    /// Judge every sentence of an answer
    Verify(verify::Arguments),
    /// Score questions, knowledge and answers from six sides (CONNER)
    Conner(conner::Arguments),
    /// Count how often CONNER's scores behave as they must, on the texts of ../shared/data
    #[command(hide = true)]
    Floors(floors::Arguments),
    /// Measure the judgments against labels that people gave
    Eval(eval::Arguments),
    /// Fit a pack's temperatures, bias, weight and thresholds on labelled statements, and write them into it
    Calibrate(calibrate::Arguments),
    /// Measure the parts: retrieval, risk flags, how answers are split and statements made to stand alone
    #[command(subcommand)]
    Measure(measure::Command),
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(status) => status,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS, // the reader has seen enough
        Err(error) => {
            eprintln!("error[{}]: {}", error.code(), plain(&error.to_string()));
            ExitCode::FAILURE
        }
    }
}

/// Runs a command and returns the program's exit status.
fn run(command: Command) -> Result<ExitCode, CliError> {
    match command {
        Command::Index(command) => index::run(command)?,
        Command::Pack(command) => pack::run(&command)?,
        Command::Serve(arguments) => serve::run(&arguments)?,
        Command::Verify(arguments) => return verify::run(&arguments),
        Command::Conner(arguments) => conner::run(&arguments)?,
        Command::Floors(arguments) => floors::run(&arguments)?,
        Command::Eval(arguments) => eval::run(&arguments)?,
        Command::Calibrate(arguments) => calibrate::run(&arguments)?,
        Command::Measure(command) => measure::run(&command)?,
    }
    Ok(ExitCode::SUCCESS)
}
