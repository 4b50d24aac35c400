//! What an index says of a statement: the passages it has, and how they are laid out for a model.

pub(crate) mod premises;
pub(crate) mod rerank;
pub(crate) mod retrieve;
