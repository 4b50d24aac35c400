//! CONNER's scores of a file's items, and what they depend on (chen2023). CONNER.md, beside crate/verify's sources,
//! documents the scores.

pub(crate) mod baselines;
pub mod floors;
pub(crate) mod frequencies;
pub(crate) mod items;
pub(crate) mod models;
pub(crate) mod ratings;
pub(crate) mod record;
pub(crate) mod report;
mod shuffle;
pub(crate) mod templates;
pub(crate) mod written;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use evident_base::json_lines;
use evident_index::{FileStorage, Index};
use evident_verify::IndexReport;
use evident_verify::conner::{Item, Settings, Sources};
use futures_lite::future::block_on;
use serde::Serialize;
use serde_json::json;

use crate::conner::items::ScoredItem;
use crate::conner::models::ConnerModels;
use crate::conner::record::{Record, Run};
use crate::conner::report::ConnerSummary;
use crate::conner::report::selection::SelectBy;
use crate::conner::templates::Template;
use crate::conner::written::Written;
use crate::error::EvalError;
use crate::journal::Journal;
use crate::monitor::Monitor;
use crate::output::write;
use crate::svg::radar;

/// What to score, and how.
pub struct Scoring {
    /// The file of items: JSON lines, or TSV as chen2023's samples are published.
    pub file: PathBuf,
    /// People's ratings of the items, if there are any.
    pub ratings: Option<PathBuf>,
    /// The file of how often the items' topics are looked up, if there is one.
    pub frequencies: Option<PathBuf>,
    /// The folder of the index that evidence and random passages are from.
    pub index: Option<PathBuf>,
    /// How each item is scored.
    pub settings: Settings,
    /// Whether the paper's baselines are computed too.
    pub baselines: bool,
    /// How many items are scored, from the first; `None` for all.
    pub limit: Option<usize>,
    /// Which items are selected by their quality; `None` for none.
    pub select: Option<SelectBy>,
    /// The folder of another run, whose scores of items with the same ids are compared with these.
    pub against: Option<PathBuf>,
    /// The knowledge that the seq2seq model writes of each item before it is scored; `None` to score the items' own.
    pub write: Option<Written>,
    /// The items of a file for which prompts are composed, with the chosen items as demonstrations.
    pub compose: Option<Composed>,
    /// The folder for rows.jsonl, report.json, report.md, radar.svg and the selected items, if they are to be written.
    pub out: Option<PathBuf>,
    /// Whether the rows that are already in `out` are kept.
    pub resume: bool,
}

/// Few-shot prompts to compose (chen2023, Sec. 5 and App. F).
pub struct Composed {
    /// The items that are asked about.
    pub file: PathBuf,
    /// How each prompt is written.
    pub template: &'static Template,
}

/// The items of a file, read and not yet scored.
pub struct Items(Vec<ScoredItem>);

/// The scores of all items.
pub struct Scored {
    summary: ConnerSummary,
    records: Vec<Record>,
}

impl Scoring {
    /// Reads the items, with their ratings and frequencies.
    ///
    /// # Errors
    /// [`EvalError::Unreadable`], [`EvalError::BadLine`] and [`EvalError::Unusable`].
    pub fn read(&self) -> Result<Items, EvalError> {
        let mut items = items::read(&self.file)?;
        if let Some(ratings) = &self.ratings {
            ratings::read(ratings, &mut items)?;
        }
        if let Some(frequencies) = &self.frequencies {
            frequencies::read(frequencies, &mut items)?;
        }
        items.truncate(self.limit.unwrap_or(usize::MAX));
        if items.is_empty() {
            return Err(EvalError::Unusable { path: self.file.clone(), why: "there is no item to score" });
        }
        Ok(Items(items))
    }

