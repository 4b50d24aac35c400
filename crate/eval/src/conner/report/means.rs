//! Shares of classes and means of scores over items, in the layout of chen2023's Tables 2 and 3.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use evident_verify::Nli;
use evident_verify::conner::ConnerReport;
use serde::Serialize;

use crate::conner::record::Record;
use crate::table::table;

/// What all items together are called.
const ALL: &str = "all";

/// A number of each item.
pub type Read = fn(&ConnerReport) -> Option<f64>;

/// The columns of Tables 2 and 3: the shares of items by their most likely class (most of the paper's shares are
/// multiples of 1/500, and it has 500 items; its released code counts labels too), and beside them the mean
/// probabilities. After them Q_know (Eq. 9) and the unclipped helpfulness (Tab. 16). The last field is true for a
/// column in per cent.
pub const COLUMNS: [(&str, Read, bool); 14] = [
    ("Fact-cons.", |report| is_of(report, FactualityClass::Consistent), true),
    ("Non-verif.", |report| is_of(report, FactualityClass::NonVerified), true),
    ("Fact-incon.", |report| is_of(report, FactualityClass::Inconsistent), true),
    ("mean cons.", |report| report.factuality.score().map(|score| score.triple.entailment), false),
    ("mean non-verif.", |report| report.factuality.score().map(|score| score.triple.neutral), false),
    ("mean incon.", |report| report.factuality.score().map(|score| score.triple.contradiction), false),
    ("Relevance", |report| report.relevance.value(), false),
    ("Coh-sent.", |report| report.cohesion.value(), false),
    ("Coh-para.", |report| report.coherence.value(), false),
    ("Inform.", |report| report.informativeness.value(), false),
    ("Helpful.", |report| report.helpfulness.value(), false),
    ("Validity", |report| report.validity.value(), true),
    ("Q_know", |report| report.quality.value(), false),
    ("Helpful., unclipped", |report| report.helpfulness.score().map(|score| score.unclipped), false),
];

/// The most likely class of NLI probabilities (Sec. 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactualityClass {
    /// "Factual-consistent": entailed.
    Consistent,
    /// "Non-verified": neutral.
    NonVerified,
    /// "Factual-inconsistent": contradicted.
    Inconsistent,
}

impl FactualityClass {
    /// All of them, in the tables' order.
    pub const ALL: [Self; 3] = [Self::Consistent, Self::NonVerified, Self::Inconsistent];

    /// The most likely class; of equal ones the first.
    pub fn of(nli: Nli) -> Self {
        if nli.entailment >= nli.neutral.max(nli.contradiction) {
            Self::Consistent
        } else if nli.neutral >= nli.contradiction {
            Self::NonVerified
        } else {
            Self::Inconsistent
        }
    }
}

/// 1 if an item is of a class, else 0; `None` without factuality.
fn is_of(report: &ConnerReport, class: FactualityClass) -> Option<f64> {
    let score = report.factuality.score()?;
    Some(f64::from(u8::from(FactualityClass::of(score.triple) == class)))
}

/// The means of some items.
#[derive(Serialize)]
pub struct Means {
    /// What they have in common.
    pub names: Vec<String>,
    /// How many they are.
    pub n: usize,
    /// For each column, the mean over the items that have it and how many these are.
    pub columns: Vec<Mean>,
}

/// A mean of one column.
#[derive(Serialize)]
pub struct Mean {
    pub column: &'static str,
    pub mean: Option<f64>,
    pub n: usize,
}

/// The items of one model and setting.
pub struct System {
    pub name: String,
    /// Their numbers.
    pub items: Vec<usize>,
}

impl Means {
    pub fn of(names: Vec<String>, records: &[&Record]) -> Self {
        let column = |(column, read, _): &(&'static str, Read, bool)| {
            let values: Vec<f64> = records.iter().filter_map(|record| read(&record.report)).collect();
            Mean { column, mean: mean(&values), n: values.len() }
        };
        Self { names, n: records.len(), columns: COLUMNS.iter().map(column).collect() }
    }

    /// What the items have in common, as one text; "all" where that is nothing.
    pub fn name(&self) -> String {
        if self.names.is_empty() { ALL.to_owned() } else { self.names.join(" ") }
    }

    fn cells(&self) -> Vec<String> {
        let cell = |(mean, (_, _, percent)): (&Mean, &(&str, Read, bool))| {
            let Some(value) = mean.mean else { return "N/A".to_owned() };
            let written = if *percent { format!("{:.2}%", 100.0 * value) } else { format!("{value:.4}") };
            if mean.n == self.n { written } else { format!("{written} ({})", mean.n) }
        };
        let values = self.columns.iter().zip(&COLUMNS).map(cell);
        self.names.iter().cloned().chain(values).chain([self.n.to_string()]).collect()
    }
}

