//! How much of an index is read.

/// How much of an index is read for a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reading {
    /// A small index, whose parts have at most 1 MiB together, is read whole at the first query: no request reveals the
    /// query, and later queries make none. Of a larger index, only what each query needs.
    #[default]
    SmallWhole,
    /// Of every index, only what each query needs: fewer bytes, but a host that has the index can infer the query.
    Needed,
}
