//! Somers' D of scores and people's ratings (chen2023, Tab. 9, 10 and 18), and of the four intrinsic scores and the two
//! extrinsic ones (Tab. 5, 6 and 15).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::conner::items::{SIDES, ScoredItem};
use crate::conner::record::Record;
use crate::conner::report::means::System;
use crate::measures::{average_kappa, fleiss_kappa, somers_d};
use crate::table::table;

/// The p-value below which the paper marks an association as significant.
const SIGNIFICANT: f64 = 0.05;

/// A number of each item.
type Read = fn(&Record) -> Option<f64>;

/// The metrics of each side of Tab. 17, CONNER's own first (Tab. 10).
const METRICS: [(usize, &str, Read); 15] = [
    (0, "Factuality", |record| record.report.factuality.value()),
    (0, "HE", |record| record.baselines.as_ref()?.hallucinated_entities.value().map(|share| -share)),
    (0, "NLI", |record| record.baselines.as_ref()?.entailment.value()),
    (0, "NLI-Weak-supervised", |record| record.baselines.as_ref()?.weakly_supervised.value()),
    (0, "NLI-Multitask", |record| record.baselines.as_ref()?.multitask.value()),
    (0, "NLI-Decompose", |record| record.baselines.as_ref()?.decomposed.value()),
    (1, "Relevance", |record| record.report.relevance.value()),
    (1, "F1", |record| record.baselines.as_ref()?.knowledge_f1.value()),
    (2, "Coh-sent.", |record| record.report.cohesion.value()),
    (2, "Coh-para.", |record| record.report.coherence.value()),
    (3, "Informative", |record| record.report.informativeness.value()),
    (4, "Helpfulness", |record| record.report.helpfulness.value()),
    (5, "Validity", |record| record.report.validity.value()),
    (5, "EM", |record| record.baselines.as_ref()?.exact_match.value()),
    (5, "F1", |record| record.baselines.as_ref()?.answer_f1.value()),
];

const INTRINSIC: [(&str, Read); 5] = [
    ("Fact.", |record| record.report.factuality.value()),
    ("Rel.", |record| record.report.relevance.value()),
    ("Coh-sent.", |record| record.report.cohesion.value()),
    ("Coh-para.", |record| record.report.coherence.value()),
    ("Info.", |record| record.report.informativeness.value()),
];

const EXTRINSIC: [(&str, Read); 2] =
    [("helpful.", |record| record.report.helpfulness.value()), ("validity", |record| record.report.validity.value())];

/// Somers' D of one number given another, D(metric | target): over pairs of items that differ in the target.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Association {
    pub system: String,
    /// What the metric is to predict: a side that people rated, or an extrinsic score.
    pub target: &'static str,
    pub metric: &'static str,
    /// How many items have both.
    pub n: usize,
    /// `None` where either is the same for all.
    pub d: Option<f64>,
    pub p_value: Option<f64>,
}

impl Association {
    fn of(system: &System, target: &'static str, metric: &'static str, pairs: &[(f64, f64)]) -> Self {
        let somers = somers_d(pairs);
        Self {
            system: system.name.clone(),
            target,
            metric,
            n: pairs.len(),
            d: somers.map(|somers| somers.d),
            p_value: somers.map(|somers| somers.p_value),
        }
    }

    fn cell(&self) -> String {
        let Some(d) = self.d else { return "N/A".to_owned() };
        let mark = if self.p_value.is_some_and(|p| p < SIGNIFICANT) { "†" } else { "" };
        format!("{d:.2}{mark} ({})", self.n)
    }
}

/// Each metric against the ratings of its side, in each system; a metric that no item has is left out.
pub fn with_people(rows: &[ScoredItem], records: &[Record], systems: &[System]) -> Vec<Vec<Association>> {
    let rated = |&(side, metric, read): &(usize, &'static str, Read)| {
        let associations = systems.iter().map(|system| {
            let both = |&at: &usize| Some((rows[at].ratings[side]?, read(&records[at])?));
            Association::of(system, SIDES[side], metric, &system.items.iter().filter_map(both).collect::<Vec<_>>())
        });
        let associations: Vec<Association> = associations.collect();
        associations.iter().any(|each| each.n > 0).then_some(associations)
    };
    METRICS.iter().filter_map(rated).collect()
}

