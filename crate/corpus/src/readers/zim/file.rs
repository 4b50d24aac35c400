//! The bytes of a ZIM archive, read at any place.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::error::CorpusError;

/// The most bytes of a string: a path, a title, a MIME type.
const LONGEST_STRING: usize = 1 << 16;

/// An archive's file. Integers are little endian.
pub(super) struct ZimFile {
    path: PathBuf,
    inner: BufReader<File>,
    at: u64,
    len: u64,
}

impl ZimFile {
    pub fn open(path: &Path) -> Result<Self, CorpusError> {
        let file = File::open(path).map_err(CorpusError::read(path))?;
        let len = file.metadata().map_err(CorpusError::read(path))?.len();
        Ok(Self { path: path.into(), inner: BufReader::new(file), at: 0, len })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    /// The place of the next byte.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Goes to a place in the file.
    pub fn go(&mut self, to: u64) -> Result<(), CorpusError> {
        let distance = to.checked_signed_diff(self.at).filter(|_| to <= self.len);
        let distance = distance.ok_or_else(|| self.damaged(self.len, &format!("it goes on at byte {to}")))?;
        self.inner.seek_relative(distance).map_err(CorpusError::read(&self.path))?;
        self.at = to;
        Ok(())
    }

    pub fn bytes<const N: usize>(&mut self) -> Result<[u8; N], CorpusError> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged(self.len, "it ends too early"),
            _ => CorpusError::read(&self.path)(error),
        })?;
        self.at += N as u64;
        Ok(bytes)
    }

    /// Reads as many bytes as come at once, none at the end, and says how many.
    pub fn some(&mut self, buffer: &mut [u8]) -> Result<usize, CorpusError> {
        let read = self.inner.read(buffer).map_err(CorpusError::read(&self.path))?;
        self.at += read as u64;
        Ok(read)
    }

    pub fn u16(&mut self) -> Result<u16, CorpusError> {
        Ok(u16::from_le_bytes(self.bytes()?))
    }

    pub fn u32(&mut self) -> Result<u32, CorpusError> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    pub fn u64(&mut self) -> Result<u64, CorpusError> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    /// A string that a zero ends.
    pub fn string(&mut self) -> Result<String, CorpusError> {
        let (start, mut bytes) = (self.at, Vec::new());
        let most = self.inner.by_ref().take(LONGEST_STRING as u64);
        let read = { most }.read_until(0, &mut bytes).map_err(CorpusError::read(&self.path))?;
        self.at += read as u64;
        if bytes.pop() != Some(0) {
            return Err(self.damaged(start, "a string does not end"));
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The error of damage at a place.
    pub fn damaged(&self, offset: u64, reason: &str) -> CorpusError {
        CorpusError::Damaged { path: self.path.clone(), offset, reason: reason.into() }
    }

    /// The error of an archive that may be whole, but is not read.
    pub fn unreadable(&self, reason: impl Into<String>) -> CorpusError {
        CorpusError::NotAZim { path: self.path.clone(), reason: reason.into() }
    }

    pub fn into_inner(self) -> BufReader<File> {
        self.inner
    }
}
