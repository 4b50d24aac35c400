//! The base of the other crates: the codes of errors, the [`Hash`] of a file, signatures, files that are replaced
//! whole or not at all, files that are written without following links, files of JSON lines, and texts on a terminal.

#![forbid(unsafe_code)]

mod code;
#[cfg(not(target_family = "wasm"))]
mod disk;
mod hash;
#[cfg(not(target_family = "wasm"))]
mod lines;
#[cfg(not(target_family = "wasm"))]
mod plain;
#[cfg(not(target_family = "wasm"))]
mod replace;
#[cfg(not(target_family = "wasm"))]
mod seen;
#[cfg(not(target_family = "wasm"))]
mod signature;
#[cfg(not(target_family = "wasm"))]
mod write;

pub use code::ErrorCode;
#[cfg(not(target_family = "wasm"))]
pub use disk::{Disk, SystemDisk};
pub use hash::{Hash, Hasher};
#[cfg(not(target_family = "wasm"))]
pub use lines::{LinesError, json_lines};
#[cfg(not(target_family = "wasm"))]
pub use plain::{PlainWriter, plain, plain_line};
#[cfg(not(target_family = "wasm"))]
pub use replace::{TemporaryFolder, replace_file};
#[cfg(not(target_family = "wasm"))]
pub use seen::{SeenError, SeenVersions};
#[cfg(not(target_family = "wasm"))]
pub use signature::{PublicKey, SIGNATURE, SignatureError};
#[cfg(not(target_family = "wasm"))]
pub use write::{open_to_write, write_file};
