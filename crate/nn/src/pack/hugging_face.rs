//! The published layout of a model: a folder with its config, its tokenizer, and its weights in one file or in shards
//! that an index names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use evident_base::Hash;
use serde::Deserialize;

use crate::error::PackError;
use crate::json::parse_json;
use crate::pack::calibration::Calibration;
use crate::pack::directory::{not_read, read};
use crate::pack::manifest::{Contents, FileEntry, Manifest, ModelEntry, ONLY_MODEL, WeightEntry, is_inside};
use crate::wrong_file::WrongFile;

const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";
const WEIGHTS: &str = "model.safetensors";
const INDEX: &str = "model.safetensors.index.json";

/// Files of checkpoints in formats that are not read, each with what to do about it.
const ELSEWHERE: [InPlace; 9] = [
    InPlace { wanted: &[WEIGHTS, INDEX], path: "pytorch_model.bin", reason: PICKLE },
    InPlace { wanted: &[WEIGHTS, INDEX], path: "pytorch_model.bin.index.json", reason: PICKLE_SHARDS },
    InPlace { wanted: &[WEIGHTS, INDEX], path: "model.pt", reason: PICKLE },
    InPlace { wanted: &[WEIGHTS, INDEX], path: "tf_model.h5", reason: TENSORFLOW },
    InPlace { wanted: &[WEIGHTS, INDEX], path: "model.onnx", reason: ONNX },
    InPlace { wanted: &[WEIGHTS, INDEX], path: "onnx/model.onnx", reason: ONNX },
    InPlace { wanted: &[TOKENIZER], path: "vocab.txt", reason: SLOW_TOKENIZER },
    InPlace { wanted: &[TOKENIZER], path: "spiece.model", reason: SLOW_TOKENIZER },
    InPlace { wanted: &[TOKENIZER], path: "merges.txt", reason: SLOW_TOKENIZER },
];

const PICKLE: &str = WrongFile::Pickle.reason();
const PICKLE_SHARDS: &str = "it names pickles of PyTorch, and only safetensors are read: load the model with \
    transformers and save it again by `save_pretrained`";
const TENSORFLOW: &str = "it has weights of TensorFlow, and only safetensors are read: save the model again with \
    transformers";
const ONNX: &str = "it is a model of ONNX, and only safetensors are read: take the checkpoint that it was made of, or \
    save the model again with transformers";
const SLOW_TOKENIZER: &str = "only a tokenizer.json is read: load the tokenizer with transformers' AutoTokenizer and \
    save it again by `save_pretrained`";

/// A file that is not read but may be in a folder that lacks all `wanted` files.
struct InPlace {
    wanted: &'static [&'static str],
    path: &'static str,
    reason: &'static str,
}

impl Manifest {
    /// The manifest of a folder in the Hugging Face layout: its config, its tokenizer and its weights, with the hashes
    /// that they have now. The hash of the manifest is that of their hashes.
    ///
    /// # Errors
    /// [`PackError::FileMissing`], and [`PackError::Unreadable`] for a file that cannot be read.
    pub(crate) fn of_hugging_face(directory: &Path) -> Result<Self, PackError> {
        let there = |path: &str| directory.join(path).exists();
        let stands_in = |file: &&InPlace| there(file.path) && !file.wanted.iter().any(|wanted| there(wanted));
        if let Some(InPlace { path, reason, .. }) = ELSEWHERE.iter().find(stands_in) {
            let path = directory.join(path).display().to_string();
            return Err(PackError::Unreadable { path, reason: (*reason).to_owned() });
        }
        if let Some(path) = gguf(directory).filter(|_| !there(WEIGHTS) && !there(INDEX)) {
            return Err(PackError::WrongFile { path: path.display().to_string(), found: WrongFile::Gguf });
        }
        let sharded = !there(WEIGHTS) && there(INDEX);
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
        let model = ModelEntry { config, tokenizer, weights, prompt: None, warm_up: Vec::new(), measured: None };
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

/// A file of llama.cpp in the folder, under any name: the files of one checkpoint are named after their precision.
fn gguf(directory: &Path) -> Option<PathBuf> {
    let paths = directory.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(|path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gguf"))).min()
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
    let Index { weight_map } = parse_json(INDEX, json)?;
    let files: BTreeSet<String> = weight_map.into_values().collect();
    match files.iter().find(|file| !is_inside(file) || [CONFIG, TOKENIZER].contains(&file.as_str())) {
        Some(file) => Err(unreadable(format!("{file:?} is no file of weights beside it"))),
        None => Ok(files.into_iter().collect()),
    }
}
