//! Opens the models that scores are by: those of a pack by their names, and folders that were named for a role.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use evident_nn::{Backend, CausalLm, Classifier, Device, Embedder, Pack, PackError, Seq2Seq, open_device};
use evident_verify::PackReport;
use evident_verify::conner::{Conner, WrongModel};

use crate::CliError;

/// What a model is for; a pack's model of the same name is for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Factuality and validity: entailment, neutral and contradiction
    Nli,
    /// Relevance: a cross-encoder, or a bi-encoder where the folder has no head
    Relevance,
    /// Relevance by a bi-encoder
    Embedder,
    /// Cohesion and informativeness: a causal language model
    Lm,
    /// Helpfulness: a seq2seq model
    Seq2seq,
    /// Coherence: a classifier of paragraphs
    Discourse,
    /// A baseline: a classifier of documents and sentences, CORRECT and INCORRECT
    Factcc,
    /// A baseline: an NLI model that was trained on several tasks
    Multitask,
}

impl Role {
    /// All of them; a cross-encoder comes after the bi-encoder that it takes the place of.
    pub const ALL: [Self; 8] = [
        Self::Nli,
        Self::Embedder,
        Self::Relevance,
        Self::Lm,
        Self::Seq2seq,
        Self::Discourse,
        Self::Factcc,
        Self::Multitask,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Nli => "nli",
            Self::Relevance => "relevance",
            Self::Embedder => "embedder",
            Self::Lm => "lm",
            Self::Seq2seq => "seq2seq",
            Self::Discourse => "discourse",
            Self::Factcc => "factcc",
            Self::Multitask => "multitask",
        }
    }

    /// What one model is enough for.
    fn score(self) -> &'static str {
        match self {
            Self::Embedder => Self::Relevance.name(),
            other => other.name(),
        }
    }
}

/// A role and the folder of its model, as `role=folder`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    role: Role,
    folder: PathBuf,
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let roles = || Role::ALL.map(Role::name).join(", ");
        let (role, folder) =
            text.split_once('=').ok_or_else(|| format!("write ROLE=DIR; the roles are {}", roles()))?;
        let role = <Role as ValueEnum>::from_str(role.trim(), true)
            .map_err(|_| format!("{role:?} is no role; the roles are {}", roles()))?;
        Ok(Self { role, folder: folder.into() })
    }
}

/// The scorer of a pack's models and the chosen ones in the roles that are wanted, on the CPU, and which pack each role's model
/// is from. A chosen model takes the place of the pack's; of two for one role the last counts.
///
/// # Errors
/// [`CliError::Pack`] for folders that hold no model of their role's architecture, [`CliError::Unusable`] for labels that
/// are not its kind's.
pub async fn open(
    pack: Option<&Path>,
    choices: &[Choice],
    wanted: &[Role],
) -> Result<(Conner, BTreeMap<String, PackReport>), CliError> {
    let (device, _) = open_device(Backend::Cpu).await?;
    let mut conner = Conner::new();
    let mut found = BTreeMap::new();
    if let Some(folder) = pack {
        let mut pack = Pack::open(folder)?;
        for &role in wanted {
            if choices.iter().any(|choice| choice.role.score() == role.score()) {
                continue;
            }
            match load(role, role.name(), &mut pack, folder, &device) {
                Ok(model) => {
                    conner = model.add(conner, &format!("{}/{}", pack.manifest().name(), role.name()), folder)?;
                    found.insert(role.score().to_owned(), PackReport::of(pack.manifest()));
                }
                Err(PackError::ModelMissing { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    for Choice { role, folder } in choices.iter().filter(|choice| wanted.contains(&choice.role)) {
        let mut pack = Pack::open(folder)?;
        let model = match load(*role, role.name(), &mut pack, folder, &device) {
            Err(PackError::ModelMissing { known, name }) => match known.as_slice() {
                [only] => load(*role, only, &mut pack, folder, &device)?,
                _ => return Err(PackError::ModelMissing { known, name }.into()),
            },
            model => model?,
        };
        conner = model.add(conner, pack.manifest().name(), folder)?;
        found.insert(role.score().to_owned(), PackReport::of(pack.manifest()));
    }
    Ok((conner, found))
}

/// A model of one of the kinds.
enum Model {
    Nli(Classifier, f64),
    CrossEncoder(Classifier),
    BiEncoder(Embedder),
    Causal(CausalLm),
    Seq2seq(Seq2Seq),
    Discourse(Classifier),
    WeaklySupervised(Classifier),
    Multitask(Classifier, f64),
}

fn load(role: Role, name: &str, pack: &mut Pack, folder: &Path, device: &Device) -> Result<Model, PackError> {
    Ok(match role {
        Role::Nli => Model::Nli(pack.classifier(name, device)?, pack.manifest().calibration().nli.temperature),
        Role::Relevance => match pack.classifier(name, device) {
            // Without a classifier's head it is a bi-encoder; loading has used its files up.
            Err(PackError::TensorMissing { .. }) => Model::BiEncoder(Pack::open(folder)?.embedder(name, device)?),
            model => Model::CrossEncoder(model?),
        },
        Role::Embedder => Model::BiEncoder(pack.embedder(name, device)?),
        Role::Lm => Model::Causal(pack.causal_lm(name, device)?),
        Role::Seq2seq => Model::Seq2seq(pack.seq2seq(name, device)?),
        Role::Discourse => Model::Discourse(pack.classifier(name, device)?),
        Role::Factcc => Model::WeaklySupervised(pack.classifier(name, device)?),
        Role::Multitask => {
            Model::Multitask(pack.classifier(name, device)?, pack.manifest().calibration().nli.temperature)
        }
    })
}

impl Model {
    fn add(self, conner: Conner, name: &str, folder: &Path) -> Result<Conner, CliError> {
        const NO_NLI: &str = "its model is no NLI model: its labels must be entailment, neutral and contradiction";
        let unusable = |why| move |_: WrongModel| CliError::Unusable { path: folder.into(), why };
        match self {
            Self::Nli(model, temperature) => conner.with_nli(name, model, temperature).map_err(unusable(NO_NLI)),
            Self::CrossEncoder(model) => conner
                .with_cross_encoder(name, model)
                .map_err(unusable("its model is no cross-encoder: it must have one label, or two")),
            Self::BiEncoder(model) => Ok(conner.with_bi_encoder(name, model)),
            Self::Causal(model) => Ok(conner.with_language_model(name, model)),
            Self::Seq2seq(model) => Ok(conner.with_seq2seq(name, model)),
            Self::Discourse(model) => conner
                .with_discourse(name, model)
                .map_err(unusable("its model is no discourse model: it must have one label, or two")),
            Self::WeaklySupervised(model) => conner
                .with_weakly_supervised(name, model)
                .map_err(unusable("its model is no weakly supervised model: its labels must be CORRECT and INCORRECT")),
            Self::Multitask(model, temperature) => {
                conner.with_multitask(name, model, temperature).map_err(unusable(NO_NLI))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_a_role_and_a_folder() {
        let choice: Choice = "lm=/models/gpt2=small".parse().unwrap();
        assert_eq!(choice, Choice { role: Role::Lm, folder: "/models/gpt2=small".into() });
        for wrong in ["lm", "reader=x"] {
            assert!(wrong.parse::<Choice>().unwrap_err().contains("nli, embedder, relevance, lm, seq2seq, discourse"));
        }
    }
}
