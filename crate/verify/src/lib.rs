//! Checks what a chatbot said, sentence by sentence, with small models over retrieved evidence.
//!
//! A natural language inference model sets each sentence against the passages that were found for it (chen2023, "Beyond
//! Factuality: A Comprehensive Evaluation of Large Language Models as Knowledge Generators", CONNER). Where the settings ask
//! for it, so does a T5 that is prompted as a fact verifier (guan2024, "Language Models Hallucinate, but May Excel at Fact
//! Verification"). The calibrated score gives the verdict: factual, unfactual, mixed, or no evidence.
//!
//! ```no_run
//! use evident_index::{FileStorage, Index};
//! use evident_nn::{Backend, Pack, open_device};
//! use evident_verify::{About, BackendReport, Cancelled, Event, Observer, PackReport, Settings, Verifier};
//!
//! struct Patient(std::time::Instant);
//!
//! impl Observer for Patient {
//!     async fn observe(&self, _: Event<'_>) -> Result<(), Cancelled> {
//!         Ok(())
//!     }
//!     fn now(&self) -> f64 {
//!         self.0.elapsed().as_secs_f64() * 1e3
//!     }
//! }
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let (device, name) = open_device(Backend::Cpu).await?;
//! let mut pack = Pack::open("models/embedded".as_ref())?;
//! let about = About {
//!     backend: BackendReport { kind: Backend::Cpu, name },
//!     pack: PackReport::of(pack.manifest()),
//! };
//! let verifier = Verifier::new(
//!     pack.classifier("nli", &device)?,
//!     pack.manifest().calibration().clone(),
//!     Index::open(FileStorage::new("index")).await?,
//!     about,
//! )?;
//! let observer = Patient(std::time::Instant::now());
//! let report = verifier.verify("Iron is a metal.", None, &Settings::default(), &observer).await?;
//! println!("{:?}", report.sentences[0].verdict);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod answer;
mod assessor;
mod claim;
pub mod conner;
mod entity;
mod error;
mod lanes;
mod markdown;
pub mod meta;
mod method;
mod nli;
mod observer;
mod opposition;
mod part;
mod premise;
mod prompt;
mod random;
mod reading;
mod report;
mod retrieve;
mod risk;
mod sentence;
mod settings;
mod split;
mod verdict;
mod verifier;

pub use assessor::{Assessor, Scores, stand_alone};
pub use claim::Kind;
pub use entity::{Entity, EntityKind, MONTHS, entities};
pub use error::VerifyError;
pub use lanes::{Apart, Case, Judge, Judged, Lanes};
pub use method::{Demonstration, Method, atomic_facts};
pub use nli::Nli;
pub use observer::{Cancelled, Event, Observer, SentenceStart, Stage};
pub use prompt::{Prompt, Wording};
pub use report::{
    BackendReport, ByWording, Decider, Evidence, IndexReport, LeftOut, PackReport, PartReport, Reason, Report, SCHEMA,
    SentenceReport, Span, Summary, Timings, TrafficReport,
};
pub use retrieve::{Ranker, RerankKind, RerankReport, Reranker, Retriever};
pub use risk::{Risk, risks};
pub use sentence::{Sentence, sentences};
pub use settings::{Facts, Preset, Resolver, ScoreBy, Search, Settings, Unit};
pub use split::{Split, split};
pub use verdict::Verdict;
pub use verifier::{About, Verifier};
