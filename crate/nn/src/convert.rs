//! Packs, and directories in the Hugging Face layout, written again with their weights in another precision.

pub(crate) mod int4;

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use burn::tensor::{Device, f16};
use safetensors::tensor::{Dtype, TensorView};
use thiserror::Error;

use crate::manifest::{Contents, FileEntry, Manifest};
use crate::stored::scale_of;
use crate::tensors::TensorFile;
use crate::weights::Place;
use crate::{Pack, PackError, quantise};

/// A matrix with a side shorter than this stays in f32: it is small, and a head's few rows decide much.
const NARROW: usize = 64;

/// What the weights of a pack are stored in. Vectors and narrow matrices are in f32 whatever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits a weight.
    F32,
    /// 16 bits a weight.
    F16,
    /// int8 with a scale for each row, but T5's feed-forward outputs in f16 to be computed in f32, for their inputs have outliers
    /// (transformers keeps the same ones in f32).
    Q8,
    /// 4 bits in blocks of 32 along the row with an f16 scale each, 4.5 bits a weight, embeddings included; rows that are no
    /// whole number of blocks are int8.
    Q4,
}

impl Precision {
    /// All of them, from the largest.
    pub const ALL: [Self; 4] = [Self::F32, Self::F16, Self::Q8, Self::Q4];

    /// The form of a tensor.
    fn form(self, name: &str, shape: &[usize], values: &[f32]) -> Form {
        let &[rows, columns] = shape else { return Form::F32 };
        let has_outliers = name.ends_with(".DenseReluDense.wo.weight");
        // A scale of 4 bits is an f16 too.
        let in_f16 = values.iter().all(|value| value.abs() <= f16::MAX.to_f32());
        match self {
            _ if rows.min(columns) < NARROW || !in_f16 => Form::F32,
            Self::F32 => Form::F32,
            Self::F16 => Form::F16,
            Self::Q8 if has_outliers => Form::F16,
            Self::Q4 if columns.is_multiple_of(quantise::BLOCK) => Form::Int4,
            Self::Q8 | Self::Q4 => Form::Int8,
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Q8 => "q8",
            Self::Q4 => "q4",
        })
    }
}

impl FromStr for Precision {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|precision| precision.to_string() == name);
        found.ok_or_else(|| "write f32, f16, q8 or q4".to_owned())
    }
}

enum Form {
    F32,
    F16,
    Int8,
    Int4,
}

/// A pack that could not be converted.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// It cannot be used.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The folder to write holds something.
    #[error("{} is there already: name another folder", .0.display())]
    Exists(PathBuf),
    /// A file could not be written.
    #[error("{} could not be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The caller stopped it.
    #[error("cancelled; nothing was written")]
    Cancelled,
}

impl ConvertError {
    /// The stable code of this error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Pack(error) => error.code(),
            Self::Exists(_) => "bad-input",
            Self::Write { .. } => "internal",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Reads the pack or the checkpoint of a directory, loads every model of it to see that all is there, and writes those tensors
/// that the models are made of as a pack in `out`: beside it first, then in one move. `observe` hears what is being worked on, and
/// stops the work by saying false. Gives the manifest of what was written.
///
/// # Errors
/// [`ConvertError`].
pub fn convert(
    from: &Path,
    to: Precision,
    out: &Path,
    device: &Device,
    mut observe: impl FnMut(&str) -> bool,
) -> Result<Manifest, ConvertError> {
    if out.exists() {
        return Err(ConvertError::Exists(out.to_owned()));
    }
    let mut go_on = |work: &str| if observe(work) { Ok(()) } else { Err(ConvertError::Cancelled) };
    go_on("reading")?;
    let mut pack = Pack::open(from)?;
    let names: Vec<String> = pack.manifest().models().map(str::to_owned).collect();
    for name in &names {
        go_on(&format!("loading {name}"))?;
        pack.load_whole(name, device)?;
    }
    let used = pack.used().clone();
    // Loading has let go of the files.
    let whole = Pack::open(from)?;
    let mut contents = whole.manifest().contents.clone();
    let models = contents.models.values();
    let weights: BTreeSet<&str> =
        models.clone().flat_map(|model| &model.weights).map(|file| file.path.as_str()).collect();
    let tokenizers: BTreeSet<&str> = models.map(|model| model.tokenizer.as_str()).collect();

    let made = Made::new(out)?;
    let mut files = Vec::new();
    for FileEntry { path, .. } in &contents.files {
        go_on(&format!("writing {path}"))?;
        let bytes = match path.as_str() {
            weight if weights.contains(weight) => rewritten(path, whole.weights(path)?, to, &used)?,
            tokenizer if tokenizers.contains(tokenizer) => without_spaces(whole.text(path)?),
            _ => whole.text(path)?.to_vec(),
        };
        made.write(path, &bytes)?;
        files.push(FileEntry::of(path, &bytes));
    }
    contents.files = files;
    contents.name = format!("{}-{to}", contents.name);
    let manifest = Manifest::of(contents);
    made.write("pack.json", &manifest.json())?;
    made.finish(out)?;
    Ok(manifest)
}

/// Where a checkpoint is from, for its pack.json.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The published revision.
    pub version: String,
    /// Its licence.
    pub license: String,
    /// The repository, or several.
    pub sources: Vec<String>,
}

