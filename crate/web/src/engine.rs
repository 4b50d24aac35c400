//! The engine that a page opens: a verifier, with its models on a device and its index.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use evident_base::Hash;
use evident_index::Index;
use evident_nn::{Backend, WarmUp, open_device, pause_in_models};
use evident_verify::conner::Conner;
use evident_verify::{
    About, BackendReport, Certainty, Claim, EvidenceSource, IndexSource, Input, Judge, PackReport, Retriever, Role,
    SentenceReport, Settings, Sources, Unread, Verifier, VerifyError, check_sources,
};
use js_sys::{Array, Function, Map, Reflect, Uint8Array};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::error::WebError;
use crate::index_builder::IndexBuilder;
use crate::index_files::WebStorage;
use crate::js::{emit, from_plain, plain};
use crate::load::{Named, Packs, add_nli, add_t5, new_judge, open_reranker};
use crate::observer::PageObserver;
use crate::pack::RemotePack;
#[cfg(feature = "threads")]
use crate::threads;
use crate::turn;
use crate::wiki::Wiki;
use crate::workers::{Helper, Pool, WorkerPlace};

/// The options of [`Engine::open`]: where its data is, and what it runs on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct OpenOptions {
    /// The pack's base address.
    pack: String,
    /// The index: its base address, or a `Map` of its files' names to `Blob`s.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    index: JsValue,
    /// Further indexes, named in the same way, in the order in which they are asked; an array, or undefined.
    #[serde(default, with = "serde_wasm_bindgen::preserve")]
    further_indexes: JsValue,
    /// A wiki that is asked after the indexes, or undefined; and what asks it (see [`Wiki::new`]).
    wiki: Option<String>,
    #[serde(default, with = "serde_wasm_bindgen::preserve")]
    ask_wiki: JsValue,
    /// The hash that the pack and the checksum that the index must have, each if it is known.
    #[serde(default)]
    expected: Expected,
    /// The most bytes of the index that the browser's cache keeps.
    index_cache: Option<u64>,
    /// Which of the pack's NLI models: "nli", or "small" if the pack has it.
    #[serde(default = "nli")]
    model: String,
    /// The base addresses of packs whose models take the place of the pack's own, by role.
    #[serde(default)]
    models: Named,
    /// The settings of the first check, if they are known: the NLI model is loaded at once unless they do not use it.
    #[serde(default, with = "serde_wasm_bindgen::preserve")]
    settings: JsValue,
    /// The base address of a pack whose model reranks the passages that BM25 found.
    rerank: Option<String>,
    backend: Backend,
}

/// The hash of a pack and the checksum of the index.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Expected {
    pack: Option<Hash>,
    index: Option<Hash>,
}

/// The name of files in the page as a source.
const OWN_FILES: &str = "files of the reader";

fn nli() -> String {
    "nli".to_owned()
}

/// The options of [`Engine::verify`] and [`split`].
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct VerifyOptions {
    question: Option<String>,
    settings: Settings,
    /// Read by [`Engine::judge`] alone.
    certainty: Certainty,
}

/// How far loading is: in bytes for packs, else in steps.
#[derive(Serialize)]
struct LoadProgress {
    stage: LoadStage,
    loaded: u64,
    total: u64,
}

/// The same, as an event of a verification that must load a model first.
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

/// A problem that stops nothing.
#[derive(Serialize)]
pub struct Notice {
    kind: &'static str,
    message: String,
}

impl Notice {
    /// The browser does not keep a file of the pack.
    pub fn not_kept(file: &str, reason: &str) -> Self {
        let message = format!("the browser does not keep {file} ({reason}): the next visit fetches it again");
        Self { kind: "not-kept", message }
    }
}

/// Splits `answer`, an [`Input`], into sentences, by the options of [`Engine::verify`]; no model is needed.
///
/// # Errors
/// An `Error` with the code "answer-too-long" or "bad-settings".
#[wasm_bindgen]
pub fn split(answer: JsValue, options: JsValue) -> Result<JsValue, WebError> {
    let VerifyOptions { question, settings, .. } = from_plain(&options)?;
    let answer: Input = serde_wasm_bindgen::from_value(answer)?;
    plain(&evident_verify::split(answer, question.as_deref(), &settings)?)
}

/// An entry of a `Map`.
fn entry(entry: &JsValue) -> Result<(String, JsValue), WebError> {
    let [key, value] = [0, 1].map(|at| Reflect::get_u32(entry, at).unwrap_or_default());
    Ok((serde_wasm_bindgen::from_value(key)?, value))
}

