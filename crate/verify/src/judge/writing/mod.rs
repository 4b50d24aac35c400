//! What a T5 that can write is asked to write: a statement that stands alone, or its atomic facts.

pub(crate) mod facts;
pub(crate) mod restate;
