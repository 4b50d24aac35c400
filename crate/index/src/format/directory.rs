//! The directory of a segment: what a reader keeps in memory of it. It says where the chunks of the segment's parts are, and
//! which terms have long lists.

use std::collections::HashMap;

use crate::bm25::Bm25;
use crate::format::codec::{Malformed, Reader, write_integer, write_string};
use crate::format::part::Part;
use crate::format::postings::tiers;

/// The three kinds of files that hold what is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// Buckets of the dictionary, with short lists.
    Terms,
    /// Tiers of long lists.
    Lists,
    /// Groups of passages.
    Texts,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Terms => "terms",
            Self::Lists => "lists",
            Self::Texts => "texts",
        }
    }
}

/// A segment's directory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Directory {
    /// Passages in a group; the last has what is left.
    pub group: u32,
    /// Postings in the first tier of a long list.
    pub first_tier: usize,
    pub terms: Part,
    pub lists: Part,
    pub texts: Part,
    long: HashMap<Box<str>, LongList>,
    /// The long lists in the order of their chunks.
    by_chunk: Vec<LongList>,
}

/// The list of a term that too many passages hold for a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LongList {
    /// How many passages hold the term.
    pub count: u32,
    /// Its first chunk.
    pub first: usize,
}

impl Directory {
    pub fn part(&self, kind: Kind) -> &Part {
        match kind {
            Kind::Terms => &self.terms,
            Kind::Lists => &self.lists,
            Kind::Texts => &self.texts,
        }
    }

    /// The parts by their names.
    pub fn parts(&self) -> [(Kind, &Part); 3] {
        [Kind::Terms, Kind::Lists, Kind::Texts].map(|kind| (kind, self.part(kind)))
    }

    pub fn long_list(&self, term: &str) -> Option<LongList> {
        self.long.get(term).copied()
    }

    /// The terms of long lists and their number of postings, in the order of the lists.
    #[cfg(any(test, feature = "forge"))]
    pub fn long_lists(&self) -> Vec<(String, u32)> {
        let mut lists: Vec<_> = self.long.iter().collect();
        lists.sort_by_key(|(_, list)| list.first);
        lists.into_iter().map(|(term, list)| (term.to_string(), list.count)).collect()
    }

    /// In how many tiers a list is.
    pub fn tiers_of(&self, list: LongList) -> usize {
        tiers(self.first_tier, list.count as usize).count()
    }

    /// How many postings chunk `number` of the long lists has.
    pub fn tier(&self, number: usize) -> Option<usize> {
        let list = self.by_chunk.partition_point(|list| list.first <= number).checked_sub(1)?;
        let LongList { count, first } = self.by_chunk[list];
        tiers(self.first_tier, count as usize).nth(number - first)
    }

    /// The bytes of a directory with these parts, where `long` has the terms of long lists and their number of postings, in
    /// the order of the lists.
    pub fn write(group: u32, first_tier: usize, parts: [&Part; 3], long: &[(String, u32)]) -> Vec<u8> {
        let mut out = Vec::new();
        write_integer(&mut out, group.into());
        write_integer(&mut out, first_tier as u64);
        parts.iter().for_each(|part| part.write(&mut out));
        write_integer(&mut out, long.len() as u64);
        for (term, count) in long {
            write_string(&mut out, term);
            write_integer(&mut out, (*count).into());
        }
        out
    }

    /// Reads the directory of a segment of `passages` passages.
    pub fn decode(bytes: &[u8], passages: u32) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let (group, first_tier) = (reader.short_integer()?, reader.short_integer()? as usize);
        let [terms, lists, texts] = [Part::read(&mut reader)?, Part::read(&mut reader)?, Part::read(&mut reader)?];
        if group == 0 || first_tier == 0 || terms.chunks() == 0 || texts.chunks() != passages.div_ceil(group) as usize {
            return Err(Malformed("its numbers do not fit together"));
        }
        let (mut long, mut by_chunk, mut first) = (HashMap::new(), Vec::new(), 0);
        for _ in 0..reader.integer()? {
            let term = reader.string()?;
            let count = reader.short_integer()?;
            if count == 0 || count > passages {
                return Err(Malformed("a long list has no postings or too many"));
            }
            if long.insert(term.into(), LongList { count, first }).is_some() {
                return Err(Malformed("a term stands twice"));
            }
            by_chunk.push(LongList { count, first });
            first += tiers(first_tier, count as usize).count();
        }
        reader.end()?;
        if first != lists.chunks() {
            return Err(Malformed("its long lists do not fit their files"));
        }
        Ok(Self { group, first_tier, terms, lists, texts, long, by_chunk })
    }
}

/// A segment of an opened index.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The number of its first passage in the index.
    pub first: u32,
    pub passages: u32,
    /// BM25 as the segment was built: it ordered the tiers.
    pub built: Bm25,
    pub directory: Directory,
}
