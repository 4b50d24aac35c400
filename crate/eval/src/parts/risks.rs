//! How each risk flag relates to people's labels. The lift of a flag is the share of flagged sentences that are not
//! factual, divided by that of all sentences.

use std::path::Path;

use evident_index::{FileStorage, Index, Limits};
use evident_verify::{Risk, Settings, risks, stand_alone};
use futures_lite::future::block_on;

use crate::error::EvalError;
use crate::measures::{Bootstrap, Labelled};
use crate::rows::contexts::after_not_factual;
use crate::rows::formats::Format;
use crate::rows::row::{Label, LabelledRow};
use crate::table::{percent, table};

/// Flags the labelled statements of a file, and returns a table of each flag's lift. Without an index no name is
/// flagged as rare.
///
/// # Errors
/// Any [`EvalError`].
pub fn measure(file: &Path, format: Format, index: Option<&Path>, settings: &Settings) -> Result<String, EvalError> {
    let rows: Vec<LabelledRow> = format.read(file)?.into_iter().filter(|row| row.label.is_some()).collect();
    if rows.is_empty() {
        return Err(EvalError::Unusable { path: file.into(), why: "there is no labelled statement to flag" });
    }
    let index = match index {
        Some(folder) => Some(block_on(Index::open(FileStorage::new(folder)))?),
        None => None,
    };
    let mut flagged = Vec::with_capacity(rows.len());
    for (row, follows) in rows.iter().zip(after_not_factual(&rows)) {
        let statement = stand_alone(&row.statement, &row.context, row.question.as_deref(), settings);
        let found = match &index {
            Some(index) => Some(block_on(index.find(&statement, 1, Limits::default()))?),
            None => None,
        };
        let mut risks = risks(&statement, found.as_ref().map(|found| &found.frequencies));
        risks.extend(follows.then_some(Risk::AfterUnfactual));
        flagged.push(risks);
    }

    let of = |risk| rows.iter().zip(&flagged).map(move |(row, risks)| (row.label, risks.contains(&risk)));
    let cells = Risk::ALL.into_iter().map(|risk| {
        let share = |with: bool, label: Label| {
            let labels: Vec<_> = of(risk).filter(|(_, flag)| *flag == with).map(|(label, _)| label).collect();
            let n = labels.iter().filter(|&&other| other == Some(label)).count();
            percent((!labels.is_empty()).then(|| n as f64 / labels.len() as f64))
        };
        let three = |with| Label::ALL.map(|label| share(with, label)).join(" / ");
        // The score is 1 with the flag and 0 without it.
        let judged = of(risk)
            .map(|(label, flag)| Labelled { p: f64::from(u8::from(flag)), factual: label == Some(Label::Factual) });
        let judged: Vec<Labelled> = judged.collect();
        let interval = Bootstrap::default().interval(&judged, lift);
        let interval = interval.map_or_else(String::new, |of| format!(" ({:.2} to {:.2})", of.low, of.high));
        vec![
            risk.in_words().to_owned(),
            of(risk).filter(|(_, flag)| *flag).count().to_string(),
            three(true),
            three(false),
            lift(&judged).map_or_else(|| "N/A".to_owned(), |lift| format!("{lift:.2}{interval}")),
        ]
    });
    let base = rows.iter().filter(|row| row.label != Some(Label::Factual)).count() as f64 / rows.len() as f64;
    let columns = ["flag", "n", "with it: factual / unfactual / no evidence", "without it", "lift"];
    Ok(format!(
        "{} labelled statements, {} % not factual. Shares in per cent. Lift: the share that is not factual among those with \
         the flag, divided by that of all, with its 95 % interval.\n\n{}\n",
        rows.len(),
        percent(Some(base)),
        table(&columns, cells)
    ))
}

/// P(not factual | flagged) / P(not factual).
fn lift(rows: &[Labelled]) -> Option<f64> {
    let share = |rows: &mut dyn Iterator<Item = &Labelled>| {
        let (n, not) = rows.fold((0, 0), |(n, not), row| (n + 1, not + usize::from(!row.factual)));
        (n > 0).then(|| not as f64 / f64::from(n))
    };
    let base = share(&mut rows.iter())?;
    let flagged = share(&mut rows.iter().filter(|row| row.p > 0.5))?;
    (base > 0.0).then(|| flagged / base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lift_compares_flagged_rows_with_all() {
        let rows = |rows: &[(f64, bool)]| rows.iter().map(|&(p, factual)| Labelled { p, factual }).collect::<Vec<_>>();
        assert_eq!(lift(&rows(&[(1.0, false), (0.0, true)])), Some(2.0));
        assert_eq!(lift(&rows(&[(1.0, true), (1.0, false), (0.0, false), (0.0, false)])), Some(0.5 / 0.75));
        assert_eq!(lift(&rows(&[(0.0, false)])), None, "none is flagged");
        assert_eq!(lift(&rows(&[(1.0, true)])), None, "none is not factual");
    }
}
