//! The models of a pack: which there are, how one is loaded, and how its numbers are read.

pub(crate) mod load;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod marks;
pub(crate) mod nli;
pub(crate) mod relevance;
pub(crate) mod role;
