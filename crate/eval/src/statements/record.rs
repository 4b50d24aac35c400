//! The judgment of one labelled statement, a line of rows.jsonl.

use std::collections::BTreeMap;

use evident_verify::{
    Decider, IndexReport, Judge, PackReport, Preset, RerankReport, ScoreBy, SentenceReport, Settings, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::journal;
use crate::measures::Labelled;
use crate::rows::row::{Label, LabelledRow};
use crate::rows::unit::Unit;
use crate::statements::baselines::knowledge_f1;
use crate::statements::evidence::EvidenceMode;
use crate::statements::scorer::{CONSTANT, Scorer};

/// What the judgments of a file's rows depend on. Only an equal run can be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The layout of the file.
    pub format: String,
    /// What evidence the statements had.
    pub evidence: EvidenceMode,
    /// The index that it came from; `None` without one.
    pub index: Option<IndexReport>,
    /// The re-ranker of its passages; `None` for BM25 alone.
    pub rerank: Option<RerankReport>,
    /// What was judged at once.
    pub unit: Unit,
    /// The seed of random passages.
    pub seed: u64,
    /// Whether the baselines were computed.
    pub baselines: bool,
    /// The language model of the perplexity.
    pub lm: Option<PackReport>,
    pub pack: PackReport,
    /// The packs of the models that are from another.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<Decider, PackReport>,
    pub settings: Settings,
}

impl Run {
    /// Whether statements labelled no evidence are left out, as guan2024 does with FEVER and SciFact (Sec. 4.1), "since
    /// the factuality is unknowable".
    pub fn leaves_out_no_evidence(&self) -> bool {
        leaves_out_no_evidence(&self.format, &self.settings)
    }
}

/// See [`Run::leaves_out_no_evidence`].
pub fn leaves_out_no_evidence(format: &str, settings: &Settings) -> bool {
    settings.preset == Preset::Paper && ["fever", "fever-symmetric", "climate-fever", "scifact"].contains(&format)
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
    /// The T5's p before calibration; `None` where it was not asked.
    pub p_factual: Option<f64>,
    pub answered_at: Option<usize>,
    /// The T5's calibrated p.
    pub t5: Option<f64>,
    /// The NLI model's score over all passages, from 0 for contradiction to 1 for entailment; `None` where it was not
    /// asked.
    pub nli: Option<f64>,
    /// The combination of `t5` and `nli`.
    pub both: f64,
    /// The NLI model's and the combined score without the pack's temperatures and bias; the T5's is `p_factual`.
    pub nli_before: Option<f64>,
    pub both_before: f64,
    /// The verdicts by the T5's score alone and by the NLI model's alone.
    pub t5_verdict: Option<Verdict>,
    pub nli_verdict: Option<Verdict>,
    /// 1 - neutral of the passage that decides most; 0 without evidence.
    pub decisiveness: f64,
    /// How many passages it was judged by.
    pub evidence: usize,
    #[serde(rename = "knowledgeF1")]
    pub knowledge_f1: f64,
    /// The T5's calibrated p by each wording of the question; empty unless all were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wordings: Vec<f64>,
    /// The scores of the baselines that need models; empty unless they were asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub baselines: BTreeMap<Scorer, f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paragraph: Option<String>,
    /// The share of the paragraph that is factual, where it was judged as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// The labels that several people gave it; empty if they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, String>,
}

