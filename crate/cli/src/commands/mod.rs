//! The commands: each reads its arguments, calls the libraries and prints.

pub mod index;
pub mod pack;
pub mod serve;
pub mod verify;
