//! Pearson's r of scores and labels, by the number of passages that a statement is judged by.

use std::path::PathBuf;

use evident_verify::{Scores, Settings, SharedModels};
use futures_lite::future::block_on;

use crate::error::EvalError;
use crate::measures::{Labelled, Measures};
use crate::monitor::Monitor;
use crate::rows::formats::Format;
use crate::rows::row::{Label, LabelledRow};
use crate::statements::row_judge::RowJudge;
use crate::statements::scorer::Scorer;
use crate::table::{percent, table};
use crate::workers::in_order;

/// What to judge, and by which numbers of passages.
pub struct Curve {
    /// The file of labelled statements.
    pub file: PathBuf,
    /// Its layout.
    pub format: Format,
    /// The folder of the index.
    pub index: PathBuf,
    /// The numbers of passages.
    pub k: Vec<usize>,
    /// How many labelled statements are judged, from the first; `None` for all.
    pub limit: Option<usize>,
    /// How many statements are judged at once. The numbers do not depend on it.
    pub threads: usize,
    /// How they are judged; `k` replaces its number of passages.
    pub settings: Settings,
}

/// The statements of a file, read.
pub struct CurveRows {
    rows: Vec<LabelledRow>,
    /// The settings with each number of passages.
    settings: Vec<Settings>,
}

impl Curve {
    /// Reads the labelled statements.
    ///
    /// # Errors
    /// [`EvalError::Unreadable`], [`EvalError::BadLine`] and [`EvalError::Unusable`]; [`EvalError::Verify`] for a
    /// number of passages out of its range.
    pub fn read(&self) -> Result<CurveRows, EvalError> {
        let with = |&evidence: &usize| Settings { evidence, ..self.settings.clone() };
        let settings: Vec<Settings> = self.k.iter().map(with).collect();
        settings.iter().try_for_each(Settings::validate)?;
        let mut rows = self.format.read(&self.file)?;
        rows.retain(|row| row.label.is_some());
        rows.truncate(self.limit.unwrap_or(usize::MAX));
        if rows.is_empty() {
            return Err(EvalError::Unusable {
                path: self.file.clone(),
                why: "there is no labelled statement to judge",
            });
        }
        Ok(CurveRows { rows, settings })
    }

    /// Judges the statements with each number of passages, and returns the table.
    ///
    /// # Errors
    /// Any [`EvalError`].
    pub fn measure<M: Monitor>(
        &self,
        CurveRows { rows, settings }: &CurveRows,
        models: &SharedModels,
        monitor: &M,
    ) -> Result<String, EvalError> {
        let open = || block_on(RowJudge::open(Some(&self.index), models));
        let work = |judge: &RowJudge, number: usize| {
            let (row, settings) = (&rows[number / settings.len()], &settings[number % settings.len()]);
            let judged = block_on(judge.judge(row, settings, &M::quiet()));
            Ok(models.judge.scores(&judged.map_err(|source| EvalError::Row { line: row.line, source })?, settings))
        };
        let (mut scores, of) = (vec![Vec::new(); settings.len()], rows.len() * settings.len());
        in_order(0..of, self.threads, open, work, |number, judged| {
            monitor.show_row(number + 1, of, number + 1);
            scores[number % settings.len()].push(judged);
            Ok(())
        })?;

        let asked = scores.iter().flatten().any(|scores: &Scores| scores.verifier.is_some());
        let scorers = match (asked, self.settings.asks_nli()) {
            (true, true) => Scorer::MODELS.to_vec(),
            (true, false) => vec![Scorer::T5],
            (false, _) => vec![Scorer::Nli],
        };
        let r = |scorer: Scorer| {
            let measured = scores.iter().map(|scores| {
                let judged = scores.iter().zip(rows).map(|(scores, row)| {
                    let p = match scorer {
                        Scorer::T5 => scores.verifier.unwrap_or(0.5),
                        Scorer::Nli => scores.nli,
                        _ => scores.both,
                    };
                    Labelled { p, factual: row.label == Some(Label::Factual) }
                });
                percent(Measures::of(&judged.collect::<Vec<_>>()).r)
            });
            std::iter::once(scorer.name().to_owned()).chain(measured).collect()
        };
        let columns: Vec<String> = self.k.iter().map(ToString::to_string).collect();
        let columns: Vec<&str> = std::iter::once("Passages").chain(columns.iter().map(String::as_str)).collect();
        let by = models
            .rerank()
            .cloned()
            .map_or_else(|| "BM25".to_owned(), |report| format!("BM25, then {}", report.pack.name));
        Ok(format!(
            "Pearson's r, in per cent, of {} statements by the number of passages that {by} finds (guan2024, Tab. 16).\n\n{}\n",
            rows.len(),
            table(&columns, scorers.into_iter().map(r))
        ))
    }
}
