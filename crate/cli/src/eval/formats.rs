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
mod mgs;
mod pubmedqa;
mod scifact;
mod summeval;
mod xsumfaith;

use std::fs::read_to_string;
use std::path::Path;

use clap::ValueEnum;
use serde::de::DeserializeOwned;

use super::row::Row;
use crate::CliError;
use crate::commands::verify::unreadable;

/// The layouts, by the names of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Evident's own: one object a line, see EVAL.md
    Jsonl,
    /// Fool Me Twice
    Fm2,
    /// FEVER as KILT has it (no evidence text)
    Fever,
    /// FEVER-Symmetric
    FeverSymmetric,
    /// Climate-FEVER
    ClimateFever,
    /// SciFact, with corpus.jsonl beside it
    Scifact,
    /// PubMedQA, ori_pqal.json or a test set
    Pubmedqa,
    /// BoolQ-FV: BoolQ's layout with the statement beside the question
    BoolqFv,
    /// FaVIQ
    Faviq,
    /// Factcheck-Bench, claims of answers
    FactcheckBench,
    /// guan2024's model-generated statements (no evidence text)
    Mgs,
    /// FactPrompts, claims of FacTool's knowledge_qa (no evidence text)
    Factprompts,
    /// SummEval, paired with its articles
    Summeval,
    /// Hallucination annotations of XSum summaries, CSV (no evidence text)
    Xsumfaith,
}

impl Format {
    /// The name of `--format`.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Every row of a file, in order.
    ///
    /// # Errors
    /// [`CliError::Unreadable`], and [`CliError::NotARow`] with the line that is not in the layout.
    pub fn read(self, path: &Path) -> Result<Vec<Row>, CliError> {
        match self {
            Self::Jsonl => rows::<jsonl::Line>(path),
            Self::Fm2 => rows::<fm2::Claim>(path),
            Self::Fever => rows::<fever::Claim>(path),
            Self::FeverSymmetric => rows::<fever_symmetric::Pair>(path),
            Self::ClimateFever => rows::<climate_fever::Claim>(path),
            Self::Scifact => scifact::read(path),
            Self::Pubmedqa => pubmedqa::read(path),
            Self::BoolqFv => rows::<boolq_fv::Claim>(path),
            Self::Faviq => rows::<faviq::Claim>(path),
            Self::FactcheckBench => rows::<factcheck_bench::Answer>(path),
            Self::Mgs => rows::<mgs::Statement>(path),
            Self::Factprompts => rows::<factprompts::Answer>(path),
            Self::Summeval => rows::<summeval::Summary>(path),
            Self::Xsumfaith => xsumfaith::read(path),
        }
    }
}

/// A line of a layout of JSON lines.
trait Layout: DeserializeOwned {
    /// Its rows; `line` is its number, from 1, and is filled in by the caller.
    fn rows(self, line: usize) -> Result<Vec<Row>, String>;
}

/// The lines of a file that are not empty, each with its number, from 1.
pub fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<(usize, T)>, CliError> {
    let text = read_to_string(path).map_err(|source| unreadable(path, source))?;
    let filled = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let parse = |(line, number)| match serde_json::from_str(line) {
        Ok(value) => Ok((number, value)),
        Err(error) => Err(not_a_row(path, number, &error.to_string())),
    };
    filled.map(parse).collect()
}

fn rows<T: Layout>(path: &Path) -> Result<Vec<Row>, CliError> {
    let mut found = Vec::new();
    for (number, line) in lines::<T>(path)? {
        let rows = line.rows(number).map_err(|why| not_a_row(path, number, &why))?;
        found.extend(rows.into_iter().map(|row| Row { line: number, ..row }));
    }
    Ok(found)
}

fn not_a_row(path: &Path, line: usize, why: &str) -> CliError {
    CliError::NotARow { path: path.into(), line, why: format!("not in the layout of --format ({why})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a file with this text.
    pub(super) fn read(format: Format, text: &str) -> Result<Vec<Row>, CliError> {
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
        let names: Vec<String> = Format::value_variants().iter().map(|format| format.name()).collect();
        assert_eq!(
            names.join(" "),
            "jsonl fm2 fever fever-symmetric climate-fever scifact pubmedqa boolq-fv faviq factcheck-bench mgs factprompts \
             summeval xsumfaith"
        );
    }

    /// Real files, where they are at hand: every line is read, and the labels are as many as its authors say.
    #[test]
    fn the_published_files_are_read_whole() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
        if !data.exists() {
            println!("skipped: {} is not there (the data sets)", data.display());
            return;
        }
        for (format, file, counts) in [
            (Format::Fm2, "fm2/dev.jsonl", [596, 573, 0, 0]),
            (Format::FeverSymmetric, "fever_symmetric/dev.jsonl", [354, 354, 0, 0]),
            (Format::ClimateFever, "climate_fever/climate-fever.jsonl", [654, 253, 474, 154]),
            (Format::FactcheckBench, "factcheck_bench/answers.jsonl", [232, 68, 0, 21]),
            (Format::Mgs, "mgs/sentcom.jsonl", [129, 43, 21, 0]),
            (Format::Mgs, "mgs/paragen_sent.jsonl", [155, 247, 166, 0]),
            (Format::Mgs, "mgs/paragen_para.jsonl", [8, 76, 9, 0]),
        ] {
            use super::super::row::Label::{Factual, NoEvidence, Unfactual};
            let rows = format.read(&data.join(file)).unwrap();
            let found = [Some(Factual), Some(Unfactual), Some(NoEvidence), None]
                .map(|label| rows.iter().filter(|row| row.label == label).count());
            assert_eq!(found, counts, "{file}");
            assert!(rows.iter().all(|row| !row.statement.is_empty()), "{file}");
        }
    }
}
