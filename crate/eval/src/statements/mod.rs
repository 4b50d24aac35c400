//! Judges labelled statements, and measures how well the judgments agree with the labels (guan2024).

pub(crate) mod annotators;
pub(crate) mod baselines;
pub(crate) mod datasets;
pub(crate) mod evidence;
pub(crate) mod markdown;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod row_judge;
pub(crate) mod scorer;

use std::io;
use std::path::PathBuf;

use evident_index::{FileStorage, Index};
use evident_nn::CausalLm;
use evident_verify::{IndexReport, Judge, Observer, PackReport, SentenceReport, Settings, SharedModels, VerifyError};
use futures_lite::future::block_on;

use crate::error::EvalError;
use crate::journal::Journal;
use crate::monitor::Monitor;
use crate::output::write;
use crate::rows::contexts;
use crate::rows::formats::Format;
use crate::rows::portion::Portion;
use crate::rows::row::{Label, LabelledRow};
use crate::rows::unit::{self, Unit};
use crate::statements::evidence::EvidenceMode;
use crate::statements::record::{Record, Run, leaves_out_no_evidence};
use crate::statements::report::EvalReport;
use crate::statements::row_judge::RowJudge;
use crate::svg::curves;
use crate::workers::in_order;

/// What to judge, and how.
pub struct Evaluation {
    /// The file of labelled statements.
    pub file: PathBuf,
    /// Its layout.
    pub format: Format,
    /// What is judged at once.
    pub unit: Unit,
    /// How many labelled statements are judged, from the first; `None` for all.
    pub limit: Option<usize>,
    /// The portion of these that is judged, if other machines judge the rest.
    pub portion: Option<Portion>,
    /// What each statement is judged by; `None` for what is retrieved.
    pub evidence: Option<EvidenceMode>,
    /// The folder of the index that the evidence is from.
    pub index: Option<PathBuf>,
    /// The seed of random passages.
    pub seed: u64,
    /// How each statement is judged.
    pub settings: Settings,
    /// Whether the baselines are computed too.
    pub baselines: bool,
    /// The folder for rows.jsonl, report.json, report.md and the plots, if they are to be written.
    pub out: Option<PathBuf>,
    /// Whether the rows that are already in `out` are kept.
    pub resume: bool,
    /// How many rows are judged at once. The numbers do not depend on it.
    pub threads: usize,
}

/// The statements of a file that are to be judged.
pub struct Statements {
    rows: Vec<LabelledRow>,
    /// The number of the first among the file's, from 0.
    first: usize,
    /// How many rows of the file are left out: see [`EvalReport::left_out`].
    left_out: usize,
    /// The evidence that they are judged by.
    pub(crate) evidence: EvidenceMode,
}

impl Evaluation {
    /// Reads the statements, and checks that their evidence is at hand.
    ///
    /// # Errors
    /// [`EvalError::Unreadable`], [`EvalError::BadLine`] and [`EvalError::Unusable`].
    pub fn read(&self) -> Result<Statements, EvalError> {
        let known = |row: &LabelledRow| match row.label {
            Some(Label::NoEvidence) => !leaves_out_no_evidence(self.format.name(), &self.settings),
            label => label.is_some(),
        };
        let (mut rows, left_out): (Vec<LabelledRow>, Vec<LabelledRow>) =
            self.format.read(&self.file)?.into_iter().partition(known);
        if self.unit == Unit::Paragraph {
            rows = unit::join(rows);
        } else {
            contexts::add(&mut rows);
        }
        rows.truncate(self.limit.unwrap_or(usize::MAX));
        if rows.is_empty() {
            return Err(EvalError::Unusable {
                path: self.file.clone(),
                why: "there is no labelled statement to judge",
            });
        }
        let evidence = self.evidence.unwrap_or(EvidenceMode::Retrieved);
        evidence.check(self.index.as_deref(), &self.file, &rows)?;
        let portion = self.portion.map_or(0..rows.len(), |portion| portion.rows(rows.len()));
        if portion.is_empty() {
            let why = "it has fewer labelled statements than portions: make fewer of them";
            return Err(EvalError::Unusable { path: self.file.clone(), why });
        }
        let (first, rows) = (portion.start, rows.drain(portion).collect());
        Ok(Statements { rows, first, left_out: left_out.len(), evidence })
    }