    /// Scores the items and writes the files that are asked for.
    ///
    /// # Errors
    /// Any [`EvalError`].
    pub fn run(&self, items: &Items, models: &ConnerModels, monitor: &mut impl Monitor) -> Result<Scored, EvalError> {
        let Items(items) = items;
        let written = match &self.write {
            Some(write) => Some(write.items(items, models, &self.settings, monitor)?),
            None => None,
        };
        let items = written.as_deref().unwrap_or(items);
        let others = match &self.against {
            Some(folder) => json_lines::<Record>(&folder.join("rows.jsonl"), "not a scored item")?,
            None => Vec::new(),
        };
        let others: Vec<Record> = others.into_iter().map(|(_, record)| record).collect();
        let index = match &self.index {
            Some(index) => Some(block_on(Index::open(FileStorage::new(index)))?),
            None => None,
        };
        let run = Run {
            index: index.as_ref().map(|index| IndexReport::of(&index.manifest())),
            models: models.packs().clone(),
            settings: self.settings.clone(),
            baselines: self.baselines,
            written: self.write.as_ref().map(Written::name),
        };
        let mut journal = Journal::open(self.out.as_deref(), &run, 0, items, self.resume)?;
        let (begun, start) = (journal.records().len(), Instant::now());
        for (number, item) in items.iter().enumerate().skip(begun) {
            monitor.set_label(label(number, items.len(), number - begun, start));
            let sources = Sources { passages: &item.evidence, index: index.as_ref(), ..Sources::default() };
            let of_line = |source| EvalError::Row { line: item.line, source };
            let report =
                block_on(models.conner().score(&item.item, &sources, &run.settings, monitor)).map_err(of_line)?;
            let right = item.reference_knowledge.as_deref();
            let baselines = match run.baselines {
                true => Some(block_on(models.baselines(&item.item, right, &run.settings, monitor)).map_err(of_line)?),
                false => None,
            };
            journal.append(Record {
                row: number,
                line: item.line,
                id: item.id.clone(),
                groups: item.groups.clone(),
                report,
                baselines,
            })?;
        }

        let file = self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy().into_owned();
        let records = journal.into_records();
        let summary = ConnerSummary::of(file, run, items, &records, self.select, &others);
        self.write(&summary, items)?;
        Ok(Scored { summary, records })
    }

    /// Writes the files of a summary into `out`.
    fn write(&self, summary: &ConnerSummary, items: &[ScoredItem]) -> Result<(), EvalError> {
        let Some(out) = &self.out else { return Ok(()) };
        let json = serde_json::to_string_pretty(summary).map_err(io::Error::from)?;
        write(out, "report.json", &(json + "\n"))?;
        write(out, "report.md", &summary.markdown())?;
        write(out, "radar.svg", &radar::plot(summary))?;
        if let Some(selection) = &summary.chosen {
            if let Some(Composed { file, template }) = &self.compose {
                let shown: Vec<&Item> = selection.items.iter().map(|item| &items[item.row].item).collect();
                let line =
                    |asked: &ScoredItem| json!({"id": asked.id, "prompt": template.compose(&shown, &asked.item)});
                let prompts = items::read(file)?.iter().map(|asked| format!("{}\n", line(asked))).collect::<String>();
                write(out, "prompts.jsonl", &prompts)?;
            }
            let kept = selection.items.iter().map(|item| items[item.row].text.clone() + "\n").collect::<String>();
            let own = self.write.is_none().then(|| self.file.extension()).flatten();
            write(out, Path::new("chosen").with_extension(own.unwrap_or("jsonl".as_ref())), &kept)?;
        }
        Ok(())
    }
}

impl Scored {
    /// The summary, as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        self.summary.markdown()
    }

    /// The scores of every item, or of the selected ones if there is a selection, in its order.
    pub fn items(&self) -> impl Iterator<Item = &(impl Serialize + use<>)> {
        let places: Vec<usize> = match &self.summary.chosen {
            Some(selection) => selection.items.iter().map(|item| item.row).collect(),
            None => (0..self.records.len()).collect(),
        };
        places.into_iter().map(|place| &self.records[place])
    }
}

/// How far the work is, with the time that is left if `done` items were done since `start`.
fn label(number: usize, of: usize, done: usize, start: Instant) -> String {
    let minutes = start.elapsed().as_secs_f64() / done.max(1) as f64 / 60.0;
    let left = (of - number) as f64 * minutes;
    let item = format!("item {} of {of}", number + 1);
    if left == 0.0 { format!("{item}: ") } else { format!("{item}, {left:.0} min left: ") }
}
