//! Joins packs, and checkpoints in the Hugging Face layout, into one pack.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use evident_base::{TemporaryFolder, open_to_write};

use crate::error::{ConvertError, PackError};
use crate::pack::calibration::Calibration;
use crate::pack::manifest::{Contents, FileEntry, Manifest, ModelEntry, ONLY_MODEL, WeightEntry};

/// The models that are taken from one pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its folder.
    pub folder: PathBuf,
    /// The name that its model gets, such as "verifier": its only model, or the one of that name. `None` for all of its
    /// models by the names that they have.
    pub name: Option<String>,
}

/// Writes the models of these parts to the folder `out` as one pack, which is called `name`. If two models have one
/// name, the later one is taken. Files that are equal are written once. Temperatures and thresholds are those of each
/// model's own pack; the verifier's weight in the combined score is kept only if the verifier and the NLI model come
/// from one pack, because it was fitted for these two. `out` appears in one move, once it is complete. `observe`
/// receives the name of each step, and stops the work by returning false.
///
/// # Errors
/// [`ConvertError`].
pub fn join(
    parts: &[Part],
    name: &str,
    out: &Path,
    mut observe: impl FnMut(&str) -> bool,
) -> Result<Manifest, ConvertError> {
    if out.exists() {
        return Err(ConvertError::Exists(out.to_owned()));
    }
    let mut joined = Joined::default();
    let mut manifests = Vec::new();
    for (number, Part { folder, name }) in parts.iter().enumerate() {
        let manifest = Manifest::open(folder)?;
        joined.choose(number, folder, &manifest, name.as_deref())?;
        manifests.push(manifest);
    }

    let unwritten = |path: &Path| {
        let path = path.to_owned();
        move |source| ConvertError::Write { path, source }
    };
    let temporary = TemporaryFolder::beside(out).map_err(unwritten(out))?;
    let mut places = Places::default();
    let mut models = BTreeMap::new();
    for (name, (number, own)) in &joined.models {
        let (contents, part) = (&manifests[*number].contents, &parts[*number]);
        let label = part.name.as_deref().map_or(contents.name.as_str(), |_| name);
        let mut place = |path: &str| -> Result<String, ConvertError> {
            let entry = contents.files.iter().find(|file| file.path == path);
            let entry = entry.ok_or_else(|| PackError::FileMissing { path: path.to_owned() })?;
            let (place, is_new) = places.of(entry, label, part.name.is_some());
            if is_new {
                if !observe(&format!("writing {place}")) {
                    return Err(ConvertError::Cancelled);
                }
                copy(&part.folder.join(path), &temporary.path().join(&place), entry).map_err(|fault| match fault {
                    Fault::Altered(expected) => PackError::Altered { path: path.to_owned(), expected }.into(),
                    Fault::System(source) => ConvertError::Write { path: out.join(&place), source },
                })?;
            }
            Ok(place)
        };
        let entry = &contents.models[own];
        let weights = entry.weights.iter().map(|WeightEntry { path, names }| {
            Ok::<_, ConvertError>(WeightEntry { path: place(path)?, names: names.clone() })
        });
        let weights = weights.collect::<Result<_, _>>()?;
        let (config, tokenizer) = (place(&entry.config)?, place(&entry.tokenizer)?);
        models.insert(name.clone(), ModelEntry { config, tokenizer, weights, ..entry.clone() });
    }

    let used: Vec<&Contents> = manifests.iter().map(|manifest| &manifest.contents).collect();
    let contents = Contents {
        name: name.to_owned(),
        version: distinct(used.iter().map(|part| part.version.as_str())).join("+"),
        license: distinct(used.iter().map(|part| part.license.as_str())).join(" AND "),
        sources: distinct(used.iter().flat_map(|part| part.sources.iter().map(String::as_str))),
        files: places.files,
        models,
        calibration: joined.calibration(&manifests, "nli"),
        calibrations: joined.calibrations(&manifests),
    };
    let manifest = Manifest::of(contents);
    temporary.write("pack.json", &manifest.json()).map_err(unwritten(&out.join("pack.json")))?;
    temporary.keep(out).map_err(unwritten(out))?;
    Ok(manifest)
}

/// The models by their new names, each with the number of its part and its name there.
#[derive(Default)]
struct Joined {
    models: BTreeMap<String, (usize, String)>,
}

