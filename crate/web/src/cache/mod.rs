//! What the browser keeps for later visits.

pub mod bounded;
pub mod store;
