//! Token recall of gold evidence, and what a query costs.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use evident_index::{FileStorage, Index, Passage};
use evident_verify::{Reranker, Retriever, Settings, VerifyError};
use futures_lite::future::block_on;

use crate::commands::verify::Choice;
use crate::eval::formats::Format;
use crate::eval::markdown::{percent, table};
use crate::eval::row::Row;
use crate::parallel::in_order;
use crate::progress::Progress;
use crate::{CliError, rerank};

#[derive(Args)]
pub struct Arguments {
    /// Statements with evidence of their own
    file: PathBuf,
    /// The layout they are in
    #[arg(long, value_enum, default_value_t = Format::Jsonl, value_name = "NAME")]
    format: Format,
    /// The folder of the index
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// Measure also with a model that puts BM25's best 100 passages in order: its folder or pack
    #[arg(long, value_name = "DIR")]
    rerank: Option<PathBuf>,
    /// How many passages are retrieved, least first
    #[arg(short, value_delimiter = ',', default_values_t = [1, 3, 5, 10], value_name = "K,...")]
    k: Vec<usize>,
    /// Read the first N statements with evidence only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Retrieve on N threads; the numbers are the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    settings: Choice,
}

/// What one query found and cost.
struct Query {
    /// Token recall with each number of passages.
    recall: Vec<f64>,
    files: u64,
    bytes: u64,
    seconds: f64,
}

pub fn run(arguments: &Arguments) -> Result<String, CliError> {
    let path = &arguments.file;
    let mut rows = arguments.format.read(path)?;
    let all = rows.len();
    rows.retain(|row| !row.evidence.is_empty());
    let without = all - rows.len();
    rows.truncate(arguments.limit.unwrap_or(usize::MAX));
    if rows.is_empty() {
        let why = "no statement comes with evidence of its own, so there is nothing to find again";
        return Err(CliError::Unusable { path: path.clone(), why });
    }
    let ks = &arguments.k;
    if ks.is_empty() || ks.contains(&0) || !ks.is_sorted() {
        let why = "the numbers of -k must be 1 or more, least first, such as 1,3,5,10";
        return Err(CliError::Unusable { path: "-k".into(), why });
    }
    let settings = Settings { evidence: ks.last().copied().unwrap_or_default(), ..arguments.settings.settings()? };
    let mut progress = Progress::new();
    let mut found = vec![("BM25".to_owned(), queries(arguments, &rows, &settings, None, &progress)?)];
    if let Some(reranker) = block_on(rerank::open(arguments.rerank.as_deref()))? {
        let name = format!("BM25, then {}", reranker.report().pack.name);
        progress.label = format!("{name}: ");
        found.push((name, queries(arguments, &rows, &settings, Some(&reranker), &progress)?));
    }
    drop(progress);

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

fn queries(
    arguments: &Arguments,
    rows: &[Row],
    settings: &Settings,
    reranker: Option<&Arc<Reranker>>,
    progress: &Progress,
) -> Result<Vec<Query>, CliError> {
    let open = || Ok(FileStorage::new(&arguments.index));
    let work = |storage: &FileStorage, number: usize| {
        let row: &Row = &rows[number];
        let began = std::time::Instant::now();
        block_on(async {
            let index = Index::open(storage).await?;
            let before = index.traffic();
            let retriever = Retriever::new(index, reranker.cloned());
            let found = retriever.retrieve(&row.context, &row.statement, settings, async || Ok(())).await;
            let found = found.map_err(|source| CliError::Line { line: row.line, source })?;
            let after = retriever.index().traffic();
            let passages: Vec<Passage> = found.hits.into_iter().map(|hit| hit.passage).collect();
            Ok(Query {
                recall: arguments
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
    in_order(0..rows.len(), arguments.threads, open, work, |number, query| {
        progress.show_row(number + 1, rows.len(), number + 1);
        progress.interrupted().map_err(VerifyError::from)?;
        found.push(query);
        Ok(())
    })?;
    Ok(found)
}

/// "The ratio of tokens in golden evidence that also appear in" the retrieved passages (guan2024, App. C.2): each word as
/// often as the gold texts have it, in lower case and without punctuation; titles do not count. 1 for gold without words.
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
    use crate::eval::row::passage;

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
