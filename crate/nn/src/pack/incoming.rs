//! Receives the files of a pack. Nothing of a file can be used before all of it has been checked against the manifest.

use burn::tensor::Device;
use evident_base::Hasher;

use crate::error::PackError;
use crate::ops::is_cpu;
use crate::pack::manifest::{FileEntry, Manifest, ModelEntry};
use crate::weights::reserve;
use crate::weights::safetensors::{TensorFile, TensorReader};

impl Manifest {
    /// Checks the bytes of one file against its size and hash.
    ///
    /// # Errors
    /// As [`Manifest::receive`] and [`Incoming::finish`].
    pub fn verify(&self, path: &str, bytes: &[u8]) -> Result<VerifiedFile, PackError> {
        let mut file = self.receive(path, None)?;
        file.push(bytes);
        file.finish()
    }

    /// A file that is about to arrive. If the device has memory of its own, large matrices go there as they arrive.
    ///
    /// # Errors
    /// [`PackError::FileMissing`] if the manifest names no such file, [`PackError::Memory`] if there is no room for it.
    pub fn receive(&self, path: &str, device: Option<&Device>) -> Result<Incoming, PackError> {
        let entry = self.contents.files.iter().find(|file| file.path == path);
        let entry = entry.ok_or_else(|| PackError::FileMissing { path: path.to_owned() })?;
        let is_weights = |model: &ModelEntry| model.weights.iter().any(|weights| weights.path == path);
        let contents = match self.contents.models.values().any(is_weights) {
            true => Arriving::Weights(TensorReader::new(path, entry.bytes, device.filter(|device| !is_cpu(device)))),
            false => Arriving::Text(reserve(path, entry.bytes.try_into().unwrap_or(usize::MAX))?),
        };
        Ok(Incoming { entry: entry.clone(), hash: Hasher::new(), taken: 0, contents })
    }
}

/// A file that is being received.
pub struct Incoming {
    entry: FileEntry,
    hash: Hasher,
    taken: u64,
    contents: Arriving,
}

/// What has arrived.
enum Arriving {
    Text(Vec<u8>),
    Weights(TensorReader),
}

impl Incoming {
    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.taken += bytes.len() as u64;
        self.hash.update(bytes);
        if self.taken > self.entry.bytes {
            return; // it is longer than the manifest says: `finish` fails
        }
        match &mut self.contents {
            Arriving::Text(text) => text.extend_from_slice(bytes),
            Arriving::Weights(reader) => reader.push(bytes),
        }
    }

    /// The number of bytes that have arrived.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// The file, once all of it has arrived.
    ///
    /// # Errors
    /// [`PackError::Altered`] if it differs from what the manifest says. For weights also [`PackError::Unreadable`], if
    /// they are not a safetensors file, and [`PackError::Memory`], if there was no room for them.
    pub fn finish(self) -> Result<VerifiedFile, PackError> {
        let FileEntry { path, bytes, sha256 } = self.entry;
        if self.taken != bytes {
            return Err(PackError::Altered { path, expected: format!("size of {bytes} bytes") });
        }
        if self.hash.finish() != sha256 {
            return Err(PackError::Altered { path, expected: format!("SHA-256 {sha256}") });
        }
        let contents = match self.contents {
            Arriving::Text(text) => File::Text(text),
            Arriving::Weights(reader) => File::Weights(reader.finish()?),
        };
        Ok(VerifiedFile { path, contents })
    }
}

/// A file that has the size and the hash that the manifest says. Only [`Incoming::finish`] makes one.
pub struct VerifiedFile {
    pub(crate) path: String,
    pub(crate) contents: File,
}

/// The contents of a file.
pub(crate) enum File {
    /// A config or a tokenizer.
    Text(Vec<u8>),
    Weights(TensorFile),
}
