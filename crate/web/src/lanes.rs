//! Where the sentences of an answer are judged: in the engine's own worker, and in helpers, workers that have the models too; or in
//! threads, where the page can share its memory.

#[cfg(feature = "threads")]
use std::cell::OnceCell;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Poll, Waker};

#[cfg(feature = "threads")]
use evident_nn::Threads;
use evident_nn::{Backend, open_device};
use evident_verify::{Cancelled, Case, Judge, JudgedCase, Observer, Role, Settings, VerifyError, Worker, Workers};
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;

use crate::error::WebError;
use crate::observer::PageObserver;
use crate::pack::RemotePack;
#[cfg(feature = "threads")]
use crate::threads::{judge_on, lend};
use crate::{plain, turn};

/// The most sentences that are judged at once.
const MOST: usize = 8;

#[wasm_bindgen]
extern "C" {
    /// A helper as the engine's worker sees it, through a port.
    pub type Helper;

    /// Has a [`Case`] judged; `on_event` is told the stages. Resolves to what was [`JudgedCase`].
    #[wasm_bindgen(method, catch)]
    async fn judge(this: &Helper, case: JsValue, settings: JsValue, on_event: &Function) -> Result<JsValue, JsValue>;

    /// Stops what is being judged.
    #[wasm_bindgen(method)]
    fn cancel(this: &Helper);
}

/// Who judges a sentence.
pub enum Place {
    /// The assessor, in this worker.
    Here,
    Helper(Helper),
    /// The assessor, in a thread.
    #[cfg(feature = "threads")]
    Thread(Arc<Threads>),
}

/// The assessor of this worker, and the helpers or threads.
pub struct Pool {
    assessor: Arc<Judge>,
    /// Those with nothing to do.
    idle: RefCell<VecDeque<Place>>,
    waiting: RefCell<Vec<Waker>>,
    #[cfg(feature = "threads")]
    threads: OnceCell<Arc<Threads>>,
}

impl Pool {
    pub fn new(assessor: Arc<Judge>) -> Self {
        Self {
            assessor,
            idle: RefCell::new([Place::Here].into()),
            waiting: RefCell::default(),
            #[cfg(feature = "threads")]
            threads: OnceCell::new(),
        }
    }

    /// One more, or one that is free again.
    pub fn add(&self, place: Place) {
        #[cfg(feature = "threads")]
        if matches!(place, Place::Here) && self.threads.get().is_some() {
            return;
        }
        self.idle.borrow_mut().push_back(place);
        // All of them, in the order in which they came: the first that still is there takes it.
        self.waiting.take().into_iter().for_each(Waker::wake);
    }

    /// Has these `count` threads judge from now on, and keeps this worker to its event loop.
    #[cfg(feature = "threads")]
    pub fn share(&self, threads: Threads, count: usize) {
        let threads = self.threads.get_or_init(|| threads.into());
        self.idle.borrow_mut().retain(|place| !matches!(place, Place::Here));
        (0..count).for_each(|_| self.add(Place::Thread(threads.clone())));
    }

    /// `work`, whose passes in this worker borrow the threads that have nothing to do.
    pub async fn lent_to<T>(&self, work: impl Future<Output = T>) -> T {
        #[cfg(feature = "threads")]
        if let Some(threads) = self.threads.get() {
            return lend(threads, work).await;
        }
        work.await
    }

    /// Its lanes for one verification, whose events go to `on_event`.
    pub fn lanes<'a>(&'a self, on_event: &'a Function) -> PoolLanes<'a> {
        PoolLanes { pool: self, on_event }
    }
}

/// A pool at the service of one verification.
pub struct PoolLanes<'a> {
    pool: &'a Pool,
    on_event: &'a Function,
}

/// One of a pool, in use.
pub struct Lane<'a> {
    lanes: &'a PoolLanes<'a>,
    /// `None` once it is dropped.
    place: Option<Place>,
    /// Whether the helper is at work.
    busy: Cell<bool>,
    /// Whether it failed, and is done without.
    failed: Cell<bool>,
}

impl Workers for PoolLanes<'_> {
    type Worker<'a>
        = Lane<'a>
    where
        Self: 'a;

    fn limit(&self) -> usize {
        MOST
    }

    async fn next(&self) -> Lane<'_> {
        let taken = poll_fn(|context| match self.pool.idle.borrow_mut().pop_front() {
            Some(place) => Poll::Ready(place),
            None => {
                self.pool.waiting.borrow_mut().push(context.waker().clone());
                Poll::Pending
            }
        });
        Lane { lanes: self, place: Some(taken.await), busy: Cell::new(false), failed: Cell::new(false) }
    }
}

