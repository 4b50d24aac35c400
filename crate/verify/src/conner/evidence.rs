//! Evidence for a text, and what it says of the text by NLI.

use evident_index::{Passage, Storage};

use crate::conner::formulas::sentence_factuality;
use crate::conner::item::Sources;
use crate::conner::settings::Settings;
use crate::error::VerifyError;
use crate::evidence::premises::premises;
use crate::models::nli::NliModel;
use crate::report::Nli;

/// The evidence: the passages that were given, or else what the index finds for `query`.
///
/// # Errors
/// Any error of the index.
pub(super) async fn evidence<S: Storage>(
    sources: &Sources<'_, S>,
    query: &str,
    settings: &Settings,
) -> Result<Vec<Passage>, VerifyError> {
    match sources.index {
        Some(index) if sources.passages.is_empty() => {
            let found = index.find(query, settings.evidence, settings.search.limits()).await?;
            Ok(found.hits.into_iter().map(|hit| hit.passage).collect())
        }
        _ => Ok(sources.passages.to_vec()),
    }
}

/// What passages say of a text.
pub(super) struct Checked {
    /// The triple with the most entailment among all premises of all passages: the maximum over evidence in Eq. 1.
    pub nli: Nli,
    /// The id of its passage; `None` without passages.
    pub passage: Option<String>,
    /// The highest entailment among each passage's premises, in the order of the passages.
    pub each: Vec<f64>,
}

/// Runs NLI on `text` with the premises of each passage that share most words with it.
///
/// # Errors
/// Any error of the model.
pub(super) async fn check(
    nli: &NliModel,
    text: &str,
    passages: &[Passage],
    settings: &Settings,
) -> Result<Checked, VerifyError> {
    let premises: Vec<(usize, String)> = passages
        .iter()
        .enumerate()
        .flat_map(|(number, passage)| {
            let found = premises(passage, text, settings.window, settings.windows);
            found.into_iter().map(move |premise| (number, premise.text))
        })
        .collect();
    if premises.is_empty() {
        return Ok(Checked { nli: Nli::SILENT, passage: None, each: Vec::new() });
    }
    let pairs: Vec<(&str, &str)> = premises.iter().map(|(_, premise)| (premise.as_str(), text)).collect();
    let triples = nli.triples(&pairs).await?;
    let nli = sentence_factuality(&triples);
    let at = triples.iter().position(|&triple| triple == nli);
    let passage = at.map(|at| passages[premises[at].0].id.clone());
    let mut each = vec![0.0_f64; passages.len()];
    for ((number, _), triple) in premises.iter().zip(&triples) {
        each[*number] = each[*number].max(triple.entailment);
    }
    Ok(Checked { nli, passage, each })
}
