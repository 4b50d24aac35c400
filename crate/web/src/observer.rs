//! The page's view of running work: it is told each step, and may cancel between two.

use evident_verify::{Cancelled, Event, Observer};
use js_sys::Function;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

use crate::http::fetch::now;
use crate::turn::{is_cancelled, turn};

/// Forwards events to a JavaScript callback.
pub struct PageObserver {
    /// Called with each event.
    pub on_event: Function,
}

impl PageObserver {
    /// Tells the page, and hears whether it cancels.
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

    fn now(&self) -> f64 {
        now()
    }
}

/// Calls back with `event` as a plain object. A callback that throws does not stop the work.
pub fn emit(callback: &Function, event: &impl Serialize) {
    if let Ok(event) = event.serialize(&Serializer::json_compatible()) {
        let _ = callback.call1(&JsValue::NULL, &event);
    }
}
