//! From a path to its passages, whatever kind of corpus is there.

use std::cell::Cell;
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

/// Opens the corpus, once more each time.
type Open<'a> = &'a dyn Fn() -> Result<Lines, CorpusError>;

/// Reads the file at the path.
type Reader = fn(PathBuf, Open, Facts) -> Result<PassageStream, CorpusError>;

/// The kinds of corpora in one file, by the end of the file's name. The first that fits is taken; every name fits the
/// last.
const READERS: [(&str, Reader); 2] = [
    (".xml", |path, open, facts| Ok(Box::new(dump::passages(path, [open()?, open()?], facts)))),
    ("", |path, open, _| Ok(Box::new(jsonl::passages(path, open()?)))),
];

/// The passages of a corpus, in its order. After an error there are no more, but for a line that is no passage.
pub struct Passages {
    passages: PassageStream,
    read: Counter,
    total: u64,
    failed: bool,
}

impl Passages {
    /// Opens the corpus at `path`: a folder of text and Markdown files, a MediaWiki dump (`.xml`), or passages in JSONL
    /// (any other name; one object per line: `id`, `title`, `text`, and if wanted `section`, `source` and `names`). A
    /// further `.bz2` at the end of the name says that the file is compressed, in one stream or many.
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
        let name = path.to_string_lossy().to_lowercase();
        let (name, is_compressed) = match name.strip_suffix(".bz2") {
            Some(name) => (name, true),
            None => (name.as_str(), false),
        };
        let total = Cell::new(0);
        let open = || {
            let file = File::open(path).map_err(CorpusError::read(path))?;
            total.set(total.get() + file.metadata().map_err(CorpusError::read(path))?.len());
            let file = BufReader::new(Counted { inner: file, read: read.clone() });
            let text: Box<dyn Read + Send> =
                if is_compressed { Box::new(MultiBzDecoder::new(file)) } else { Box::new(file) };
            Ok(Lines::new(text))
        };
        let fitting = READERS.iter().find(|(ending, _)| name.ends_with(ending));
        let (_, reader) = fitting.unwrap_or(&READERS[READERS.len() - 1]);
        let passages = reader(path.into(), &open, facts)?;
        Ok(Self { passages, read: read.clone(), total: total.get(), failed: false })
    }

    /// The bytes of the corpus that were read so far, as they are on disk. A dump is read twice.
    pub fn bytes_read(&self) -> u64 {
        self.read.get()
    }

    /// The bytes that there are to read.
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
