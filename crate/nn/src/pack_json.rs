//! The file that describes a pack, and the version of it that is read here.

/// The format of pack.json that this crate reads.
pub(crate) const FORMAT: u64 = 2;

/// The file that describes a pack.
pub(crate) const PACK: &str = "pack.json";
