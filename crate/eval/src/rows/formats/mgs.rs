//! guan2024's model-generated statements: sentcom.jsonl, paragen_sent.jsonl and paragen_para.jsonl of
//! JianGuanTHU/LLMforFV. Their "Not Sure" is no evidence. The paper's target for a paragraph is its share of factual
//! sentences; paragen_para.jsonl has a category in its place, but paragen_sent.jsonl gives the share by paragraph.

use serde::Deserialize;

use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow, group, tidy};

#[derive(Deserialize)]
pub struct Statement {
    id: String,
    model: String,
    statement: String,
    #[serde(default)]
    context: String,
    statement_id: Option<u64>,
    final_label: String,
}

impl LineFormat for Statement {
    fn rows(self, _: usize) -> Result<Vec<LabelledRow>, String> {
        let label = match self.final_label.as_str() {
            "Factual" => Label::Factual,
            "Unfactual" => Label::Unfactual,
            "Not Sure" => Label::NoEvidence,
            other => return Err(format!("the final_label {other:?} is not Factual, Unfactual or Not Sure")),
        };
        let whole = format!("{}.{}", self.id, self.model);
        let mut groups = group("generator", &self.model);
        groups.extend(self.statement_id.map(|number| ("position".into(), number.to_string())));
        Ok(vec![LabelledRow {
            id: self.statement_id.map_or_else(|| whole.clone(), |number| format!("{whole}.{number}")),
            statement: tidy(&self.statement),
            context: tidy(&self.context),
            label: Some(label),
            paragraph: self.statement_id.map(|_| whole),
            groups,
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
    fn sentences_know_their_paragraph_and_generator() {
        let rows = read(
            Format::Mgs,
            r#"{"id": "0", "model": "gpt3", "statement_id": 2, "statement": "It is old .", "context": "A school.", "final_label": "Not Sure"}
{"id": "1", "model": "llama30b", "statement": "The Cretaceous ended .", "final_label": "Factual"}"#,
        )
        .unwrap();
        assert_eq!((rows[0].id.as_str(), rows[0].paragraph.as_deref()), ("0.gpt3.2", Some("0.gpt3")));
        assert_eq!((rows[0].statement.as_str(), rows[0].context.as_str()), ("It is old.", "A school."));
        assert_eq!(rows[0].label, Some(Label::NoEvidence));
        assert_eq!((rows[0].groups["generator"].as_str(), rows[0].groups["position"].as_str()), ("gpt3", "2"));
        assert_eq!((rows[1].paragraph.as_ref(), rows[1].label), (None, Some(Label::Factual)));
    }
}
