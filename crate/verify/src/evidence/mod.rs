//! Evidence for a statement: the passages that sources find, the premises that a model reads of them, and the weight of
//! each.

pub(crate) mod copies;
pub(crate) mod merge;
pub(crate) mod overlap;
pub(crate) mod premises;
pub(crate) mod rerank;
pub(crate) mod retrieve;
pub(crate) mod source;
pub(crate) mod sources;
pub(crate) mod weigh;
