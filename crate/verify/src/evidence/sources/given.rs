//! Passages that a caller gives, as a source.

use evident_index::Passage;
use futures_util::future::LocalBoxFuture;

use crate::error::SourceError;
use crate::evidence::source::{EvidenceSource, Found, FoundPassage, Query};
use crate::report::{SearchCost, SourceInfo, SourceKind};
use crate::settings::Settings;

/// Passages that are evidence for every claim, best first. They are not searched and have no scores, so all count the
/// same.
pub struct GivenPassages {
    name: String,
    passages: Vec<Passage>,
}

impl GivenPassages {
    /// A source of these passages, called `name`.
    pub fn new(name: impl Into<String>, passages: Vec<Passage>) -> Self {
        Self { name: name.into(), passages }
    }
}

impl EvidenceSource for GivenPassages {
    fn info(&self, _: &Settings) -> SourceInfo {
        let passages = u32::try_from(self.passages.len()).ok();
        SourceInfo { passages, cost: SearchCost::NOTHING, ..SourceInfo::new(SourceKind::Given, &self.name) }
    }

    fn find<'a>(&'a self, query: &'a Query<'a>) -> LocalBoxFuture<'a, Result<Found, SourceError>> {
        let passages = self.passages.iter().take(query.count).cloned().map(FoundPassage::of).collect();
        Box::pin(async { Ok(Found { passages, ..Found::default() }) })
    }
}
