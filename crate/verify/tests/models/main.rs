//! Tests that run models. They are one program, for each that is linked with Burn takes seven to ten seconds to build.

mod assess;
mod conner;
#[path = "../embedded/mod.rs"]
mod embedded;
mod flow;
mod paper;
mod published;
mod retrieve;
mod workers;
