//! Groups of rows by the sentences before them in their answer. The measures are broken down by dependence on that
//! context (guan2024, Tab. 11) and by its labels (Tab. 23 and 25).

use std::collections::HashMap;

use evident_verify::{Risk, risks};

use crate::rows::row::{Label, LabelledRow};

/// The group that says whether a row depends on its context.
const DEPENDENCE: &str = "dependence";
/// The group that says whether the context of a row is factual or empty.
const CONTEXT: &str = "context";

/// Adds both groups to rows that do not have them. In the paper annotators say whether a sentence refers to its
/// context; here a rule does ([`Risk::Context`]), unless the row has the group.
pub fn add(rows: &mut [LabelledRow]) {
    let follows = after_not_factual(rows);
    for (row, follows) in rows.iter_mut().zip(follows) {
        let leans = !row.context.trim().is_empty() && risks(&row.statement, None).contains(&Risk::Context);
        let mut tell = |name: &str, value: &str| {
            row.groups.entry(name.to_owned()).or_insert_with(|| value.to_owned());
        };
        tell(DEPENDENCE, if leans { "dependent" } else { "independent" });
        tell(CONTEXT, if follows { "not factual" } else { "factual" });
    }
}

/// For each row, whether an earlier row of its paragraph, or of its line where it has no paragraph, is not labelled
/// factual but unfactual or no evidence (guan2024, Tab. 23 and 25). A sentence of a paragraph that has no row counts as
/// not factual: the data set left it out as subjective or hard to understand. In use, without labels, the verdicts on
/// the sentences before it decide.
pub fn after_not_factual(rows: &[LabelledRow]) -> Vec<bool> {
    let place = |row: &LabelledRow| {
        let answer = row.paragraph.clone().unwrap_or_else(|| row.line.to_string());
        let position: usize = row.groups.get("position").and_then(|n| n.parse().ok()).unwrap_or_default();
        (answer, position)
    };
    let mut factual: HashMap<(String, usize), bool> = HashMap::new();
    for row in rows {
        *factual.entry(place(row)).or_insert(true) &= row.label == Some(Label::Factual);
    }
    let follows = |row: &LabelledRow| {
        let (answer, position) = place(row);
        // Some data sets number sentences from 0 and some from 1, so a missing sentence 0 is no gap.
        let factual_if_missing = |at: usize| at == 0 || row.paragraph.is_none();
        let is = |at: usize| factual.get(&(answer.clone(), at)).copied().unwrap_or_else(|| factual_if_missing(at));
        (0..position).any(|before| !is(before))
    };
    rows.iter().map(follows).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::rows::formats::Format;
    use crate::rows::row::group;

    #[test]
    fn a_row_follows_those_of_its_own_answer_that_are_not_factual() {
        let row = |line: usize, paragraph: Option<&str>, position: usize, label| LabelledRow {
            line,
            paragraph: paragraph.map(str::to_owned),
            groups: group("position", position),
            label: Some(label),
            ..LabelledRow::default()
        };
        let rows = [
            row(1, Some("a"), 1, Label::Unfactual),
            row(2, Some("a"), 2, Label::Factual),
            row(3, Some("b"), 2, Label::NoEvidence),
            row(3, Some("b"), 3, Label::Factual),
            row(4, None, 1, Label::Unfactual),
            row(4, None, 1, Label::Factual),
            row(4, None, 2, Label::Factual),
            row(8, None, 3, Label::Factual),
            row(5, Some("c"), 1, Label::Factual),
            row(6, Some("c"), 2, Label::Factual),
            row(7, Some("c"), 4, Label::Factual),
        ];
        let expected = [false, true, true, true, false, false, true, false, false, false, true];
        assert_eq!(after_not_factual(&rows), expected, "the first of b and the third of c were left out");
    }

    #[test]
    fn a_row_depends_on_a_context_that_it_points_to() {
        let row = |statement: &str, context: &str| LabelledRow {
            statement: statement.into(),
            context: context.into(),
            ..LabelledRow::default()
        };
        let mut rows = [row("It rusts.", "Iron is a metal."), row("It rusts.", ""), row("Iron rusts.", "Tin is soft.")];
        rows[2].groups = group(CONTEXT, "not factual");
        add(&mut rows);
        let of = |name: &str| rows.each_ref().map(|row| row.groups[name].clone());
        assert_eq!(of(DEPENDENCE), ["dependent", "independent", "independent"]);
        assert_eq!(of(CONTEXT), ["factual", "factual", "not factual"], "what the row says goes before");
    }

    /// Tab. 25 has 104 factual and 127 other statements with a factual context, 51 and 286 with another. Four of the
    /// 568 differ here, because the labels of the sentences that were left out are not published.
    #[test]
    #[ignore = "needs ../shared/data"]
    fn the_papers_statements_have_the_papers_contexts_in_shared_data() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/mgs/paragen_sent.jsonl");
        let rows = Format::Mgs.read(&data).unwrap();
        let count = |follows: bool| {
            [Label::Factual, Label::Unfactual, Label::NoEvidence].map(|label| {
                let found = rows.iter().zip(after_not_factual(&rows));
                found.filter(|(row, after)| *after == follows && row.label == Some(label)).count()
            })
        };
        assert_eq!((count(false), count(true)), ([104, 104, 19], [51, 143, 147]));
    }
}
