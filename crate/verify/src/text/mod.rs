//! What a text says, by rule: its sentences, which of them are claims, and what these name. No model runs.

pub(crate) mod claims;
pub(crate) mod entities;
pub(crate) mod markdown;
pub(crate) mod parts;
pub(crate) mod risks;
pub(crate) mod sentences;
pub(crate) mod split;
