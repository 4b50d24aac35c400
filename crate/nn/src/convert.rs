//! Converts packs, and folders in the Hugging Face layout, to another precision of the weights.

mod shards;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use burn::tensor::{Device, f16};
use evident_base::TemporaryFolder;

use self::shards::{LARGEST, Written, entries, serialized, shards, wholes};
use crate::error::{ConvertError, PackError};
use crate::pack::Pack;
use crate::pack::manifest::{FileEntry, Manifest};
use crate::pack_json::PACK;
use crate::seal::warmed_up;
use crate::weights::find::TensorPlace;
use crate::weights::formats::int4::BLOCK;
use crate::weights::formats::{F16, F32, Format, INT4, INT8, Narrowed, scale_of};

/// A matrix with a side shorter than this stays in f32: it is small, and every result depends on a head's few rows.
const NARROW: usize = 64;

/// How the weights of a pack are stored. Vectors and narrow matrices are always in f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits a weight.
    F32,
    /// 16 bits a weight.
    F16,
    /// int8 with a scale for each row. The output layers of T5's feed-forwards stay in f16 and are computed in f32,
    /// because their inputs have outliers; transformers keeps the same layers in f32. Position embeddings are f16 too:
    /// they are small, and every token reads one.
    Q8,
    /// 4 bits in blocks of 32 along the row with an f16 scale each: 4.5 bits a weight, word embeddings included. Rows
    /// that are not a whole number of blocks are int8, position embeddings f16.
    Q4,
}

impl Precision {
    /// All of them, from the largest.
    pub const ALL: [Self; 4] = [Self::F32, Self::F16, Self::Q8, Self::Q4];

