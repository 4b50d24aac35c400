//! Keeps the records of a run, on disk where a folder is given, so that an interrupted run can be resumed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use evident_base::open_to_write;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{EvalError, unreadable, unwritable};
use crate::output::write;

const ROWS: &str = "rows.jsonl";
const RUN: &str = "run.json";

/// The result for one row, a line of rows.jsonl.
pub trait Record: Serialize + DeserializeOwned {
    /// The row that it is the result for.
    type Row;

    /// The number of its row, from 0.
    fn number(&self) -> usize;

    /// Whether it is the result for this row.
    fn is_of(&self, row: &Self::Row) -> bool;
}

/// The records of a run, in the order of its rows.
pub struct Journal<R> {
    records: Vec<R>,
    file: Option<File>,
}

impl<R: Record> Journal<R> {
    /// A journal in a folder, which is created if it is missing; without a folder, a journal in memory. `run` is all
    /// that the records depend on besides the rows, and `first` is the number of the first of `rows`. With `resume` the
    /// journal begins with the records that an equal run left there, without a last line that was cut short; without
    /// `resume` these are overwritten.
    ///
    /// # Errors
    /// [`EvalError::Unusable`] and [`EvalError::BadLine`] if `resume` finds files of another run or program;
    /// [`EvalError::Write`] and [`EvalError::Unwritable`].
    pub fn open<Run>(
        folder: Option<&Path>,
        run: &Run,
        first: usize,
        rows: &[R::Row],
        resume: bool,
    ) -> Result<Self, EvalError>
    where
        Run: PartialEq + Serialize + DeserializeOwned,
    {
        let Some(folder) = folder else { return Ok(Self { records: Vec::new(), file: None }) };
        fs::create_dir_all(folder)?;
        let path = folder.join(ROWS);
        if !resume {
            write(folder, RUN, &(serde_json::to_string_pretty(run).map_err(io::Error::from)? + "\n"))?;
            let file = open_to_write(&path, File::options().write(true).create(true).truncate(true));
            return Ok(Self { records: Vec::new(), file: Some(file.map_err(unwritable(&path))?) });
        }
        let kept = fs::read(folder.join(RUN)).map_err(unreadable(&folder.join(RUN)))?;
        if serde_json::from_slice::<Run>(&kept).ok().as_ref() != Some(run) {
            let why =
                "it holds rows of another format, index, models or settings: leave --resume out, or use another folder";
            return Err(EvalError::Unusable { path: folder.into(), why });
        }
        let bytes = fs::read(&path).map_err(unreadable(&path))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let file = open_to_write(&path, File::options().append(true)).map_err(unwritable(&path))?;
        file.set_len(whole as u64)?;
        let mut records = read(&path, &bytes[..whole], first, rows)?;
        records.truncate(rows.len());
        Ok(Self { records, file: Some(file) })
    }

    /// Adds a record. In memory it is kept as it reads back from JSON, so that a resumed run has exactly the numbers of
    /// one that was not interrupted.
    ///
    /// # Errors
    /// [`EvalError::Write`].
    pub fn append(&mut self, record: R) -> Result<(), EvalError> {
        let line = serde_json::to_string(&record).map_err(io::Error::from)?;
        self.records.push(serde_json::from_str(&line).map_err(io::Error::from)?);
        if let Some(file) = &mut self.file {
            file.write_all((line + "\n").as_bytes())?;
        }
        Ok(())
    }

    /// All records, at the end.
    pub fn into_records(self) -> Vec<R> {
        self.records
    }

    /// All records so far.
    pub fn records(&self) -> &[R] {
        &self.records
    }
}

fn read<R: Record>(path: &Path, bytes: &[u8], first: usize, rows: &[R::Row]) -> Result<Vec<R>, EvalError> {
    let bad_line = |number: usize, why: String| EvalError::BadLine { path: path.into(), line: number + 1, why };
    let mut records = Vec::new();
    for (number, line) in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).enumerate() {
        let record: R = serde_json::from_slice(line).map_err(|error| bad_line(number, error.to_string()))?;
        if record.number() != first + number || !rows.get(number).is_none_or(|row| record.is_of(row)) {
            let why = "it is of another file: leave --resume out, or use another folder";
            return Err(bad_line(number, why.into()));
        }
        records.push(record);
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Judged {
        row: usize,
        id: String,
        score: f64,
    }

    impl Record for Judged {
        type Row = String;

        fn number(&self) -> usize {
            self.row
        }

        fn is_of(&self, row: &String) -> bool {
            self.id == *row
        }
    }

    /// The journal of the run `5`.
    fn open(folder: &Path, rows: &[String], resume: bool) -> Result<Journal<Judged>, EvalError> {
        Journal::open(Some(folder), &5, 0, rows, resume)
    }

    fn rows() -> Vec<String> {
        (0..3).map(|n| n.to_string()).collect()
    }

    fn judged(row: usize) -> Judged {
        Judged { row, id: row.to_string(), score: 0.1 + 0.2 }
    }

    #[test]
    fn a_torn_last_line_is_dropped_and_judged_again() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let mut journal = open(out, &rows(), false).unwrap();
        (0..2).for_each(|row| journal.append(judged(row)).unwrap());
        let kept = journal.records().to_vec();
        let path = folder.path().join(ROWS);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend(b"{\"row\": 2, \"li");
        fs::write(&path, bytes).unwrap();

        let mut journal = open(out, &rows(), true).unwrap();
        assert_eq!(journal.records(), kept);
        journal.append(judged(2)).unwrap();
        assert_eq!(open(out, &rows(), true).unwrap().records(), journal.records());
        assert_eq!(open(out, &rows()[..1], true).unwrap().records(), &kept[..1]);
        assert!(open(out, &rows(), false).unwrap().records().is_empty(), "it starts over");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_a_file_is_refused_and_its_target_stays() {
        let target = tempfile::NamedTempFile::new().unwrap();
        let kept = || fs::read_to_string(target.path()).unwrap();
        for name in [RUN, ROWS] {
            let folder = tempfile::tempdir().unwrap();
            open(folder.path(), &rows(), false).unwrap().append(judged(0)).unwrap();
            let path = folder.path().join(name);
            fs::rename(&path, target.path()).unwrap();
            std::os::unix::fs::symlink(target.path(), &path).unwrap();
            let before = kept();
            for resume in [false, true] {
                match open(folder.path(), &rows(), resume) {
                    Err(error) => {
                        assert!(error.to_string().contains(&format!("{name} could not be written")), "{error}")
                    }
                    Ok(_) => assert!(resume && name == RUN, "{name} is written"),
                }
                assert_eq!(kept(), before);
            }
        }
    }

    #[test]
    fn another_run_or_file_does_not_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        assert!(open(out, &rows(), true).is_err(), "there is nothing to go on from");
        let mut journal = open(out, &rows(), false).unwrap();
        journal.append(judged(0)).unwrap();
        let error = Journal::<Judged>::open(Some(out), &6, 0, &rows(), true).err().unwrap();
        assert!(error.code() == "bad-input" && error.to_string().contains("leave --resume out"), "{error}");
        let error = open(out, &rows()[1..], true).err().unwrap();
        assert!(error.to_string().contains("rows.jsonl line 1: it is of another file"), "{error}");
    }
}
