//! FEVER (Thorne et al. 2018) as KILT has it (Petroni et al. 2021): fever-{train,dev}-kilt.jsonl. Its provenance points
//! into KILT's Wikipedia and holds no text, so these rows have no evidence of their own.

use serde::Deserialize;

use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow};

#[derive(Deserialize)]
pub struct Claim {
    id: String,
    input: String,
    output: Vec<Output>,
}

#[derive(Deserialize)]
struct Output {
    answer: Option<String>,
}

impl LineFormat for Claim {
    fn rows(self, _: usize) -> Result<Vec<LabelledRow>, String> {
        let answer = self.output.into_iter().find_map(|output| output.answer);
        let label = answer.and_then(|answer| Label::of_fever(&answer));
        Ok(vec![LabelledRow { id: self.id, statement: self.input, label, ..LabelledRow::default() }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::formats::Format;
    use crate::rows::formats::tests::read;

    #[test]
    fn a_claim_has_the_answer_of_its_output() {
        let rows = read(
            Format::Fever,
            r#"{"id": "33078", "input": "The Boston Celtics play their home games at TD Garden.", "output": [{"answer": "SUPPORTS", "provenance": [{"wikipedia_id": "43376", "title": "Boston Celtics", "section": "Section::::Abstract.", "start_paragraph_id": 1, "end_paragraph_id": 1, "start_character": 120, "end_character": 210, "bleu_score": 1.0, "meta": {"fever_page_id": "Boston_Celtics", "fever_sentence_id": 3, "annotation_id": "49158", "evidence_span": []}}]}], "meta": {}}"#,
        )
        .unwrap();
        assert_eq!(rows[0].statement, "The Boston Celtics play their home games at TD Garden.");
        assert_eq!((rows[0].label, rows[0].evidence.len()), (Some(Label::Factual), 0));
    }
}
