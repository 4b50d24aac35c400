//! The corpora that are measured.

use std::path::Path;

use evident_corpus::Passages;
use evident_index::Passage;

use crate::{Failure, SEED, synthetic};

/// Where passages come from.
#[derive(Clone, Copy)]
pub enum Corpus<'a> {
    /// So many are made.
    Synthetic(u32),
    /// A corpus on the disk.
    Real(&'a Path),
}

impl<'a> Corpus<'a> {
    /// The corpus that an argument names.
    pub fn of(name: &'a str) -> Self {
        let count = name.strip_prefix("synthetic:").and_then(|count| count.parse().ok());
        count.map_or(Self::Real(Path::new(name)), Self::Synthetic)
    }

    /// Its passages.
    pub fn passages(self) -> Result<Box<dyn Iterator<Item = Result<Passage, Failure>>>, Failure> {
        Ok(match self {
            Self::Synthetic(count) => Box::new(synthetic::Passages::new(count, SEED).map(Ok)),
            Self::Real(path) => Box::new(Passages::open(path)?.map(|passage| passage.map_err(Failure::from))),
        })
    }
}
