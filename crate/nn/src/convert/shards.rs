//! Weights in files small enough for hosts of static files. A larger file becomes shards with the names of the Hugging
//! Face layout.

use std::collections::{BTreeMap, BTreeSet};

use safetensors::tensor::{Dtype, SafeTensorError, TensorView};

use crate::error::PackError;
use crate::pack::manifest::{Contents, ModelEntry, WeightEntry};

/// The most bytes in a file of weights: Cloudflare Pages takes 25 MiB, jsDelivr 50 MB. A larger tensor has a file of
/// its own.
pub const LARGEST: usize = 20_000_000;

/// The most bytes that a tensor takes in a file's header, its name aside.
const HEADER: usize = 160;

/// A tensor to be written.
pub struct Written {
    pub name: String,
    pub dtype: Dtype,
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
}

impl Written {
    /// At least the bytes that it takes in a file.
    fn size(&self) -> usize {
        self.bytes.len() + HEADER + 6 * self.name.len() // a byte may be escaped as \u and four digits
    }
}

/// A file with some of the tensors.
pub struct Shard {
    pub path: String,
    pub tensors: Vec<Written>,
}

/// Distributes tensors over files, in their order. A matrix and its scales stay together.
pub fn shards(whole: &str, tensors: Vec<Vec<Written>>, largest: usize) -> Vec<Shard> {
    let mut files: Vec<(usize, Vec<Written>)> = vec![(0, Vec::new())];
    for together in tensors {
        let size = together.iter().map(Written::size).sum::<usize>();
        match files.last_mut() {
            Some((taken, file)) if file.is_empty() || *taken + size <= largest => {
                *taken += size;
                file.extend(together);
            }
            _ => files.push((size, together)),
        }
    }
    let (count, name) = (files.len(), whole.strip_suffix(".safetensors").unwrap_or(whole));
    let path = |number: usize| match count {
        1 => whole.to_owned(),
        _ => format!("{name}-{number:05}-of-{count:05}.safetensors"),
    };
    files.into_iter().zip(1..).map(|((_, tensors), number)| Shard { path: path(number), tensors }).collect()
}

/// The bytes of a safetensors file.
///
/// # Errors
/// [`PackError::Unreadable`] for names or sizes that the format does not allow.
pub fn serialized(Shard { path, tensors }: &Shard) -> Result<Vec<u8>, PackError> {
    let unwritable = |error: SafeTensorError| PackError::Unreadable {
        path: path.clone(),
        reason: format!("it cannot be written again: {error}"),
    };
    let views = tensors.iter().map(|Written { name, dtype, shape, bytes }| {
        TensorView::new(*dtype, shape.clone(), bytes).map(|view| (name.as_str(), view))
    });
    let views = views.collect::<Result<Vec<_>, _>>().map_err(unwritable)?;
    safetensors::serialize(views, None).map_err(unwritable)
}

/// The name of the file that a shard, such as `model-00001-of-00004.safetensors`, is a part of.
fn whole_of(path: &str) -> Option<String> {
    let (rest, count) = path.strip_suffix(".safetensors")?.rsplit_once("-of-")?;
    let (name, number) = rest.rsplit_once('-')?;
    let is_number = |text: &str| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(count) && is_number(number)).then(|| format!("{name}.safetensors"))
}

/// A pack's files of weights, each with its parts: itself, or its shards. Shards make up one file if every model that
/// reads one of them reads all of them, one after the other.
pub fn wholes(contents: &Contents) -> BTreeMap<String, Vec<String>> {
    let read = |model: &ModelEntry| model.weights.iter().map(|entry| entry.path.clone()).collect::<Vec<_>>();
    let reads: Vec<Vec<String>> = contents.models.values().map(read).collect();
    let mut wholes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in reads.iter().flatten().collect::<BTreeSet<_>>() {
        let whole = whole_of(path).filter(|whole| contents.files.iter().all(|file| file.path != *whole));
        wholes.entry(whole.unwrap_or_else(|| path.clone())).or_default().push(path.clone());
    }
    let as_one = |parts: &[String]| {
        reads.iter().all(|read| {
            !read.iter().any(|path| parts.contains(path)) || read.windows(parts.len()).any(|some| some == parts)
        })
    };
    let split = |(whole, parts): (String, Vec<String>)| match as_one(&parts) {
        true => vec![(whole, parts)],
        false => parts.into_iter().map(|part| (part.clone(), vec![part])).collect(),
    };
    wholes.into_iter().flat_map(split).collect()
}

/// A model's entries after each whole file was written as the files `written`, which list their tensors.
pub fn entries(
    weights: &[WeightEntry],
    wholes: &BTreeMap<String, Vec<String>>,
    written: &BTreeMap<String, Vec<(String, BTreeSet<String>)>>,
) -> Vec<WeightEntry> {
    let names_of = |parts: &[String]| -> BTreeMap<String, String> {
        let of_parts = weights.iter().filter(|entry| parts.contains(&entry.path));
        of_parts.flat_map(|entry| entry.names.clone()).collect()
    };
    let mut entries = Vec::new();
    for entry in weights {
        // The first part adds the entries of all parts.
        let Some((whole, parts)) = wholes.iter().find(|(_, parts)| parts[0] == entry.path) else { continue };
        let names = names_of(parts);
        for (path, tensors) in &written[whole] {
            let names = names.clone().into_iter().filter(|(name, _)| tensors.contains(name)).collect();
            entries.push(WeightEntry { path: path.clone(), names });
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(name: &str, bytes: usize) -> Written {
        Written { name: name.to_owned(), dtype: Dtype::U8, shape: vec![bytes], bytes: vec![1; bytes] }
    }

    #[test]
    fn no_file_is_larger_than_it_may_be_unless_one_tensor_is() {
        let sizes = [3000, 10, 700, 4500, 2500, 2500, 9000, 1];
        let tensors = || sizes.iter().enumerate().map(|(i, &size)| vec![tensor(&format!("t{i}"), size)]).collect();
        let files = shards("a/model.safetensors", tensors(), 6000);
        let names: Vec<Vec<&str>> = files.iter().map(|file| file.tensors.iter().map(|t| &*t.name).collect()).collect();
        assert_eq!(names, [vec!["t0", "t1", "t2"], vec!["t3"], vec!["t4", "t5"], vec!["t6"], vec!["t7"]]);
        assert_eq!(files[1].path, "a/model-00002-of-00005.safetensors");
        for file in &files {
            let bytes = serialized(file).unwrap().len();
            assert!(bytes <= 6000 || file.tensors.len() == 1, "{}: {bytes}", file.path);
        }
        assert_eq!(shards("a/model.safetensors", tensors(), LARGEST)[0].path, "a/model.safetensors");
        assert_eq!(shards("model.safetensors", Vec::new(), LARGEST).len(), 1);
    }

    #[test]
    fn a_matrix_and_its_scales_stay_together() {
        let tensors = vec![vec![tensor("a", 100)], vec![tensor("b", 100), tensor("b.scale", 600)]];
        let files = shards("model.safetensors", tensors, 1200);
        assert_eq!(files.iter().map(|file| file.tensors.len()).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn shards_are_known_by_their_names() {
        assert_eq!(whole_of("a/model-00001-of-00004.safetensors").as_deref(), Some("a/model.safetensors"));
        for path in
            ["model.safetensors", "model-1-of-4.safetensors", "model-00001-of-0000x.safetensors", "00001-of-00004.json"]
        {
            assert_eq!(whole_of(path), None, "{path}");
        }
    }
}
