//! The report on all items: the means in the layout of chen2023's Tables 2 and 3, and what they depend on.

pub(crate) mod agreement;
pub(crate) mod breakdown;
pub(crate) mod comparison;
pub(crate) mod means;
pub(crate) mod selection;

use std::collections::{BTreeMap, BTreeSet};

use evident_verify::conner::{Missing, Outcome, Value};
use serde::Serialize;

use crate::conner::items::ScoredItem;
use crate::conner::record::{Record, Run};
use crate::conner::report::agreement::{Association, Raters};
use crate::conner::report::breakdown::{FactualityByLength, FactualityByPassages};
use crate::conner::report::comparison::{Comparison, compare};
use crate::conner::report::means::{Means, by, mean, means_table, systems_of};
use crate::conner::report::selection::{SelectBy, Selection};
use crate::table::table;

/// A group with more values than this is an id, not a group.
const MOST_VALUES: usize = 20;
/// The groups that name the rows of the paper's tables.
const SYSTEM: [&str; 2] = ["model", "setting"];

/// The report on a file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnerSummary {
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
    pub chosen: Option<Selection>,
    /// The factuality of sentences by the number of them in the knowledge (Fig. 2b).
    pub length: Vec<FactualityByLength>,
    /// By quarters of the topics' frequency (Fig. 2a).
    pub frequency: Vec<Means>,
    /// By the number of passages that are read (Fig. 4).
    pub evidence: Vec<FactualityByPassages>,
    /// Somers' D of the scores and baselines with people's ratings (Tab. 9 and 10): for each metric, one for each
    /// system.
    pub people: Vec<Vec<Association>>,
    /// How far people agree with each other (App. J.1).
    pub raters: Vec<Raters>,
    /// The scores beside those of another run, if one was given (Tab. 7).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Comparison>,
    /// Somers' D of the intrinsic scores with the extrinsic ones (Tab. 5, 6 and 15).
    pub extrinsic: Vec<Vec<Association>>,
    /// For each score, the models that gave it and for how many items it lacks something.
    pub scores: Vec<Origin>,
    /// The discourse model's raw numbers, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coherence: Option<CoherenceRange>,
    /// The least and the greatest informativeness, if they lie too close together to tell anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub informativeness: Option<InformativenessRange>,
}

/// Other ways to normalise Eq. 4 than by the sigmoid. The paper says "normalized" and not how.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CoherenceRange {
    /// The least and the greatest raw number of the items.
    pub least: f64,
    pub greatest: f64,
    /// Their mean, which the released code gives.
    pub raw: f64,
    /// The mean where the least counts as 0 and the greatest as 1; `None` if they are equal.
    pub min_max: Option<f64>,
}

impl CoherenceRange {
    fn of(records: &[Record]) -> Option<Self> {
        let raw = records.iter().filter_map(|record| record.report.coherence.score().map(|score| score.raw));
        let raw: Vec<f64> = raw.collect();
        let mean = mean(&raw)?;
        let (least, greatest) = range(&raw)?;
        let min_max = (least < greatest).then(|| (mean - least) / (greatest - least));
        Some(Self { least, greatest, raw: mean, min_max })
    }

    fn markdown(&self) -> String {
        let Self { least, greatest, raw, min_max } = self;
        let min_max = min_max.map_or_else(|| "N/A".to_owned(), |mean| format!("{mean:.4}"));
        format!(
            "Coh-para. is the sigmoid of the discourse model's number. The paper does not say how it normalises. Others: raw, \
             mean {raw:.4} (from {least:.4} to {greatest:.4}); with the least of these items as 0 and the greatest as 1, mean \
             {min_max}."
        )
    }
}

/// A language model that finds every text improbable gives all of them nearly the same informativeness.
#[derive(Debug, PartialEq, Serialize)]
pub struct InformativenessRange {
    pub least: f64,
    pub greatest: f64,
}

/// The report warns if every item has at least this informativeness: then the model's perplexity is 20 or more.
const NEARLY_ALL_NEW: f64 = 0.95;

