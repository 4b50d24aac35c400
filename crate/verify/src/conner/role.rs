//! What a model of a pack is for, by the name that the pack gives it.

use evident_nn::{Device, Pack, PackError};

use super::{Conner, WrongModel};

/// What a model is for; a pack's model of the same name is for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Factuality and validity: a classifier with entailment, neutral and contradiction.
    Nli,
    /// Relevance by a bi-encoder.
    Embedder,
    /// Relevance by a cross-encoder.
    Relevance,
    /// Cohesion and informativeness, and helpfulness where there is no seq2seq model: a causal language model.
    Lm,
    /// Helpfulness, and informativeness where there is no causal language model: a seq2seq model.
    Seq2seq,
    /// Coherence: a classifier of paragraphs.
    Discourse,
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
    /// All of them; a cross-encoder comes after the bi-encoder that it takes the place of.
    pub const ALL: [Self; 6] = [Self::Nli, Self::Embedder, Self::Relevance, Self::Lm, Self::Seq2seq, Self::Discourse];

    /// The name that packs have for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nli => "nli",
            Self::Embedder => "embedder",
            Self::Relevance => "relevance",
            Self::Lm => "lm",
            Self::Seq2seq => "seq2seq",
            Self::Discourse => "discourse",
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
    /// Those of loading, among them [`PackError::ModelMissing`] for a pack that has none; [`WrongModel`] for one with other
    /// labels than the role's kind has.
    pub fn with_role(self, role: Role, pack: &mut Pack, device: &Device) -> Result<Self, RoleError> {
        let (name, called) = (role.name(), role.called(pack));
        Ok(match role {
            Role::Nli => {
                let temperature = pack.manifest().calibration().nli.temperature;
                self.with_nli(&called, pack.classifier(name, device)?, temperature)?
            }
            Role::Embedder => self.with_bi_encoder(&called, pack.embedder(name, device)?),
            Role::Relevance => self.with_cross_encoder(&called, pack.classifier(name, device)?)?,
            Role::Lm => self.with_language_model(&called, pack.causal_lm(name, device)?),
            Role::Seq2seq => self.with_seq2seq(&called, pack.seq2seq(name, device)?),
            Role::Discourse => self.with_discourse(&called, pack.classifier(name, device)?)?,
        })
    }
}
