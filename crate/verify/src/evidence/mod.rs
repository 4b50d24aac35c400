//! What sources say of a statement: the passages that they find, how these are laid out for a model, and how much each
//! counts.

pub(crate) mod merge;
pub(crate) mod overlap;
pub(crate) mod premises;
pub(crate) mod rerank;
pub(crate) mod retrieve;
pub(crate) mod source;
pub(crate) mod sources;
pub(crate) mod weigh;
