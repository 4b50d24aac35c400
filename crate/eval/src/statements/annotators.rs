//! How far several people's labels agree (guan2024, Sec. 3).

use std::collections::BTreeMap;

use serde::Serialize;

use crate::measures::fleiss_kappa;
use crate::rows::row::Label;
use crate::statements::record::Record;

/// The group that names who gave a row its label, as the demo's label.html writes it.
const ANNOTATOR: &str = "annotator";

/// The agreement of people on the labels of the same statements.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotators {
    /// The statements that several people labelled.
    pub items: usize,
    /// Over the statements with the most common number of labels; `None` where all labels are the same.
    pub fleiss_kappa: Option<f64>,
}

impl Annotators {
    /// `None` unless several people labelled a statement: by a row with several labels, or by a row for each of them
    /// that says who gave it.
    pub fn of(records: &[Record]) -> Option<Self> {
        let mut items: Vec<Vec<Label>> = Vec::new();
        let mut apart: BTreeMap<(&str, &str), Vec<Label>> = BTreeMap::new();
        for record in records {
            if !record.labels.is_empty() {
                items.push(record.labels.clone());
            } else if record.groups.contains_key(ANNOTATOR) {
                apart.entry((&record.id, &record.statement)).or_default().push(record.label);
            }
        }
        items.extend(apart.into_values());
        items.retain(|labels| labels.len() > 1);
        (!items.is_empty()).then(|| Self { items: items.len(), fleiss_kappa: fleiss_kappa(&items) })
    }

    /// The line of a report, with its title.
    pub fn markdown(&self) -> String {
        let kappa = self.fleiss_kappa.map_or_else(|| "N/A".to_owned(), |kappa| format!("{kappa:.3}"));
        let note = "of the statements with as many labels as most have";
        format!("## Agreement among people\n\nFleiss' kappa of {} labelled statements: {kappa}, {note}.", self.items)
    }
}

#[cfg(test)]
mod tests {
    use evident_verify::Verdict;

    use super::*;
    use crate::rows::row::group;
    use crate::statements::record::tests::record;

    #[test]
    fn labels_of_one_row_and_of_a_row_a_person_are_the_same_agreement() {
        use Label::{Factual, NoEvidence, Unfactual};
        let given = [[Factual, Factual, NoEvidence], [Unfactual, Unfactual, Unfactual], [Factual, Unfactual, Factual]];
        let base = |item: usize| Record { id: item.to_string(), ..record(item, Factual, Verdict::Factual, 0.9) };
        let together: Vec<Record> =
            given.iter().enumerate().map(|(item, labels)| Record { labels: labels.to_vec(), ..base(item) }).collect();
        let apart = given.iter().enumerate().flat_map(|(item, labels)| {
            let of = move |(person, &label)| Record { label, groups: group(ANNOTATOR, person), ..base(item) };
            labels.iter().enumerate().map(of)
        });
        let apart: Vec<Record> = apart.collect();
        let found = Annotators::of(&together).unwrap();
        let kappa = fleiss_kappa(&given.map(|labels| labels.to_vec()));
        assert_eq!((found.items, found.fleiss_kappa), (3, kappa));
        assert_eq!(Annotators::of(&apart).unwrap().fleiss_kappa, kappa);
        assert!(found.markdown().contains(&format!("of 3 labelled statements: {:.3}", kappa.unwrap())));
        assert!(Annotators::of(&[base(0), base(1)]).is_none(), "nobody says who labelled them");
    }
}
