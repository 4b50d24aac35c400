//! Static files over HTTP.

pub mod body;
pub mod download;
pub mod error;
pub mod fetch;
mod retry;
