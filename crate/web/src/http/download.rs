//! Downloads the files of a pack. Each piece goes straight to the pack, so that no file stays in the engine's memory.
//! When a connection breaks, the pieces so far are kept, and only the rest is requested.

use evident_cache::{Cache, PACKS};
use evident_nn::{FileEntry, Incoming, PackError, VerifiedFile};
use gloo_net::http::Request;
use js_sys::{Array, Uint8Array};
use web_sys::{Blob, RequestCache};

use crate::error::WebError;
use crate::http::body::Body;
use crate::http::error::{FetchError, Reason, describe};
use crate::http::fetch::{Exchange, Files};
use crate::http::retry::Tries;
use crate::turn::rest;

/// Bytes that are copied into the engine's memory at once.
const PIECE: u32 = 256 * 1024;

/// Bytes that are handed to the browser at once, which may put them on disk.
const KEPT: u32 = 4 * 1024 * 1024;

/// A downloaded file.
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
    /// Whether files may come from the host, or from the cache alone.
    fetches: bool,
}

impl Downloads {
    /// The folder at `base`. If the page may not use the Cache API, files are fetched each time.
    pub fn new(base: &str) -> Self {
        Self { host: Files::new(base), cache: Cache::open(PACKS), fetches: true }
    }

    /// The folder at `base`, as far as the browser's cache has it.
    pub fn kept(base: &str) -> Self {
        Self { fetches: false, ..Self::new(base) }
    }

    /// Receives a file from the browser's cache, or else from the host. `begin` is called for each attempt from the
    /// start, and returns the receiver of the bytes. `progress` receives the number of bytes so far, which never falls.
    ///
    /// # Errors
    /// [`FetchError`] if the host does not give the file, [`PackError`] if it is not what the manifest says.
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
            let read = pour(body, entry.bytes, &mut incoming, None, &mut progress).await;
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
            // It mixes two versions, or a cache on the way has a damaged copy: fetch it again, past all caches.
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
        Some(Body::new(url, self.cache.as_ref()?.find(url).await?.body()?, None))
    }

    async fn evict(&self, url: &str) {
        if let Some(cache) = &self.cache {
            cache.remove(url).await;
        }
    }

    /// Keeps a file for later visits.
    ///
    /// # Errors
    /// What the browser says if it has no room: the next visit fetches the file again.
    async fn keep(&self, url: &str, blob: &Blob) -> Result<(), String> {
        let Some(cache) = &self.cache else { return Ok(()) };
        cache.put_blob(url, blob).await.map_err(|error| describe(&error))
    }
}

/// Fetches a file from the host. When the connection breaks, only the rest is requested; with `anew`, the whole file,
/// past all caches.
async fn fetch(
    url: &str,
    entry: &FileEntry,
    begin: &impl Fn() -> Result<Incoming, PackError>,
    anew: bool,
    progress: &mut impl FnMut(u64),
) -> Result<(VerifiedFile, Kept), WebError> {
    let mut incoming = begin()?;
    let mut kept = Kept::default();
    let (mut furthest, mut tries) = (0, Tries::default());
    loop {
        let broken = match get(url, if anew { 0 } else { incoming.taken() }, anew).await {
            Err(error) => error,
            Ok(answer) => {
                if incoming.taken() > 0 && !goes_on(&answer, incoming.taken()) {
                    incoming = begin()?;
                    kept = Kept::default();
                }
                let before = incoming.taken();
                let poured = match answer.body() {
                    Some(body) => pour(body, entry.bytes, &mut incoming, Some(&mut kept), progress).await,
                    None => Ok(()),
                };
                // A host may send less of a range than was requested.
                let is_part = answer.status() == 206 && before < incoming.taken() && incoming.taken() < entry.bytes;
                match poured {
                    Err(broken) => broken,
                    Ok(()) if is_part => {
                        FetchError::Network { url: url.to_owned(), reason: Reason::Said("it came in part".to_owned()) }
                    }
                    Ok(()) => return Ok((incoming.finish()?, kept)),
                }
            }
        };
        if incoming.taken() > furthest {
            (furthest, tries) = (incoming.taken(), Tries::default());
        }
        tries.again(broken).await?;
    }
}

/// The bytes of a file so far, as blobs that the browser may put on disk.
#[derive(Default)]
struct Kept {
    blobs: Array,
    /// Pieces that are not in a blob yet, and their bytes.
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

/// Asks for a file without its first `from` bytes; with `anew`, past all caches.
async fn get(url: &str, from: u64, anew: bool) -> Result<Exchange, FetchError> {
    let request = match from {
        0 if anew => Request::get(url).cache(RequestCache::Reload),
        0 => Request::get(url),
        // A part must not come from the browser's HTTP cache, which may have another version.
        from => Request::get(url).cache(RequestCache::NoStore).header("Range", &format!("bytes={from}-")),
    };
    let answer = Exchange::begin(url, request).await?;
    match answer.status() {
        200 | 206 => Ok(answer),
        _ => Err(answer.failed()),
    }
}

/// Whether a response goes on after the first `from` bytes. A host of another origin may hide headers: then the hash
/// will decide.
fn goes_on(answer: &Exchange, from: u64) -> bool {
    let headers = answer.headers();
    answer.status() == 206
        && headers.get("Content-Encoding").is_none_or(|coding| coding == "identity")
        && headers.get("Content-Range").is_none_or(|range| range.starts_with(&format!("bytes {from}-")))
}

/// Pours a body into `incoming` and `kept`, until they have more than `most` bytes.
///
/// # Errors
/// Why the body broke off.
async fn pour(
    mut body: Body,
    most: u64,
    incoming: &mut Incoming,
    mut kept: Option<&mut Kept>,
    progress: &mut impl FnMut(u64),
) -> Result<(), FetchError> {
    let mut room = vec![0; PIECE as usize];
    while incoming.taken() <= most
        && let Some(chunk) = body.next().await?
    {
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
        rest().await; // chunks that have already arrived come without a turn of the event loop
    }
    Ok(())
}
