//! `evident-web` as a WebAssembly module. With fat LTO the last crate's level of optimisation is that of the passes
//! over the whole module: this crate's is 3, for the loops of `evident-nn`, so that `evident-web` can be compiled for
//! size.

#[cfg(target_family = "wasm")]
extern crate evident_web as _;
