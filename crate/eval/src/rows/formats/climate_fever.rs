//! CLIMATE-FEVER (Diggelmann et al. 2020): climate-fever.jsonl of tdiggelm/climate-fever-dataset. Its five evidence
//! sentences are a passage each, under their article's title. DISPUTED claims have no label.

use serde::Deserialize;
use serde_json::Value;

use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow, passage};

#[derive(Deserialize)]
pub struct Claim {
    claim_id: Value,
    claim: String,
    claim_label: String,
    evidences: Vec<Sentence>,
}

#[derive(Deserialize)]
struct Sentence {
    evidence_id: String,
    article: String,
    evidence: String,
}

impl LineFormat for Claim {
    fn rows(self, _: usize) -> Result<Vec<LabelledRow>, String> {
        let evidence = self.evidences.into_iter().map(|each| passage(each.evidence_id, each.article, each.evidence));
        Ok(vec![LabelledRow {
            id: self.claim_id.as_str().map_or_else(|| self.claim_id.to_string(), str::to_owned),
            statement: self.claim,
            label: Label::of_fever(&self.claim_label),
            evidence: evidence.collect(),
            ..LabelledRow::default()
        }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::formats::Format;
    use crate::rows::formats::tests::read;

    #[test]
    fn evidence_sentences_are_passages_and_disputed_claims_have_no_label() {
        let line = r#"{"claim_id":"0","claim":"Ice melts","claim_label":"NOT_ENOUGH_INFO","evidences":[{"evidence_id":"Ice:17","evidence_label":"NOT_ENOUGH_INFO","article":"Ice","evidence":"Ice is frozen water.","entropy":0.69,"votes":["SUPPORTS","NOT_ENOUGH_INFO",null,null,null]}]}"#;
        let rows = read(
            Format::ClimateFever,
            &format!("{line}\n{}", line.replace(r#""claim_label":"NOT_ENOUGH_INFO""#, r#""claim_label":"DISPUTED""#)),
        )
        .unwrap();
        assert_eq!(rows[0].label, Some(Label::NoEvidence));
        assert_eq!(rows[0].evidence, [passage("Ice:17", "Ice", "Ice is frozen water.")]);
        assert_eq!((rows[1].label, rows[1].line), (None, 2));
    }
}
