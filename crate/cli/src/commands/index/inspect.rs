//! `evident index inspect`: what an index is and what it costs.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_base::PlainWriter;
use evident_index::IndexCosts;

use super::{write_costs, write_json};
use crate::error::CliError;

#[derive(Args)]
pub struct Arguments {
    /// The folder of the index
    index: PathBuf,
    /// Write it as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let costs = IndexCosts::of(&arguments.index)?;
    let mut out = anstream::stdout().lock();
    if arguments.json {
        write_json(&mut out, &costs)?;
    } else {
        write_costs(&mut PlainWriter(&mut out), &costs)?;
    }
    Ok(out.flush()?)
}
