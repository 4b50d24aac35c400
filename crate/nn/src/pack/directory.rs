//! Packs in folders: those with a pack.json, and models in the Hugging Face layout.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use evident_base::Hash;

use crate::error::PackError;
use crate::pack::incoming::VerifiedFile;
use crate::pack::manifest::{FileEntry, LARGEST_MANIFEST, Manifest};
use crate::pack_json::PACK;

impl Manifest {
    /// The manifest of a folder: its pack.json, or one made of the Hugging Face layout.
    ///
    /// # Errors
    /// [`PackError::FileMissing`], and those of [`Manifest::parse`].
    pub(crate) fn open(directory: &Path) -> Result<Self, PackError> {
        if is_published(directory) { Self::of_hugging_face(directory) } else { Self::parse(&read(directory, PACK)?) }
    }

    /// Reads and checks a file. Weights are never in memory twice.
    ///
    /// # Errors
    /// [`PackError::FileMissing`], and those of [`Incoming::finish`](crate::Incoming::finish).
    pub(crate) fn read(&self, directory: &Path, path: &str) -> Result<VerifiedFile, PackError> {
        let mut file = self.receive(path, None)?;
        let read = fs::File::open(directory.join(path)).and_then(|opened| in_pieces(opened, |piece| file.push(piece)));
        read.map_err(|error| not_read(directory, path, &error))?;
        file.finish()
    }
}

impl FileEntry {
    /// The entry of a file, which is `path` in its pack. The file is read in pieces.
    ///
    /// # Errors
    /// The system's error.
    pub fn read(file: &Path, path: &str) -> io::Result<Self> {
        let (bytes, sha256) = Hash::of_reader(fs::File::open(file)?)?;
        Ok(Self { path: path.to_owned(), bytes, sha256 })
    }

    /// The entry of a file of these bytes.
    pub(crate) fn of(path: &str, bytes: &[u8]) -> Self {
        Self { path: path.to_owned(), bytes: bytes.len() as u64, sha256: Hash::of(bytes) }
    }
}

/// Whether a folder has the Hugging Face layout and no pack.json.
pub(crate) fn is_published(directory: &Path) -> bool {
    !directory.join(PACK).exists() && directory.join("config.json").exists()
}

/// The bytes of a JSON file, as far as one more than [`LARGEST_MANIFEST`].
///
/// # Errors
/// [`PackError::FileMissing`] and [`PackError::Unreadable`], with the whole path.
pub(crate) fn read(directory: &Path, path: &str) -> Result<Vec<u8>, PackError> {
    let mut bytes = Vec::new();
    let opened = fs::File::open(directory.join(path));
    let read = opened.and_then(|file| file.take(LARGEST_MANIFEST + 1).read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(|error| not_read(directory, path, &error))
}

/// The error for a file that could not be read.
pub(super) fn not_read(directory: &Path, path: &str, error: &io::Error) -> PackError {
    let path = directory.join(path).display().to_string();
    match error.kind() {
        io::ErrorKind::NotFound => PackError::FileMissing { path },
        _ => PackError::Unreadable { path, reason: error.to_string() },
    }
}

/// Reads a file to its end, 64 KiB at a time.
fn in_pieces(mut file: fs::File, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut piece = vec![0; 64 * 1024];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(()),
            count => take(&piece[..count]),
        }
    }
}
