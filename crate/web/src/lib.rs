//! Evident in the browser: the wasm-bindgen surface over `evident-verify`.
//!
//! Fetch, cache, the clock and the index of the reader's own files are here, and nothing of the method. The crate is built
//! three times, so that a page loads only what it will use: the `webgpu` feature gives the WebGPU module, `cpu` the SIMD one, and with `relaxed-simd` and
//! `threads` that for browsers with relaxed SIMD and for a memory that workers can share.

// The crate's one target; a native build of the workspace passes it by.
#![cfg(target_family = "wasm")]

mod build;
mod cache;
mod conner;
mod download;
mod error;
mod fetch;
mod index;
mod lanes;
#[cfg(feature = "model")]
mod model;
mod observer;
mod pack;
#[cfg(feature = "threads")]
mod threads;
mod turn;

use std::cell::OnceCell;
use std::sync::Arc;

use evident_index::Index;
use evident_nn::{Backend, Device, open_device, pause_within_layers};
use evident_verify::conner::Conner;
use evident_verify::{About, BackendReport, PackReport, Reranker, Retriever, Settings, Verifier, reranking_model};
use js_sys::Function;
use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use error::WebError;
use index::WebStorage;
use lanes::{Helper, Place, Pool, add_verifier, nli_model, open_assessor};
use observer::{PageObserver, emit};
use pack::RemotePack;

/// Where [`Engine::open`] finds its data, and what it runs on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct OpenOptions {
    /// The pack's base address.
    pack: String,
    /// The index: its base address, or a `Map` of its files' names to `Blob`s.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    index: JsValue,
    /// The most bytes of it that the browser's cache keeps.
    index_cache: Option<u64>,
    /// Which of the pack's NLI models: "nli", or "small" where the pack has that.
    #[serde(default = "nli")]
    model: String,
    /// The base address of a pack whose model puts passages in order after BM25.
    rerank: Option<String>,
    backend: Backend,
}

fn nli() -> String {
    "nli".to_owned()
}

/// What [`Engine::verify`] and [`split`] are told beside the answer.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct VerifyOptions {
    question: Option<String>,
    settings: Settings,
}

/// How far loading is: bytes of the pack, steps of the rest.
#[derive(Serialize)]
struct LoadProgress {
    stage: LoadStage,
    loaded: u64,
    total: u64,
}

/// The same as an event of a verification that has to load a model first.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
enum LoadEvent {
    Load(LoadProgress),
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum LoadStage {
    Pack,
    Models,
    Rerank,
    Index,
    Warmup,
}

/// What did not go as it should, and stops nothing.
#[derive(Serialize)]
struct Notice {
    kind: &'static str,
    message: String,
}

impl Notice {
    /// The browser does not keep a file of the pack.
    fn not_kept(file: &str, reason: &str) -> Self {
        let message = format!("the browser does not keep {file} ({reason}): the next visit fetches it again");
        Self { kind: "not-kept", message }
    }
}

/// How `answer` falls into sentences, by the options of [`Engine::verify`]; no model is needed.
///
/// # Errors
/// An `Error` with the code "answer-too-long" or "bad-settings".
#[wasm_bindgen]
pub fn split(answer: &str, options: JsValue) -> Result<JsValue, WebError> {
    let VerifyOptions { question, settings } = serde_wasm_bindgen::from_value(options)?;
    plain(&evident_verify::split(answer, question.as_deref(), &settings)?)
}

/// A verifier with its models on a device and its index open.
#[wasm_bindgen]
pub struct Engine {
    verifier: Verifier<WebStorage>,
    pool: Pool,
    /// CONNER's scorer, once it has been asked for.
    conner: OnceCell<Conner>,
    pack: RemotePack,
    /// What the pack calls the NLI model.
    model: String,
    backend: BackendReport,
    on_notice: Function,
}

#[wasm_bindgen]
impl Engine {
    /// Loads the pack onto the backend's device and opens the index. `on_notice` is told, then and later, what did not go as it
    /// should and stops nothing: `{ kind, message }`.
    ///
    /// # Errors
    /// An `Error` whose `code` says which of the pack, the index, the backend or the network failed.
    pub async fn open(options: JsValue, on_progress: Function, on_notice: Function) -> Result<Engine, WebError> {
        let options: OpenOptions = serde_wasm_bindgen::from_value(options)?;
        let progress = |stage, loaded, total| emit(&on_progress, &LoadProgress { stage, loaded, total });
        pause_within_layers(turn::pause);
        let (device, name) = open_device(options.backend).await?;

        let pack = RemotePack::open(&options.pack, &device).await?;
        let fetched = |loaded, total| progress(LoadStage::Pack, loaded, total);
        let warn = |file: &str, reason: &str| emit(&on_notice, &Notice::not_kept(file, reason));
        let model = nli_model(&pack, &options.model);
        let judge = Arc::new(open_assessor(&pack, &model, fetched, warn).await?);
        progress(LoadStage::Models, 1, 1);
        let reranker = match &options.rerank {
            Some(pack) => {
                let fetched = |loaded, total| progress(LoadStage::Rerank, loaded, total);
                Some(open_reranker(pack, &device, fetched, warn).await?.into())
            }
            None => None,
        };

        let index = Index::open(WebStorage::new(&options.index, options.index_cache)?).await?;
        progress(LoadStage::Index, 1, 1);

        // Shaders are compiled on their first use, and code for the CPU optimised soon after: here, rather than under the first sentence.
        progress(LoadStage::Warmup, 0, 1);
        judge.nli().classifier().logits(&[("warm", "up")]).await?;
        progress(LoadStage::Warmup, 1, 1);

        let backend = BackendReport { kind: options.backend, name };
        let about = About { backend: backend.clone(), pack: PackReport::of(pack.pack().manifest()) };
        let pool = Pool::new(judge.clone());
        let verifier = Verifier::new(judge, Retriever::new(index, reranker), about);
        Ok(Self { verifier, pool, conner: OnceCell::new(), pack, model, backend, on_notice })
    }

