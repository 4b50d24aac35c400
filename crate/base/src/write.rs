//! Files that are opened for writing. A folder from a stranger may hold a symbolic link by a name that is written, and
//! who follows it writes to a file elsewhere. So all writers open their files here, where no link is followed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Opens the file `path` for writing, as `options` say, unless something else than a file has its name.
///
/// # Errors
/// The system's error; an [`io::ErrorKind::InvalidInput`] if `path` is a symbolic link, a folder, a pipe or a device.
pub fn open_to_write(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK); // a pipe without a reader would block
    }
    #[cfg(not(unix))]
    if is_no_file(path) {
        return Err(no_file());
    }
    let file = options.open(path).map_err(|error| if is_no_file(path) { no_file() } else { error })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(no_file()) }
}

/// Writes `bytes` to the file `path`, in place of what it had.
///
/// # Errors
/// Those of [`open_to_write`].
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    open_to_write(path, File::options().write(true).create(true).truncate(true))?.write_all(bytes)
}

/// Returns true if something is at `path` that is no file.
fn is_no_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| !there.is_file())
}

fn no_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is a link, or something else than a file: remove it")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_is_written_and_a_link_is_refused_and_its_target_stays() {
        let folder = tempfile::tempdir().unwrap();
        let [target, link, dangling, new] = ["target", "link", "dangling", "new"].map(|name| folder.path().join(name));
        fs::write(&target, "mine").unwrap();
        symlink(&target, &link).unwrap();
        symlink(&new, &dangling).unwrap();
        for path in [link.as_path(), &dangling, folder.path()] {
            let error = write_file(path, b"theirs").unwrap_err();
            assert!(
                error.kind() == io::ErrorKind::InvalidInput && error.to_string().contains("it is a link"),
                "{error}"
            );
            open_to_write(path, File::options().append(true)).unwrap_err();
        }
        assert!(!new.exists());
        write_file(&target, b"longer than before").unwrap();
        write_file(&target, b"mine").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"mine");
    }
}
