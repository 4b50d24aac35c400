//! A text that is read line by line, with its line numbers and a count of its bytes.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::CorpusError;

/// The most bytes of one line, one element of a dump or one HTML file.
pub const LONGEST: usize = 64 << 20;

/// The most bytes of one page of a dump or one Markdown file, which takes up to 70 times as much while it is read.
/// MediaWiki takes pages of 2 MiB.
pub const LONGEST_MARKUP: usize = 16 << 20;

/// Bytes that are read at once.
const BUFFER: usize = 1 << 16;

/// A count of bytes, shared by the reader that counts and the caller that shows it.
#[derive(Clone, Default)]
pub(crate) struct Counter(Arc<AtomicU64>);

impl Counter {
    pub fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A reader that counts its bytes.
pub(crate) struct Counted<R> {
    pub inner: R,
    /// Of this and other readers.
    pub read: Counter,
    pub place: Counter,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.inner.consume(bytes);
        self.read.add(bytes as u64);
        self.place.add(bytes as u64);
    }
}

/// A text that knows its line numbers.
pub(crate) struct Lines {
    inner: BufReader<Box<dyn Read + Send>>,
    /// The bytes that were read of the file that holds it.
    place: Counter,
    /// The number of line breaks read.
    ended: usize,
    /// The number of bytes that may be read before [`Lines::begin`] is called again.
    left: usize,
}

impl Lines {
    /// The text, and the place of its reader in the file that holds it.
    pub fn new(text: Box<dyn Read + Send>, place: Counter) -> Self {
        Self { inner: BufReader::with_capacity(BUFFER, text), place, ended: 0, left: LONGEST }
    }

    /// Begins a line or an element, which may have [`LONGEST`] bytes.
    pub fn begin(&mut self) {
        self.left = LONGEST;
    }

    /// The line of the next byte, from 1.
    pub fn line(&self) -> usize {
        self.ended + 1
    }

    /// Reads the next line that is not empty into `text`, and says its number; none at the end.
    pub fn next_line(&mut self, text: &mut Vec<u8>) -> io::Result<Option<usize>> {
        loop {
            text.clear();
            self.begin();
            let line = self.line();
            match self.read_until(b'\n', text)? {
                0 => return Ok(None),
                _ if text.iter().all(u8::is_ascii_whitespace) => {}
                _ => return Ok(Some(line)),
            }
        }
    }

    /// The error of a failed read of `path`.
    pub fn failed(&self, path: &Path, source: io::Error) -> CorpusError {
        match source.kind() {
            io::ErrorKind::FileTooLarge => CorpusError::TooLong { path: path.into(), line: self.line(), most: LONGEST },
            io::ErrorKind::UnexpectedEof => CorpusError::CutShort { path: path.into(), line: self.line() },
            io::ErrorKind::InvalidData => {
                CorpusError::Damaged { path: path.into(), offset: self.place.get(), reason: source.to_string() }
            }
            _ => CorpusError::Read { path: path.into(), source },
        }
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Lines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.ended += self.inner.buffer()[..bytes].iter().filter(|&&byte| byte == b'\n').count();
        self.inner.consume(bytes);
        self.left = self.left.saturating_sub(bytes);
    }
}
