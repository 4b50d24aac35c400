//! What a query may cost, and what it then promises.

/// The first round trip may read at least this many bytes of lists; each later one may read twice as many as the one
/// before.
pub(super) const FIRST_LISTS: u64 = 100_000;

/// What one query may cost. The buckets of its words and the texts of its hits are read in any case, so a query of many
/// rare words may cost more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the chunks that it needs, cached or not. A host without byte ranges sends whole files, which cost more.
    pub bytes: u64,
    /// Round trips of concurrent reads, at least 2.
    pub trips: u32,
}

impl Limits {
    /// What a query over a corpus of any size may cost a reader on the web: 200 KB in three round trips.
    pub const WEB: Self = Self::within(200_000);

    /// A limit of `bytes`, and the round trips that suit it: two, and one more for each doubling of 100 KB.
    #[must_use]
    pub const fn within(bytes: u64) -> Self {
        let doublings = match (bytes / FIRST_LISTS).checked_ilog2() {
            Some(doublings) => doublings,
            None => 0,
        };
        Self { bytes, trips: 2 + doublings }
    }
}

impl Default for Limits {
    /// No limits: every query goes on until its hits are proved.
    fn default() -> Self {
        Self { bytes: u64::MAX, trips: u32::MAX }
    }
}

/// Whether a query's hits are the best passages of the index.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Completeness {
    /// They are what a search of every passage gives.
    #[default]
    Exact,
    /// The limits came first. Each hit's score is right; a passage that is not among the hits scores at most this.
    Bound(f32),
}

impl Completeness {
    /// The most that a passage outside the hits can score; `None` if the hits are proved.
    pub fn bound(self) -> Option<f32> {
        match self {
            Self::Exact => None,
            Self::Bound(bound) => Some(bound),
        }
    }
}
