//! Fool Me Twice (Eisenschlos et al. 2021): the {train,dev,test}.jsonl of google-research/fool-me-twice. The gold
//! sentences of a claim, all of one page, are one passage.

use serde::Deserialize;

use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow, group, passage};

#[derive(Deserialize)]
pub struct Claim {
    id: String,
    text: String,
    label: String,
    gold_evidence: Vec<Sentence>,
    wikipedia_page: String,
    #[serde(default)]
    category: String,
}

#[derive(Deserialize)]
struct Sentence {
    text: String,
}

impl LineFormat for Claim {
    fn rows(self, _: usize) -> Result<Vec<LabelledRow>, String> {
        let gold = self.gold_evidence.into_iter().map(|sentence| sentence.text).collect::<Vec<_>>().join(" ");
        let evidence = if gold.is_empty() { vec![] } else { vec![passage("gold", self.wikipedia_page, gold)] };
        Ok(vec![LabelledRow {
            id: self.id,
            statement: self.text,
            label: Label::of_fever(&self.label),
            evidence,
            groups: group("category", self.category),
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
    fn gold_sentences_are_one_passage_under_their_page() {
        let rows = read(
            Format::Fm2,
            r#"{"category": "History", "correct_votes": 1, "gold_evidence": [{"section_header": "Life", "text": "He was born in 1889."}, {"section_header": "", "text": "He died."}], "id": "a1", "label": "REFUTES", "retrieved_evidence": [{"section_header": "Life", "text": "He sang."}], "text": "He was born in 1890.", "total_likes": 0, "total_votes": 1, "wikipedia_page": "Some Man"}"#,
        )
        .unwrap();
        assert_eq!(
            rows,
            [LabelledRow {
                line: 1,
                id: "a1".into(),
                statement: "He was born in 1890.".into(),
                label: Some(Label::Unfactual),
                evidence: vec![passage("gold", "Some Man", "He was born in 1889. He died.")],
                groups: group("category", "History"),
                ..LabelledRow::default()
            }]
        );
    }
}
