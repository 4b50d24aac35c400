//! `evident measure curve`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use evident_eval::parts::Curve;
use futures_lite::future::block_on;

use crate::error::CliError;
use crate::models::JudgeArguments;
use crate::progress::Progress;
use crate::rows::RowsArguments;
use crate::settings::SettingsArguments;
use crate::threads;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    rows: RowsArguments,
    /// The folder of the index
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// A folder or pack with a model that puts BM25's best 100 passages in order
    #[arg(long, value_name = "DIR")]
    rerank: Option<PathBuf>,
    #[command(flatten)]
    models: JudgeArguments,
    /// The numbers of passages
    #[arg(short, value_delimiter = ',', default_values_t = [1, 3, 5, 7, 10], value_name = "K,...")]
    k: Vec<usize>,
    /// Judge the first N labelled statements only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Judge on N threads; the numbers are the same [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    settings: SettingsArguments,
}

impl Arguments {
    /// The table.
    pub fn measure(&self) -> Result<String, CliError> {
        let settings = self.settings.settings()?;
        let curve = Curve {
            file: self.rows.file.clone(),
            format: self.rows.format,
            index: self.index.clone(),
            k: self.k.clone(),
            limit: self.limit,
            threads: threads::number(self.threads),
            settings,
        };
        let rows = curve.read()?;
        let progress = Progress::new();
        progress.show("loading the models");
        let models = block_on(self.models.open(&curve.settings, false, self.rerank.as_deref()))?;
        Ok(curve.measure(&rows, &models, &progress)?)
    }
}
