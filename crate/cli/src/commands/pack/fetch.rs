//! `evident pack fetch`: brings a pinned checkpoint.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

use clap::Args;
use evident_base::Hash;
use evident_index::ErrorCode;
use evident_nn::{ConvertError, FileEntry, Source, seal};
use ureq::Agent;

use super::download::{Fault, agent, download};
use super::lock::{self, Lock};
use super::megabytes;
use super::pins::{Pin, PinnedFile, Pins};
use crate::CliError;
use crate::error::unreadable;
use crate::progress::Progress;

/// How often one mirror is asked for the rest of a file.
const TRIES: u32 = 4;

/// The wait before a mirror is asked again, each time twice as long.
const PAUSE: Duration = Duration::from_millis(250);

#[derive(Args)]
pub struct Arguments {
    /// Which checkpoint, such as flan-t5-small
    name: Option<String>,
    /// The folder of packs; the checkpoint becomes DIR/NAME
    #[arg(long, value_name = "DIR", default_value = "packs")]
    out: PathBuf,
    /// Another list in the place of this program's models/packs.toml
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
}

/// A checkpoint that could not be brought.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// A list that is none.
    #[error("{} is not a list of packs: {reason}", path.display())]
    List {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A lock that is none.
    #[error("{} cannot be read: {reason}; repair it, or delete it to record the hashes anew", path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A name that is not in the list.
    #[error("no pack is called {name:?}: there are {}", known.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// No mirror answered.
    #[error(
        "{path} cannot be fetched, for no mirror can be reached ({reason}): connect to the network and run this again; what has \
         arrived is kept"
    )]
    Offline {
        /// The file.
        path: String,
        /// What the last mirror's failure was.
        reason: String,
    },
    /// No mirror gave the file.
    #[error("{path} could not be fetched: {}; what has arrived is kept, so try again", tried.join("; "))]
    Unavailable {
        /// The file.
        path: String,
        /// Each mirror's host, and why not.
        tried: Vec<String>,
    },
    /// A file that is not the pinned one.
    #[error("{path} has the SHA-256 {found} where {stated} has {expected}: it was not kept")]
    Hash {
        /// The file.
        path: String,
        /// What it has.
        found: Hash,
        /// What it should have.
        expected: Hash,
        /// The file that says so.
        stated: &'static str,
    },
    /// A file that could not be written.
    #[error("{} could not be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Ctrl-C.
    #[error("stopped; what has arrived is kept, and the same command goes on from there")]
    Cancelled,
    /// What arrived is no checkpoint.
    #[error(transparent)]
    Pack(#[from] ConvertError),
}

impl FetchError {
    /// The stable name of this kind of error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::List { .. } | Self::Lock { .. } | Self::Unknown { .. } => ErrorCode::BadInput,
            Self::Offline { .. } => ErrorCode::Offline,
            Self::Unavailable { .. } => ErrorCode::FetchFailed,
            Self::Hash { .. } => ErrorCode::PackCorrupt,
            Self::Write { .. } => ErrorCode::Internal,
            Self::Cancelled => ErrorCode::Cancelled,
            Self::Pack(error) => error.code(),
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let pins = match &arguments.list {
        None => Pins::parse(Pins::BUILT_IN).map_err(|reason| ("models/packs.toml".into(), reason)),
        Some(path) => {
            let toml = fs::read_to_string(path).map_err(|source| unreadable(path, source))?;
            Pins::parse(&toml).map_err(|reason| (path.clone(), reason))
        }
    };
    let pins = pins.map_err(|(path, reason)| FetchError::List { path, reason })?;
    let mut out = anstream::stdout().lock();
    let Some(name) = &arguments.name else {
        for (name, pin) in &pins.pack {
            let size = if pin.files.iter().all(|file| file.bytes.is_some()) { "" } else { "more than " };
            let Pin { repository, license, .. } = pin;
            writeln!(out, "{name}: {repository}, {license}, {size}{}", megabytes(pin.bytes()))?;
        }
        return Ok(out.flush()?);
    };
    let known = || pins.pack.keys().cloned().collect();
    let pin = pins.pack.get(name).ok_or_else(|| FetchError::Unknown { name: name.clone(), known: known() })?;

