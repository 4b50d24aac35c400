//! The scores by length of the knowledge, by popularity of its topic (chen2023, Fig. 2), and by amount of evidence
//! (App. B, Fig. 4).

use std::collections::BTreeMap;

use evident_verify::Nli;
use evident_verify::conner::Aggregate;
use serde::Serialize;

use crate::conner::items::ScoredItem;
use crate::conner::record::Record;
use crate::conner::report::means::{FactualityClass, Means, by, mean};
use crate::table::table;

/// Fig. 2(b) counts knowledge of more words than this ("over 40 tokens", Sec. 4.4).
const SHORT: usize = 40;
/// Knowledge of this many sentences or more is counted in one row.
const MANY: usize = 10;

/// The factuality of the sentences of all knowledge with the same number of sentences.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FactualityByLength {
    /// How many sentences the knowledge has; [`MANY`] means so many or more.
    pub length: usize,
    /// How many items have such knowledge.
    pub items: usize,
    /// Their sentences.
    pub sentences: usize,
    /// The share of sentences of each [`FactualityClass`], in order.
    pub shares: [f64; 3],
    /// The mean of their entailment.
    pub mean: f64,
}

/// Fig. 2(b): "sentences as evaluation units", by the number of them in knowledge of more than 40 words.
pub fn by_length(rows: &[ScoredItem], records: &[Record]) -> Vec<FactualityByLength> {
    let mut found: BTreeMap<usize, (usize, Vec<Nli>)> = BTreeMap::new();
    for record in records {
        let words = rows[record.row].item.knowledge.as_deref().map_or(0, |text| text.split_whitespace().count());
        let Some(score) = record.report.factuality.score().filter(|_| words > SHORT) else { continue };
        let (items, sentences) = found.entry(score.sentences.len().min(MANY)).or_default();
        *items += 1;
        sentences.extend(score.sentences.iter().map(|sentence| sentence.nli));
    }
    let row = |(length, (items, sentences)): (usize, (usize, Vec<Nli>))| {
        let of = |class| sentences.iter().filter(|&&nli| FactualityClass::of(nli) == class).count();
        FactualityByLength {
            length,
            items,
            sentences: sentences.len(),
            shares: FactualityClass::ALL.map(|class| of(class) as f64 / sentences.len() as f64),
            mean: sentences.iter().map(|nli| nli.entailment).sum::<f64>() / sentences.len() as f64,
        }
    };
    found.into_iter().map(row).collect()
}

/// Fig. 2(b) as a table.
pub fn length_markdown(length: &[FactualityByLength]) -> Option<String> {
    let row = |row: &FactualityByLength| {
        let sentences = if row.length < MANY { row.length.to_string() } else { format!("{MANY} or more") };
        let shares = row.shares.map(|share| format!("{:.2}%", 100.0 * share));
        let counts = [row.items.to_string(), row.sentences.to_string()];
        [vec![sentences], shares.into(), vec![format!("{:.4}", row.mean)], counts.into()].concat()
    };
    let columns = ["sentences of k", "Fact-cons.", "Non-verif.", "Fact-incon.", "mean cons.", "items", "sentences"];
    let note = format!("Of the sentences of knowledge of more than {SHORT} words.");
    (!length.is_empty()).then(|| format!("## By length\n\n{note}\n\n{}", table(&columns, length.iter().map(row))))
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

/// The mean factuality with a number of passages.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FactualityByPassages {
    /// How many of the passages found for each sentence are read.
    pub passages: usize,
    /// How many items have factuality.
    pub n: usize,
    pub factuality: f64,
    /// The same with the reference knowledge among the evidence, and of how many items.
    pub with_reference: Option<f64>,
    pub n_with_reference: usize,
}

/// Mean factuality by the number of passages that are read, over the items that have factuality, with and without the
/// reference knowledge among the passages. The reference counts for items with baselines only.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use evident_verify::conner::Item;

    use super::*;
    use crate::conner::report::means::tests::record;

    fn row(words: usize) -> ScoredItem {
        ScoredItem {
            line: 1,
            id: String::new(),
            item: Item { knowledge: Some("word ".repeat(words)), ..Item::default() },
            reference_knowledge: None,
            evidence: Vec::new(),
            groups: BTreeMap::new(),
            frequency: None,
            ratings: Default::default(),
            raters: Default::default(),
            text: String::new(),
        }
    }

    #[test]
    fn figure_2_b_counts_the_sentences_of_knowledge_of_more_than_40_words() {
        let (yes, unknown, no) = ([0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.0, 0.1, 0.9]);
        let rows = [row(41), row(90), row(40), row(60)];
        let records =
            [record(0, &[yes, no]), record(1, &[yes, unknown]), record(2, &[no, no]), record(3, &[yes; MANY + 1])];
        let found = by_length(&rows, &records);
        assert_eq!(found.iter().map(|row| row.length).collect::<Vec<_>>(), [2, MANY]);
        assert_eq!((found[0].items, found[0].sentences, found[0].shares), (2, 4, [0.5, 0.25, 0.25]));
        assert!((found[0].mean - 0.45).abs() < 1e-12);
        assert_eq!((found[1].items, found[1].sentences, found[1].shares), (1, MANY + 1, [1.0, 0.0, 0.0]));
    }
}
