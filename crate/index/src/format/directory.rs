//! The directory of a segment, which a reader keeps in memory: where the chunks of its parts are, and which terms have
//! long lists.

use std::collections::HashMap;

use crate::format::codec::{Malformed, Reader, write_integer, write_string};
use crate::format::part::Part;
use crate::format::postings::tiers;

/// The three parts of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum PartKind {
    /// Buckets of the dictionary, with short lists.
    Terms,
    /// Tiers of long lists.
    Lists,
    /// Groups of passages, compressed together.
    Texts,
}

impl PartKind {
    /// The part's name in what the command line prints.
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

/// The posting list of a term that is too common for a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LongList {
    /// How many passages hold the term.
    pub count: u32,
    /// Its first chunk.
    pub first: usize,
}

impl Directory {
    pub fn part(&self, kind: PartKind) -> &Part {
        match kind {
            PartKind::Terms => &self.terms,
            PartKind::Lists => &self.lists,
            PartKind::Texts => &self.texts,
        }
    }

    /// The parts by their names.
    pub fn parts(&self) -> [(PartKind, &Part); 3] {
        [PartKind::Terms, PartKind::Lists, PartKind::Texts].map(|kind| (kind, self.part(kind)))
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

    /// The number of tiers of a list.
    pub fn tiers_of(&self, list: LongList) -> usize {
        tiers(self.first_tier, list.count as usize).count()
    }

    /// The number of postings in chunk `number` of the long lists.
    pub fn tier(&self, number: usize) -> Option<usize> {
        let list = self.by_chunk.partition_point(|list| list.first <= number).checked_sub(1)?;
        let LongList { count, first } = self.by_chunk[list];
        tiers(self.first_tier, count as usize).nth(number - first)
    }

    /// The bytes of a directory with these parts. `long` has the terms of the long lists and their numbers of postings,
    /// in the order of the lists.
    pub fn encode(group: u32, first_tier: usize, parts: [&Part; 3], long: &[(String, u32)]) -> Vec<u8> {
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
