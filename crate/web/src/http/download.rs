//! The files of a pack as they come: each piece goes to who takes it in, and none stays in the engine's memory. What a broken
//! connection has brought is kept by the browser, and the rest is asked for.

use evident_nn::{FileEntry, Incoming, PackError, VerifiedFile};
use gloo_net::http::Request;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Uint8Array};
use web_sys::{Blob, RequestCache};

use crate::cache::{Cache, PACKS};
use crate::error::WebError;
use crate::http::fetch::{Body, Exchange, FetchError, Files, Reason, describe};
use crate::turn::rest;

/// Bytes that are copied into the engine's memory at once.
const PIECE: u32 = 256 * 1024;

/// Bytes that are given to the browser to keep at once: it may put them on disk.
const KEPT: u32 = 4 * 1024 * 1024;

/// What is waited before the rest of a file is asked for, each time that nothing more has come since; after the last, it is given up.
const WAITS_MS: [u32; 4] = [0, 500, 2_000, 5_000];

/// How many of these waits a silence stands for: after the second, the file is given up, before the page loses patience with the worker.
const SILENCE: usize = 2;

/// What became of a file beside that it is there.
pub struct Downloaded {
    /// The file.
    pub file: VerifiedFile,
    /// Why the browser did not keep it for the next visit.
    pub not_kept: Option<String>,
}

/// A folder of a pack's files on a host, and the browser's cache of them.
pub struct Downloads {
    host: Files,
    cache: Option<Cache>,
    /// Whether the host may be asked, or the cache alone.
    fetches: bool,
}

impl Downloads {
    /// The folder at `base`. Where the page may not use the Cache API, files are fetched each time.
    pub fn new(base: &str) -> Self {
        Self { host: Files::new(base), cache: Cache::open(PACKS), fetches: true }
    }

    /// What the browser's cache has of the folder at `base`.
    pub fn kept(base: &str) -> Self {
        Self { fetches: false, ..Self::new(base) }
    }

    /// Takes a file in from the browser's cache or else from the host: into what `begin` gives, once for each new start.
    /// `progress` is told the bytes that are there, and never fewer than before.
    ///
    /// # Errors
    /// [`FetchError`] where the host does not give it, [`PackError`] where it is not what the manifest says.
    pub async fn receive(
        &self,
        entry: &FileEntry,
        begin: impl Fn() -> Result<Incoming, PackError>,
        mut progress: impl FnMut(u64),
    ) -> Result<Downloaded, WebError> {
        let url = self.host.url(&entry.path);
        let mut furthest = 0;
        let mut progress = |taken: u64| {
            furthest = furthest.max(taken.min(entry.bytes));
            progress(furthest);
        };
        if let Some(body) = self.cached(&url).await {
            let mut incoming = begin()?;
            let read = pour(body, &mut incoming, None, &mut progress).await;
            match (read, incoming.finish()) {
                (Ok(()), Ok(file)) => return Ok(Downloaded { file, not_kept: None }),
                (Ok(()), Err(error)) if !matches!(error, PackError::Altered { .. }) => return Err(error.into()),
                // The copy is of another version of the pack, or damaged.
                _ => self.evict(&url).await,
            }
        }
        if !self.fetches {
            return Err(
                FetchError::Network { url, reason: Reason::Said("the browser has not kept it".to_owned()) }.into()
            );
        }
        let (file, kept) = match fetch(&url, entry, &begin, false, &mut progress).await {
            // Parts of two versions do not make a file, nor does a damaged copy on the way here.
            Err(WebError::Pack(PackError::Altered { .. })) => fetch(&url, entry, &begin, true, &mut progress).await?,
            fetched => fetched?,
        };
        let not_kept = match kept.blob() {
            Some(blob) => self.keep(&url, &blob).await.err(),
            None => None,
        };
        Ok(Downloaded { file, not_kept })
    }

    async fn cached(&self, url: &str) -> Option<Body> {
        Some(Body::new(url, self.cache.as_ref()?.find(url).await?.body()?))
    }

    async fn evict(&self, url: &str) {
        if let Some(cache) = &self.cache {
            cache.remove(url).await;
        }
    }

    /// # Errors
    /// What the browser says where it has no room: then the file has to be fetched again another time.
    async fn keep(&self, url: &str, blob: &Blob) -> Result<(), String> {
        let Some(cache) = &self.cache else { return Ok(()) };
        cache.put_blob(url, blob).await.map_err(|error| describe(&error))
    }
}