impl Record {
    /// The record of a labelled row; a row without a label counts as one without evidence.
    pub fn of(number: usize, row: &LabelledRow, judged: &SentenceReport, judge: &Judge, settings: &Settings) -> Self {
        let (scores, before) = (judge.scores(judged, settings), judge.scores_before_calibration(judged, settings));
        let verdict = |score, by| judge.verdict(judged, score, by, settings);
        let read = judged.evidence.iter().filter_map(|evidence| evidence.nli);
        let by_nli = settings.asks_nli();
        let decisiveness = read.map(|nli| nli.decisiveness()).fold(0.0, f64::max);
        Self {
            row: number,
            line: row.line,
            id: row.id.clone(),
            statement: judged.statement.clone(),
            label: row.label.unwrap_or(Label::NoEvidence),
            verdict: judged.sure_verdict(),
            p_factual: judged.p_factual,
            answered_at: judged.answered_at,
            t5: scores.verifier,
            nli: by_nli.then_some(scores.nli),
            both: scores.both,
            nli_before: by_nli.then_some(before.nli),
            both_before: before.both,
            t5_verdict: scores.verifier.map(|score| verdict(score, ScoreBy::Verifier)),
            nli_verdict: by_nli.then(|| verdict(scores.nli, ScoreBy::Nli)),
            decisiveness,
            evidence: judged.evidence.len(),
            knowledge_f1: knowledge_f1(&judged.statement, judged.evidence.iter().map(|each| each.text.as_str())),
            wordings: judged.wordings.iter().map(|each| judge.calibrated(each, settings)).collect(),
            baselines: BTreeMap::new(),
            paragraph: row.paragraph.clone(),
            share: row.share,
            labels: row.labels.clone(),
            groups: row.groups.clone(),
        }
    }

    /// The record of a row of which each sentence was judged: its scores are their means (guan2024, Tab. 7, Para), and
    /// its verdict is unfactual where one of theirs is, factual where all are, and else no evidence (Sec. 3). `None`
    /// without parts.
    pub fn mean(row: &LabelledRow, parts: &[Self]) -> Option<Self> {
        let mean = |of: &dyn Fn(&Self) -> f64| parts.iter().map(of).sum::<f64>() / parts.len() as f64;
        let mean_of = |of: &dyn Fn(&Self) -> Option<f64>| {
            let values: Option<Vec<f64>> = parts.iter().map(of).collect();
            values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
        };
        let first = parts.first()?;
        let worst = |of: &dyn Fn(&Self) -> Option<Verdict>| {
            let verdicts: Vec<Verdict> = parts.iter().map(of).collect::<Option<_>>()?;
            let is = |verdict| move |&each: &Verdict| each == verdict;
            Some(match (verdicts.iter().any(is(Verdict::Unfactual)), verdicts.iter().all(is(Verdict::Factual))) {
                (true, _) => Verdict::Unfactual,
                (false, true) => Verdict::Factual,
                (false, false) => Verdict::NoEvidence,
            })
        };
        let statements: Vec<&str> = parts.iter().map(|part| part.statement.as_str()).collect();
        Some(Self {
            statement: statements.join(" "),
            label: row.label.unwrap_or(Label::NoEvidence),
            verdict: worst(&|part| Some(part.verdict))?,
            p_factual: mean_of(&|part| part.p_factual),
            answered_at: parts.iter().find_map(|part| part.answered_at),
            t5: mean_of(&|part| part.t5),
            nli: mean_of(&|part| part.nli),
            both: mean(&|part| part.both),
            nli_before: mean_of(&|part| part.nli_before),
            both_before: mean(&|part| part.both_before),
            t5_verdict: worst(&|part| part.t5_verdict),
            nli_verdict: worst(&|part| part.nli_verdict),
            decisiveness: mean(&|part| part.decisiveness),
            evidence: parts.iter().map(|part| part.evidence).sum(),
            knowledge_f1: mean(&|part| part.knowledge_f1),
            wordings: (0..first.wordings.len()).map(|n| mean(&|part| part.wordings[n])).collect(),
            baselines: first.baselines.keys().map(|&scorer| (scorer, mean(&|part| scorer.score(part)))).collect(),
            ..first.clone()
        })
    }

