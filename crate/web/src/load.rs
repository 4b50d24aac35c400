//! Fetches the models of remote packs and loads them for their roles.

use std::collections::BTreeMap;

use evident_base::Hash;
use evident_nn::Device;
use evident_verify::{Decider, Judge, PackReport, Reranker, Role, reranking_model};

use crate::error::WebError;
use crate::pack::RemotePack;

/// The packs that the models come from: the page's own, and others that it names for roles.
pub struct Packs {
    /// The page's own.
    pub pack: RemotePack,
    named: Vec<(Role, RemotePack)>,
}

/// The addresses of packs, by the names of the roles that their models have in place of the page's own.
pub type Named = BTreeMap<String, String>;

impl Packs {
    /// Reads the manifests of the pack at `base`, which must have the hash if one is `expected`, and of the others, and
    /// no other file. Models will be loaded onto `device`. If they are `kept`, the browser has their files and none is
    /// fetched.
    ///
    /// # Errors
    /// [`WebError::Role`] for a name that is no role, and those of [`RemotePack::open`].
    pub async fn open(
        base: &str,
        expected: Option<Hash>,
        named: &Named,
        device: &Device,
        kept: bool,
    ) -> Result<Self, WebError> {
        let open = async |base: &str, expected| match kept {
            true => RemotePack::open_kept(base, expected, device).await,
            false => RemotePack::open(base, expected, device).await,
        };
        let mut packs = Self { pack: open(base, expected).await?, named: Vec::new() };
        for (name, base) in named {
            let role = Role::of(name).ok_or_else(|| WebError::Role { name: name.clone() })?;
            packs.named.push((role, open(base, None).await?));
        }
        Ok(packs)
    }

    /// The pack that is named for a role. A pack for the verifier serves CONNER's seq2seq too, and the reverse.
    pub fn named(&self, role: Role) -> Option<&RemotePack> {
        let same = |other: Role| match (role, other) {
            (Role::Verifier, Role::Seq2seq) | (Role::Seq2seq, Role::Verifier) => true,
            _ => role == other,
        };
        self.named.iter().find(|(other, _)| same(*other)).map(|(_, pack)| pack)
    }

    /// The pack of the model for a role, and the model's name there; in the page's own pack it has the role's name.
    ///
    /// # Errors
    /// [`WebError::Pack`] if the named pack has no such model.
    pub fn model(&self, role: Role) -> Result<(&RemotePack, String), WebError> {
        match self.named(role) {
            Some(pack) => Ok((pack, role.model_in(pack.manifest())?)),
            None => Ok((&self.pack, role.name().to_owned())),
        }
    }

    /// The pack of the NLI model, and the model's name there: `wanted` if the page's own pack has it.
    ///
    /// # Errors
    /// Those of [`Self::model`].
    pub fn nli(&self, wanted: &str) -> Result<(&RemotePack, String), WebError> {
        let (pack, name) = self.model(Role::Nli)?;
        let has_wanted = self.named(Role::Nli).is_none() && pack.manifest().models().any(|model| model == wanted);
        Ok((pack, if has_wanted { wanted.to_owned() } else { name }))
    }

    /// The packs of judging models, if they are not the NLI model's pack.
    pub fn others(&self) -> BTreeMap<Decider, PackReport> {
        let t5 = self.named(Role::Verifier).or(self.named(Role::Nli).map(|_| &self.pack));
        t5.map(|pack| (Decider::Verifier, PackReport::of(pack.manifest()))).into_iter().collect()
    }
}

/// A judge without models. Its calibration is that of the NLI model: `model`, if the page's own pack has one of that
/// name.
pub fn new_judge(packs: &Packs, model: &str) -> Result<Judge, WebError> {
    let (pack, model) = packs.nli(model)?;
    Ok(Judge::new(pack.manifest().calibration_of(&model).clone()))
}

/// Fetches and loads the NLI model for `judge`: `model`, if the page's own pack has one of that name; `fetched` and
/// `warn` are those of [`RemotePack::fetch`].
pub async fn add_nli(
    judge: &Judge,
    packs: &Packs,
    model: &str,
    fetched: impl FnMut(u64, u64),
    warn: impl FnMut(&str, &str),
) -> Result<(), WebError> {
    let (pack, model) = packs.nli(model)?;
    pack.fetch(&[&model], fetched, warn).await?;
    pack.load(async |pack, device| judge.load_nli(pack, &model, device).await).await
}

/// Fetches and loads the T5 for `judge`; `fetched` and `warn` are those of [`RemotePack::fetch`].
pub async fn add_t5(
    judge: &Judge,
    packs: &Packs,
    fetched: impl FnMut(u64, u64),
    warn: impl FnMut(&str, &str),
) -> Result<(), WebError> {
    let (pack, model) = packs.model(Role::Verifier)?;
    let of_judge = packs.others().is_empty();
    pack.fetch(&[&model], fetched, warn).await?;
    pack.load(async |pack, device| judge.load_t5(pack, &model, of_judge, device).await).await
}

/// Fetches and loads the reranker of a pack; `fetched` and `warn` are those of [`RemotePack::fetch`].
pub async fn open_reranker(
    pack: &RemotePack,
    fetched: impl FnMut(u64, u64),
    warn: impl FnMut(&str, &str),
) -> Result<Reranker, WebError> {
    let name = reranking_model(pack.manifest())?;
    pack.fetch(&[name], fetched, warn).await?;
    pack.load(Reranker::load).await
}
