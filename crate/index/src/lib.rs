//! A BM25 index of passages as a directory of static files, which a browser searches over plain HTTP, and a native
//! program in a file system.
//!
//! A small manifest names immutable files by their SHA-256; a directory says where everything is in them. Most queries
//! cost two round trips of concurrent reads: first the posting lists of the query's words (of a long list, the postings
//! that earn most), then the texts of the best passages. Within [`Limits`] a query over millions of passages costs no
//! more than one over thousands, and says whether a better passage may be missing. Everything is verified against a
//! hash before it is used. `FORMAT.md`, beside this crate's sources, has the bytes.
//!
//! The layers, lowest first: `analysis` and `bm25`, the `format`, the `storage` of files, `read` and `search` below
//! [`Index`], and `build`.
//!
//! ```
//! use evident_index::{BuildOptions, FileStorage, Index, Passage, build};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let passage = |id: &str, title: &str, text: &str| {
//!     Ok(Passage { id: id.into(), title: title.into(), text: text.into(), ..Passage::default() })
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
// A browser builds in memory: the code that writes a folder has no caller there.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

mod analysis;
mod bm25;
mod build;
#[cfg(not(target_family = "wasm"))]
mod costs;
mod cut;
mod error;
#[cfg(any(test, feature = "forge"))]
mod forge;
mod format;
mod index;
mod read;
mod search;
mod storage;

pub use analysis::{Analysis, analyse};
pub use build::error::BuildError;
#[cfg(not(target_family = "wasm"))]
pub use build::folder::{BuildSummary, add, build, build_watched, join, merge};
pub use build::jsonl::parse_line;
pub use build::memory::assemble;
pub use build::options::BuildOptions;
pub use build::segment::BuildProgress;
#[cfg(not(target_family = "wasm"))]
pub use costs::{IndexCosts, PartCosts};
pub use cut::{Cutter, WORDS, ends_sentence};
pub use error::{IndexError, StorageError};
pub use evident_base::{ErrorCode, Hash};
#[cfg(feature = "forge")]
pub use forge::forge;
pub use format::manifest::{FORMAT, MANIFEST, Manifest, SegmentEntry, Shard};
pub use format::passages::Passage;
pub use index::{Index, OpenOptions};
pub use read::reading::Reading;
pub use read::source::Traffic;
pub use search::limits::{Completeness, Limits};
pub use search::result::{Hit, SearchResult};
#[cfg(feature = "forge")]
pub use storage::faulty::{Fault, Faulty};
#[cfg(not(target_family = "wasm"))]
pub use storage::file::FileStorage;
pub use storage::memory::MemoryStorage;
pub use storage::{Ranged, Storage};

/// The README, whose example is compiled as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
