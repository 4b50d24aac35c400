//! Reading and verifying chunks.

pub(crate) mod cache;
pub(crate) mod chunks;
