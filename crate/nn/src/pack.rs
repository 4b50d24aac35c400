//! Model packs: a manifest, the files it names, and the models in them.
//!
//! A pack is a directory of immutable files. `pack.json` lists every one with its size and SHA-256, says which of them
//! make up each model, and carries the calibration of the scores. A directory as published on the Hugging Face hub
//! (`config.json`, `tokenizer.json`, `model.safetensors`) opens as a pack of one model.

use std::collections::{BTreeMap, HashMap};

use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::bert::{self, Bert};
use crate::t5::{self, T5};
use crate::weights::Weights;
use crate::{Classifier, PackError, Seq2Seq, Tokenizer};

/// The format of pack.json that this crate reads.
pub(crate) const FORMAT: u64 = 1;

/// The name of the model in a directory that has no pack.json.
pub const ONLY_MODEL: &str = "model";

/// What pack.json says.
#[derive(Debug)]
pub struct Manifest {
    contents: Contents,
    hash: String,
}

#[derive(Debug, Deserialize)]
struct Contents {
    name: String,
    version: String,
    files: Vec<FileEntry>,
    models: BTreeMap<String, ModelEntry>,
    #[serde(default)]
    calibration: Calibration,
}

/// A file of a pack: where it is, how large, and its hash.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FileEntry {
    /// The path from the pack's root, with forward slashes.
    pub path: String,
    /// The size in bytes.
    pub bytes: u64,
    /// The SHA-256 of the bytes, in lower-case hexadecimal.
    pub sha256: String,
}

#[derive(Clone, Debug, Deserialize)]
struct ModelEntry {
    config: String,
    tokenizer: String,
    weights: Vec<WeightEntry>,
}

#[derive(Clone, Debug, Deserialize)]
struct WeightEntry {
    path: String,
    /// Names in the file to the model's own names; a tensor that is not listed keeps its name.
    #[serde(default)]
    names: BTreeMap<String, String>,
}

/// How raw scores become probabilities and verdicts, fitted when the pack was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Calibration {
    /// p' = sigmoid((logit(p) + bias) / temperature) for the verifier's p.
    pub verifier: VerifierCalibration,
    /// The logits of the NLI model are divided by its temperature.
    pub nli: NliCalibration,
    /// The verifier's share w of the combined score w p' + (1 - w) e / (e + c).
    pub weight_verifier: f64,
    /// A sentence is factual from this score on.
    pub threshold_factual: f64,
    /// A sentence has evidence from this much of 1 - neutral on.
    pub threshold_evidence: f64,
}

/// The verifier's part of a [`Calibration`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct VerifierCalibration {
    /// Divides the shifted logit; above 1 it makes the verifier less sure.
    pub temperature: f64,
    /// Shifts the logit.
    pub bias: f64,
}

/// The NLI model's part of a [`Calibration`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NliCalibration {
    /// Divides the logits.
    pub temperature: f64,
}

impl Default for Calibration {
    fn default() -> Self {
        Self {
            verifier: VerifierCalibration::default(),
            nli: NliCalibration::default(),
            weight_verifier: 0.5,
            threshold_factual: 0.5,
            threshold_evidence: 0.5,
        }
    }
}

impl Default for VerifierCalibration {
    fn default() -> Self {
        Self { temperature: 1.0, bias: 0.0 }
    }
}

impl Default for NliCalibration {
    fn default() -> Self {
        Self { temperature: 1.0 }
    }
}

impl Manifest {
    /// Reads pack.json.
    ///
    /// # Errors
    /// [`PackError::Version`] for another format, [`PackError::Unreadable`] for anything that is no manifest.
    pub fn parse(json: &[u8]) -> Result<Self, PackError> {
        #[derive(Deserialize)]
        struct Format {
            format: u64,
        }
        let unreadable = |reason: String| PackError::Unreadable { path: "pack.json".to_owned(), reason };
        let Format { format } = serde_json::from_slice(json).map_err(|error| unreadable(error.to_string()))?;
        if format != FORMAT {
            return Err(PackError::Version { found: format });
        }
        let contents: Contents = serde_json::from_slice(json).map_err(|error| unreadable(error.to_string()))?;
        if let Some(file) = contents.files.iter().find(|file| !is_inside(&file.path)) {
            return Err(unreadable(format!("the path {:?} leads out of the pack", file.path)));
        }
        let calibration = &contents.calibration;
        if !(calibration.verifier.temperature > 0.0 && calibration.nli.temperature > 0.0) {
            return Err(unreadable("a temperature of the calibration is not above 0".to_owned()));
        }
        Ok(Self { contents, hash: hex(&Sha256::digest(json)) })
    }

    /// The files to fetch, in the manifest's order.
    pub fn files(&self) -> &[FileEntry] {
        &self.contents.files
    }

