//! The sources of evidence that there are, a file each.

pub(crate) mod given;
pub(crate) mod index;
pub(crate) mod wiki;
