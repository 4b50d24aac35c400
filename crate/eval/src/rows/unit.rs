//! What is judged at once: a row as it stands, each of its sentences, or the paragraph whose sentences are rows
//! (guan2024, Tab. 7, Para).

use std::collections::HashMap;

use evident_verify::sentences;
use serde::{Deserialize, Serialize};

use crate::rows::row::{Label, LabelledRow};

/// By the names of `--unit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Each row as it stands
    Row,
    /// Each sentence of a row; the row has the means of their scores
    Sentence,
    /// The rows that share a paragraph, joined, directly
    Paragraph,
}

/// The sentences of a row, each with the earlier ones as its context; empty where the row is a single sentence.
pub fn split(row: &LabelledRow) -> Vec<LabelledRow> {
    let mut context = row.context.clone();
    let mut parts = Vec::new();
    for sentence in sentences(&row.statement) {
        parts.push(LabelledRow { statement: sentence.text.clone(), context: context.clone(), ..row.clone() });
        context = format!("{context} {}", sentence.text).trim().to_owned();
    }
    if parts.len() < 2 { Vec::new() } else { parts }
}

/// Joins the rows that share a paragraph into one, in the place of the first, and leaves others as they are. A
/// paragraph is unfactual where any of its sentences is, factual where all are, else without evidence (guan2024, Sec.
/// 3), and the share of its sentences that is factual is its target (Sec. 4.4).
pub fn join(rows: Vec<LabelledRow>) -> Vec<LabelledRow> {
    let mut joined: Vec<LabelledRow> = Vec::new();
    let mut labels: Vec<Vec<Option<Label>>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for row in rows {
        let begun = row.paragraph.as_ref().and_then(|paragraph| places.get(paragraph).copied());
        if let Some(place) = begun {
            let whole = &mut joined[place];
            whole.statement = format!("{} {}", whole.statement, row.statement);
            let new = row.evidence.into_iter().filter(|passage| !whole.evidence.contains(passage));
            let new: Vec<_> = new.collect();
            whole.evidence.extend(new);
            whole.groups.retain(|name, value| row.groups.get(name) == Some(value));
            labels[place].push(row.label);
        } else {
            if let Some(paragraph) = &row.paragraph {
                places.insert(paragraph.clone(), joined.len());
            }
            labels.push(vec![row.label]);
            joined.push(row);
        }
    }
    for (row, labels) in joined.iter_mut().zip(labels).filter(|(row, _)| row.paragraph.is_some()) {
        let count = |label| labels.iter().filter(|&&other| other == Some(label)).count();
        let factual = count(Label::Factual);
        row.share = Some(factual as f64 / labels.len() as f64);
        row.label = Some(match (count(Label::Unfactual), factual == labels.len()) {
            (0, true) => Label::Factual,
            (0, false) => Label::NoEvidence,
            _ => Label::Unfactual,
        });
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::row::group;

    fn row(statement: &str, label: Label, position: &str) -> LabelledRow {
        let groups = group("position", position).into_iter().chain(group("generator", "a")).collect();
        let paragraph = Some("p".into());
        LabelledRow { statement: statement.into(), label: Some(label), paragraph, groups, ..LabelledRow::default() }
    }

    #[test]
    fn a_row_is_split_into_sentences_that_know_what_precedes_them() {
        let whole =
            LabelledRow { context: "Ores are mined.".into(), ..row("Iron rusts. Tin does not.", Label::Factual, "1") };
        let parts = split(&whole);
        assert_eq!((parts[0].statement.as_str(), parts[0].context.as_str()), ("Iron rusts.", "Ores are mined."));
        assert_eq!(
            (parts[1].statement.as_str(), parts[1].context.as_str()),
            ("Tin does not.", "Ores are mined. Iron rusts.")
        );
        assert!(split(&parts[0]).is_empty());
    }

    #[test]
    fn a_paragraph_is_its_sentences_and_has_their_share() {
        let alone = LabelledRow { paragraph: None, ..row("Tin is soft.", Label::Factual, "1") };
        let rows =
            vec![row("Iron rusts.", Label::Factual, "1"), alone.clone(), row("It is soft.", Label::NoEvidence, "2")];
        let joined = join(rows.clone());
        assert_eq!(joined.len(), 2);
        assert_eq!(joined[0].statement, "Iron rusts. It is soft.");
        assert_eq!((joined[0].label, joined[0].share), (Some(Label::NoEvidence), Some(0.5)));
        assert_eq!(joined[0].groups, group("generator", "a"));
        assert_eq!(joined[1], alone);
        let label = |labels: [Label; 2]| join(labels.map(|label| row("It rusts.", label, "1")).into())[0].label;
        assert_eq!(label([Label::Factual, Label::Factual]), Some(Label::Factual));
        assert_eq!(label([Label::NoEvidence, Label::Unfactual]), Some(Label::Unfactual));
    }
}
