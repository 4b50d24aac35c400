//! The weights of models: how files store them, how they are read, and how a model finds its tensors in them.

pub(crate) mod find;
pub(crate) mod formats;
mod placing;
pub(crate) mod safetensors;

use crate::error::PackError;

/// An empty buffer with room for `bytes` bytes of the file `path`.
///
/// # Errors
/// [`PackError::Memory`] if there is no memory for it.
pub(crate) fn reserve(path: &str, bytes: usize) -> Result<Vec<u8>, PackError> {
    let mut room = Vec::new();
    match room.try_reserve_exact(bytes) {
        Ok(()) => Ok(room),
        Err(_) => Err(PackError::Memory { path: path.to_owned(), bytes: bytes as u64 }),
    }
}
