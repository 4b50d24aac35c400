//! GETs of static files on a host.
//!
//! What comes out is bytes off the wire: the pack and the index check each file against its hash before use, and call
//! [`Files::distrust`] when it does not match.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;

use evident_index::Ranged;
use gloo_net::http::{Headers, Request, RequestBuilder, Response};
use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStream, ReadableStreamDefaultReader, RequestCache};

/// Silence after which a request is given up. Two such, and what is fetched in place of a range, are over before the page loses
/// patience with the worker (web/package/src/session.ts).
const PATIENCE_MS: u32 = 15_000;

/// The pause before a second try.
const PAUSE_MS: u32 = 500;

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
    /// The host could not be reached, or did not send the file.
    #[error("{url} could not be fetched: {reason}; check the connection and try again")]
    Network {
        /// The address asked for.
        url: String,
        /// Why it did not come.
        reason: Reason,
    },
}

/// Why a file did not come that may be there.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The host fell silent.
    #[error("the host sent nothing for {} seconds", PATIENCE_MS / 1000)]
    Silence,
    /// What the browser or the host said.
    #[error("{0}")]
    Said(String),
}

/// How a file may be answered from the browser's HTTP cache.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// Ask the host each time: manifests.
    Revalidate,
    /// Take it from there: files whose hash a manifest names.
    Immutable,
}

/// A folder of static files at a base address.
pub struct Files {
    base: String,
    /// Files whose copies on the way here are not to be used once more.
    distrusted: RefCell<HashSet<String>>,
}

impl Files {
    /// The folder at `base`.
    pub fn new(base: &str) -> Self {
        Self { base: format!("{}/", base.trim_end_matches('/')), distrusted: RefCell::default() }
    }

    /// The address of the file at `path`; of the folder itself where that is empty.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The whole file at `path`, asked for twice where the connection fails; `progress` is told the bytes read so far.
    pub async fn whole(
        &self,
        path: &str,
        freshness: Freshness,
        mut progress: impl FnMut(u64),
    ) -> Result<Vec<u8>, FetchError> {
        let distrusted = self.distrusted.borrow_mut().remove(path);
        let mode = match freshness {
            _ if distrusted => RequestCache::Reload,
            Freshness::Revalidate => RequestCache::NoCache,
            Freshness::Immutable => RequestCache::Default,
        };
        let url = self.url(path);
        match whole(&url, mode, &mut progress).await {
            Err(FetchError::Network { .. }) => {
                TimeoutFuture::new(PAUSE_MS).await;
                whole(&url, mode, &mut progress).await
            }
            ended => ended,
        }
    }

    /// What the host answers where the bytes `range` of the file at `path` are wanted, asked once. Past the HTTP cache, which
    /// would answer ranges of one file one after another.
    pub async fn range(&self, path: &str, range: Range<u64>) -> Result<Ranged, FetchError> {
        let Some(last) = range.end.checked_sub(1) else { return Ok(Ranged::Refused) };
        let (start, length) = (range.start, range.end - range.start);
        let url = self.url(path);
        let request = Request::get(&url).header("Range", &format!("bytes={start}-{last}")).cache(RequestCache::NoStore);
        let answer = Exchange::begin(&url, request).await?;
        match answer.status() {
            200 => Ok(Ranged::Whole(answer.bytes(u64::MAX, |_| {}).await?)),
            206 => {
                let headers = answer.headers();
                let right =
                    headers.get("Content-Range").is_some_and(|it| it.starts_with(&format!("bytes {start}-{last}/")))
                        && headers.get("Content-Encoding").is_none_or(|coding| coding == "identity");
                if !right {
                    return Ok(Ranged::Refused);
                }
                let bytes = answer.bytes(length, |_| {}).await?;
                Ok(if bytes.len() as u64 == length { Ranged::Part(bytes) } else { Ranged::Refused })
            }
            400..500 => match answer.failed() {
                missing @ FetchError::Missing { .. } => Err(missing),
                FetchError::Network { .. } => Ok(Ranged::Refused),
            },
            _ => Err(answer.failed()),
        }
    }

    /// Has the next fetch of `path` ask the host itself: what came was damaged.
    pub fn distrust(&self, path: &str) {
        self.distrusted.borrow_mut().insert(path.to_owned());
    }
}