    /// Checks the bytes of one file against its size and hash.
    ///
    /// # Errors
    /// [`PackError::Altered`] where they differ, [`PackError::FileMissing`] where the manifest names no such file.
    pub fn verify(&self, path: &str, bytes: Vec<u8>) -> Result<VerifiedFile, PackError> {
        let entry = self.contents.files.iter().find(|file| file.path == path);
        let entry = entry.ok_or_else(|| PackError::FileMissing { path: path.to_owned() })?;
        if bytes.len() as u64 != entry.bytes {
            return Err(PackError::Altered {
                path: path.to_owned(),
                expected: format!("size of {} bytes", entry.bytes),
            });
        }
        if hex(&Sha256::digest(&bytes)) != entry.sha256 {
            return Err(PackError::Altered { path: path.to_owned(), expected: format!("SHA-256 {}", entry.sha256) });
        }
        Ok(VerifiedFile { path: path.to_owned(), bytes })
    }

    /// How this pack's scores become probabilities.
    pub fn calibration(&self) -> &Calibration {
        &self.contents.calibration
    }

    /// The pack's name.
    pub fn name(&self) -> &str {
        &self.contents.name
    }

    /// The pack's version.
    pub fn version(&self) -> &str {
        &self.contents.version
    }

    /// The SHA-256 of pack.json, which stands for the whole pack, for every file's hash is in it.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

/// Whether a path stays inside the directory that it is resolved against.
fn is_inside(path: &str) -> bool {
    !path.contains(['\\', ':']) && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes that are what the manifest says: only [`Manifest::verify`] makes one.
pub struct VerifiedFile {
    path: String,
    bytes: Vec<u8>,
}

/// A whole pack in memory. Loading a model uses up the files that no other model needs.
pub struct Pack {
    manifest: Manifest,
    files: HashMap<String, Vec<u8>>,
    tables: Tables,
}

/// Matrices from files that several models read, already on the device, by file and name in it.
pub(crate) type Tables = HashMap<(String, String), Tensor<2>>;

impl Pack {
    /// A pack of these files.
    ///
    /// # Errors
    /// [`PackError::FileMissing`] where a file of the manifest is not among them.
    pub fn new(manifest: Manifest, files: Vec<VerifiedFile>) -> Result<Self, PackError> {
        let files: HashMap<_, _> = files.into_iter().map(|file| (file.path, file.bytes)).collect();
        if let Some(missing) = manifest.files().iter().find(|file| !files.contains_key(&file.path)) {
            return Err(PackError::FileMissing { path: missing.path.clone() });
        }
        Ok(Self { manifest, files, tables: Tables::new() })
    }

    /// Reads a pack from a directory and checks every file. Without a pack.json, a directory in the Hugging Face layout
    /// is a pack of one model, [`ONLY_MODEL`], with no calibration.
    ///
    /// # Errors
    /// As [`Manifest::parse`] and [`Manifest::verify`].
    #[cfg(not(target_family = "wasm"))]
    pub fn open(directory: &std::path::Path) -> Result<Self, PackError> {
        let read = |path: &str| match std::fs::read(directory.join(path)) {
            Ok(bytes) => Ok(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(PackError::FileMissing { path: directory.join(path).display().to_string() })
            }
            Err(error) => Err(PackError::Unreadable {
                path: directory.join(path).display().to_string(),
                reason: error.to_string(),
            }),
        };
        if !directory.join("pack.json").exists() && directory.join("config.json").exists() {
            let [config, tokenizer, weights] = ["config.json", "tokenizer.json", "model.safetensors"];
            let files = [config, tokenizer, weights]
                .map(|path| read(path).map(|bytes| VerifiedFile { path: path.to_owned(), bytes }));
            let files = files.into_iter().collect::<Result<Vec<_>, _>>()?;
            return Self::new(Manifest::of_one_model(directory, &files, [config, tokenizer, weights]), files);
        }
        let manifest = Manifest::parse(&read("pack.json")?)?;
        let files = manifest.files().iter().map(|file| manifest.verify(&file.path, read(&file.path)?));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        Self::new(manifest, files)
    }

    /// What the pack says of itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Loads an encoder-decoder model: T5 v1.0 or v1.1 (`model_type` "t5").
    ///
    /// # Errors
    /// [`PackError::ModelMissing`] for an unknown or already loaded model; [`PackError::Architecture`],
    /// [`PackError::TensorMissing`] and [`PackError::Shape`] for a model that is not one.
    pub fn seq2seq(&mut self, name: &str, device: &Device) -> Result<Seq2Seq, PackError> {
        self.load(name, device, |path, config, tokenizer, weights| {
            let model = match model_type(path, config)?.as_str() {
                "t5" => T5::load(&t5::Config::parse(path, config)?, weights)?,
                other => return Err(not_one_of(path, other, "an encoder-decoder", "\"t5\"")),
            };
            model_reads(path, model.vocabulary(), &tokenizer)?;
            Ok(Seq2Seq::new(model, tokenizer))
        })
    }

    /// Loads a classifier of text pairs: BERT or RoBERTa (`model_type` "bert" or "roberta").
    ///
    /// # Errors
    /// As [`Pack::seq2seq`].
    pub fn classifier(&mut self, name: &str, device: &Device) -> Result<Classifier, PackError> {
        self.load(name, device, |path, config, tokenizer, weights| {
            let model = match model_type(path, config)?.as_str() {
                "bert" | "roberta" => Bert::load(bert::Config::parse(path, config)?, weights)?,
                other => return Err(not_one_of(path, other, "a sequence classifier", "\"bert\" or \"roberta\"")),
            };
            model_reads(path, model.vocabulary(), &tokenizer)?;
            if model.max_tokens() <= tokenizer.special_tokens(true) {
                let reason = format!("{} positions leave no room for a pair of texts", model.max_tokens());
                return Err(PackError::Architecture { path: path.to_owned(), reason });
            }
            Ok(Classifier::new(model, tokenizer))
        })
    }

    fn load<M>(
        &mut self,
        name: &str,
        device: &Device,
        build: impl FnOnce(&str, &[u8], Tokenizer, &mut Weights) -> Result<M, PackError>,
    ) -> Result<M, PackError> {
        let models = &mut self.manifest.contents.models;
        let Some(model) = models.remove(name) else {
            return Err(PackError::ModelMissing { name: name.to_owned(), known: models.keys().cloned().collect() });
        };
        let file = |path: &str| {
            let bytes = self.files.get(path).map(Vec::as_slice);
            bytes.ok_or_else(|| PackError::FileMissing { path: path.to_owned() })
        };
        let tokenizer = Tokenizer::load(file(&model.tokenizer)?)?;
        let mut weights = Weights::new(device, &mut self.tables);
        for entry in &model.weights {
            let shared = models.values().any(|other| other.reads(&entry.path));
            weights.add(&entry.path, file(&entry.path)?, &entry.names, shared)?;
        }
        let built = build(&model.config, file(&model.config)?, tokenizer, &mut weights)?;
        self.files.retain(|path, _| models.values().any(|other| other.reads(path)));
        Ok(built)
    }
}

impl ModelEntry {
    fn reads(&self, path: &str) -> bool {
        self.config == path || self.tokenizer == path || self.weights.iter().any(|entry| entry.path == path)
    }
}

impl Manifest {
    /// The manifest of a directory in the Hugging Face layout, whose files nobody has stated a hash for.
    #[cfg(not(target_family = "wasm"))]
    fn of_one_model(
        directory: &std::path::Path,
        files: &[VerifiedFile],
        [config, tokenizer, weights]: [&str; 3],
    ) -> Self {
        let files = files.iter().map(|file| FileEntry {
            path: file.path.clone(),
            bytes: file.bytes.len() as u64,
            sha256: hex(&Sha256::digest(&file.bytes)),
        });
        let files: Vec<_> = files.collect();
        let model = ModelEntry {
            config: config.to_owned(),
            tokenizer: tokenizer.to_owned(),
            weights: vec![WeightEntry { path: weights.to_owned(), names: BTreeMap::new() }],
        };
        let all: String = files.iter().map(|file| file.sha256.as_str()).collect();
        Self {
            contents: Contents {
                name: directory.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
                version: String::new(),
                files,
                models: BTreeMap::from([(ONLY_MODEL.to_owned(), model)]),
                calibration: Calibration::default(),
            },
            hash: hex(&Sha256::digest(all)),
        }
    }
}

/// Reads a config.json as `T`.
pub(crate) fn parse_config<'a, T: Deserialize<'a>>(path: &str, json: &'a [u8]) -> Result<T, PackError> {
    serde_json::from_slice(json)
        .map_err(|error| PackError::Unreadable { path: path.to_owned(), reason: error.to_string() })
}

fn model_type(path: &str, json: &[u8]) -> Result<String, PackError> {
    #[derive(Deserialize)]
    struct Typed {
        model_type: String,
    }
    Ok(parse_config::<Typed>(path, json)?.model_type)
}

fn not_one_of(path: &str, found: &str, wanted: &str, known: &str) -> PackError {
    let reason = format!("model_type {found:?} is not {wanted} that this version reads: it reads {known}");
    PackError::Architecture { path: path.to_owned(), reason }
}

/// A tokenizer must not give ids that the model has no row for.
fn model_reads(path: &str, vocabulary: usize, tokenizer: &Tokenizer) -> Result<(), PackError> {
    if tokenizer.size() > vocabulary {
        let reason = format!("the tokenizer has {} ids where the model has {vocabulary}", tokenizer.size());
        return Err(PackError::Architecture { path: path.to_owned(), reason });
    }
    Ok(())
}
