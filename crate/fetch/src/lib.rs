//! Brings published checkpoints over HTTP: files that a list pins to a revision and, mostly, to a SHA-256.
//!
//! [`Pins`] is the list. A [`Fetch`] brings one checkpoint's files: from the next mirror if one fails, and from where a
//! download broke off. A file gets its name only once its SHA-256 is right. [`Lock`] keeps the hashes that no list
//! states. A [`Client`] gets small answers, such as those of a web service.

#![forbid(unsafe_code)]

mod client;
mod download;
mod error;
mod fetch;
mod lock;
mod pins;

pub use client::{Answer, Client, ClientError};
pub use error::FetchError;
pub use fetch::{Arriving, Brought, Fetch};
pub use lock::{LOCK, Lock};
pub use pins::{Pin, PinnedFile, Pins};
