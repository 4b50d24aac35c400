//! `evident pack seal`: writes a pack's pack.json anew.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_base::PlainWriter;
use evident_nn::{Backend, open_device, seal_anew};
use futures_lite::future::block_on;

use crate::error::CliError;

#[derive(Args)]
pub struct Arguments {
    /// The folder of a pack, or of a checkpoint in the Hugging Face layout
    pack: PathBuf,
}

pub fn run(Arguments { pack }: &Arguments) -> Result<(), CliError> {
    let (device, _) = block_on(open_device(Backend::Cpu))?;
    let manifest = block_on(seal_anew(pack, &device))?;
    let mut stdout = PlainWriter(anstream::stdout().lock());
    writeln!(stdout, "{}: sealed, pack {}", pack.display(), manifest.hash())?;
    Ok(stdout.flush()?)
}
