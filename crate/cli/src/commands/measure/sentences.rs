//! `evident measure sentences`.

use std::path::PathBuf;

use clap::Args;
use evident_eval::parts::sentences;

use crate::error::CliError;

#[derive(Args)]
pub struct Arguments {
    /// answers.jsonl of Factcheck-Bench, or rows {text, kind} or {text, sentences} such as those in tests/data
    file: PathBuf,
    /// Also list the sentences that differ
    #[arg(long)]
    list: bool,
}

impl Arguments {
    /// The tables.
    pub fn measure(&self) -> Result<String, CliError> {
        Ok(sentences::measure(&self.file, self.list)?)
    }
}
