//! An index in memory.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::error::StorageError;
use crate::storage::{Ranged, Storage};

/// An index in memory: file names and their bytes.
#[derive(Debug, Clone, Default)]
pub struct MemoryStorage(pub BTreeMap<String, Vec<u8>>);

impl MemoryStorage {
    fn file(&self, path: &str) -> Result<&Vec<u8>, StorageError> {
        self.0.get(path).ok_or_else(|| StorageError::NotFound { path: path.into() })
    }
}

impl Storage for MemoryStorage {
    async fn read(&self, path: &str, _most: u64) -> Result<Vec<u8>, StorageError> {
        self.file(path).cloned()
    }

    async fn read_range(&self, path: &str, range: Range<u64>, _most: u64) -> Result<Ranged, StorageError> {
        let bytes = self.file(path)?;
        let [start, end] = [range.start, range.end].map(|place| usize::try_from(place).unwrap_or(usize::MAX));
        Ok(Ranged::Part(bytes.get(start..end.min(bytes.len())).unwrap_or_default().to_vec()))
    }
}
