//! The labelled statements that a command reads.

use std::path::PathBuf;

use clap::Args;
use evident_eval::Format;

#[derive(Args)]
pub struct RowsArguments {
    /// The labelled statements
    pub file: PathBuf,
    /// The layout they are in
    #[arg(long, value_enum, default_value_t = Format::Jsonl, value_name = "NAME")]
    pub format: Format,
}
