//! Model packs: the files that a manifest names, and the models that they make up.
//!
//! A folder as published on the Hugging Face hub opens as a pack of one model. It has `config.json`, `tokenizer.json`,
//! and `model.safetensors` or the shards of `model.safetensors.index.json`.

pub(crate) mod calibration;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod directory;
#[cfg(not(target_family = "wasm"))]
mod hugging_face;
pub(crate) mod incoming;
pub(crate) mod inspect;
pub(crate) mod kind;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod listing;
pub(crate) mod manifest;
pub(crate) mod measured;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use burn::tensor::Device;

use crate::error::PackError;
use crate::layers::loader::{Loader, SharedTensors};
use crate::models::architectures::load_as;
use crate::models::config::model_type;
use crate::pack::incoming::{File, VerifiedFile};
use crate::pack::manifest::{FileEntry, Manifest, ModelEntry};
use crate::pause::pause;
use crate::tasks::causal_lm::CausalLm;
use crate::tasks::classifier::Classifier;
use crate::tasks::embedder::Embedder;
use crate::tasks::seq2seq::Seq2Seq;
#[cfg(not(target_family = "wasm"))]
use crate::tasks::token_classifier::TokenClassifier;
use crate::tokenizer::Tokenizer;
use crate::weights::find::{TensorPlace, Weights};
use crate::weights::safetensors::TensorFile;

/// A pack, and those of its files that are in memory. Loading a model frees the tensors and the files that no model
/// still to be loaded needs.
pub struct Pack {
    manifest: Manifest,
    files: HashMap<String, File>,
    /// The models that are still to be loaded: all of the manifest's, until [`Pack::expect`] names them.
    expected: BTreeSet<String>,
    /// The tensors that the loaded models were made of.
    used: BTreeSet<TensorPlace>,
    tokenizers: HashMap<String, Arc<Tokenizer>>,
    shared: SharedTensors,
}

impl Pack {
    /// A pack with these of its files in memory; [`Pack::add`] adds others.
    pub fn new(manifest: Manifest, files: Vec<VerifiedFile>) -> Self {
        let files = files.into_iter().map(|file| (file.path, file.contents)).collect();
        let expected = manifest.models().map(str::to_owned).collect();
        Self {
            manifest,
            files,
            expected,
            used: BTreeSet::new(),
            tokenizers: HashMap::new(),
            shared: SharedTensors::default(),
        }
    }

    /// Names the models that are still to be loaded. What only others need is freed, now and as they are loaded.
    pub fn expect(&mut self, models: &[&str]) {
        self.expected = models.iter().map(|&name| name.to_owned()).collect();
        self.free();
    }

    /// The files of these models that are not in memory, in the manifest's order. A model that the pack does not have
    /// needs none.
    pub fn needs(&self, models: &[&str]) -> Vec<FileEntry> {
        let models: Vec<_> = models.iter().filter_map(|name| self.manifest.contents.models.get(*name)).collect();
        let needed = |file: &&FileEntry| {
            !self.files.contains_key(&file.path) && models.iter().any(|model| model.reads(&file.path))
        };
        self.manifest.files().iter().filter(needed).cloned().collect()
    }

    /// Adds a file of this pack.
    pub fn add(&mut self, file: VerifiedFile) {
        self.files.insert(file.path, file.contents);
    }

    /// Reads a pack from a folder and checks every file. A folder in the Hugging Face layout, without a pack.json, is a
    /// pack of one model, [`ONLY_MODEL`](crate::ONLY_MODEL), with the default calibration.
    ///
    /// # Errors
    /// As [`Manifest::parse`] and [`Manifest::verify`].
    #[cfg(not(target_family = "wasm"))]
    pub fn open(directory: &std::path::Path) -> Result<Self, PackError> {
        Self::read(directory, Manifest::open(directory)?)
    }

