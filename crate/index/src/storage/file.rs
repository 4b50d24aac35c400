//! An index in a directory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

use crate::error::StorageError;
use crate::storage::{Ranged, Storage};

/// An index in a directory. Reads block.
#[derive(Debug, Clone)]
pub struct FileStorage(PathBuf);

impl FileStorage {
    /// The index in `directory`.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self(directory.into())
    }

    /// At most `most` bytes of the file `path`, from `start` on.
    fn part(&self, path: &str, start: u64, most: u64) -> Result<Vec<u8>, StorageError> {
        let read = || {
            let mut file = File::open(self.0.join(path))?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(start))?;
            let mut bytes = Vec::with_capacity(usize::try_from(length.saturating_sub(start).min(most)).unwrap_or(0));
            file.take(most).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().map_err(|error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => StorageError::NotFound { path: path.into() },
            _ => StorageError::Failed { path: path.into(), reason: error.to_string() },
        })
    }
}

impl Storage for FileStorage {
    async fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, StorageError> {
        self.part(path, 0, most.saturating_add(1)) // one byte more shows that a file is too long
    }

    async fn read_range(&self, path: &str, range: Range<u64>, _most: u64) -> Result<Ranged, StorageError> {
        Ok(Ranged::Part(self.part(path, range.start, range.end.saturating_sub(range.start))?))
    }
}