/// A verifier, with its models on a device and its indexes.
#[wasm_bindgen]
pub struct Engine {
    pub(crate) verifier: Verifier,
    /// The first of the indexes that it asks.
    pub(crate) index: Rc<Index<WebStorage>>,
    pub(crate) pool: Pool,
    /// CONNER's scorer, once it was asked for.
    pub(crate) conner: OnceCell<Conner>,
    pub(crate) packs: Packs,
    /// What its pack calls the NLI model.
    pub(crate) model: String,
    backend: BackendReport,
    /// The NLI model's warm-up pairs, which detect a graphics card that computes wrongly; none on the CPU.
    warm_up: Vec<WarmUp>,
    /// The verifier's warm-up pairs; none on the CPU.
    verifier_warm_up: Vec<WarmUp>,
    pub(crate) on_notice: Function,
}

#[wasm_bindgen]
impl Engine {
    /// Loads the pack onto the backend's device and opens the index. `on_notice` receives, now and later, problems that
    /// stop nothing: `{ kind, message }`.
    ///
    /// # Errors
    /// An `Error` whose `code` says which of the pack, the index, the backend or the network failed.
    pub async fn open(options: JsValue, on_progress: Function, on_notice: Function) -> Result<Engine, WebError> {
        let options: OpenOptions = serde_wasm_bindgen::from_value(options)?;
        let progress = |stage, loaded, total| emit(&on_progress, &LoadProgress { stage, loaded, total });
        pause_in_models(turn::pause);
        turn::begin();
        let (device, name) = open_device(options.backend).await?;

        let packs = Packs::open(&options.pack, options.expected.pack, &options.models, &device, false).await?;
        let fetched = |loaded, total| progress(LoadStage::Pack, loaded, total);
        let warn = |file: &str, reason: &str| emit(&on_notice, &Notice::not_kept(file, reason));
        let (judging, model) = packs.nli(&options.model)?;
        let pairs = |pack: &RemotePack, model: &str| match options.backend {
            Backend::WebGpu => pack.manifest().warm_up_of(model).to_vec(),
            Backend::Cpu => Vec::new(),
        };
        let warm_up = pairs(judging, &model);
        let verifier = packs.model(Role::Verifier);
        let verifier_warm_up = verifier.map_or_else(|_| Vec::new(), |(pack, model)| pairs(pack, &model));
        let about = About {
            backend: BackendReport { kind: options.backend, name: name.clone() },
            pack: PackReport::of(judging.manifest()),
            models: packs.others(),
            marked_by: None,
        };
        let judge = Arc::new(new_judge(&packs, &options.model)?);
        if from_plain::<Settings>(&options.settings)?.asks_nli() {
            add_nli(&judge, &packs, &options.model, fetched, warn).await?;
        }
        progress(LoadStage::Models, 1, 1);
        let reranked = |loaded, total| progress(LoadStage::Rerank, loaded, total);
        let named = packs.named(Role::Relevance).or(packs.named(Role::Embedder));
        let reranker = match (named, &options.rerank) {
            (Some(pack), _) => Some(open_reranker(pack, reranked, warn).await?.into()),
            (None, Some(base)) => {
                Some(open_reranker(&RemotePack::open(base, None, &device).await?, reranked, warn).await?.into())
            }
            (None, None) => None,
        };

        let mut indexes = Vec::new();
        let mut sources: Vec<Rc<dyn EvidenceSource>> = Vec::new();
        let mut named = vec![options.index];
        named.extend(options.further_indexes.dyn_ref::<Array>().into_iter().flat_map(Array::to_vec));
        for one in &named {
            let expected = options.expected.index.filter(|_| indexes.is_empty());
            let storage = WebStorage::new(one, options.index_cache)?;
            let address = storage.address();
            let opening = evident_index::OpenOptions { expected, ..Default::default() };
            let index = Rc::new(Index::open_with(storage, opening).await?);
            sources.push(match address {
                Some(address) => Rc::new(IndexSource::on_host(index.clone(), address)),
                None => Rc::new(IndexSource::of_files(index.clone(), OWN_FILES)),
            });
            indexes.push(index);
            progress(LoadStage::Index, indexes.len() as u64, named.len() as u64);
        }
        if let Some(wiki) = options.wiki {
            sources.push(Rc::new(Wiki::new(&wiki, options.ask_wiki.into()).map_err(VerifyError::from)?));
        }
        let index = indexes.into_iter().next().ok_or_else(|| WebError::Options("index names no index".into()))?;

        progress(LoadStage::Warmup, 0, 1);
        warm(&judge, &warm_up).await?;
        progress(LoadStage::Warmup, 1, 1);

        let backend = about.backend.clone();
        let pool = Pool::new(judge.clone());
        let verifier = Verifier::new(judge, Retriever::new(sources, reranker), about);
        let conner = OnceCell::new();
        Ok(Self { verifier, index, pool, conner, packs, model, backend, warm_up, verifier_warm_up, on_notice })
    }