    /// The format of a tensor.
    fn format(self, name: &str, shape: &[usize], values: &[f32]) -> &'static dyn Format {
        let &[rows, columns] = shape else { return &F32 };
        let has_outliers = name.ends_with(".DenseReluDense.wo.weight");
        let is_positions = name.ends_with("position_embeddings.weight") || name.ends_with("wpe.weight");
        // A matrix with values beyond f16's range stays in f32: the scales of 4 bits are f16 too.
        let in_f16 = values.iter().all(|value| value.abs() <= f16::MAX.to_f32());
        match self {
            _ if rows.min(columns) < NARROW || !in_f16 => &F32,
            Self::F32 => &F32,
            Self::F16 => &F16,
            Self::Q8 | Self::Q4 if is_positions => &F16,
            Self::Q8 if has_outliers => &F16,
            Self::Q4 if columns.is_multiple_of(BLOCK) => &INT4,
            Self::Q8 | Self::Q4 => &INT8,
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

/// Converts the pack or the checkpoint in the folder `from` and writes it to the folder `out`. Returns the new
/// manifest.
///
/// Every model is loaded first, to check that all of it is there. Only the tensors that the models read are written,
/// and weights of more than 20 MB become shards. `out` appears in one move, once it is complete. `observe` receives the
/// name of each step, and stops the work by returning false.
///
/// # Errors
/// [`ConvertError`].
pub async fn convert(
    from: &Path,
    to: Precision,
    out: &Path,
    device: &Device,
    observe: impl FnMut(&str) -> bool,
) -> Result<Manifest, ConvertError> {
    convert_into(from, to, out, device, LARGEST, observe).await
}

/// As [`convert`]. A file of weights has at most `largest` bytes.
async fn convert_into(
    from: &Path,
    to: Precision,
    out: &Path,
    device: &Device,
    largest: usize,
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
        pack.load_whole(name, device).await?;
    }
    let used = pack.used().clone();
    // Loading has freed the files.
    let whole = Pack::open(from)?;
    let mut contents = whole.manifest().contents.clone();
    let tokenizers: BTreeSet<&str> = contents.models.values().map(|model| model.tokenizer.as_str()).collect();
    let wholes = wholes(&contents);

    let unwritten = |path: &Path| {
        let path = path.to_owned();
        move |source| ConvertError::Write { path, source }
    };
    let folder = TemporaryFolder::beside(out).map_err(unwritten(out))?;
    let write = |name: &str, bytes: &[u8]| folder.write(name, bytes).map_err(unwritten(&out.join(name)));
    let (mut files, mut written) = (Vec::new(), BTreeMap::new());
    for FileEntry { path, .. } in &contents.files {
        let Some((weights, parts)) = wholes.iter().find(|(_, parts)| parts.contains(path)) else {
            go_on(&format!("writing {path}"))?;
            let text = whole.text(path)?;
            let bytes = if tokenizers.contains(path.as_str()) { without_spaces(text) } else { text.to_vec() };
            write(path, &bytes)?;
            files.push(FileEntry::of(path, &bytes));
            continue;
        };
        if written.contains_key(weights) {
            continue;
        }
        go_on(&format!("writing {weights}"))?;
        let shards = shards(weights, rewritten(&whole, parts, to, &used)?, largest);
        for shard in &shards {
            let bytes = serialized(shard)?;
            write(&shard.path, &bytes)?;
            files.push(FileEntry::of(&shard.path, &bytes));
        }
        let tensors = |tensors: Vec<Written>| tensors.into_iter().map(|tensor| tensor.name).collect();
        written.insert(weights.clone(), shards.into_iter().map(|it| (it.path, tensors(it.tensors))).collect());
    }
    for model in contents.models.values_mut() {
        model.weights = entries(&model.weights, &wholes, &written);
    }
    contents.files = files;
    contents.name = format!("{}-{to}", contents.name);
    for model in contents.models.values_mut() {
        model.measured = None; // it was measured with the old weights
    }
    go_on("computing what they warm up with")?;
    let manifest = Manifest::of(warmed_up(folder.path(), contents, device).await?);
    write(PACK, &manifest.json())?;
    folder.keep(out).map_err(unwritten(out))?;
    Ok(manifest)
}

/// The used tensors of some files in a precision, in order of their names, each with its scales.
fn rewritten(
    pack: &Pack,
    files: &[String],
    to: Precision,
    used: &BTreeSet<TensorPlace>,
) -> Result<Vec<Vec<Written>>, PackError> {
    let mut places: Vec<&TensorPlace> = used.iter().filter(|place| files.contains(&place.file)).collect();
    places.sort_by_key(|place| &place.name);
    let tensor = |TensorPlace { file, name }: &TensorPlace| {
        let (shape, stored) = pack.weights(file)?.read_stored(file, name)?;
        Ok(in_precision(to, name, &shape, &stored.widen()))
    };
    places.into_iter().map(tensor).collect()
}

/// A tensor in the format of a precision, after its scales if it has some.
fn in_precision(to: Precision, name: &str, shape: &[usize], values: &[f32]) -> Vec<Written> {
    let format = to.format(name, shape, values);
    let Narrowed { shape, bytes, scales } = format.narrow(values, shape);
    let mut written = Vec::new();
    if let (Some((dtype, bytes)), Some(shape)) = (scales, format.scales(&shape)) {
        written.push(Written { name: scale_of(name), dtype, shape, bytes });
    }
    written.push(Written { name: name.to_owned(), dtype: format.dtype(), shape, bytes });
    written
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

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use futures_lite::future::block_on;

    use super::*;

    #[test]
    fn weights_in_shards_make_the_model_that_one_file_makes() {
        let golden =
            |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden").join(name);
        let (folder, device) = (tempfile::tempdir().unwrap(), Device::flex());
        let convert = |from: &Path, name: &str, largest| {
            let out = folder.path().join(name);
            let manifest = block_on(convert_into(from, Precision::F16, &out, &device, largest, |_| true)).unwrap();
            (out, manifest)
        };
        let logits = |pack: &Path| {
            let model = block_on(Pack::open(pack).unwrap().classifier("model", &device)).unwrap();
            block_on(model.logits(&[("w1 w2 w3", "w4")])).unwrap()
        };
        let (whole, manifest) = convert(&golden("mpnet"), "whole", LARGEST);
        let weights = |manifest: &Manifest| manifest.contents.models["model"].weights.len();
        assert_eq!(weights(&manifest), 1);
        let (sharded, in_shards) = convert(&golden("mpnet"), "sharded", 30_000);
        let (again, once_more) = convert(&golden("mpnet"), "again", 30_000);
        assert!(weights(&in_shards) > 2);
        assert!(in_shards.files().iter().all(|file| file.bytes <= 30_000));
        assert_eq!((in_shards.json(), logits(&sharded)), (once_more.json(), logits(&again)));
        assert_eq!(logits(&sharded), logits(&whole));
        // Shards become one file again if they fit into it, the same as at first.
        let (joined, one) = convert(&sharded, "joined", LARGEST);
        let hash = |manifest: &Manifest| manifest.files().iter().find(|file| file.path == "model.safetensors").cloned();
        assert!(hash(&one).is_some() && hash(&one) == hash(&manifest));
        assert_eq!(logits(&joined), logits(&whole));
    }

    #[test]
    fn positions_are_in_half_precision_and_narrow_matrices_in_full() {
        let format = |to: Precision, name: &str, shape: [usize; 2]| to.format(name, &shape, &[1.0]).name();
        for to in [Precision::Q8, Precision::Q4] {
            assert_eq!(format(to, "mpnet.embeddings.position_embeddings.weight", [514, 768]), "f16");
            assert_eq!(format(to, "transformer.wpe.weight", [96, 64]), "f16");
            assert_eq!(format(to, "mpnet.encoder.relative_attention_bias.weight", [32, 12]), "f32");
            assert_eq!(format(to, "classifier.out_proj.weight", [3, 768]), "f32");
        }
        assert_eq!(format(Precision::Q4, "mpnet.embeddings.word_embeddings.weight", [30_527, 768]), "4-bit");
        assert_eq!(format(Precision::Q8, "mpnet.encoder.layer.0.attention.attn.o.weight", [768, 768]), "int8");
    }

    #[test]
    fn json_keeps_the_spaces_of_its_texts() {
        let json = br#"{ "a b" : [ 1 ,
            "c \" d \\" , " e" ], "" : "\\\" f" }"#;
        assert_eq!(without_spaces(json), br#"{"a b":[1,"c \" d \\"," e"],"":"\\\" f"}"#);
    }
}
