//! The scorer, which holds CONNER's models.

use evident_nn::{CausalLm, Classifier, Device, Pack, Seq2Seq};

use crate::error::WrongModel;
use crate::models::load::{RoleError, RoleModel};
use crate::models::nli::NliModel;
use crate::models::relevance::{RelevanceModel, one_or_two_labels};
use crate::models::role::Role;

/// A model and the name that reports give it.
pub(super) struct Named<M> {
    pub name: String,
    pub model: M,
}

/// CONNER's scores by whatever models there are. Each model is optional.
#[derive(Default)]
pub struct Conner {
    pub(super) nli: Option<Named<NliModel>>,
    pub(super) relevance_model: Option<Named<RelevanceModel>>,
    pub(super) language_model: Option<Named<CausalLm>>,
    pub(super) seq2seq: Option<Named<Seq2Seq>>,
    pub(super) discourse: Option<Named<Classifier>>,
}

impl Conner {
    /// A scorer without any model: every score says what it needs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the model that a pack has for a role.
    ///
    /// # Errors
    /// Those of [`Role::load`].
    pub async fn with_role(self, role: Role, pack: &mut Pack, device: &Device) -> Result<Self, RoleError> {
        let name = role.called(pack.manifest());
        let model = role.load(pack, role.name(), &name, device).await?;
        self.with_model(&name, model)
    }

    /// Adds a model, which reports call `name`, for its role. It replaces any earlier model for that role.
    ///
    /// # Errors
    /// [`RoleError::Wrong`] for a discourse model with other labels than its role needs.
    pub fn with_model(self, name: &str, model: RoleModel) -> Result<Self, RoleError> {
        Ok(match model {
            RoleModel::Nli(model) => self.with_nli(name, model),
            RoleModel::Relevance(model) => self.with_relevance_model(name, model),
            RoleModel::Lm(model) => self.with_language_model(name, model),
            RoleModel::Seq2seq(model) => self.with_seq2seq(name, model),
            RoleModel::Discourse(model) => self.with_discourse(name, model)?,
            #[cfg(not(target_family = "wasm"))]
            RoleModel::Marks(_) => self, // no score is computed with it
        })
    }

    /// Adds an NLI model for factuality and validity (Eq. 1, 7, 8). Its temperature is set to 1, because the paper has
    /// none.
    #[must_use]
    pub fn with_nli(self, name: &str, model: NliModel) -> Self {
        Self { nli: Some(named(name, model.uncalibrated())), ..self }
    }

    /// The name that reports give to the NLI model, and the model; `None` if there is none.
    #[must_use]
    pub fn nli(&self) -> Option<(&str, &NliModel)> {
        self.nli.as_ref().map(|Named { name, model }| (name.as_str(), model))
    }

    /// Adds a cross-encoder or a bi-encoder for relevance (Eq. 2).
    #[must_use]
    pub fn with_relevance_model(self, name: &str, model: RelevanceModel) -> Self {
        Self { relevance_model: Some(named(name, model)), ..self }
    }

    /// Adds a causal language model for cohesion and informativeness (Eq. 3, 5), and for helpfulness (Eq. 6) if there
    /// is no seq2seq model.
    #[must_use]
    pub fn with_language_model(self, name: &str, model: CausalLm) -> Self {
        Self { language_model: Some(named(name, model)), ..self }
    }

    /// Adds a seq2seq model for helpfulness (Eq. 6), and for informativeness (Eq. 5) if there is no causal language
    /// model.
    #[must_use]
    pub fn with_seq2seq(self, name: &str, model: Seq2Seq) -> Self {
        Self { seq2seq: Some(named(name, model)), ..self }
    }

    /// The seq2seq model, if there is one.
    #[must_use]
    pub fn seq2seq(&self) -> Option<&Seq2Seq> {
        self.seq2seq.as_ref().map(|named| &named.model)
    }

    /// Adds a discourse model for paragraph-level coherence (Eq. 4): a classifier of one logit, or of two classes of
    /// which the second is "coherent". It reads the sentences, joined by spaces, as the first text of a pair whose
    /// second is empty.
    ///
    /// # Errors
    /// [`WrongModel`] for a classifier with more labels.
    pub fn with_discourse(self, name: &str, classifier: Classifier) -> Result<Self, WrongModel> {
        let wanted = "a discourse model: choose one with a single label, or two of which the second is coherent";
        Ok(Self { discourse: Some(named(name, one_or_two_labels(name, classifier, wanted)?)), ..self })
    }
}

fn named<M>(name: &str, model: M) -> Named<M> {
    Named { name: name.into(), model }
}
