//! Corpora as passages, the form in which evidence is retrieved: whole sentences of one section of an article, about
//! 100 words (guan2024, Sec. 4.2), with its title, section and link.
//!
//! [`Passages::open`] reads a folder of text, Markdown and HTML files or one of them, a MediaWiki dump, an HTML dump of
//! Wikimedia Enterprise, a ZIM archive of Kiwix, or ready-made passages (JSONL), compressed or not. It streams: one
//! page of a dump or archive, one Markdown or HTML file, or one line is in memory at a time. None of these may be
//! longer than [`LONGEST`], nor a page of a MediaWiki dump or a Markdown file longer than [`LONGEST_MARKUP`], even if
//! it is small while compressed.
//!
//! ```
//! use evident_corpus::Passages;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("iron.md"), "# Iron\n\n## Rust\n\nIron rusts in *wet* air.")?;
//! let passages: Vec<_> = Passages::open(folder.path())?.collect::<Result<_, _>>()?;
//! assert_eq!(passages[0].text, "Iron rusts in wet air.");
//! assert_eq!((passages[0].title.as_str(), passages[0].section.as_deref()), ("Iron", Some("Rust")));
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod archive;
mod error;
mod fields;
mod lines;
mod open;
mod options;
mod readers;

pub use error::CorpusError;
pub use fields::{Fields, FieldsError};
pub use lines::{LONGEST, LONGEST_MARKUP};
pub use open::Passages;
pub use options::{Facts, ReadOptions};
pub use readers::page::WikitextArticle;
