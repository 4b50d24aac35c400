//! Checks that packs and indexes are signed by the keys that the user names, and are not older than what was accepted
//! before.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use evident_base::{Hash, PublicKey, SIGNATURE, SeenVersions};
use evident_index::{IndexError, Manifest};
use evident_nn::PackError;

use crate::error::{CliError, Part, SignedError, unreadable};

/// The SHA-256 of a folder's pack.json, which must be signed by the key with a version not lower than the last
/// accepted, and must be `expected` if that is given.
///
/// # Errors
/// [`CliError::Signed`], and [`CliError::Pack`] or [`CliError::Unreadable`] for a file that cannot be read.
pub fn signed_pack(folder: &Path, key: &PublicKey, expected: Option<Hash>) -> Result<Hash, CliError> {
    let signed = Signed::read(Part::Pack, folder, key)?;
    let found = Hash::of(&signed.file);
    match expected {
        Some(expected) if expected != found => {
            return Err(PackError::Unexpected { found: found.to_string(), expected }.into());
        }
        _ => signed.accept(key)?,
    }
    Ok(found)
}

/// The checksum of the index in a folder. Its manifest must be signed by the key with a version not lower than the last
/// accepted, and the checksum must be `expected` if that is given.
///
/// # Errors
/// As [`signed_pack`], and [`CliError::Index`].
pub fn signed_index(folder: &Path, key: &PublicKey, expected: Option<Hash>) -> Result<Hash, CliError> {
    let signed = Signed::read(Part::Index, folder, key)?;
    let Some(expected) = expected else {
        signed.accept(key)?;
        return Ok(Manifest::parse(&signed.file)?.checksum);
    };
    let found = Manifest::parse(&signed.file)?.checksum;
    if found != expected {
        return Err(IndexError::Unexpected { found, expected }.into());
    }
    signed.accept(key)?;
    Ok(found)
}

/// The file of a part, with a valid signature.
struct Signed {
    part: Part,
    path: PathBuf,
    file: Vec<u8>,
    version: u64,
}

impl Signed {
    fn read(part: Part, folder: &Path, key: &PublicKey) -> Result<Self, CliError> {
        let name = part.file();
        let (path, signature) = (folder.join(name), folder.join(format!("{name}{SIGNATURE}")));
        let file = fs::read(&path).map_err(|source| match (source.kind(), part) {
            (io::ErrorKind::NotFound, Part::Pack) => PackError::FileMissing { path: path.display().to_string() }.into(),
            (io::ErrorKind::NotFound, Part::Index) => IndexError::Missing.into(),
            _ => unreadable(&path, source),
        })?;
        let signature = match fs::read(&signature) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(SignedError::Missing { part, path: signature }.into());
            }
            Err(source) => return Err(unreadable(&signature, source)),
        };
        let unsigned = |source| SignedError::Unsigned { part, path: path.clone(), key: key.to_string(), source };
        let version = key.version(&file, &signature).map_err(unsigned)?;
        Ok(Self { part, path, file, version })
    }

    /// Accepts its version, unless a higher one was accepted before.
    fn accept(&self, key: &PublicKey) -> Result<(), CliError> {
        let Self { part, path, version, .. } = self;
        let place = fs::canonicalize(path).map_err(|source| unreadable(path, source))?;
        let accepted = SeenVersions::new(versions()?).accept(key, &place.display().to_string(), *version);
        Ok(accepted.map_err(|source| SignedError::Seen { part: *part, path: path.clone(), source })?)
    }
}

/// The file of the versions that this user has accepted: in the folder for what programs remember.
///
/// # Errors
/// [`CliError::Unusable`] where no such folder is set.
fn versions() -> Result<PathBuf, CliError> {
    let folder = |name| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = || env::home_dir().map(|home| home.join(".local/state"));
    let state = folder("XDG_STATE_HOME").or_else(|| if cfg!(windows) { folder("LOCALAPPDATA") } else { home() });
    state.map(|state| state.join("evident/versions")).ok_or(CliError::Unusable {
        path: "evident/versions".into(),
        why: "there is no folder to remember signed versions in: set XDG_STATE_HOME",
    })
}
