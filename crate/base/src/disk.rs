//! The file system, for writers that must lose nothing. It is a trait: a test can record the calls and take away
//! whatever was not synced.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::write::{open_to_write, write_file};

/// A file system. Every method returns the system's error.
pub trait Disk {
    /// Writes `bytes` to the file `path`, in place of what it had.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Waits until the bytes of the file `path` are on the disk.
    fn sync(&self, path: &Path) -> io::Result<()>;
    /// Waits until the names in the folder `path` are on the disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Gives the file or folder `from` the name `to`, in place of a file that has it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes the file `path`.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// As [`Disk::sync_folder`], of the folder that `path` is in.
    fn sync_parent(&self, path: &Path) -> io::Result<()> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        self.sync_folder(parent.unwrap_or(Path::new(".")))
    }
}

/// The system's own.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        write_file(path, bytes)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        open_to_write(path, File::options().write(true))?.sync_all()
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        // Windows does not open a folder, and syncs it with its files.
        if cfg!(windows) { Ok(()) } else { File::open(path)?.sync_all() }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}
