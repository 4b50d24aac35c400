//! The workers that judge the sentences of an answer: the engine's own, helpers that have loaded the models too, or
//! threads, if the page can share its memory.

#[cfg(feature = "threads")]
use std::cell::OnceCell;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Poll, Waker};

#[cfg(feature = "threads")]
use evident_nn::Threads;
use evident_verify::{Cancelled, Case, Judge, JudgedCase, Observer, Settings, VerifyError, Worker, Workers};
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;

use crate::js::plain;
#[cfg(feature = "threads")]
use crate::threads::{lend, run_on_thread};

/// How many sentences are judged at once, at most.
const LIMIT: usize = 8;

#[wasm_bindgen]
extern "C" {
    /// A helper, as the engine's worker reaches it through a port.
    pub type Helper;

    /// Judges a [`Case`]; `on_event` receives the stages. Resolves to a [`JudgedCase`].
    #[wasm_bindgen(method, catch)]
    async fn judge(this: &Helper, case: JsValue, settings: JsValue, on_event: &Function) -> Result<JsValue, JsValue>;

    /// Stops the case that is being judged.
    #[wasm_bindgen(method)]
    fn cancel(this: &Helper);
}

/// Where a sentence is judged.
pub enum WorkerPlace {
    /// In the engine's own worker.
    Here,
    Helper(Helper),
    /// In one of these threads.
    #[cfg(feature = "threads")]
    Thread(Arc<Threads>),
}

/// The judge of the engine's own worker, with the helpers or threads.
pub struct Pool {
    judge: Arc<Judge>,
    /// The workers with nothing to do.
    idle: RefCell<VecDeque<WorkerPlace>>,
    /// The tasks that wait for a worker.
    waiting: RefCell<Vec<Waker>>,
    #[cfg(feature = "threads")]
    threads: OnceCell<Arc<Threads>>,
}

impl Pool {
    /// A pool of the engine's own worker alone.
    pub fn new(judge: Arc<Judge>) -> Self {
        Self {
            judge,
            idle: RefCell::new([WorkerPlace::Here].into()),
            waiting: RefCell::default(),
            #[cfg(feature = "threads")]
            threads: OnceCell::new(),
        }
    }

    /// Adds a worker, or takes one back that is free again.
    pub fn add(&self, place: WorkerPlace) {
        #[cfg(feature = "threads")]
        if matches!(place, WorkerPlace::Here) && self.threads.get().is_some() {
            return;
        }
        self.idle.borrow_mut().push_back(place);
        // Wakes all tasks, in the order in which they came: the first one still there takes the worker.
        self.waiting.take().into_iter().for_each(Waker::wake);
    }

    /// From now on these `count` threads judge, and the engine's own worker only runs its event loop.
    #[cfg(feature = "threads")]
    pub fn share(&self, threads: Threads, count: usize) {
        let threads = self.threads.get_or_init(|| threads.into());
        self.idle.borrow_mut().retain(|place| !matches!(place, WorkerPlace::Here));
        (0..count).for_each(|_| self.add(WorkerPlace::Thread(threads.clone())));
    }

    /// Runs `work`; its model passes in this worker borrow the idle threads.
    pub async fn lent_to<T>(&self, work: impl Future<Output = T>) -> T {
        #[cfg(feature = "threads")]
        if let Some(threads) = self.threads.get() {
            return lend(threads, work).await;
        }
        work.await
    }

    /// The workers for one verification, whose events go to `on_event`.
    pub fn workers<'a>(&'a self, on_event: &'a Function) -> PoolWorkers<'a> {
        PoolWorkers { pool: self, on_event }
    }
}

/// The workers of a pool during one verification.
pub struct PoolWorkers<'a> {
    pool: &'a Pool,
    on_event: &'a Function,
}

/// A worker of a pool, in use. It returns to the pool when it is dropped.
pub struct PoolWorker<'a> {
    workers: &'a PoolWorkers<'a>,
    /// `None` once it has returned.
    place: Option<WorkerPlace>,
    /// Whether a helper is judging.
    busy: Cell<bool>,
    /// Whether a helper failed: it does not return to the pool.
    failed: Cell<bool>,
}

impl Workers for PoolWorkers<'_> {
    type Worker<'a>
        = PoolWorker<'a>
    where
        Self: 'a;

    fn limit(&self) -> usize {
        LIMIT
    }

    async fn next(&self) -> PoolWorker<'_> {
        let taken = poll_fn(|context| match self.pool.idle.borrow_mut().pop_front() {
            Some(place) => Poll::Ready(place),
            None => {
                self.pool.waiting.borrow_mut().push(context.waker().clone());
                Poll::Pending
            }
        });
        PoolWorker { workers: self, place: Some(taken.await), busy: Cell::new(false), failed: Cell::new(false) }
    }
}

impl Worker for PoolWorker<'_> {
    async fn judge(
        &self,
        case: Case,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<JudgedCase, VerifyError> {
        match &self.place {
            Some(WorkerPlace::Helper(helper)) => {
                if let (Ok(sent), Ok(by)) = (plain(&case), plain(settings)) {
                    self.busy.set(true);
                    let answer = helper.judge(sent, by, self.workers.on_event).await;
                    self.busy.set(false);
                    match answer.map(serde_wasm_bindgen::from_value) {
                        Ok(Ok(judged)) => return Ok(judged),
                        Err(error) if is_cancelled(&error) => return Err(Cancelled.into()),
                        _ => self.failed.set(true),
                    }
                }
            }
            #[cfg(feature = "threads")]
            Some(WorkerPlace::Thread(threads)) => {
                return run_on_thread(threads, &self.workers.pool.judge, case, settings, observer).await;
            }
            Some(WorkerPlace::Here) | None => {}
        }
        self.workers.pool.judge.judge(case, settings, observer).await
    }
}

impl Drop for PoolWorker<'_> {
    fn drop(&mut self) {
        let Some(place) = self.place.take() else { return };
        if let WorkerPlace::Helper(helper) = &place
            && self.busy.get()
        {
            helper.cancel();
        }
        if !self.failed.get() {
            self.workers.pool.add(place);
        }
    }
}

fn is_cancelled(error: &JsValue) -> bool {
    Reflect::get(error, &"code".into()).is_ok_and(|code| code == "cancelled")
}
