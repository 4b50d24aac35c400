//! PubMedQA (Jin et al. 2019): ori_pqal.json and its test set, one object of instances by PubMed id. The statement is
//! the question as it stands (guan2024, App. B, had ChatGPT turn it into a sentence), and yes is factual, no is
//! unfactual; maybe gives no label. Each part of the abstract is a passage.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::Path;

use serde::Deserialize;

use crate::error::{EvalError, unreadable};
use crate::rows::formats::bad_line;
use crate::rows::row::{Label, LabelledRow, passage};

#[derive(Deserialize)]
struct Instance {
    #[serde(rename = "QUESTION")]
    question: String,
    #[serde(rename = "CONTEXTS")]
    contexts: Vec<String>,
    final_decision: String,
}

pub fn read(path: &Path) -> Result<Vec<LabelledRow>, EvalError> {
    let text = read_to_string(path).map_err(unreadable(path))?;
    let instances: BTreeMap<String, Instance> =
        serde_json::from_str(&text).map_err(|error| bad_line(path, error.line(), &error.to_string()))?;
    let row = |(n, (id, instance)): (usize, (String, Instance))| LabelledRow {
        line: n + 1,
        statement: instance.question,
        label: match instance.final_decision.as_str() {
            "yes" => Some(Label::Factual),
            "no" => Some(Label::Unfactual),
            _ => None,
        },
        evidence: (1..).zip(instance.contexts).map(|(part, text)| passage(format!("{id}.{part}"), "", text)).collect(),
        id,
        ..LabelledRow::default()
    };
    Ok(instances.into_iter().enumerate().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::formats::Format;
    use crate::rows::formats::tests::read;

    #[test]
    fn a_decision_is_a_label_and_maybe_is_none() {
        let instance = |decision: &str| {
            format!(
                r#"{{"QUESTION": "Do leaves die?", "CONTEXTS": ["Leaves age.", "They died."], "LABELS": ["BACKGROUND", "RESULTS"], "MESHES": ["Plant Leaves"], "YEAR": "2011", "reasoning_required_pred": "yes", "reasoning_free_pred": "yes", "final_decision": "{decision}", "LONG_ANSWER": "They do."}}"#
            )
        };
        let text = format!(r#"{{"21": {}, "22": {}, "23": {}}}"#, instance("yes"), instance("no"), instance("maybe"));
        let rows = read(Format::Pubmedqa, &text).unwrap();
        let labels: Vec<_> = rows.iter().map(|row| row.label).collect();
        assert_eq!(labels, [Some(Label::Factual), Some(Label::Unfactual), None]);
        assert_eq!(rows[0].evidence, [passage("21.1", "", "Leaves age."), passage("21.2", "", "They died.")]);
        assert!(read(Format::Pubmedqa, "{\"21\":\n{}}").unwrap_err().to_string().contains("line 2"));
    }
}
