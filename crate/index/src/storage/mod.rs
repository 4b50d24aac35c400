//! Where the files of an index are. The searcher requests files by name, whole or a range of bytes; whether a disk, a
//! cache or the network answers makes no difference to it.

#[cfg(any(test, feature = "forge"))]
pub(crate) mod faulty;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod file;
pub(crate) mod memory;

use std::ops::Range;

use crate::error::StorageError;

/// The answer to a request for a range of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ranged {
    /// The bytes of the range.
    Part(Vec<u8>),
    /// All bytes of the file, from a place that does not serve ranges.
    Whole(Vec<u8>),
    /// Nothing usable: the place does not serve ranges, or not the right ones.
    Refused,
}

/// A place that holds the files of one index.
pub trait Storage {
    /// The bytes of the file `path`, a name relative to the index's directory. A right file has at most `most` bytes:
    /// of a longer one a place may return any part that is longer than `most`, which the file's hash then refuses.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] only where the place is sure that the file is not there.
    fn read(&self, path: &str, most: u64) -> impl Future<Output = Result<Vec<u8>, StorageError>>;

    /// The bytes `range` of the file `path`, where the place can give just these. Over HTTP, [`Ranged::Part`] is a 206
    /// with this very `Content-Range`, as many bytes, and no `Content-Encoding`; [`Ranged::Whole`] is a 200, of which a
    /// right one has at most `most` bytes, as for [`Storage::read`].
    ///
    /// # Errors
    /// As [`Storage::read`].
    fn read_range(
        &self,
        _path: &str,
        _range: Range<u64>,
        _most: u64,
    ) -> impl Future<Output = Result<Ranged, StorageError>> {
        async { Ok(Ranged::Refused) }
    }

    /// The bytes `range` of the file `path` if a cache has them; the place itself is not asked.
    fn cached_range(&self, _path: &str, _range: Range<u64>) -> impl Future<Output = Option<Vec<u8>>> {
        async { None }
    }

    /// Receives a verified chunk that came as a range: a cache may keep it for [`Storage::cached_range`].
    fn keep_range(&self, _path: &str, _range: Range<u64>, _bytes: &[u8]) {}

    /// Called when the bytes of `path` were damaged, before they are read again: a cache drops its copy.
    fn evict(&self, _path: &str) -> impl Future<Output = ()> {
        async {}
    }
}

impl<S: Storage> Storage for &S {
    fn read(&self, path: &str, most: u64) -> impl Future<Output = Result<Vec<u8>, StorageError>> {
        (**self).read(path, most)
    }

    fn read_range(
        &self,
        path: &str,
        range: Range<u64>,
        most: u64,
    ) -> impl Future<Output = Result<Ranged, StorageError>> {
        (**self).read_range(path, range, most)
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
