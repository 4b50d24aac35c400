//! What the scores depend on: the length of the knowledge, how well known its topic is (chen2023, Fig. 2), and how much evidence
//! was read (App. B, Fig. 4).

use evident_verify::conner::Aggregate;
use evident_verify::sentences;
use serde::Serialize;

use crate::conner::items::ScoredItem;
use crate::conner::record::Record;
use crate::conner::report::means::{Means, by, mean};
use crate::table::table;

/// Fig. 2(b) is of knowledge of more words than this ("over 40 tokens", Sec. 4.4).
const SHORT: usize = 40;
/// Knowledge of this many sentences or more is one row.
const MANY: usize = 10;

/// By the number of sentences in the knowledge, of what has more than 40 words.
pub fn by_length(rows: &[ScoredItem], records: &[Record]) -> Vec<Means> {
    by(records, |record| {
        let knowledge = rows[record.row].item.knowledge.as_deref()?;
        let said = sentences(knowledge).iter().filter(|each| each.text.contains(char::is_alphanumeric)).count();
        let name = if said < MANY { said.to_string() } else { format!("{MANY} or more") };
        (knowledge.split_whitespace().count() > SHORT).then(|| vec![name])
    })
}

/// By the frequency of the topic: quarters of the items that have one, the rarest first.
pub fn by_frequency(rows: &[ScoredItem], records: &[Record]) -> Vec<Means> {
    let mut counts: Vec<f64> = records.iter().filter_map(|record| rows[record.row].frequency).collect();
    counts.sort_unstable_by(f64::total_cmp);
    let Some(&most) = counts.last() else { return Vec::new() };
    let mut starts = [0, 1, 2, 3].map(|quarter| counts[counts.len() * quarter / 4]).to_vec();
    starts.dedup();
    by(records, |record| {
        let count = rows[record.row].frequency?;
        let at = starts.partition_point(|&start| start <= count) - 1;
        let end = starts.get(at + 1).map_or_else(|| format!("{most}"), |next| format!("below {next}"));
        Some(vec![format!("{} to {end}", starts[at])])
    })
}

/// Mean factuality by a number of passages.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FactualityByPassages {
    /// Of what was found for each sentence only so many are read.
    pub passages: usize,
    /// How many items have factuality.
    pub n: usize,
    pub factuality: f64,
    /// The same with the reference knowledge among the evidence, and of how many items.
    pub with_reference: Option<f64>,
    pub n_with_reference: usize,
}

/// Factuality by how many of its passages are read, with and without the reference knowledge among them, over the items that
/// have factuality; the reference is read where the baselines are.
pub fn by_evidence(records: &[Record], over: Aggregate) -> Vec<FactualityByPassages> {
    let of = |record: &Record, passages: usize, reference: &[f64]| -> Option<f64> {
        let sentences = &record.report.factuality.score()?.sentences;
        let each = sentences.iter().enumerate().map(|(number, sentence)| {
            let read = sentence.evidence.iter().take(passages).chain(reference.get(number));
            read.copied().fold(0.0, f64::max)
        });
        let each: Vec<f64> = each.collect();
        match over {
            Aggregate::Min => each.into_iter().reduce(f64::min),
            Aggregate::Max => each.into_iter().reduce(f64::max),
            Aggregate::Mean => mean(&each),
        }
    };
    let found = records.iter().filter_map(|record| record.report.factuality.score());
    let most = found.flat_map(|score| &score.sentences).map(|sentence| sentence.evidence.len()).max().unwrap_or(0);
    let row = |passages: usize| {
        let without: Vec<f64> = records.iter().filter_map(|record| of(record, passages, &[])).collect();
        let with = records.iter().filter_map(|record| {
            let reference = record.baselines.as_ref()?.decomposed.score()?;
            of(record, passages, &reference.sentences)
        });
        let with: Vec<f64> = with.collect();
        Some(FactualityByPassages {
            passages,
            n: without.len(),
            factuality: mean(&without)?,
            with_reference: mean(&with),
            n_with_reference: with.len(),
        })
    };
    (1..=most).filter_map(row).collect()
}

/// Fig. 4 as a table.
pub fn evidence_markdown(evidence: &[FactualityByPassages]) -> Option<String> {
    let first = evidence.first()?;
    let percent = |share: f64| format!("{:.2}%", 100.0 * share);
    let row = |row: &FactualityByPassages| {
        let mut cells = vec![row.passages.to_string(), percent(row.factuality), row.n.to_string()];
        if let Some(with) = row.with_reference {
            cells.extend([percent(with), row.n_with_reference.to_string()]);
        }
        cells
    };
    let mut columns = vec!["passages a sentence", "Fact-cons.", "n"];
    if first.with_reference.is_some() {
        columns.extend(["with reference knowledge", "n"]);
    }
    Some(format!("## By number of evidence passages\n\n{}", table(&columns, evidence.iter().map(row))))
}
