//! What a model of a pack is for, by the name that the pack gives it.

use evident_nn::{Device, Pack, PackError};

use crate::conner::{Conner, WrongModel};

/// What a model is for; a pack's model of the same name is for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Factuality and validity: a classifier with entailment, neutral and contradiction.
    Nli,
    /// Relevance by a bi-encoder.
    Embedder,
    /// Relevance: a cross-encoder, or a bi-encoder where the model has no head.
    Relevance,
    /// Cohesion and informativeness, and helpfulness where there is no seq2seq model: a causal language model.
    Lm,
    /// Helpfulness, and informativeness where there is no causal language model: a seq2seq model.
    Seq2seq,
    /// Coherence: a classifier of paragraphs.
    Discourse,
    /// A baseline: a classifier of documents and sentences, with CORRECT and INCORRECT.
    WeaklySupervised,
    /// A baseline: an NLI model that was trained on several tasks.
    Multitask,
}

/// A pack's model that is not of its role's kind, or cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum RoleError {
    /// It cannot be loaded.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// It has other labels.
    #[error(transparent)]
    Wrong(#[from] WrongModel),
}

impl RoleError {
    /// The stable code of this error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Pack(error) => error.code(),
            Self::Wrong(_) => "pack-architecture",
        }
    }
}

impl Role {
    /// Those of the scores; a cross-encoder comes after the bi-encoder that it takes the place of.
    pub const SCORES: [Self; 6] =
        [Self::Nli, Self::Embedder, Self::Relevance, Self::Lm, Self::Seq2seq, Self::Discourse];

    /// Those of the baselines (App. J.3), which ask for the scores' models beside them.
    pub const BASELINES: [Self; 2] = [Self::WeaklySupervised, Self::Multitask];

    /// The name that packs have for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nli => "nli",
            Self::Embedder => "embedder",
            Self::Relevance => "relevance",
            Self::Lm => "lm",
            Self::Seq2seq => "seq2seq",
            Self::Discourse => "discourse",
            Self::WeaklySupervised => "factcc",
            Self::Multitask => "multitask",
        }
    }

    /// What reports call a pack's model of this role: `pack/role`.
    #[must_use]
    pub fn called(self, pack: &Pack) -> String {
        format!("{}/{}", pack.manifest().name(), self.name())
    }
}

impl Conner {
    /// With the model that a pack has for a role.
    ///
    /// # Errors
    /// As [`Conner::with_model`].
    pub fn with_role(self, role: Role, pack: &mut Pack, device: &Device) -> Result<Self, RoleError> {
        let called = role.called(pack);
        self.with_model(role, pack, role.name(), &called, device)
    }

    /// With a pack's model for a role, which reports call `called`.
    ///
    /// # Errors
    /// Those of loading, among them [`PackError::ModelMissing`] for a pack that has none; [`WrongModel`] for one with other
    /// labels than the role's kind has.
    pub fn with_model(
        self,
        role: Role,
        pack: &mut Pack,
        model: &str,
        called: &str,
        device: &Device,
    ) -> Result<Self, RoleError> {
        let temperature = pack.manifest().calibration().nli.temperature;
        Ok(match role {
            Role::Nli => self.with_nli(called, pack.classifier(model, device)?, temperature)?,
            Role::Embedder => self.with_bi_encoder(called, pack.embedder(model, device)?),
            Role::Relevance => match pack.classifier(model, device) {
                Err(PackError::TensorMissing { .. }) => self.with_bi_encoder(called, pack.embedder(model, device)?),
                classifier => self.with_cross_encoder(called, classifier?)?,
            },
            Role::Lm => self.with_language_model(called, pack.causal_lm(model, device)?),
            Role::Seq2seq => self.with_seq2seq(called, pack.seq2seq(model, device)?),
            Role::Discourse => self.with_discourse(called, pack.classifier(model, device)?)?,
            Role::WeaklySupervised => self.with_weakly_supervised(called, pack.classifier(model, device)?)?,
            Role::Multitask => self.with_multitask(called, pack.classifier(model, device)?, temperature)?,
        })
    }
}
