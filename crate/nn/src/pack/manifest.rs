//! pack.json: every file of a pack with its size and SHA-256, which of them make up each model, and the calibration of
//! the scores.

use std::collections::BTreeMap;
#[cfg(not(target_family = "wasm"))]
use std::{
    collections::BTreeSet,
    fs,
    io::{self, Read},
    path::Path,
};

use burn::tensor::Device;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::PackError;
use crate::ops::is_cpu;
use crate::weights::reserve;
use crate::weights::safetensors::{TensorFile, TensorReader};

/// The format of pack.json that this crate reads.
pub(crate) const FORMAT: u64 = 1;

/// The name of the model in a directory that has no pack.json.
pub const ONLY_MODEL: &str = "model";

/// The files of a model in the Hugging Face layout: its weights are in one file, or in those that an index names.
#[cfg(not(target_family = "wasm"))]
mod layout {
    pub const CONFIG: &str = "config.json";
    pub const TOKENIZER: &str = "tokenizer.json";
    pub const WEIGHTS: &str = "model.safetensors";
    pub const INDEX: &str = "model.safetensors.index.json";
}

/// What pack.json says.
#[derive(Debug)]
pub struct Manifest {
    pub(crate) contents: Contents,
    hash: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Contents {
    pub name: String,
    pub version: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub license: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    pub files: Vec<FileEntry>,
    pub models: BTreeMap<String, ModelEntry>,
    #[serde(default, skip_serializing_if = "Calibration::is_default")]
    pub calibration: Calibration,
    /// Those of the NLI models beside the one that `calibration` is of, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub calibrations: BTreeMap<String, Calibration>,
}

/// A file of a pack: where it is, how large, and its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// The path from the pack's root, with forward slashes.
    pub path: String,
    /// The size in bytes.
    pub bytes: u64,
    /// The SHA-256 of the bytes, in lower-case hexadecimal.
    pub sha256: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ModelEntry {
    pub config: String,
    pub tokenizer: String,
    /// Models may share files. Of a tensor that several of a model's files have, the last counts: so one encoder's file
    /// followed by that of another head is another model.
    pub weights: Vec<WeightEntry>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WeightEntry {
    pub path: String,
    /// Names in the file to the model's own names; a tensor that is not listed keeps its name. The file must have each of
    /// them, and no two of its tensors may get one name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
}

/// How raw scores become probabilities and verdicts, fitted when the pack was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Calibration {
    /// p' = sigmoid((logit(p) + bias) / temperature) for the verifier's p.
    pub verifier: VerifierCalibration,
    /// The logits of the NLI model are divided by its temperature.
    pub nli: NliCalibration,
    /// The verifier's share w of the combined score w p' + (1 - w) s, s being what NLI says.
    pub weight_verifier: f64,
    /// A sentence is factual from this score on.
    pub threshold_factual: f64,
    /// A sentence is unfactual below this score; between the two the evidence does not decide.
    pub threshold_unfactual: f64,
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
            threshold_unfactual: 0.5,
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

impl Calibration {
    fn is_default(&self) -> bool {
        *self == Self::default()
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
        let warm = |it: &Calibration| it.verifier.temperature > 0.0 && it.nli.temperature > 0.0;
        if !(warm(&contents.calibration) && contents.calibrations.values().all(warm)) {
            return Err(unreadable("a temperature of the calibration is not above 0".to_owned()));
        }
        Ok(Self { contents, hash: hex(&Sha256::digest(json)) })
    }

    /// The manifest of a directory: its pack.json, or what one in the Hugging Face layout comes to.
    ///
    /// # Errors
    /// Those of [`Manifest::parse`], and [`PackError::FileMissing`].
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn open(directory: &Path) -> Result<Self, PackError> {
        let published = !directory.join("pack.json").exists() && directory.join("config.json").exists();
        if published { Self::of_directory(directory) } else { Self::parse(&read(directory, "pack.json")?) }
    }

    /// The manifest of a directory in the Hugging Face layout, whose files nobody has stated a hash for: its config, its
    /// tokenizer and then its weights. Its hash is over theirs.
    ///
    /// # Errors
    /// [`PackError::FileMissing`], and [`PackError::Unreadable`] for what is no file or no index.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn of_directory(directory: &Path) -> Result<Self, PackError> {
        let sharded = !directory.join(layout::WEIGHTS).exists() && directory.join(layout::INDEX).exists();
        let weights = match sharded {
            true => shards(&read(directory, layout::INDEX)?)?,
            false => vec![layout::WEIGHTS.to_owned()],
        };
        let fixed = [layout::CONFIG, layout::TOKENIZER].map(str::to_owned);
        let entry = |path: &String| {
            FileEntry::read(&directory.join(path), path).map_err(|error| not_read(directory, path, &error))
        };
        let files = fixed.iter().chain(&weights).map(entry).collect::<Result<Vec<_>, _>>()?;
        let hashes: String = files.iter().map(|file| file.sha256.as_str()).collect();
        let weights = weights.into_iter().map(|path| WeightEntry { path, names: BTreeMap::new() }).collect();
        let [config, tokenizer] = fixed;
        let model = ModelEntry { config, tokenizer, weights };
        let contents = Contents {
            name: directory.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            version: String::new(),
            license: String::new(),
            sources: Vec::new(),
            files,
            models: BTreeMap::from([(ONLY_MODEL.to_owned(), model)]),
            calibration: Calibration::default(),
            calibrations: BTreeMap::new(),
        };
        Ok(Self { contents, hash: hex(&Sha256::digest(hashes)) })
    }

    /// The manifest with these contents.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn of(contents: Contents) -> Self {
        let mut manifest = Self { contents, hash: String::new() };
        manifest.hash = hex(&Sha256::digest(manifest.json()));
        manifest
    }

