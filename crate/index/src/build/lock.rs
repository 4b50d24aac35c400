//! One writer at a time: the lock of an index's folder.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use evident_base::open_to_write;

use crate::build::error::{BuildError, unwritable};

/// The lock's file, which has its holder's process id.
pub(super) const LOCK: &str = ".evident-lock";

/// The right to write to a folder. It ends when this is dropped, or its process ends.
#[derive(Debug)]
pub(super) struct FolderLock {
    folder: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

impl FolderLock {
    /// The right to write to `folder`, which is made if it is missing.
    ///
    /// # Errors
    /// [`BuildError::Busy`] if another build has it, [`BuildError::Write`] if the folder cannot be written to.
    pub fn take(folder: &Path) -> Result<Self, BuildError> {
        let path = folder.join(LOCK);
        loop {
            fs::create_dir_all(folder).map_err(unwritable(folder))?;
            let mut file = match open_to_write(&path, File::options().read(true).write(true).create(true)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue, // a build has removed its folder
                file => file.map_err(unwritable(&path))?,
            };
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    let holder = fs::read_to_string(&path).ok().and_then(|id| id.trim().parse().ok());
                    return Err(BuildError::Busy { path: folder.into(), holder });
                }
                Err(TryLockError::Error(source)) => return Err(BuildError::Write { path, source }),
                // The last holder may have removed this very file before it was locked here.
                Ok(()) if !is_at(&file, &path) => continue,
                Ok(()) => {}
            }
            let noted = file.set_len(0).and_then(|()| writeln!(file, "{}", process::id()));
            noted.map_err(unwritable(&path))?;
            return Ok(Self { folder: folder.into(), _file: file });
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.folder.join(LOCK));
        let _ = fs::remove_dir(&self.folder); // only if nothing else is in it
    }
}

/// Whether the open `file` is still the one at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: io::Result<fs::Metadata>| metadata.ok().map(|it| (it.dev(), it.ino()));
    place(file.metadata()).is_some_and(|open| place(fs::symlink_metadata(path)) == Some(open))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
