//! `evident measure pronouns`.

use std::path::PathBuf;

use clap::Args;
use evident_eval::parts::pronouns;

use crate::error::CliError;

#[derive(Args)]
pub struct Arguments {
    /// Rows {question?, sentences, at, reading} or {question?, answer, readings}, such as those in tests/data
    file: PathBuf,
    /// Also list the sentences that are read otherwise or not resolved
    #[arg(long)]
    list: bool,
}

impl Arguments {
    /// The table.
    pub fn measure(&self) -> Result<String, CliError> {
        Ok(pronouns::measure(&self.file, self.list)?)
    }
}
