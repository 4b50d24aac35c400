//! Tests that run models. They are one program, for each that is linked with Burn takes seven to ten seconds to build.

mod convert;
mod embedded;
mod mutations;
mod packs;
mod sampling;
#[path = "../sealed/mod.rs"]
mod sealed;
mod tokens;