/// The intrinsic scores against each extrinsic one, in each system; one that no item of a system has is left out.
pub fn of_extrinsic(records: &[Record], systems: &[System]) -> Vec<Vec<Association>> {
    let mut found = Vec::new();
    for system in systems {
        for (target, extrinsic) in EXTRINSIC {
            let associations = INTRINSIC.map(|(metric, intrinsic)| {
                let both = |&at: &usize| Some((extrinsic(&records[at])?, intrinsic(&records[at])?));
                Association::of(system, target, metric, &system.items.iter().filter_map(both).collect::<Vec<_>>())
            });
            if associations.iter().any(|each| each.n > 0) {
                found.push(Vec::from(associations));
            }
        }
    }
    found
}

/// How far people agree with each other on one side.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Raters {
    pub side: &'static str,
    /// How many items several people rated.
    pub items: usize,
    /// The mean of Cohen's kappa of all pairs of people (App. J.1: "average kappa").
    pub average_kappa: Option<f64>,
    pub fleiss_kappa: Option<f64>,
}

/// The sides that several people rated.
pub fn among_people(rows: &[ScoredItem], records: &[Record]) -> Vec<Raters> {
    let of = |side: usize| {
        let rated = records.iter().map(|record| &rows[record.row].raters[side]).filter(|of| of.len() > 1);
        let rated: Vec<&BTreeMap<String, u8>> = rated.collect();
        let people: BTreeSet<&String> = rated.iter().flat_map(|of| of.keys()).collect();
        let by_person = |of: &&BTreeMap<String, u8>| people.iter().map(|&person| of.get(person).copied()).collect();
        (!rated.is_empty()).then(|| Raters {
            side: SIDES[side],
            items: rated.len(),
            average_kappa: average_kappa(&rated.iter().map(by_person).collect::<Vec<_>>()),
            fleiss_kappa: fleiss_kappa(&rated.iter().map(|of| of.values().copied().collect()).collect::<Vec<_>>()),
        })
    };
    (0..SIDES.len()).filter_map(of).collect()
}

/// People's agreement as a table.
pub fn raters_markdown(raters: &[Raters]) -> Option<String> {
    let number = |kappa: Option<f64>| kappa.map_or_else(|| "N/A".to_owned(), |kappa| format!("{kappa:.3}"));
    let row =
        |of: &Raters| vec![of.side.to_owned(), number(of.average_kappa), number(of.fleiss_kappa), of.items.to_string()];
    let note = "Of items that several people rated: the mean of Cohen's kappa of all pairs of people, and Fleiss' kappa of the \
                items with as many ratings as most have.";
    let columns = ["Rating", "average kappa", "Fleiss' kappa", "items"];
    (!raters.is_empty())
        .then(|| format!("## Agreement among people\n\n{note}\n\n{}", table(&columns, raters.iter().map(row))))
}

/// The layout of Tab. 9 and 10.
pub fn people_markdown(associations: &[Vec<Association>]) -> Option<String> {
    let names = associations.first()?.iter().map(|each| each.system.as_str());
    let columns: Vec<&str> = ["Rating", "Metric"].into_iter().chain(names).collect();
    let row = |row: &Vec<Association>| {
        let head = row.first().map(|each| [each.target.to_owned(), each.metric.to_owned()]).into_iter().flatten();
        head.chain(row.iter().map(Association::cell)).collect()
    };
    let note = "Somers' D of the metric given people's rating; † where p < 0.05; in brackets the items that have both.";
    Some(format!("## Agreement with people\n\n{note}\n\n{}", table(&columns, associations.iter().map(row))))
}

/// The layout of Tab. 5, 6 and 15.
pub fn extrinsic_markdown(associations: &[Vec<Association>]) -> Option<String> {
    if associations.is_empty() {
        return None;
    }
    let columns: Vec<&str> = ["Model", "Extrinsic"].into_iter().chain(INTRINSIC.map(|(name, _)| name)).collect();
    let row = |row: &Vec<Association>| {
        let head = row.first().map(|each| [each.system.clone(), each.target.to_owned()]).into_iter().flatten();
        head.chain(row.iter().map(Association::cell)).collect()
    };
    let note = "Somers' D of the intrinsic score given the extrinsic one; † where p < 0.05; in brackets the items that have both.";
    let table = table(&columns, associations.iter().map(row));
    Some(format!("## Intrinsic and extrinsic scores\n\n{note}\n\n{table}"))
}
