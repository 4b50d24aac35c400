//! packs.lock: the hashes of files for which the list states none, as the first fetch found them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use evident_base::{Hash, SystemDisk, replace_file};
use serde::{Deserialize, Serialize};

use crate::error::FetchError;

/// The name of the file, beside the packs.
pub const LOCK: &str = "packs.lock";

/// The SHA-256 of each file, by "repository@revision/path".
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    #[serde(skip)]
    path: PathBuf,
    files: BTreeMap<String, Hash>,
}

impl Lock {
    /// The lock of a folder of packs; an empty one where there is none yet.
    ///
    /// # Errors
    /// [`FetchError::Lock`] for a file that cannot be read or is not a lock.
    pub fn open(packs: &Path) -> Result<Self, FetchError> {
        let path = packs.join(LOCK);
        let refused = |reason: String| FetchError::Lock { path: path.clone(), reason };
        let lock = match fs::read_to_string(&path) {
            Ok(toml) => toml::from_str(&toml).map_err(|error| refused(error.message().to_owned()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::default(),
            Err(error) => return Err(refused(error.to_string())),
        };
        Ok(Self { path, ..lock })
    }

    /// The SHA-256 that a file had when it was first fetched.
    pub fn get(&self, file: &str) -> Option<Hash> {
        self.files.get(file).copied()
    }

    /// Records a file's SHA-256, on disk too.
    ///
    /// # Errors
    /// [`FetchError::Write`].
    pub fn record(&mut self, file: String, sha256: Hash) -> Result<(), FetchError> {
        self.files.insert(file, sha256);
        let toml = toml::to_string(self).expect("a lock is plain data");
        let toml = format!("# What the first fetch found; see models/packs.toml.\n{toml}");
        replace_file(&SystemDisk, &self.path, toml.as_bytes())
            .map_err(|source| FetchError::Write { path: self.path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recorded_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut lock = Lock::open(folder.path()).unwrap();
        assert_eq!(lock.get("a/b@1/config.json"), None);
        lock.record("a/b@1/config.json".into(), Hash::of(b"{}")).unwrap();
        let again = Lock::open(folder.path()).unwrap();
        assert_eq!(again.get("a/b@1/config.json"), Some(Hash::of(b"{}")));
        assert_eq!(again, lock);
        fs::write(folder.path().join(LOCK), "files = 1").unwrap();
        assert!(matches!(Lock::open(folder.path()), Err(FetchError::Lock { .. })));
    }
}
