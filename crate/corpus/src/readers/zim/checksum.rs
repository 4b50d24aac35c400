//! The MD5 of a ZIM archive, which is its last 16 bytes.

use md5::{Digest, Md5};

use crate::error::CorpusError;
use crate::lines::Counter;
use crate::readers::zim::file::ZimFile;

/// The length of an MD5.
pub(super) const BYTES: u64 = 16;

/// Hashes an archive while it is read, so that the file comes from the disk once.
pub(super) struct Checksum {
    file: ZimFile,
    md5: Md5,
    /// Counts the bytes that are hashed.
    read: Counter,
}

impl Checksum {
    /// Of this file, at its start.
    pub fn new(file: ZimFile, read: Counter) -> Self {
        Self { file, md5: Md5::new(), read }
    }

    /// Hashes what stands before a place, unless it is hashed.
    pub fn follow(&mut self, to: u64) -> Result<(), CorpusError> {
        let mut buffer = [0; 1 << 14];
        while self.file.at() < to.min(self.end()) {
            let most = (self.end() - self.file.at()).min(buffer.len() as u64) as usize;
            let read = self.file.some(&mut buffer[..most])?;
            if read == 0 {
                return Err(self.file.damaged(self.file.at(), "it ends too early"));
            }
            self.md5.update(&buffer[..read]);
            self.read.add(read as u64);
        }
        Ok(())
    }

    /// Checks the whole archive.
    pub fn finish(&mut self) -> Result<(), CorpusError> {
        self.follow(self.end())?;
        let stated: [u8; BYTES as usize] = self.file.bytes()?;
        self.read.add(BYTES);
        if self.md5.finalize_reset()[..] == stated {
            Ok(())
        } else {
            Err(self.file.damaged(self.end(), "its MD5 is not that of its bytes"))
        }
    }

    fn end(&self) -> u64 {
        self.file.len().saturating_sub(BYTES)
    }
}
