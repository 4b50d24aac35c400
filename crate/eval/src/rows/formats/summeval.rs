//! SummEval (Fabbri et al. 2021): model_annotations.aligned.paired.jsonl of Yale-LILY/SummEval, or the same before it
//! is paired with the articles. A summary is factual where most experts give it the full five points for consistency,
//! as SummaC has it (Laban et al. 2022); the article is its evidence.

use serde::Deserialize;

use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow, group, passage, tidy};

/// The best mark.
const FULL: u8 = 5;

#[derive(Deserialize)]
pub struct Summary {
    id: String,
    model_id: String,
    decoded: String,
    expert_annotations: Vec<Marks>,
    /// The article, once paired.
    text: Option<String>,
}

#[derive(Deserialize)]
struct Marks {
    consistency: u8,
}

impl LineFormat for Summary {
    fn rows(self, _: usize) -> Result<Vec<LabelledRow>, String> {
        let full = self.expert_annotations.iter().filter(|marks| marks.consistency == FULL).count();
        Ok(vec![LabelledRow {
            id: format!("{}.{}", self.id, self.model_id),
            statement: tidy(&self.decoded),
            label: Some(Label::of_truth(2 * full > self.expert_annotations.len())),
            evidence: self.text.into_iter().map(|text| passage(self.id.clone(), "", text)).collect(),
            groups: group("generator", self.model_id),
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
    fn most_experts_decide() {
        let line = |marks: [u8; 3]| {
            let marks =
                marks.map(|mark| format!(r#"{{"coherence": 2, "consistency": {mark}, "fluency": 4, "relevance": 2}}"#));
            format!(
                r#"{{"id": "dm-test-8764", "decoded": "paul merson was brought on .", "expert_annotations": [{}], "turker_annotations": [], "references": ["Andros Townsend ."], "model_id": "M11", "filepath": "cnndm/dailymail/stories/8764.story", "text": "Paul Merson has restarted his row."}}"#,
                marks.join(", ")
            )
        };
        let rows = read(Format::Summeval, &format!("{}\n{}", line([5, 5, 1]), line([5, 4, 4]))).unwrap();
        assert_eq!((rows[0].label, rows[1].label), (Some(Label::Factual), Some(Label::Unfactual)));
        assert_eq!(rows[0].statement, "paul merson was brought on.");
        assert_eq!(rows[0].evidence[0].text, "Paul Merson has restarted his row.");
        assert_eq!(rows[0].groups["generator"], "M11");
    }
}
