//! A helper: a judge in a worker of its own, with the models and without the index.

use evident_base::Hash;
use evident_nn::{Backend, open_device, pause_in_models};
use evident_verify::{Case, Judge, Settings, Worker};
use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::error::WebError;
use crate::js::{from_plain, plain};
use crate::load::{Named, Packs, add_nli, add_t5, new_judge};
use crate::observer::PageObserver;
use crate::turn;

/// A judge in a worker of its own.
#[wasm_bindgen]
pub struct Assistant {
    judge: Judge,
    packs: Packs,
    /// What the page's own pack calls the NLI model.
    model: String,
}

#[wasm_bindgen]
impl Assistant {
    /// Loads the NLI model `model` of the pack at `pack`, or of the one that is named for it, onto the CPU, from the
    /// browser's cache, if the check's `settings` use it. The pack must have the hash that is `expected`, if one is.
    ///
    /// # Errors
    /// An `Error` with a `code`; "network" if the browser has not kept the pack, for a helper does not fetch it again.
    pub async fn open(
        pack: &str,
        named: JsValue,
        model: &str,
        expected: Option<String>,
        settings: JsValue,
    ) -> Result<Assistant, WebError> {
        let expected = expected.map(Hash::try_from).transpose();
        let expected = expected.map_err(|error| WebError::Options(error.to_owned()))?;
        let named: Named = from_plain(&named)?;
        pause_in_models(turn::pause);
        turn::begin();
        let (device, _) = open_device(Backend::Cpu).await?;
        let packs = Packs::open(pack, expected, &named, &device, true).await?;
        let assistant = Self { judge: new_judge(&packs, model)?, packs, model: model.to_owned() };
        assistant.complete(from_plain::<Settings>(&settings)?.asks_nli(), false).await?;
        Ok(assistant)
    }

    /// Judges a [`Case`] by these [`Settings`]; `on_event` receives the stages. Resolves to a
    /// [`JudgedCase`](evident_verify::JudgedCase).
    ///
    /// # Errors
    /// An `Error` with a `code`; "cancelled" after [`Assistant::cancel`].
    pub async fn judge(&self, case: JsValue, settings: JsValue, on_event: Function) -> Result<JsValue, WebError> {
        let case: Case = from_plain(&case)?;
        let settings: Settings = from_plain(&settings)?;
        turn::begin();
        self.complete(settings.asks_nli(), settings.asks_verifier()).await?;
        plain(&self.judge.judge(case, &settings, &PageObserver { on_event }).await?)
    }

    /// Stops the case that is being judged, within a layer of its model.
    pub fn cancel(&self) {
        turn::cancel();
    }
}

impl Assistant {
    /// Loads the requested models that are not loaded yet.
    async fn complete(&self, nli: bool, verifier: bool) -> Result<(), WebError> {
        if nli && self.judge.nli().is_err() {
            add_nli(&self.judge, &self.packs, &self.model, |_, _| {}, |_, _| {}).await?;
        }
        if verifier && !self.judge.has_verifier() {
            add_t5(&self.judge, &self.packs, |_, _| {}, |_, _| {}).await?;
        }
        Ok(())
    }
}