impl Joined {
    /// Adds the models of a part.
    fn choose(
        &mut self,
        number: usize,
        folder: &Path,
        manifest: &Manifest,
        wanted: Option<&str>,
    ) -> Result<(), ConvertError> {
        let known: Vec<String> = manifest.models().map(str::to_owned).collect();
        match wanted {
            None if known.iter().any(|model| model == ONLY_MODEL) => {
                return Err(ConvertError::Unnamed(folder.to_owned()));
            }
            None => self.models.extend(known.into_iter().map(|model| (model.clone(), (number, model)))),
            Some(name) => {
                let own = match known.as_slice() {
                    _ if known.iter().any(|model| model == name) => name.to_owned(),
                    [only] => only.clone(),
                    _ => return Err(PackError::ModelMissing { name: name.to_owned(), known }.into()),
                };
                self.models.insert(name.to_owned(), (number, own));
            }
        }
        Ok(())
    }

    /// The calibration of an NLI model together with the verifier's.
    fn calibration(&self, manifests: &[Manifest], nli: &str) -> Calibration {
        let of =
            |name: &str| self.models.get(name).map(|(number, own)| (*number, manifests[*number].calibration_of(own)));
        let (nli, verifier) = (of(nli), of("verifier"));
        let mut calibration = nli.map(|(_, found)| found.clone()).unwrap_or_default();
        if let Some((number, found)) = verifier {
            calibration.verifier = found.verifier.clone();
            calibration.weight_verifier =
                found.weight_verifier.filter(|_| nli.is_some_and(|(other, _)| other == number));
        }
        calibration
    }

    /// The calibrations of further NLI models.
    fn calibrations(&self, manifests: &[Manifest]) -> BTreeMap<String, Calibration> {
        let has_own = |(number, own): &(usize, String)| manifests[*number].contents.calibrations.contains_key(own);
        let further = self.models.iter().filter(|(_, place)| has_own(place));
        further.map(|(name, _)| (name.clone(), self.calibration(manifests, name))).collect()
    }
}

/// The paths of the files in the new pack. A file keeps its path if that is free, and files with equal contents share
/// one path.
#[derive(Default)]
struct Places {
    files: Vec<FileEntry>,
    by_hash: HashMap<String, String>,
}

impl Places {
    /// The path of a file, and whether the file is still to be copied there. A file goes into the folder `label` if its
    /// own path is taken, or if it is to be `apart`.
    fn of(&mut self, entry: &FileEntry, label: &str, apart: bool) -> (String, bool) {
        let hash = entry.sha256.to_string();
        if let Some(place) = self.by_hash.get(&hash) {
            return (place.clone(), false);
        }
        let taken = |path: &String| path == "pack.json" || self.files.iter().any(|file| file.path == *path);
        let first = (!apart).then(|| entry.path.clone());
        let further = (1..).map(|n| match n {
            1 => format!("{label}/{}", entry.path),
            n => format!("{label}-{n}/{}", entry.path),
        });
        let place = first.into_iter().chain(further).find(|path| !taken(path)).unwrap_or_default();
        self.files.push(FileEntry { path: place.clone(), ..entry.clone() });
        self.by_hash.insert(hash, place.clone());
        (place, true)
    }
}

/// Why a file was not copied.
enum Fault {
    /// It is not what its manifest says.
    Altered(String),
    System(io::Error),
}

/// Copies a file and checks it.
fn copy(from: &Path, to: &Path, entry: &FileEntry) -> Result<(), Fault> {
    to.parent().map_or(Ok(()), fs::create_dir_all).map_err(Fault::System)?;
    let copied = || {
        let mut written = open_to_write(to, File::options().write(true).create_new(true))?;
        io::copy(&mut File::open(from)?, &mut written)?;
        written.sync_all()
    };
    copied().map_err(Fault::System)?;
    let copied = FileEntry::read(to, &entry.path).map_err(Fault::System)?;
    match copied == *entry {
        true => Ok(()),
        false => Err(Fault::Altered(format!("size of {} bytes and SHA-256 {}", entry.bytes, entry.sha256))),
    }
}

/// The texts that are not empty, each once, in order.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if !found.iter().any(|other| other == text) {
            found.push(text.to_owned());
        }
    }
    found
}
