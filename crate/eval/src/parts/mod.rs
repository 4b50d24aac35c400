//! The parts of the flow, each measured alone.

mod curve;
pub mod decontextualise;
pub mod marks;
pub mod packs;
pub mod pronouns;
mod recall;
pub mod risks;
pub mod sentences;

pub use curve::{Curve, CurveRows};
pub use recall::{Recall, RecallRows};
