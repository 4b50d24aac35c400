//! Evident's own layout: {"statement", "label"} and, where wanted, "id", "context", "question", "evidence" ([{"title",
//! "text"}]), "adversarial", "paragraph" and "labels" (of several people; without "label", the most frequent one is the
//! row's). Any other member with a plain value is a group.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::lines::{GivenPassage, plain};
use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow, passage};

#[derive(Deserialize)]
pub struct Line {
    id: Option<Value>,
    statement: String,
    label: Option<Value>,
    #[serde(default)]
    labels: Vec<Value>,
    #[serde(default)]
    context: String,
    question: Option<String>,
    #[serde(default)]
    evidence: Vec<GivenPassage>,
    adversarial: Option<String>,
    paragraph: Option<Value>,
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

impl LineFormat for Line {
    fn rows(self, line: usize) -> Result<Vec<LabelledRow>, String> {
        let evidence =
            (1..).zip(self.evidence).map(|(n, GivenPassage { title, text })| passage(n.to_string(), title, text));
        let labels = self.labels.iter().map(label).collect::<Result<Vec<_>, _>>()?;
        Ok(vec![LabelledRow {
            id: self.id.as_ref().and_then(plain).unwrap_or_else(|| line.to_string()),
            label: match &self.label {
                None if !labels.is_empty() => given_by_most(&labels),
                given => Some(label(given.as_ref().unwrap_or(&Value::Null))?),
            },
            labels,
            evidence: evidence.collect(),
            adversarial: self.adversarial,
            paragraph: self.paragraph.as_ref().and_then(plain),
            groups: self.others.iter().filter_map(|(name, value)| Some((name.clone(), plain(value)?))).collect(),
            statement: self.statement,
            context: self.context,
            question: self.question,
            ..LabelledRow::default()
        }])
    }
}

/// The most frequent label; `None` for a tie.
fn given_by_most(labels: &[Label]) -> Option<Label> {
    let count = |label: Label| labels.iter().filter(|&&given| given == label).count();
    let most = Label::ALL.into_iter().max_by_key(|&label| count(label))?;
    Label::ALL.iter().all(|&other| other == most || count(other) < count(most)).then_some(most)
}

fn label(value: &Value) -> Result<Label, String> {
    let name = match value {
        Value::Bool(factual) => return Ok(Label::of_truth(*factual)),
        Value::String(name) => name.to_lowercase(),
        _ => String::new(),
    };
    match name.as_str() {
        "factual" => Ok(Label::Factual),
        "unfactual" => Ok(Label::Unfactual),
        "no evidence" | "noevidence" => Ok(Label::NoEvidence),
        _ => Err(format!("the label is {value}: write true, false, \"factual\", \"unfactual\" or \"no evidence\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::formats::Format;
    use crate::rows::formats::tests::read;
    use crate::rows::row::group;

    #[test]
    fn every_member_has_its_place() {
        let rows = read(
            Format::Jsonl,
            r#"{"id": 7, "statement": "It rusts.", "label": "No evidence", "context": "Iron is a metal.", "question": "What rusts?",
                "evidence": [{"title": "Iron", "text": "It rusts."}, {"text": "Tin."}], "adversarial": "It shines.", "paragraph": 3, "generator": "a", "tags": [1]}"#
                .replace('\n', " ")
                .as_str(),
        );
        assert_eq!(
            rows.unwrap(),
            [LabelledRow {
                line: 1,
                id: "7".into(),
                statement: "It rusts.".into(),
                context: "Iron is a metal.".into(),
                question: Some("What rusts?".into()),
                label: Some(Label::NoEvidence),
                evidence: vec![passage("1", "Iron", "It rusts."), passage("2", "", "Tin.")],
                adversarial: Some("It shines.".into()),
                paragraph: Some("3".into()),
                groups: group("generator", "a"),
                ..LabelledRow::default()
            }]
        );
    }

    #[test]
    fn several_people_s_labels_stand_together_and_most_of_them_decide() {
        let of = |more: &str| read(Format::Jsonl, &format!(r#"{{"statement": "Tin is soft.", "labels": {more}}}"#));
        let rows = of(r#"[true, "factual", "no evidence"]"#).unwrap();
        assert_eq!(rows[0].labels, [Label::Factual, Label::Factual, Label::NoEvidence]);
        assert_eq!(rows[0].label, Some(Label::Factual));
        assert_eq!(of(r#"[true, "unfactual"], "label": false"#).unwrap()[0].label, Some(Label::Unfactual));
        assert_eq!(of("[true, false]").unwrap()[0].label, None, "they are left out");
        assert!(of("[1]").unwrap_err().to_string().contains("the label is 1: write true"));
    }

    #[test]
    fn labels_are_words_or_truth_values() {
        for (written, expected) in [("true", Some(Label::Factual)), ("false", Some(Label::Unfactual)), ("1", None)] {
            let rows = read(Format::Jsonl, &format!(r#"{{"statement": "Tin is soft.", "label": {written}}}"#));
            assert_eq!(rows.ok().and_then(|rows| rows[0].label), expected);
        }
        let error = read(Format::Jsonl, r#"{"statement": "Tin is soft.", "label": "maybe"}"#).unwrap_err();
        assert!(error.to_string().contains("the label is \"maybe\": write true"), "{error}");
    }
}
