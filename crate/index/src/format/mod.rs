//! What is on disk, one structure in each file; `FORMAT.md` has the bytes. `encode` and `decode` are for a whole file
//! or chunk, `write_` and `read_` for a piece of one. `decode` checks that nothing follows.

pub(crate) mod bucket;
pub(crate) mod codec;
pub(crate) mod directory;
pub(crate) mod manifest;
pub(crate) mod part;
pub(crate) mod passages;
pub(crate) mod postings;
