//! A cache that keeps to a number of bytes, and drops the least recently used entries: that of indexes, and that of
//! wikis.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use js_sys::Date;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Headers, Request};

use crate::store::Cache;

/// The default bound of indexes: enough for some hundred queries of a large one, or for the whole of a small one.
pub const INDEX_BYTES: u64 = 64 << 20;

/// When a cache makes room, it frees this part (an eighth) of its bytes, so that the next time is a while off.
const FREED: u64 = 8;

/// Uses within this time count as one, so that an entry is not written again at each use.
const SAME_USE_MS: f64 = 3_600_000.0;

/// How much a cache keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The most bytes.
    pub bytes: u64,
    /// For how many milliseconds after its last use an entry is kept; infinite for no such limit.
    pub unused_ms: f64,
}

/// What comes from one address, such as the files of an index and ranges of them, or the articles of a wiki. Other
/// addresses, and other tabs, share the cache; each tab enforces the bound on the entries that it finds, so several
/// tabs may exceed it by what they write at once.
///
/// The key of an entry has a [`Stamp`]. An entry without one was put there by someone else, such as the demo's service
/// worker for visits without a network: it is neither counted nor evicted.
pub struct BoundedCache {
    cache: Cache,
    /// The address.
    base: String,
    /// The checksum of the manifest in force, once that is known; "" for what has none.
    edition: RefCell<String>,
    bytes: Cell<u64>,
    unused_ms: f64,
    /// Bytes written since room was last made; `None` before the first time.
    written: Cell<Option<u64>>,
    /// Entries to be written, one after another.
    queue: RefCell<VecDeque<(String, Vec<u8>)>>,
    writing: Cell<bool>,
}

/// What an entry is, in the headers of its key, which can be listed without reading the entry.
struct Stamp {
    bytes: u64,
    /// The time of its last use, in milliseconds since 1970.
    used: f64,
    /// The manifest that was in force then.
    edition: String,
}

impl BoundedCache {
    /// The cache `name`, for what is at `base`; `None` if the page may use none.
    pub fn open(name: &'static str, base: String, Bound { bytes, unused_ms }: Bound) -> Option<Rc<Self>> {
        let cache = Cache::open(name)?;
        Some(Rc::new(Self {
            cache,
            base,
            edition: RefCell::default(),
            bytes: bytes.into(),
            unused_ms,
            written: Cell::default(),
            queue: RefCell::default(),
            writing: Cell::default(),
        }))
    }

    /// Sets the manifest in force. Entries last used under another one are stale, and leave first.
    pub fn set_edition(&self, checksum: String) {
        self.edition.replace(checksum);
    }

    /// The bytes kept under `url`.
    pub async fn get(self: &Rc<Self>, url: &str) -> Option<Vec<u8>> {
        let (bytes, headers) = self.cache.get(url).await?;
        if let Some(stamp) = Stamp::read(&headers) {
            if stamp.unused_ms() > self.unused_ms {
                return None;
            }
            if stamp.unused_ms() > SAME_USE_MS || stamp.edition != *self.edition.borrow() {
                self.put(url.to_owned(), bytes.clone());
            }
        }
        Some(bytes)
    }

    /// Keeps `bytes` under `url`, soon. If the browser has no room, they are fetched again next time.
    pub fn put(self: &Rc<Self>, url: String, bytes: Vec<u8>) {
        self.queue.borrow_mut().push_back((url, bytes));
        if self.writing.replace(true) {
            return;
        }
        let this = self.clone();
        spawn_local(async move {
            while let Some((url, bytes)) = this.next() {
                this.write(&url, &bytes).await;
            }
            this.writing.set(false);
        });
    }

    /// Drops the file at `url` and its ranges.
    pub async fn remove(&self, url: &str) {
        self.queue.borrow_mut().retain(|(queued, _)| queued.split('?').next() != Some(url));
        self.cache.remove(url).await;
    }

    fn next(&self) -> Option<(String, Vec<u8>)> {
        self.queue.borrow_mut().pop_front()
    }

    async fn write(&self, url: &str, bytes: &[u8]) {
        let (size, most) = (bytes.len() as u64, self.bytes.get());
        if size > most {
            return;
        }
        let free = most / FREED;
        let written = match self.written.get() {
            Some(written) if written + size <= free => written,
            _ => {
                self.make_room(most - free.max(size)).await;
                0
            }
        };
        self.written.set(Some(written + size));
        let stamp = Stamp { bytes: size, used: Date::now(), edition: self.edition.borrow().clone() };
        let kept = match stamp.headers() {
            Ok(headers) => self.cache.put(url, bytes, &headers).await,
            Err(error) => Err(error),
        };
        if kept.is_err() {
            // The browser has less room than the bound: continue with half of it, down to none.
            self.bytes.set(most / 2);
            self.written.set(None);
        }
    }

    /// Evicts entries until at most `left` bytes are left, and all that were not used for too long.
    async fn make_room(&self, left: u64) {
        let keys = self.cache.keys().await.unwrap_or_default();
        let stamped = |key: Request| Some((Stamp::read(&key.headers())?, key));
        let mut entries: Vec<(Stamp, Request)> = keys.into_iter().filter_map(stamped).collect();
        let mut total = entries.iter().fold(0_u64, |sum, (stamp, _)| sum.saturating_add(stamp.bytes));
        let edition = self.edition.borrow().clone();
        let is_current =
            |(stamp, key): &(Stamp, Request)| stamp.edition == edition || !key.url().starts_with(&self.base);
        entries.sort_by(|one, other| is_current(one).cmp(&is_current(other)).then(one.0.used.total_cmp(&other.0.used)));
        for (stamp, key) in entries {
            if total <= left && stamp.unused_ms() <= self.unused_ms {
                break;
            }
            let Ok(cache) = self.cache.opened().await else { break };
            let _ = JsFuture::from(cache.delete_with_request(&key)).await;
            total = total.saturating_sub(stamp.bytes);
        }
    }
}

impl Stamp {
    const BYTES: &str = "Evident-Bytes";
    const USED: &str = "Evident-Used";
    const EDITION: &str = "Evident-Edition";

    /// The milliseconds since its last use.
    fn unused_ms(&self) -> f64 {
        Date::now() - self.used
    }

    fn headers(&self) -> Result<Headers, JsValue> {
        let headers = Headers::new()?;
        headers.set(Self::BYTES, &self.bytes.to_string())?;
        headers.set(Self::USED, &self.used.to_string())?;
        headers.set(Self::EDITION, &self.edition)?;
        Ok(headers)
    }

    fn read(headers: &Headers) -> Option<Self> {
        let header = |name| headers.get(name).ok().flatten();
        Some(Self {
            bytes: header(Self::BYTES)?.parse().ok()?,
            used: header(Self::USED)?.parse().ok()?,
            edition: header(Self::EDITION)?,
        })
    }
}
