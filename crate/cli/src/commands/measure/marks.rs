//! `evident measure marks`.

use std::path::PathBuf;

use clap::Args;
use evident_eval::parts::marks;
use evident_verify::Settings;
use futures_lite::future::block_on;

use crate::error::CliError;
use crate::models::JudgeArguments;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// Rows {statement, passage, start, end, truth}, such as those in tests/data
    file: PathBuf,
    /// The passages that rows name by id, a JSON object a line
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,
    #[command(flatten)]
    models: JudgeArguments,
    /// Also list the falsehoods whose marks or reason differ
    #[arg(long)]
    list: bool,
}

impl Arguments {
    /// The table.
    pub fn measure(&self) -> Result<String, CliError> {
        let falsehoods = marks::read(&self.file, self.corpus.as_deref())?;
        let mut progress = Progress::new();
        progress.show("loading the models");
        let models = block_on(self.models.open(&Settings::default(), false, None))?;
        Ok(marks::measure(&models.judge, &falsehoods, self.list, &mut progress)?)
    }
}
