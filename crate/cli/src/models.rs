//! Opens models, on the CPU: those that judge, one that re-ranks, a language model, and those of CONNER's scores.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use evident_base::{Hash, PublicKey};
use evident_eval::{ConnerModels, ConnerRole, SharedModels};
use evident_nn::{Backend, CausalLm, Manifest, Pack, PackError, open_device};
use evident_verify::{About, BackendReport, Decider, Judge, PackReport, Reranker, Role, Settings};

use crate::CliError;
use crate::signed::signed_pack;

/// The models that judge.
#[derive(Args)]
pub struct JudgeArguments {
    /// The folder of the model pack
    #[arg(long, value_name = "DIR", env = "EVIDENT_PACK")]
    pack: Option<PathBuf>,
    /// The SHA-256 that its pack.json must have, as reports state it: any other pack is refused
    #[arg(long, value_name = "SHA256", value_parser = hash, hide_short_help = true)]
    expect_pack: Option<Hash>,
    /// The public key of minisign that must have signed its pack.json, in pack.json.minisig, with a version not before the
    /// last: any other pack is refused
    #[arg(long, value_name = "KEY", hide_short_help = true)]
    pack_signed_by: Option<PublicKey>,
    /// Its NLI model: nli, or small where the pack has that, which is several times as fast and less often right
    #[arg(long, value_name = "NAME", default_value = "nli", env = "EVIDENT_MODEL", hide_short_help = true)]
    model: String,
    /// Models in place of the pack's or beside them, each a pack or a folder as published on Hugging Face: verifier (a T5, which
    /// --score-by has to ask), nli, relevance (which re-ranks), marks (which marks the words that no passage supports)
    #[arg(long, value_name = "ROLE=DIR", value_delimiter = ',')]
    models: Vec<RoleModel>,
}

impl JudgeArguments {
    /// The models of one pack.
    pub fn of_pack(pack: &Path, model: &str) -> Self {
        Self {
            pack: Some(pack.into()),
            model: model.to_owned(),
            models: Vec::new(),
            expect_pack: None,
            pack_signed_by: None,
        }
    }

    /// Opens the NLI model, the T5 if the `settings` ask it, the model that marks if one was named, and the re-ranker if one
    /// was named or lies in the folder `rerank`. The files of other models are not read.
    ///
    /// # Errors
    /// [`CliError::Models`] for a model that nothing asks, and without any NLI model; those of [`Judge::load`],
    /// [`Judge::load_t5`] and [`Judge::load_marks`].
    pub async fn open(&self, settings: &Settings, rerank: Option<&Path>) -> Result<SharedModels, CliError> {
        const JUDGING: [Role; 5] = [Role::Nli, Role::Seq2seq, Role::Relevance, Role::Embedder, Role::Marks];
        let is_judging = |choice: &&RoleModel| JUDGING.iter().any(|&role| choice.role == ConnerRole::Score(role));
        if let Some(RoleModel { role, .. }) = self.models.iter().find(|choice| !is_judging(choice)) {
            let why = "nothing is judged by a model for it: name verifier, nli, relevance or marks";
            return Err(CliError::Models { role: role.name(), why });
        }
        let asked = settings.asks_verifier();
        let verifier = self.chosen(&[Role::Seq2seq]);
        if verifier.is_some() && !asked {
            let why = "the settings do not ask it: add --score-by verifier or --score-by both";
            return Err(CliError::Models { role: Role::Verifier.name(), why });
        }
        let nli = self.chosen(&[Role::Nli]);
        let pack_asked = asked && verifier.is_none();
        let (mut pack, model) = match (nli, &self.pack) {
            (Some(folder), _) => opened(folder, Role::Nli)?,
            (None, Some(folder)) => {
                let names = [self.model.as_str(), Role::Verifier.name()];
                let names = names[..1 + usize::from(pack_asked)].iter().map(|&name| name.to_owned()).collect();
                let signed = self.pack_signed_by.as_ref().map(|key| signed_pack(folder, key)).transpose()?;
                let choose = |manifest: &Manifest| {
                    manifest.require(self.expect_pack)?;
                    manifest.require(signed).map(|()| names)
                };
                (Pack::open_chosen(folder, choose)?, self.model.clone())
            }
            (None, None) => {
                let why = "none is named: give --pack DIR or --models nli=DIR";
                return Err(CliError::Models { role: Role::Nli.name(), why });
            }
        };
        let (device, name) = open_device(Backend::Cpu).await?;
        let about = About {
            backend: BackendReport { kind: Backend::Cpu, name },
            pack: PackReport::of(pack.manifest()),
            models: BTreeMap::new(),
            marked_by: None,
        };
        let mut shared =
            SharedModels { judge: Judge::load(&mut pack, &model, &device).await?.into(), reranker: None, about };
        if pack_asked && nli.is_none() {
            shared.judge.load_t5(&mut pack, Role::Verifier.name(), true, &device).await?;
        } else if asked {
            let Some(folder) = verifier.or(self.pack.as_deref()) else {
                let why = "none is named: give --pack DIR or --models verifier=DIR";
                return Err(CliError::Models { role: Role::Verifier.name(), why });
            };
            let (mut pack, model) = opened(folder, Role::Verifier)?;
            shared.about.models.insert(Decider::Verifier, PackReport::of(pack.manifest()));
            shared.judge.load_t5(&mut pack, &model, false, &device).await?;
        }
        if let Some(folder) = self.chosen(&[Role::Marks]) {
            let (mut pack, model) = opened(folder, Role::Marks)?;
            shared.about.marked_by = Some(PackReport::of(pack.manifest()));
            shared.judge.load_marks(&mut pack, &model, &device).await?;
        }
        shared.reranker = reranker(self.chosen(&[Role::Relevance, Role::Embedder]).or(rerank)).await?;
        Ok(shared)
    }

