//! Static files over HTTP.

pub mod download;
pub mod fetch;
