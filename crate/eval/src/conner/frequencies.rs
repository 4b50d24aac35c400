//! How well known the items' topics are.

use std::collections::HashMap;
use std::fs::read_to_string;
use std::path::Path;

use crate::conner::items::ScoredItem;
use crate::error::{EvalError, unreadable};

/// Reads how well known the items' topics are: a topic and a count a line, separated by a tab, as the page views in
/// ChanLiang/CONNER's `seen_topic_pageviews.txt`. A topic that no item has is passed over.
///
/// # Errors
/// [`EvalError::Unreadable`], [`EvalError::BadLine`], and [`EvalError::Unusable`] where no item's topic is there.
pub fn read(path: &Path, rows: &mut [ScoredItem]) -> Result<(), EvalError> {
    let text = read_to_string(path).map_err(unreadable(path))?;
    let mut counts: HashMap<&str, f64> = HashMap::new();
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        let found = line.rsplit_once('\t').and_then(|(topic, count)| Some((topic.trim(), count.trim().parse().ok()?)));
        let Some((topic, count)) = found.filter(|(_, count): &(&str, f64)| count.is_finite()) else {
            let why = "not a topic and a count, parted by a tab".to_owned();
            return Err(EvalError::BadLine { path: path.into(), line: number, why });
        };
        counts.insert(topic, count);
    }
    for row in rows.iter_mut() {
        row.frequency = row.item.topic.as_deref().and_then(|topic| counts.get(topic.trim())).copied();
    }
    if rows.iter().all(|row| row.frequency.is_none()) {
        return Err(EvalError::Unusable { path: path.into(), why: "none of its topics is the topic of an item" });
    }
    Ok(())
}
