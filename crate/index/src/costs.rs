//! What an index costs its host and its readers.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use evident_index::{FileStorage, Index, MANIFEST, Shard};
use futures_lite::future::block_on;
use serde::Serialize;

use crate::CliError;

/// An index in numbers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Costs {
    format: u32,
    analysis: String,
    k1: f32,
    b: f32,
    passages: u32,
    terms: u32,
    tokens: u64,
    segments: usize,
    files: usize,
    bytes: u64,
    bytes_per_passage: f64,
    parts: Vec<Part>,
    checksum: String,
}

/// The files of one kind.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    name: &'static str,
    files: usize,
    bytes: u64,
    /// The bytes of its largest file.
    largest: u64,
}

impl Costs {
    /// Those of the index in `directory`, as its manifest says.
    ///
    /// # Errors
    /// [`CliError::Index`] where there is no index.
    pub fn of(directory: &Path) -> Result<Self, CliError> {
        let index = block_on(Index::open(FileStorage::new(directory)))?;
        let manifest = index.manifest();
        let path = directory.join(MANIFEST);
        let itself = fs::metadata(&path).map_err(|source| CliError::Unreadable { path, source })?.len();
        let mut parts = vec![Part { name: "manifest", files: 1, bytes: itself, largest: itself }];
        parts.extend(index.files().into_iter().map(|(name, files)| Part::of(name, &files)));
        let bytes = parts.iter().map(|part| part.bytes).sum();
        Ok(Self {
            format: manifest.format,
            analysis: manifest.analysis.clone(),
            k1: manifest.k1,
            b: manifest.b,
            passages: manifest.passages,
            terms: manifest.terms,
            tokens: manifest.tokens,
            segments: manifest.segments.len(),
            files: parts.iter().map(|part| part.files).sum(),
            bytes,
            bytes_per_passage: bytes as f64 / f64::from(manifest.passages),
            parts,
            checksum: manifest.checksum.to_string(),
        })
    }

    /// Writes them for a person.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { passages, terms, files, bytes, bytes_per_passage, .. } = self;
        writeln!(
            out,
            "{passages} passages, {terms} terms: {files} files, {bytes} bytes, {bytes_per_passage:.1} a passage"
        )?;
        for Part { name, files, bytes, largest } in &self.parts {
            let share = 100.0 * *bytes as f64 / self.bytes as f64;
            writeln!(out, "  {name:<10} {files:>7} files {bytes:>14} bytes {share:>5.1} %   largest {largest}")?;
        }
        Ok(())
    }
}

impl Part {
    fn of(name: &'static str, files: &[Shard]) -> Self {
        let bytes = files.iter().map(|file| file.bytes);
        Self { name, files: files.len(), bytes: bytes.clone().sum(), largest: bytes.max().unwrap_or(0) }
    }
}
