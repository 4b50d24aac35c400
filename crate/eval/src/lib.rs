//! Measures how good Evident's judgments and scores are. EVAL.md, beside this crate's sources, documents every measure.
//!
//! [`Evaluation`] judges labelled statements, and reports how well the verdicts agree with the labels (guan2024) or
//! fits a calibration to them. [`Scoring`] gives the items of a file CONNER's scores and reports what they depend on
//! (chen2023). [`parts`] has retrieval, risk flags, the splitter of sentences, the rewriting of statements and packs of
//! models, each measured alone. [`floors`] counts how often CONNER's scores behave as they must. [`measures`] are the
//! statistics, which read no files.
//!
//! Callers open the models and follow the work through a [`Monitor`]. Nothing here reads arguments or prints.

#![forbid(unsafe_code)]

mod conner;
mod error;
mod fit;
mod journal;
mod lines;
pub mod measures;
mod monitor;
mod output;
pub mod parts;
mod rows;
mod statements;
mod svg;
mod table;
mod workers;

pub use conner::baselines::BaselineRole;
pub use conner::floors;
pub use conner::models::{ConnerModels, ConnerRole};
pub use conner::report::selection::SelectBy;
pub use conner::templates::Template;
pub use conner::written::Written;
pub use conner::{Composed, Scored, Scoring};
pub use error::EvalError;
pub use fit::Fitted;
pub use monitor::Monitor;
pub use rows::formats::Format;
pub use rows::portion::Portion;
pub use rows::row::LabelledRow;
pub use rows::unit::Unit;
pub use statements::evidence::EvidenceMode;
pub use statements::{Evaluation, Statements};
pub use table::table;
