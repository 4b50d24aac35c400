//! One model by itself, to be compared with a reference and measured beside other engines. Only with the feature
//! `model`.

#[cfg(feature = "threads")]
use std::cell::OnceCell;

#[cfg(feature = "threads")]
use evident_nn::Threads;
use evident_nn::{
    Backend, CausalLm, Classifier, Device, Embedder, ONLY_MODEL, Pack, Seq2Seq, open_device, pause_in_models,
};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::error::WebError;
use crate::pack::RemotePack;
#[cfg(feature = "threads")]
use crate::threads::{lend, start};
use crate::turn;

/// The only model of a pack.
#[wasm_bindgen]
pub struct Model {
    loaded: Loaded,
    /// The threads that its passes borrow.
    #[cfg(feature = "threads")]
    threads: OnceCell<Threads>,
}

/// The kind of a model, as JavaScript names it.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ModelKind {
    #[serde(rename = "seq2seq")]
    Seq2Seq,
    Classifier,
    CausalLm,
    Embedder,
}

enum Loaded {
    Seq2Seq(Box<Seq2Seq>),
    Classifier(Classifier),
    CausalLm(Box<CausalLm>),
    Embedder(Embedder),
}

#[wasm_bindgen]
impl Model {
    /// Loads the pack at the address `base`, whose model is a "seq2seq", "classifier", "causal-lm" or "embedder".
    ///
    /// # Errors
    /// An `Error` whose `code` says what failed.
    pub async fn open(base: &str, kind: JsValue) -> Result<Model, WebError> {
        let kind = serde_wasm_bindgen::from_value(kind)?;
        pause_in_models(turn::pause);
        let backend = if cfg!(feature = "webgpu") { Backend::WebGpu } else { Backend::Cpu };
        let (device, _) = open_device(backend).await?;
        let pack = RemotePack::open(base, None, &device).await?;
        pack.fetch(&[ONLY_MODEL], |_, _| {}, |_, _| {}).await?;
        let load = async |pack: &mut Pack, device: &Device| {
            Ok(match kind {
                ModelKind::Seq2Seq => Loaded::Seq2Seq(pack.seq2seq(ONLY_MODEL, device).await?.into()),
                ModelKind::Classifier => Loaded::Classifier(pack.classifier(ONLY_MODEL, device).await?),
                ModelKind::CausalLm => Loaded::CausalLm(pack.causal_lm(ONLY_MODEL, device).await?.into()),
                ModelKind::Embedder => Loaded::Embedder(pack.embedder(ONLY_MODEL, device).await?),
            })
        };
        Ok(Self {
            loaded: pack.load(load).await?,
            #[cfg(feature = "threads")]
            threads: OnceCell::new(),
        })
    }

    /// The model's numbers for these texts, one after another.
    ///
    /// - An embedder: the embedding of each text.
    /// - A classifier: the logits of each pair of consecutive texts.
    /// - A language model: for each pair, the log-probabilities of the second text's tokens after the first text.
    /// - An encoder-decoder: the logits of each of the first `steps` tokens after all texts, joined.
    ///
    /// # Errors
    /// As [`Model::open`].
    pub async fn run(&self, texts: Vec<String>, steps: usize) -> Result<Vec<f32>, WebError> {
        #[cfg(feature = "threads")]
        if let Some(threads) = self.threads.get() {
            return lend(threads, self.pass(&texts, steps)).await;
        }
        self.pass(&texts, steps).await
    }

    /// From now on its passes run on `count` threads: as many workers as have called `serveThread`. One of them rests
    /// while this worker computes.
    #[cfg(feature = "threads")]
    #[wasm_bindgen(js_name = startThreads)]
    pub fn start_threads(&self, count: usize) {
        if let Some(threads) = start(count) {
            let _ = self.threads.set(threads); // a second call changes nothing
        }
    }
}

impl Model {
    async fn pass(&self, texts: &[String], steps: usize) -> Result<Vec<f32>, WebError> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let pairs = || texts.as_chunks().0.iter().map(|&[a, b]| (a, b)).collect::<Vec<_>>();
        Ok(match &self.loaded {
            Loaded::Seq2Seq(model) => {
                let mut generation = model.generate(&texts.concat(), usize::MAX).await?;
                let mut logits = Vec::new();
                for _ in 0..steps {
                    let Some(step) = generation.step().await? else { break };
                    logits.extend(step.logits);
                }
                logits
            }
            Loaded::Classifier(model) => model.logits(&pairs()).await?.concat(),
            Loaded::CausalLm(model) => model.log_probabilities_after(&pairs()).await?.concat(),
            Loaded::Embedder(model) => model.embed(&texts).await?.concat(),
        })
    }
}
