//! What of a corpus is read, and how.

use crate::fields::Fields;

/// Whether the infoboxes and tables of a wiki's articles are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Facts {
    /// They become short sentences in passages of their own, in the section "Facts".
    #[default]
    Read,
    /// They are left out.
    LeftOut,
}

/// How a corpus is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// Whether infoboxes and tables are read.
    pub facts: Facts,
    /// The names of its fields. A file is then read as JSONL, whatever its name.
    pub fields: Option<Fields>,
    /// If true, a line of JSON is an article, which is cut into passages: line breaks part its paragraphs, and its
    /// headings are written `== Heading ==`. If false, a line is a passage.
    pub cut: bool,
    /// The most bytes of memory for the directory of a ZIM archive, and for the redirects of a MediaWiki dump; 1 GiB by
    /// default. What takes more is refused.
    pub memory: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { facts: Facts::default(), fields: None, cut: false, memory: 1 << 30 }
    }
}