    /// As [`Pack::open`], by this manifest in place of the folder's.
    ///
    /// # Errors
    /// As [`Manifest::verify`].
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn read(directory: &std::path::Path, manifest: Manifest) -> Result<Self, PackError> {
        let file = |file: &FileEntry| manifest.read(directory, &file.path);
        let files = manifest.files().iter().map(file).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::new(manifest, files))
    }

    /// As [`Pack::open`], but reads and checks only the files of these models.
    ///
    /// # Errors
    /// Those of [`Pack::open`].
    #[cfg(not(target_family = "wasm"))]
    pub fn open_for(directory: &std::path::Path, models: &[&str]) -> Result<Self, PackError> {
        Self::open_chosen(directory, |_| Ok(models.iter().map(|&name| name.to_owned()).collect()))
    }

    /// As [`Pack::open_for`], but `choose` selects the models from the manifest.
    ///
    /// # Errors
    /// Those of [`Pack::open`] and of `choose`.
    #[cfg(not(target_family = "wasm"))]
    pub fn open_chosen(
        directory: &std::path::Path,
        choose: impl FnOnce(&Manifest) -> Result<Vec<String>, PackError>,
    ) -> Result<Self, PackError> {
        let mut pack = Self::new(Manifest::open(directory)?, Vec::new());
        let models = choose(&pack.manifest)?;
        let models: Vec<&str> = models.iter().map(String::as_str).collect();
        pack.expect(&models);
        for file in pack.needs(&models) {
            let file = pack.manifest.read(directory, &file.path)?;
            pack.add(file);
        }
        Ok(pack)
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Sets the prompt that a verifier was trained on, in place of the manifest's. Does nothing if there is no such
    /// model.
    #[cfg(not(target_family = "wasm"))]
    pub fn state_prompt(&mut self, model: &str, prompt: &str) {
        if let Some(entry) = self.manifest.contents.models.get_mut(model) {
            entry.prompt = Some(prompt.to_owned());
        }
    }

    /// Loads an encoder-decoder: T5 v1.0 or v1.1 (`model_type` "t5"). It pauses after each tensor, so that a page stays
    /// responsive.
    ///
    /// # Errors
    /// [`PackError::ModelMissing`] for an unknown model, [`PackError::FileMissing`] if a file that it needs is not in
    /// memory. [`PackError::Architecture`], [`PackError::TensorMissing`] and [`PackError::Shape`] for a model of
    /// another kind. [`PackError::Cancelled`] if the caller stops it in a pause; it can be loaded again then.
    pub async fn seq2seq(&mut self, name: &str, device: &Device) -> Result<Seq2Seq, PackError> {
        self.load(name, device, async |path, json, tokenizer, loader| {
            let load = load_as(path, &model_type(path, json)?, "an encoder-decoder", |row| row.seq2seq)?;
            let model = load(path, json, loader).await?;
            model_reads(path, model.vocabulary(), &tokenizer)?;
            Ok(Seq2Seq::new(model, tokenizer))
        })
        .await
    }

    /// Loads a classifier of texts or of pairs of texts: BERT, RoBERTa, MPNet, DeBERTa-v2 or v3, or natively ModernBERT
    /// or HHEM-2.1 (`model_type` "bert", "roberta", "mpnet", "deberta-v2", "modernbert" or "HHEMv2").
    ///
    /// # Errors
    /// As [`Pack::seq2seq`].
    pub async fn classifier(&mut self, name: &str, device: &Device) -> Result<Classifier, PackError> {
        self.load(name, device, async |path, json, tokenizer, loader| {
            let load = load_as(path, &model_type(path, json)?, "a sequence classifier", |row| row.classifier)?;
            let model = load(path, json, loader).await?;
            model_reads(path, model.vocabulary(), &tokenizer)?;
            leaves_room(path, model.max_tokens(), &tokenizer, true)?;
            Ok(Classifier::new(model, tokenizer))
        })
        .await
    }

    /// Loads a classifier of tokens: ModernBERT (`model_type` "modernbert"), such as LettuceDetect.
    ///
    /// # Errors
    /// As [`Pack::seq2seq`].
    #[cfg(not(target_family = "wasm"))]
    pub async fn token_classifier(&mut self, name: &str, device: &Device) -> Result<TokenClassifier, PackError> {
        self.load(name, device, async |path, json, tokenizer, loader| {
            let load = load_as(path, &model_type(path, json)?, "a token classifier", |row| row.token_classifier)?;
            let model = load(path, json, loader).await?;
            model_reads(path, model.vocabulary(), &tokenizer)?;
            leaves_room(path, model.max_tokens(), &tokenizer, true)?;
            Ok(TokenClassifier::new(model, tokenizer))
        })
        .await
    }

    /// Loads a causal language model: GPT-2 or GPT-Neo (`model_type` "gpt2" or "gpt_neo").
    ///
    /// # Errors
    /// As [`Pack::seq2seq`].
    pub async fn causal_lm(&mut self, name: &str, device: &Device) -> Result<CausalLm, PackError> {
        self.load(name, device, async |path, json, tokenizer, loader| {
            let load = load_as(path, &model_type(path, json)?, "a causal language model", |row| row.causal_lm)?;
            let model = load(path, json, loader).await?;
            model_reads(path, model.vocabulary(), &tokenizer)?;
            leaves_room(path, model.max_tokens(), &tokenizer, false)?;
            Ok(CausalLm::new(model, tokenizer))
        })
        .await
    }

    /// Loads a bi-encoder: BERT, RoBERTa, MPNet or natively ModernBERT (`model_type` "bert", "roberta", "mpnet" or
    /// "modernbert") with mean pooling, such as sentence-transformers/all-MiniLM-L6-v2 and all-mpnet-base-v2. If the
    /// files have a head, it is not read.
    ///
    /// # Errors
    /// As [`Pack::seq2seq`].
    pub async fn embedder(&mut self, name: &str, device: &Device) -> Result<Embedder, PackError> {
        self.load(name, device, async |path, json, tokenizer, loader| {
            let load = load_as(path, &model_type(path, json)?, "a bi-encoder", |row| row.embedder)?;
            let model = load(path, json, loader).await?;
            model_reads(path, model.vocabulary(), &tokenizer)?;
            leaves_room(path, model.max_tokens(), &tokenizer, false)?;
            Ok(Embedder::new(model, tokenizer))
        })
        .await
    }

    /// The tensors of the models loaded so far.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn used(&self) -> &BTreeSet<TensorPlace> {
        &self.used
    }

    /// The manifest's entry of a model.
    ///
    /// # Errors
    /// [`PackError::ModelMissing`]
    pub(crate) fn entry(&self, name: &str) -> Result<&ModelEntry, PackError> {
        let models = &self.manifest.contents.models;
        let missing = || PackError::ModelMissing { name: name.to_owned(), known: models.keys().cloned().collect() };
        models.get(name).ok_or_else(missing)
    }

    /// The bytes of a config or a tokenizer.
    ///
    /// # Errors
    /// [`PackError::FileMissing`], and [`PackError::Unreadable`] for a file of weights.
    pub(crate) fn text(&self, path: &str) -> Result<&[u8], PackError> {
        match self.files.get(path) {
            Some(File::Text(text)) => Ok(text),
            Some(File::Weights(_)) => Err(unreadable(path, "it is a file of weights")),
            None => Err(PackError::FileMissing { path: path.to_owned() }),
        }
    }

    /// A file of weights.
    ///
    /// # Errors
    /// [`PackError::FileMissing`], and [`PackError::Unreadable`] for another file.
    pub(crate) fn weights(&self, path: &str) -> Result<&TensorFile, PackError> {
        match self.files.get(path) {
            Some(File::Weights(tensors)) => Ok(tensors),
            Some(File::Text(_)) => Err(unreadable(path, "it is no file of weights")),
            None => Err(PackError::FileMissing { path: path.to_owned() }),
        }
    }

    /// Loads a model by `build`. It may be loaded again after an error: what was made until then is kept.
    async fn load<M>(
        &mut self,
        name: &str,
        device: &Device,
        build: impl AsyncFnOnce(&str, &[u8], Arc<Tokenizer>, &Loader) -> Result<M, PackError>,
    ) -> Result<M, PackError> {
        let tokenizer = self.tokenizer(name).await?;
        let model = self.entry(name)?;
        let mut weights = Weights::default();
        for entry in &model.weights {
            let kept = self.expected.iter().any(|other| other != name && self.reads(other, &entry.path));
            weights.add(&entry.path, self.weights(&entry.path)?, &entry.names, kept)?;
        }
        let config = self.text(&model.config)?;
        let built = build(&model.config, config, tokenizer, &Loader::new(device, &self.shared, &weights)).await?;
        self.used.append(&mut weights.used());
        self.expected.remove(name);
        self.free();
        Ok(built)
    }

    /// The tokenizer of a model. Models that have it from one file share it.
    async fn tokenizer(&mut self, name: &str) -> Result<Arc<Tokenizer>, PackError> {
        let path = self.entry(name)?.tokenizer.clone();
        if let Some(tokenizer) = self.tokenizers.get(&path) {
            return Ok(tokenizer.clone());
        }
        let tokenizer = Arc::new(Tokenizer::read(&path, self.text(&path)?)?);
        self.tokenizers.insert(path, tokenizer.clone());
        pause().await?;
        Ok(tokenizer)
    }

    /// Whether a model reads a file.
    fn reads(&self, model: &str, path: &str) -> bool {
        self.manifest.contents.models.get(model).is_some_and(|model| model.reads(path))
    }

    /// Frees the files that no model still to be loaded needs, and what was made for one model alone.
    fn free(&mut self) {
        let Self { manifest, files, expected, tokenizers, shared, .. } = self;
        let models = &manifest.contents.models;
        let reads = |name: &str, path: &str| models.get(name).is_some_and(|model| model.reads(path));
        let is_to_come = |path: &str| expected.iter().any(|name| reads(name, path));
        let is_shared = |path: &str| models.values().filter(|model| model.reads(path)).count() > 1;
        files.retain(|path, _| is_to_come(path));
        tokenizers.retain(|path, _| is_shared(path));
        // A model whose loading was stopped needs the tensors that were made: its files have freed theirs.
        shared.retain(|path| is_shared(path) || is_to_come(path));
    }
}

fn unreadable(path: &str, reason: &str) -> PackError {
    PackError::Unreadable { path: path.to_owned(), reason: reason.to_owned() }
}

/// Checks that the model has a row for each id of the tokenizer.
///
/// # Errors
/// [`PackError::Architecture`]
fn model_reads(path: &str, vocabulary: usize, tokenizer: &Tokenizer) -> Result<(), PackError> {
    if tokenizer.size() > vocabulary {
        let reason = format!("the tokenizer has {} ids where the model has {vocabulary}", tokenizer.size());
        return Err(PackError::Architecture { path: path.to_owned(), reason });
    }
    Ok(())
}

/// Checks that the special tokens leave room for text.
///
/// # Errors
/// [`PackError::Architecture`]
fn leaves_room(path: &str, positions: usize, tokenizer: &Tokenizer, pair: bool) -> Result<(), PackError> {
    if positions <= tokenizer.special_tokens(pair) {
        let reason =
            format!("{positions} positions leave no room for {}", if pair { "a pair of texts" } else { "a text" });
        return Err(PackError::Architecture { path: path.to_owned(), reason });
    }
    Ok(())
}
