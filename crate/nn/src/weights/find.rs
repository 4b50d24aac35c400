//! The tensors of one model: found by the model's names in its files, and checked to have the shape that its config
//! implies.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::error::PackError;
use crate::weights::formats::{AsInt8, format_of};
use crate::weights::safetensors::{FileTensor, ReadTensor, TensorFile};

/// Prefixes of names that a checkpoint may lack, for example one of an encoder that was saved by itself.
const BEGINNINGS: [&str; 6] = ["bert.", "roberta.", "mpnet.", "deberta.", "model.", "transformer."];

/// Endings of names, each with another that checkpoints have too: BERT's norms as converted from TensorFlow.
const ENDINGS: [(&str, &str); 2] = [(".LayerNorm.weight", ".LayerNorm.gamma"), (".LayerNorm.bias", ".LayerNorm.beta")];

/// The names of T5's word embeddings. A checkpoint has this one table under one or more of them.
const WORDS: [&str; 3] = ["shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"];

/// The names under which a tensor is published, the model's own first.
fn published(name: &str) -> impl Iterator<Item = String> {
    let bare = BEGINNINGS.iter().find_map(|beginning| name.strip_prefix(beginning));
    let older =
        |name: &str| ENDINGS.iter().find_map(|(ending, older)| Some(format!("{}{older}", name.strip_suffix(ending)?)));
    let words = if name == WORDS[0] { &WORDS[1..] } else { &[] };
    let names = [Some(name.to_owned()), older(name), bare.map(str::to_owned), bare.and_then(older)];
    names.into_iter().flatten().chain(words.iter().map(|&name| name.to_owned()))
}

/// Where a tensor is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TensorPlace {
    /// The path of its file in the pack.
    pub file: String,
    /// Its name in the file.
    pub name: String,
}

/// The weight files of one model.
#[derive(Default)]
pub(crate) struct Weights<'a> {
    files: Vec<WeightFile<'a>>,
    /// By the model's name of a tensor: the number of its file, and its name there.
    places: HashMap<String, (usize, String)>,
    /// The tensors that the model has asked for.
    used: RefCell<BTreeSet<TensorPlace>>,
}

struct WeightFile<'a> {
    path: &'a str,
    tensors: &'a TensorFile,
    /// Whether another model will read it.
    kept: bool,
}

impl<'a> Weights<'a> {
    /// Adds a file. `renamed` has the model's names of tensors that the file calls otherwise. Of two files with a
    /// tensor of the same name the later one counts. Unless the file is to be `kept`, a matrix is freed once it was
    /// taken.
    ///
    /// # Errors
    /// [`PackError::Unreadable`] if two tensors of the file would have one name, [`PackError::TensorMissing`] if
    /// `renamed` has a tensor that the file lacks.
    pub fn add(
        &mut self,
        path: &'a str,
        tensors: &'a TensorFile,
        renamed: &BTreeMap<String, String>,
        kept: bool,
    ) -> Result<(), PackError> {
        if let Some(name) = renamed.keys().find(|name| tensors.get(name).is_none()) {
            return Err(PackError::TensorMissing { tensor: name.clone(), files: vec![path.to_owned()] });
        }
        let mut own = HashSet::new();
        for name in tensors.names() {
            let known_as = renamed.get(name).map_or(name, String::as_str);
            if !own.insert(known_as) {
                let reason = format!("two of its tensors are called {known_as}");
                return Err(PackError::Unreadable { path: path.to_owned(), reason });
            }
            self.places.insert(known_as.to_owned(), (self.files.len(), name.to_owned()));
        }
        self.files.push(WeightFile { path, tensors, kept });
        Ok(())
    }

    /// Whether there is a tensor of this name, or of another under which it is published.
    pub fn has(&self, name: &str) -> bool {
        published(name).any(|name| self.places.contains_key(&name))
    }

    /// The tensors that were asked for.
    pub fn used(self) -> BTreeSet<TensorPlace> {
        self.used.into_inner()
    }