/// Takes a file in from the host, which is asked for what is missing when the connection breaks; `anew`, for the whole of it, past
/// all caches.
async fn fetch(
    url: &str,
    entry: &FileEntry,
    begin: &impl Fn() -> Result<Incoming, PackError>,
    anew: bool,
    progress: &mut impl FnMut(u64),
) -> Result<(VerifiedFile, Kept), WebError> {
    let mut incoming = begin()?;
    let mut kept = Kept::default();
    let (mut furthest, mut attempt) = (0, 0);
    let mut answer = get(url, 0, anew).await?;
    loop {
        let before = incoming.taken();
        let poured = match answer.body() {
            Some(body) => pour(body, &mut incoming, Some(&mut kept), progress).await,
            None => Ok(()),
        };
        // A host may send less than was asked for of a range.
        let is_part = answer.status() == 206 && before < incoming.taken() && incoming.taken() < entry.bytes;
        let mut broken = match poured {
            Err(broken) => broken,
            Ok(()) if is_part => {
                FetchError::Network { url: url.to_owned(), reason: Reason::Said("it came in part".to_owned()) }
            }
            Ok(()) => return Ok((incoming.finish()?, kept)),
        };
        if incoming.taken() > furthest {
            (furthest, attempt) = (incoming.taken(), 0);
        }
        answer = loop {
            if let FetchError::Network { reason: Reason::Silence, .. } = broken {
                attempt += SILENCE;
            }
            let Some(wait) = WAITS_MS.get(attempt) else { return Err(broken.into()) };
            attempt += 1;
            TimeoutFuture::new(*wait).await;
            match get(url, if anew { 0 } else { incoming.taken() }, anew).await {
                Ok(answer) => break answer,
                Err(error) => broken = error,
            }
        };
        if !goes_on(&answer, incoming.taken()) {
            incoming = begin()?;
            kept = Kept::default();
        }
    }
}

/// What has come of a file, in the browser's keeping.
#[derive(Default)]
struct Kept {
    blobs: Array,
    /// Pieces that are no blob yet, and their bytes.
    pieces: Array,
    bytes: u32,
}

impl Kept {
    fn push(&mut self, piece: &Uint8Array) {
        self.pieces.push(piece);
        self.bytes += piece.length();
        if self.bytes >= KEPT {
            self.gather();
        }
    }

    fn gather(&mut self) {
        if let Ok(blob) = Blob::new_with_u8_array_sequence(&self.pieces) {
            self.blobs.push(&blob);
        }
        self.pieces = Array::new();
        self.bytes = 0;
    }

    fn blob(mut self) -> Option<Blob> {
        self.gather();
        Blob::new_with_blob_sequence(&self.blobs).ok()
    }
}

/// Asks for what is behind the first bytes of a file, or, `anew`, for a file past all caches.
async fn get(url: &str, from: u64, anew: bool) -> Result<Exchange, FetchError> {
    let request = match from {
        0 if anew => Request::get(url).cache(RequestCache::Reload),
        0 => Request::get(url),
        // A part must not come out of the browser's HTTP cache, where another version may be.
        from => Request::get(url).cache(RequestCache::NoStore).header("Range", &format!("bytes={from}-")),
    };
    let answer = Exchange::begin(url, request).await?;
    match answer.status() {
        200 | 206 => Ok(answer),
        _ => Err(answer.failed()),
    }
}

/// Whether an answer holds what is behind the first bytes. What a host of another origin does not let the page see decides nothing:
/// the hash will.
fn goes_on(answer: &Exchange, from: u64) -> bool {
    let headers = answer.headers();
    answer.status() == 206
        && headers.get("Content-Encoding").is_none_or(|coding| coding == "identity")
        && headers.get("Content-Range").is_none_or(|range| range.starts_with(&format!("bytes {from}-")))
}

/// Pours a body into a file that is being taken in, and keeps its pieces.
///
/// # Errors
/// Why it broke off.
async fn pour(
    mut body: Body,
    incoming: &mut Incoming,
    mut kept: Option<&mut Kept>,
    progress: &mut impl FnMut(u64),
) -> Result<(), FetchError> {
    let mut room = vec![0; PIECE as usize];
    while let Some(chunk) = body.next().await? {
        for start in (0..chunk.length()).step_by(PIECE as usize) {
            let piece = chunk.subarray(start, chunk.length().min(start + PIECE));
            let room = &mut room[..piece.length() as usize];
            piece.copy_to(room);
            incoming.push(room);
        }
        if let Some(kept) = &mut kept {
            kept.push(&chunk);
        }
        progress(incoming.taken());
        rest().await; // what is there already comes without a turn of the event loop
    }
    Ok(())
}
