//! From a path to its passages, whatever kind of corpus is there.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use bzip2::bufread::MultiBzDecoder;
use evident_index::Passage;

use crate::error::CorpusError;
use crate::lines::{Counted, Counter, Lines};
use crate::options::Facts;
use crate::readers::{dump, folder, jsonl};

type PassageStream = Box<dyn Iterator<Item = Result<Passage, CorpusError>> + Send>;

/// Reads the file at the path, whose text are these lines.
type Reader = fn(PathBuf, Lines, Facts) -> PassageStream;

/// The kinds of corpora in one file, by the end of the file's name. The first that fits is taken; every name fits the
/// last.
const READERS: [(&str, Reader); 2] = [
    (".xml", |path, lines, facts| Box::new(dump::passages(path, lines, facts))),
    ("", |path, lines, _| Box::new(jsonl::passages(path, lines))),
];

/// The passages of a corpus, in its order. After an error there are no more, but for a line that is no passage.
pub struct Passages {
    passages: PassageStream,
    read: Counter,
    total: u64,
    failed: bool,
}

impl Passages {
    /// Opens the corpus at `path`: a folder of text and Markdown files, one of them (`.txt`, `.text`, `.md`, `.markdown`),
    /// a MediaWiki dump (`.xml`), or passages in JSONL (any other name; one object per line: `id`, `title`, `text`, and if
    /// wanted `section` and `source`). A further `.bz2` at the end of the name of a dump or of passages says that the file
    /// is compressed, in one stream or many.
    ///
    /// # Errors
    /// [`CorpusError::Read`] if it cannot be opened, [`CorpusError::NoFiles`] for a folder without text. Errors inside
    /// the corpus come with its passages.
    pub fn open(path: &Path) -> Result<Self, CorpusError> {
        Self::open_with(path, Facts::default())
    }

    /// Opens the corpus at `path` as [`Passages::open`] does; `facts` says whether a dump's infoboxes and tables are
    /// read.
    ///
    /// # Errors
    /// Those of [`Passages::open`].
    pub fn open_with(path: &Path, facts: Facts) -> Result<Self, CorpusError> {
        let read = Counter::default();
        if path.is_dir() {
            let files = folder::list(path)?;
            let total = files.iter().map(|file| file.bytes).sum();
            let passages = Box::new(folder::passages(files, read.clone()));
            return Ok(Self { passages, read, total, failed: false });
        }
        let file = File::open(path).map_err(CorpusError::read(path))?;
        let total = file.metadata().map_err(CorpusError::read(path))?.len();
        if let Some(text) = folder::one(path, total) {
            let passages = Box::new(folder::passages(vec![text], read.clone()));
            return Ok(Self { passages, read, total, failed: false });
        }
        let file = BufReader::new(Counted { inner: file, read: read.clone() });
        let name = path.to_string_lossy().to_lowercase();
        let (name, text): (_, Box<dyn Read + Send>) = match name.strip_suffix(".bz2") {
            Some(name) => (name, Box::new(MultiBzDecoder::new(file))),
            None => (name.as_str(), Box::new(file)),
        };
        let fitting = READERS.iter().find(|(ending, _)| name.ends_with(ending));
        let (_, reader) = fitting.unwrap_or(&READERS[READERS.len() - 1]);
        Ok(Self { passages: reader(path.into(), Lines::new(text), facts), read, total, failed: false })
    }

    /// The bytes of the corpus that were read so far, as they are on disk.
    pub fn bytes_read(&self) -> u64 {
        self.read.get()
    }

    /// The bytes of the corpus.
    pub fn bytes(&self) -> u64 {
        self.total
    }
}

impl Iterator for Passages {
    type Item = Result<Passage, CorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = if self.failed { None } else { self.passages.next() };
        // What is no passage is one line; behind any other error there is nothing to read.
        self.failed = matches!(&next, Some(Err(error)) if !matches!(error, CorpusError::NotAPassage { .. }));
        next
    }
}
