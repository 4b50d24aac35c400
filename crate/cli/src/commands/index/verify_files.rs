//! `evident index verify-files`: whether a copied or uploaded index is whole.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_base::{PlainWriter, SIGNATURE};
use evident_index::{FileStorage, Hash, Index, IndexError, MANIFEST, Shard};
use futures_lite::future::block_on;
use serde::Serialize;

use super::write_json;
use crate::error::CliError;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// The folder of the index
    index: PathBuf,
    /// Write what is found as JSON
    #[arg(long)]
    json: bool,
}

/// The result of a check of an index's folder.
#[derive(Serialize)]
struct Found {
    /// Number of files of the index, its manifest among them.
    files: usize,
    /// Those that are not what the manifest names.
    damaged: Vec<Damaged>,
    /// Files that are no part of the index.
    others: BTreeSet<String>,
}

#[derive(Serialize)]
struct Damaged {
    file: String,
    reason: String,
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let found = check(&arguments.index)?;
    let mut out = anstream::stdout().lock();
    if arguments.json {
        write_json(&mut out, &found)?;
    } else {
        let mut out = PlainWriter(&mut out);
        for Damaged { file, reason } in &found.damaged {
            writeln!(out, "{file}: {reason}")?;
        }
        for file in &found.others {
            writeln!(out, "{file} is no part of the index")?;
        }
        writeln!(out, "{} files, {} damaged", found.files, found.damaged.len())?;
    }
    out.flush()?;
    match found.damaged.len() {
        0 => Ok(()),
        damaged => Err(CliError::Damaged { damaged, files: found.files }),
    }
}

fn check(directory: &PathBuf) -> Result<Found, CliError> {
    // Opening the index checks that the manifest is whole.
    let index = block_on(Index::open(FileStorage::new(directory)))?;
    let files: Vec<Shard> = index.files().into_values().flatten().collect();

    let unreadable = |source| CliError::Unreadable { path: directory.clone(), source };
    let mut others = BTreeSet::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        others.insert(entry.map_err(unreadable)?.file_name().to_string_lossy().into_owned());
    }
    others.remove(MANIFEST);
    others.remove(&format!("{MANIFEST}{SIGNATURE}"));

    let mut progress = Progress::new();
    let (mut damaged, mut done) = (Vec::new(), 0);
    let total = files.iter().map(|file| file.bytes).sum();
    for shard in &files {
        progress.interrupted().map_err(|_| CliError::Stopped)?;
        progress.show_share("checking", done, total);
        done += shard.bytes;
        let file = shard.path();
        others.remove(&file);
        let reason = match fs::read(directory.join(&file)) {
            Err(error) => error.to_string(),
            Ok(bytes) if bytes.len() as u64 != shard.bytes => {
                format!("it has {} bytes, not {}", bytes.len(), shard.bytes)
            }
            Ok(bytes) if Hash::of(&bytes) == shard.sha256 => match block_on(index.check(shard)) {
                Err(IndexError::Corrupt { reason, .. }) => reason,
                checked => {
                    checked?;
                    continue;
                }
            },
            Ok(_) => "its SHA-256 is not the one in its name".into(),
        };
        damaged.push(Damaged { file, reason });
    }
    Ok(Found { files: files.len() + 1, damaged, others })
}