    /// The device that this engine runs on: `{ kind, name }`.
    #[wasm_bindgen(getter)]
    pub fn backend(&self) -> Result<JsValue, WebError> {
        plain(&self.backend)
    }

    /// Adds a worker that judges sentences, in the running verification and in later ones.
    #[wasm_bindgen(js_name = addHelper)]
    pub fn add_helper(&self, helper: Helper) {
        self.pool.add(WorkerPlace::Helper(helper));
    }

    /// Judges every sentence of `answer`, an [`Input`]; `on_event` receives each step. Resolves to the report. The
    /// models that the settings ask are fetched and loaded first, unless they are there.
    ///
    /// # Errors
    /// An `Error` with a `code`; "cancelled" after [`Engine::cancel`].
    pub async fn verify(&self, answer: JsValue, options: JsValue, on_event: Function) -> Result<JsValue, WebError> {
        let answer: Input = serde_wasm_bindgen::from_value(answer)?;
        let options: VerifyOptions = from_plain(&options)?;
        turn::begin();
        options.settings.validate()?;
        self.complete(&options.settings, &on_event).await?;
        let workers = self.pool.workers(&on_event);
        let observer = PageObserver { on_event: on_event.clone() };
        let question = options.question.as_deref();
        let verification = self.verifier.verify(&workers, answer, question, &options.settings, &observer);
        let report = self.pool.lent_to(verification).await?;
        self.check_device().await?;
        plain(&report)
    }

    /// Judges one [`Claim`], such as a sentence of [`split`] with its context, as [`Engine::verify`] judges those of an
    /// answer. Resolves to the sentence's report, held to the options' `certainty`.
    ///
    /// # Errors
    /// As [`Engine::verify`].
    pub async fn judge(&self, claim: JsValue, options: JsValue, on_event: Function) -> Result<JsValue, WebError> {
        let VerifyOptions { settings, certainty, .. } = from_plain(&options)?;
        let claim: Claim = from_plain(&claim)?;
        turn::begin();
        settings.validate()?;
        self.complete(&settings, &on_event).await?;
        let workers = self.pool.workers(&on_event);
        let observer = PageObserver { on_event: on_event.clone() };
        let report = self.pool.lent_to(self.verifier.judge_claim(&workers, claim, &settings, &observer)).await?;
        self.check_device().await?;
        plain(&report.held_to(certainty))
    }

    /// Judges a sentence of a report again by the T5, over the same evidence: see [`Judge::second_opinion`]. The T5 is
    /// fetched and loaded first, unless it is there. Resolves to the sentence's second report.
    ///
    /// # Errors
    /// As [`Engine::verify`].
    #[wasm_bindgen(js_name = secondOpinion)]
    pub async fn second_opinion(
        &self,
        sentence: JsValue,
        options: JsValue,
        on_event: Function,
    ) -> Result<JsValue, WebError> {
        let VerifyOptions { settings, .. } = from_plain(&options)?;
        let sentence: SentenceReport = serde_wasm_bindgen::from_value(sentence)?;
        turn::begin();
        settings.validate()?;
        self.complete(&settings.second_opinion(), &on_event).await?;
        let workers = self.pool.workers(&on_event);
        let observer = PageObserver { on_event: on_event.clone() };
        let judge = self.verifier.judge();
        let report = self.pool.lent_to(judge.second_opinion(&workers, &sentence, &settings, &observer)).await?;
        self.check_device().await?;
        plain(&report)
    }

