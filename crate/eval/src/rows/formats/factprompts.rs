//! FactPrompts (Chern et al. 2023): knowledge_qa.jsonl of GAIR-NLP/factool, answers with their claims. A row is a
//! claim, with the answer's prompt as its question.

use serde::Deserialize;

use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow, group};

#[derive(Deserialize)]
pub struct Answer {
    prompt: String,
    claims: Vec<Claim>,
}

#[derive(Deserialize)]
struct Claim {
    claim: String,
    label: bool,
}

impl LineFormat for Answer {
    fn rows(self, line: usize) -> Result<Vec<LabelledRow>, String> {
        let row = |(number, claim): (usize, Claim)| LabelledRow {
            id: format!("{line}.{number}"),
            statement: claim.claim,
            question: Some(self.prompt.clone()),
            label: Some(Label::of_truth(claim.label)),
            groups: group("position", number),
            ..LabelledRow::default()
        };
        Ok((1..).zip(self.claims).map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::formats::Format;
    use crate::rows::formats::tests::read;

    #[test]
    fn every_claim_is_a_row() {
        let rows = read(
            Format::Factprompts,
            r#"{"prompt": "Is Jupiter more dense than Saturn?", "response": "No, Jupiter is less dense.", "claims": [{"claim": "Jupiter is less dense than Saturn", "label": false}, {"claim": "Jupiter is mostly gas", "label": true}], "label": false, "entry_point": null}"#,
        )
        .unwrap();
        let said: Vec<_> = rows.iter().map(|row| (row.id.as_str(), row.label)).collect();
        assert_eq!(said, [("1.1", Some(Label::Unfactual)), ("1.2", Some(Label::Factual))]);
        assert_eq!(rows[1].question.as_deref(), Some("Is Jupiter more dense than Saturn?"));
    }
}
