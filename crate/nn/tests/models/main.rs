//! Tests that run models. They are one program, for each that is linked with Burn compiles for ten seconds.

mod convert;
mod embedded;
mod mutations;
mod packs;
mod sampling;
#[path = "../sealed/mod.rs"]
mod sealed;
mod tokens;
