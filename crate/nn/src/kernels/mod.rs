//! The inner loops of the CPU. They work on slices of numbers and depend on neither tensors nor layers.
//!
//! The loops are written so that the compiler turns them into vector instructions: lanes of a fixed size, no branches,
//! and polynomials in place of library functions.

pub(crate) mod elementwise;
pub(crate) mod float;
pub(crate) mod int8;
pub(crate) mod norm;
pub(crate) mod reduce;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod rotary;
pub(crate) mod simd;
pub(crate) mod softmax;
pub(crate) mod tiles;
