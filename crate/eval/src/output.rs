//! The files of a run, in the folder that it writes.

use std::path::Path;

use evident_base::write_file;

use crate::error::{EvalError, unwritable};

/// Writes the file `name` of the folder `out`, in place of what it had.
///
/// # Errors
/// [`EvalError::Unwritable`].
pub(crate) fn write(out: &Path, name: impl AsRef<Path>, text: &str) -> Result<(), EvalError> {
    let path = out.join(name);
    write_file(&path, text.as_bytes()).map_err(unwritable(&path))
}
