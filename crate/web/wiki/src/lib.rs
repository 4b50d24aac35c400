//! The browser module that asks a wiki and reads its articles. It is apart from the engine's modules, so that only a
//! reader who asks a wiki fetches it.

// The crate has this one target; a native build of the workspace skips it.
#![cfg(target_family = "wasm")]

use std::rc::Rc;

use evident_cache::{Bound, BoundedCache, WIKIS};
use evident_corpus::WikitextArticle;
use evident_index::{Passage, Traffic};
use evident_verify::{
    EvidenceSource, Found, LocalBoxFuture, Query, Settings, SourceError, WikiArticle, WikiHost, WikiReply, WikiSource,
    wiki_words,
};
use js_sys::{Date, Function, Promise, Reflect, Uint8Array};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// How much of wikis the browser keeps: 50 MB, each article for a week after its last use.
const KEPT: Bound = Bound { bytes: 50_000_000, unused_ms: 7.0 * 24.0 * 60.0 * 60.0 * 1000.0 };

/// The passages that the wiki has found, the traffic until now, and its licence.
#[derive(Serialize)]
struct Answer {
    found: Found,
    requests: u64,
    bytes: u64,
    license: Option<String>,
}

/// What a wiki may be sent about `statement`, which follows its `context`: plain
/// [`WikiWords`](evident_verify::WikiWords).
///
/// # Errors
/// None: they are plain texts.
#[wasm_bindgen]
pub fn words(statement: &str, context: &str) -> Result<JsValue, JsError> {
    Ok(wiki_words(statement, context).serialize(&Serializer::json_compatible())?)
}

/// A wiki that is asked about claims.
#[wasm_bindgen]
pub struct Wiki(WikiSource<Page>);

#[wasm_bindgen]
impl Wiki {
    /// The wiki whose `api.php` is at `address`. `get` is called with an address and the most bytes, and promises
    /// `{ status, retryAfter, body }`; `wait` is called with seconds.
    ///
    /// # Errors
    /// An `Error` for what is no such address.
    #[wasm_bindgen(constructor)]
    pub fn new(address: &str, get: Function, wait: Function) -> Result<Wiki, JsError> {
        let cache = BoundedCache::open(WIKIS, address.to_owned(), KEPT);
        Ok(Self(WikiSource::new(Page { get, wait, cache }, address)?))
    }

    /// Asks about a claim, by the parts of a [`Query`]: resolves to `{ found, requests, bytes, license }`, the plain
    /// object of a [`Found`], what was read from the wiki until now, and the licence that it names.
    ///
    /// # Errors
    /// An `Error` that says why the wiki cannot be asked.
    pub async fn ask(
        &self,
        context: String,
        statement: String,
        count: usize,
        statement_weight: usize,
    ) -> Result<JsValue, JsError> {
        let settings = Settings { statement_weight, ..Settings::default() };
        let query = Query { context: &context, statement: &statement, count, settings: &settings };
        let found = self.0.find(&query).await.map_err(|error| match error {
            SourceError::Unreachable { reason, .. } => JsError::new(&reason),
            error => error.into(),
        })?;
        let (Traffic { requests, bytes }, license) = (self.0.traffic(), self.0.info(&settings).license);
        Ok(Answer { found, requests, bytes, license }.serialize(&Serializer::json_compatible())?)
    }
}

/// The worker that asks.
struct Page {
    get: Function,
    wait: Function,
    /// What the browser keeps, if it keeps anything.
    cache: Option<Rc<BoundedCache>>,
}

impl WikiHost for Page {
    fn get<'a>(&'a self, address: &'a str, most: u64) -> LocalBoxFuture<'a, Result<WikiReply, String>> {
        Box::pin(async move {
            let reply = promised(self.get.call2(&JsValue::NULL, &address.into(), &(most as f64).into())).await?;
            let field = |name: &str| Reflect::get(&reply, &name.into()).unwrap_or_default();
            let number = |name: &str| field(name).as_f64().map(|number| number as u64);
            Ok(WikiReply {
                status: number("status").unwrap_or_default() as u16,
                retry_after: number("retryAfter"),
                body: Uint8Array::new(&field("body")).to_vec(),
            })
        })
    }

    fn read(&self, article: &WikiArticle) -> Vec<Passage> {
        let WikiArticle { id, title, names, address, wikitext } = article;
        WikitextArticle { id, title, names, address, wikitext }.passages()
    }

    fn wait(&self, seconds: u64) -> LocalBoxFuture<'_, ()> {
        Box::pin(async move {
            let _ = promised(self.wait.call1(&JsValue::NULL, &(seconds as f64).into())).await;
        })
    }

    fn now(&self) -> u64 {
        (Date::now() / 1000.0) as u64
    }

    fn kept<'a>(&'a self, address: &'a str) -> LocalBoxFuture<'a, Option<Vec<u8>>> {
        Box::pin(async move { self.cache.as_ref()?.get(address).await })
    }

    fn keep(&self, address: String, bytes: Vec<u8>) {
        if let Some(cache) = &self.cache {
            cache.put(address, bytes);
        }
    }
}

/// What a call has promised, or the message of its error.
async fn promised(called: Result<JsValue, JsValue>) -> Result<JsValue, String> {
    let message = |thrown: JsValue| String::from(js_sys::Error::from(thrown).message());
    let promise: Promise = called.map_err(message)?.into();
    JsFuture::from(promise).await.map_err(message)
}
