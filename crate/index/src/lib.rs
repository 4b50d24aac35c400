//! A BM25 index of passages as a directory of static files, searched from where those files are: a browser over
//! plain HTTP, a native program over a file system.
//!
//! One small manifest names immutable files by their SHA-256; a directory says what is where in them. A query costs two round
//! trips of concurrent reads as a rule: the lists of its words, of long lists the postings that earn most, then the texts of
//! its best passages. Within [`Limits`] it costs no more over millions of passages than over thousands, and says where a better
//! passage may be missing. All that is used is checked against a hash first. `FORMAT.md`, beside this crate's sources, has the
//! bytes.
//!
//! ```
//! use evident_index::{BuildOptions, FileStorage, Index, Passage, build};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let passage = |id: &str, title: &str, text: &str| {
//!     Ok(Passage { id: id.into(), title: title.into(), section: None, text: text.into(), source: None })
//! };
//! let directory = tempfile::tempdir()?;
//! let out = directory.path().join("planets");
//! let passages = [
//!     passage("jupiter", "Jupiter", "Jupiter is the largest planet of the Solar System."),
//!     passage("mercury", "Mercury", "Mercury is the planet closest to the Sun."),
//! ];
//! build(passages, &out, &BuildOptions::default())?;
//!
//! futures_lite::future::block_on(async {
//!     let index = Index::open(FileStorage::new(&out)).await?;
//!     let hits = index.search("Which planet is the largest?", 10).await?;
//!     assert_eq!(hits[0].passage.id, "jupiter");
//!     Ok(())
//! })
//! # }
//! ```

#![forbid(unsafe_code)]
// A browser builds in memory: there what writes a folder has no caller.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

mod analysis;
mod bm25;
mod build;
mod error;
#[cfg(any(test, feature = "forge"))]
mod forge;
mod format;
mod index;
mod read;
mod search;
mod storage;

pub use analysis::english::{ANALYSIS, analyse};
pub use build::{BuildError, BuildOptions, Progress, assemble, parse_line};
#[cfg(not(target_family = "wasm"))]
pub use build::{BuildSummary, add, build, build_watched, merge, read_jsonl};
pub use error::{IndexError, StorageError};
#[cfg(feature = "forge")]
pub use forge::forge;
pub use format::manifest::{FORMAT, Hash, MANIFEST, Manifest, SegmentEntry, Shard};
pub use format::passages::Passage;
pub use index::{Hit, Index};
pub use read::chunks::Traffic;
pub use search::{Completeness, Found, Limits};
#[cfg(not(target_family = "wasm"))]
pub use storage::FileStorage;
pub use storage::{MemoryStorage, Ranged, Storage};
