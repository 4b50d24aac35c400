//! The browser's Cache API, where it may be used: not in an insecure context, nor where storage is switched off.
//!
//! Anyone who runs in the page's origin may have written to it, and another tab may clear it at any time: what comes out is
//! checked like bytes off the wire, and what cannot be read is fetched.

mod bounded;

pub use bounded::{BoundedCache, DEFAULT_BYTES};

use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, CacheQueryOptions, CacheStorage, Headers, Request, RequestInit, Response, ResponseInit};

/// The cache of packs' files, which stay until someone clears it. web/demo/offline/sw.ts knows both names.
pub const PACKS: &str = "evident-1";
/// That of indexes' files and of parts of them.
pub const INDEXES: &str = "evident-index-1";

/// One of the origin's caches. It is opened for each use, so that one that was deleted meanwhile is made anew.
pub struct Cache {
    caches: CacheStorage,
    name: &'static str,
}

impl Cache {
    /// The cache `name`, where the page may use any.
    pub fn open(name: &'static str) -> Option<Self> {
        let caches = Reflect::get(&js_sys::global(), &"caches".into()).ok()?.dyn_into().ok()?;
        Some(Self { caches, name })
    }

    /// What is kept under `url`.
    pub async fn find(&self, url: &str) -> Option<Response> {
        let here = CacheQueryOptions::new();
        here.set_cache_name(self.name);
        JsFuture::from(self.caches.match_with_str_and_options(url, &here)).await.ok()?.dyn_into().ok()
    }

    /// The bytes kept under `url`, and the headers they were kept with.
    pub async fn get(&self, url: &str) -> Option<(Vec<u8>, Headers)> {
        let response = self.find(url).await?;
        let body = JsFuture::from(response.array_buffer().ok()?).await.ok()?;
        Some((Uint8Array::new(&body).to_vec(), response.headers()))
    }

    /// Keeps `bytes` under `url`, with these headers on them and on their key.
    ///
    /// # Errors
    /// What the browser says where it cannot, a quota for one; it then costs no more than another download.
    pub async fn put(&self, url: &str, bytes: &[u8], headers: &Headers) -> Result<(), JsValue> {
        let (kept, key) = (ResponseInit::new(), RequestInit::new());
        kept.set_headers(headers);
        key.set_headers(headers);
        let response = Response::new_with_opt_js_u8_array_and_init(Some(&Uint8Array::from(bytes)), &kept)?;
        let request = Request::new_with_str_and_init(url, &key)?;
        JsFuture::from(self.opened().await?.put_with_request(&request, &response)).await.map(|_| ())
    }

    /// Keeps a blob under `url`.
    ///
    /// # Errors
    /// As [`Cache::put`].
    pub async fn put_blob(&self, url: &str, blob: &Blob) -> Result<(), JsValue> {
        let response = Response::new_with_opt_blob(Some(blob))?;
        JsFuture::from(self.opened().await?.put_with_str(url, &response)).await.map(|_| ())
    }

    /// Drops what is kept under `url`, whatever query follows it.
    pub async fn remove(&self, url: &str) {
        let Ok(cache) = self.opened().await else { return };
        let options = CacheQueryOptions::new();
        options.set_ignore_search(true);
        let _ = JsFuture::from(cache.delete_with_str_and_options(url, &options)).await;
    }

    /// The keys of all that is kept.
    async fn keys(&self) -> Result<Vec<Request>, JsValue> {
        let keys: Array = JsFuture::from(self.opened().await?.keys()).await?.dyn_into()?;
        Ok(keys.iter().filter_map(|key| key.dyn_into().ok()).collect())
    }

    async fn opened(&self) -> Result<web_sys::Cache, JsValue> {
        JsFuture::from(self.caches.open(self.name)).await?.dyn_into()
    }
}
