//! The means over items, in the layout of chen2023's Tables 2 and 3.

use std::collections::{BTreeMap, BTreeSet};

use evident_verify::conner::{ConnerReport, Missing, Outcome, Value};
use serde::Serialize;

use super::record::{Record, Run};

/// A group with more values than this is an id, not a group.
const MOST_VALUES: usize = 20;
/// The groups that name the rows of the paper's tables.
const SYSTEM: [&str; 2] = ["model", "setting"];

/// A number of each item.
type Read = fn(&ConnerReport) -> Option<f64>;

/// The columns of Tables 2 and 3, with Q_know (Eq. 9) and the unclipped helpfulness (Tab. 16) after them, and whether they are
/// in per cent there.
const COLUMNS: [(&str, Read, bool); 11] = [
    ("Fact-cons.", |report| report.factuality.score().map(|score| score.triple.entailment), true),
    ("Non-verif.", |report| report.factuality.score().map(|score| score.triple.neutral), true),
    ("Fact-incon.", |report| report.factuality.score().map(|score| score.triple.contradiction), true),
    ("Relevance", |report| report.relevance.value(), false),
    ("Coh-sent.", |report| report.cohesion.value(), false),
    ("Coh-para.", |report| report.coherence.value(), false),
    ("Inform.", |report| report.informativeness.value(), false),
    ("Helpful.", |report| report.helpfulness.value(), false),
    ("Validity", |report| report.validity.value(), true),
    ("Q_know", |report| report.quality.value(), false),
    ("Helpful., unclipped", |report| report.helpfulness.score().map(|score| score.unclipped), false),
];

/// Everything that is said of a file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The file's name.
    pub file: String,
    pub run: Run,
    /// How many items were scored.
    pub items: usize,
    /// Which of model and setting the items name.
    pub systems: Vec<&'static str>,
    /// A row for each model and setting, or one for all.
    pub rows: Vec<Means>,
    /// By each other group of 2 to 20 values.
    pub groups: BTreeMap<String, Vec<Means>>,
    /// Of each score which model gave it, and of how many items something is missing for it.
    pub scores: Vec<Origin>,
}

/// The means of some items.
#[derive(Serialize)]
pub struct Means {
    /// What they have in common.
    pub names: Vec<String>,
    /// How many they are.
    pub n: usize,
    /// Of each column the mean over the items that have it, and how many these are.
    pub columns: Vec<Mean>,
}

/// A mean of one column.
#[derive(Serialize)]
pub struct Mean {
    pub column: &'static str,
    pub mean: Option<f64>,
    pub n: usize,
}

/// Where a score came from.
#[derive(Serialize)]
pub struct Origin {
    pub score: &'static str,
    pub models: BTreeSet<String>,
    /// What is missing, and for how many items.
    pub missing: BTreeMap<Missing, usize>,
}

impl Means {
    fn of(names: Vec<String>, records: &[&Record]) -> Self {
        let column = |(column, read, _): &(&'static str, Read, bool)| {
            let values: Vec<f64> = records.iter().filter_map(|record| read(&record.report)).collect();
            let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
            Mean { column, mean, n: values.len() }
        };
        Self { names, n: records.len(), columns: COLUMNS.iter().map(column).collect() }
    }

    fn cells(&self) -> Vec<String> {
        let cell = |(mean, (_, _, percent)): (&Mean, &(&str, Read, bool))| {
            let Some(value) = mean.mean else { return "N/A".to_owned() };
            let written = if *percent { format!("{:.2}%", 100.0 * value) } else { format!("{value:.4}") };
            if mean.n == self.n { written } else { format!("{written} ({})", mean.n) }
        };
        let values = self.columns.iter().zip(&COLUMNS).map(cell);
        let names = self.names.iter().map(|name| name.replace('|', "\\|"));
        names.chain(values).chain([self.n.to_string()]).collect()
    }
}

