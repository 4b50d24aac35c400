//! Evident in the browser: the wasm-bindgen surface over `evident-verify`.
//!
//! Here are HTTP, the browser's caches, the clock, workers and the index of the reader's own files; the method itself is
//! in `evident-verify`. The crate is built three times, so that a page loads only what it will use: the feature `webgpu`
//! gives the WebGPU module; `cpu` the SIMD one; `cpu` with `relaxed-simd` and `threads` the one for browsers that have
//! relaxed SIMD and memory shared between workers.

// The crate has this one target; a native build of the workspace skips it.
#![cfg(target_family = "wasm")]

mod cache;
mod conner;
mod engine;
mod error;
mod http;
mod index_builder;
mod index_files;
#[cfg(feature = "model")]
mod model;
mod observer;
mod pack;
#[cfg(feature = "threads")]
mod threads;
mod turn;
mod workers;
