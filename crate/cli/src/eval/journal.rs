//! Keeps what was judged, on disk where a folder is given, so that an interrupted run goes on where it stopped.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use evident_verify::{IndexReport, PackReport, Settings};
use serde::{Deserialize, Serialize};

use super::record::Record;
use super::row::Row;
use crate::CliError;
use crate::verify::unreadable;

const ROWS: &str = "rows.jsonl";
const RUN: &str = "run.json";

/// What decides the judgments of a file's rows. Only the same run goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The layout of the file.
    pub format: String,
    /// Where evidence came from; `None` for the rows' own.
    pub index: Option<IndexReport>,
    pub pack: PackReport,
    pub settings: Settings,
}

/// The records of a run, in the order of its rows.
pub struct Journal {
    records: Vec<Record>,
    file: Option<File>,
}

impl Journal {
    /// A journal in a folder, made where it is missing; in memory without one. With `resume` it begins with what an earlier
    /// run of the same kind left there, less a last line that was cut short; without, what is there is overwritten.
    ///
    /// # Errors
    /// [`CliError::Unusable`] and [`CliError::NotARow`] for what another run, or another program, left; [`CliError::Write`].
    pub fn open(folder: Option<&Path>, run: &Run, rows: &[Row], resume: bool) -> Result<Self, CliError> {
        let Some(folder) = folder else { return Ok(Self { records: Vec::new(), file: None }) };
        fs::create_dir_all(folder)?;
        let path = folder.join(ROWS);
        if !resume {
            fs::write(folder.join(RUN), serde_json::to_string_pretty(run).map_err(io::Error::from)? + "\n")?;
            return Ok(Self { records: Vec::new(), file: Some(File::create(&path)?) });
        }
        let kept = fs::read(folder.join(RUN)).map_err(|source| unreadable(&folder.join(RUN), source))?;
        if serde_json::from_slice::<Run>(&kept).ok().as_ref() != Some(run) {
            let why =
                "it holds rows of another format, index, pack or settings: leave --resume out, or use another folder";
            return Err(CliError::Unusable { path: folder.into(), why });
        }
        let bytes = fs::read(&path).map_err(|source| unreadable(&path, source))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let file = OpenOptions::new().append(true).open(&path)?;
        file.set_len(whole as u64)?;
        let mut records = read(&path, &bytes[..whole], rows)?;
        records.truncate(rows.len());
        Ok(Self { records, file: Some(file) })
    }

    /// Keeps one more record. It is kept as it reads back, so that a run that goes on has the very numbers of one that never
    /// stopped.
    ///
    /// # Errors
    /// [`CliError::Write`].
    pub fn append(&mut self, record: Record) -> Result<(), CliError> {
        let line = serde_json::to_string(&record).map_err(io::Error::from)?;
        self.records.push(serde_json::from_str(&line).map_err(io::Error::from)?);
        if let Some(file) = &mut self.file {
            file.write_all((line + "\n").as_bytes())?;
        }
        Ok(())
    }

    /// All records so far.
    pub fn records(&self) -> &[Record] {
        &self.records
    }
}

fn read(path: &Path, bytes: &[u8], rows: &[Row]) -> Result<Vec<Record>, CliError> {
    let not_a_row = |number: usize, why: String| CliError::NotARow { path: path.into(), line: number + 1, why };
    let mut records = Vec::new();
    for (number, line) in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).enumerate() {
        let record: Record = serde_json::from_slice(line).map_err(|error| not_a_row(number, error.to_string()))?;
        let is_of = |row: &Row| row.id == record.id && row.label == Some(record.label) && row.line == record.line;
        if record.row != number || !rows.get(number).is_none_or(is_of) {
            let why = "it is of another file: leave --resume out, or use another folder";
            return Err(not_a_row(number, why.into()));
        }
        records.push(record);
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use evident_verify::Verdict;

    use super::*;
    use crate::eval::record::tests::record;
    use crate::eval::row::Label;

    fn run(evidence: usize) -> Run {
        let pack = PackReport { name: "pack".into(), version: "1".into(), hash: "0".into() };
        Run { format: "jsonl".into(), index: None, pack, settings: Settings { evidence, ..Settings::default() } }
    }

    fn rows() -> Vec<Row> {
        let row = |n: usize| Row { line: n + 1, id: n.to_string(), label: Some(Label::Factual), ..Row::default() };
        (0..3).map(row).collect()
    }

    fn judged(row: usize) -> Record {
        record(row, Label::Factual, Verdict::Factual, 0.1 + 0.2)
    }

    #[test]
    fn a_torn_last_line_is_dropped_and_judged_again() {
        let folder = tempfile::tempdir().unwrap();
        let out = Some(folder.path());
        let mut journal = Journal::open(out, &run(5), &rows(), false).unwrap();
        (0..2).for_each(|row| journal.append(judged(row)).unwrap());
        let kept = journal.records().to_vec();
        let path = folder.path().join(ROWS);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend(b"{\"row\": 2, \"li");
        fs::write(&path, bytes).unwrap();

        let mut journal = Journal::open(out, &run(5), &rows(), true).unwrap();
        assert_eq!(journal.records(), kept);
        journal.append(judged(2)).unwrap();
        assert_eq!(Journal::open(out, &run(5), &rows(), true).unwrap().records(), journal.records());
        assert_eq!(Journal::open(out, &run(5), &rows()[..1], true).unwrap().records(), &kept[..1]);
        assert!(Journal::open(out, &run(5), &rows(), false).unwrap().records().is_empty(), "it starts over");
    }

    #[test]
    fn another_run_or_file_does_not_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let out = Some(folder.path());
        assert!(Journal::open(out, &run(5), &rows(), true).is_err(), "there is nothing to go on from");
        let mut journal = Journal::open(out, &run(5), &rows(), false).unwrap();
        journal.append(judged(0)).unwrap();
        let error = Journal::open(out, &run(6), &rows(), true).err().unwrap();
        assert!(error.code() == "bad-input" && error.to_string().contains("leave --resume out"), "{error}");
        let error = Journal::open(out, &run(5), &rows()[1..], true).err().unwrap();
        assert!(error.to_string().contains("rows.jsonl line 1: it is of another file"), "{error}");
    }
}
