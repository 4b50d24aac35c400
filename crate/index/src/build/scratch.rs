//! Scratch: where a build sets data aside until it is merged. Natively in files beside the index, in a browser in
//! memory.

use std::io::{self, BufRead, Cursor, Write};
#[cfg(not(target_family = "wasm"))]
use std::{
    cell::Cell,
    fs::File,
    io::{BufReader, BufWriter, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

#[cfg(not(target_family = "wasm"))]
use evident_base::{TemporaryFolder, open_to_write};

use crate::build::error::BuildError;

/// Where scratch is kept.
#[derive(Debug)]
pub(super) enum Scratch {
    Memory,
    /// A folder, in files that are numbered.
    #[cfg(not(target_family = "wasm"))]
    Folder {
        folder: TemporaryFolder,
        files: Cell<u32>,
    },
}

impl Scratch {
    /// Scratch in the folder `path`, without what a killed build left there.
    #[cfg(not(target_family = "wasm"))]
    pub fn folder(path: &Path) -> Result<Self, BuildError> {
        Ok(Self::Folder { folder: TemporaryFolder::create(path)?, files: Cell::default() })
    }

    /// A new, empty spool.
    pub fn spool(&self) -> Result<Spool, BuildError> {
        match self {
            Self::Memory => Ok(Spool::Memory(Vec::new())),
            #[cfg(not(target_family = "wasm"))]
            Self::Folder { folder, files } => {
                let path = folder.path().join(files.replace(files.get() + 1).to_string());
                let file = open_to_write(&path, File::options().write(true).create_new(true))?;
                Ok(Spool::File(BufWriter::with_capacity(1 << 16, file), path))
            }
        }
    }
}

/// Bytes that are written once, in order, and then read.
#[derive(Debug)]
pub(super) enum Spool {
    Memory(Vec<u8>),
    #[cfg(not(target_family = "wasm"))]
    File(BufWriter<File>, PathBuf),
}

impl Spool {
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Memory(written) => written.write_all(bytes),
            #[cfg(not(target_family = "wasm"))]
            Self::File(file, _) => file.write_all(bytes),
        }
    }

    /// Reads from the start, about `buffer` bytes at a time.
    pub fn read(
        self,
        #[cfg_attr(target_family = "wasm", allow(unused))] buffer: usize,
    ) -> io::Result<Box<dyn BufRead>> {
        match self {
            Self::Memory(written) => Ok(Box::new(Cursor::new(written))),
            #[cfg(not(target_family = "wasm"))]
            Self::File(mut file, path) => {
                file.flush()?;
                Ok(Box::new(BufReader::with_capacity(buffer, File::open(path)?)))
            }
        }
    }

    /// The `length` bytes from `start` on.
    pub fn part(&mut self, start: u64, length: usize) -> io::Result<Vec<u8>> {
        match self {
            Self::Memory(written) => {
                let rest = usize::try_from(start).ok().and_then(|start| written.get(start..));
                let part = rest.and_then(|rest| rest.get(..length));
                part.map(<[u8]>::to_vec).ok_or(io::ErrorKind::UnexpectedEof.into())
            }
            #[cfg(not(target_family = "wasm"))]
            Self::File(file, path) => {
                file.flush()?;
                let (mut file, mut part) = (File::open(path)?, vec![0; length]);
                file.seek(SeekFrom::Start(start))?;
                file.read_exact(&mut part)?;
                Ok(part)
            }
        }
    }
}

/// Appends `bytes` as a record, after their length.
pub(super) fn write_sized(spool: &mut Spool, bytes: &[u8]) -> Result<(), BuildError> {
    let length = u32::try_from(bytes.len()).map_err(|_| BuildError::TooLarge)?;
    spool.write(&length.to_le_bytes())?;
    Ok(spool.write(bytes)?)
}

/// The next record that [`write_sized`] appended; `None` at the end.
pub(super) fn read_sized(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    if source.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut length = [0; 4];
    source.read_exact(&mut length)?;
    let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
    source.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}