    /// Judges sentences of a report by the pages that they cite: see [`check_sources`]. `pages` is a `Map` of addresses
    /// to the passages of each page as JSONL, in a `Uint8Array`, or to why it is not read. `options` has the report's
    /// settings. Resolves to what the pages say, a list for each sentence.
    ///
    /// # Errors
    /// As [`Engine::verify`], and "bad-passages" for a page whose passages cannot be indexed.
    #[wasm_bindgen(js_name = checkSources)]
    pub async fn check_sources(
        &self,
        sentences: JsValue,
        pages: Map,
        options: JsValue,
        on_event: Function,
    ) -> Result<JsValue, WebError> {
        let VerifyOptions { settings, .. } = from_plain(&options)?;
        let mut sentences: Vec<SentenceReport> = serde_wasm_bindgen::from_value(sentences)?;
        turn::begin();
        settings.validate()?;
        self.complete(&settings, &on_event).await?;
        let mut sources = Sources::new();
        for page in pages.entries().into_iter().flatten() {
            let (address, page): (String, JsValue) = entry(&page)?;
            let page = match page.dyn_ref::<Uint8Array>() {
                None => Err(serde_wasm_bindgen::from_value::<Unread>(page)?),
                Some(jsonl) => {
                    let mut builder = IndexBuilder::new();
                    builder.add(address.clone(), &jsonl.to_vec())?;
                    let index = Index::open(WebStorage::Local(builder.blobs()?)).await?;
                    Ok(self.verifier.retriever().over(IndexSource::of_page(index, &address)))
                }
            };
            sources.insert(address, page);
        }
        let workers = self.pool.workers(&on_event);
        let observer = PageObserver { on_event: on_event.clone() };
        let checked = check_sources(&workers, &mut sentences, &sources, &settings, &observer);
        self.pool.lent_to(checked).await?;
        self.check_device().await?;
        plain(&sentences.iter().map(|sentence| &sentence.sources).collect::<Vec<_>>())
    }

    /// The bytes of the T5 that a second opinion has to fetch, as far as the browser has not kept them; 0 if it is
    /// loaded.
    ///
    /// # Errors
    /// An `Error` with the code "pack-architecture" if there is no T5.
    #[wasm_bindgen(js_name = secondOpinionBytes)]
    pub async fn second_opinion_bytes(&self) -> Result<f64, WebError> {
        if self.verifier.judge().has_verifier() {
            return Ok(0.0);
        }
        let (pack, model) = self.packs.model(Role::Verifier)?;
        if !pack.manifest().models().any(|name| name == model) {
            return Err(VerifyError::NoVerifier.into());
        }
        Ok(pack.bytes(&[&model]).await as f64)
    }

    /// Stops the running verification or scoring, within a layer of its model.
    pub fn cancel(&self) {
        turn::cancel();
    }

    /// From now on `count` threads judge sentences: as many workers as have called [`threads::serve_thread`].
    #[cfg(feature = "threads")]
    #[wasm_bindgen(js_name = startThreads)]
    pub fn start_threads(&self, count: usize) {
        if let Some(threads) = threads::start(count) {
            self.pool.share(threads, count);
        }
    }
}

impl Engine {
    /// Fails if the graphics card has begun to compute wrongly: the results that it has just given are then invalid.
    /// The check runs the NLI model, or without one the verifier.
    pub(crate) async fn check_device(&self) -> Result<(), WebError> {
        let judge = self.verifier.judge();
        match judge.nli() {
            Ok(nli) => nli.classifier().warm_up(&self.warm_up).await?,
            Err(_) => judge.warm_up_verifier(&self.verifier_warm_up).await?,
        }
        Ok(())
    }

    /// Fetches and loads the models that these settings use and that are not loaded yet; `on_event` receives the
    /// progress.
    async fn complete(&self, settings: &Settings, on_event: &Function) -> Result<(), WebError> {
        let progress = |stage, loaded, total| emit(on_event, &LoadEvent::Load(LoadProgress { stage, loaded, total }));
        let fetched = |loaded, total| progress(LoadStage::Pack, loaded, total);
        let warn = |file: &str, reason: &str| emit(&self.on_notice, &Notice::not_kept(file, reason));
        let judge = self.verifier.judge();
        if settings.asks_nli() && judge.nli().is_err() {
            add_nli(judge, &self.packs, &self.model, fetched, warn).await?;
            progress(LoadStage::Warmup, 0, 1);
            warm(judge, &self.warm_up).await?;
        }
        if settings.asks_verifier() && !judge.has_verifier() {
            add_t5(judge, &self.packs, fetched, warn).await?;
            progress(LoadStage::Warmup, 0, 1);
            judge.warm_up_verifier(&self.verifier_warm_up).await?;
        }
        Ok(())
    }
}

/// Runs the NLI model once, if there is one. Shaders are compiled at their first use, and code for the CPU is optimised
/// soon after: better now than during the first sentence.
async fn warm(judge: &Judge, pairs: &[WarmUp]) -> Result<(), WebError> {
    let Ok(nli) = judge.nli() else { return Ok(()) };
    match pairs {
        [] => drop(nli.classifier().logits(&[("warm", "up")]).await?),
        pairs => nli.classifier().warm_up(pairs).await?,
    }
    Ok(())
}
