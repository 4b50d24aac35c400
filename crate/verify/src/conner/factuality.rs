//! Factuality: whether evidence supports the knowledge (Eq. 1).

use evident_index::Storage;
use serde::{Deserialize, Serialize};

use crate::conner::evidence::{check, evidence};
use crate::conner::formulas::{Aggregate, factuality, lowest};
use crate::conner::item::Given;
use crate::conner::outcome::{Missing, Outcome, Value, missing_of};
use crate::conner::scorer::Conner;
use crate::conner::steps::Steps;
use crate::error::VerifyError;
use crate::events::Observer;
use crate::report::{Nli, Span};

/// Factuality (Eq. 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Factuality {
    /// The entailment of `triple`, 0 to 1.
    pub value: f64,
    /// The triple of the sentence with the least entailment.
    pub min: Nli,
    /// The means of the three probabilities.
    pub mean: Nli,
    /// The triple of the sentence with the most entailment.
    pub max: Nli,
    /// The one of these three that the settings choose.
    pub triple: Nli,
    /// The sentences in order.
    pub sentences: Vec<CheckedSentence>,
    /// The number of the sentence with the least entailment, which pulls the score down; the first among equals.
    pub lowest: usize,
}

/// One sentence of the knowledge and what its evidence says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct CheckedSentence {
    /// Its place in the knowledge.
    #[serde(flatten)]
    pub span: Span,
    /// The sentence without Markdown.
    pub text: String,
    /// The triple of the evidence with the most entailment.
    pub nli: Nli,
    /// The id of that passage; `None` if none was found.
    pub passage: Option<String>,
    /// The highest entailment of each passage, in the order in which they were found. The scores with fewer passages
    /// follow from it (Fig. 4).
    #[serde(default)]
    pub evidence: Vec<f64>,
}

impl Value for Factuality {
    fn value(&self) -> f64 {
        self.value
    }
}

impl Conner {
    /// Eq. 1.
    pub(super) async fn factuality<S: Storage>(
        &self,
        given: &Given<'_, S>,
        steps: &Steps<'_, impl Observer>,
    ) -> Result<Outcome<Factuality>, VerifyError> {
        let Given { sentences, sources, settings, .. } = given;
        let Some(nli) = self.nli.as_ref().filter(|_| !sentences.is_empty() && sources.has_evidence()) else {
            return Ok(missing_of(&[
                (!sentences.is_empty(), Missing::Knowledge),
                (sources.has_evidence(), Missing::Evidence),
                (self.nli.is_some(), Missing::NliModel),
            ]));
        };
        let mut checked = Vec::with_capacity(sentences.len());
        for (number, (span, sentence)) in sentences.iter().enumerate() {
            steps.begin_sentence(number, sentences.len()).await?;
            let passages = evidence(sources, &sentence.text, settings).await?;
            let found = check(&nli.model, &sentence.text, &passages, settings).await?;
            checked.push(CheckedSentence {
                span: *span,
                text: sentence.text.clone(),
                nli: found.nli,
                passage: found.passage,
                evidence: found.each,
            });
        }
        let triples: Vec<Nli> = checked.iter().map(|sentence| sentence.nli).collect();
        let aggregates = [Aggregate::Min, Aggregate::Mean, Aggregate::Max, settings.aggregate];
        let [Some(min), Some(mean), Some(max), Some(triple)] = aggregates.map(|over| factuality(&triples, over)) else {
            return Ok(Missing::Knowledge.into());
        };
        let lowest = lowest(triples.iter().map(|nli| nli.entailment));
        let score = Factuality { value: triple.entailment, min, mean, max, triple, sentences: checked, lowest };
        Ok(Outcome::scored(&nli.name, score))
    }
}
