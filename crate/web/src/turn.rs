//! Turns of the event loop between stretches of work, in which a message to cancel can arrive.
//!
//! An engine does one piece of work at a time. The pieces are numbered, and all but the newest are cancelled.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Poll, Waker};

use js_sys::{Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageChannel;

/// Milliseconds of work after which the event loop should have a turn.
const STRETCH_MS: f64 = 30.0;

/// The number of the newest work, in all threads.
static NEWEST: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// The number of this thread's work.
    static WORK: Cell<u32> = const { Cell::new(0) };
    /// When the event loop had its last turn.
    static LAST: Cell<f64> = const { Cell::new(0.0) };
    /// The tasks that wait for the end of this thread's work.
    static WAITING: RefCell<Vec<Waker>> = const { RefCell::new(Vec::new()) };
}

/// Begins new work, which may be cancelled.
pub fn begin() {
    WORK.set(NEWEST.fetch_add(1, Ordering::Relaxed).wrapping_add(1));
    wake();
}

/// Cancels the running work.
pub fn cancel() {
    NEWEST.fetch_add(1, Ordering::Relaxed);
    wake();
}

/// Wakes the tasks that wait for the end of work: each sees for itself whether that was its own.
fn wake() {
    WAITING.take().into_iter().for_each(Waker::wake);
}

/// Waits until this thread's work is cancelled.
pub async fn cancelled() {
    let work = WORK.get();
    poll_fn(|context| {
        if work != NEWEST.load(Ordering::Relaxed) {
            return Poll::Ready(());
        }
        WAITING.with_borrow_mut(|waiting| {
            if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                waiting.push(context.waker().clone());
            }
        });
        Poll::Pending
    })
    .await;
}

/// Whether this thread's work was cancelled.
pub fn is_cancelled() -> bool {
    WORK.get() != NEWEST.load(Ordering::Relaxed)
}

/// The number of this thread's work.
#[cfg(feature = "threads")]
pub fn work() -> u32 {
    WORK.get()
}

/// Makes `work` the work of this thread, which has no event loop; returns the one before.
#[cfg(feature = "threads")]
pub fn take_part(work: u32) -> u32 {
    LAST.set(f64::INFINITY);
    WORK.replace(work)
}

/// Gives the event loop a turn. A message to this worker itself takes microseconds; browsers delay successive timers by
/// milliseconds.
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

/// Gives the event loop a turn if it had none for a while.
pub async fn rest() {
    if now() - LAST.get() > STRETCH_MS {
        turn().await;
    }
}

/// The pause of a model that is loaded or computes: it rests, and resolves to whether to go on.
pub fn pause() -> Pin<Box<dyn Future<Output = bool>>> {
    Box::pin(async {
        rest().await;
        !is_cancelled()
    })
}

/// Milliseconds on the page's monotonic clock.
pub fn now() -> f64 {
    thread_local! {
        static CLOCK: Option<web_sys::Performance> =
            Reflect::get(&js_sys::global(), &"performance".into())
                .ok()
                .and_then(|clock| clock.dyn_into().ok());
    }
    CLOCK.with(|clock| clock.as_ref().map_or(0.0, web_sys::Performance::now))
}
