//! Reading an index: its segments, and their chunks by ranges or whole files, each verified before it is used.

pub(crate) mod cache;
pub(crate) mod chunks;
pub(crate) mod reading;
pub(crate) mod segments;
pub(crate) mod source;
