//! The commands: each reads its arguments, calls the libraries and prints.

pub mod calibrate;
pub mod conner;
pub mod eval;
pub mod floors;
pub mod index;
pub mod measure;
pub mod pack;
pub mod serve;
pub mod verify;
