//! CONNER: scores of a piece of knowledge and of the answer given with it (chen2023, "Beyond Factuality: A
//! Comprehensive Evaluation of Large Language Models as Knowledge Generators").
//!
//! [`Conner`] holds whatever models there are. A score that lacks an input or a model says which, and nothing else
//! stands in for it. CONNER.md, beside this crate's sources, lists what each score needs. The equations are functions
//! of numbers; [`quality`], [`best`] and [`top`] are the use cases of Sec. 5, and [`Baselines`] what the paper compares
//! its scores with (App. J.3).
//!
//! ```no_run
//! use evident_index::{FileStorage, Index};
//! use evident_nn::{Backend, Pack, open_device};
//! use evident_verify::conner::{Conner, Item, Role, Settings, Sources};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let (device, _) = open_device(Backend::Cpu).await?;
//! let mut pack = Pack::open("models/embedded".as_ref())?;
//! let conner = Conner::new().with_role(Role::Nli, &mut pack, &device)?;
//!
//! let index = Index::open(FileStorage::new("index")).await?;
//! let item = Item {
//!     question: Some("What is iron?".into()),
//!     knowledge: Some("Iron is a metal. It rusts in wet air.".into()),
//!     ..Item::default()
//! };
//! let report = conner.score(&item, &Sources::of_index(&index), &Settings::default(), &()).await?;
//! println!("factuality {:?}", report.factuality.value());
//! println!("relevance needs {:?}", report.relevance.missing());
//! # Ok(())
//! # }
//! ```

mod baseline;
mod coherence;
mod cohesion;
mod evidence;
mod factuality;
mod formulas;
mod helpfulness;
mod informativeness;
mod item;
mod outcome;
mod prompts;
mod quality;
mod random_passages;
mod relevance;
mod scores;
mod settings;
mod shuffle;
mod validity;

use evident_nn::{CausalLm, Classifier, Device, Pack, Seq2Seq};

pub use crate::error::WrongModel;
pub use crate::models::load::{RoleError, RoleModel};
pub use crate::models::relevance::{RelevanceModel, normalised};
pub use crate::models::role::Role;
pub use baseline::{Baselines, Decomposed, exact_match, hallucinated_entities, unigram_f1};
pub use cohesion::{Cohesion, ReadSentence};
pub use factuality::{CheckedSentence, Factuality};
pub use formulas::{
    Aggregate, best, cohesion, cosine_relevance, factuality, informativeness, perplexity, quality, sentence_factuality,
    top, unclipped_helpfulness,
};
pub use helpfulness::Helpfulness;
pub use informativeness::Informativeness;
pub use item::{Item, Sources};
pub use outcome::{Missing, Outcome, Plain, Value};
pub use random_passages::random_passages;
pub use scores::{ConnerReport, ScoreName};
pub use settings::{Settings, ValidityForm};
pub use shuffle::shuffled;
pub use validity::Validity;

use crate::models::nli::NliModel;
use crate::models::relevance::one_or_two_labels;

/// A model and the name that reports give it.
struct Named<M> {
    name: String,
    model: M,
}

/// CONNER's scores by whatever models there are. Each model is optional.
#[derive(Default)]
pub struct Conner {
    nli: Option<Named<NliModel>>,
    relevance_model: Option<Named<RelevanceModel>>,
    language_model: Option<Named<CausalLm>>,
    seq2seq: Option<Named<Seq2Seq>>,
    discourse: Option<Named<Classifier>>,
    weakly_supervised: Option<Named<Classifier>>,
    multitask: Option<Named<NliModel>>,
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
    pub fn with_role(self, role: Role, pack: &mut Pack, device: &Device) -> Result<Self, RoleError> {
        let name = role.called(pack.manifest());
        let model = role.load(pack, role.name(), &name, device)?;
        self.with_model(&name, model)
    }

    /// Adds a model, which reports call `name`, for its role. It replaces the one that there may be.
    ///
    /// # Errors
    /// [`RoleError::Wrong`] for a discourse or weakly supervised model with other labels than its role needs.
    pub fn with_model(self, name: &str, model: RoleModel) -> Result<Self, RoleError> {
        Ok(match model {
            RoleModel::Nli(model) => self.with_nli(name, model),
            RoleModel::Relevance(model) => self.with_relevance_model(name, model),
            RoleModel::Lm(model) => self.with_language_model(name, model),
            RoleModel::Seq2seq(model) => self.with_seq2seq(name, model),
            RoleModel::Discourse(model) => self.with_discourse(name, model)?,
            RoleModel::WeaklySupervised(model) => self.with_weakly_supervised(name, model)?,
            RoleModel::Multitask(model) => self.with_multitask(name, model),
        })
    }

    /// Adds an NLI model for factuality and validity (Eq. 1, 7, 8).
    #[must_use]
    pub fn with_nli(self, name: &str, model: NliModel) -> Self {
        Self { nli: Some(named(name, model)), ..self }
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
