//! Where the sentences of an answer are judged: in the engine's own worker, and in helpers, workers that have the models too.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Poll, Waker};

use evident_nn::{Backend, Classifier, Seq2Seq, open_device};
use evident_verify::{Assessor, Cancelled, Case, Judge, Judged, Lanes, Observer, Settings, VerifyError};
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;

use crate::error::WebError;
use crate::observer::PageObserver;
use crate::pack::RemotePack;
use crate::{plain, turn};

/// The most sentences that are judged at once.
const MOST: usize = 8;

#[wasm_bindgen]
extern "C" {
    /// A helper as the engine's worker sees it, through a port.
    pub type Helper;

    /// Has a [`Case`] judged; `on_event` is told the stages. Resolves to what was [`Judged`].
    #[wasm_bindgen(method, catch)]
    async fn judge(this: &Helper, case: JsValue, settings: JsValue, on_event: &Function) -> Result<JsValue, JsValue>;

    /// Stops what is being judged.
    #[wasm_bindgen(method)]
    fn cancel(this: &Helper);
}

/// The assessor of this worker, and the helpers.
pub struct Pool {
    assessor: Arc<Assessor>,
    /// Those with nothing to do; `None` is the assessor.
    idle: RefCell<VecDeque<Option<Helper>>>,
    waiting: RefCell<Vec<Waker>>,
}

impl Pool {
    pub fn new(assessor: Arc<Assessor>) -> Self {
        Self { assessor, idle: RefCell::new([None].into()), waiting: RefCell::default() }
    }

    /// One more helper, or one that is free again, or the assessor.
    pub fn add(&self, helper: Option<Helper>) {
        self.idle.borrow_mut().push_back(helper);
        // All of them, in the order in which they came: the first that still is there takes it.
        self.waiting.take().into_iter().for_each(Waker::wake);
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
    helper: Option<Helper>,
    /// Whether the helper is at work.
    busy: Cell<bool>,
    /// Whether it failed, and is done without.
    failed: Cell<bool>,
}

impl Lanes for PoolLanes<'_> {
    type Lane<'a>
        = Lane<'a>
    where
        Self: 'a;

    fn most(&self) -> usize {
        MOST
    }

    async fn free(&self) -> Lane<'_> {
        let taken = poll_fn(|context| match self.pool.idle.borrow_mut().pop_front() {
            Some(who) => Poll::Ready(who),
            None => {
                self.pool.waiting.borrow_mut().push(context.waker().clone());
                Poll::Pending
            }
        });
        Lane { lanes: self, helper: taken.await, busy: Cell::new(false), failed: Cell::new(false) }
    }
}

impl Judge for Lane<'_> {
    async fn judge(&self, case: Case, settings: &Settings, observer: &impl Observer) -> Result<Judged, VerifyError> {
        if let (Some(helper), Ok(sent), Ok(by)) = (&self.helper, plain(&case), plain(settings)) {
            self.busy.set(true);
            let answer = helper.judge(sent, by, self.lanes.on_event).await;
            self.busy.set(false);
            match answer.map(serde_wasm_bindgen::from_value) {
                Ok(Ok(judged)) => return Ok(judged),
                Err(error) if is_cancelled(&error) => return Err(Cancelled.into()),
                _ => self.failed.set(true),
            }
        }
        self.lanes.pool.assessor.judge(case, settings, observer).await
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        let helper = self.helper.take();
        if let Some(helper) = helper.as_ref().filter(|_| self.busy.get()) {
            helper.cancel();
        }
        if !self.failed.get() {
            self.lanes.pool.add(helper);
        }
    }
}

fn is_cancelled(error: &JsValue) -> bool {
    Reflect::get(error, &"code".into()).is_ok_and(|code| code == "cancelled")
}

/// A helper in its own worker: the models, and nothing of the index.
#[wasm_bindgen]
pub struct Assistant {
    assessor: Assessor,
}

#[wasm_bindgen]
impl Assistant {
    /// Loads the models of the pack at `pack` onto the CPU, from the browser's cache.
    ///
    /// # Errors
    /// An `Error` with a `code`; "network" where the browser has not kept the pack, which is not fetched twice.
    pub async fn open(pack: &str) -> Result<Assistant, WebError> {
        let (device, _) = open_device(Backend::Cpu).await?;
        let pack = RemotePack::open_kept(pack, &device).await?;
        let (seq2seq, nli) = load_models(&pack, |_, _| {}, |_, _| {}, |_| {}).await?;
        let calibration = pack.pack().manifest().calibration().clone();
        Ok(Self { assessor: Assessor::new(seq2seq, nli, calibration)? })
    }

    /// Judges a [`Case`] by these [`Settings`]; `on_event` is told the stages. Resolves to what was [`Judged`].
    ///
    /// # Errors
    /// An `Error` with a `code`; "cancelled" after [`Assistant::cancel`].
    pub async fn judge(&self, case: JsValue, settings: JsValue, on_event: Function) -> Result<JsValue, WebError> {
        let (case, settings) = (serde_wasm_bindgen::from_value(case)?, serde_wasm_bindgen::from_value(settings)?);
        turn::begin();
        plain(&self.assessor.judge(case, &settings, &PageObserver { on_event }).await?)
    }

    /// Stops what is being judged within a layer of its model.
    pub fn cancel(&self) {
        turn::cancel();
    }
}

/// Fetches and loads the two models of an [`Assessor`]; `fetched` and `warn` are those of [`RemotePack::fetch`], `loaded` is told how
/// many of the two are there.
pub async fn load_models(
    pack: &RemotePack,
    fetched: impl FnMut(u64, u64),
    warn: impl FnMut(&str, &str),
    loaded: impl Fn(u64),
) -> Result<(Seq2Seq, Classifier), WebError> {
    // What CONNER's models share with these comes from the cache, should they be asked for.
    pack.fetch(&["verifier", "nli"], fetched, warn).await?;
    loaded(0);
    let seq2seq = pack.load(|pack, device| pack.seq2seq("verifier", device)).await?;
    loaded(1);
    let nli = pack.load(|pack, device| pack.classifier("nli", device)).await?;
    loaded(2);
    Ok((seq2seq, nli))
}
