//! `evident measure recall`.

use std::path::PathBuf;

use clap::Args;
use evident_eval::parts::Recall;
use evident_eval::{EvalError, Format};
use futures_lite::future::block_on;

use crate::error::CliError;
use crate::models::reranker;
use crate::progress::Progress;
use crate::settings::SettingsArguments;

#[derive(Args)]
pub struct Arguments {
    /// Statements with evidence of their own
    file: PathBuf,
    /// The layout they are in
    #[arg(long, value_enum, default_value_t = Format::Jsonl, value_name = "NAME")]
    format: Format,
    /// The folder of the index
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// Measure also with a model that puts BM25's best 100 passages in order: its folder or pack
    #[arg(long, value_name = "DIR")]
    rerank: Option<PathBuf>,
    /// How many passages are retrieved, least first
    #[arg(short, value_delimiter = ',', default_values_t = [1, 3, 5, 10], value_name = "K,...")]
    k: Vec<usize>,
    /// Read the first N statements with evidence only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Retrieve on N threads; the numbers are the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    settings: SettingsArguments,
}

impl Arguments {
    /// The table.
    pub fn measure(&self) -> Result<String, CliError> {
        if self.k.is_empty() || self.k.contains(&0) || !self.k.is_sorted() {
            let why = "the numbers of -k must be 1 or more, least first, such as 1,3,5,10";
            return Err(EvalError::Unusable { path: "-k".into(), why }.into());
        }
        let recall = Recall {
            file: self.file.clone(),
            format: self.format,
            index: self.index.clone(),
            k: self.k.clone(),
            limit: self.limit,
            threads: self.threads,
            settings: self.settings.settings()?,
        };
        let rows = recall.read()?;
        let mut progress = Progress::new();
        let reranker = block_on(reranker(self.rerank.as_deref()))?;
        Ok(recall.measure(&rows, reranker.as_ref(), &mut progress)?)
    }
}
