//! What is said of all items together: the means in the layout of chen2023's Tables 2 and 3, and what they depend on.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use evident_verify::conner::{ConnerReport, Missing, Outcome, Value};
use serde::Serialize;

use super::agreement::{self, Association};
use super::breakdown::{self, Evidence};
use super::chosen::{Choose, Chosen};
use super::record::{Record, Run};
use super::rows::Row;

/// A group with more values than this is an id, not a group.
const MOST_VALUES: usize = 20;
/// The groups that name the rows of the paper's tables.
const SYSTEM: [&str; 2] = ["model", "setting"];

/// What all items together are called.
const ALL: &str = "all";

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
    /// The items that were chosen by their quality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
    /// By the number of sentences in the knowledge (Fig. 2b).
    pub length: Vec<Means>,
    /// By quarters of the topics' frequency (Fig. 2a).
    pub frequency: Vec<Means>,
    /// By the number of passages that are read (Fig. 4).
    pub evidence: Vec<Evidence>,
    /// Somers' D of the scores and baselines with people's ratings (Tab. 9 and 10), a metric's systems together.
    pub people: Vec<Vec<Association>>,
    /// Somers' D of the intrinsic scores with the extrinsic ones (Tab. 5, 6 and 15).
    pub extrinsic: Vec<Vec<Association>>,
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

/// The items of one model and setting.
pub struct System {
    pub name: String,
    /// Their numbers.
    pub items: Vec<usize>,
}

/// Where a score came from.
#[derive(Serialize)]
pub struct Origin {
    pub score: &'static str,
    pub models: BTreeSet<String>,
    /// What is missing, and for how many items.
    pub missing: BTreeMap<Missing, usize>,
    /// The mean over the items that have it.
    pub mean: Option<f64>,
}

impl Means {
    pub fn of(names: Vec<String>, records: &[&Record]) -> Self {
        let column = |(column, read, _): &(&'static str, Read, bool)| {
            let values: Vec<f64> = records.iter().filter_map(|record| read(&record.report)).collect();
            Mean { column, mean: mean(&values), n: values.len() }
        };
        Self { names, n: records.len(), columns: COLUMNS.iter().map(column).collect() }
    }

    /// What the items have in common, in one piece; "all" where that is nothing.
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

impl Origin {
    fn of<T: Value>(score: &'static str, records: &[Record], read: fn(&Record) -> Option<&Outcome<T>>) -> Self {
        let outcomes = || records.iter().filter_map(read);
        let mut missing = BTreeMap::new();
        for &each in outcomes().flat_map(Outcome::missing) {
            *missing.entry(each).or_default() += 1;
        }
        let values: Vec<f64> = outcomes().filter_map(Outcome::value).collect();
        let mean = mean(&values);
        Self { score, mean, models: outcomes().filter_map(Outcome::model).map(str::to_owned).collect(), missing }
    }
}

impl Report {
    pub fn of(file: String, run: Run, rows: &[Row], records: &[Record], choose: Choose) -> Self {
        let names: BTreeSet<&String> = records.iter().flat_map(|record| record.groups.keys()).collect();
        let value = |record: &Record, name: &str| record.groups.get(name).cloned().unwrap_or_default();
        let named = SYSTEM.iter().filter(|&&name| names.iter().any(|found| *found == name));
        let systems: Vec<&'static str> = named.copied().collect();
        let system = |record: &Record| Some(systems.iter().map(|name| value(record, name)).collect());
        let others = names.into_iter().filter(|name| !systems.contains(&name.as_str()));
        let groups = others.filter_map(|name| {
            let means = by(records, |record| Some(vec![value(record, name)]));
            (2..=MOST_VALUES).contains(&means.len()).then(|| (name.clone(), means))
        });
        let groups = groups.collect();
        let parts = systems_of(records, system);
        Self {
            file,
            items: records.len(),
            rows: by(records, system),
            groups,
            chosen: choose.of(rows, records),
            length: breakdown::by_length(rows, records),
            frequency: breakdown::by_frequency(rows, records),
            evidence: breakdown::by_evidence(records, run.settings.aggregate),
            people: agreement::with_people(rows, records, &parts),
            extrinsic: agreement::of_extrinsic(records, &parts),
            scores: origins(records, run.baselines),
            run,
            systems,
        }
    }

