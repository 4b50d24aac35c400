//! What an index says of a statement: the passages it has, how they are laid out for a model, and how much each counts.

pub(crate) mod premises;
pub(crate) mod rerank;
pub(crate) mod retrieve;
pub(crate) mod weigh;
