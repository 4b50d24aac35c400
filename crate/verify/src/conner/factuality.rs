//! Factuality: whether evidence supports what the knowledge says (Eq. 1).

use evident_index::Storage;

use super::evidence::{check, evidence};
use super::{
    Aggregate, CheckedSentence, Conner, Factuality, Found, Missing, Settings, Sources, Step, Watch, factuality,
    lacking, lowest,
};
use crate::models::nli::Nli;
use crate::report::Span;
use crate::text::sentences::Sentence;

impl Conner {
    /// Eq. 1.
    pub(super) async fn factuality<S: Storage>(
        &self,
        found: &[(Span, Sentence)],
        sources: &Sources<'_, S>,
        settings: &Settings,
        watch: &mut impl Watch,
    ) -> Found<Factuality> {
        let Some(nli) = self.nli.as_ref().filter(|_| !found.is_empty() && sources.has_evidence()) else {
            return Ok(Err(lacking(&[
                (!found.is_empty(), Missing::Knowledge),
                (sources.has_evidence(), Missing::Evidence),
                (self.nli.is_some(), Missing::NliModel),
            ])));
        };
        let mut checked = Vec::with_capacity(found.len());
        for (number, (span, sentence)) in found.iter().enumerate() {
            watch.step(Step::Factuality { sentence: number, of: found.len() }).await?;
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
            return Ok(Err(vec![Missing::Knowledge]));
        };
        let lowest = lowest(triples.iter().map(|nli| nli.entailment));
        let value = triple.entailment;
        Ok(Ok((nli.name.clone(), Factuality { value, min, mean, max, triple, sentences: checked, lowest })))
    }
}
