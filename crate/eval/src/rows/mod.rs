//! Labelled statements, from the layouts that they are published in.

pub(crate) mod chunks;
pub(crate) mod contexts;
pub(crate) mod formats;
pub(crate) mod portion;
pub(crate) mod row;
pub(crate) mod unit;