    /// What this engine runs on: `{ kind, name }`.
    #[wasm_bindgen(getter)]
    pub fn backend(&self) -> Result<JsValue, WebError> {
        plain(&self.backend)
    }

    /// Has one more worker judge sentences, in the verification that is running and in later ones.
    #[wasm_bindgen(js_name = addHelper)]
    pub fn add_helper(&self, helper: Helper) {
        self.pool.add(Place::Helper(helper));
    }

    /// Judges every sentence of `answer`; `on_event` is told each step. Resolves to the report. Where the settings ask a T5, it
    /// is fetched and loaded first, unless it is there.
    ///
    /// # Errors
    /// An `Error` with a `code`; "cancelled" after [`Engine::cancel`].
    pub async fn verify(&self, answer: &str, options: JsValue, on_event: Function) -> Result<JsValue, WebError> {
        let options: VerifyOptions = serde_wasm_bindgen::from_value(options)?;
        turn::begin();
        options.settings.validate()?;
        if self.verifier.judge().can(&options.settings).is_err() {
            self.add_verifier(&on_event).await?;
        }
        let lanes = self.pool.lanes(&on_event);
        let observer = PageObserver { on_event: on_event.clone() };
        let question = options.question.as_deref();
        let verification = self.verifier.verify(&lanes, answer, question, &options.settings, &observer);
        plain(&self.pool.lent_to(verification).await?)
    }

    /// Stops the running verification or scoring within a layer of its model.
    pub fn cancel(&self) {
        turn::cancel();
    }
}

impl Engine {
    /// Fetches and loads the pack's T5; `on_event` is told how far that is.
    async fn add_verifier(&self, on_event: &Function) -> Result<(), WebError> {
        let progress = |stage, loaded, total| emit(on_event, &LoadEvent::Load(LoadProgress { stage, loaded, total }));
        let fetched = |loaded, total| progress(LoadStage::Pack, loaded, total);
        let warn = |file: &str, reason: &str| emit(&self.on_notice, &Notice::not_kept(file, reason));
        add_verifier(self.verifier.judge(), &self.pack, fetched, warn).await?;
        progress(LoadStage::Models, 1, 1);
        Ok(())
    }
}

/// The model of the pack at `base` that puts passages in order.
async fn open_reranker(
    base: &str,
    device: &Device,
    fetched: impl FnMut(u64, u64),
    warn: impl FnMut(&str, &str),
) -> Result<Reranker, WebError> {
    let pack = RemotePack::open(base, device).await?;
    let name = reranking_model(pack.pack().manifest())?;
    pack.fetch(&[name], fetched, warn).await?;
    pack.load(Reranker::load).await
}

/// A value as plain JavaScript objects, arrays, numbers and strings.
fn plain(value: &impl Serialize) -> Result<JsValue, WebError> {
    Ok(value.serialize(&Serializer::json_compatible())?)
}