/// The systems by themselves, and all together where they are several.
pub fn systems_of(records: &[Record], name: impl Fn(&Record) -> Option<Vec<String>>) -> Vec<System> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for record in records {
        found.entry(name(record).unwrap_or_default().join(" ")).or_default().push(record.row);
    }
    let mut systems: Vec<System> = found.into_iter().map(|(name, items)| System { name, items }).collect();
    if systems.len() > 1 {
        systems.push(System { name: ALL.to_owned(), items: (0..records.len()).collect() });
    } else {
        systems.iter_mut().filter(|only| only.name.is_empty()).for_each(|only| only.name = ALL.to_owned());
    }
    systems
}

/// The mean; `None` without values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The means of the records with the same key, in the order of the keys, of which numbers are ordered by value. A
/// record without a key is left out.
pub fn by(records: &[Record], key: impl Fn(&Record) -> Option<Vec<String>>) -> Vec<Means> {
    let mut parts = BTreeMap::<Vec<String>, Vec<&Record>>::new();
    for record in records {
        if let Some(key) = key(record) {
            parts.entry(key).or_default().push(record);
        }
    }
    let mut means: Vec<Means> = parts.into_iter().map(|(names, records)| Means::of(names, &records)).collect();
    let number = |name: &String| {
        let first = name.split(' ').next().and_then(|first| first.parse::<f64>().ok());
        first.filter(|number| !number.is_nan()).unwrap_or(f64::INFINITY)
    };
    let numbers = |means: &Means| means.names.iter().map(number).collect::<Vec<f64>>();
    means.sort_by(|a, b| numbers(a).partial_cmp(&numbers(b)).unwrap_or(Ordering::Equal));
    means
}

pub fn means_table(names: &[&str], means: &[Means]) -> String {
    let columns: Vec<&str> = names.iter().copied().chain(COLUMNS.map(|(name, _, _)| name)).chain(["n"]).collect();
    table(&columns, means.iter().map(Means::cells))
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;

    /// An item of this number whose sentences have these triples, of entailment, neutral and contradiction; the first
    /// is the item's.
    pub fn record(row: usize, triples: &[[f64; 3]]) -> Record {
        let nli = |[entailment, neutral, contradiction]: [f64; 3]| json!({"entailment": entailment, "neutral": neutral, "contradiction": contradiction});
        let sentence = |&triple: &[f64; 3]| json!({"start": 0, "end": 0, "text": "", "nli": nli(triple), "passage": null, "evidence": []});
        let first = nli(triples[0]);
        let sentences: Vec<_> = triples.iter().map(sentence).collect();
        let none = json!({"missing": []});
        serde_json::from_value(json!({
            "row": row, "line": row + 1, "id": row.to_string(),
            "factuality": {
                "model": "nli", "value": triples[0][0], "min": first, "mean": first, "max": first, "triple": first,
                "sentences": sentences, "lowest": 0,
            },
            "relevance": none, "cohesion": none, "coherence": none, "informativeness": none, "helpfulness": none,
            "validity": none, "quality": none,
        }))
        .unwrap()
    }

    #[test]
    fn tables_2_and_3_have_the_shares_of_classes_and_the_mean_probabilities() {
        let triples = [[0.6, 0.3, 0.1], [0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.0, 0.1, 0.9]];
        let records: Vec<Record> = triples.iter().enumerate().map(|(row, &triple)| record(row, &[triple])).collect();
        let means = Means::of(Vec::new(), &records.iter().collect::<Vec<_>>());
        let expected = [0.5, 0.25, 0.25, 0.4, 0.3, 0.3];
        for (column, expected) in means.columns.iter().zip(expected) {
            let mean = column.mean.unwrap();
            assert!((mean - expected).abs() < 1e-12 && column.n == 4, "{}: {mean}", column.column);
        }
    }

    #[test]
    fn a_triple_is_of_its_likeliest_class() {
        let class =
            |entailment, neutral, contradiction| FactualityClass::of(Nli { entailment, neutral, contradiction });
        assert_eq!(class(0.4, 0.3, 0.3), FactualityClass::Consistent);
        assert_eq!(class(0.3, 0.4, 0.3), FactualityClass::NonVerified);
        assert_eq!(class(0.3, 0.3, 0.4), FactualityClass::Inconsistent);
        assert_eq!(class(0.5, 0.5, 0.0), FactualityClass::Consistent);
        assert_eq!(FactualityClass::of(Nli::SILENT), FactualityClass::NonVerified, "no evidence verifies nothing");
    }
}
