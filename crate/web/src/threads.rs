//! Threads: workers that share this module's memory, and with it the models.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::num::NonZero;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use evident_nn::{ThreadBody, Threads};
use evident_verify::{
    Cancelled, Case, Event, Judge, JudgedCase, Observer, Settings, Stage, VerifyError, VerifyEvent, Worker,
};
use futures_channel::{mpsc, oneshot};
use futures_util::{FutureExt, StreamExt};
use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::fetch::now;
use crate::{Engine, turn};

/// What threads are to do that have begun.
static BODIES: Mutex<VecDeque<ThreadBody>> = Mutex::new(VecDeque::new());
static BODY_IS_THERE: Condvar = Condvar::new();

/// The module and its memory, by which another worker becomes a thread of this engine: there, it is started with the two and calls
/// [`serve_thread`].
#[wasm_bindgen]
pub fn shared() -> Array {
    Array::of2(&wasm_bindgen::module(), &wasm_bindgen::memory())
}

/// Makes this worker one of the engine's threads, as long as there is the engine.
#[wasm_bindgen(js_name = serveThread)]
pub fn serve_thread() {
    let bodies = BODIES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut bodies =
        BODY_IS_THERE.wait_while(bodies, |bodies| bodies.is_empty()).unwrap_or_else(PoisonError::into_inner);
    let body = bodies.pop_front();
    drop(bodies);
    if let Some(body) = body {
        body();
    }
}

/// So many threads: no more than there are workers that have called [`serve_thread`]. `None` for none.
pub fn start(count: usize) -> Option<Threads> {
    let begin = |body| {
        BODIES.lock().unwrap_or_else(PoisonError::into_inner).push_back(body);
        BODY_IS_THERE.notify_one();
        Ok(())
    };
    Threads::started_by(NonZero::new(count)?, begin).ok()
}

/// `work`, whose passes in this worker borrow those of `threads` that have nothing to do.
pub async fn lend<T>(threads: &Threads, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    poll_fn(|context| threads.run(|| work.as_mut().poll(context))).await
}

#[wasm_bindgen]
impl Engine {
    /// Has `count` threads judge sentences from now on: as many workers as have called [`serve_thread`].
    #[wasm_bindgen(js_name = startThreads)]
    pub fn start_threads(&self, count: usize) {
        if let Some(threads) = start(count) {
            self.pool.share(threads, count);
        }
    }
}

/// Has a case judged in one of these threads.
pub async fn judge_on(
    threads: &Arc<Threads>,
    judge: &Arc<Judge>,
    case: Case,
    settings: &Settings,
    observer: &impl Observer,
) -> Result<JudgedCase, VerifyError> {
    let (tell, mut stages) = mpsc::unbounded();
    let (send, judged) = oneshot::channel();
    let (judge, settings, work) = (judge.clone(), settings.clone(), turn::work());
    threads.spawn(move || {
        // A thread that waits for its parts may begin with another sentence meanwhile.
        let before = turn::take_part(work);
        let observer = ThreadObserver { tell };
        // On the CPU nothing has to be waited for.
        let judged = judge.judge(case, &settings, &observer).now_or_never();
        turn::take_part(before);
        // Nobody listens where the verification has ended.
        let _ = send.send(judged.unwrap_or(Err(Cancelled.into())));
    });
    while let Some((sentence, stage)) = stages.next().await {
        observer.observe(VerifyEvent::Stage { sentence, stage }.into()).await?;
    }
    judged.await.unwrap_or(Err(Cancelled.into()))
}

/// Passes on the stages of what is judged in a thread.
struct ThreadObserver {
    /// The number of the sentence, and its stage.
    tell: mpsc::UnboundedSender<(usize, Stage)>,
}

impl Observer for ThreadObserver {
    async fn observe(&self, event: Event<'_>) -> Result<(), Cancelled> {
        if let Event::Verify(VerifyEvent::Stage { sentence, stage }) = event {
            let _ = self.tell.unbounded_send((sentence, stage)); // nobody listens where the verification has ended
        }
        if turn::is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    fn now(&self) -> f64 {
        now()
    }
}
