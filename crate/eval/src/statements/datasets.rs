//! Balanced accuracy by data set, as LLM-AggreFact has it (Tang et al. 2024, Tab. 2).

use std::collections::BTreeMap;

use serde::Serialize;

use crate::measures::balanced_accuracy;
use crate::rows::formats::DATASET;
use crate::statements::record::{Record, judged};
use crate::statements::scorer::Scorer;
use crate::table::{percent, table};

/// The balanced accuracy of each model on each data set.
#[derive(Clone, Debug, Serialize)]
pub struct Datasets {
    pub each: Vec<Dataset>,
    /// The means over the data sets where it is not `None`.
    pub mean: Vec<(Scorer, Option<f64>)>,
}

/// One data set.
#[derive(Clone, Debug, Serialize)]
pub struct Dataset {
    pub name: String,
    pub n: usize,
    /// `None` where all its rows are of one class.
    pub balanced: Vec<(Scorer, Option<f64>)>,
}

impl Datasets {
    /// `None` unless rows say which data set they are from.
    pub fn of(records: &[Record]) -> Option<Self> {
        let mut found: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
        for record in records {
            if let Some(name) = record.groups.get(DATASET) {
                found.entry(name).or_default().push(record);
            }
        }
        let models = Scorer::models(records);
        let of = |rows: &[&Record], scorer| balanced_accuracy(&judged(rows.iter().copied(), scorer));
        let dataset = |(name, rows): (&str, Vec<&Record>)| Dataset {
            name: name.to_owned(),
            n: rows.len(),
            balanced: models.iter().map(|&scorer| (scorer, of(&rows, scorer))).collect(),
        };
        let each: Vec<Dataset> = found.into_iter().map(dataset).collect();
        let mean = |place: usize| {
            let known: Vec<f64> = each.iter().filter_map(|dataset| dataset.balanced[place].1).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        let mean = models.iter().enumerate().map(|(place, &scorer)| (scorer, mean(place))).collect();
        (!each.is_empty()).then_some(Self { each, mean })
    }

    /// The table, with its title.
    pub fn markdown(&self) -> String {
        let names = self.mean.iter().map(|(scorer, _)| scorer.name());
        let columns: Vec<&str> = ["Data set", "n"].into_iter().chain(names).collect();
        let row = |name: &str, n: usize, values: &[(Scorer, Option<f64>)]| {
            let cells = values.iter().map(|(_, value)| percent(*value));
            [name.to_owned(), n.to_string()].into_iter().chain(cells).collect::<Vec<_>>()
        };
        let each = self.each.iter().map(|it| row(&it.name, it.n, &it.balanced));
        let all = row("mean", self.each.iter().map(|it| it.n).sum(), &self.mean);
        let table = table(&columns, each.chain([all]));
        format!(
            "## Balanced accuracy\n\nBy data set, and the mean over them; a score above 0.5 calls a row factual.\n\n{table}"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use evident_verify::Verdict;
    use serde::Deserialize;

    use super::*;
    use crate::rows::row::{Label, group};
    use crate::statements::record::tests::record;

    #[derive(Deserialize)]
    struct Golden {
        rows: Vec<(String, bool, f64)>,
        balanced: BTreeMap<String, f64>,
        mean: f64,
    }

    #[test]
    fn balanced_accuracy_is_scikit_learn_s() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/aggrefact/balanced.json");
        let golden: Golden = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let row = |(number, (dataset, factual, p)): (usize, (String, bool, f64))| Record {
            groups: group(DATASET, dataset),
            ..record(number, Label::of_truth(factual), Verdict::NoEvidence, p)
        };
        let records: Vec<Record> = golden.rows.into_iter().enumerate().map(row).collect();
        let found = Datasets::of(&records).unwrap();
        assert_eq!(found.each.len(), golden.balanced.len());
        for dataset in &found.each {
            for (scorer, balanced) in &dataset.balanced {
                let expected = golden.balanced[&dataset.name];
                assert!((balanced.unwrap() - expected).abs() < 1e-12, "{} by {}", dataset.name, scorer.name());
            }
        }
        assert!(found.mean.iter().all(|(_, mean)| (mean.unwrap() - golden.mean).abs() < 1e-12));
        let (rows, mean) = (records.len(), percent(Some(golden.mean)));
        let last = format!("| mean | {rows} | {mean} | {mean} | {mean} |");
        assert!(found.markdown().ends_with(&last), "{}", found.markdown());
    }

    #[test]
    fn a_data_set_of_one_class_has_none_and_rows_of_no_data_set_have_no_table() {
        let row = |dataset: &str, label| Record {
            groups: group(DATASET, dataset),
            ..record(0, label, Verdict::NoEvidence, 0.9)
        };
        let rows = [row("a", Label::Factual), row("a", Label::Unfactual), row("b", Label::Factual)];
        let found = Datasets::of(&rows).unwrap();
        assert_eq!((found.each[1].balanced[0].1, found.mean[0].1), (None, Some(0.5)));
        assert!(Datasets::of(&[record(0, Label::Factual, Verdict::Factual, 0.9)]).is_none());
    }
}
