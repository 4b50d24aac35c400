//! Tests that run models. They are one program, because linking a program with Burn takes seven to ten seconds.

mod assess;
mod conner;
#[path = "../embedded/mod.rs"]
mod embedded;
mod flow;
mod paper;
mod published;
mod retrieve;
mod truths;
mod workers;
