//! What can go wrong when a corpus is read.

use std::io;
use std::path::{Path, PathBuf};

use evident_index::ErrorCode;

/// Why a corpus could not be read. Lines are counted from 1; of a compressed file, the lines of its contents.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file or folder could not be read.
    #[error("{} could not be read: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line of a JSONL file is not a passage.
    #[error(
        "{} line {line} is not a passage ({reason}): write one JSON object per line, with id, title and text",
        path.display()
    )]
    NotAPassage {
        /// The file.
        path: PathBuf,
        /// Its line.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of a folder is not text.
    #[error("{} line {line} is not UTF-8 text: convert the file or take it out of the folder", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
    },
    /// The error of one file of a folder. The other files are read.
    #[error(transparent)]
    OneFile(Box<CorpusError>),
    /// A folder has no file that can be read.
    #[error("{} holds no .txt, .md or .html file", path.display())]
    NoFiles {
        /// The folder.
        path: PathBuf,
    },
    /// A file is not a MediaWiki dump.
    #[error(
        "{} line {line} is not that of a MediaWiki dump ({reason}): give a pages-articles file, .xml or .xml.bz2",
        path.display()
    )]
    NotADump {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A line is not an article of an HTML dump.
    #[error(
        "{} line {line} is not an article of a Wikimedia Enterprise dump ({reason}): give its NDJSON, or \
         name a file of passages .jsonl",
        path.display()
    )]
    NotAnArticle {
        /// The file.
        path: PathBuf,
        /// Its line; in an archive, lines are counted on from file to file.
        line: usize,
        /// The JSON parser's message.
        reason: String,
    },
    /// A file is not a ZIM archive, or of a kind that is not read.
    #[error(
        "{} is not a ZIM archive that can be read ({reason}): give one of version 5 or 6, in one file",
        path.display()
    )]
    NotAZim {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The directory of a ZIM archive, or the redirects of a dump, take more memory than they may.
    #[error(
        "the directory or the redirects of {} take more than {most} bytes of memory: allow more, such as --memory 4G",
        path.display()
    )]
    NoMemory {
        /// The archive or dump.
        path: PathBuf,
        /// The bytes that they may take.
        most: u64,
    },
    /// A line or an element of a dump is longer than [`LONGEST`](crate::LONGEST) bytes, or a page of a dump or a
    /// Markdown file than [`LONGEST_MARKUP`](crate::LONGEST_MARKUP).
    #[error(
        "{} has more than {} MiB without a break at line {line}: split it, or take it out of the corpus",
        path.display(), most >> 20
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The line in which the limit was reached.
        line: usize,
        /// The bytes that it may have.
        most: usize,
    },
    /// A compressed file or an archive cannot be expanded.
    #[error("{} is damaged at byte {offset} ({reason}): fetch it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How many of its bytes were read when the damage showed; in a ZIM archive, where it showed.
        offset: u64,
        /// The decoder's message.
        reason: String,
    },
    /// Fields are named of a corpus that has none.
    #[error("{} is a folder, whose texts have no fields to name: give a file of JSON lines", path.display())]
    NoFields {
        /// The folder.
        path: PathBuf,
    },
    /// A file ends too early.
    #[error("{} is cut short after line {line}: fetch it again", path.display())]
    CutShort {
        /// The file.
        path: PathBuf,
        /// Its last line.
        line: usize,
    },
}

impl CorpusError {
    /// The stable name of this kind of error, for callers that branch on it.
    pub fn code(&self) -> ErrorCode {
        ErrorCode::BadPassages
    }

    /// Whether only one line is wrong, behind which the corpus goes on.
    pub fn is_of_one_line(&self) -> bool {
        matches!(self, Self::NotAPassage { .. } | Self::NotAnArticle { .. })
    }

    /// Returns true if one file of a folder is wrong. The files after it are still read.
    pub fn is_of_one_file(&self) -> bool {
        matches!(self, Self::OneFile(_))
    }

    /// The error of a failed read of `path`.
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::Read { path, source }
    }
}
