//! The sentences of an answer, judged on several threads, which share the models.

use std::future::{Future, ready};
use std::num::NonZero;
use std::sync::Arc;
use std::thread::{self, available_parallelism};

use evident_verify::{Assessor, Case, Event, Judge, Judged, Lanes, Observer, Settings, Stage, VerifyError};
use futures_channel::oneshot;
use futures_lite::future::block_on;

use crate::progress::Progress;

/// How many threads a command works on: as many as it was told, or one for each core.
pub fn number(asked: Option<NonZero<usize>>) -> usize {
    asked.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get)
}

/// Judges as many sentences at once as there are to be threads.
pub struct Threads {
    pub assessor: Arc<Assessor>,
    pub count: usize,
}

/// A thread is started for each sentence, which takes far longer, so that one is free whenever fewer than all are judged.
impl Lanes for Threads {
    type Lane<'a> = &'a Self;

    fn most(&self) -> usize {
        self.count
    }

    fn free(&self) -> impl Future<Output = &Self> {
        ready(self)
    }
}

impl Judge for Threads {
    async fn judge(&self, case: Case, settings: &Settings, observer: &impl Observer) -> Result<Judged, VerifyError> {
        observer.observe(Event::Stage { sentence: case.apart.number, stage: Stage::Nli }).await?;
        let (assessor, settings) = (self.assessor.clone(), settings.clone());
        let (send, judged) = oneshot::channel();
        thread::spawn(move || {
            // Nobody waits for it where another sentence's error ended the work.
            let _ = send.send(block_on(assessor.judge(case, &settings, &Progress::quiet())));
        });
        judged.await.expect("a thread that judges ends with what it found")
    }
}
