//! The layouts that labelled statements are published in, one module each, and their rows in one form.

mod boolq_fv;
mod climate_fever;
mod factcheck_bench;
mod factprompts;
mod faviq;
mod fever;
mod fever_symmetric;
mod fm2;
mod jsonl;
mod llm_aggrefact;
mod mgs;
mod pubmedqa;
mod scifact;
mod summeval;
mod xsumfaith;

use std::fs::read_to_string;
use std::path::Path;

use evident_base::json_lines;
use serde::de::DeserializeOwned;

use crate::error::{EvalError, unreadable};
use crate::rows::row::LabelledRow;

pub(crate) use llm_aggrefact::DATASET;

/// What is wrong with a line of another layout.
pub(crate) const WRONG_LAYOUT: &str = "not in the layout of --format";

/// Declares the layouts: the help text, the name and the reader of each.
macro_rules! formats {
    ($(#[doc = $help:literal] $Format:ident $name:literal => $read:expr,)+) => {
        /// The layouts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
        pub enum Format {
            $(
                #[doc = $help]
                #[cfg_attr(feature = "clap", value(name = $name))]
                $Format,
            )+
        }

        impl Format {
            /// All layouts.
            pub const ALL: &[Self] = &[$(Self::$Format),+];

            /// Its name, as reports have it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$Format => $name,)+
                }
            }

            /// Every row of a file, in order.
            ///
            /// # Errors
            /// [`EvalError::Unreadable`]; [`EvalError::BadLine`] with the line that is not in the layout.
            pub fn read(self, path: &Path) -> Result<Vec<LabelledRow>, EvalError> {
                match self {
                    $(Self::$Format => $read(path),)+
                }
            }
        }
    };
}

formats! {
    /// Evident's own: one object a line, see EVAL.md
    Jsonl "jsonl" => rows::<jsonl::Line>,
    /// Fool Me Twice
    Fm2 "fm2" => rows::<fm2::Claim>,
    /// FEVER as KILT has it (no evidence text)
    Fever "fever" => rows::<fever::Claim>,
    /// FEVER-Symmetric
    FeverSymmetric "fever-symmetric" => rows::<fever_symmetric::Pair>,
    /// Climate-FEVER
    ClimateFever "climate-fever" => rows::<climate_fever::Claim>,
    /// SciFact, with corpus.jsonl beside it
    Scifact "scifact" => scifact::read,
    /// PubMedQA, ori_pqal.json or a test set
    Pubmedqa "pubmedqa" => pubmedqa::read,
    /// BoolQ-FV: BoolQ's layout with the statement beside the question
    BoolqFv "boolq-fv" => rows::<boolq_fv::Claim>,
    /// FaVIQ
    Faviq "faviq" => rows::<faviq::Claim>,
    /// Factcheck-Bench, claims of answers
    FactcheckBench "factcheck-bench" => rows::<factcheck_bench::Answer>,
    /// guan2024's model-generated statements (no evidence text)
    Mgs "mgs" => rows::<mgs::Statement>,
    /// FactPrompts, claims of FacTool's knowledge_qa (no evidence text)
    Factprompts "factprompts" => rows::<factprompts::Answer>,
    /// SummEval, paired with its articles
    Summeval "summeval" => rows::<summeval::Summary>,
    /// Hallucination annotations of XSum summaries, CSV (no evidence text)
    Xsumfaith "xsumfaith" => xsumfaith::read,
    /// LLM-AggreFact, JSON lines or CSV; each document in chunks, of which the best counts
    LlmAggrefact "llm-aggrefact" => llm_aggrefact::read,
}

/// A line of a layout of JSON lines.
trait LineFormat: DeserializeOwned {
    /// Its rows; `line` is its number, from 1, and is filled in by the caller.
    fn rows(self, line: usize) -> Result<Vec<LabelledRow>, String>;
}

