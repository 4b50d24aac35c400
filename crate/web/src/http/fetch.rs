//! GETs of static files on a host.
//!
//! The result is bytes off the wire: the pack and the index check each file against its hash before use, and call
//! [`Files::distrust`] if it does not match.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;

use evident_index::Ranged;
use gloo_net::http::{Headers, Request, RequestBuilder, Response};
use web_sys::{AbortController, RequestCache};

use crate::http::body::{Body, patience, reason};
use crate::http::error::{FetchError, Reason, describe};
use crate::http::retry::Tries;

/// Whether a file may come from the browser's HTTP cache.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// Ask the host each time; for manifests.
    Revalidate,
    /// Take it from the cache; for files whose hash a manifest names.
    Immutable,
}

/// A folder of static files at a base address.
pub struct Files {
    base: String,
    /// Files whose cached copies were damaged.
    distrusted: RefCell<HashSet<String>>,
}

impl Files {
    /// The folder at `base`.
    pub fn new(base: &str) -> Self {
        Self { base: format!("{}/", base.trim_end_matches('/')), distrusted: RefCell::default() }
    }

    /// The address of the file at `path`; of the folder itself if `path` is empty.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The whole file at `path`, of which a right one has at most `most` bytes; a longer one is cut off soon after.
    pub async fn whole(&self, path: &str, freshness: Freshness, most: u64) -> Result<Vec<u8>, FetchError> {
        let distrusted = self.distrusted.borrow_mut().remove(path);
        let mode = match freshness {
            _ if distrusted => RequestCache::Reload,
            Freshness::Revalidate => RequestCache::NoCache,
            Freshness::Immutable => RequestCache::Default,
        };
        let url = self.url(path);
        let mut tries = Tries::default();
        loop {
            match whole(&url, mode, most).await {
                Err(error) => tries.again(error).await?,
                bytes => return bytes,
            }
        }
    }

    /// The host's answer to a single request for the bytes `range` of the file at `path`. The request bypasses the HTTP
    /// cache, which would answer ranges of one file one after another. If the host sends the whole file, `most` limits
    /// it as in [`Files::whole`].
    pub async fn range(&self, path: &str, range: Range<u64>, most: u64) -> Result<Ranged, FetchError> {
        let Some(last) = range.end.checked_sub(1) else { return Ok(Ranged::Refused) };
        let (start, length) = (range.start, range.end - range.start);
        let url = self.url(path);
        let request = Request::get(&url).header("Range", &format!("bytes={start}-{last}")).cache(RequestCache::NoStore);
        let answer = Exchange::begin(&url, request).await?;
        match answer.status() {
            200 => Ok(Ranged::Whole(answer.bytes(most).await?)),
            206 => {
                let headers = answer.headers();
                let right =
                    headers.get("Content-Range").is_some_and(|it| it.starts_with(&format!("bytes {start}-{last}/")))
                        && headers.get("Content-Encoding").is_none_or(|coding| coding == "identity");
                if !right {
                    return Ok(Ranged::Refused);
                }
                let bytes = answer.bytes(length).await?;
                Ok(if bytes.len() as u64 == length { Ranged::Part(bytes) } else { Ranged::Refused })
            }
            400..500 => match answer.failed() {
                missing @ FetchError::Missing { .. } => Err(missing),
                FetchError::Network { .. } => Ok(Ranged::Refused),
            },
            _ => Err(answer.failed()),
        }
    }

    /// Makes the next fetch of `path` skip all caches, for the bytes that came were damaged.
    pub fn distrust(&self, path: &str) {
        self.distrusted.borrow_mut().insert(path.to_owned());
    }
}

async fn whole(url: &str, mode: RequestCache, most: u64) -> Result<Vec<u8>, FetchError> {
    let answer = Exchange::begin(url, Request::get(url).cache(mode)).await?;
    match answer.status() {
        200 => answer.bytes(most).await,
        _ => Err(answer.failed()),
    }
}

/// A request and its response. It is aborted after a long silence, and when this is dropped.
pub struct Exchange {
    url: String,
    response: Response,
    controller: AbortController,
}

impl Exchange {
    /// Sends the request; resolves once the head of the response is there.
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

    /// The headers that the host lets the page see.
    pub fn headers(&self) -> Headers {
        self.response.headers()
    }

    /// The body, which can be taken once; a response may have none.
    pub fn body(&self) -> Option<Body> {
        Some(Body::new(&self.url, self.response.body()?, Some(self.controller.clone())))
    }

    /// The error of a response that is no file.
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

    /// The body, as far as `most` bytes and one chunk more.
    async fn bytes(&self, most: u64) -> Result<Vec<u8>, FetchError> {
        let mut bytes = Vec::new();
        let Some(mut body) = self.body() else { return Ok(bytes) };
        while bytes.len() as u64 <= most
            && let Some(chunk) = body.next().await?
        {
            let start = bytes.len();
            bytes.resize(start + chunk.length() as usize, 0);
            chunk.copy_to(&mut bytes[start..]);
        }
        Ok(bytes)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.controller.abort();
    }
}
