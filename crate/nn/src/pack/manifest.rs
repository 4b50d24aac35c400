//! pack.json: the files of a pack with their sizes and hashes, the models that they make up, and the calibration of the
//! scores.

use std::collections::BTreeMap;

use evident_base::{Hash, Hasher};
use serde::{Deserialize, Serialize};

use crate::error::PackError;
use crate::json::parse_json;
use crate::pack::calibration::Calibration;
use crate::pack::measured::Measured;
use crate::pack_json::{FORMAT, PACK};
use crate::warm_up::WarmUp;
use crate::wrong_file::WrongFile;

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

/// What pack.json says, its format and its checksum aside.
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

/// A model: its files, by their paths, and what is known of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ModelEntry {
    pub config: String,
    pub tokenizer: String,
    /// Models may share files. If several of a model's files have a tensor, the last one counts: an encoder's file
    /// followed by that of another head is another model.
    pub weights: Vec<WeightEntry>,
    /// The name of the prompt that a T5 was trained on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warm_up: Vec<WarmUp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

/// A file of weights.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WeightEntry {
    pub path: String,
    /// From the names in the file to the model's own. The file must have each of them, a tensor that is not listed
    /// keeps its name, and no two tensors may get the same.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
}

impl Manifest {
    /// Reads pack.json.
    ///
    /// # Errors
    /// [`PackError::WrongFile`] for HTML, [`PackError::Version`] for another format, [`PackError::Checksum`] if a bit
    /// of it has changed, [`PackError::Unreadable`] for anything else that is not a manifest.
    pub fn parse(json: &[u8]) -> Result<Self, PackError> {
        #[derive(Deserialize)]
        struct Seal {
            checksum: Hash,
        }
        let format = format(json)?;
        if format != FORMAT {
            return Err(PackError::Version { found: format });
        }
        let Seal { checksum } = parse_json(PACK, json)?;
        if checksum_of(json, &checksum.to_string()) != Some(checksum) {
            return Err(PackError::Checksum);
        }
        Ok(Self { contents: Contents::parse(json)?, hash: Hash::of(json).to_string() })
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
    pub(crate) fn with_hash(contents: Contents, hash: String) -> Self {
        Self { contents, hash }
    }

    /// The bytes of pack.json.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn json(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct Written<'a> {
            format: u64,
            checksum: &'a str,
            #[serde(flatten)]
            contents: &'a Contents,
        }
        let written = Written { format: FORMAT, checksum: BLANK, contents: &self.contents };
        let mut json = serde_json::to_string_pretty(&written).expect("a manifest is plain data");
        json.push('\n');
        let checksum = Hash::of(json.as_bytes()).to_string();
        json.replacen(BLANK, &checksum, 1).into_bytes()
    }

    /// Checks that it has this hash, if one is expected.
    ///
    /// # Errors
    /// [`PackError::Unexpected`]
    pub fn require(&self, expected: Option<Hash>) -> Result<(), PackError> {
        match expected {
            Some(expected) if expected.to_string() != self.hash => {
                Err(PackError::Unexpected { found: self.hash.clone(), expected })
            }
            _ => Ok(()),
        }
    }

    /// All files, in the manifest's order.
    pub fn files(&self) -> &[FileEntry] {
        &self.contents.files
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.contents.files.iter().map(|file| file.bytes).sum()
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

    /// The pairs that the model of this name warms up with; none if it has none.
    pub fn warm_up_of(&self, model: &str) -> &[WarmUp] {
        self.contents.models.get(model).map_or(&[], |entry| &entry.warm_up)
    }

    /// How often the verdicts by the model of this name are right; `None` if the pack does not state it.
    pub fn measured_of(&self, model: &str) -> Option<&Measured> {
        self.contents.models.get(model)?.measured.as_ref()
    }

    /// The name of the prompt that the T5 of this name was trained on; `None` if the pack does not state it.
    pub fn prompt_of(&self, model: &str) -> Option<&str> {
        self.contents.models.get(model)?.prompt.as_deref()
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

impl Contents {
    /// Reads what a pack.json of any format says, and does not look at its checksum.
    ///
    /// # Errors
    /// [`PackError::Unreadable`].
    pub(crate) fn parse(json: &[u8]) -> Result<Self, PackError> {
        let contents: Self = parse_json(PACK, json)?;
        if let Some(file) = contents.files.iter().find(|file| !is_inside(&file.path)) {
            return Err(unreadable(format!("the path {:?} leads out of the pack", file.path)));
        }
        if !(contents.calibration.is_valid() && contents.calibrations.values().all(Calibration::is_valid)) {
            return Err(unreadable(
                "a temperature of the calibration is not above 0, or its weight not from 0 to 1".to_owned(),
            ));
        }
        Ok(contents)
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

/// The format that a pack.json states.
///
/// # Errors
/// [`PackError::WrongFile`] for HTML, [`PackError::Unreadable`] for anything else that states none.
pub(crate) fn format(json: &[u8]) -> Result<u64, PackError> {
    #[derive(Deserialize)]
    struct Format {
        format: u64,
    }
    if json.trim_ascii_start().starts_with(b"<") {
        return Err(PackError::WrongFile { path: PACK.to_owned(), found: WrongFile::Page });
    }
    if json.len() as u64 > LARGEST_MANIFEST {
        return Err(unreadable("it has more than four million bytes".to_owned()));
    }
    parse_json(PACK, json).map(|Format { format }| format)
}

/// What stands in the checksum's place while it is computed.
const BLANK: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The checksum of a pack.json that states `checksum`: the SHA-256 of its bytes with zeros in the place of the
/// checksum's digits. `None` if it does not state it.
fn checksum_of(json: &[u8], checksum: &str) -> Option<Hash> {
    let at = json.windows(checksum.len()).position(|digits| digits == checksum.as_bytes())?;
    let mut hash = Hasher::new();
    hash.update(&json[..at]);
    hash.update(BLANK.as_bytes());
    hash.update(&json[at + checksum.len()..]);
    Some(hash.finish())
}

fn unreadable(reason: String) -> PackError {
    PackError::Unreadable { path: PACK.to_owned(), reason }
}
