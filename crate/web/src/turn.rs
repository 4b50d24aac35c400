//! Turns of the event loop between stretches of work, in which a message to cancel is heard. A worker does one thing at a time, so
//! there is one cancellation for all of it.

use std::cell::Cell;
use std::pin::Pin;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageChannel;

use crate::fetch::now;

/// The milliseconds of work after which the event loop should have a turn.
const STRETCH_MS: f64 = 30.0;

thread_local! {
    static CANCELLED: Cell<bool> = const { Cell::new(false) };
    /// When the event loop had its last turn.
    static LAST: Cell<f64> = const { Cell::new(0.0) };
}

/// Begins with work that may be cancelled.
pub fn begin() {
    CANCELLED.set(false);
}

/// Cancels the work.
pub fn cancel() {
    CANCELLED.set(true);
}

/// Whether the work was cancelled.
pub fn is_cancelled() -> bool {
    CANCELLED.get()
}

/// Lets the event loop have its turn. A message to oneself takes microseconds, where browsers hold every timer back by
/// milliseconds after a few.
pub async fn turn() {
    if let Ok(channel) = MessageChannel::new() {
        let (to, from) = (channel.port1(), channel.port2());
        let heard = Promise::new(&mut |resolve, _| from.set_onmessage(Some(&resolve)));
        if to.post_message(&JsValue::NULL).is_ok() {
            let _ = JsFuture::from(heard).await; // it resolves to the message
        }
        from.close();
    }
    LAST.set(now());
}

/// Lets the event loop have its turn where it had none for a while.
pub async fn rest() {
    if now() - LAST.get() > STRETCH_MS {
        turn().await;
    }
}

/// What models do within their layers: it rests, and says whether to go on.
pub fn pause() -> Pin<Box<dyn Future<Output = bool>>> {
    Box::pin(async {
        rest().await;
        !is_cancelled()
    })
}