    /// Judges the statements, writes the files that are asked for, and returns the report as Markdown. `lm` gives the
    /// perplexities among the baselines.
    ///
    /// # Errors
    /// Any [`EvalError`].
    pub fn run<M: Monitor>(
        &self,
        statements: Statements,
        models: &SharedModels,
        lm: Option<&(CausalLm, PackReport)>,
        monitor: &M,
    ) -> Result<String, EvalError> {
        let Statements { mut rows, first, left_out, evidence } = statements;
        let drawn_from = self.gather(&mut rows, evidence, monitor)?;
        let open = || self.open(evidence, models);
        let run = Run {
            format: self.format.name().to_owned(),
            evidence,
            index: match &drawn_from {
                Some(index) => Some(IndexReport::of(&index.manifest())),
                None => open()?.index(),
            },
            rerank: models.rerank().cloned(),
            unit: self.unit,
            seed: self.seed,
            baselines: self.baselines,
            lm: lm.map(|(_, pack)| pack.clone()),
            pack: models.about.pack.clone(),
            models: models.about.models.clone(),
            settings: self.settings.clone(),
        };
        let mut journal = Journal::open(self.out.as_deref(), &run, first, &rows, self.resume)?;
        let begun = journal.records().len();
        let lm = lm.map(|(lm, _)| lm);
        let work = |judge: &RowJudge, number: usize| {
            let row = &rows[number];
            let record = block_on(record(judge, &models.judge, lm, first + number, row, &run, &M::quiet()));
            record.map_err(|source| EvalError::Row { line: row.line, source })
        };
        in_order(begun..rows.len(), self.threads, open, work, |number, record| {
            monitor.show_row(number + 1, rows.len(), number + 1 - begun);
            journal.append(record)
        })?;

        let file = self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy().into_owned();
        let report = EvalReport::of(file, run, journal.records(), left_out, self.baselines);
        let text = markdown::write(&report);
        if let Some(out) = &self.out {
            write(out, "report.json", &(serde_json::to_string_pretty(&report).map_err(io::Error::from)? + "\n"))?;
            write(out, "report.md", &text)?;
            for (name, plot) in curves::plots(&report, journal.records()) {
                write(out, name, &plot)?;
            }
        }
        Ok(text)
    }

    /// Gives the rows their evidence, unless it is retrieved. Returns the index that random passages are from.
    fn gather(
        &self,
        rows: &mut [LabelledRow],
        evidence: EvidenceMode,
        monitor: &impl Monitor,
    ) -> Result<Option<Index<FileStorage>>, EvalError> {
        if evidence == EvidenceMode::Retrieved {
            return Ok(None);
        }
        let index = match self.index.as_deref() {
            Some(index) => Some(block_on(Index::open(FileStorage::new(index)))?),
            None => None,
        };
        monitor.show("gathering the evidence");
        for row in rows {
            row.evidence = block_on(evidence.of(row, index.as_ref(), self.settings.evidence, self.seed))?;
        }
        Ok(index)
    }

    /// The judge of one thread.
    fn open(&self, evidence: EvidenceMode, models: &SharedModels) -> Result<RowJudge, EvalError> {
        let retrieved = self.index.as_deref().filter(|_| evidence == EvidenceMode::Retrieved);
        block_on(RowJudge::open(retrieved, models))
    }

    /// Judges the statements and gives the reports, in order.
    pub(crate) fn reports<M: Monitor>(
        &self,
        statements: Statements,
        models: &SharedModels,
        monitor: &M,
        mut done: impl FnMut(&LabelledRow, SentenceReport),
    ) -> Result<(), EvalError> {
        let Statements { mut rows, evidence, .. } = statements;
        self.gather(&mut rows, evidence, monitor)?;
        let work = |judge: &RowJudge, number: usize| {
            let row: &LabelledRow = &rows[number];
            let report = block_on(judge.judge(row, &self.settings, &M::quiet()));
            report.map_err(|source| EvalError::Row { line: row.line, source })
        };
        in_order(
            0..rows.len(),
            self.threads,
            || self.open(evidence, models),
            work,
            |number, report| {
                monitor.show_row(number + 1, rows.len(), number + 1);
                done(&rows[number], report);
                Ok(())
            },
        )
    }
}

/// Judges a row, or each of its sentences, and computes the baselines if they are asked for.
async fn record(
    row_judge: &RowJudge,
    judge: &Judge,
    lm: Option<&CausalLm>,
    number: usize,
    row: &LabelledRow,
    run: &Run,
    observer: &impl Observer,
) -> Result<Record, VerifyError> {
    let settings = &run.settings;
    let one = async |part: &LabelledRow| {
        let judged = row_judge.judge(part, settings, observer).await?;
        let mut record = Record::of(number, part, &judged, judge, settings);
        if run.baselines {
            record.baselines = baselines::scores(row_judge, judge, lm, part, &judged, settings, observer).await?;
        }
        Ok::<_, VerifyError>(record)
    };
    let one = async |part: &LabelledRow| {
        let mut read = Vec::new();
        if part.apart && run.evidence == EvidenceMode::Gold {
            for passage in &part.evidence {
                read.push(one(&LabelledRow { evidence: vec![passage.clone()], ..part.clone() }).await?);
            }
        }
        match Record::largest(&read) {
            Some(largest) => Ok(largest),
            None => one(part).await,
        }
    };
    let mut parts = Vec::new();
    if run.unit == Unit::Sentence {
        for part in unit::split(row) {
            parts.push(one(&part).await?);
        }
    }
    match Record::mean(row, &parts) {
        Some(whole) => Ok(whole),
        None => one(row).await,
    }
}
