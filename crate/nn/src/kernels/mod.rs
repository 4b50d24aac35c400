//! The CPU's inner loops, on slices.

pub(crate) mod float;
pub(crate) mod int8;
pub(crate) mod simd;
pub(crate) mod tiles;
