//! The versions of signed files that were accepted, so that nobody can put an older one in their place.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

use crate::disk::SystemDisk;
use crate::replace::replace_file;
use crate::signature::PublicKey;

/// The highest version that was accepted of each key's file at each place, in a file of lines `VERSION KEY PLACE`.
#[derive(Debug)]
pub struct SeenVersions {
    path: PathBuf,
    versions: BTreeMap<String, u64>,
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
    /// The file of versions is none.
    #[error("{}, line {line}, is no version of a signed file: repair it, or delete the file", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// The file of versions cannot be read or written.
    #[error("{}: {source}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl SeenVersions {
    /// Reads the file `path`, which need not be there.
    ///
    /// # Errors
    /// [`SeenError::Unreadable`] and [`SeenError::Disk`].
    pub fn open(path: PathBuf) -> Result<Self, SeenError> {
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(SeenError::Disk { path, source }),
        };
        let mut versions = BTreeMap::new();
        for (line, entry) in (1..).zip(text.lines()) {
            let Some((Ok(version), of)) = entry.split_once(' ').map(|(version, of)| (version.parse(), of)) else {
                return Err(SeenError::Unreadable { path, line });
            };
            versions.insert(of.to_owned(), version);
        }
        Ok(Self { path, versions })
    }

    /// Accepts a version of what `key` signs at `place`, unless it was a higher one before; keeps it on the disk.
    ///
    /// # Errors
    /// [`SeenError::Rollback`] and [`SeenError::Disk`].
    pub fn accept(&mut self, key: &PublicKey, place: &str, version: u64) -> Result<(), SeenError> {
        let of = format!("{key} {}", place.escape_debug());
        match self.versions.get(&of) {
            Some(&seen) if version < seen => return Err(SeenError::Rollback { found: version, seen }),
            Some(&seen) if version == seen => return Ok(()),
            _ => self.versions.insert(of, version),
        };
        let lines: String = self.versions.iter().map(|(of, version)| format!("{version} {of}\n")).collect();
        let folder = self.path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folder.and_then(|()| replace_file(&SystemDisk, &self.path, lines.as_bytes()));
        written.map_err(|source| SeenError::Disk { path: self.path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_version_is_refused_at_its_own_place_and_of_its_own_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evident/versions");
        let keys = ["key.pub", "other.pub"].map(|name| {
            let path = format!("{}/../../tests/data/signed/{name}", env!("CARGO_MANIFEST_DIR"));
            fs::read_to_string(path).unwrap().lines().nth(1).unwrap().parse::<PublicKey>().unwrap()
        });
        let mut seen = SeenVersions::open(path.clone()).unwrap();
        for version in [7, 7, 9] {
            seen.accept(&keys[0], "/a\nb", version).unwrap();
        }
        let mut seen = SeenVersions::open(path.clone()).unwrap();
        let error = seen.accept(&keys[0], "/a\nb", 8).unwrap_err();
        assert!(matches!(error, SeenError::Rollback { found: 8, seen: 9 }), "{error}");
        seen.accept(&keys[0], "/b", 8).unwrap();
        seen.accept(&keys[1], "/a\nb", 8).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
        fs::write(&path, "7 key place\nseven key place\n").unwrap();
        assert!(matches!(SeenVersions::open(path), Err(SeenError::Unreadable { line: 2, .. })));
        assert!(matches!(SeenVersions::open(folder.path().into()), Err(SeenError::Disk { .. })));
    }
}