async fn whole(url: &str, mode: RequestCache, progress: impl FnMut(u64)) -> Result<Vec<u8>, FetchError> {
    let answer = Exchange::begin(url, Request::get(url).cache(mode)).await?;
    match answer.status() {
        200 => answer.bytes(u64::MAX, progress).await,
        _ => Err(answer.failed()),
    }
}

/// A request and its answer, given up where nothing comes for a while, and when this is dropped.
pub struct Exchange {
    url: String,
    response: Response,
    controller: AbortController,
}

impl Exchange {
    /// Sends the request; resolves once the head of the answer is there.
    pub async fn begin(url: &str, request: RequestBuilder) -> Result<Self, FetchError> {
        let network = |reason| FetchError::Network { url: url.to_owned(), reason };
        let controller = AbortController::new().map_err(|error| network(Reason::Said(describe(&error))))?;
        let sent = {
            let _patience = patience(&controller);
            request.abort_signal(Some(&controller.signal())).send().await
        };
        let response = sent.map_err(|error| network(reason(Some(&controller), || error.to_string())))?;
        Ok(Self { url: url.to_owned(), response, controller })
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.response.status()
    }

    /// What the host lets the page see of the answer's head.
    pub fn headers(&self) -> Headers {
        self.response.headers()
    }

    /// The body, which is there once; an answer may have none.
    pub fn body(&self) -> Option<Body> {
        Some(Body { controller: Some(self.controller.clone()), ..Body::new(&self.url, self.response.body()?) })
    }

    /// That the host answered something else than a file.
    pub fn failed(&self) -> FetchError {
        let url = self.url.clone();
        match self.status() {
            status @ (403 | 404 | 410) => FetchError::Missing { url, status },
            status => {
                let reason = Reason::Said(format!("HTTP {status} {}", self.response.status_text()));
                FetchError::Network { url, reason }
            }
        }
    }

    /// The body, of which no more than `most` bytes and one chunk of the stream are read.
    async fn bytes(&self, most: u64, mut progress: impl FnMut(u64)) -> Result<Vec<u8>, FetchError> {
        let mut bytes = Vec::new();
        let Some(mut body) = self.body() else { return Ok(bytes) };
        while bytes.len() as u64 <= most
            && let Some(chunk) = body.next().await?
        {
            let start = bytes.len();
            bytes.resize(start + chunk.length() as usize, 0);
            chunk.copy_to(&mut bytes[start..]);
            progress(bytes.len() as u64);
        }
        Ok(bytes)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.controller.abort();
    }
}

/// A file as it comes.
pub struct Body {
    url: String,
    reader: ReadableStreamDefaultReader,
    /// Ends the exchange that it is of; there is none where a cache has it.
    controller: Option<AbortController>,
}

impl Body {
    /// The file at `url` as a cache has it.
    pub fn new(url: &str, stream: ReadableStream) -> Self {
        Self { url: url.to_owned(), reader: stream.get_reader().unchecked_into(), controller: None }
    }

    /// The next chunk; there is none at the end.
    pub async fn next(&mut self) -> Result<Option<Uint8Array>, FetchError> {
        let read = {
            let _patience = self.controller.as_ref().map(patience);
            JsFuture::from(self.reader.read()).await
        };
        let chunk = read.map_err(|error| self.broken(&error))?;
        if Reflect::get(&chunk, &"done".into()).is_ok_and(|done| done.is_truthy()) {
            return Ok(None);
        }
        let bytes = Reflect::get(&chunk, &"value".into()).and_then(JsCast::dyn_into);
        bytes.map(Some).map_err(|error| self.broken(&error))
    }

    fn broken(&self, error: &JsValue) -> FetchError {
        let reason = reason(self.controller.as_ref(), || describe(error));
        FetchError::Network { url: self.url.clone(), reason }
    }
}

/// Ends an exchange, unless it is dropped before.
fn patience(controller: &AbortController) -> Timeout {
    let controller = controller.clone();
    Timeout::new(PATIENCE_MS, move || controller.abort())
}

/// Why an exchange broke off: for want of patience, or for what was said.
fn reason(controller: Option<&AbortController>, said: impl FnOnce() -> String) -> Reason {
    match controller {
        Some(controller) if controller.signal().aborted() => Reason::Silence,
        _ => Reason::Said(said()),
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
