//! What was made of one labelled statement, a line of rows.jsonl.

use std::collections::BTreeMap;

use evident_verify::{IndexReport, PackReport, Scores, SentenceReport, Settings, Verdict};
use serde::{Deserialize, Serialize};

use super::baseline::{CONSTANT, knowledge_f1};
use super::row::{Label, Row};
use crate::journal;

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

/// One judged row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// Its number among the labelled rows, from 0.
    pub row: usize,
    /// Its line in the file, from 1.
    pub line: usize,
    pub id: String,
    /// What was judged.
    pub statement: String,
    pub label: Label,
    pub verdict: Verdict,
    /// The T5's p before calibration.
    pub p_factual: f64,
    pub answered_at: Option<usize>,
    /// The T5's calibrated p.
    pub t5: f64,
    /// What the passages say together by the NLI model, from contradiction to entailment.
    pub nli: f64,
    /// Their combination.
    pub both: f64,
    /// 1 - neutral of the most decisive evidence; 0 without evidence.
    pub decisiveness: f64,
    /// How many passages it was judged by.
    pub evidence: usize,
    #[serde(rename = "knowledgeF1")]
    pub knowledge_f1: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paragraph: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, String>,
}

impl Record {
    /// The record of a labelled row; a row without a label counts as one without evidence.
    pub fn of(number: usize, row: &Row, judged: &SentenceReport, scores: Scores) -> Self {
        let decisive = judged.evidence.iter().find(|evidence| evidence.decisive);
        Self {
            row: number,
            line: row.line,
            id: row.id.clone(),
            statement: judged.statement.clone(),
            label: row.label.unwrap_or(Label::NoEvidence),
            verdict: judged.verdict,
            p_factual: judged.p_factual,
            answered_at: judged.answered_at,
            t5: scores.verifier,
            nli: scores.nli,
            both: scores.both,
            decisiveness: decisive.map_or(0.0, |evidence| evidence.nli.decisiveness()),
            evidence: judged.evidence.len(),
            knowledge_f1: knowledge_f1(&judged.statement, judged.evidence.iter().map(|each| each.text.as_str())),
            paragraph: row.paragraph.clone(),
            groups: row.groups.clone(),
        }
    }
}

impl journal::Record for Record {
    type Row = Row;

    fn number(&self) -> usize {
        self.row
    }

    fn is_of(&self, row: &Row) -> bool {
        row.id == self.id && row.label == Some(self.label) && row.line == self.line
    }
}

/// What gives a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Scorer {
    #[serde(rename = "T5")]
    T5,
    #[serde(rename = "NLI")]
    Nli,
    #[serde(rename = "both")]
    Both,
    Constant,
    #[serde(rename = "knowledge F1")]
    KnowledgeF1,
}

impl Scorer {
    /// The models, alone and together.
    pub const MODELS: [Self; 3] = [Self::T5, Self::Nli, Self::Both];
    /// What they must beat.
    pub const BASELINES: [Self; 2] = [Self::Constant, Self::KnowledgeF1];

    pub fn name(self) -> &'static str {
        match self {
            Self::T5 => "T5",
            Self::Nli => "NLI",
            Self::Both => "both",
            Self::Constant => "Constant",
            Self::KnowledgeF1 => "knowledge F1",
        }
    }

    /// The score of a record, 0 to 1.
    pub fn score(self, record: &Record) -> f64 {
        match self {
            Self::T5 => record.t5,
            Self::Nli => record.nli,
            Self::Both => record.both,
            Self::Constant => CONSTANT,
            Self::KnowledgeF1 => record.knowledge_f1,
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A record of which only these things matter.
    pub fn record(row: usize, label: Label, verdict: Verdict, both: f64) -> Record {
        Record {
            row,
            line: row + 1,
            id: row.to_string(),
            statement: "Iron rusts.".into(),
            label,
            verdict,
            p_factual: both,
            answered_at: Some(0),
            t5: both,
            nli: both,
            both,
            decisiveness: (2.0 * both - 1.0).abs(),
            evidence: 1,
            knowledge_f1: 0.25,
            paragraph: None,
            groups: BTreeMap::new(),
        }
    }
}
