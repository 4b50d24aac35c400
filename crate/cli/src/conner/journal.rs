//! Keeps what was scored, on disk where a folder is given, so that an interrupted run goes on where it stopped.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use evident_verify::conner::{ConnerReport, Settings};
use evident_verify::{IndexReport, PackReport};
use serde::{Deserialize, Serialize};

use super::rows::Row;
use crate::CliError;
use crate::verify::unreadable;

const ROWS: &str = "rows.jsonl";
const RUN: &str = "run.json";

/// What decides the scores of a file's items. Only the same run goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Where evidence and random passages came from; `None` without an index.
    pub index: Option<IndexReport>,
    /// Which pack the model of each role is from.
    pub models: BTreeMap<String, PackReport>,
    pub settings: Settings,
}

/// What was made of one item, a line of rows.jsonl.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its number among the items, from 0.
    pub row: usize,
    /// Its line in the file, from 1.
    pub line: usize,
    pub id: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, String>,
    #[serde(flatten)]
    pub report: ConnerReport,
}

/// The records of a run, in the order of its items.
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
            let why = "it holds items of another index, models or settings: leave --resume out, or use another folder";
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
        let is_of = |row: &Row| row.id == record.id && row.line == record.line && row.groups == record.groups;
        if record.row != number || !rows.get(number).is_none_or(is_of) {
            let why = "it is of another file: leave --resume out, or use another folder";
            return Err(not_a_row(number, why.into()));
        }
        records.push(record);
    }
    Ok(records)
}
