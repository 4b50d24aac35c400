//! Tests that run models. They are one program, for each that is linked with Burn compiles for ten seconds.

mod assess;
mod conner;
#[path = "../embedded/mod.rs"]
mod embedded;
mod flow;
mod paper;
mod retrieve;
mod workers;
