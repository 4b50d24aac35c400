//! `evident measure risks`.

use std::path::PathBuf;

use clap::Args;
use evident_eval::parts::risks;

use crate::error::CliError;
use crate::rows::RowsArguments;
use crate::settings::SettingsArguments;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    rows: RowsArguments,
    /// The folder of the index in which a name may be rare; without it none is
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsArguments,
}

impl Arguments {
    /// The table.
    pub fn measure(&self) -> Result<String, CliError> {
        let settings = self.settings.settings()?;
        Ok(risks::measure(&self.rows.file, self.rows.format, self.index.as_deref(), &settings)?)
    }
}
