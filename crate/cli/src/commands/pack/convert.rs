//! `evident pack convert`: writes a pack in another precision.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_base::PlainWriter;
use evident_nn::{Backend, Precision, convert, open_device};
use futures_lite::future::block_on;

use super::megabytes;
use crate::error::CliError;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// The folder of a pack, or of a checkpoint in the Hugging Face layout
    pack: PathBuf,
    /// f32, f16, q8 or q4
    #[arg(long, value_name = "PRECISION")]
    to: Precision,
    /// The folder to write, which must not be there yet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let Arguments { pack, to, out } = arguments;
    let (device, _) = block_on(open_device(Backend::Cpu))?;
    let progress = Progress::new();
    let observe = |work: &str| {
        progress.show(work);
        progress.interrupted().is_ok()
    };
    let manifest = block_on(convert(pack, *to, out, &device, observe))?;
    drop(progress);
    let mut stdout = PlainWriter(anstream::stdout().lock());
    writeln!(stdout, "{}: {} in {to}, pack {}", out.display(), megabytes(manifest.bytes()), manifest.hash())?;
    Ok(stdout.flush()?)
}
