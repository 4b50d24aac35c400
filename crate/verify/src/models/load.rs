//! Loads a pack's model for a role.

use evident_index::ErrorCode;
use evident_nn::{CausalLm, Classifier, Device, ModelKind, Pack, PackError, Seq2Seq};

use crate::error::WrongModel;
#[cfg(not(target_family = "wasm"))]
use crate::models::marks::MarksModel;
use crate::models::nli::NliModel;
use crate::models::relevance::RelevanceModel;
use crate::models::role::Role;

/// A model in its role.
pub enum RoleModel {
    /// For [`Role::Nli`].
    Nli(NliModel),
    /// For [`Role::Embedder`] and [`Role::Relevance`].
    Relevance(RelevanceModel),
    /// For [`Role::Lm`].
    Lm(CausalLm),
    /// For [`Role::Verifier`] and [`Role::Seq2seq`].
    Seq2seq(Seq2Seq),
    /// For [`Role::Discourse`].
    Discourse(Classifier),
    /// For [`Role::Marks`].
    #[cfg(not(target_family = "wasm"))]
    Marks(MarksModel),
}

impl Role {
    /// Loads the model that a pack calls `model` for this role; errors call it `called`. The result is the variant that
    /// [`RoleModel`] has for the role.
    ///
    /// # Errors
    /// [`RoleError::Pack`] if it cannot be loaded, as when the pack has none of that name; [`RoleError::Kind`] for a
    /// model of another kind than the role needs, and [`RoleError::Wrong`] for one with other labels.
    pub async fn load(
        self,
        pack: &mut Pack,
        model: &str,
        called: &str,
        device: &Device,
    ) -> Result<RoleModel, RoleError> {
        self.fits(pack, model, called)?;
        Ok(match self {
            Self::Nli => RoleModel::Nli(NliModel::load(pack, model, called, device).await?),
            Self::Verifier | Self::Seq2seq => RoleModel::Seq2seq(pack.seq2seq(model, device).await?),
            Self::Embedder => {
                RoleModel::Relevance(RelevanceModel::BiEncoder(pack.embedder(model, device).await?.into()))
            }
            Self::Relevance => RoleModel::Relevance(RelevanceModel::load(pack, model, called, device).await?),
            Self::Lm => RoleModel::Lm(pack.causal_lm(model, device).await?),
            Self::Discourse => RoleModel::Discourse(pack.classifier(model, device).await?),
            #[cfg(not(target_family = "wasm"))]
            Self::Marks => RoleModel::Marks(MarksModel::load(pack, model, called, device).await?),
        })
    }

    /// Checks that the model that a pack calls `model` is of a kind that can have this role; errors call it `called`.
    ///
    /// # Errors
    /// [`RoleError::Kind`], and [`RoleError::Pack`] if the pack cannot tell the model's kind.
    pub(crate) fn fits(self, pack: &Pack, model: &str, called: &str) -> Result<(), RoleError> {
        let kind = pack.model(model)?.kind;
        let (kinds, wanted) = self.kinds();
        match kinds.contains(&kind) {
            true => Ok(()),
            false => Err(RoleError::Kind { model: called.to_owned(), kind, role: self.name(), wanted }),
        }
    }

    /// The kinds of models that can have this role, and what to call them.
    const fn kinds(self) -> (&'static [ModelKind], &'static str) {
        match self {
            Self::Nli | Self::Discourse => (&[ModelKind::Classifier], "a classifier"),
            Self::Verifier | Self::Seq2seq => (&[ModelKind::Seq2Seq], "an encoder-decoder such as T5"),
            // The head of a classifier is not read.
            Self::Embedder => (&[ModelKind::Embedder, ModelKind::Classifier], "a bi-encoder"),
            Self::Relevance => (&[ModelKind::Classifier, ModelKind::Embedder], "a cross-encoder or a bi-encoder"),
            Self::Lm => (&[ModelKind::CausalLm], "a causal language model"),
            #[cfg(not(target_family = "wasm"))]
            Self::Marks => (&[ModelKind::TokenClassifier], "a classifier of tokens such as LettuceDetect"),
        }
    }
}

impl NliModel {
    /// Loads the NLI model that a pack calls `model`, with the temperature that the pack has for it.
    ///
    /// # Errors
    /// Those of [`Role::load`].
    pub async fn load(pack: &mut Pack, model: &str, called: &str, device: &Device) -> Result<Self, RoleError> {
        let temperature = pack.manifest().calibration_of(model).nli.temperature;
        Ok(Self::new(called, pack.classifier(model, device).await?, temperature)?)
    }
}

#[cfg(not(target_family = "wasm"))]
impl MarksModel {
    /// Loads the classifier of tokens that a pack calls `model`.
    ///
    /// # Errors
    /// Those of [`Role::load`].
    pub async fn load(pack: &mut Pack, model: &str, called: &str, device: &Device) -> Result<Self, RoleError> {
        Ok(Self::new(called, pack.token_classifier(model, device).await?)?)
    }
}

impl RelevanceModel {
    /// Loads the relevance model that a pack calls `model`: a bi-encoder if that is "embedder" or the model has no
    /// head, else a cross-encoder.
    ///
    /// # Errors
    /// Those of [`Role::load`].
    pub async fn load(pack: &mut Pack, model: &str, called: &str, device: &Device) -> Result<Self, RoleError> {
        if model != Role::Embedder.name() {
            match pack.classifier(model, device).await {
                Err(PackError::TensorMissing { .. }) => {} // no head
                classifier => return Ok(Self::cross_encoder(called, classifier?)?),
            }
        }
        Ok(Self::BiEncoder(pack.embedder(model, device).await?.into()))
    }
}

/// Why a model cannot have a role.
#[derive(Debug, thiserror::Error)]
pub enum RoleError {
    /// It cannot be loaded.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// It is of another kind than the role needs.
    #[error("the model {model} for the role {role} is of the kind {kind}, and not {wanted}: choose another")]
    Kind {
        /// The model's name.
        model: String,
        /// What it is.
        kind: ModelKind,
        /// The role's name.
        role: &'static str,
        /// What the role needs.
        wanted: &'static str,
    },
    /// It has other labels than the role needs.
    #[error(transparent)]
    Wrong(#[from] WrongModel),
    /// The verifier was trained on a prompt that is not known here.
    #[error("the verifier was trained on the prompt {0:?}, which this version does not write: choose another")]
    Prompt(String),
    /// It is of another architecture than those that were trained on the prompt.
    #[error(
        "the model {model} is of the model_type {found:?}, and the prompt {prompt} is for {wanted:?}: choose another"
    )]
    Architecture {
        /// The model's name.
        model: String,
        /// Its architecture.
        found: String,
        /// The prompt.
        prompt: &'static str,
        /// The architecture that is asked by it.
        wanted: &'static str,
    },
    /// The verifier's vocabulary lacks the words that it must answer with: A or Yes and B or No, or what its own prompt
    /// asks for.
    #[error("the verifier's vocabulary lacks the words that it must answer with: choose another")]
    NoAnswerWords,
}

impl RoleError {
    /// The stable code of this error.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Pack(error) => error.code(),
            Self::Kind { .. } | Self::Wrong(_) | Self::Prompt(_) | Self::Architecture { .. } | Self::NoAnswerWords => {
                ErrorCode::PackArchitecture
            }
        }
    }
}