    /// The record of a row each of whose passages was read by itself: each score is the largest of theirs, and its
    /// verdict that of the part with this score. `None` without parts.
    pub fn largest(parts: &[Self]) -> Option<Self> {
        let best = parts.iter().max_by(|a, b| a.both.total_cmp(&b.both))?;
        let most = |of: &dyn Fn(&Self) -> Option<f64>| parts.iter().filter_map(of).reduce(f64::max);
        let best_by = |of: &dyn Fn(&Self) -> Option<f64>| {
            let scored = parts.iter().filter(|part| of(part).is_some());
            scored.max_by(|a, b| of(a).unwrap_or_default().total_cmp(&of(b).unwrap_or_default()))
        };
        let of_scorer = |&scorer: &Scorer| Some((scorer, most(&|part| part.baselines.get(&scorer).copied())?));
        Some(Self {
            p_factual: most(&|part| part.p_factual),
            answered_at: parts.iter().find_map(|part| part.answered_at),
            t5: most(&|part| part.t5),
            nli: most(&|part| part.nli),
            nli_before: most(&|part| part.nli_before),
            both_before: most(&|part| Some(part.both_before)).unwrap_or(best.both_before),
            t5_verdict: best_by(&|part| part.t5).and_then(|part| part.t5_verdict),
            nli_verdict: best_by(&|part| part.nli).and_then(|part| part.nli_verdict),
            evidence: parts.iter().map(|part| part.evidence).sum(),
            knowledge_f1: most(&|part| Some(part.knowledge_f1)).unwrap_or(best.knowledge_f1),
            baselines: best.baselines.keys().filter_map(of_scorer).collect(),
            ..best.clone()
        })
    }

    /// The target of correlations: the share of a paragraph that is factual, otherwise 1 for factual and 0 for not
    /// factual.
    pub fn target(&self) -> f64 {
        self.share.unwrap_or(f64::from(u8::from(self.label == Label::Factual)))
    }
}

impl journal::Record for Record {
    type Row = LabelledRow;

    fn number(&self) -> usize {
        self.row
    }

    fn is_of(&self, row: &LabelledRow) -> bool {
        row.id == self.id && row.label == Some(self.label) && row.line == self.line
    }
}

impl Scorer {
    /// The models that scored these records.
    pub fn models(records: &[Record]) -> Vec<Self> {
        let has = |score: fn(&Record) -> Option<f64>| records.iter().any(|record| score(record).is_some());
        match (has(|record| record.t5), has(|record| record.nli)) {
            (true, true) => Self::MODELS.into(),
            (true, false) => vec![Self::T5],
            (false, _) => vec![Self::Nli],
        }
    }

    /// The score of a record, 0 to 1.
    pub fn score(self, record: &Record) -> f64 {
        match self {
            Self::T5 => record.t5.unwrap_or(0.5), // `None` where the T5 was not asked
            Self::T5Raw => record.p_factual.unwrap_or(0.5),
            Self::Nli => record.nli.unwrap_or(0.5),
            Self::Both => record.both,
            Self::Constant => CONSTANT,
            Self::KnowledgeF1 => record.knowledge_f1,
            // For a statement that the T5 did not split into facts, the facts by the rules count.
            Self::FactScoreModel if !record.baselines.contains_key(&self) => Self::FactScoreRules.score(record),
            other => record.baselines.get(&other).copied().unwrap_or(0.0),
        }
    }

    /// The score before calibration; `None` for a scorer that is not calibrated.
    pub fn score_before(self, record: &Record) -> Option<f64> {
        match self {
            Self::T5 => record.p_factual,
            Self::Nli => record.nli_before,
            Self::Both => Some(record.both_before),
            _ => None,
        }
    }

    /// The verdict by this score alone; the report's for both models together, and for baselines, which give none.
    pub fn verdict(self, record: &Record) -> Verdict {
        match self {
            Self::T5 => record.t5_verdict.unwrap_or(Verdict::NoEvidence),
            Self::Nli => record.nli_verdict.unwrap_or(Verdict::NoEvidence),
            _ => record.verdict,
        }
    }
}

/// The rows of one scorer.
pub fn judged<'a>(records: impl Iterator<Item = &'a Record>, scorer: Scorer) -> Vec<Labelled> {
    let row = |record| Labelled { p: scorer.score(record), factual: record.label == Label::Factual };
    records.map(row).collect()
}

