//! The index's files over HTTP.

use evident_index::{MANIFEST, Storage, StorageError};

use crate::fetch::{FetchError, Files, Freshness};

/// An index served by a static host.
pub struct WebStorage(pub Files);

impl Storage for WebStorage {
    async fn read(&self, path: &str) -> Result<Vec<u8>, StorageError> {
        let freshness = if path == MANIFEST { Freshness::Revalidate } else { Freshness::Immutable };
        self.0.read(path, freshness, |_| {}).await.map_err(|error| match error {
            FetchError::Missing { .. } => StorageError::NotFound { path: path.to_owned() },
            FetchError::Network { reason, .. } => StorageError::Failed { path: path.to_owned(), reason },
        })
    }

    async fn evict(&self, path: &str) {
        self.0.evict(path).await;
    }
}
