//! Where an index's files live. The searcher asks for whole files by name and never knows whether a disk, a cache or
//! the network answers.

use std::collections::BTreeMap;

use crate::StorageError;

/// A place that holds the files of one index.
pub trait Storage {
    /// All bytes of the file `path`, a name relative to the index's directory.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] only where the place is sure that the file is not there.
    fn read(&self, path: &str) -> impl Future<Output = Result<Vec<u8>, StorageError>>;

    /// Told that the bytes of `path` were damaged, before they are read once more: a cache drops them.
    fn evict(&self, _path: &str) -> impl Future<Output = ()> {
        async {}
    }
}

impl<S: Storage> Storage for &S {
    fn read(&self, path: &str) -> impl Future<Output = Result<Vec<u8>, StorageError>> {
        (**self).read(path)
    }

    fn evict(&self, path: &str) -> impl Future<Output = ()> {
        (**self).evict(path)
    }
}

/// An index in a directory. Reads block.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug, Clone)]
pub struct FileStorage(std::path::PathBuf);

#[cfg(not(target_family = "wasm"))]
impl FileStorage {
    /// The index in `directory`.
    pub fn new(directory: impl Into<std::path::PathBuf>) -> Self {
        Self(directory.into())
    }
}

#[cfg(not(target_family = "wasm"))]
impl Storage for FileStorage {
    async fn read(&self, path: &str) -> Result<Vec<u8>, StorageError> {
        std::fs::read(self.0.join(path)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => StorageError::NotFound { path: path.into() },
            _ => StorageError::Failed { path: path.into(), reason: error.to_string() },
        })
    }
}

/// An index in memory: file names and their bytes.
#[derive(Debug, Clone, Default)]
pub struct MemoryStorage(pub BTreeMap<String, Vec<u8>>);

impl Storage for MemoryStorage {
    async fn read(&self, path: &str) -> Result<Vec<u8>, StorageError> {
        self.0.get(path).cloned().ok_or_else(|| StorageError::NotFound { path: path.into() })
    }
}
