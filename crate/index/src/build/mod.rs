//! From passages to the files of an index. The same passages and options give the same bytes, whatever the limit on
//! memory and the number of threads.
//!
//! [`folder`] builds, adds, merges and joins in a folder, [`assemble`] builds in memory; both build one [`segment`] at
//! a time, whose files go to an [`output`].

pub(crate) mod error;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod folder;
pub(crate) mod jsonl;
#[cfg(not(target_family = "wasm"))]
mod lists;
#[cfg(not(target_family = "wasm"))]
mod lock;
pub(crate) mod memory;
pub(crate) mod options;
mod output;
mod runs;
mod scratch;
pub(crate) mod segment;

#[cfg(test)]
mod power_loss;
#[cfg(test)]
mod tests;
