//! The models that items are scored by.

use std::collections::BTreeMap;

use evident_nn::{Device, Manifest, Pack, PackError};
use evident_verify::conner::{Conner, Item, Settings};
use evident_verify::{Observer, PackReport, Role, RoleError, VerifyError};

use crate::conner::baselines::{BaselineModels, BaselineRole, Baselines};

/// What a model does for CONNER. A pack's model of the same name has that role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnerRole {
    /// A score is computed with it.
    Score(Role),
    /// A baseline is computed with it.
    Baseline(BaselineRole),
}

impl ConnerRole {
    /// All roles.
    pub fn all() -> impl Iterator<Item = Self> {
        Role::SCORES.into_iter().map(Self::Score).chain(BaselineRole::ALL.into_iter().map(Self::Baseline))
    }

    /// The name of its model in a pack.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Score(role) => role.name(),
            Self::Baseline(role) => role.name(),
        }
    }

    /// The name of the model in a pack that can have this role.
    ///
    /// # Errors
    /// [`PackError::ModelMissing`] if there is none.
    pub fn model_in(self, manifest: &Manifest) -> Result<String, PackError> {
        match self {
            Self::Score(role) => role.model_in(manifest),
            Self::Baseline(_) => match manifest.models().collect::<Vec<_>>().as_slice() {
                [only] => Ok((*only).to_owned()),
                _ => Ok(self.name().to_owned()), // if the pack lacks it, loading it is an error
            },
        }
    }

    /// The name under which reports list its model. Of the roles that share a name only one has a model.
    #[must_use]
    pub const fn listed(self) -> &'static str {
        match self {
            Self::Score(Role::Embedder) => Role::Relevance.name(),
            other => other.name(),
        }
    }
}

/// The models of the scores and baselines, and the packs that they are from. Each is optional.
#[derive(Default)]
pub struct ConnerModels {
    conner: Conner,
    baselines: BaselineModels,
    packs: BTreeMap<String, PackReport>,
}

impl ConnerModels {
    /// Adds the model that a pack calls `model`, in this role. Reports call it `called`.
    ///
    /// # Errors
    /// [`RoleError::Pack`] if it cannot be loaded; [`RoleError::Wrong`] if it has other labels than the role needs.
    pub async fn with(
        mut self,
        role: ConnerRole,
        pack: &mut Pack,
        model: &str,
        called: &str,
        device: &Device,
    ) -> Result<Self, RoleError> {
        match role {
            ConnerRole::Score(role) => {
                self.conner = self.conner.with_model(called, role.load(pack, model, called, device).await?)?;
            }
            ConnerRole::Baseline(role) => self.baselines.add(role, pack, model, called, device).await?,
        }
        self.packs.insert(role.listed().to_owned(), PackReport::of(pack.manifest()));
        Ok(self)
    }

    /// The models of the scores.
    pub(crate) fn conner(&self) -> &Conner {
        &self.conner
    }

    /// Which pack the model of each role is from, by the name under which it is listed.
    pub(crate) fn packs(&self) -> &BTreeMap<String, PackReport> {
        &self.packs
    }

    /// Whether there is no model.
    pub(crate) fn is_empty(&self) -> bool {
        self.packs.is_empty()
    }

    /// The baselines of an item whose reference knowledge is `reference_knowledge`.
    ///
    /// # Errors
    /// As for [`Conner::score`].
    pub(crate) async fn baselines(
        &self,
        item: &Item,
        reference_knowledge: Option<&str>,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<Baselines, VerifyError> {
        self.baselines.score(self.conner.nli(), item, reference_knowledge, settings, observer).await
    }
}
