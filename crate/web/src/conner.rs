//! CONNER's scores in the page. Their models are fetched and loaded when the first scores are asked for.

use evident_verify::conner::{Conner, Item, Settings, Sources};
use evident_verify::{Role, VerifyError};
use js_sys::Function;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::error::WebError;
use crate::observer::{PageObserver, emit};
use crate::{Engine, Notice, plain, turn};

/// What [`Engine::conner`] is told beside the texts.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ConnerOptions {
    settings: Settings,
}

/// How far loading the models is: bytes of the pack, then models.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "camelCase")]
enum Load {
    Fetch { loaded: u64, total: u64 },
    Models { loaded: usize, total: usize },
}

#[wasm_bindgen]
impl Engine {
    /// Scores `{ question, knowledge, answer, reference, topic }`, each of which may be missing, by the pack's models and with
    /// evidence and random passages from the index; `on_step` is told each step. Resolves to the report.
    ///
    /// # Errors
    /// An `Error` with a `code`; "cancelled" after [`Engine::cancel`].
    pub async fn conner(&self, item: JsValue, options: JsValue, on_step: Function) -> Result<JsValue, WebError> {
        let item: Item = serde_wasm_bindgen::from_value(item)?;
        let options: ConnerOptions = serde_wasm_bindgen::from_value(options)?;
        options.settings.validate()?;
        turn::begin();
        let observer = PageObserver { on_event: on_step };
        let conner = match self.conner.get() {
            Some(conner) => conner,
            None => {
                let opened = self.open_conner(&observer).await?;
                self.conner.get_or_init(|| opened)
            }
        };
        let sources = Sources::of_index(self.verifier.index());
        let scoring = conner.score(&item, &sources, &options.settings, &observer);
        plain(&self.pool.lent_to(scoring).await?)
    }
}

impl Engine {
    /// The scorer by the verifier's NLI model and whatever other models of CONNER's the pack has.
    async fn open_conner(&self, observer: &PageObserver) -> Result<Conner, WebError> {
        let (roles, called) = {
            let pack = self.pack.pack();
            let has = |role: &Role| pack.manifest().models().any(|model| model == role.name());
            let roles: Vec<Role> = Role::SCORES.into_iter().filter(|role| *role != Role::Nli && has(role)).collect();
            (roles, format!("{}/{}", pack.manifest().name(), self.model))
        };
        let names: Vec<&str> = roles.iter().map(|role| role.name()).collect();
        let progress = |loaded, total| emit(&observer.on_event, &Load::Fetch { loaded, total });
        let warn = |file: &str, reason: &str| emit(&self.on_notice, &Notice::not_kept(file, reason));
        self.pack.fetch(&names, progress, warn).await?;

        let mut conner = Conner::new().with_nli(&called, self.verifier.judge().nli().clone());
        let total = roles.len();
        for (loaded, role) in roles.into_iter().enumerate() {
            observer.tell(&Load::Models { loaded, total }).await.map_err(VerifyError::from)?;
            conner = conner.with_role(role, &mut self.pack.pack(), self.pack.device())?;
        }
        Ok(conner)
    }
}
