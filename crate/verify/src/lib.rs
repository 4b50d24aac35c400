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

pub mod conner;
mod error;
mod events;
mod evidence;
mod judge;
pub mod meta;
mod models;
mod random;
mod report;
mod settings;
mod text;
mod verifier;

pub use error::VerifyError;
pub use events::{Cancelled, Event, Observer, SentenceStart, Stage};
pub use evidence::retrieve::{Ranker, RerankKind, RerankReport, Reranker, Retriever};
pub use judge::demonstrations::Demonstration;
pub use judge::methods::Method;
pub use judge::prompt::{Prompt, Wording};
pub use judge::verdict::Verdict;
pub use judge::workers::{Apart, Case, Judge, Judged, Lanes};
pub use judge::writing::facts::atomic_facts;
pub use judge::{Assessor, Scores, stand_alone};
pub use models::nli::Nli;
pub use report::{
    BackendReport, ByWording, Decider, Evidence, IndexReport, LeftOut, PackReport, PartReport, Reason, Report, SCHEMA,
    SentenceReport, Span, Summary, Timings, TrafficReport,
};
pub use settings::{Facts, Preset, Resolver, ScoreBy, Search, Settings, Unit};
pub use text::claims::Kind;
pub use text::entities::{Entity, EntityKind, MONTHS, entities};
pub use text::risks::{Risk, risks};
pub use text::sentences::{Sentence, sentences};
pub use text::split::{Split, split};
pub use verifier::{About, Verifier};
