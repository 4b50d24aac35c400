//! The scores of one item, and the run that they are of.

use std::collections::BTreeMap;

use evident_verify::conner::{ConnerReport, Settings};
use evident_verify::{IndexReport, PackReport};
use serde::{Deserialize, Serialize};

use crate::conner::baselines::Baselines;
use crate::conner::items::ScoredItem;
use crate::journal;

/// What the scores of a file's items depend on. Only an equal run can be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Where evidence and random passages came from; `None` without an index.
    pub index: Option<IndexReport>,
    /// Which pack the model of each role is from.
    pub models: BTreeMap<String, PackReport>,
    pub settings: Settings,
    /// Whether the baselines are computed too.
    #[serde(default)]
    pub baselines: bool,
    /// How the knowledge was written, if it was not the items' own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
}

/// The scores of one item, a line of rows.jsonl.
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baselines: Option<Baselines>,
}

impl journal::Record for Record {
    type Row = ScoredItem;

    fn number(&self) -> usize {
        self.row
    }

    fn is_of(&self, row: &ScoredItem) -> bool {
        row.id == self.id && row.line == self.line && row.groups == self.groups
    }
}
