//! The page as an observer of the work: it receives each step, and may cancel between two.

use evident_verify::{Cancelled, Event, Observer};
use js_sys::Function;
use serde::Serialize;

use crate::js::emit;
use crate::turn::{cancelled, is_cancelled, now, turn};

/// Forwards events to a JavaScript callback.
pub struct PageObserver {
    /// Called with each event.
    pub on_event: Function,
}

impl PageObserver {
    /// Sends `event` to the page, and gives it a turn in which to cancel.
    pub async fn tell(&self, event: &impl Serialize) -> Result<(), Cancelled> {
        emit(&self.on_event, event);
        turn().await;
        if is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

impl Observer for PageObserver {
    async fn observe(&self, event: Event<'_>) -> Result<(), Cancelled> {
        self.tell(&event).await
    }

    async fn cancelled(&self) -> Cancelled {
        cancelled().await;
        Cancelled
    }

    fn now(&self) -> f64 {
        now()
    }
}
