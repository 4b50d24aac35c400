//! The files of an index, on a host or in the page.

use std::ops::Range;
use std::rc::Rc;

use evident_cache::{Bound, BoundedCache, INDEX_BYTES, INDEXES};
use evident_index::{Index, MANIFEST, Manifest, Ranged, Storage, StorageError};
use evident_verify::IndexReport;
use js_sys::{Map, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use crate::error::WebError;
use crate::http::error::FetchError;
use crate::http::fetch::{Files, Freshness};
use crate::js::plain;

/// Where an index's files are.
pub enum WebStorage {
    /// On a static host.
    Hosted(Host),
    /// In the page: a `Map` of file names to `Blob`s, which the browser may keep on disk.
    Local(Map),
}

/// A static host, and the browser's cache of it.
pub struct Host {
    files: Files,
    cache: Option<Rc<BoundedCache>>,
}

impl WebStorage {
    /// The base address of a host; `None` for files in the page.
    pub fn address(&self) -> Option<String> {
        match self {
            Self::Hosted(host) => Some(host.files.url("")),
            Self::Local(_) => None,
        }
    }

    /// The storage that JavaScript names: by a `Map` of file names to `Blob`s, or by a base address, of which the
    /// browser's cache keeps at most `kept` bytes.
    pub fn new(index: &JsValue, kept: Option<u64>) -> Result<Self, WebError> {
        if let Some(files) = index.dyn_ref::<Map>() {
            return Ok(Self::Local(files.clone()));
        }
        let address: String = serde_wasm_bindgen::from_value(index.clone())?;
        let files = Files::new(&address);
        let bound = Bound { bytes: kept.unwrap_or(INDEX_BYTES), unused_ms: f64::INFINITY };
        let cache = BoundedCache::open(INDEXES, files.url(""), bound);
        Ok(Self::Hosted(Host { files, cache }))
    }
}

impl Storage for WebStorage {
    async fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, StorageError> {
        match self {
            Self::Hosted(host) if path == MANIFEST => host.manifest(most).await.map_err(unreadable(path)),
            Self::Hosted(host) => host.file(path, most).await.map_err(unreadable(path)),
            Self::Local(files) => {
                let not_found = |_| StorageError::NotFound { path: path.to_owned() };
                let blob: Blob = files.get(&path.into()).dyn_into().map_err(not_found)?;
                let blob = blob.slice_with_f64_and_f64(0.0, most.saturating_add(1) as f64).map_err(not_found)?;
                let bytes = JsFuture::from(blob.array_buffer())
                    .await
                    .map_err(|error| StorageError::Failed { path: path.to_owned(), reason: format!("{error:?}") })?;
                Ok(Uint8Array::new(&bytes).to_vec())
            }
        }
    }

    async fn read_range(&self, path: &str, range: Range<u64>, most: u64) -> Result<Ranged, StorageError> {
        match self {
            Self::Hosted(host) => host.range(path, range, most).await.map_err(unreadable(path)),
            Self::Local(_) => Ok(Ranged::Refused), // the page has the bytes: a whole file costs no more
        }
    }

    async fn cached_range(&self, path: &str, range: Range<u64>) -> Option<Vec<u8>> {
        let Self::Hosted(Host { files, cache: Some(cache) }) = self else { return None };
        let url = files.url(path);
        if let Some(bytes) = cache.get(&key(&url, &range)).await {
            return Some(bytes);
        }
        let whole = cache.get(&url).await?;
        whole.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?).map(<[u8]>::to_vec)
    }

    fn keep_range(&self, path: &str, range: Range<u64>, bytes: &[u8]) {
        if let Self::Hosted(Host { files, cache: Some(cache) }) = self {
            cache.put(key(&files.url(path), &range), bytes.to_vec());
        }
    }

    async fn evict(&self, path: &str) {
        if let Self::Hosted(Host { files, cache }) = self {
            files.distrust(path);
            if let Some(cache) = cache {
                cache.remove(&files.url(path)).await;
            }
        }
    }
}

impl Host {
    /// The manifest, from the host itself.
    async fn manifest(&self, most: u64) -> Result<Vec<u8>, FetchError> {
        let bytes = self.files.whole(MANIFEST, Freshness::Revalidate, most).await?;
        if let (Some(cache), Ok(manifest)) = (&self.cache, Manifest::parse(&bytes)) {
            cache.set_edition(manifest.checksum.to_string());
        }
        Ok(bytes)
    }

    async fn file(&self, path: &str, most: u64) -> Result<Vec<u8>, FetchError> {
        let url = self.files.url(path);
        if let Some(cache) = &self.cache
            && let Some(bytes) = cache.get(&url).await
        {
            return Ok(bytes);
        }
        let bytes = self.files.whole(path, Freshness::Immutable, most).await?;
        self.keep(url, &bytes);
        Ok(bytes)
    }

    async fn range(&self, path: &str, range: Range<u64>, most: u64) -> Result<Ranged, FetchError> {
        let answer = self.files.range(path, range, most).await?;
        if let Ranged::Whole(bytes) = &answer {
            self.keep(self.files.url(path), bytes);
        }
        Ok(answer)
    }

    fn keep(&self, url: String, bytes: &[u8]) {
        if let Some(cache) = &self.cache {
            cache.put(url, bytes.to_vec());
        }
    }
}

/// The key of a range: an address that is never requested from the host. The Cache API does not store responses with
/// status 206.
fn key(url: &str, range: &Range<u64>) -> String {
    format!("{url}?bytes={}-{}", range.start, range.end)
}

fn unreadable(path: &str) -> impl Fn(FetchError) -> StorageError {
    move |error| match error {
        FetchError::Missing { .. } => StorageError::NotFound { path: path.to_owned() },
        FetchError::Network { reason, .. } => {
            StorageError::Failed { path: path.to_owned(), reason: reason.to_string() }
        }
    }
}

/// Opens an index, named as for [`WebStorage::new`]; resolves to `{ passages, hash }`.
///
/// # Errors
/// An `Error` whose `code` says why this version cannot read the index, or that it could not be fetched.
#[wasm_bindgen(js_name = inspectIndex)]
pub async fn inspect(index: JsValue) -> Result<JsValue, WebError> {
    let index = Index::open(WebStorage::new(&index, None)?).await?;
    plain(&IndexReport::of(&index.manifest()))
}
