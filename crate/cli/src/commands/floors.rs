//! `evident floors`: how often CONNER's scores behave as they must, for whoever trains a pack.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use evident_base::plain;
use evident_eval::{ConnerRole, floors};
use evident_nn::Threads;
use evident_verify::Role;
use futures_lite::future::block_on;

use crate::commands::conner::settings;
use crate::error::CliError;
use crate::models::{RoleModel, conner_models};
use crate::progress::Progress;
use crate::threads;

#[derive(Args)]
pub struct Arguments {
    /// The folder with conner/nq.tsv and corpus/passages.jsonl
    data: PathBuf,
    /// The folder of the model pack
    #[arg(long, value_name = "DIR", env = "EVIDENT_PACK")]
    pack: Option<PathBuf>,
    /// Models in place of the pack's or beside them
    #[arg(long, value_name = "ROLE=DIR", value_delimiter = ',')]
    models: Vec<RoleModel>,
    /// Settings as JSON
    #[arg(long, value_name = "JSON")]
    settings: Option<String>,
    /// Read the first N rows and paragraphs only
    #[arg(long, value_name = "N", default_value_t = floors::PARAGRAPHS)]
    limit: usize,
    /// Write one JSON object in place of the table
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    Threads::on_cores(threads::number(None))?.run(|| measure(arguments))
}

fn measure(arguments: &Arguments) -> Result<(), CliError> {
    let settings = settings(arguments.settings.as_deref())?;
    let mut progress = Progress::new();
    let open = |roles: &[Role]| {
        let wanted: Vec<ConnerRole> = roles.iter().copied().map(ConnerRole::Score).collect();
        block_on(conner_models(arguments.pack.as_deref(), &arguments.models, &wanted))
    };
    let counts = floors::measure(&arguments.data, arguments.limit, settings, open, &mut progress)?;
    drop(progress);
    let mut out = anstream::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&counts).map_err(io::Error::from)?)?;
    } else {
        writeln!(out, "{}", plain(&floors::markdown(&counts)))?;
    }
    Ok(out.flush()?)
}
