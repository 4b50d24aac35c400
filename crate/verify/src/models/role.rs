//! The roles that a pack's models have, by the names that packs give them.

use evident_nn::{Manifest, ONLY_MODEL, PackError};

/// What a model does. A pack's model of the same name has that role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Verdicts, factuality and validity: a classifier with entailment, neutral and contradiction.
    Nli,
    /// The T5 that is asked about statements: a seq2seq model.
    Verifier,
    /// Relevance by a bi-encoder.
    Embedder,
    /// Relevance by a cross-encoder, or by a bi-encoder if the model has no head.
    Relevance,
    /// Cohesion and informativeness, and helpfulness if there is no seq2seq model: a causal language model.
    Lm,
    /// Helpfulness, and informativeness if there is no causal language model: a seq2seq model.
    Seq2seq,
    /// Coherence: a classifier of paragraphs.
    Discourse,
    /// The words that no passage supports: a classifier of tokens.
    #[cfg(not(target_family = "wasm"))]
    Marks,
}

impl Role {
    /// The roles of CONNER's scores. A cross-encoder comes after the bi-encoder that it replaces.
    pub const SCORES: [Self; 6] =
        [Self::Nli, Self::Embedder, Self::Relevance, Self::Lm, Self::Seq2seq, Self::Discourse];

    /// The name of its model in a pack.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nli => "nli",
            Self::Verifier => "verifier",
            Self::Embedder => "embedder",
            Self::Relevance => "relevance",
            Self::Lm => "lm",
            Self::Seq2seq => "seq2seq",
            Self::Discourse => "discourse",
            #[cfg(not(target_family = "wasm"))]
            Self::Marks => "marks",
        }
    }

    /// The role of this name, among those that a page may name. "seq2seq" and "verifier" are different roles, which one
    /// model may have.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        [Self::Verifier].into_iter().chain(Self::SCORES).find(|role| role.name() == name)
    }

    /// The name of the model in a pack that can have this role: the only one, one named after the role, or one named
    /// after a role that takes the same kind of model.
    ///
    /// # Errors
    /// [`PackError::ModelMissing`] if there is none.
    pub fn model_in(self, manifest: &Manifest) -> Result<String, PackError> {
        let known: Vec<String> = manifest.models().map(str::to_owned).collect();
        let names = match self {
            Self::Verifier | Self::Seq2seq => vec![self, Self::Verifier, Self::Seq2seq],
            Self::Relevance => vec![self, Self::Embedder],
            other => vec![other],
        };
        match (known.as_slice(), names.iter().find(|role| known.iter().any(|name| name == role.name()))) {
            (_, Some(role)) => Ok(role.name().to_owned()),
            ([only], None) => Ok(only.clone()),
            _ => Err(PackError::ModelMissing { name: self.name().to_owned(), known }),
        }
    }

    /// The name that reports give to the model of this role in a pack: `pack/role`.
    #[must_use]
    pub fn called(self, manifest: &Manifest) -> String {
        format!("{}/{}", manifest.name(), self.name())
    }
}

/// The name of the model that re-ranks: a pack's cross-encoder, else its bi-encoder, else the only model of a plain
/// folder.
///
/// # Errors
/// [`PackError::ModelMissing`] for a pack without any of them.
pub fn reranking_model(manifest: &Manifest) -> Result<&'static str, PackError> {
    let known: Vec<String> = manifest.models().map(str::to_owned).collect();
    let names = [Role::Relevance.name(), Role::Embedder.name(), ONLY_MODEL];
    let found = names.into_iter().find(|&name| known.iter().any(|model| model == name));
    found.ok_or_else(|| PackError::ModelMissing { name: Role::Relevance.name().to_owned(), known })
}
