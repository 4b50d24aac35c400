//! BoolQ-FV (Thorne et al. 2021): BoolQ's questions (Clark et al. 2019), rewritten as statements. Its own layout could
//! not be established, so this reads BoolQ's published {train,dev}.jsonl, {"question", "title", "answer", "passage"},
//! with the rewritten statement as "statement" or "claim" beside the question or in its place, and the label as BoolQ's
//! truth value "answer" or as FEVER's words in "label". The passage is the evidence.

use serde::Deserialize;

use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow, passage};

#[derive(Deserialize)]
pub struct Claim {
    #[serde(alias = "claim")]
    statement: Option<String>,
    answer: Option<bool>,
    label: Option<String>,
    #[serde(default)]
    title: String,
    #[serde(default)]
    passage: String,
}

impl LineFormat for Claim {
    fn rows(self, line: usize) -> Result<Vec<LabelledRow>, String> {
        let statement =
            self.statement.ok_or("it has no statement: rewrite BoolQ's question as one, in \"statement\"")?;
        let label = match (self.answer, self.label) {
            (Some(answer), _) => Some(Label::of_truth(answer)),
            (None, Some(label)) => Label::of_fever(&label),
            (None, None) => return Err("it has neither \"answer\" nor \"label\"".into()),
        };
        let evidence =
            if self.passage.is_empty() { vec![] } else { vec![passage("passage", self.title, self.passage)] };
        Ok(vec![LabelledRow { id: line.to_string(), statement, label, evidence, ..LabelledRow::default() }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::formats::Format;
    use crate::rows::formats::tests::read;

    #[test]
    fn a_rewritten_question_has_boolqs_answer_and_passage() {
        let rows = read(
            Format::BoolqFv,
            r#"{"question": "is iron a metal", "statement": "Iron is a metal.", "title": "Iron", "answer": true, "passage": "Iron is a metal."}
{"claim": "Iron floats.", "label": "REFUTES"}
{"claim": "Iron floats.", "label": "NOT ENOUGH INFO"}"#,
        )
        .unwrap();
        assert_eq!(rows[0].evidence, [passage("passage", "Iron", "Iron is a metal.")]);
        assert_eq!((rows[0].id.as_str(), rows[0].statement.as_str()), ("1", "Iron is a metal."));
        let labels: Vec<_> = rows.iter().map(|row| row.label).collect();
        assert_eq!(labels, [Some(Label::Factual), Some(Label::Unfactual), Some(Label::NoEvidence)]);
    }

    #[test]
    fn a_question_alone_is_no_statement() {
        let error = read(Format::BoolqFv, r#"{"question": "is iron a metal", "answer": true, "passage": ""}"#);
        assert!(error.unwrap_err().to_string().contains("rewrite BoolQ's question"));
    }
}
