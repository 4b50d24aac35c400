//! Where an index's files live. The searcher asks for files by name, whole or a range of bytes, and never knows whether a
//! disk, a cache or the network answers.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::StorageError;

/// What a place answers where a range of a file is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ranged {
    /// The bytes of the range.
    Part(Vec<u8>),
    /// All bytes of the file: the place has no ranges, and has sent what it has.
    Whole(Vec<u8>),
    /// Nothing that can be used: the place has no ranges, or not the right ones.
    Refused,
}

/// A place that holds the files of one index.
pub trait Storage {
    /// All bytes of the file `path`, a name relative to the index's directory.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] only where the place is sure that the file is not there.
    fn read(&self, path: &str) -> impl Future<Output = Result<Vec<u8>, StorageError>>;

    /// The bytes `range` of the file `path`, where the place can give just these. Over HTTP, [`Ranged::Part`] is a 206 with this
    /// very `Content-Range`, as many bytes, and no `Content-Encoding`; [`Ranged::Whole`] is a 200.
    ///
    /// # Errors
    /// As [`Storage::read`].
    fn read_range(&self, _path: &str, _range: Range<u64>) -> impl Future<Output = Result<Ranged, StorageError>> {
        async { Ok(Ranged::Refused) }
    }

    /// The bytes `range` of the file `path` if they are at hand, without asking the place that holds the files.
    fn cached_range(&self, _path: &str, _range: Range<u64>) -> impl Future<Output = Option<Vec<u8>>> {
        async { None }
    }

    /// Given a chunk that came in a range, now verified: a cache may keep it for [`Storage::cached_range`].
    fn keep_range(&self, _path: &str, _range: Range<u64>, _bytes: &[u8]) {}

    /// Told that the bytes of `path` were damaged, before they are read once more: a cache drops them.
    fn evict(&self, _path: &str) -> impl Future<Output = ()> {
        async {}
    }
}

impl<S: Storage> Storage for &S {
    fn read(&self, path: &str) -> impl Future<Output = Result<Vec<u8>, StorageError>> {
        (**self).read(path)
    }

    fn read_range(&self, path: &str, range: Range<u64>) -> impl Future<Output = Result<Ranged, StorageError>> {
        (**self).read_range(path, range)
    }

    fn cached_range(&self, path: &str, range: Range<u64>) -> impl Future<Output = Option<Vec<u8>>> {
        (**self).cached_range(path, range)
    }

    fn keep_range(&self, path: &str, range: Range<u64>, bytes: &[u8]) {
        (**self).keep_range(path, range, bytes);
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
        std::fs::read(self.0.join(path)).map_err(unreadable(path))
    }

    async fn read_range(&self, path: &str, range: Range<u64>) -> Result<Ranged, StorageError> {
        use std::io::{Read, Seek, SeekFrom};
        let read = || {
            let mut file = std::fs::File::open(self.0.join(path))?;
            file.seek(SeekFrom::Start(range.start))?;
            let mut bytes = Vec::new();
            file.take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
            Ok(Ranged::Part(bytes))
        };
        read().map_err(unreadable(path))
    }
}

#[cfg(not(target_family = "wasm"))]
fn unreadable(path: &str) -> impl Fn(std::io::Error) -> StorageError {
    move |error| match error.kind() {
        std::io::ErrorKind::NotFound => StorageError::NotFound { path: path.into() },
        _ => StorageError::Failed { path: path.into(), reason: error.to_string() },
    }
}

/// An index in memory: file names and their bytes.
#[derive(Debug, Clone, Default)]
pub struct MemoryStorage(pub BTreeMap<String, Vec<u8>>);

impl Storage for MemoryStorage {
    async fn read(&self, path: &str) -> Result<Vec<u8>, StorageError> {
        self.0.get(path).cloned().ok_or_else(|| StorageError::NotFound { path: path.into() })
    }

    async fn read_range(&self, path: &str, range: Range<u64>) -> Result<Ranged, StorageError> {
        let bytes = self.0.get(path).ok_or_else(|| StorageError::NotFound { path: path.into() })?;
        let [start, end] = [range.start, range.end].map(|place| usize::try_from(place).unwrap_or(usize::MAX));
        Ok(Ranged::Part(bytes.get(start..end.min(bytes.len())).unwrap_or_default().to_vec()))
    }
}
