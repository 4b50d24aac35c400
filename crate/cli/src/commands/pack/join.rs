//! `evident pack join`: makes one pack of several.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_base::PlainWriter;
use evident_nn::{Part, join};

use super::megabytes;
use crate::error::CliError;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// Packs, each with all its models, and ROLE=DIR for one model of a pack or of a folder as published on Hugging
    /// Face
    #[arg(value_name = "DIR|ROLE=DIR", required = true, value_parser = part)]
    parts: Vec<Part>,
    /// The folder to write, which must not be there yet; the pack is called after it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(Arguments { parts, out }: &Arguments) -> Result<(), CliError> {
    let progress = Progress::new();
    let observe = |work: &str| {
        progress.show(work);
        progress.interrupted().is_ok()
    };
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    let manifest = join(parts, &name, out, observe)?;
    drop(progress);
    let models: Vec<&str> = manifest.models().collect();
    let mut stdout = PlainWriter(anstream::stdout().lock());
    writeln!(
        stdout,
        "{}: {} with {}, pack {}",
        out.display(),
        megabytes(manifest.bytes()),
        models.join(", "),
        manifest.hash()
    )?;
    Ok(stdout.flush()?)
}

/// A folder, or a role and a folder.
fn part(text: &str) -> Result<Part, String> {
    let is_role = |name: &str| !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric());
    Ok(match text.split_once('=').filter(|(name, _)| is_role(name)) {
        Some((name, folder)) => Part { folder: folder.into(), name: Some(name.to_lowercase()) },
        None => Part { folder: text.into(), name: None },
    })
}
