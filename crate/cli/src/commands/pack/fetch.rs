//! `evident pack fetch`: brings a pinned checkpoint.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_base::PlainWriter;
use evident_fetch::{Arriving, Brought, Fetch, FetchError, LOCK, Pin, Pins};
use evident_nn::{Source, seal};

use super::megabytes;
use crate::error::{CliError, unreadable};
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// Which checkpoint, such as flan-t5-small
    name: Option<String>,
    /// The folder of packs; the checkpoint becomes DIR/NAME
    #[arg(long, value_name = "DIR", default_value = "packs")]
    out: PathBuf,
    /// Another list in the place of this program's models/packs.toml
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let pins = pins(arguments)?;
    let mut out = PlainWriter(anstream::stdout().lock());
    let Some(name) = &arguments.name else {
        for (name, pin) in &pins.pack {
            let size = if pin.files.iter().all(|file| file.bytes.is_some()) { "" } else { "more than " };
            let Pin { repository, license, .. } = pin;
            writeln!(out, "{name}: {repository}, {license}, {size}{}", megabytes(pin.bytes()))?;
        }
        return Ok(out.flush()?);
    };
    let mut fetch = Fetch::open(&pins, name, &arguments.out)?;
    let pin = fetch.pin();
    let progress = Progress::new();
    for file in &pin.files {
        let brought = fetch.bring(file, |arriving| {
            progress.show(&shown(arriving));
            progress.interrupted().is_ok()
        })?;
        progress.show("");
        writeln!(out, "{}: {}", file.path, said(brought))?;
        out.flush()?;
    }
    let source = Source {
        version: pin.revision.clone(),
        license: pin.license.clone(),
        sources: vec![format!("{} ({})", pin.repository, pin.license)],
    };
    let manifest = seal(fetch.folder(), name, source)?;
    writeln!(out, "{} is there, pack {}", fetch.folder().display(), manifest.hash())?;
    Ok(out.flush()?)
}

/// The list of checkpoints.
fn pins(arguments: &Arguments) -> Result<Pins, CliError> {
    let (path, toml) = match &arguments.list {
        None => ("models/packs.toml".into(), Pins::BUILT_IN.to_owned()),
        Some(path) => (path.clone(), fs::read_to_string(path).map_err(|source| unreadable(path, source))?),
    };
    Ok(Pins::parse(&toml).map_err(|reason| FetchError::List { path, reason })?)
}

fn shown(Arriving { path, bytes, of, left }: Arriving) -> String {
    let left = left.map(|left| format!(", {left:.0} s left")).unwrap_or_default();
    let of = of.map(|of| format!(" of {}{left}", megabytes(of))).unwrap_or_default();
    format!("{path}: {}{of}", megabytes(bytes))
}

fn said(brought: Brought) -> String {
    match brought {
        Brought::WasThere => "was there".to_owned(),
        Brought::Fetched { bytes, stated } => format!("fetched, {}, its SHA-256 as {stated} has it", megabytes(bytes)),
        Brought::Recorded { bytes, sha256 } => {
            format!("fetched, {}, its SHA-256 recorded in {LOCK}: {sha256}", megabytes(bytes))
        }
    }
}
