//! The fetching of one checkpoint: each file from the first mirror that has the right one.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

use evident_base::Hash;
use ureq::Agent;

use crate::download::{Fault, agent, download};
use crate::error::FetchError;
use crate::lock::{LOCK, Lock};
use crate::pins::{Pin, PinnedFile, Pins};

/// How often one mirror is asked for the rest of a file.
const TRIES: u32 = 4;

/// The wait before a mirror is asked again, each time twice as long.
const PAUSE: Duration = Duration::from_millis(250);

/// The fetching of one checkpoint into a folder of its own.
pub struct Fetch<'a> {
    agent: Agent,
    mirrors: &'a [String],
    pin: &'a Pin,
    lock: Lock,
    folder: PathBuf,
}

/// The progress of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arriving<'a> {
    /// Its name.
    pub path: &'a str,
    /// The bytes that have arrived.
    pub bytes: u64,
    /// Its size, if that is known.
    pub of: Option<u64>,
    /// The seconds until it is whole, estimated from the speed of this mirror.
    pub left: Option<f64>,
}

/// The result of [`Fetch::bring`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brought {
    /// The file was there with the right hash.
    WasThere,
    /// It was fetched, and has the hash that the file `stated` states.
    Fetched {
        /// Its size.
        bytes: u64,
        /// packs.toml or packs.lock.
        stated: &'static str,
    },
    /// It was fetched without a stated hash, and its hash was recorded in the lock.
    Recorded {
        /// Its size.
        bytes: u64,
        /// Its hash.
        sha256: Hash,
    },
}

impl<'a> Fetch<'a> {
    /// Prepares to fetch `name`, one of `pins`, into `packs/name`. The lock is in `packs`.
    ///
    /// # Errors
    /// [`FetchError::Unknown`], [`FetchError::Write`] and [`FetchError::Lock`].
    pub fn open(pins: &'a Pins, name: &str, packs: &Path) -> Result<Self, FetchError> {
        let known = || pins.pack.keys().cloned().collect();
        let pin = pins.pack.get(name).ok_or_else(|| FetchError::Unknown { name: name.to_owned(), known: known() })?;
        let folder = packs.join(name);
        fs::create_dir_all(&folder).map_err(|source| FetchError::Write { path: folder.clone(), source })?;
        Ok(Self { agent: agent(), mirrors: &pins.mirrors, pin, lock: Lock::open(packs)?, folder })
    }

    /// The checkpoint that is fetched.
    pub fn pin(&self) -> &'a Pin {
        self.pin
    }

    /// The folder that it is fetched into.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Fetches a file unless it is in its folder with the right hash, and returns what was done. `observe` is called
    /// for each piece, and stops the work by returning false.
    ///
    /// # Errors
    /// All but [`FetchError::List`] and [`FetchError::Unknown`].
    pub fn bring(
        &mut self,
        file: &PinnedFile,
        mut observe: impl FnMut(Arriving) -> bool,
    ) -> Result<Brought, FetchError> {
        let Pin { repository, revision, .. } = self.pin;
        let key = format!("{repository}@{revision}/{}", file.path);
        let recorded = self.lock.get(&key);
        let (expected, stated) = match file.sha256 {
            Some(sha256) => (Some(sha256), "packs.toml"),
            None => (recorded, LOCK),
        };
        let target = self.folder.join(&file.path);
        if let Some(expected) = expected
            && target.exists()
            && hashed(&target)?.1 == expected
        {
            return Ok(Brought::WasThere);
        }
        let part = self.folder.join(format!("{}.part", file.path));
        let (bytes, sha256) = self.download(file, expected, stated, &part, &mut observe)?;
        let brought = if expected.is_none() {
            self.lock.record(key, sha256)?;
            Brought::Recorded { bytes, sha256 }
        } else {
            Brought::Fetched { bytes, stated }
        };
        fs::rename(&part, &target).map_err(|source| FetchError::Write { path: target, source })?;
        Ok(brought)
    }

    /// Fetches a file from the first mirror that has the right one. Returns its size and hash.
    fn download(
        &self,
        file: &PinnedFile,
        expected: Option<Hash>,
        stated: &'static str,
        part: &Path,
        observe: &mut impl FnMut(Arriving) -> bool,
    ) -> Result<(u64, Hash), FetchError> {
        let write = |source| FetchError::Write { path: part.to_owned(), source };
        // A file without a stated hash is fetched from its publisher alone, and never resumes an earlier run's part.
        let mirrors = if expected.is_some() { self.mirrors } else { &self.mirrors[..1] };
        if expected.is_none() && part.exists() {
            fs::remove_file(part).map_err(write)?;
        }
        let (mut tried, mut offline, mut wrong) = (Vec::new(), true, None);
        for mirror in mirrors {
            let url = self.pin.url(mirror, &file.path);
            // The part that is there may be of another file. If the hash is wrong, this mirror is asked for the whole
            // file.
            let mut resumed = part.exists();
            let fault = loop {
                if let Err(fault) = self.try_mirror(&url, file, part, observe) {
                    break fault;
                }
                let (bytes, sha256) = hashed(part)?;
                if expected.is_none_or(|expected| expected == sha256) {
                    return Ok((bytes, sha256));
                }
                fs::remove_file(part).map_err(write)?;
                if !std::mem::take(&mut resumed) {
                    wrong = Some(sha256);
                    break Fault::Broken("it has other bytes".to_owned());
                }
            };
            offline &= matches!(fault, Fault::Unreachable(_));
            let why = match fault {
                Fault::Cancelled => return Err(FetchError::Cancelled),
                Fault::Write(source) => return Err(write(source)),
                Fault::Refused(status) => format!("it answered with status {status}"),
                Fault::Unreachable(reason) | Fault::Broken(reason) => reason,
            };
            tried.push(format!("{}: {why}", host(&url)));
        }
        let path = file.path.clone();
        Err(match (wrong, expected) {
            (Some(found), Some(expected)) => FetchError::Hash { path, found, expected, stated },
            _ if offline => FetchError::Offline { path, reason: tried.pop().unwrap_or_default() },
            _ => FetchError::Unavailable { path, tried },
        })
    }

    /// Asks one mirror until the file is whole, up to [`TRIES`] times where answers break off.
    fn try_mirror(
        &self,
        url: &str,
        file: &PinnedFile,
        part: &Path,
        observe: &mut impl FnMut(Arriving) -> bool,
    ) -> Result<(), Fault> {
        let began = Instant::now();
        let mut first = None;
        let mut observe = |bytes: u64, of: Option<u64>| {
            let came = bytes.saturating_sub(*first.get_or_insert(bytes));
            let speed = came as f64 / began.elapsed().as_secs_f64().max(1e-3);
            let left = of.filter(|_| speed > 0.0).map(|of| of.saturating_sub(bytes) as f64 / speed);
            observe(Arriving { path: &file.path, bytes, of, left })
        };
        let mut tries = 1;
        loop {
            match download(&self.agent, url, part, file.bytes, &mut observe) {
                Err(Fault::Broken(_)) if tries < TRIES => thread::sleep(PAUSE * 2_u32.pow(tries - 1)),
                done => return done,
            }
            tries += 1;
        }
    }
}

/// A file's size and hash.
fn hashed(path: &Path) -> Result<(u64, Hash), FetchError> {
    let read = || Hash::of_reader(fs::File::open(path)?);
    read().map_err(|source| FetchError::Write { path: path.to_owned(), source })
}

/// The host of an address, to name a mirror by.
fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or(url)
}
