//! From text to terms.

pub(crate) mod english;
