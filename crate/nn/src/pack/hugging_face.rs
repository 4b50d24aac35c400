//! The published layout of a model: a folder with its config, its tokenizer, and its weights in one file or in shards that
//! an index names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use evident_base::Hash;
use serde::Deserialize;

use crate::error::PackError;
use crate::pack::calibration::Calibration;
use crate::pack::directory::{not_read, read};
use crate::pack::manifest::{Contents, FileEntry, Manifest, ModelEntry, ONLY_MODEL, WeightEntry, is_inside};

const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";
const WEIGHTS: &str = "model.safetensors";
const INDEX: &str = "model.safetensors.index.json";

impl Manifest {
    /// The manifest of a folder in the Hugging Face layout: its config, its tokenizer and its weights, with the hashes that
    /// they have now. The hash of the manifest is that of their hashes.
    ///
    /// # Errors
    /// [`PackError::FileMissing`], and [`PackError::Unreadable`] for a file that cannot be read.
    pub(crate) fn of_hugging_face(directory: &Path) -> Result<Self, PackError> {
        let sharded = !directory.join(WEIGHTS).exists() && directory.join(INDEX).exists();
        let weights = match sharded {
            true => shards(&read(directory, INDEX)?)?,
            false => vec![WEIGHTS.to_owned()],
        };
        let fixed = [CONFIG, TOKENIZER].map(str::to_owned);
        let entry = |path: &String| {
            FileEntry::read(&directory.join(path), path).map_err(|error| not_read(directory, path, &error))
        };
        let files = fixed.iter().chain(&weights).map(entry).collect::<Result<Vec<_>, _>>()?;
        let hashes: String = files.iter().map(|file| file.sha256.to_string()).collect();
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
        Ok(Self::with_hash(contents, Hash::of(hashes.as_bytes()).to_string()))
    }
}

/// The files that an index names, in order.
///
/// # Errors
/// [`PackError::Unreadable`] for anything that is not an index, or that names a file outside its folder.
fn shards(json: &[u8]) -> Result<Vec<String>, PackError> {
    #[derive(Deserialize)]
    struct Index {
        weight_map: BTreeMap<String, String>,
    }
    let unreadable = |reason: String| PackError::Unreadable { path: INDEX.to_owned(), reason };
    let Index { weight_map } = serde_json::from_slice(json).map_err(|error| unreadable(error.to_string()))?;
    let files: BTreeSet<String> = weight_map.into_values().collect();
    match files.iter().find(|file| !is_inside(file) || [CONFIG, TOKENIZER].contains(&file.as_str())) {
        Some(file) => Err(unreadable(format!("{file:?} is no file of weights beside it"))),
        None => Ok(files.into_iter().collect()),
    }
}
