//! LLM-AggreFact (Tang et al. 2024, "MiniCheck"): dev or test of lytang/LLM-AggreFact, as JSON lines or, where the
//! file's name ends in .csv, as CSV, with `dataset`, `doc`, `claim` and `label`, 1 where the document supports the
//! claim. The evidence is the document in chunks, each read by itself.

use std::path::Path;

use evident_base::json_lines;
use serde::Deserialize;

use crate::error::EvalError;
use crate::rows::chunks::chunks;
use crate::rows::formats::{WRONG_LAYOUT, bad_line, csv_records};
use crate::rows::row::{Label, LabelledRow, group, passage};

/// The group of a row's data set, by which balanced accuracy is reported.
pub const DATASET: &str = "dataset";

#[derive(Deserialize)]
struct Pair {
    dataset: String,
    doc: String,
    claim: String,
    label: u8,
}

pub fn read(path: &Path) -> Result<Vec<LabelledRow>, EvalError> {
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) {
        return json_lines::<Pair>(path, WRONG_LAYOUT)?.into_iter().map(|(line, pair)| pair.row(path, line)).collect();
    }
    let row = |(line, [dataset, doc, claim, label]): (usize, [String; 4])| {
        let label = label.trim().parse().map_err(|_| wrong(path, line, &label))?;
        Pair { dataset, doc, claim, label }.row(path, line)
    };
    csv_records(path, [DATASET, "doc", "claim", "label"])?.into_iter().map(row).collect()
}

impl Pair {
    fn row(self, path: &Path, line: usize) -> Result<LabelledRow, EvalError> {
        let label = match self.label {
            0 => Label::Unfactual,
            1 => Label::Factual,
            other => return Err(wrong(path, line, &other.to_string())),
        };
        let evidence = (1..).zip(chunks(&self.doc)).map(|(number, text)| passage(number.to_string(), "", text));
        Ok(LabelledRow {
            line,
            id: line.to_string(),
            statement: self.claim,
            label: Some(label),
            evidence: evidence.collect(),
            apart: true,
            groups: group(DATASET, self.dataset),
            ..LabelledRow::default()
        })
    }
}

fn wrong(path: &Path, line: usize, label: &str) -> EvalError {
    bad_line(path, line, &format!("the label is {label:?}: write 1 for a claim that is supported, and 0 for another"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::formats::Format;

    const JSONL: &str = r#"{"dataset": "RAGTruth", "doc": "Iron rusts.\nTin does not.", "claim": "Iron rusts.", "label": 1, "contamination_identifier": "x"}
{"dataset": "Wice", "doc": "Tin is soft.", "claim": "Tin is \"hard\", they say.", "label": 0, "contamination_identifier": "x"}
"#;
    const CSV: &str = "dataset,doc,claim,label,contamination_identifier\n\
        RAGTruth,\"Iron rusts.\nTin does not.\",Iron rusts.,1,x\n\
        Wice,Tin is soft.,\"Tin is \"\"hard\"\", they say.\",0,x\n";

    fn read_named(name: &str, text: &str) -> Result<Vec<LabelledRow>, EvalError> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(name), text).unwrap();
        Format::LlmAggrefact.read(&directory.path().join(name))
    }

    #[test]
    fn lines_of_json_and_csv_are_the_same_rows() {
        let rows = read_named("test.jsonl", JSONL).unwrap();
        assert_eq!(rows[0].evidence, [passage("1", "", "Iron rusts.\nTin does not.")]);
        assert_eq!((rows[0].label, rows[1].label), (Some(Label::Factual), Some(Label::Unfactual)));
        assert_eq!((rows[1].groups[DATASET].as_str(), rows[1].apart), ("Wice", true));
        let same = |row: &LabelledRow| LabelledRow { line: 0, id: String::new(), ..row.clone() };
        let csv: Vec<_> = read_named("test.CSV", CSV).unwrap().iter().map(same).collect();
        assert_eq!(csv, rows.iter().map(same).collect::<Vec<_>>());
    }

    #[test]
    fn another_label_or_layout_is_an_error_with_its_line() {
        let error = read_named("a.jsonl", &JSONL.replace("\"label\": 0", "\"label\": 2")).unwrap_err().to_string();
        assert!(error.contains("a.jsonl line 2: ") && error.contains("the label is \"2\": write 1"), "{error}");
        let error = read_named("a.csv", &CSV.replace(",0,", ",no,")).unwrap_err().to_string();
        assert!(error.contains("a.csv line 4: ") && error.contains("the label is \"no\""), "{error}");
        let error = read_named("a.csv", "dataset,doc\n").unwrap_err().to_string();
        assert!(error.contains("there is no column claim"), "{error}");
    }
}
