//! Storage that goes wrong once, at a read that a test chooses.

use std::cell::Cell;
use std::ops::Range;

use crate::error::StorageError;
use crate::storage::memory::MemoryStorage;
use crate::storage::{Ranged, Storage};

/// How a read goes wrong.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// The line is cut.
    Fails,
    /// The file is not there.
    Missing,
    /// There are no bytes.
    Empty,
    /// The second half of the bytes is not there.
    Short,
    /// One bit is another.
    Flipped,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Fails, Self::Missing, Self::Empty, Self::Short, Self::Flipped];
}

/// Storage of which one read goes wrong.
#[derive(Debug)]
pub struct Faulty {
    files: MemoryStorage,
    fault: Fault,
    at: usize,
    reads: Cell<usize>,
}

impl Faulty {
    /// The storage of these files. The read number `at`, counted from 0, goes wrong.
    pub fn new(files: MemoryStorage, fault: Fault, at: usize) -> Self {
        Self { files, fault, at, reads: Cell::new(0) }
    }

    /// Whether the read that goes wrong has come.
    pub fn has_failed(&self) -> bool {
        self.reads.get() > self.at
    }

    fn spoil(&self, path: &str, mut bytes: Vec<u8>) -> Result<Vec<u8>, StorageError> {
        if self.reads.replace(self.reads.get() + 1) != self.at {
            return Ok(bytes);
        }
        let (path, middle) = (path.to_owned(), bytes.len() / 2);
        match self.fault {
            Fault::Fails => return Err(StorageError::Failed { path, reason: "the line was cut".into() }),
            Fault::Missing => return Err(StorageError::NotFound { path }),
            Fault::Empty => bytes.clear(),
            Fault::Short => bytes.truncate(middle),
            Fault::Flipped => bytes[middle] ^= 1,
        }
        Ok(bytes)
    }
}

impl Storage for Faulty {
    async fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, StorageError> {
        self.spoil(path, self.files.read(path, most).await?)
    }

    async fn read_range(&self, path: &str, range: Range<u64>, most: u64) -> Result<Ranged, StorageError> {
        match self.files.read_range(path, range, most).await? {
            Ranged::Part(bytes) => Ok(Ranged::Part(self.spoil(path, bytes)?)),
            other => Ok(other),
        }
    }
}
