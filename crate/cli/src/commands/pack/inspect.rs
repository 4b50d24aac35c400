//! `evident pack inspect`: says what is in a pack.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_base::PlainWriter;
use evident_nn::{FileEntry, LayerSize, ModelSummary, Pack, PackListing, WeightsListing};

use super::megabytes;
use crate::error::CliError;

#[derive(Args)]
pub struct Arguments {
    /// The folder of a pack, or of a checkpoint in the Hugging Face layout
    pack: PathBuf,
    /// Write JSON, with every tensor
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let listing = Pack::open(&arguments.pack)?.listing()?;
    let mut out = anstream::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &listing).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        print(&listing, &mut PlainWriter(&mut out))?;
    }
    Ok(out.flush()?)
}

fn print(listing: &PackListing, out: &mut impl Write) -> std::io::Result<()> {
    let PackListing { name, version, license, sources, hash, bytes, files, models, weights } = listing;
    let version = if version.is_empty() { String::new() } else { format!(" {version}") };
    writeln!(out, "{name}{version}, {}, pack {hash}", megabytes(*bytes))?;
    if !license.is_empty() {
        writeln!(out, "licence {license}")?;
    }
    for source in sources {
        writeln!(out, "from {source}")?;
    }
    writeln!(out)?;
    for ModelSummary { name, kind, architecture, weights } in models {
        writeln!(out, "{name}: {architecture}, {kind}, weights in {}", weights.join(" and "))?;
    }
    for (path, WeightsListing { parameters, parts, .. }) in weights {
        writeln!(out, "\n{path}: {:.1} million parameters", *parameters as f64 / 1e6)?;
        for LayerSize { name, stored, tensors, parameters, bytes } in parts {
            let each = if *tensors == 1 { "tensor" } else { "tensors" };
            let millions = *parameters as f64 / 1e6;
            writeln!(
                out,
                "  {:>10}  {stored:<5}  {name} ({tensors} {each}, {millions:.2} million)",
                megabytes(*bytes)
            )?;
        }
    }
    writeln!(out)?;
    for FileEntry { path, bytes, sha256 } in files {
        writeln!(out, "{sha256}  {bytes:>10}  {path}")?;
    }
    Ok(())
}
