//! Layers that several architectures share, and the loader that makes them.

pub(crate) mod encoder;
pub(crate) mod linear;
pub(crate) mod loader;
pub(crate) mod norm;
pub(crate) mod relative;
pub(crate) mod table;
