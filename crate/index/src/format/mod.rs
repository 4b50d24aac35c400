//! One structure on disk in each file.

pub(crate) mod bucket;
pub(crate) mod codec;
pub(crate) mod directory;
pub(crate) mod manifest;
pub(crate) mod part;
pub(crate) mod passages;
pub(crate) mod postings;
