//! Pauses inside of a model: there, whoever runs it can let other work go on, or stop it.

use std::pin::Pin;
use std::sync::OnceLock;

use crate::NnError;

/// What is done in a pause: it may wait, and stops the computation by saying false.
pub type Pause = fn() -> Pin<Box<dyn Future<Output = bool>>>;

static PAUSE: OnceLock<Pause> = OnceLock::new();

/// Has all models pause after each half of a layer, its attention and its feed-forward, from the first call on; others count for
/// nothing.
pub fn pause_within_layers(pause: Pause) {
    let _ = PAUSE.set(pause);
}

/// # Errors
/// [`NnError::Cancelled`] where the computation is to stop.
pub(crate) async fn pause() -> Result<(), NnError> {
    match PAUSE.get() {
        Some(pause) if !pause().await => Err(NnError::Cancelled),
        _ => Ok(()),
    }
}
