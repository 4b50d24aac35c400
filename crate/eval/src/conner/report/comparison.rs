//! Compares a run with another of the same questions, such as one with chosen demonstrations with one with random ones
//! (chen2023, Tab. 7 and 8).

use std::collections::HashMap;

use serde::Serialize;

use crate::conner::record::Record;
use crate::conner::report::means::{COLUMNS, mean};
use crate::measures::{Bootstrap, Interval};
use crate::table::table;

/// One score of both runs, over the items that have it in both.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    pub column: &'static str,
    /// How many items these are.
    pub n: usize,
    /// The mean of this run, and that of the other.
    pub mean: f64,
    pub other: f64,
    /// The mean of the items' differences, this run's score less the other's.
    pub difference: f64,
    /// Its 95 % interval, of bootstrap samples of pairs.
    pub interval: Option<Interval>,
    #[serde(skip)]
    percent: bool,
}

/// The scores of the items with the same id in both runs, one entry for each column; a column that no pair has is left
/// out.
pub fn compare(records: &[Record], others: &[Record]) -> Vec<Comparison> {
    let others: HashMap<&str, &Record> = others.iter().map(|other| (other.id.as_str(), other)).collect();
    let pairs = records.iter().filter_map(|record| Some((record, *others.get(record.id.as_str())?)));
    let pairs: Vec<(&Record, &Record)> = pairs.collect();
    let compared = COLUMNS.iter().filter_map(|&(column, read, percent)| {
        let both = pairs.iter().filter_map(|(this, other)| Some((read(&this.report)?, read(&other.report)?)));
        let (these, those): (Vec<f64>, Vec<f64>) = both.unzip();
        let differences: Vec<f64> = these.iter().zip(&those).map(|(this, other)| this - other).collect();
        Some(Comparison {
            column,
            n: these.len(),
            mean: mean(&these)?,
            other: mean(&those)?,
            difference: mean(&differences)?,
            interval: Bootstrap::default().interval(&differences, mean),
            percent,
        })
    });
    compared.collect()
}

/// The layout of Tab. 7 and 8, transposed.
pub fn markdown(comparison: &[Comparison]) -> Option<String> {
    if comparison.is_empty() {
        return None;
    }
    let row = |row: &Comparison| {
        let write = |value: f64| if row.percent { format!("{:.2}%", 100.0 * value) } else { format!("{value:.4}") };
        let interval =
            row.interval.map_or_else(String::new, |of| format!(" ({} to {})", write(of.low), write(of.high)));
        let difference = write(row.difference) + &interval;
        vec![row.column.to_owned(), write(row.mean), write(row.other), difference, row.n.to_string()]
    };
    let note =
        "Items with the same id in both runs. In brackets the 95 % interval of 1000 bootstrap samples of these pairs.";
    let columns = ["Score", "this run", "the other", "difference", "n"];
    Some(format!("## Against another run\n\n{note}\n\n{}", table(&columns, comparison.iter().map(row))))
}
