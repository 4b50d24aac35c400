//! What the browser keeps for later visits. It is apart from `evident-web`, so that the module that asks wikis, which is
//! fetched by itself, has it too.

// The crate has this one target; a native build of the workspace skips it.
#![cfg(target_family = "wasm")]

mod bounded;
mod store;

pub use bounded::{Bound, BoundedCache, INDEX_BYTES};
pub use store::{Cache, INDEXES, PACKS, WIKIS};
