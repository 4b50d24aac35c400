//! The browser's Cache API. It is missing in insecure contexts and where storage is switched off.
//!
//! Any script of the page's origin may have written to it, and another tab may clear it at any time: its contents are
//! checked like bytes off the wire, and what cannot be read is fetched.

use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, CacheQueryOptions, CacheStorage, Headers, Request, RequestInit, Response, ResponseInit};

/// The cache of packs' files, which keeps them until someone clears it. web/demo/offline/sw.ts knows both names.
pub const PACKS: &str = "evident-1";
/// The cache of indexes' files and of ranges of them.
pub const INDEXES: &str = "evident-index-1";
/// The cache of what wikis have said.
pub const WIKIS: &str = "evident-wiki-1";

/// One of the origin's caches. It is opened for each use, for it may have been deleted since the last one.
pub struct Cache {
    caches: CacheStorage,
    name: &'static str,
}

impl Cache {
    /// The cache `name`; `None` if the page may use none.
    pub fn open(name: &'static str) -> Option<Self> {
        let caches = Reflect::get(&js_sys::global(), &"caches".into()).ok()?.dyn_into().ok()?;
        Some(Self { caches, name })
    }

    /// The response kept under `url`.
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
    /// What the browser says if it cannot, for want of room for example. The file is then downloaded again next time.
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

    /// Drops what is kept under `url`, with any query after it.
    pub async fn remove(&self, url: &str) {
        let Ok(cache) = self.opened().await else { return };
        let options = CacheQueryOptions::new();
        options.set_ignore_search(true);
        let _ = JsFuture::from(cache.delete_with_str_and_options(url, &options)).await;
    }

    /// The keys of all entries.
    ///
    /// # Errors
    /// As [`Cache::opened`].
    pub async fn keys(&self) -> Result<Vec<Request>, JsValue> {
        let keys: Array = JsFuture::from(self.opened().await?.keys()).await?.dyn_into()?;
        Ok(keys.iter().filter_map(|key| key.dyn_into().ok()).collect())
    }

    /// The browser's own object for it.
    ///
    /// # Errors
    /// What the browser says if it gives none.
    pub async fn opened(&self) -> Result<web_sys::Cache, JsValue> {
        JsFuture::from(self.caches.open(self.name)).await?.dyn_into()
    }
}