fn rows<T: LineFormat>(path: &Path) -> Result<Vec<LabelledRow>, EvalError> {
    let mut found = Vec::new();
    for (number, line) in json_lines::<T>(path, WRONG_LAYOUT)? {
        let rows = line.rows(number).map_err(|why| bad_line(path, number, &why))?;
        found.extend(rows.into_iter().map(|row| LabelledRow { line: number, ..row }));
    }
    Ok(found)
}

/// For each record of a CSV file, its line, from 1, and its fields in these columns. The first line names the columns.
fn csv_records<const N: usize>(path: &Path, columns: [&str; N]) -> Result<Vec<(usize, [String; N])>, EvalError> {
    let text = read_to_string(path).map_err(unreadable(path))?;
    let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let broken = |error: csv::Error| {
        let line = error.position().map_or(1, |at| at.line() as usize);
        bad_line(path, line, &error.to_string())
    };
    let head = reader.headers().map_err(broken)?.clone();
    let mut places = [0; N];
    for (place, name) in places.iter_mut().zip(columns) {
        let found = head.iter().position(|column| column == name);
        *place = found.ok_or_else(|| bad_line(path, 1, &format!("there is no column {name}")))?;
    }
    let fields = |record: csv::StringRecord| {
        (record.position().map_or(1, |at| at.line() as usize), places.map(|place| record[place].to_owned()))
    };
    reader.records().map(|record| record.map(fields).map_err(broken)).collect()
}

fn bad_line(path: &Path, line: usize, why: &str) -> EvalError {
    EvalError::BadLine { path: path.into(), line, why: format!("{WRONG_LAYOUT} ({why})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a file with this text.
    pub(super) fn read(format: Format, text: &str) -> Result<Vec<LabelledRow>, EvalError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        std::fs::write(&path, text).unwrap();
        format.read(&path)
    }

    #[test]
    fn an_error_names_the_file_and_the_line() {
        let error = read(Format::Fm2, "\n{\"text\": \"Iron rusts.\"}\n").unwrap_err();
        assert_eq!(error.code(), "bad-input");
        let message = error.to_string();
        assert!(message.contains("rows line 2: not in the layout of --format"), "{message}");
        assert!(Format::Fm2.read(Path::new("no/such/file")).is_err());
    }

    #[test]
    fn formats_have_the_published_names() {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        assert_eq!(
            names.join(" "),
            "jsonl fm2 fever fever-symmetric climate-fever scifact pubmedqa boolq-fv faviq factcheck-bench mgs factprompts \
             summeval xsumfaith llm-aggrefact"
        );
    }

    /// Every line of the published files is read, and the numbers of labels are those that the authors state.
    #[test]
    #[ignore = "needs the data sets in ../shared/data"]
    fn published_files_in_shared_data_are_read_whole() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
        for (format, file, counts) in [
            (Format::Fm2, "fm2/dev.jsonl", [596, 573, 0, 0]),
            (Format::FeverSymmetric, "fever_symmetric/dev.jsonl", [354, 354, 0, 0]),
            (Format::ClimateFever, "climate_fever/climate-fever.jsonl", [654, 253, 474, 154]),
            (Format::FactcheckBench, "factcheck_bench/answers.jsonl", [232, 68, 0, 21]),
            (Format::Mgs, "mgs/sentcom.jsonl", [129, 43, 21, 0]),
            (Format::Mgs, "mgs/paragen_sent.jsonl", [155, 247, 166, 0]),
            (Format::Mgs, "mgs/paragen_para.jsonl", [8, 76, 9, 0]),
        ] {
            use crate::rows::row::Label::{Factual, NoEvidence, Unfactual};
            let rows = format.read(&data.join(file)).unwrap();
            let found = [Some(Factual), Some(Unfactual), Some(NoEvidence), None]
                .map(|label| rows.iter().filter(|row| row.label == label).count());
            assert_eq!(found, counts, "{file}");
            assert!(rows.iter().all(|row| !row.statement.is_empty()), "{file}");
        }
    }
}
