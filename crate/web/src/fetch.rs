//! GETs of static files on a host.
//!
//! What comes out is bytes off the wire: the pack and the index check each file against its hash before use, and call
//! [`Files::distrust`] when it does not match.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;

use evident_index::Ranged;
use gloo_net::http::{Request, RequestBuilder, Response};
use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader, RequestCache};

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
    /// The host could not be reached, or answered with something else than the file, twice.
    #[error("{url} could not be fetched: {reason}; check the connection and try again")]
    Network {
        /// The address asked for.
        url: String,
        /// What the browser or the host said.
        reason: String,
    },
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
        let mut answer = Exchange::begin(&url, request).await?;
        match answer.response.status() {
            200 => Ok(Ranged::Whole(answer.bytes(u64::MAX, |_| {}).await?)),
            206 => {
                let headers = answer.response.headers();
                let right =
                    headers.get("Content-Range").is_some_and(|it| it.starts_with(&format!("bytes {start}-{last}/")))
                        && headers.get("Content-Encoding").is_none_or(|coding| coding == "identity");
                if !right {
                    return Ok(Ranged::Refused);
                }
                let bytes = answer.bytes(length, |_| {}).await?;
                Ok(if bytes.len() as u64 == length { Ranged::Part(bytes) } else { Ranged::Refused })
            }
            400..500 => answer.refused().map_or(Ok(Ranged::Refused), Err),
            _ => Err(answer.failed()),
        }
    }

    /// Has the next fetch of `path` ask the host itself: what came was damaged.
    pub fn distrust(&self, path: &str) {
        self.distrusted.borrow_mut().insert(path.to_owned());
    }
}

async fn whole(url: &str, mode: RequestCache, progress: impl FnMut(u64)) -> Result<Vec<u8>, FetchError> {
    let mut answer = Exchange::begin(url, Request::get(url).cache(mode)).await?;
    match answer.response.status() {
        200 => answer.bytes(u64::MAX, progress).await,
        _ => Err(answer.refused().unwrap_or_else(|| answer.failed())),
    }
}

/// A request and its answer, given up where nothing comes for a while, and when this is dropped.
struct Exchange {
    url: String,
    response: Response,
    clock: Clock,
}

/// Ends a request when it runs out.
struct Clock {
    controller: AbortController,
    /// Held, for it is cleared when dropped.
    _timer: Timeout,
}

impl Exchange {
    async fn begin(url: &str, request: RequestBuilder) -> Result<Self, FetchError> {
        let network = |reason| FetchError::Network { url: url.to_owned(), reason };
        let clock = AbortController::new().map(Clock::start).map_err(|error| network(describe(&error)))?;
        let sent = request.abort_signal(Some(&clock.controller.signal())).send().await;
        let response = sent.map_err(|error| network(clock.run_out().unwrap_or_else(|| error.to_string())))?;
        Ok(Self { url: url.to_owned(), response, clock })
    }

    /// The body, of which no more than `most` bytes and one chunk of the stream are read.
    async fn bytes(&mut self, most: u64, mut progress: impl FnMut(u64)) -> Result<Vec<u8>, FetchError> {
        let mut bytes = Vec::new();
        let Some(body) = self.response.body() else { return Ok(bytes) };
        let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
        while bytes.len() as u64 <= most {
            self.clock = Clock::start(self.clock.controller.clone());
            let chunk = JsFuture::from(reader.read()).await.map_err(|error| self.broken(&error))?;
            let done = Reflect::get(&chunk, &"done".into()).is_ok_and(|done| done.is_truthy());
            if done {
                break;
            }
            let value = Reflect::get(&chunk, &"value".into()).and_then(|value| value.dyn_into::<Uint8Array>());
            let value = value.map_err(|error| self.broken(&error))?;
            let start = bytes.len();
            bytes.resize(start + value.length() as usize, 0);
            value.copy_to(&mut bytes[start..]);
            progress(bytes.len() as u64);
        }
        Ok(bytes)
    }

    /// That there is no such file, if this is what the host answered.
    fn refused(&self) -> Option<FetchError> {
        match self.response.status() {
            status @ (403 | 404 | 410) => Some(FetchError::Missing { url: self.url.clone(), status }),
            _ => None,
        }
    }

    /// That the host answered something else than a file.
    fn failed(&self) -> FetchError {
        let reason = format!("HTTP {} {}", self.response.status(), self.response.status_text());
        FetchError::Network { url: self.url.clone(), reason }
    }

    fn broken(&self, error: &JsValue) -> FetchError {
        let reason = self.clock.run_out().unwrap_or_else(|| describe(error));
        FetchError::Network { url: self.url.clone(), reason }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.clock.controller.abort();
    }
}

impl Clock {
    fn start(controller: AbortController) -> Self {
        let ends = controller.clone();
        Self { controller, _timer: Timeout::new(PATIENCE_MS, move || ends.abort()) }
    }

    /// What is to be said where it has.
    fn run_out(&self) -> Option<String> {
        let silence = || format!("the host sent nothing for {} seconds", PATIENCE_MS / 1000);
        self.controller.signal().aborted().then(silence)
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
