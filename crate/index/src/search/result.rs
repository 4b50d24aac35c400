//! What a search gives.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::format::passages::Passage;
use crate::search::limits::Completeness;

/// A passage that answers a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The passage.
    pub passage: Passage,
    /// Its score for the query, BM25's with what names add; above 0.
    pub score: f32,
}

/// What a search gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResult {
    /// The best passages, best first.
    pub hits: Vec<Hit>,
    /// The query's terms, each with the share of the index's passages that hold it: 0 for an unknown term.
    pub frequencies: BTreeMap<String, f64>,
    /// The sum of the query's words' weights. A passage scores at most this unless the query has its name, and comes
    /// nearer to it the more often it has each word. So scores of two indexes can be compared as shares of their
    /// ceilings.
    pub ceiling: f32,
    /// Whether there may be better passages.
    pub completeness: Completeness,
}
