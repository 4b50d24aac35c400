//! Evident in the browser: the wasm-bindgen surface over `evident-verify`.
//!
//! Here are HTTP, the browser's caches, the clock, the workers and the index of the reader's own files; the method
//! itself is in `evident-verify`. The crate is built three times, so that a page loads only what it uses: with the
//! feature `webgpu` for WebGPU, with `cpu` for SIMD, and with `cpu`, `relaxed-simd` and `threads` for browsers with
//! relaxed SIMD and memory shared between workers.

// The crate has this one target; a native build of the workspace skips it.
#![cfg(target_family = "wasm")]

mod conner;
mod engine;
mod error;
mod helper;
mod http;
mod index_builder;
mod index_files;
mod js;
mod load;
#[cfg(feature = "model")]
mod model;
mod observer;
mod pack;
#[cfg(feature = "threads")]
mod threads;
mod turn;
mod wiki;
mod workers;
