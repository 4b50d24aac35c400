//! Opens the models that scores are by: those of a pack by their names, and folders that were named for a role.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use evident_nn::{Backend, Pack, open_device};
use evident_verify::conner::Conner;
use evident_verify::{PackReport, Role};

use crate::CliError;

/// A role and the folder of its model, as `role=folder`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    role: Role,
    folder: PathBuf,
}

/// All roles.
pub fn roles() -> impl Iterator<Item = Role> {
    Role::SCORES.into_iter().chain(Role::BASELINES)
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || roles().map(Role::name).collect::<Vec<_>>().join(", ");
        let (name, folder) =
            text.split_once('=').ok_or_else(|| format!("write ROLE=DIR; the roles are {}", names()))?;
        let role = roles().find(|role| role.name().eq_ignore_ascii_case(name.trim()));
        let role = role.ok_or_else(|| format!("{name:?} is no role; the roles are {}", names()))?;
        Ok(Self { role, folder: folder.into() })
    }
}

/// What one model is enough for.
fn score(role: Role) -> &'static str {
    match role {
        Role::Embedder => Role::Relevance.name(),
        other => other.name(),
    }
}

/// The scorer of a pack's models and the chosen ones in the roles that are wanted, on the CPU, and which pack each role's model
/// is from. A chosen model takes the place of the pack's; of two for one role the last counts.
///
/// # Errors
/// [`CliError::Pack`] for folders that cannot be opened, [`CliError::Role`] for models that are not of their role's kind.
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
        let there: Vec<String> = pack.manifest().models().map(str::to_owned).collect();
        for &role in wanted.iter().filter(|role| there.iter().any(|name| name == role.name())) {
            if choices.iter().any(|choice| score(choice.role) == score(role)) {
                continue;
            }
            conner = conner.with_role(role, &mut pack, &device)?;
            found.insert(score(role).to_owned(), PackReport::of(pack.manifest()));
        }
    }
    for Choice { role, folder } in choices.iter().filter(|choice| wanted.contains(&choice.role)) {
        let mut pack = Pack::open(folder)?;
        let there: Vec<String> = pack.manifest().models().map(str::to_owned).collect();
        let model = match there.as_slice() {
            [only] => only,
            _ => role.name(),
        };
        let called = pack.manifest().name().to_owned();
        conner = conner.with_model(&called, role.load(&mut pack, model, &called, &device)?)?;
        found.insert(score(*role).to_owned(), PackReport::of(pack.manifest()));
    }
    Ok((conner, found))
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