/// The rows of one scorer before calibration; empty for a scorer that is not calibrated.
pub fn before(records: &[Record], scorer: Scorer) -> Vec<Labelled> {
    let row = |record| Some(Labelled { p: scorer.score_before(record)?, factual: record.label == Label::Factual });
    records.iter().filter_map(row).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    #[test]
    fn a_row_of_sentences_has_their_means_and_the_worst_verdict() {
        let parts = |verdicts: [Verdict; 2]| {
            let row = |n: usize| record(n, Label::Unfactual, verdicts[n], [0.2, 0.6][n]);
            let split = (Scorer::FactScoreRules, 0.5);
            vec![
                Record {
                    wordings: vec![0.1, 0.3],
                    baselines: [split].into(),
                    nli_before: Some(0.1),
                    both_before: 0.2,
                    nli_verdict: Some(Verdict::Factual),
                    t5_verdict: Some(Verdict::Factual),
                    ..row(0)
                },
                Record {
                    wordings: vec![0.3, 0.5],
                    baselines: [split].into(),
                    nli_before: Some(0.5),
                    both_before: 0.4,
                    nli_verdict: Some(Verdict::Unfactual),
                    t5_verdict: Some(Verdict::NoEvidence),
                    ..row(1)
                },
            ]
        };
        let row = LabelledRow { label: Some(Label::Unfactual), ..LabelledRow::default() };
        let mean = |verdicts| Record::mean(&row, &parts(verdicts)).unwrap();
        let whole = mean([Verdict::Factual, Verdict::Unfactual]);
        assert_eq!((whole.both, whole.evidence, whole.verdict), (0.4, 2, Verdict::Unfactual));
        assert_eq!(whole.wordings, [0.2, 0.4]);
        assert_eq!((whole.nli_before, (whole.both_before * 10.0).round()), (Some(0.3), 3.0));
        assert_eq!((whole.nli_verdict, whole.t5_verdict), (Some(Verdict::Unfactual), Some(Verdict::NoEvidence)));
        assert_eq!(Scorer::FactScoreModel.score(&whole), 0.5);
        assert_eq!(mean([Verdict::Factual, Verdict::Factual]).verdict, Verdict::Factual);
        assert_eq!(mean([Verdict::Factual, Verdict::NoEvidence]).verdict, Verdict::NoEvidence);
        assert!(Record::mean(&row, &[]).is_none());
    }

    #[test]
    fn a_row_whose_passages_are_read_apart_has_their_largest_scores() {
        let parts = [(0.2, Verdict::Unfactual), (0.7, Verdict::Factual), (0.6, Verdict::NoEvidence)];
        let mut parts = parts.map(|(both, verdict)| record(0, Label::Factual, verdict, both));
        (parts[0].nli, parts[1].t5) = (Some(0.9), None);
        parts[0].nli_verdict = Some(Verdict::Factual);
        let whole = Record::largest(&parts).unwrap();
        assert_eq!((whole.both, whole.t5, whole.nli), (0.7, Some(0.6), Some(0.9)));
        assert_eq!((whole.verdict, whole.evidence), (Verdict::Factual, 3));
        assert_eq!((whole.nli_verdict, whole.t5_verdict), (Some(Verdict::Factual), Some(Verdict::NoEvidence)));
        assert!(Record::largest(&[]).is_none());
    }

    /// A record with these values; the others do not matter.
    pub fn record(row: usize, label: Label, verdict: Verdict, both: f64) -> Record {
        Record {
            row,
            line: row + 1,
            id: row.to_string(),
            statement: "Iron rusts.".into(),
            label,
            verdict,
            p_factual: Some(both),
            answered_at: Some(0),
            t5: Some(both),
            nli: Some(both),
            both,
            nli_before: Some(both),
            both_before: both,
            t5_verdict: Some(verdict),
            nli_verdict: Some(Verdict::NoEvidence),
            decisiveness: (2.0 * both - 1.0).abs(),
            evidence: 1,
            knowledge_f1: 0.25,
            wordings: Vec::new(),
            baselines: BTreeMap::new(),
            paragraph: None,
            share: None,
            labels: Vec::new(),
            groups: BTreeMap::new(),
        }
    }
}
