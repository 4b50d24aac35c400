//! Evident's index alone in a page, as someone would use it who has no interest in language models: what is compared
//! with pagefind.

#![cfg(target_family = "wasm")]

use std::ops::Range;

use evident_index::{Index, Ranged, Storage, StorageError};
use js_sys::{Function, Promise, Uint8Array};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Files that a JavaScript function fetches: it takes a name, and where only a part is wanted its first and last byte,
/// and gives a promise of a `Uint8Array`.
struct Fetched(Function);

impl Fetched {
    async fn fetch(&self, path: &str, first: JsValue, last: JsValue) -> Result<Vec<u8>, StorageError> {
        let failed = |error| StorageError::Failed { path: path.into(), reason: format!("{error:?}") };
        let called = self.0.call3(&JsValue::NULL, &path.into(), &first, &last);
        let promise: Promise = called.and_then(|given| given.dyn_into()).map_err(failed)?;
        let bytes: Uint8Array = JsFuture::from(promise).await.and_then(|given| given.dyn_into()).map_err(failed)?;
        Ok(bytes.to_vec())
    }
}

impl Storage for Fetched {
    async fn read(&self, path: &str, _most: u64) -> Result<Vec<u8>, StorageError> {
        self.fetch(path, JsValue::UNDEFINED, JsValue::UNDEFINED).await
    }

    async fn read_range(&self, path: &str, range: Range<u64>, _most: u64) -> Result<Ranged, StorageError> {
        let [first, last] = [range.start, range.end.saturating_sub(1)].map(|place| JsValue::from(place as f64));
        self.fetch(path, first, last).await.map(Ranged::Part)
    }
}

/// An opened index.
#[wasm_bindgen]
pub struct Search(Index<Fetched>);

#[wasm_bindgen]
impl Search {
    /// Opens the index whose files `read` fetches.
    pub async fn open(read: Function) -> Result<Search, JsError> {
        Ok(Self(Index::open(Fetched(read)).await?))
    }

    /// The `k` best passages: an array of `{ passage, score }`.
    pub async fn search(&self, query: &str, k: usize) -> Result<JsValue, JsError> {
        let hits = self.0.search(query, k).await?;
        Ok(hits.serialize(&Serializer::json_compatible())?)
    }
}
