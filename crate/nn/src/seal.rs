//! Writing the pack.json of a folder, with its checksum.

use std::path::Path;

use burn::tensor::Device;
use evident_base::{SystemDisk, replace_file};

use crate::error::{ConvertError, NnError, PackError};
use crate::pack::Pack;
use crate::pack::calibration::Calibration;
use crate::pack::directory::{is_published, read};
use crate::pack::kind::ModelKind;
use crate::pack::manifest::{Contents, Manifest, format};
use crate::pack::measured::Measured;
use crate::pack_json::{FORMAT, PACK};
use crate::tasks::classifier::Classifier;
use crate::tasks::seq2seq::Seq2Seq;
use crate::warm_up::WarmUp;

/// The warm-up pairs of a model that states none. They differ only in the word that makes the second statement false,
/// so a device that skips part of the computation gives both the same logits.
const PAIRS: [(&str, &str); 2] = [(IRON, "Iron rusts in wet air."), (IRON, "Iron never rusts in wet air.")];
const IRON: &str = "Iron. Iron is a metal. It rusts in wet air, and it melts at 1,538 degrees Celsius.";

/// The name of the NLI model that a pack's `calibration` belongs to. In a pack without this name it belongs to the only
/// NLI model.
const FIRST: &str = "nli";

/// The origin of a checkpoint, for its pack.json.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The published revision.
    pub version: String,
    /// Its licence.
    pub license: String,
    /// The repository, or several.
    pub sources: Vec<String>,
}

/// Writes a pack.json for a folder in the Hugging Face layout, so that its files are checked whenever it is opened.
/// No model is run for it, so it has no warm-up pairs.
///
/// # Errors
/// [`ConvertError`].
pub fn seal(directory: &Path, name: &str, source: Source) -> Result<Manifest, ConvertError> {
    let mut contents = Manifest::of_hugging_face(directory)?.contents;
    contents.name = name.to_owned();
    let Source { version, license, sources } = source;
    write(directory, Contents { version, license, sources, ..contents })
}

/// Writes the pack.json of a pack anew, in the format of this version, with the logits of its classifiers and
/// encoder-decoders for their warm-up pairs, and with its checksum. The old one may be of format 1 or changed by hand,
/// but the files must be those that it names. A folder in the Hugging Face layout gets its first.
///
/// # Errors
/// [`ConvertError`].
pub async fn seal_anew(directory: &Path, device: &Device) -> Result<Manifest, ConvertError> {
    let contents = match is_published(directory) {
        true => Manifest::of_hugging_face(directory)?.contents,
        false => {
            let json = read(directory, PACK)?;
            match format(&json)? {
                1..=FORMAT => Contents::parse(&json)?,
                found => return Err(PackError::Version { found }.into()),
            }
        }
    };
    write(directory, warmed_up(directory, contents, device).await?)
}

/// Writes a calibration and, if there are any, the measured rates of verdicts by it into a pack.json, for the NLI model
/// of the pack that is called `model`.
///
/// # Errors
/// [`ConvertError`]; [`PackError::ModelMissing`] if there is no such model.
pub fn recalibrate(
    directory: &Path,
    model: &str,
    calibration: Calibration,
    measured: Option<Measured>,
) -> Result<Manifest, ConvertError> {
    let mut contents = Manifest::parse(&read(directory, PACK)?)?.contents;
    let known = contents.models.keys().cloned().collect();
    let Some(entry) = contents.models.get_mut(model) else {
        return Err(PackError::ModelMissing { name: model.to_owned(), known }.into());
    };
    entry.measured = measured.or(entry.measured.take());
    if model == FIRST || !contents.models.contains_key(FIRST) {
        contents.calibration = calibration;
    } else {
        contents.calibrations.insert(model.to_owned(), calibration);
    }
    write(directory, contents)
}

/// The contents with the logits that the classifiers and encoder-decoders in a folder give for their warm-up pairs.
///
/// # Errors
/// Those of [`Pack::open`], [`Pack::classifier`] and [`Pack::seq2seq`].
pub(crate) async fn warmed_up(
    directory: &Path,
    mut contents: Contents,
    device: &Device,
) -> Result<Contents, PackError> {
    let mut pack = Pack::read(directory, Manifest::with_hash(contents.clone(), String::new()))?;
    for (name, entry) in &mut contents.models {
        let pairs = match entry.warm_up.is_empty() {
            true => PAIRS.map(|(first, second)| (first.to_owned(), second.to_owned())).to_vec(),
            false => entry.warm_up.iter().map(|warm_up| warm_up.pair.clone()).collect(),
        };
        let logits = match pack.model(name)?.kind {
            ModelKind::Classifier => classified(&pack.classifier(name, device).await?, &pairs).await,
            ModelKind::Seq2Seq => answered(&pack.seq2seq(name, device).await?, &pairs).await,
            _ => continue,
        };
        // A model that cannot read the pairs, or whose logits are not finite, gets none.
        entry.warm_up = logits.map_or_else(|_| Vec::new(), |logits| stated(pairs, logits));
    }
    Ok(contents)
}

/// A classifier's logits for these pairs.
async fn classified(classifier: &Classifier, pairs: &[(String, String)]) -> Result<Vec<Vec<f32>>, NnError> {
    let texts: Vec<(&str, &str)> = pairs.iter().map(|(first, second)| (&**first, &**second)).collect();
    classifier.logits(&texts).await
}

/// An encoder-decoder's logits for these pairs.
async fn answered(model: &Seq2Seq, pairs: &[(String, String)]) -> Result<Vec<Vec<f32>>, NnError> {
    let mut logits = Vec::new();
    for (first, second) in pairs {
        logits.push(model.warm_up_logits(first, second).await?);
    }
    Ok(logits)
}

/// The pairs with their logits to two decimal places, on which processors agree; none if a logit is not finite.
fn stated(pairs: Vec<(String, String)>, logits: Vec<Vec<f32>>) -> Vec<WarmUp> {
    if !logits.iter().flatten().all(|logit| logit.is_finite()) {
        return Vec::new();
    }
    let rounded = |logits: Vec<f32>| logits.into_iter().map(|logit| (logit * 1e2).round() / 1e2).collect();
    pairs.into_iter().zip(logits).map(|(pair, logits)| WarmUp { pair, logits: rounded(logits) }).collect()
}

fn write(directory: &Path, contents: Contents) -> Result<Manifest, ConvertError> {
    let (manifest, path) = (Manifest::of(contents), directory.join(PACK));
    replace_file(&SystemDisk, &path, &manifest.json()).map_err(|source| ConvertError::Write { path, source })?;
    Ok(manifest)
}
