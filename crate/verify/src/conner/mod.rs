//! CONNER: scores of a piece of knowledge and of the answer given with it (chen2023, "Beyond Factuality: A
//! Comprehensive Evaluation of Large Language Models as Knowledge Generators").
//!
//! [`Conner`] holds whatever models there are. A score that lacks an input or a model says which; nothing else stands
//! in for it. CONNER.md, beside this crate's sources, lists what each score needs. The equations are functions of
//! numbers. [`quality`](fn@quality), [`best`] and [`top`] are the use cases of Sec. 5.
//!
//! ```no_run
//! use evident_index::{FileStorage, Index};
//! use evident_nn::{Backend, Pack, open_device};
//! use evident_verify::Role;
//! use evident_verify::conner::{Conner, Item, Settings, Sources};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let (device, _) = open_device(Backend::Cpu).await?;
//! let mut pack = Pack::open("models/embedded".as_ref())?;
//! let conner = Conner::new().with_role(Role::Nli, &mut pack, &device).await?;
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
mod scorer;
mod scores;
mod settings;
mod steps;
mod validity;

pub use crate::models::relevance::normalised;
pub use coherence::Coherence;
pub use cohesion::{Cohesion, ReadSentence};
pub use factuality::{CheckedSentence, Factuality};
pub use formulas::{
    Aggregate, best, cohesion, cosine_relevance, factuality, informativeness, perplexity, quality, sentence_factuality,
    top, unclipped_helpfulness,
};
pub use helpfulness::Helpfulness;
pub use informativeness::Informativeness;
pub use item::{Item, Sources};
pub use outcome::{Cut, Missing, Outcome, Plain, Value};
pub use prompts::fill;
pub use random_passages::random_passages;
pub use scorer::Conner;
pub use scores::{ConnerReport, ScoreName};
pub use settings::{HelpfulAnswer, Settings, ValidityForm};
pub use validity::Validity;
