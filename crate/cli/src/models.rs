//! Opens models, on the CPU: those that judge, one that re-ranks, a language model, and those of CONNER's scores.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use evident_eval::{ConnerModels, ConnerRole, SharedModels};
use evident_nn::{Backend, CausalLm, Pack, PackError, open_device};
use evident_verify::{About, BackendReport, Judge, PackReport, Reranker};

use crate::CliError;

/// The pack whose models judge.
#[derive(Args)]
pub struct PackArguments {
    /// The folder of the model pack
    #[arg(long, value_name = "DIR", env = "EVIDENT_PACK")]
    pack: PathBuf,
    /// Its NLI model: nli, or small where the pack has that, which is several times as fast and less often right
    #[arg(long, value_name = "NAME", default_value = "nli", env = "EVIDENT_MODEL", hide_short_help = true)]
    model: String,
}

impl PackArguments {
    /// Opens the NLI model and, if the T5 is `asked`, that too, with the re-ranker of the folder `rerank`. The pack's other
    /// files are not read.
    pub async fn open(&self, asked: bool, rerank: Option<&Path>) -> Result<SharedModels, CliError> {
        let model = self.model.as_str();
        let wanted = [model, "verifier"];
        let mut pack = Pack::open_for(&self.pack, &wanted[..1 + usize::from(asked)])?;
        let (device, name) = open_device(Backend::Cpu).await?;
        let backend = BackendReport { kind: Backend::Cpu, name };
        let about = About { backend, pack: PackReport::of(pack.manifest()) };
        let judge = Judge::load(&mut pack, model, &device).await?;
        if asked {
            judge.add_t5(pack.seq2seq("verifier", &device).await?)?;
        }
        Ok(SharedModels { judge: judge.into(), reranker: reranker(rerank).await?, about })
    }
}

/// The model of a folder or pack that re-ranks: a cross-encoder or a bi-encoder. `None` without a folder.
///
/// # Errors
/// [`CliError::Role`] for a folder without such a model, and for a classifier that ranks nothing.
pub async fn reranker(folder: Option<&Path>) -> Result<Option<Arc<Reranker>>, CliError> {
    let Some(folder) = folder else { return Ok(None) };
    let (device, _) = open_device(Backend::Cpu).await?;
    let mut pack = Pack::open(folder)?;
    Ok(Some(Reranker::load(&mut pack, &device).await?.into()))
}

/// The only model of a folder, a causal language model, and the pack that it is.
///
/// # Errors
/// [`CliError::Pack`] for any other folder.
pub async fn language_model(folder: &Path) -> Result<(CausalLm, PackReport), CliError> {
    let mut pack = Pack::open(folder)?;
    let (device, _) = open_device(Backend::Cpu).await?;
    let model = match pack.causal_lm("lm", &device).await {
        Err(PackError::ModelMissing { known, name }) => match known.as_slice() {
            [only] => pack.causal_lm(only, &device).await?,
            _ => return Err(PackError::ModelMissing { known, name }.into()),
        },
        model => model?,
    };
    Ok((model, PackReport::of(pack.manifest())))
}

/// A role and the folder of its model, as `role=folder`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleModel {
    role: ConnerRole,
    folder: PathBuf,
}

impl FromStr for RoleModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || ConnerRole::all().map(ConnerRole::name).collect::<Vec<_>>().join(", ");
        let (name, folder) =
            text.split_once('=').ok_or_else(|| format!("write ROLE=DIR; the roles are {}", names()))?;
        let role = ConnerRole::all().find(|role| role.name().eq_ignore_ascii_case(name.trim()));
        let role = role.ok_or_else(|| format!("{name:?} is no role; the roles are {}", names()))?;
        Ok(Self { role, folder: folder.into() })
    }
}

/// A pack's models and the chosen ones, for the roles that are wanted. A chosen model replaces the pack's; of two for one
/// role the last counts.
///
/// # Errors
/// [`CliError::Pack`] for a folder that cannot be opened, [`CliError::Role`] for a model of another kind than its role
/// needs.
pub async fn conner_models(
    pack: Option<&Path>,
    choices: &[RoleModel],
    wanted: &[ConnerRole],
) -> Result<ConnerModels, CliError> {
    let (device, _) = open_device(Backend::Cpu).await?;
    let mut models = ConnerModels::default();
    if let Some(folder) = pack {
        let mut pack = Pack::open(folder)?;
        let there: Vec<String> = pack.manifest().models().map(str::to_owned).collect();
        for &role in wanted.iter().filter(|role| there.iter().any(|name| name == role.name())) {
            if choices.iter().any(|choice| choice.role.listed() == role.listed()) {
                continue;
            }
            let called = format!("{}/{}", pack.manifest().name(), role.name());
            models = models.with(role, &mut pack, role.name(), &called, &device).await?;
        }
    }
    for RoleModel { role, folder } in choices.iter().filter(|choice| wanted.contains(&choice.role)) {
        let mut pack = Pack::open(folder)?;
        let there: Vec<String> = pack.manifest().models().map(str::to_owned).collect();
        let model = match there.as_slice() {
            [only] => only,
            _ => role.name(),
        };
        let called = pack.manifest().name().to_owned();
        models = models.with(*role, &mut pack, model, &called, &device).await?;
    }
    Ok(models)
}

#[cfg(test)]
mod tests {
    use evident_verify::Role;

    use super::*;

    #[test]
    fn a_choice_is_a_role_and_a_folder() {
        let choice: RoleModel = "lm=/models/gpt2=small".parse().unwrap();
        assert_eq!(choice, RoleModel { role: ConnerRole::Score(Role::Lm), folder: "/models/gpt2=small".into() });
        for wrong in ["lm", "reader=x"] {
            assert!(
                wrong.parse::<RoleModel>().unwrap_err().contains("nli, embedder, relevance, lm, seq2seq, discourse")
            );
        }
    }
}
