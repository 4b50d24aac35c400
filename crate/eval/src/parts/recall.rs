//! Token recall of gold evidence, and what a query costs.

use std::collections::HashSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use evident_index::{FileStorage, Index, Passage};
use evident_verify::{IndexSource, Reranker, Retriever, Settings, VerifyError};
use futures_lite::future::block_on;

use crate::error::EvalError;
use crate::monitor::Monitor;
use crate::rows::formats::Format;
use crate::rows::row::LabelledRow;
use crate::table::{percent, table};
use crate::workers::in_order;

/// Which evidence to retrieve, and how.
pub struct Recall {
    /// The file of statements with evidence of their own.
    pub file: PathBuf,
    /// Its layout.
    pub format: Format,
    /// The folder of the index.
    pub index: PathBuf,
    /// How many passages are retrieved: 1 or more, least first.
    pub k: Vec<usize>,
    /// How many statements with evidence are read, from the first; `None` for all.
    pub limit: Option<usize>,
    /// How many queries run at once. Apart from times, the numbers do not depend on it.
    pub threads: usize,
    /// How to retrieve; `k` replaces its number of passages.
    pub settings: Settings,
}

/// The statements of a file that come with evidence.
pub struct RecallRows {
    rows: Vec<LabelledRow>,
    /// How many come without.
    without: usize,
}

/// What one query found and cost.
struct Query {
    /// Token recall with each number of passages.
    recall: Vec<f64>,
    files: u64,
    bytes: u64,
    seconds: f64,
}

impl Recall {
    /// Reads the statements that come with evidence.
    ///
    /// # Errors
    /// [`EvalError::Unreadable`], [`EvalError::BadLine`] and [`EvalError::Unusable`].
    pub fn read(&self) -> Result<RecallRows, EvalError> {
        let mut rows = self.format.read(&self.file)?;
        let all = rows.len();
        rows.retain(|row| !row.evidence.is_empty());
        let without = all - rows.len();
        rows.truncate(self.limit.unwrap_or(usize::MAX));
        if rows.is_empty() {
            let why = "no statement comes with evidence of its own, so there is nothing to find again";
            return Err(EvalError::Unusable { path: self.file.clone(), why });
        }
        Ok(RecallRows { rows, without })
    }

    /// Retrieves passages for each statement, by BM25 and, if there is a `reranker`, with that too. Returns the table.
    ///
    /// # Errors
    /// Any [`EvalError`].
    pub fn measure(
        &self,
        RecallRows { rows, without }: &RecallRows,
        reranker: Option<&Arc<Reranker>>,
        monitor: &mut impl Monitor,
    ) -> Result<String, EvalError> {
        let ks = &self.k;
        let mut found = vec![("BM25".to_owned(), self.queries(rows, None, monitor)?)];
        if let Some(reranker) = reranker {
            let name = format!("BM25, then {}", reranker.report().pack.name);
            monitor.set_label(format!("{name}: "));
            found.push((name, self.queries(rows, Some(reranker), monitor)?));
        }

        let n = rows.len();
        let mean = |queries: &[Query], of: &dyn Fn(&Query) -> f64| queries.iter().map(of).sum::<f64>() / n as f64;
        let cells = found.iter().map(|(name, queries)| {
            let recall = (0..ks.len()).map(|i| percent(Some(mean(queries, &|query| query.recall[i]))));
            let cost = [
                format!("{:.0}", mean(queries, &|query| query.bytes as f64)),
                format!("{:.1}", mean(queries, &|query| query.files as f64)),
                format!("{:.0}", 1e3 * mean(queries, &|query| query.seconds)),
            ];
            std::iter::once(name.clone()).chain(recall).chain(cost).collect()
        });
        let columns = ks.iter().map(|k| format!("recall@{k}"));
        let columns: Vec<String> = std::iter::once("Retriever".to_owned())
            .chain(columns)
            .chain(["bytes", "files", "ms"].map(str::to_owned))
            .collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        Ok(format!(
            "{n} statements with gold evidence, {without} without are passed over. Recall: the mean share, in per cent, of the \
             gold evidence's words that stand in the retrieved passages (guan2024, App. C.2). Cost: the means of a query whose \
             index was just opened, without its manifest.\n\n{}\n",
            table(&columns, cells)
        ))
    }

    /// The queries of all rows, each on an index that was just opened.
    fn queries(
        &self,
        rows: &[LabelledRow],
        reranker: Option<&Arc<Reranker>>,
        monitor: &impl Monitor,
    ) -> Result<Vec<Query>, EvalError> {
        let settings = Settings { evidence: self.k.last().copied().unwrap_or_default(), ..self.settings.clone() };
        let open = || Ok(FileStorage::new(&self.index));
        let work = |storage: &FileStorage, number: usize| {
            let row: &LabelledRow = &rows[number];
            let began = Instant::now();
            block_on(async {
                let index = Rc::new(Index::open(storage.clone()).await?);
                let before = index.traffic();
                let source = Rc::new(IndexSource::in_folder(index.clone(), ""));
                let retriever = Retriever::new(vec![source], reranker.cloned());
                let found = retriever.search(&settings).ask(&row.context, &row.statement, async || Ok(())).await;
                let found = found.map_err(|source| EvalError::Row { line: row.line, source })?;
                let after = index.traffic();
                let passages: Vec<Passage> = found.passages.into_iter().map(|found| found.passage).collect();
                Ok(Query {
                    recall: self
                        .k
                        .iter()
                        .map(|&k| token_recall(&row.evidence, &passages[..k.min(passages.len())]))
                        .collect(),
                    files: after.requests - before.requests,
                    bytes: after.bytes - before.bytes,
                    seconds: began.elapsed().as_secs_f64(),
                })
            })
        };
        let mut found = Vec::with_capacity(rows.len());
        in_order(0..rows.len(), self.threads, open, work, |number, query| {
            monitor.show_row(number + 1, rows.len(), number + 1);
            monitor.check().map_err(VerifyError::from)?;
            found.push(query);
            Ok(())
        })?;
        Ok(found)
    }
}

/// "The ratio of tokens in golden evidence that also appear in" the retrieved passages (guan2024, App. C.2): each word
/// as often as the gold texts have it, in lower case and without punctuation; titles do not count. 1 for gold without
/// words.
fn token_recall(gold: &[Passage], retrieved: &[Passage]) -> f64 {
    let words = |passages: &[Passage]| -> Vec<String> {
        let texts = passages.iter().map(|passage| passage.text.to_lowercase());
        texts
            .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>())
            .collect()
    };
    let there: HashSet<String> = words(retrieved).into_iter().collect();
    let gold: Vec<String> = words(gold).into_iter().filter(|word| !word.is_empty()).collect();
    let found = gold.iter().filter(|word| there.contains(*word)).count();
    if gold.is_empty() { 1.0 } else { found as f64 / gold.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::row::passage;

    #[test]
    fn every_word_of_the_gold_evidence_counts_as_often_as_it_stands_there() {
        let gold = [passage("1", "Iron", "Iron rusts, iron bends."), passage("2", "", "Tin.")];
        let found = |texts: &[&str]| {
            token_recall(&gold, &texts.iter().map(|text| passage("", "Bends", *text)).collect::<Vec<_>>())
        };
        assert_eq!(found(&[]), 0.0);
        assert_eq!(found(&["An IRON bar"]), 0.4);
        assert_eq!(found(&["An IRON bar", "tin-plate that rusts, bends"]), 1.0);
    }
}
