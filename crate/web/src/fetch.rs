//! Static files over HTTP, kept in the browser's Cache API.
//!
//! What comes out is bytes off the wire or out of a cache that anyone may have written to: the pack and the index check
//! each file against its hash before use, and call [`Files::evict`] when it does not match.

use gloo_net::http::Request;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, CacheStorage, ReadableStreamDefaultReader, RequestCache, Response};

/// The name of the browser cache that holds packs and indexes.
const CACHE: &str = "evident-1";

/// Why a file could not be had.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The host answered that there is no such file.
    #[error("{url} is not there (HTTP {status}): check the address, and that the file was uploaded")]
    Missing {
        /// The address asked for.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// The host could not be reached, or answered with something else than the file.
    #[error("{url} could not be fetched: {reason}; check the connection and try again")]
    Network {
        /// The address asked for.
        url: String,
        /// What the browser or the host said.
        reason: String,
    },
}

/// How a file may be answered from a cache.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// Ask the host each time: manifests.
    Revalidate,
    /// Take it from the Cache API when it is there: files whose hash a manifest names.
    Immutable,
}

/// A folder of static files at a base address.
#[derive(Clone)]
pub struct Files {
    base: String,
    cache: Option<Cache>,
}

impl Files {
    /// Opens the folder at `base`. Where the page may not use the Cache API (an insecure context, storage switched off)
    /// files are fetched each time.
    pub async fn open(base: &str) -> Self {
        let base = format!("{}/", base.trim_end_matches('/'));
        Self { base, cache: open_cache().await.ok() }
    }

    /// The whole file at `path`; `progress` is told the bytes read so far.
    pub async fn read(
        &self,
        path: &str,
        freshness: Freshness,
        mut progress: impl FnMut(u64),
    ) -> Result<Vec<u8>, FetchError> {
        let url = format!("{}{path}", self.base);
        if freshness == Freshness::Immutable
            && let Some(bytes) = self.cached(&url).await
        {
            progress(bytes.len() as u64);
            return Ok(bytes);
        }
        let bytes = download(&url, freshness, progress).await?;
        if freshness == Freshness::Immutable {
            self.keep(&url, &bytes).await;
        }
        Ok(bytes)
    }

    /// Drops the cached copy of `path`.
    pub async fn evict(&self, path: &str) {
        if let Some(cache) = &self.cache {
            let _ = JsFuture::from(cache.delete_with_str(&format!("{}{path}", self.base))).await;
        }
    }

    async fn cached(&self, url: &str) -> Option<Vec<u8>> {
        let hit = JsFuture::from(self.cache.as_ref()?.match_with_str(url)).await.ok()?;
        let body = hit.dyn_into::<Response>().ok()?.array_buffer().ok()?;
        Some(Uint8Array::new(&JsFuture::from(body).await.ok()?).to_vec())
    }

    /// A full disk or a quota only costs a later download, so a failed write is not an error.
    async fn keep(&self, url: &str, bytes: &[u8]) {
        let Some(cache) = &self.cache else { return };
        let body = Uint8Array::from(bytes);
        if let Ok(response) = Response::new_with_opt_js_u8_array(Some(&body)) {
            let _ = JsFuture::from(cache.put_with_str(url, &response)).await;
        }
    }
}

pub(crate) async fn open_cache() -> Result<Cache, JsValue> {
    let caches: CacheStorage = Reflect::get(&js_sys::global(), &"caches".into())?.dyn_into()?;
    JsFuture::from(caches.open(CACHE)).await?.dyn_into()
}

async fn download(url: &str, freshness: Freshness, mut progress: impl FnMut(u64)) -> Result<Vec<u8>, FetchError> {
    let network = |reason: String| FetchError::Network { url: url.to_owned(), reason };
    let mode = match freshness {
        Freshness::Revalidate => RequestCache::NoCache,
        Freshness::Immutable => RequestCache::Default,
    };
    let response = Request::get(url).cache(mode).send().await.map_err(|e| network(e.to_string()))?;
    match response.status() {
        200 => {}
        status @ (403 | 404 | 410) => {
            return Err(FetchError::Missing { url: url.to_owned(), status });
        }
        status => return Err(network(format!("HTTP {status} {}", response.status_text()))),
    }
    let Some(body) = response.body() else { return Ok(Vec::new()) };
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    loop {
        let chunk = JsFuture::from(reader.read()).await.map_err(|e| network(describe(&e)))?;
        let done = Reflect::get(&chunk, &"done".into()).is_ok_and(|done| done.is_truthy());
        if done {
            return Ok(bytes);
        }
        let value = Reflect::get(&chunk, &"value".into()).map_err(|e| network(describe(&e)))?;
        let value = value.dyn_into::<Uint8Array>().map_err(|e| network(describe(&e)))?;
        let start = bytes.len();
        bytes.resize(start + value.length() as usize, 0);
        value.copy_to(&mut bytes[start..]);
        progress(bytes.len() as u64);
    }
}

pub(crate) fn describe(error: &JsValue) -> String {
    Reflect::get(error, &"message".into())
        .ok()
        .and_then(|message| message.as_string())
        .unwrap_or_else(|| format!("{error:?}"))
}

/// Milliseconds on the page's monotonic clock.
pub fn now() -> f64 {
    thread_local! {
        static CLOCK: Option<web_sys::Performance> =
            Reflect::get(&js_sys::global(), &"performance".into())
                .ok()
                .and_then(|clock| clock.dyn_into().ok());
    }
    CLOCK.with(|clock| clock.as_ref().map_or(0.0, web_sys::Performance::now))
}
