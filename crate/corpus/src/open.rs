//! From a path to its passages, whatever kind of corpus is there.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bzip2::bufread::MultiBzDecoder;
use evident_index::{BuildError, Passage, parse_line};

use crate::CorpusError;
use crate::readers::{dump, folder};

/// The passages of a corpus, in its order. After an error there are no more.
pub struct Passages {
    passages: Box<dyn Iterator<Item = Result<Passage, CorpusError>> + Send>,
    read: Counter,
    total: u64,
    failed: bool,
}

impl Passages {
    /// Opens the corpus at `path`: a folder of `.txt` and `.md` files, a MediaWiki dump (`.xml`), or passages in JSONL (any
    /// other name; one object per line: `id`, `title`, `text`, and where wanted `section` and `source`). A `.bz2` after the name
    /// says that it is compressed so, in one stream or many.
    ///
    /// # Errors
    /// [`CorpusError::Read`] where it cannot be opened, [`CorpusError::NoFiles`] for a folder without text. What is wrong inside comes with
    /// the passages.
    pub fn open(path: &Path) -> Result<Self, CorpusError> {
        let read = Counter::default();
        if path.is_dir() {
            let files = folder::list(path)?;
            let total = files.iter().map(|file| file.bytes).sum();
            let passages = Box::new(folder::passages(files, read.clone()));
            return Ok(Self { passages, read, total, failed: false });
        }
        let file = File::open(path).map_err(CorpusError::read(path))?;
        let total = file.metadata().map_err(CorpusError::read(path))?.len();
        let file = BufReader::new(Counted { inner: file, read: read.clone() });
        let name = path.to_string_lossy().to_lowercase();
        let (name, text): (_, Box<dyn Read + Send>) = match name.strip_suffix(".bz2") {
            Some(name) => (name, Box::new(MultiBzDecoder::new(file))),
            None => (name.as_str(), Box::new(file)),
        };
        let lines = Lines { inner: BufReader::with_capacity(1 << 16, text), ended: 0 };
        let passages: Box<dyn Iterator<Item = _> + Send> = match name.ends_with(".xml") {
            true => Box::new(dump::passages(path.into(), lines)),
            false => Box::new(jsonl(path.into(), lines)),
        };
        Ok(Self { passages, read, total, failed: false })
    }

    /// Bytes of the corpus that were read so far, as they lie on the disk.
    pub fn bytes_read(&self) -> u64 {
        self.read.0.load(Ordering::Relaxed)
    }

    /// Bytes of the corpus.
    pub fn bytes(&self) -> u64 {
        self.total
    }
}

impl Iterator for Passages {
    type Item = Result<Passage, CorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = if self.failed { None } else { self.passages.next() };
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

fn jsonl(path: PathBuf, mut lines: Lines) -> impl Iterator<Item = Result<Passage, CorpusError>> {
    let mut text = Vec::new();
    std::iter::from_fn(move || {
        text.clear();
        let ended = match lines.read_until(b'\n', &mut text) {
            Ok(0) => return None,
            Ok(_) => Ok(()),
            Err(source) => Err(lines.failed(&path, source)),
        };
        let line = lines.line() - usize::from(text.ends_with(b"\n"));
        Some(ended.and_then(|()| {
            parse_line(&text, line).map_err(|error| {
                let reason = match error {
                    BuildError::NotAPassage { reason, .. } => reason,
                    error => error.to_string(),
                };
                CorpusError::NotAPassage { path: path.clone(), line, reason }
            })
        }))
    })
}

/// Bytes read, counted where they are read and shown where someone waits.
#[derive(Clone, Default)]
pub(crate) struct Counter(Arc<AtomicU64>);

impl Counter {
    pub fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

struct Counted<R> {
    inner: R,
    read: Counter,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read.add(read as u64);
        Ok(read)
    }
}

/// A text that knows in which line its reader is.
pub(crate) struct Lines {
    inner: BufReader<Box<dyn Read + Send>>,
    ended: usize,
}

impl Lines {
    /// The line of the next byte, from 1.
    pub fn line(&self) -> usize {
        self.ended + 1
    }

    /// What an error on reading `path` means.
    pub fn failed(&self, path: &Path, source: io::Error) -> CorpusError {
        match source.kind() {
            io::ErrorKind::UnexpectedEof => CorpusError::CutShort { path: path.into(), line: self.line() },
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
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.ended += self.inner.buffer()[..bytes].iter().filter(|&&byte| byte == b'\n').count();
        self.inner.consume(bytes);
    }
}
