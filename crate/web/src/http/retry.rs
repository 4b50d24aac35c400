//! When a request that failed is made again: one rule for all files.

use gloo_timers::future::TimeoutFuture;

use crate::http::error::{FetchError, Reason};

/// Delays before the second try and each later one, in milliseconds.
const WAITS_MS: [u32; 4] = [0, 500, 2_000, 5_000];

/// How many of these delays a silent host uses up. The second silence ends the tries before the page loses patience
/// with the worker.
const SILENCE: usize = 2;

/// The tries of one file.
#[derive(Default)]
pub struct Tries {
    used: usize,
}

impl Tries {
    /// Waits until the next try is due, after one that failed by `error`.
    ///
    /// # Errors
    /// The error itself if this was the last try, and at once if the file is not there.
    pub async fn again(&mut self, error: FetchError) -> Result<(), FetchError> {
        match &error {
            FetchError::Missing { .. } => return Err(error),
            FetchError::Network { reason: Reason::Silence, .. } => self.used += SILENCE,
            FetchError::Network { .. } => {}
        }
        let Some(&wait) = WAITS_MS.get(self.used) else { return Err(error) };
        self.used += 1;
        TimeoutFuture::new(wait).await;
        Ok(())
    }
}
