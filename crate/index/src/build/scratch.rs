//! Scratch: what a build puts aside until it is merged. Natively it is files beside the index; a browser has memory alone.

use std::io::{self, BufRead, Cursor, Write};
#[cfg(not(target_family = "wasm"))]
use std::{
    cell::Cell,
    fs::{self, File},
    io::{BufReader, BufWriter, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use super::BuildError;

/// Where scratch is.
#[derive(Debug)]
pub(super) enum Scratch {
    Memory,
    /// A folder that is removed at the end, whatever the end.
    #[cfg(not(target_family = "wasm"))]
    Folder {
        path: PathBuf,
        files: Cell<u32>,
    },
}

impl Scratch {
    /// Scratch in the folder `path`; what a killed build left there goes.
    #[cfg(not(target_family = "wasm"))]
    pub fn folder(path: &Path) -> Result<Self, BuildError> {
        if path.exists() {
            fs::remove_dir_all(path)?;
        }
        fs::create_dir_all(path)?;
        Ok(Self::Folder { path: path.into(), files: Cell::default() })
    }

    pub fn spool(&self) -> Result<Spool, BuildError> {
        match self {
            Self::Memory => Ok(Spool::Memory(Vec::new())),
            #[cfg(not(target_family = "wasm"))]
            Self::Folder { path, files } => {
                let path = path.join(files.replace(files.get() + 1).to_string());
                let file = BufWriter::with_capacity(1 << 16, File::create_new(&path)?);
                Ok(Spool::File(file, path))
            }
        }
    }
}

#[cfg(not(target_family = "wasm"))]
impl Drop for Scratch {
    fn drop(&mut self) {
        if let Self::Folder { path, .. } = self {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Bytes written once, in order, and then read.
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

    /// What was written, from its start, read about `buffer` bytes at a time.
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

    /// `length` of the bytes written, from `start` on.
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