impl InformativenessRange {
    fn of(records: &[Record]) -> Option<Self> {
        let found: Vec<f64> = records.iter().filter_map(|record| record.report.informativeness.value()).collect();
        let (least, greatest) = range(&found)?;
        (least >= NEARLY_ALL_NEW).then_some(Self { least, greatest })
    }

    fn markdown(&self) -> String {
        let Self { least, greatest } = self;
        format!(
            "Inform. lies between {least:.4} and {greatest:.4} here, so it tells little: it is 1 - 1 / perplexity (Eq. 5), and \
             this language model guesses next to nothing of any text. The means of the paper's, GPT-Neo 2.7B, are 0.67 to 0.94."
        )
    }
}

/// The least and the greatest of some numbers; `None` without numbers.
fn range(values: &[f64]) -> Option<(f64, f64)> {
    let least = values.iter().copied().reduce(f64::min)?;
    Some((least, values.iter().copied().reduce(f64::max)?))
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
    /// For how many items the knowledge was too long for it.
    pub cut: usize,
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
        let cut = outcomes().filter(|outcome| outcome.cut().is_some()).count();
        Self { score, mean, cut, models: outcomes().filter_map(Outcome::model).map(str::to_owned).collect(), missing }
    }
}

impl ConnerSummary {
    /// The summary of scored items, beside those of another run.
    pub fn of(
        file: String,
        run: Run,
        rows: &[ScoredItem],
        records: &[Record],
        select: Option<SelectBy>,
        against: &[Record],
    ) -> Self {
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
            chosen: select.map(|by| by.of(rows, records)),
            length: breakdown::by_length(rows, records),
            frequency: breakdown::by_frequency(rows, records),
            evidence: breakdown::by_evidence(records, run.settings.aggregate),
            people: agreement::with_people(rows, records, &parts),
            raters: agreement::among_people(rows, records),
            against: compare(records, against),
            extrinsic: agreement::of_extrinsic(records, &parts),
            scores: origins(records, run.baselines),
            coherence: CoherenceRange::of(records),
            informativeness: InformativenessRange::of(records),
            run,
            systems,
        }
    }

    /// The report as Markdown tables: the same records give the same text.
    pub fn markdown(&self) -> String {
        let mut parts = vec![format!("# {}\n\n{} items{}.", self.file, self.items, self.evidence())];
        parts.push(means_table(&self.systems, &self.rows));
        parts.extend(comparison::markdown(&self.against));
        parts.extend(self.chosen.as_ref().map(Selection::markdown));
        for (name, means) in &self.groups {
            parts.push(format!("## By {name}\n\n{}", means_table(&[name], means)));
        }
        parts.extend(breakdown::length_markdown(&self.length));
        if !self.frequency.is_empty() {
            parts.push(format!("## By frequency\n\n{}", means_table(&["frequency of the topic"], &self.frequency)));
        }
        parts.extend(breakdown::evidence_markdown(&self.evidence));
        parts.extend(agreement::people_markdown(&self.people));
        parts.extend(agreement::raters_markdown(&self.raters));
        parts.extend(agreement::extrinsic_markdown(&self.extrinsic));
        let origin = |origin: &Origin| {
            let models: Vec<&str> = origin.models.iter().map(String::as_str).collect();
            let missing: Vec<String> = origin
                .missing
                .iter()
                .map(|(missing, items)| format!("{missing} (for {items} of {})", self.items))
                .collect();
            let mean = origin.mean.map_or_else(|| "N/A".to_owned(), |mean| format!("{mean:.4}"));
            let cut = if origin.cut == 0 { String::new() } else { format!("for {} of {}", origin.cut, self.items) };
            vec![origin.score.to_owned(), models.join(", "), missing.join("; "), cut, mean]
        };
        parts.push("## Where the scores are from".to_owned());
        parts.push(table(&["Score", "Model", "Missing", "Knowledge cut", "Mean"], self.scores.iter().map(origin)));
        parts.extend(self.coherence.as_ref().map(CoherenceRange::markdown));
        parts.extend(self.informativeness.as_ref().map(InformativenessRange::markdown));
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