/// Writes the pack.json of a directory in the Hugging Face layout, so that its files are checked whenever it is opened.
///
/// # Errors
/// [`ConvertError`].
pub fn seal(directory: &Path, name: &str, source: Source) -> Result<Manifest, ConvertError> {
    let mut contents = Manifest::of_directory(directory)?.contents;
    contents.name = name.to_owned();
    let Source { version, license, sources } = source;
    let manifest = Manifest::of(Contents { version, license, sources, ..contents });
    let (path, new) = (directory.join("pack.json"), directory.join("pack.json.new"));
    let written = std::fs::write(&new, manifest.json()).and_then(|()| std::fs::rename(&new, &path));
    written.map_err(|source| ConvertError::Write { path, source })?;
    Ok(manifest)
}

/// A folder beside the one to write, which goes where anything fails.
struct Made(PathBuf);

impl Made {
    fn new(out: &Path) -> Result<Self, ConvertError> {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let folder = out.with_file_name(name);
        std::fs::create_dir_all(&folder).map_err(|source| ConvertError::Write { path: folder.clone(), source })?;
        Ok(Self(folder))
    }

    fn write(&self, file: &str, bytes: &[u8]) -> Result<(), ConvertError> {
        let path = self.0.join(file);
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder.and_then(|()| std::fs::write(&path, bytes)).map_err(|source| ConvertError::Write { path, source })
    }

    fn finish(self, out: &Path) -> Result<(), ConvertError> {
        std::fs::rename(&self.0, out).map_err(|source| ConvertError::Write { path: out.to_owned(), source })
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0); // it has moved where all went well
    }
}

/// A safetensors file with those of its tensors that are used, in the forms of a precision.
fn rewritten(path: &str, tensors: &TensorFile, to: Precision, used: &BTreeSet<Place>) -> Result<Vec<u8>, PackError> {
    let mut written: Vec<(String, Dtype, Vec<usize>, Vec<u8>)> = Vec::new(); // name, type, shape and bytes
    for (_, name) in used.iter().filter(|(file, _)| file == path) {
        let (shape, stored) = tensors.stored(path, name)?;
        let values = stored.widen();
        match to.form(name, &shape, &values) {
            Form::F32 => written.push((name.clone(), Dtype::F32, shape, in_f32(&values))),
            Form::F16 => {
                let values: Vec<f16> = values.into_iter().map(f16::from_f32).collect();
                written.push((name.clone(), Dtype::F16, shape, in_f16(&values)));
            }
            Form::Int8 => {
                let (mut rows, mut scales) = (Vec::new(), Vec::new());
                quantise::to_int8(&values, shape[1], &mut rows, &mut scales);
                written.push((scale_of(name), Dtype::F32, vec![shape[0]], in_f32(&scales)));
                written.push((name.clone(), Dtype::I8, shape, rows.into_iter().map(i8::cast_unsigned).collect()));
            }
            Form::Int4 => {
                let (rows, scales) = int4::to_int4(&values);
                let blocks = vec![shape[0], shape[1] / quantise::BLOCK];
                written.push((scale_of(name), Dtype::F16, blocks, in_f16(&scales)));
                written.push((name.clone(), Dtype::U8, vec![shape[0], shape[1] / 2], rows));
            }
        }
    }
    let unwritable = |error: safetensors::SafeTensorError| PackError::Unreadable {
        path: path.to_owned(),
        reason: format!("it cannot be written again: {error}"),
    };
    let views = written.iter().map(|(name, dtype, shape, bytes)| {
        TensorView::new(*dtype, shape.clone(), bytes).map(|view| (name.as_str(), view))
    });
    let views = views.collect::<Result<Vec<_>, _>>().map_err(unwritable)?;
    safetensors::serialize(views, None).map_err(unwritable)
}

fn in_f32(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn in_f16(values: &[f16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// JSON without the spaces between its parts: a third of a published tokenizer.json is indentation.
fn without_spaces(json: &[u8]) -> Vec<u8> {
    let (mut in_text, mut escaped) = (false, false);
    let keep = |&&byte: &&u8| {
        let kept = in_text || !byte.is_ascii_whitespace();
        in_text ^= byte == b'"' && !escaped;
        escaped = in_text && byte == b'\\' && !escaped;
        kept
    };
    json.iter().filter(keep).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_the_spaces_of_its_texts() {
        let json = br#"{ "a b" : [ 1 ,
            "c \" d \\" , " e" ], "" : "\\\" f" }"#;
        assert_eq!(without_spaces(json), br#"{"a b":[1,"c \" d \\"," e"],"":"\\\" f"}"#);
    }
}
