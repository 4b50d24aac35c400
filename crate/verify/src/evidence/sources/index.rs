//! An index as a source: on a static host, in a folder, of a reader's own files, or of a page that an answer cites.

use std::rc::Rc;

use evident_index::{Index, Storage, Traffic};
use futures_util::future::LocalBoxFuture;

use crate::error::SourceError;
use crate::evidence::source::{EvidenceSource, Found, Query};
use crate::report::{IndexReport, Revealed, Reveals, SearchCost, SourceInfo, SourceKind};
use crate::settings::Settings;

/// An index as a source of evidence. The caller may keep the index too.
pub struct IndexSource<S> {
    index: Rc<Index<S>>,
    kind: SourceKind,
    name: String,
    address: Option<String>,
}

impl<S: Storage + 'static> IndexSource<S> {
    /// An index on this machine, called `name`.
    pub fn in_folder(index: impl Into<Rc<Index<S>>>, name: impl Into<String>) -> Self {
        Self { index: index.into(), kind: SourceKind::Index, name: name.into(), address: None }
    }

    /// An index on a static host at `address`; its name is the address's last part.
    pub fn on_host(index: impl Into<Rc<Index<S>>>, address: impl Into<String>) -> Self {
        let address = address.into();
        let name = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
        Self { index: index.into(), kind: SourceKind::Index, name, address: Some(address) }
    }

    /// An index of a reader's own files, called `name`.
    pub fn of_files(index: impl Into<Rc<Index<S>>>, name: impl Into<String>) -> Self {
        Self { kind: SourceKind::Files, ..Self::in_folder(index, name) }
    }

    /// An index of the passages of the page at `address`, which an answer cites. The page was read before.
    pub fn of_page(index: impl Into<Rc<Index<S>>>, address: impl Into<String>) -> Self {
        let address = address.into();
        Self { index: index.into(), kind: SourceKind::Page, name: address.clone(), address: Some(address) }
    }

    /// What a search reveals, and to whom. Which files of an index are read depends on the words that are searched for;
    /// an index that is read whole reveals nothing of them.
    fn reveals(&self) -> Option<Reveals> {
        let to = self.address.clone().filter(|_| self.kind == SourceKind::Index && !self.index.is_read_whole())?;
        Some(Reveals { to, what: Revealed::Files })
    }
}

impl<S: Storage + 'static> EvidenceSource for IndexSource<S> {
    fn info(&self, settings: &Settings) -> SourceInfo {
        let IndexReport { passages, hash } = IndexReport::of(&self.index.manifest());
        let limits = settings.search.limits();
        let cost = match self.kind {
            SourceKind::Index => SearchCost {
                bytes: (limits.bytes < u64::MAX).then_some(limits.bytes),
                trips: (limits.trips < u32::MAX).then_some(limits.trips),
            },
            _ => SearchCost::NOTHING, // it is in memory
        };
        SourceInfo {
            address: self.address.clone(),
            hash: Some(hash),
            passages: Some(passages),
            cost,
            reveals: self.reveals(),
            ..SourceInfo::new(self.kind, &self.name)
        }
    }

    fn find<'a>(&'a self, query: &'a Query<'a>) -> LocalBoxFuture<'a, Result<Found, SourceError>> {
        let limits = query.settings.search.limits();
        Box::pin(async move { Ok(self.index.find(&query.words(), query.count, limits).await?.into()) })
    }

    fn traffic(&self) -> Traffic {
        self.index.traffic()
    }
}