    /// Where a tensor is.
    ///
    /// # Errors
    /// [`PackError::TensorMissing`]
    pub fn place(&self, name: &str) -> Result<TensorPlace, PackError> {
        let (file, in_file) = self.find(name)?;
        Ok(TensorPlace { file: file.path.to_owned(), name: in_file.to_owned() })
    }

    /// The length of the first dimension of a tensor in its file, 0 if it has none.
    ///
    /// # Errors
    /// [`PackError::TensorMissing`]
    pub fn rows(&self, name: &str) -> Result<usize, PackError> {
        Ok(self.stored(name)?.and_then(|tensor| tensor.shape().first().copied()).unwrap_or(0))
    }

    /// How the CPU's int8 products can take a matrix.
    ///
    /// # Errors
    /// [`PackError::TensorMissing`]
    pub fn as_int8(&self, name: &str) -> Result<AsInt8, PackError> {
        let format = self.stored(name)?.and_then(|tensor| format_of(tensor.dtype()));
        Ok(format.map_or(AsInt8::No, |format| format.as_int8()))
    }

    /// The values of a small tensor in f32, in row-major order.
    ///
    /// # Errors
    /// Those of [`Weights::read`], and [`PackError::Tensor`] for a tensor that is so large that it went to the device.
    pub fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, PackError> {
        match self.read(name, shape)? {
            ReadTensor::InMemory(stored) => Ok(stored.widen()),
            ReadTensor::OnDevice(_) => {
                let (file, _) = self.find(name)?;
                let reason = format!("{shape:?} is too large for it");
                Err(PackError::Tensor { path: file.path.to_owned(), tensor: name.to_owned(), reason })
            }
        }
    }

    /// Reads a tensor.
    ///
    /// # Errors
    /// [`PackError::TensorMissing`], [`PackError::Shape`] for another shape, and those of [`TensorFile::read`].
    pub fn read(&self, name: &str, shape: &[usize]) -> Result<ReadTensor, PackError> {
        let (file, in_file) = self.find(name)?;
        let (found, tensor) = file.tensors.read(file.path, in_file)?;
        if found != shape {
            return Err(PackError::Shape {
                path: file.path.to_owned(),
                tensor: name.to_owned(),
                expected: shape.to_vec(),
                found,
            });
        }
        Ok(tensor)
    }

    /// Reads a matrix for the last time, unless its file is kept: the file frees it.
    ///
    /// # Errors
    /// Those of [`Weights::read`].
    pub fn take(&self, name: &str, shape: [usize; 2]) -> Result<ReadTensor, PackError> {
        let tensor = self.read(name, &shape)?;
        let (file, in_file) = self.find(name)?;
        if !file.kept {
            file.tensors.free(in_file);
        }
        Ok(tensor)
    }

    fn stored(&self, name: &str) -> Result<Option<&FileTensor>, PackError> {
        let (file, in_file) = self.find(name)?;
        Ok(file.tensors.get(in_file))
    }

    fn find(&self, name: &str) -> Result<(&WeightFile<'a>, &str), PackError> {
        let place = published(name).find_map(|name| self.places.get(&name));
        let found = place.and_then(|(file, in_file)| Some((self.files.get(*file)?, in_file.as_str())));
        let (file, in_file) = found.ok_or_else(|| PackError::TensorMissing {
            tensor: name.to_owned(),
            files: self.files.iter().map(|file| file.path.to_owned()).collect(),
        })?;
        self.used.borrow_mut().insert(TensorPlace { file: file.path.to_owned(), name: in_file.to_owned() });
        Ok((file, in_file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tensor_has_the_names_under_which_it_is_published() {
        let names = |name: &str| published(name).collect::<Vec<_>>();
        let norm = "bert.embeddings.LayerNorm.weight";
        let older = "bert.embeddings.LayerNorm.gamma";
        assert_eq!(names(norm), [norm, older, &norm[5..], &older[5..]]);
        assert_eq!(names("shared.weight"), WORDS);
        assert_eq!(names("encoder.embed_tokens.weight"), [WORDS[1]]);
        assert_eq!(names("transformer.wte.weight"), ["transformer.wte.weight", "wte.weight"]);
        assert_eq!(names("classifier.weight"), ["classifier.weight"]);
    }
}
