//! Small transformers in Rust, natively and in the browser: T5, BERT, MPNet, DeBERTa and GPT-2 on Burn, read from the
//! Hugging Face layout. ModernBERT and HHEM are read natively only.
//!
//! A [`Pack`] holds models. Each is loaded onto a [`Device`] and run with async calls: reading a result back from a GPU
//! in a browser is asynchronous, and [pauses](pause_in_models) keep a page responsive.
//!
//! ```no_run
//! use evident_nn::{Backend, Pack, open_device};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let (device, adapter) = open_device(Backend::Cpu).await?;
//! let mut pack = Pack::open("models/embedded".as_ref())?;
//!
//! let nli = pack.classifier("nli", &device).await?;
//! let logits = nli.logits(&[("Paris is the capital of France.", "The capital of France is Paris.")]).await?;
//! println!("on {adapter}: {:?} = {:?}", nli.labels(), logits[0]);
//!
//! let verifier = pack.seq2seq("verifier", &device).await?;
//! let mut answer = verifier.generate("Is the Earth round?", 512).await?;
//! while let Some(step) = answer.step().await? {
//!     println!("{:?}", verifier.tokenizer().piece(step.token));
//! }
//! # Ok(())
//! # }
//! ```

#![allow(clippy::large_enum_variant)] // a tensor is a large value, and there are few of them

mod backend;
#[cfg(not(target_family = "wasm"))]
mod convert;
mod device;
mod error;
#[cfg(not(target_family = "wasm"))]
mod join;
mod json;
mod kernels;
mod layers;
mod models;
mod ops;
mod pack;
mod pack_json;
mod pause;
#[cfg(not(target_family = "wasm"))]
mod seal;
mod tasks;
mod threads;
mod tokenizer;
mod warm_up;
mod weights;
mod wrong_file;

pub use backend::Backend;
pub use burn::tensor::Device;
#[cfg(not(target_family = "wasm"))]
pub use convert::{Precision, convert};
pub use device::open_device;
#[cfg(not(target_family = "wasm"))]
pub use error::ConvertError;
pub use error::{NnError, PackError};
pub use evident_base::ErrorCode;
#[cfg(not(target_family = "wasm"))]
pub use join::{Part, join};
pub use pack::Pack;
pub use pack::calibration::{BriefThresholds, Calibration, NliCalibration, VerifierCalibration};
pub use pack::incoming::{Incoming, VerifiedFile};
pub use pack::inspect::{ModelSummary, TensorSummary};
pub use pack::kind::ModelKind;
#[cfg(not(target_family = "wasm"))]
pub use pack::listing::{LayerSize, PackListing, WeightsListing};
pub use pack::manifest::{FileEntry, LARGEST_MANIFEST, Manifest, ONLY_MODEL};
pub use pack::measured::{Measured, VerdictCounts};
pub use pause::{Pause, pause_in_models};
#[cfg(not(target_family = "wasm"))]
pub use seal::{Source, recalibrate, seal, seal_anew};
pub use tasks::causal_lm::CausalLm;
pub use tasks::classifier::Classifier;
pub use tasks::embedder::Embedder;
pub use tasks::seq2seq::{DecodingStep, Generation, Seq2Seq, nucleus};
#[cfg(not(target_family = "wasm"))]
pub use tasks::token_classifier::TokenClassifier;
pub use threads::{ThreadBody, Threads, ThreadsError};
pub use tokenizer::Tokenizer;
pub use warm_up::WarmUp;
pub use wrong_file::WrongFile;