    /// The report as Markdown tables: the same records give the same text.
    pub fn markdown(&self) -> String {
        let mut parts = vec![format!("# {}\n\n{} items{}.", self.file, self.items, self.evidence())];
        parts.push(means_table(&self.systems, &self.rows));
        parts.extend(self.chosen.as_ref().map(Chosen::markdown));
        for (name, means) in &self.groups {
            parts.push(format!("## By {name}\n\n{}", means_table(&[name], means)));
        }
        if self.length.len() > 1 {
            parts.push(format!("## By length\n\n{}", means_table(&["sentences of k"], &self.length)));
        }
        if !self.frequency.is_empty() {
            parts.push(format!("## By frequency\n\n{}", means_table(&["frequency of the topic"], &self.frequency)));
        }
        parts.extend(breakdown::evidence_markdown(&self.evidence));
        parts.extend(agreement::people_markdown(&self.people));
        parts.extend(agreement::extrinsic_markdown(&self.extrinsic));
        let origin = |origin: &Origin| {
            let models: Vec<&str> = origin.models.iter().map(String::as_str).collect();
            let missing: Vec<String> = origin
                .missing
                .iter()
                .map(|(missing, items)| format!("{missing} (for {items} of {})", self.items))
                .collect();
            let mean = origin.mean.map_or_else(|| "N/A".to_owned(), |mean| format!("{mean:.4}"));
            vec![origin.score.to_owned(), models.join(", "), missing.join("; "), mean]
        };
        parts.push("## Where the scores are from".to_owned());
        parts.push(table(&["Score", "Model", "Missing", "Mean"], self.scores.iter().map(origin)));
        parts.join("\n\n") + "\n"
    }

    fn evidence(&self) -> String {
        match &self.run.index {
            Some(index) => format!(" with an index of {} passages", index.passages),
            None => " without an index".to_owned(),
        }
    }
}

/// Where every score is from, and every baseline where these are computed.
fn origins(records: &[Record], with_baselines: bool) -> Vec<Origin> {
    let mut origins = vec![
        Origin::of("factuality", records, |record| Some(&record.report.factuality)),
        Origin::of("relevance", records, |record| Some(&record.report.relevance)),
        Origin::of("cohesion", records, |record| Some(&record.report.cohesion)),
        Origin::of("coherence", records, |record| Some(&record.report.coherence)),
        Origin::of("informativeness", records, |record| Some(&record.report.informativeness)),
        Origin::of("helpfulness", records, |record| Some(&record.report.helpfulness)),
        Origin::of("validity", records, |record| Some(&record.report.validity)),
        Origin::of("quality", records, |record| Some(&record.report.quality)),
    ];
    if with_baselines {
        origins.extend([
            Origin::of("HE", records, |record| record.baselines.as_ref().map(|found| &found.hallucinated_entities)),
            Origin::of("NLI", records, |record| record.baselines.as_ref().map(|found| &found.entailment)),
            Origin::of("NLI-Weak-supervised", records, |record| {
                record.baselines.as_ref().map(|found| &found.weakly_supervised)
            }),
            Origin::of("NLI-Multitask", records, |record| record.baselines.as_ref().map(|found| &found.multitask)),
            Origin::of("NLI-Decompose", records, |record| record.baselines.as_ref().map(|found| &found.decomposed)),
            Origin::of("F1 of knowledge", records, |record| record.baselines.as_ref().map(|found| &found.knowledge_f1)),
            Origin::of("EM", records, |record| record.baselines.as_ref().map(|found| &found.exact_match)),
            Origin::of("F1 of answer", records, |record| record.baselines.as_ref().map(|found| &found.answer_f1)),
        ]);
    }
    origins
}

/// The systems by themselves, and all together where they are several.
fn systems_of(records: &[Record], name: impl Fn(&Record) -> Option<Vec<String>>) -> Vec<System> {
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

/// The mean; `None` of nothing.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The means of the records that have the same key, by key, numbers in their order; a record without one is left out.
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

pub fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let head: Vec<String> = columns.iter().map(ToString::to_string).collect();
    let head = [line(head), format!("|{}", "---|".repeat(columns.len()))];
    head.into_iter().chain(rows.map(line)).collect::<Vec<_>>().join("\n")
}