    let folder = arguments.out.join(name);
    fs::create_dir_all(&folder).map_err(|source| FetchError::Write { path: folder.clone(), source })?;
    let mut fetch = Fetch {
        agent: agent(),
        mirrors: &pins.mirrors,
        pin,
        lock: Lock::open(&arguments.out)?,
        progress: Progress::new(),
    };
    for file in &pin.files {
        let what = fetch.bring(file, &folder)?;
        fetch.progress.show("");
        writeln!(out, "{}: {what}", file.path)?;
        out.flush()?;
    }
    let source = Source {
        version: pin.revision.clone(),
        license: pin.license.clone(),
        sources: vec![format!("{} ({})", pin.repository, pin.license)],
    };
    let manifest = seal(&folder, name, source).map_err(FetchError::Pack)?;
    writeln!(out, "{} is there, pack {}", folder.display(), manifest.hash())?;
    Ok(out.flush()?)
}

/// The fetching of one checkpoint.
struct Fetch<'a> {
    agent: Agent,
    mirrors: &'a [String],
    pin: &'a Pin,
    lock: Lock,
    progress: Progress,
}

impl Fetch<'_> {
    /// Sees to it that a file is in its folder with the right hash; says what was done.
    fn bring(&mut self, file: &PinnedFile, folder: &Path) -> Result<String, FetchError> {
        let Pin { repository, revision, .. } = self.pin;
        let key = format!("{repository}@{revision}/{}", file.path);
        let recorded = self.lock.get(&key);
        let (expected, stated) = match file.sha256 {
            Some(sha256) => (Some(sha256), "packs.toml"),
            None => (recorded, lock::NAME),
        };
        let target = folder.join(&file.path);
        let hashed = |path: &Path| {
            FileEntry::read(path, &file.path).map_err(|source| FetchError::Write { path: path.to_owned(), source })
        };
        if let Some(expected) = expected
            && target.exists()
            && hashed(&target)?.sha256 == expected
        {
            return Ok("was there".to_owned());
        }
        let part = folder.join(format!("{}.part", file.path));
        let FileEntry { bytes, sha256, .. } = self.download(file, expected, stated, &part)?;
        let what = if expected.is_none() {
            self.lock.record(key, sha256)?;
            format!("fetched, {}, its SHA-256 recorded in {}: {sha256}", megabytes(bytes), lock::NAME)
        } else {
            format!("fetched, {}, its SHA-256 as {stated} has it", megabytes(bytes))
        };
        fs::rename(&part, &target).map_err(|source| FetchError::Write { path: target, source })?;
        Ok(what)
    }

    /// Brings a file from the first mirror that has the right one.
    fn download(
        &self,
        file: &PinnedFile,
        expected: Option<Hash>,
        stated: &'static str,
        part: &Path,
    ) -> Result<FileEntry, FetchError> {
        let write = |source| FetchError::Write { path: part.to_owned(), source };
        // What nobody has stated a hash for is taken from its publisher alone, and in one go.
        let mirrors = if expected.is_some() { self.mirrors } else { &self.mirrors[..1] };
        if expected.is_none() && part.exists() {
            fs::remove_file(part).map_err(write)?;
        }
        let (mut tried, mut offline, mut wrong) = (Vec::new(), true, None);
        for mirror in mirrors {
            let url = self.pin.url(mirror, &file.path);
            // What an earlier run left may be of something else: then this mirror is asked for all of it.
            let mut resumed = part.exists();
            let fault = loop {
                if let Err(fault) = self.try_mirror(&url, file, part) {
                    break fault;
                }
                let entry = FileEntry::read(part, &file.path).map_err(write)?;
                if expected.is_none_or(|expected| expected == entry.sha256) {
                    return Ok(entry);
                }
                fs::remove_file(part).map_err(write)?;
                if !std::mem::take(&mut resumed) {
                    wrong = Some(entry.sha256);
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

    /// Asks one mirror until the file is whole, a few times where answers break off.
    fn try_mirror(&self, url: &str, file: &PinnedFile, part: &Path) -> Result<(), Fault> {
        let began = Instant::now();
        let mut first = None;
        let mut observe = |there: u64, whole: Option<u64>| {
            let seconds = began.elapsed().as_secs_f64();
            let speed = there.saturating_sub(*first.get_or_insert(there)) as f64 / seconds.max(1e-3);
            let of = whole.map_or_else(String::new, |whole| {
                let left = if speed > 0.0 {
                    format!(", {:.0} s left", whole.saturating_sub(there) as f64 / speed)
                } else {
                    String::new()
                };
                format!(" of {}{left}", megabytes(whole))
            });
            self.progress.show(&format!("{}: {}{of}", file.path, megabytes(there)));
            self.progress.interrupted().is_ok()
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

/// The host of an address, to name a mirror by.
fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or(url)
}
