//! CONNER's scores in the page. Their models are fetched and loaded when the first scores are asked for.

use evident_nn::{Device, Pack};
use evident_verify::conner::{Conner, Item, Settings, Sources};
use evident_verify::{Role, VerifyError};
use js_sys::Function;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::engine::{Engine, Notice};
use crate::error::WebError;
use crate::js::{emit, from_plain, plain};
use crate::load::add_nli;
use crate::observer::PageObserver;
use crate::turn;

/// The options of [`Engine::conner`].
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
    /// Scores `{ question, knowledge, answer, reference, topic }`, each of which may be missing, by the pack's models,
    /// with evidence and random passages from the index. `on_step` receives each step. Resolves to the report.
    ///
    /// # Errors
    /// An `Error` with a `code`; "cancelled" after [`Engine::cancel`].
    pub async fn conner(&self, item: JsValue, options: JsValue, on_step: Function) -> Result<JsValue, WebError> {
        let item: Item = from_plain(&item)?;
        let options: ConnerOptions = from_plain(&options)?;
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
        let sources = Sources::of_index(&self.index);
        let scoring = conner.score(&item, &sources, &options.settings, &observer);
        let report = self.pool.lent_to(scoring).await?;
        self.check_device().await?;
        plain(&report)
    }
}

impl Engine {
    /// The scorer, by the verifier's NLI model and those of CONNER's other models that the pack has.
    async fn open_conner(&self, observer: &PageObserver) -> Result<Conner, WebError> {
        let manifest = self.packs.pack.manifest();
        let named = |role: &Role| self.packs.named(*role).is_some();
        let has = |role: &Role| manifest.models().any(|model| model == role.name());
        let roles: Vec<Role> =
            Role::SCORES.into_iter().filter(|role| *role != Role::Nli && (named(role) || has(role))).collect();
        let called = format!("{}/{}", self.packs.nli(&self.model)?.0.manifest().name(), self.model);
        let names: Vec<&str> = roles.iter().filter(|role| !named(role)).map(|role| role.name()).collect();
        let progress = |loaded, total| emit(&observer.on_event, &Load::Fetch { loaded, total });
        let warn = |file: &str, reason: &str| emit(&self.on_notice, &Notice::not_kept(file, reason));
        self.packs.pack.fetch(&names, progress, warn).await?;
        for role in roles.iter().filter(|role| named(role)) {
            let (pack, model) = self.packs.model(*role)?;
            pack.fetch(&[&model], progress, warn).await?;
        }

        let judge = self.verifier.judge();
        if judge.nli().is_err() {
            add_nli(judge, &self.packs, &self.model, progress, warn).await?;
        }
        let mut conner = Conner::new().with_nli(&called, judge.nli()?.clone());
        let total = roles.len();
        for (loaded, role) in roles.into_iter().enumerate() {
            observer.tell(&Load::Models { loaded, total }).await.map_err(VerifyError::from)?;
            let (pack, model) = self.packs.model(role)?;
            let called = format!("{}/{model}", pack.manifest().name());
            let load = async |pack: &mut Pack, device: &Device| role.load(pack, &model, &called, device).await;
            conner = conner.with_model(&called, pack.load(load).await?)?;
        }
        Ok(conner)
    }
}