impl Origin {
    fn of<T: Value>(score: &'static str, records: &[Record], read: fn(&ConnerReport) -> &Outcome<T>) -> Self {
        let outcomes = || records.iter().map(|record| read(&record.report));
        let mut missing = BTreeMap::new();
        for &each in outcomes().flat_map(Outcome::missing) {
            *missing.entry(each).or_default() += 1;
        }
        Self { score, models: outcomes().filter_map(Outcome::model).map(str::to_owned).collect(), missing }
    }
}

impl Report {
    pub fn of(file: String, run: Run, records: &[Record]) -> Self {
        let names: BTreeSet<&String> = records.iter().flat_map(|record| record.groups.keys()).collect();
        let value = |record: &Record, name: &str| record.groups.get(name).cloned().unwrap_or_default();
        let systems = SYSTEM.iter().filter(|&&name| names.iter().any(|found| *found == name));
        let systems: Vec<&'static str> = systems.copied().collect();
        let rows = by(records, |record| systems.iter().map(|name| value(record, name)).collect());
        let others = names.into_iter().filter(|name| !systems.contains(&name.as_str()));
        let groups = others.filter_map(|name| {
            let means = by(records, |record| vec![value(record, name)]);
            (2..=MOST_VALUES).contains(&means.len()).then(|| (name.clone(), means))
        });
        let groups = groups.collect();
        Self {
            file,
            run,
            items: records.len(),
            systems,
            rows,
            groups,
            scores: vec![
                Origin::of("factuality", records, |report| &report.factuality),
                Origin::of("relevance", records, |report| &report.relevance),
                Origin::of("cohesion", records, |report| &report.cohesion),
                Origin::of("coherence", records, |report| &report.coherence),
                Origin::of("informativeness", records, |report| &report.informativeness),
                Origin::of("helpfulness", records, |report| &report.helpfulness),
                Origin::of("validity", records, |report| &report.validity),
                Origin::of("quality", records, |report| &report.quality),
            ],
        }
    }

    /// The report as Markdown tables: the same records give the same text.
    pub fn markdown(&self) -> String {
        let mut parts = vec![format!("# {}\n\n{} items{}.", self.file, self.items, self.evidence())];
        parts.push(means_table(&self.systems, &self.rows));
        for (name, means) in &self.groups {
            parts.push(format!("## By {name}\n\n{}", means_table(&[name], means)));
        }
        let origin = |origin: &Origin| {
            let models: Vec<&str> = origin.models.iter().map(String::as_str).collect();
            let missing: Vec<String> = origin
                .missing
                .iter()
                .map(|(missing, items)| format!("{missing} (for {items} of {})", self.items))
                .collect();
            vec![origin.score.to_owned(), models.join(", "), missing.join("; ")]
        };
        parts.push("## Where the scores are from".to_owned());
        parts.push(table(&["Score", "Model", "Missing"], self.scores.iter().map(origin)));
        parts.join("\n\n") + "\n"
    }

    fn evidence(&self) -> String {
        match &self.run.index {
            Some(index) => format!(" with an index of {} passages", index.passages),
            None => " without an index".to_owned(),
        }
    }
}

/// The means of the records that have the same key, by key.
fn by(records: &[Record], key: impl Fn(&Record) -> Vec<String>) -> Vec<Means> {
    let mut parts = BTreeMap::<Vec<String>, Vec<&Record>>::new();
    for record in records {
        parts.entry(key(record)).or_default().push(record);
    }
    parts.into_iter().map(|(names, records)| Means::of(names, &records)).collect()
}

fn means_table(names: &[&str], means: &[Means]) -> String {
    let columns: Vec<&str> = names.iter().copied().chain(COLUMNS.map(|(name, _, _)| name)).chain(["n"]).collect();
    table(&columns, means.iter().map(Means::cells))
}

fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let head: Vec<String> = columns.iter().map(ToString::to_string).collect();
    let head = [line(&head), format!("|{}", "---|".repeat(columns.len()))];
    head.into_iter().chain(rows.map(|cells| line(&cells))).collect::<Vec<_>>().join("\n")
}
