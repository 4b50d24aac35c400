//! The sentences of an answer, judged on several threads, which share the models.

use std::future::{Future, ready};
use std::num::NonZero;
use std::sync::Arc;
use std::thread::{self, available_parallelism};

use evident_nn::{Threads, ThreadsError};
use evident_verify::{Case, Judge, JudgedCase, Observer, Settings, Stage, VerifyError, VerifyEvent, Worker, Workers};
use futures_channel::oneshot;
use futures_lite::future::block_on;

use crate::progress::Progress;

/// How many threads a command works on: as many as it was told, or one for each core.
pub fn number(asked: Option<NonZero<usize>>) -> usize {
    asked.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get)
}

/// Judges up to `count` sentences at once, each on a thread. With fewer sentences, the models use the other threads.
pub struct ThreadWorkers {
    judge: Arc<Judge>,
    count: usize,
    pool: Arc<Threads>,
}

impl ThreadWorkers {
    /// # Errors
    /// [`ThreadsError`]
    pub fn new(judge: Arc<Judge>, count: usize) -> Result<Self, ThreadsError> {
        Ok(Self { judge, count, pool: Threads::on_cores(count)?.into() })
    }
}

/// A thread is started for each sentence, since judging takes far longer than starting one. So a worker is always free
/// while fewer than `limit` sentences are judged.
impl Workers for ThreadWorkers {
    type Worker<'a> = &'a Self;

    fn limit(&self) -> usize {
        self.count
    }

    fn next(&self) -> impl Future<Output = &Self> {
        ready(self)
    }
}

impl Worker for ThreadWorkers {
    async fn judge(
        &self,
        case: Case,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<JudgedCase, VerifyError> {
        observer.observe(VerifyEvent::Stage { sentence: case.claim.number, stage: Stage::Nli }.into()).await?;
        let (judge, pool, settings) = (self.judge.clone(), self.pool.clone(), settings.clone());
        let (send, judged) = oneshot::channel();
        thread::spawn(move || {
            // The receiver is gone if another sentence's error ended the work.
            let _ = send.send(pool.run(|| block_on(judge.judge(case, &settings, &Progress::quiet()))));
        });
        judged.await.expect("a thread that judges ends with what it found")
    }
}
