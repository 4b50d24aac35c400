//! Files and folders that appear whole or not at all, even if the program is killed: they are written under another
//! name in the same folder, synced, and then renamed.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use crate::disk::{Disk, SystemDisk};

/// Writes `bytes` to the file `path`. Until all of them are on the disk, the file stays as it was.
///
/// # Errors
/// The system's error. Then no temporary file is left; the file has the new bytes if only its name could not be synced.
pub fn replace_file(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = beside(path);
    if fs::symlink_metadata(&new).is_ok() {
        disk.remove(&new)?; // of a killed process, or a stranger's link
    }
    let written = write_synced(disk, &new, bytes).and_then(|()| disk.rename(&new, path));
    if written.is_err() {
        let _ = disk.remove(&new);
    }
    written.and_then(|()| disk.sync_parent(path))
}

/// A new folder, removed with all that is in it unless it is kept.
#[derive(Debug)]
pub struct TemporaryFolder {
    path: PathBuf,
    kept: bool,
}

impl TemporaryFolder {
    /// A new, empty folder at `path`. A folder that a killed program left there is removed, and so is a link.
    ///
    /// # Errors
    /// The system's error.
    pub fn create(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok() {
            fs::remove_dir_all(path)?; // of a link the link itself
        }
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::create_dir(path)?;
        Ok(Self { path: path.into(), kept: false })
    }

    /// A new, empty folder beside `place`, to be kept there.
    ///
    /// # Errors
    /// The system's error.
    pub fn beside(place: &Path) -> io::Result<Self> {
        Self::create(&beside(place))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file `name`, which may lie in further folders, and syncs it.
    ///
    /// # Errors
    /// The system's error.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        write_synced(&SystemDisk, &path, bytes)
    }

    /// Moves it to `place`, where nothing may be.
    ///
    /// # Errors
    /// The system's error. Then it is removed, unless it is at `place` and only its name could not be synced.
    pub fn keep(mut self, place: &Path) -> io::Result<()> {
        sync_folders(&self.path)?;
        SystemDisk.rename(&self.path, place)?;
        self.kept = true;
        SystemDisk.sync_parent(place)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// A hidden name beside `place` that no other process uses.
fn beside(place: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(format!(".{}.new", process::id()));
    place.with_file_name(name)
}

fn write_synced(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    disk.write(path, bytes)?;
    disk.sync(path)
}

/// Syncs a folder and the folders in it, so that their files' names are on the disk.
fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    SystemDisk.sync_folder(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        fs::read_dir(folder).unwrap().map(name).collect()
    }

    #[test]
    fn a_file_is_replaced_and_nothing_stays_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for bytes in ["old", "new"] {
            replace_file(&SystemDisk, &path, bytes.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), bytes);
        }
        assert_eq!(names(folder.path()), ["file"]);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap(); // no file takes a folder's place
        replace_file(&SystemDisk, &path, b"new").unwrap_err();
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_by_the_temporary_name_is_removed_and_its_target_stays() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let [path, target] = ["file", "target"].map(|name| folder.path().join(name));
        fs::write(&target, "mine").unwrap();
        symlink(&target, beside(&path)).unwrap();
        replace_file(&SystemDisk, &path, b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), fs::read(&target).unwrap()), (b"new".to_vec(), b"mine".to_vec()));
        assert!(!fs::symlink_metadata(&path).unwrap().is_symlink());

        let outer = tempfile::tempdir().unwrap();
        let place = outer.path().join("place");
        for target in [folder.path().to_owned(), folder.path().join("nowhere")] {
            symlink(&target, beside(&place)).unwrap();
            TemporaryFolder::beside(&place).unwrap().write("file", b"theirs").unwrap();
            assert!(names(outer.path()).is_empty());
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }
    }

    #[test]
    fn a_temporary_folder_goes_unless_it_is_kept() {
        let outer = tempfile::tempdir().unwrap();
        let place = outer.path().join("place");
        let folder = TemporaryFolder::beside(&place).unwrap();
        folder.write("inner/file", b"old").unwrap();
        drop(folder);
        assert!(names(outer.path()).is_empty());

        let killed = TemporaryFolder::beside(&place).unwrap();
        killed.write("left", b"over").unwrap();
        std::mem::forget(killed);
        let folder = TemporaryFolder::beside(&place).unwrap();
        folder.write("inner/file", b"new").unwrap();
        folder.keep(&place).unwrap();
        assert_eq!(names(outer.path()), ["place"]);
        assert_eq!(names(&place), ["inner"]);
        assert_eq!(fs::read(place.join("inner/file")).unwrap(), b"new");
    }
}
