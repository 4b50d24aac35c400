//! pack.json: the files of a pack with their sizes and hashes, the models that they make up, and the calibration of the
//! scores.

use std::collections::BTreeMap;

use evident_base::Hash;
use serde::{Deserialize, Serialize};

use crate::error::PackError;
use crate::json::parse_json;
use crate::pack::calibration::Calibration;

/// The format of pack.json that this crate reads.
pub(crate) const FORMAT: u64 = 1;

/// The most bytes that a pack.json has.
pub const LARGEST_MANIFEST: u64 = 4 << 20;

/// The name of the model in a folder that has no pack.json.
pub const ONLY_MODEL: &str = "model";

/// A pack.json, checked.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub(crate) contents: Contents,
    hash: String,
}

/// What pack.json says, its format aside.
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
    /// The calibrations of further NLI models, by their names. `calibration` is that of the first.
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
    /// The hash of the bytes.
    pub sha256: Hash,
}

/// The files of a model, by their paths.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ModelEntry {
    pub config: String,
    pub tokenizer: String,
    /// Models may share files. If several of a model's files have a tensor, the last one counts: an encoder's file followed
    /// by that of another head is another model.
    pub weights: Vec<WeightEntry>,
}

/// A file of weights.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WeightEntry {
    pub path: String,
    /// From the names in the file to the model's own. The file must have each of them, a tensor that is not listed keeps its
    /// name, and no two tensors may get the same.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
}

impl Manifest {
    /// Reads pack.json.
    ///
    /// # Errors
    /// [`PackError::Page`] for HTML, [`PackError::Version`] for another format, [`PackError::Unreadable`] for anything
    /// else that is not a manifest.
    pub fn parse(json: &[u8]) -> Result<Self, PackError> {
        #[derive(Deserialize)]
        struct Format {
            format: u64,
        }
        let unreadable = |reason: String| PackError::Unreadable { path: "pack.json".to_owned(), reason };
        if json.trim_ascii_start().starts_with(b"<") {
            return Err(PackError::Page);
        }
        if json.len() as u64 > LARGEST_MANIFEST {
            return Err(unreadable("it has more than four million bytes".to_owned()));
        }
        let Format { format } = parse_json("pack.json", json)?;
        if format != FORMAT {
            return Err(PackError::Version { found: format, read: FORMAT });
        }
        let contents: Contents = parse_json("pack.json", json)?;
        if let Some(file) = contents.files.iter().find(|file| !is_inside(&file.path)) {
            return Err(unreadable(format!("the path {:?} leads out of the pack", file.path)));
        }
        if !(contents.calibration.is_valid() && contents.calibrations.values().all(Calibration::is_valid)) {
            return Err(unreadable(
                "a temperature of the calibration is not above 0, or its weight not from 0 to 1".to_owned(),
            ));
        }
        Ok(Self { contents, hash: Hash::of(json).to_string() })
    }

    /// The manifest with these contents.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn of(contents: Contents) -> Self {
        let mut manifest = Self::with_hash(contents, String::new());
        manifest.hash = Hash::of(&manifest.json()).to_string();
        manifest
    }

    /// The manifest with these contents and this hash.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn with_hash(contents: Contents, hash: String) -> Self {
        Self { contents, hash }
    }

    /// The bytes of pack.json.
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

    /// The names of the models.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.contents.models.keys().map(String::as_str)
    }

    /// The calibration of the pack's first NLI model.
    pub fn calibration(&self) -> &Calibration {
        &self.contents.calibration
    }

    /// The calibration of the NLI model of this name. A pack may have a smaller one, with a calibration of its own.
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

    /// The licence, "" if it is not stated.
    pub fn license(&self) -> &str {
        &self.contents.license
    }

    /// What it was made from.
    pub fn sources(&self) -> &[String] {
        &self.contents.sources
    }

    /// The SHA-256 of pack.json. It stands for the whole pack, because pack.json has every file's hash.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

impl ModelEntry {
    /// Whether this model is made of a file, among others.
    pub fn reads(&self, path: &str) -> bool {
        self.config == path || self.tokenizer == path || self.weights.iter().any(|entry| entry.path == path)
    }
}

/// Whether a path stays inside the folder that it is resolved against.
pub(super) fn is_inside(path: &str) -> bool {
    !path.contains(['\\', ':']) && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}
