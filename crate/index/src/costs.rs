//! What an index costs its host and its readers.

use std::fs;
use std::path::Path;

use futures_lite::future::block_on;
use serde::Serialize;

use crate::error::{IndexError, StorageError};
use crate::format::manifest::{MANIFEST, Shard};
use crate::index::Index;
use crate::storage::file::FileStorage;

/// An index in numbers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexCosts {
    /// The version of its format.
    pub format: u32,
    /// The name of its analysis.
    pub analysis: String,
    /// BM25's k1.
    pub k1: f32,
    /// BM25's b.
    pub b: f32,
    /// Number of passages.
    pub passages: u32,
    /// Number of distinct terms of each segment, added up.
    pub terms: u32,
    /// Number of terms in all passages together.
    pub tokens: u64,
    /// Number of segments.
    pub segments: usize,
    /// Number of files, its manifest among them.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Their bytes for each passage.
    pub bytes_per_passage: f64,
    /// The files by kind.
    pub parts: Vec<PartCosts>,
    /// Its checksum.
    pub checksum: String,
}

/// The files of one kind.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartCosts {
    /// "manifest", or as in [`Index::files`].
    pub name: &'static str,
    /// Number of files.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The bytes of the largest.
    pub largest: u64,
}

impl IndexCosts {
    /// Those of the index in `directory`, as its manifest says.
    ///
    /// # Errors
    /// Those of [`Index::open`].
    pub fn of(directory: &Path) -> Result<Self, IndexError> {
        let index = block_on(Index::open(FileStorage::new(directory)))?;
        let manifest = index.manifest();
        let itself = fs::metadata(directory.join(MANIFEST)).map_err(|error| {
            IndexError::Storage(StorageError::Failed { path: MANIFEST.into(), reason: error.to_string() })
        })?;
        let itself = itself.len();
        let mut parts = vec![PartCosts { name: "manifest", files: 1, bytes: itself, largest: itself }];
        parts.extend(index.files().into_iter().map(|(name, files)| PartCosts::of(name, &files)));
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
}

impl PartCosts {
    fn of(name: &'static str, files: &[Shard]) -> Self {
        let bytes = files.iter().map(|file| file.bytes);
        Self { name, files: files.len(), bytes: bytes.clone().sum(), largest: bytes.max().unwrap_or(0) }
    }
}
