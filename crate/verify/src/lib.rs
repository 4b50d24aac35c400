//! Checks what a chatbot said, sentence by sentence, with small models over retrieved evidence.
//!
//! A natural language inference model reads each sentence beside the passages that were found for it (chen2023, "Beyond
//! Factuality: A Comprehensive Evaluation of Large Language Models as Knowledge Generators", CONNER). If the settings
//! ask for it, so does a T5 that is prompted as a fact verifier (guan2024, "Language Models Hallucinate, but May Excel
//! at Fact Verification"). Their calibrated score gives the verdict: factual, unfactual, mixed, or no evidence.
//!
//! [`Verifier::verify`] runs all steps. `text` splits an answer into claims, `evidence` retrieves passages, `models`
//! and `judge` run the models and decide, and `report` has the types of the result. [`conner`] has the scores of
//! chen2023.
//!
//! ```no_run
//! use evident_index::{FileStorage, Index};
//! use evident_nn::{Backend, Pack, open_device};
//! use evident_verify::{
//!     About, BackendReport, IndexSource, Judge, PackReport, Retriever, Settings, Verifier,
//! };
//! use std::rc::Rc;
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let (device, name) = open_device(Backend::Cpu).await?;
//! let mut pack = Pack::open("models/embedded".as_ref())?;
//! let about = About {
//!     backend: BackendReport { kind: Backend::Cpu, name },
//!     pack: PackReport::of(pack.manifest()),
//!     models: Default::default(),
//!     marked_by: None,
//! };
//! let judge = Judge::load(&mut pack, "nli", &device).await?;
//! let index = Index::open(FileStorage::new("index")).await?;
//! let source = IndexSource::in_folder(index, "an encyclopedia");
//! let verifier = Verifier::new(judge.into(), Retriever::new(vec![Rc::new(source)], None), about);
//! let report = verifier.verify(verifier.judge(), "Iron is a metal.", None, &Settings::default(), &()).await?;
//! println!("{:?}", report.sentences[0].verdict);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

pub mod conner;
mod error;
mod events;
mod evidence;
mod input;
mod judge;
mod models;
mod random;
mod report;
mod settings;
mod sources;
mod text;
mod verifier;

pub use error::{Cancelled, SourceError, VerifyError, WrongModel};
pub use events::{Event, Observer, ScoreStep, SentenceNumber, Stage, VerifyEvent};
pub use evidence::merge::Merged;
pub use evidence::rerank::Reranker;
pub use evidence::retrieve::{EvidenceSearch, Retriever};
pub use evidence::source::{EvidenceSource, Found, FoundPassage, Query};
pub use evidence::sources::given::GivenPassages;
pub use evidence::sources::index::IndexSource;
pub use evidence::sources::wiki::{
    WikiArticle, WikiHost, WikiReply, WikiSource, WikiWords, wiki_address, wiki_host, wiki_info, wiki_words,
};
pub use futures_util::future::LocalBoxFuture;
pub use input::{Block, BlockKind, Input, LinkPlace};
pub use judge::Judge;
pub use judge::certainty::Certainty;
pub use judge::prompt::Prompt;
pub use judge::published::published_prompts;
pub use judge::scores::Scores;
pub use judge::workers::{Case, JudgedCase, Worker, Workers};
pub use models::load::{RoleError, RoleModel};
#[cfg(not(target_family = "wasm"))]
pub use models::marks::MarksModel;
pub use models::nli::NliModel;
pub use models::relevance::RelevanceModel;
pub use models::role::{Role, reranking_model};
pub use random::SplitMix;
pub use report::{
    Ambiguous, BackendReport, ByWording, Citation, Combination, Confidence, ConsultedSource, Decider, Evidence,
    IndexReport, LeftOut, Listed, Nli, PackReport, PartReport, Reason, Report, RerankKind, RerankReport, Revealed,
    Reveals, Risk, SCHEMA, SearchCost, SentenceKind, SentenceReport, SourceFailure, SourceInfo, SourceKind,
    SourceReport, SourceState, Span, Summary, Timings, TrafficReport, UnjudgedSentence, Unread, Verdict,
};
pub use settings::{Consult, Demonstration, Facts, Method, Preset, Resolver, ScoreBy, Search, Settings, Unit, Wording};
pub use sources::{Sources, check_sources};
pub use text::claim::{Claim, stand_alone};
pub use text::entities::{Entity, EntityKind, entities};
pub use text::facts::{Fact, atomic_facts};
pub use text::markup::{Align, Markup, MarkupKind};
pub use text::risks::risks;
pub use text::sentences::{Sentence, sentences, sentences_of_prose};
pub use text::split::{Split, split};
pub use verifier::{About, SharedModels, Verifier};