    /// True if the user named a model for re-ranking.
    pub fn reranks(&self) -> bool {
        self.chosen(&[Role::Relevance, Role::Embedder]).is_some()
    }

    /// The folder of the model that was named last for one of these roles.
    fn chosen(&self, roles: &[Role]) -> Option<&Path> {
        let named = |choice: &&RoleModel| roles.iter().any(|&role| choice.role == ConnerRole::Score(role));
        self.models.iter().rev().find(named).map(|choice| choice.folder.as_path())
    }
}

/// A SHA-256 in 64 hexadecimal digits.
pub fn hash(digits: &str) -> Result<Hash, &'static str> {
    Hash::try_from(digits.to_owned())
}

/// The pack or checkpoint of a folder with the files of its model for `role` alone, and its name for that.
fn opened(folder: &Path, role: Role) -> Result<(Pack, String), CliError> {
    let pack = Pack::open_chosen(folder, |manifest| Ok(vec![role.model_in(manifest)?]))?;
    let model = role.model_in(pack.manifest())?;
    Ok((pack, model))
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

/// A role and the folder of its model, as `role=folder`. "verifier" and "seq2seq" are one role, [`Role::Seq2seq`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleModel {
    role: ConnerRole,
    folder: PathBuf,
}

impl FromStr for RoleModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let roles = || ConnerRole::all().chain([ConnerRole::Score(Role::Marks)]);
        let names = || ["verifier"].into_iter().chain(roles().map(ConnerRole::name)).collect::<Vec<_>>().join(", ");
        let (name, folder) =
            text.split_once('=').ok_or_else(|| format!("write ROLE=DIR; the roles are {}", names()))?;
        let name = if name.trim().eq_ignore_ascii_case("verifier") { Role::Seq2seq.name() } else { name.trim() };
        let role = roles().find(|role| role.name().eq_ignore_ascii_case(name));
        let role = role.ok_or_else(|| format!("{name:?} is no role; the roles are {}", names()))?;
        Ok(Self { role, folder: folder.into() })
    }
}

/// A pack's models and the chosen ones, for the roles that are wanted. A chosen model replaces the pack's; of two for one
/// role the last counts.
///
/// # Errors
/// [`CliError::Pack`] for a folder that cannot be opened, [`CliError::Role`] for a model of another kind than its role
/// needs, [`CliError::Models`] for one that marks words, which has no score.
pub async fn conner_models(
    pack: Option<&Path>,
    choices: &[RoleModel],
    wanted: &[ConnerRole],
) -> Result<ConnerModels, CliError> {
    if choices.iter().any(|choice| choice.role == ConnerRole::Score(Role::Marks)) {
        let why = "no score is computed by it: verify and measure take it";
        return Err(CliError::Models { role: Role::Marks.name(), why });
    }
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
        let model = role.model_in(pack.manifest())?;
        let called = pack.manifest().name().to_owned();
        models = models.with(*role, &mut pack, &model, &called, &device).await?;
    }
    Ok(models)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_a_role_and_a_folder() {
        let choice: RoleModel = "lm=/models/gpt2=small".parse().unwrap();
        assert_eq!(choice, RoleModel { role: ConnerRole::Score(Role::Lm), folder: "/models/gpt2=small".into() });
        for wrong in ["lm", "reader=x"] {
            let roles = "verifier, nli, embedder, relevance, lm, seq2seq, discourse";
            assert!(wrong.parse::<RoleModel>().unwrap_err().contains(roles));
        }
        let [verifier, seq2seq] = ["verifier=t5", "seq2seq=t5"].map(|choice| choice.parse::<RoleModel>().unwrap());
        assert_eq!(verifier, seq2seq, "one role by two names");
    }
}
