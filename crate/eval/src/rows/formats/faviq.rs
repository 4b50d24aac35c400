//! FaVIQ (Park et al. 2022): the {train,dev,test}.jsonl of the A and the D set, as the README of faviq/faviq has them.
//! The evidence is the positive passage.

use serde::Deserialize;

use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow, passage};

#[derive(Deserialize)]
pub struct Claim {
    id: String,
    claim: String,
    label: String,
    positive_evidence: Option<Text>,
}

#[derive(Deserialize)]
struct Text {
    id: String,
    title: String,
    text: String,
}

impl LineFormat for Claim {
    fn rows(self, _: usize) -> Result<Vec<LabelledRow>, String> {
        let evidence = self.positive_evidence.into_iter().map(|found| passage(found.id, found.title, found.text));
        Ok(vec![LabelledRow {
            id: self.id,
            statement: self.claim,
            label: Label::of_fever(&self.label),
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
    fn the_positive_passage_is_the_evidence() {
        let rows = read(
            Format::Faviq,
            r#"{"id": "q1_0", "claim": "the first film was filmed in 2001.", "label": "REFUTES", "positive_evidence": {"id": "9", "title": "The Film", "text": "Filming ended in 2000."}, "negative_evidence": {"id": "10", "title": "Other", "text": "It is red."}}"#,
        )
        .unwrap();
        assert_eq!((rows[0].label, rows[0].id.as_str()), (Some(Label::Unfactual), "q1_0"));
        assert_eq!(rows[0].evidence, [passage("9", "The Film", "Filming ended in 2000.")]);
    }
}
