//! A BM25 index of passages as a directory of static files, searched from where those files are: a browser over
//! plain HTTP, a native program over a file system.
//!
//! One small manifest names immutable files by their SHA-256. A cold query costs two round trips of concurrent reads:
//! the term shards its words hash to, then the passage shards of its best hits. Every file is checked against its
//! hash before it is used. `FORMAT.md`, beside this crate's sources, has the bytes.
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
// A browser builds in memory: there what writes a directory has no caller.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

mod analysis;
mod bm25;
mod builder;
mod cache;
mod codec;
mod error;
mod index;
mod manifest;
mod passages;
mod storage;
mod terms;

pub use analysis::{ANALYSIS, analyse};
pub use builder::{BuildError, BuildOptions, assemble, parse_line};
#[cfg(not(target_family = "wasm"))]
pub use builder::{BuildSummary, build, read_jsonl};
pub use error::{IndexError, StorageError};
pub use index::{Found, Hit, Index, Traffic};
pub use manifest::{FORMAT, Hash, MANIFEST, Manifest, Shard};
pub use passages::Passage;
#[cfg(not(target_family = "wasm"))]
pub use storage::FileStorage;
pub use storage::{MemoryStorage, Storage};
