//! The versions of signed files that were accepted, so that nobody can put an older one in their place.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use crate::disk::SystemDisk;
use crate::replace::replace_file;
use crate::signature::PublicKey;
use crate::write::open_to_write;

/// The highest version that was accepted of each key's file at each place, in a file of lines `VERSION KEY PLACE`.
/// Several processes may share the file: each changes it while it holds the lock of `PATH.lock`.
#[derive(Debug)]
pub struct SeenVersions {
    path: PathBuf,
}

/// Why a version is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum SeenError {
    /// A newer one was.
    #[error(
        "version {found} has been signed, but version {seen} was there before: see who has put back the older one; if \
         that was you, sign it with a number above {seen}"
    )]
    Rollback {
        /// Its version.
        found: u64,
        /// The highest so far.
        seen: u64,
    },
    /// A line of the file of versions is not a version.
    #[error("{}, line {line}, is no version of a signed file: repair it, or delete the file", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// The file of versions, or its lock, cannot be read or written.
    #[error("{}: {source}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl SeenVersions {
    /// The versions in the file `path`. The file need not exist yet.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Accepts a version of the file that `key` signs at `place`, unless a higher one was accepted before, and writes
    /// it to the disk.
    ///
    /// # Errors
    /// [`SeenError`].
    pub fn accept(&self, key: &PublicKey, place: &str, version: u64) -> Result<(), SeenError> {
        let of = format!("{key} {}", place.escape_debug());
        // A known version needs no writing, so a read-only folder is no error.
        if is_known(&self.read()?, &of, version)? {
            return Ok(());
        }
        self.add(of, version)
    }

    /// Adds a version to the file, which is read again first: another process may have written while this one waited.
    fn add(&self, of: String, version: u64) -> Result<(), SeenError> {
        let _lock = self.lock()?;
        let mut versions = self.read()?;
        if is_known(&versions, &of, version)? {
            return Ok(());
        }
        versions.insert(of, version);
        let lines: String = versions.iter().map(|(of, version)| format!("{version} {of}\n")).collect();
        replace_file(&SystemDisk, &self.path, lines.as_bytes()).map_err(|source| self.failed(source))
    }

    /// The highest version by key and place.
    fn read(&self) -> Result<BTreeMap<String, u64>, SeenError> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(self.failed(source)),
        };
        let mut versions = BTreeMap::new();
        for (line, entry) in (1..).zip(text.lines()) {
            let Some((Ok(version), of)) = entry.split_once(' ').map(|(version, of)| (version.parse(), of)) else {
                return Err(SeenError::Unreadable { path: self.path.clone(), line });
            };
            versions.insert(of.to_owned(), version);
        }
        Ok(versions)
    }

    /// Waits until no other process writes, and keeps others waiting until the result is dropped. The lock is of a file
    /// beside the one that is replaced, and that file stays: a lock on one that is removed keeps nobody out. A disk
    /// without locks, as some network shares are, keeps nobody waiting: of two versions accepted at the same time one
    /// may be forgotten.
    fn lock(&self) -> Result<File, SeenError> {
        let path = self.path.with_added_extension("lock");
        let open = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            let file = open_to_write(&path, File::options().write(true).create(true))?;
            if_supported(file.lock()).map(|()| file)
        };
        open().map_err(|source| SeenError::Disk { path: path.clone(), source })
    }

    fn failed(&self, source: io::Error) -> SeenError {
        SeenError::Disk { path: self.path.clone(), source }
    }
}

/// No error where the disk has no locks.
fn if_supported(locked: io::Result<()>) -> io::Result<()> {
    match locked {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        locked => locked,
    }
}

/// True if this version was accepted before.
///
/// # Errors
/// [`SeenError::Rollback`] if a higher one was.
fn is_known(versions: &BTreeMap<String, u64>, of: &str, version: u64) -> Result<bool, SeenError> {
    match versions.get(of) {
        Some(&seen) if version < seen => Err(SeenError::Rollback { found: version, seen }),
        seen => Ok(seen == Some(&version)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> [PublicKey; 2] {
        ["key.pub", "other.pub"].map(|name| {
            let path = format!("{}/../../tests/data/signed/{name}", env!("CARGO_MANIFEST_DIR"));
            fs::read_to_string(path).unwrap().lines().nth(1).unwrap().parse::<PublicKey>().unwrap()
        })
    }

    #[test]
    fn an_older_version_is_refused_at_its_own_place_and_of_its_own_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evident/versions");
        let keys = keys();
        let seen = SeenVersions::new(path.clone());
        for version in [7, 7, 9] {
            seen.accept(&keys[0], "/a\nb", version).unwrap();
        }
        let error = seen.accept(&keys[0], "/a\nb", 8).unwrap_err();
        assert!(matches!(error, SeenError::Rollback { found: 8, seen: 9 }), "{error}");
        seen.accept(&keys[0], "/b", 8).unwrap();
        seen.accept(&keys[1], "/a\nb", 8).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
        fs::write(&path, "7 key place\nseven key place\n").unwrap();
        assert!(matches!(seen.accept(&keys[0], "/b", 8), Err(SeenError::Unreadable { line: 2, .. })));
        let at_folder = SeenVersions::new(folder.path().into());
        assert!(matches!(at_folder.accept(&keys[0], "/b", 8), Err(SeenError::Disk { .. })));
    }

    #[test]
    fn who_accepts_at_the_same_time_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("versions");
        let [key, _] = keys();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (path, key) = (&path, &key);
                scope.spawn(move || {
                    for place in 0..10 {
                        let seen = SeenVersions::new(path.clone());
                        seen.accept(key, &format!("/{thread}/{place}"), 1).unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 40);
    }

    #[test]
    fn what_another_writes_while_one_waits_is_kept_and_obeyed() {
        let folder = tempfile::tempdir().unwrap();
        let seen = SeenVersions::new(folder.path().join("versions"));
        let [key, _] = keys();
        fs::write(&seen.path, format!("8 {key} /b\n9 {key} /c\n")).unwrap();
        seen.add(format!("{key} /a"), 7).unwrap();
        let refused = seen.add(format!("{key} /b"), 7);
        assert!(matches!(refused, Err(SeenError::Rollback { found: 7, seen: 8 })));
        assert_eq!(fs::read_to_string(&seen.path).unwrap(), format!("7 {key} /a\n8 {key} /b\n9 {key} /c\n"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_the_lock_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, path) = (folder.path().join("target"), folder.path().join("versions"));
        fs::write(&target, "mine").unwrap();
        std::os::unix::fs::symlink(&target, folder.path().join("versions.lock")).unwrap();
        let [key, _] = keys();
        let error = SeenVersions::new(path).accept(&key, "/a", 1).unwrap_err();
        assert!(error.to_string().contains("versions.lock: it is a link"), "{error}");
        assert_eq!(fs::read_to_string(target).unwrap(), "mine");
    }

    #[test]
    fn a_disk_without_locks_is_no_error() {
        if_supported(Err(io::ErrorKind::Unsupported.into())).unwrap();
        if_supported(Err(io::ErrorKind::PermissionDenied.into())).unwrap_err();
    }
}
