//! Pauses inside a model, in which its caller can let other work go on or stop the model.

use std::pin::Pin;
use std::sync::OnceLock;

use crate::error::NnError;

/// What happens in a pause. It may wait; if it returns false, the model stops.
pub type Pause = fn() -> Pin<Box<dyn Future<Output = bool>>>;

static PAUSE: OnceLock<Pause> = OnceLock::new();

/// From the first call on, all models pause after the attention and after the feed-forward of each layer. Later calls do
/// nothing.
pub fn pause_within_layers(pause: Pause) {
    let _ = PAUSE.set(pause);
}

/// Pauses, if a pause was set.
///
/// # Errors
/// [`NnError::Cancelled`] if the model is to stop.
pub(crate) async fn pause() -> Result<(), NnError> {
    match PAUSE.get() {
        Some(pause) if !pause().await => Err(NnError::Cancelled),
        _ => Ok(()),
    }
}
