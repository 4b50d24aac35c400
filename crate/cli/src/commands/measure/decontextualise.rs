//! `evident measure decontextualise`.

use std::path::PathBuf;

use clap::Args;
use evident_eval::parts::decontextualise;
use evident_verify::{Facts, Resolver, ScoreBy, Settings};
use futures_lite::future::block_on;

use crate::error::CliError;
use crate::models::JudgeArguments;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// Factcheck-Bench's answers, with their sentences as they stand and de-contextualised
    file: PathBuf,
    /// Its T5 must be able to write, as FLAN-T5 is, for its row to mean anything
    #[command(flatten)]
    models: JudgeArguments,
}

impl Arguments {
    /// The table.
    pub fn measure(&self) -> Result<String, CliError> {
        let answers = decontextualise::read(&self.file)?;
        let mut progress = Progress::new();
        progress.show("loading the models");
        let (score_by, facts) = (ScoreBy::Verifier, Facts::Passages); // the T5 alone
        let asking = Settings { resolver: Resolver::Model, score_by, facts, ..Settings::default() };
        let models = block_on(self.models.open(&asking, false, None))?;
        Ok(decontextualise::measure(&models.judge, &answers, &mut progress)?)
    }
}