    /// It as pack.json has it.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn json(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct Written<'a> {
            format: u64,
            #[serde(flatten)]
            contents: &'a Contents,
        }
        let written = Written { format: FORMAT, contents: &self.contents };
        let mut json = serde_json::to_vec_pretty(&written).expect("a manifest is plain data");
        json.push(b'\n');
        json
    }

    /// All files, in the manifest's order.
    pub fn files(&self) -> &[FileEntry] {
        &self.contents.files
    }

    /// The names of its models.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.contents.models.keys().map(String::as_str)
    }

    /// Checks the bytes of one file against its size and hash.
    ///
    /// # Errors
    /// As [`Manifest::receive`] and [`Incoming::finish`].
    pub fn verify(&self, path: &str, bytes: &[u8]) -> Result<VerifiedFile, PackError> {
        let mut file = self.receive(path, None)?;
        file.push(bytes);
        file.finish()
    }

    /// A file of a directory, checked as by [`Manifest::verify`]. Weights are never in memory twice.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn read(&self, directory: &Path, path: &str) -> Result<VerifiedFile, PackError> {
        let mut file = self.receive(path, None)?;
        let read = fs::File::open(directory.join(path)).and_then(|opened| in_pieces(opened, |piece| file.push(piece)));
        read.map_err(|error| not_read(directory, path, &error))?;
        file.finish()
    }

    /// A file to be taken in as its bytes come. With a device that has memory of its own, large matrices go there at once.
    ///
    /// # Errors
    /// [`PackError::FileMissing`] where the manifest names no such file, [`PackError::Memory`] where there is no room for it.
    pub fn receive(&self, path: &str, device: Option<&Device>) -> Result<Incoming, PackError> {
        let entry = self.contents.files.iter().find(|file| file.path == path);
        let entry = entry.ok_or_else(|| PackError::FileMissing { path: path.to_owned() })?;
        let is_weights = |model: &ModelEntry| model.weights.iter().any(|weights| weights.path == path);
        let contents = match self.contents.models.values().any(is_weights) {
            true => Arriving::Weights(TensorReader::new(path, entry.bytes, device.filter(|device| !is_cpu(device)))),
            false => Arriving::Text(reserve(path, entry.bytes.try_into().unwrap_or(usize::MAX))?),
        };
        Ok(Incoming { entry: entry.clone(), hash: Sha256::new(), taken: 0, contents })
    }

    /// How this pack's scores become probabilities.
    pub fn calibration(&self) -> &Calibration {
        &self.contents.calibration
    }

    /// The same where the NLI model is the one of this name: a pack may have a smaller one, with a calibration of its own.
    pub fn calibration_of(&self, model: &str) -> &Calibration {
        self.contents.calibrations.get(model).unwrap_or(&self.contents.calibration)
    }

    /// The pack's name.
    pub fn name(&self) -> &str {
        &self.contents.name
    }

    /// The pack's version.
    pub fn version(&self) -> &str {
        &self.contents.version
    }

    /// The licence, "" where it is not stated.
    pub fn license(&self) -> &str {
        &self.contents.license
    }

    /// What it was made from.
    pub fn sources(&self) -> &[String] {
        &self.contents.sources
    }

    /// The SHA-256 of pack.json, which stands for the whole pack, for every file's hash is in it.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

