//! The directory of a segment, which a reader keeps in memory: where the chunks of its parts are, and which terms have
//! long lists.

use std::collections::HashMap;

use crate::format::bucket::CELL_BITS;
use crate::format::codec::{Malformed, Reader, write_integer, write_string};
use crate::format::part::Part;
use crate::format::postings::tiers;

/// The most passages in a group.
pub(crate) const LARGEST_GROUP: u32 = 1 << 16;

/// A directory may have at most this many chunks in a part, plus [`CHUNKS_A_BYTE`] for each of its bytes. Chunks of one
/// size take almost no bytes in the file, but four each in memory.
const MOST_CHUNKS: usize = 1 << 20;
const CHUNKS_A_BYTE: usize = 8;

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
        if !(1..=LARGEST_GROUP).contains(&group) || first_tier == 0 {
            return Err(Malformed("its groups or its first tiers have an impossible size"));
        }
        let (groups, most) = (passages.div_ceil(group) as usize, MOST_CHUNKS + CHUNKS_A_BYTE * bytes.len());
        let [terms, lists, texts] =
            [most.min(1 << CELL_BITS), most, most.min(groups)].map(|most| Part::read(&mut reader, most));
        let (terms, lists, texts) = (terms?, lists?, texts?);
        if terms.chunks() == 0 || texts.chunks() != groups {
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
            let left = lists.chunks() - first;
            let chunks = tiers(first_tier, count as usize).take(left + 1).count(); // a list may claim 65,536 of them
            if chunks > left {
                return Err(Malformed("its long lists do not fit their files"));
            }
            first += chunks;
        }
        reader.end()?;
        if first != lists.chunks() {
            return Err(Malformed("its long lists do not fit their files"));
        }
        Ok(Self { group, first_tier, terms, lists, texts, long, by_chunk })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::part::PartFile;

    fn part(chunks: usize) -> Part {
        if chunks == 0 {
            return Part::default();
        }
        let (file, _, sizes) = PartFile::assemble(0, &vec![Vec::new(); chunks]);
        Part::new(vec![file], sizes)
    }

    #[test]
    fn lists_that_claim_more_chunks_than_there_are_are_malformed() {
        let long: Vec<_> = (0..200_000).map(|n| (n.to_string(), u32::MAX)).collect();
        let parts = [&part(1), &part(1), &part(1 << 16)];
        let bytes = Directory::encode(LARGEST_GROUP, 1, parts, &long);
        let decoded = Directory::decode(&bytes, u32::MAX);
        assert_eq!(decoded, Err(Malformed("its long lists do not fit their files")));
    }

    #[test]
    fn sizes_that_expand_too_far_are_malformed() {
        let with = |terms: usize, group: u32, passages: u32| {
            let texts = part(passages.div_ceil(group) as usize);
            Directory::decode(&Directory::encode(group, 64, [&part(terms), &part(0), &texts], &[]), passages)
                .map(|_| ())
        };
        assert_eq!(with(1, 8, 1000), Ok(()));
        let many = Err(Malformed("there are too many chunks"));
        assert_eq!(with((1 << CELL_BITS) + 1, 8, 1000), many);
        assert_eq!(with(1, 1, 2 << 20), many);
        assert!(with(1, LARGEST_GROUP + 1, 1000).is_err());
    }
}