impl Worker for Lane<'_> {
    async fn judge(
        &self,
        case: Case,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<JudgedCase, VerifyError> {
        match &self.place {
            Some(Place::Helper(helper)) => {
                if let (Ok(sent), Ok(by)) = (plain(&case), plain(settings)) {
                    self.busy.set(true);
                    let answer = helper.judge(sent, by, self.lanes.on_event).await;
                    self.busy.set(false);
                    match answer.map(serde_wasm_bindgen::from_value) {
                        Ok(Ok(judged)) => return Ok(judged),
                        Err(error) if is_cancelled(&error) => return Err(Cancelled.into()),
                        _ => self.failed.set(true),
                    }
                }
            }
            #[cfg(feature = "threads")]
            Some(Place::Thread(threads)) => {
                return judge_on(threads, &self.lanes.pool.assessor, case, settings, observer).await;
            }
            Some(Place::Here) | None => {}
        }
        self.lanes.pool.assessor.judge(case, settings, observer).await
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        let Some(place) = self.place.take() else { return };
        if let Place::Helper(helper) = &place
            && self.busy.get()
        {
            helper.cancel();
        }
        if !self.failed.get() {
            self.lanes.pool.add(place);
        }
    }
}

fn is_cancelled(error: &JsValue) -> bool {
    Reflect::get(error, &"code".into()).is_ok_and(|code| code == "cancelled")
}

/// A helper in its own worker: the models, and nothing of the index.
#[wasm_bindgen]
pub struct Assistant {
    assessor: Judge,
    pack: RemotePack,
}

#[wasm_bindgen]
impl Assistant {
    /// Loads the NLI model `model` of the pack at `pack` onto the CPU, from the browser's cache.
    ///
    /// # Errors
    /// An `Error` with a `code`; "network" where the browser has not kept the pack, which is not fetched twice.
    pub async fn open(pack: &str, model: &str) -> Result<Assistant, WebError> {
        let (device, _) = open_device(Backend::Cpu).await?;
        let pack = RemotePack::open_kept(pack, &device).await?;
        let assessor = open_assessor(&pack, &nli_model(&pack, model), |_, _| {}, |_, _| {}).await?;
        Ok(Self { assessor, pack })
    }

    /// Judges a [`Case`] by these [`Settings`]; `on_event` is told the stages. Resolves to what was [`JudgedCase`].
    ///
    /// # Errors
    /// An `Error` with a `code`; "cancelled" after [`Assistant::cancel`].
    pub async fn judge(&self, case: JsValue, settings: JsValue, on_event: Function) -> Result<JsValue, WebError> {
        let case: Case = serde_wasm_bindgen::from_value(case)?;
        let settings: Settings = serde_wasm_bindgen::from_value(settings)?;
        turn::begin();
        if self.assessor.can(&settings).is_err() {
            add_verifier(&self.assessor, &self.pack, |_, _| {}, |_, _| {}).await?;
        }
        plain(&self.assessor.judge(case, &settings, &PageObserver { on_event }).await?)
    }

    /// Stops what is being judged within a layer of its model.
    pub fn cancel(&self) {
        turn::cancel();
    }
}

/// The name of the pack's NLI model that a page wants: "nli" where the pack has no other.
pub fn nli_model(pack: &RemotePack, wanted: &str) -> String {
    let there = pack.pack().manifest().models().any(|name| name == wanted);
    if there { wanted } else { Role::Nli.name() }.to_owned()
}

/// An assessor by the NLI model that the pack calls `model`, which is fetched and loaded; `fetched` and `warn` are those of
/// [`RemotePack::fetch`].
pub async fn open_assessor(
    pack: &RemotePack,
    model: &str,
    fetched: impl FnMut(u64, u64),
    warn: impl FnMut(&str, &str),
) -> Result<Judge, WebError> {
    pack.fetch(&[model], fetched, warn).await?;
    pack.load(|pack, device| Judge::load(pack, model, device)).await
}

/// Gives an assessor the pack's T5, which is fetched and loaded; `fetched` and `warn` as above.
pub async fn add_verifier(
    assessor: &Judge,
    pack: &RemotePack,
    fetched: impl FnMut(u64, u64),
    warn: impl FnMut(&str, &str),
) -> Result<(), WebError> {
    pack.fetch(&["verifier"], fetched, warn).await?;
    Ok(assessor.add_t5(pack.load(|pack, device| Ok(pack.seq2seq("verifier", device)?)).await?)?)
}