#[cfg(not(target_family = "wasm"))]
impl FileEntry {
    /// What a manifest says of these bytes.
    pub(crate) fn of(path: &str, bytes: &[u8]) -> Self {
        Self { path: path.to_owned(), bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) }
    }

    /// What a manifest says of a file, which is read in pieces, under the path that it has in the pack.
    ///
    /// # Errors
    /// What the system says.
    pub fn read(file: &Path, path: &str) -> io::Result<Self> {
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        in_pieces(fs::File::open(file)?, |piece| {
            hash.update(piece);
            bytes += piece.len() as u64;
        })?;
        Ok(Self { path: path.to_owned(), bytes, sha256: hex(&hash.finalize()) })
    }
}

#[cfg(not(target_family = "wasm"))]
fn in_pieces(mut file: fs::File, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut piece = vec![0; 64 * 1024];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(()),
            count => take(&piece[..count]),
        }
    }
}

/// A file of a directory.
///
/// # Errors
/// [`PackError::FileMissing`] and [`PackError::Unreadable`], with the whole path.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn read(directory: &Path, path: &str) -> Result<Vec<u8>, PackError> {
    fs::read(directory.join(path)).map_err(|error| not_read(directory, path, &error))
}

#[cfg(not(target_family = "wasm"))]
fn not_read(directory: &Path, path: &str, error: &io::Error) -> PackError {
    let path = directory.join(path).display().to_string();
    match error.kind() {
        io::ErrorKind::NotFound => PackError::FileMissing { path },
        _ => PackError::Unreadable { path, reason: error.to_string() },
    }
}

/// The files that an index of the Hugging Face layout names, in order.
///
/// # Errors
/// [`PackError::Unreadable`] for what is no index, or names a file outside of its directory.
#[cfg(not(target_family = "wasm"))]
fn shards(json: &[u8]) -> Result<Vec<String>, PackError> {
    #[derive(Deserialize)]
    struct Index {
        weight_map: BTreeMap<String, String>,
    }
    let unreadable = |reason: String| PackError::Unreadable { path: layout::INDEX.to_owned(), reason };
    let Index { weight_map } = serde_json::from_slice(json).map_err(|error| unreadable(error.to_string()))?;
    let files: BTreeSet<String> = weight_map.into_values().collect();
    match files.iter().find(|file| !is_inside(file) || [layout::CONFIG, layout::TOKENIZER].contains(&file.as_str())) {
        Some(file) => Err(unreadable(format!("{file:?} is no file of weights beside it"))),
        None => Ok(files.into_iter().collect()),
    }
}

/// Whether a path stays inside the directory that it is resolved against.
fn is_inside(path: &str) -> bool {
    !path.contains(['\\', ':']) && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file of a pack that is being taken in: nothing of it can be used before all of it was checked against the manifest.
pub struct Incoming {
    entry: FileEntry,
    hash: Sha256,
    taken: u64,
    contents: Arriving,
}

enum Arriving {
    Text(Vec<u8>),
    Weights(TensorReader),
}

impl Incoming {
    /// Takes the next bytes in.
    pub fn push(&mut self, bytes: &[u8]) {
        self.taken += bytes.len() as u64;
        self.hash.update(bytes);
        if self.taken > self.entry.bytes {
            return; // it is not the file
        }
        match &mut self.contents {
            Arriving::Text(text) => text.extend_from_slice(bytes),
            Arriving::Weights(reader) => reader.push(bytes),
        }
    }

    /// The bytes that were taken in.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// The file, now that all of it is there.
    ///
    /// # Errors
    /// [`PackError::Altered`] where it is not what the manifest says; for weights that are, [`PackError::Unreadable`] where they
    /// are no safetensors file and [`PackError::Memory`] where there was no room for them.
    pub fn finish(self) -> Result<VerifiedFile, PackError> {
        let FileEntry { path, bytes, sha256 } = self.entry;
        if self.taken != bytes {
            return Err(PackError::Altered { path, expected: format!("size of {bytes} bytes") });
        }
        if hex(&self.hash.finalize()) != sha256 {
            return Err(PackError::Altered { path, expected: format!("SHA-256 {sha256}") });
        }
        let contents = match self.contents {
            Arriving::Text(text) => File::Text(text),
            Arriving::Weights(reader) => File::Weights(reader.finish()?),
        };
        Ok(VerifiedFile { path, contents })
    }
}

/// A file that is what the manifest says: only [`Incoming::finish`] makes one.
pub struct VerifiedFile {
    pub(crate) path: String,
    pub(crate) contents: File,
}

/// What is in a file.
pub(crate) enum File {
    Text(Vec<u8>),
    Weights(TensorFile),
}

impl ModelEntry {
    /// Whether a file is part of this model.
    pub fn reads(&self, path: &str) -> bool {
        self.config == path || self.tokenizer == path || self.weights.iter().any(|entry| entry.path == path)
    }
}
