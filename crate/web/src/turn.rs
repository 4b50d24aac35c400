//! Turns of the event loop between stretches of work, in which a message to cancel is heard. An engine does one thing at a time: its
//! works are numbered, and what is not the newest was cancelled.

use std::cell::Cell;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageChannel;

use crate::http::fetch::now;

/// The milliseconds of work after which the event loop should have a turn.
const STRETCH_MS: f64 = 30.0;

/// The number of the newest work, in all threads.
static NEWEST: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// The number of the work that this thread is at.
    static WORK: Cell<u32> = const { Cell::new(0) };
    /// When the event loop had its last turn.
    static LAST: Cell<f64> = const { Cell::new(0.0) };
}

/// Begins with work that may be cancelled.
pub fn begin() {
    WORK.set(NEWEST.fetch_add(1, Ordering::Relaxed).wrapping_add(1));
}

/// Cancels the work.
pub fn cancel() {
    NEWEST.fetch_add(1, Ordering::Relaxed);
}

/// Whether the work was cancelled.
pub fn is_cancelled() -> bool {
    WORK.get() != NEWEST.load(Ordering::Relaxed)
}

/// The number of the work that this thread is at.
#[cfg(feature = "threads")]
pub fn work() -> u32 {
    WORK.get()
}

/// Has this thread, which has no event loop, be at the work with this number; returns that of the one before.
#[cfg(feature = "threads")]
pub fn take_part(work: u32) -> u32 {
    LAST.set(f64::INFINITY);
    WORK.replace(work)
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
