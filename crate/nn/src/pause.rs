//! Pauses while a model is loaded or computes, in which its caller can let other work go on or stop the model.

use std::pin::Pin;
use std::sync::OnceLock;

use crate::error::Cancelled;

/// What happens in a pause. It may wait; if it returns false, the model stops.
pub type Pause = fn() -> Pin<Box<dyn Future<Output = bool>>>;

static PAUSE: OnceLock<Pause> = OnceLock::new();

/// From the first call on, all models pause: while they are loaded after each tensor, and while they compute after the
/// attention and after the feed-forward of each layer. Later calls do nothing.
pub fn pause_in_models(pause: Pause) {
    let _ = PAUSE.set(pause);
}

/// Pauses, if a pause was set.
///
/// # Errors
/// [`Cancelled`] if the model is to stop.
pub(crate) async fn pause() -> Result<(), Cancelled> {
    match PAUSE.get() {
        Some(pause) if !pause().await => Err(Cancelled),
        _ => Ok(()),
    }
}
