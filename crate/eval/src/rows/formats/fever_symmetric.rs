//! FEVER-Symmetric v0.2 (Schuster et al. 2019): the fever_symmetric_*.jsonl of TalSchuster/FeverSymmetric, in Penn
//! Treebank spacing, which is undone.

use serde::Deserialize;
use serde_json::Value;

use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow, passage, tidy};

#[derive(Deserialize)]
pub struct Pair {
    id: Value,
    claim: String,
    evidence: String,
    gold_label: String,
}

impl LineFormat for Pair {
    fn rows(self, _: usize) -> Result<Vec<LabelledRow>, String> {
        Ok(vec![LabelledRow {
            id: self.id.as_str().map_or_else(|| self.id.to_string(), str::to_owned),
            statement: tidy(&self.claim),
            label: Label::of_fever(&self.gold_label),
            evidence: vec![passage("gold", "", tidy(&self.evidence))],
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
    fn claim_and_evidence_are_put_in_plain_spacing() {
        let rows = read(
            Format::FeverSymmetric,
            r#"{"id": "78305", "claim": "Lost is a political party .", "evidence": "Lost -LRB- 2004 -RRB- is a drama series .", "sentence1": "", "sentence2": "", "gold_label": "REFUTES", "label": "REFUTES", "evid": [["Lost -LRB- 2004 -RRB- is a drama series .", 1.0]]}"#,
        )
        .unwrap();
        assert_eq!(
            rows,
            [LabelledRow {
                line: 1,
                id: "78305".into(),
                statement: "Lost is a political party.".into(),
                label: Some(Label::Unfactual),
                evidence: vec![passage("gold", "", "Lost (2004) is a drama series.")],
                ..LabelledRow::default()
            }]
        );
    }
}
