//! A folder of static files on localhost, the way any static host would serve it: ranges, caching by hashed names, no
//! hidden file, nothing outside the folder.

#![forbid(unsafe_code)]

mod request;
mod response;
mod server;

pub use response::Site;
pub use server::{ListenError, Server};
