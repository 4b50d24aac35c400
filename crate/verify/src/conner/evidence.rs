//! Evidence for a text, and what the NLI model makes of it.

use evident_index::{Passage, Storage};

use super::{NliModel, Settings, Sources, sentence_factuality};
use crate::premise::premises;
use crate::{Nli, VerifyError};

/// The passages to set against a text: those that were given, or what the index finds for `query`.
pub(super) async fn evidence<S: Storage>(
    sources: &Sources<'_, S>,
    query: &str,
    settings: &Settings,
) -> Result<Vec<Passage>, VerifyError> {
    match sources.index {
        Some(index) if sources.passages.is_empty() => {
            let hits = index.search(query, settings.evidence).await?;
            Ok(hits.into_iter().map(|hit| hit.passage).collect())
        }
        _ => Ok(sources.passages.to_vec()),
    }
}

impl NliModel {
    /// Eq. 1's max over evidence, as the verifier reads it: the triple with the most entailment of all premises of all
    /// passages, and the id of its passage.
    pub(super) async fn most_entailed(
        &self,
        text: &str,
        passages: &[Passage],
        settings: &Settings,
    ) -> Result<(Nli, Option<String>), VerifyError> {
        let premises: Vec<(&Passage, String)> = passages
            .iter()
            .flat_map(|passage| {
                let found = premises(passage, text, settings.window, settings.windows);
                found.into_iter().map(move |premise| (passage, premise.text))
            })
            .collect();
        if premises.is_empty() {
            return Ok((Nli::SILENT, None));
        }
        let pairs: Vec<(&str, &str)> = premises.iter().map(|(_, premise)| (premise.as_str(), text)).collect();
        let triples = self.read(&pairs).await?;
        let most = sentence_factuality(&triples);
        let at = triples.iter().position(|&triple| triple == most);
        let passage = at.and_then(|at| premises.get(at)).map(|(passage, _)| passage.id.clone());
        Ok((most, passage))
    }

    /// The triple of each premise and hypothesis.
    pub(super) async fn read(&self, pairs: &[(&str, &str)]) -> Result<Vec<Nli>, VerifyError> {
        let logits = self.classifier.logits(pairs).await?;
        let triples = logits.iter().map(|logits| self.classes.read(logits, self.temperature));
        triples.collect::<Option<_>>().ok_or(VerifyError::NotFinite { model: "NLI" })
    }
}
