//! The files of an index: on a host, or in the page.

use evident_index::{Index, MANIFEST, Storage, StorageError};
use evident_verify::IndexReport;
use js_sys::{Map, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use crate::error::WebError;
use crate::fetch::{FetchError, Files, Freshness};
use crate::plain;

/// Where an index's files are.
pub enum WebStorage {
    /// On a static host.
    Hosted(Files),
    /// In the page: a `Map` of file names to `Blob`s, which the browser may keep on disk until they are read.
    Local(Map),
}

impl WebStorage {
    /// The storage that JavaScript names by a `Map` of file names to `Blob`s, or by a base address.
    pub async fn open(index: &JsValue) -> Result<Self, WebError> {
        if let Some(files) = index.dyn_ref::<Map>() {
            return Ok(Self::Local(files.clone()));
        }
        let address: String = serde_wasm_bindgen::from_value(index.clone())?;
        Ok(Self::Hosted(Files::open(&address).await))
    }
}

impl Storage for WebStorage {
    async fn read(&self, path: &str) -> Result<Vec<u8>, StorageError> {
        match self {
            Self::Hosted(files) => {
                let freshness = if path == MANIFEST { Freshness::Revalidate } else { Freshness::Immutable };
                files.read(path, freshness, |_| {}).await.map_err(|error| match error {
                    FetchError::Missing { .. } => StorageError::NotFound { path: path.to_owned() },
                    FetchError::Network { reason, .. } => StorageError::Failed { path: path.to_owned(), reason },
                })
            }
            Self::Local(files) => {
                let not_found = |_| StorageError::NotFound { path: path.to_owned() };
                let blob: Blob = files.get(&path.into()).dyn_into().map_err(not_found)?;
                let bytes = JsFuture::from(blob.array_buffer())
                    .await
                    .map_err(|error| StorageError::Failed { path: path.to_owned(), reason: format!("{error:?}") })?;
                Ok(Uint8Array::new(&bytes).to_vec())
            }
        }
    }

    async fn evict(&self, path: &str) {
        if let Self::Hosted(files) = self {
            files.evict(path).await;
        }
    }
}

/// Opens an index, given as to [`WebStorage::open`], and says what it is: `{ passages, hash }`.
///
/// # Errors
/// An `Error` whose `code` says why it is no index that this version reads, or that it could not be fetched.
#[wasm_bindgen(js_name = inspectIndex)]
pub async fn inspect(index: JsValue) -> Result<JsValue, WebError> {
    let index = Index::open(WebStorage::open(&index).await?).await?;
    let manifest = index.manifest();
    plain(&IndexReport { passages: manifest.passages, hash: manifest.checksum.to_string() })
}
