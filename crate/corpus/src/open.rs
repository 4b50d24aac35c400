//! From a path to its passages, whatever kind of corpus is there.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use evident_index::Passage;

use crate::archive::{Compression, Members};
use crate::error::CorpusError;
use crate::lines::{Counted, Counter, Lines};
use crate::options::ReadOptions;
use crate::readers::folder::Listing;
use crate::readers::{dump, enterprise, folder, jsonl, zim};

type PassageStream = Box<dyn Iterator<Item = Result<Passage, CorpusError>> + Send>;

/// Opens the corpus, once more each time.
type Open<'a> = &'a dyn Fn() -> Result<Lines, CorpusError>;

/// Reads the file at the path.
type Reader = fn(PathBuf, Open, ReadOptions) -> Result<PassageStream, CorpusError>;

/// The kinds of corpora in one file, by the end of the file's name. The first that fits is taken; every name fits the
/// last.
const READERS: [(&str, Reader); 4] = [
    (".xml", |path, open, how| Ok(Box::new(dump::passages(path, [open()?, open()?], how)))),
    (".ndjson", enterprise),
    (".tar", enterprise),
    ("", jsonl),
];

fn enterprise(path: PathBuf, open: Open, how: ReadOptions) -> Result<PassageStream, CorpusError> {
    Ok(Box::new(enterprise::passages(path, [open()?, open()?], how.facts)))
}

fn jsonl(path: PathBuf, open: Open, how: ReadOptions) -> Result<PassageStream, CorpusError> {
    Ok(jsonl::passages(path, open()?, how.fields, how.cut))
}

/// The passages of a corpus, in its order. After an error there are no more, except after that of a line that is no
/// passage or article, and of one file of a folder.
pub struct Passages {
    passages: PassageStream,
    read: Counter,
    total: u64,
    others: BTreeMap<String, usize>,
    failed: bool,
}

impl Passages {
    /// Opens the corpus at `path`: a folder of text, Markdown and HTML files, one of them, a MediaWiki dump (`.xml`),
    /// an HTML dump of Wikimedia Enterprise (`.ndjson`, or a `.tar` of such files), a ZIM archive of Kiwix (`.zim`), or
    /// passages in JSONL (any other name; one object per line: `id`, `title`, `text`, and if wanted `section`, `source`
    /// and `names`). A further `.bz2` or `.gz` at the end of the name says that the file is compressed, in one stream
    /// or many; `.tgz` is `.tar.gz`.
    ///
    /// # Errors
    /// [`CorpusError::Read`] if it cannot be opened, [`CorpusError::NoFiles`] for a folder without text,
    /// [`CorpusError::NotAZim`] or [`CorpusError::Damaged`] if a ZIM archive does not begin as one. Errors inside
    /// the corpus come with its passages.
    pub fn open(path: &Path) -> Result<Self, CorpusError> {
        Self::open_with(path, ReadOptions::default())
    }

    /// Opens the corpus at `path` as [`Passages::open`] does.
    ///
    /// # Errors
    /// Those of [`Passages::open`], and [`CorpusError::NoFields`] for fields of a folder.
    pub fn open_with(path: &Path, how: ReadOptions) -> Result<Self, CorpusError> {
        let read = Counter::default();
        if path.is_dir() {
            if how.fields.is_some() {
                return Err(CorpusError::NoFields { path: path.into() });
            }
            let Listing { files, others } = folder::list(path)?;
            let total = files.iter().map(|file| file.bytes).sum();
            let passages = Box::new(folder::passages_of_each(files, how.facts, read.clone()));
            return Ok(Self { passages, read, total, others, failed: false });
        }
        let others = BTreeMap::new();
        if let Some(text) = folder::one(path)?.filter(|_| how.fields.is_none()) {
            let total = text.bytes;
            let passages = Box::new(folder::passages(vec![text], how.facts, read.clone()));
            return Ok(Self { passages, read, total, others, failed: false });
        }
        if how.fields.is_none() && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zim")) {
            let archive = zim::Archive::open(path, read.clone(), how.memory)?;
            let total = archive.bytes();
            return Ok(Self {
                passages: Box::new(zim::passages(archive, how.facts)),
                read,
                total,
                others,
                failed: false,
            });
        }
        let (compression, name) = Compression::of(&path.to_string_lossy().to_lowercase());
        let total = Cell::new(0);
        let open = || {
            let file = File::open(path).map_err(CorpusError::read(path))?;
            total.set(total.get() + file.metadata().map_err(CorpusError::read(path))?.len());
            let place = Counter::default();
            let text =
                compression.expanded(Counted { inner: BufReader::new(file), read: read.clone(), place: place.clone() });
            Ok(Lines::new(if name.ends_with(".tar") { Box::new(Members::new(text)) } else { text }, place))
        };
        let fitting = READERS.iter().find(|(ending, _)| name.ends_with(ending) && how.fields.is_none());
        let reader = fitting.map_or(jsonl as Reader, |(_, reader)| *reader);
        let passages = reader(path.into(), &open, how)?;
        Ok(Self { passages, read: read.clone(), total: total.get(), others, failed: false })
    }

    /// The bytes of the corpus that were read so far, as they are on disk. Dumps are read twice.
    pub fn bytes_read(&self) -> u64 {
        self.read.get()
    }

    /// The number of files of a folder that are not read, by the ends of their names, such as ".pdf"; "" for a name
    /// without one.
    pub fn others(&self) -> &BTreeMap<String, usize> {
        &self.others
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
        // Behind any other error there is nothing to read.
        self.failed = matches!(&next, Some(Err(error)) if !error.is_of_one_line() && !error.is_of_one_file());
        next
    }
}
