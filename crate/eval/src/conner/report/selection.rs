//! The use cases of chen2023, Sec. 5: which items to keep by their quality, Q_know (Eq. 9).

use std::num::NonZeroUsize;

use evident_verify::conner::{best, top};
use serde::Serialize;

use crate::conner::items::ScoredItem;
use crate::conner::record::Record;
use crate::conner::report::means::{Means, means_table};
use crate::table::table;

/// Which use case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectBy {
    /// Of the items that share a question the one with the highest Q_know.
    Best,
    /// The items with the highest Q_know, this many, such as demonstrations for a prompt.
    Top(NonZeroUsize),
}

/// The chosen items and their means, compared with all candidates.
#[derive(Serialize)]
pub struct Selection {
    /// How many items have a Q_know.
    pub candidates: usize,
    /// Those that were chosen: by `--best` in the order of their questions, by `--top` the best first.
    pub items: Vec<SelectedItem>,
    /// The means of all candidates, and of the chosen ones (Tab. 7 and 8).
    pub means: Vec<Means>,
}

/// A chosen item.
#[derive(Serialize)]
pub struct SelectedItem {
    /// Its number among the items, from 0.
    pub row: usize,
    pub line: usize,
    pub id: String,
    pub quality: f64,
    /// The number of candidates that it was chosen from.
    pub of: usize,
}

impl SelectBy {
    /// The selection among scored items.
    pub(crate) fn of(self, rows: &[ScoredItem], records: &[Record]) -> Selection {
        let found = records.iter().filter_map(|record| Some((record, record.report.quality.value()?)));
        let candidates: Vec<(&Record, f64)> = found.collect();
        let choices = match self {
            Self::Best => {
                let mut groups: Vec<(&str, Vec<(&Record, f64)>)> = Vec::new();
                for &candidate in &candidates {
                    let asked = rows[candidate.0.row].item.question.as_deref().map(str::trim);
                    let Some(asked) = asked.filter(|asked| !asked.is_empty()) else { continue };
                    match groups.iter_mut().find(|(other, _)| *other == asked) {
                        Some((_, group)) => group.push(candidate),
                        None => groups.push((asked, vec![candidate])),
                    }
                }
                let choose = |(_, group): (&str, Vec<(&Record, f64)>)| chosen(&group, best(&qualities(&group)));
                groups.into_iter().flat_map(choose).collect()
            }
            Self::Top(n) => chosen(&candidates, top(&qualities(&candidates), n.get())),
        };
        let means = |name: &str, records: &[&Record]| Means::of(vec![name.to_owned()], records);
        let all: Vec<&Record> = candidates.iter().map(|(record, _)| *record).collect();
        let kept: Vec<&Record> = choices.iter().map(|item| &records[item.row]).collect();
        Selection { candidates: all.len(), means: vec![means("all", &all), means("chosen", &kept)], items: choices }
    }
}

fn qualities(candidates: &[(&Record, f64)]) -> Vec<f64> {
    candidates.iter().map(|(_, quality)| *quality).collect()
}

fn chosen(candidates: &[(&Record, f64)], places: impl IntoIterator<Item = usize>) -> Vec<SelectedItem> {
    let item = |place: usize| {
        let (record, quality) = candidates[place];
        SelectedItem { row: record.row, line: record.line, id: record.id.clone(), quality, of: candidates.len() }
    };
    places.into_iter().map(item).collect()
}

impl Selection {
    pub fn markdown(&self) -> String {
        if self.items.is_empty() {
            return "## Chosen\n\nNone: no item has a Q_know. What it lacks is said below; a score whose gamma is 0 is not needed."
                .to_owned();
        }
        let item = |item: &SelectedItem| {
            vec![item.line.to_string(), item.id.clone(), format!("{:.4}", item.quality), item.of.to_string()]
        };
        let title = format!("## Chosen\n\n{} of {} items, by Q_know.", self.items.len(), self.candidates);
        let items = table(&["line", "id", "Q_know", "of"], self.items.iter().map(item));
        [title, means_table(&["items"], &self.means), items].join("\n\n")
    }
}
