//! The ground of index and pack: the codes of errors, the [`Hash`] of a file, signatures, and files that are replaced
//! whole or not at all.

#![forbid(unsafe_code)]

mod code;
#[cfg(not(target_family = "wasm"))]
mod disk;
mod hash;
#[cfg(not(target_family = "wasm"))]
mod replace;
#[cfg(not(target_family = "wasm"))]
mod seen;
#[cfg(not(target_family = "wasm"))]
mod signature;

pub use code::ErrorCode;
#[cfg(not(target_family = "wasm"))]
pub use disk::{Disk, SystemDisk};
pub use hash::{Hash, Hasher};
#[cfg(not(target_family = "wasm"))]
pub use replace::{TemporaryFolder, replace_file};
#[cfg(not(target_family = "wasm"))]
pub use seen::{SeenError, SeenVersions};
#[cfg(not(target_family = "wasm"))]
pub use signature::{PublicKey, SIGNATURE, SignatureError};
