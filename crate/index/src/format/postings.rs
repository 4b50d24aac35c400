//! A posting list: the passages that hold a term. Passages ascend, and their gaps are written in blocks of 128; the
//! postings after the last full block are written one by one.

use crate::bm25::Bm25;
use crate::format::codec::{COLUMN, Malformed, Reader, write_column, write_integer};

/// One passage that holds a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    /// The passage's number in its segment.
    pub passage: u32,
    /// How often the term stands in it; at least 1.
    pub frequency: u32,
    /// How many terms it has in all. With it here, scoring needs no other file.
    pub length: u32,
}

/// The most postings in one chunk of a long list.
const LARGEST_TIER: usize = 1 << 16;

/// Writes `postings`, by ascending passage. Their number is not written.
pub(crate) fn write_list(out: &mut Vec<u8>, postings: &[Posting]) {
    let mut next = 0;
    let mut gap = |posting: &Posting| {
        let gap = posting.passage - next;
        next = posting.passage + 1;
        gap
    };
    let (blocks, tail) = postings.as_chunks::<COLUMN>();
    for block in blocks {
        write_column(out, &block.each_ref().map(&mut gap));
        write_column(out, &block.map(|posting| posting.frequency - 1));
        write_column(out, &block.map(|posting| posting.length - posting.frequency));
    }
    for posting in tail {
        let more = posting.frequency > 1;
        write_integer(out, u64::from(gap(posting)) << 1 | u64::from(more));
        if more {
            write_integer(out, u64::from(posting.frequency));
        }
        write_integer(out, u64::from(posting.length - posting.frequency));
    }
}

/// Reads `count` postings of a segment of `passages` passages.
pub(crate) fn read_list(reader: &mut Reader, count: u64, passages: u32) -> Result<Vec<Posting>, Malformed> {
    let (mut postings, mut next) = (Vec::new(), 0_u32);
    let mut posting = |gap: u32, frequency: Option<u32>, others: u32| {
        let passage = next.checked_add(gap).filter(|&passage| passage < passages);
        let passage = passage.ok_or(Malformed("a posting names a passage out of range"))?;
        next = passage + 1;
        let length = frequency.and_then(|frequency| others.checked_add(frequency));
        let (frequency, length) = frequency.zip(length).ok_or(Malformed("a passage's length exceeds 32 bits"))?;
        Ok(Posting { passage, frequency, length })
    };
    for _ in 0..count / COLUMN as u64 {
        let [gaps, frequencies, others] = [reader.column(COLUMN)?, reader.column(COLUMN)?, reader.column(COLUMN)?];
        for ((gap, frequency), others) in gaps.into_iter().zip(frequencies).zip(others) {
            postings.push(posting(gap, frequency.checked_add(1), others)?);
        }
    }
    for _ in 0..count % COLUMN as u64 {
        let gap = reader.integer()?;
        let frequency = if gap & 1 == 1 { reader.short_integer()? } else { 1 };
        let gap = u32::try_from(gap >> 1).map_err(|_| Malformed("a posting names a passage out of range"))?;
        if frequency == 0 {
            return Err(Malformed("a posting's frequency is 0"));
        }
        postings.push(posting(gap, Some(frequency), reader.short_integer()?)?);
    }
    Ok(postings)
}

/// The sizes of the chunks of a long list of `count` postings: the first has `first`, each further one twice as many,
/// up to 65,536, and the last has the rest.
pub(crate) fn tiers(first: usize, count: usize) -> impl Iterator<Item = usize> {
    let (mut size, mut left) = (first.clamp(1, LARGEST_TIER), count);
    std::iter::from_fn(move || {
        let tier = size.min(left);
        left -= tier;
        size = (size * 2).min(LARGEST_TIER);
        (tier > 0).then_some(tier)
    })
}

/// Orders a long list for its tiers: the postings that earn most of the term's weight first, and ascending passages
/// within a tier.
pub(crate) fn order_by_tier(postings: &mut [Posting], first: usize, bm25: &Bm25) {
    let earned = |posting: &Posting| bm25.saturation(posting.frequency, posting.length);
    postings.sort_unstable_by(|a, b| earned(b).total_cmp(&earned(a)).then(a.passage.cmp(&b.passage)));
    let (count, mut rest) = (postings.len(), postings);
    for tier in tiers(first, count) {
        let (these, those) = rest.split_at_mut(tier);
        these.sort_unstable_by_key(|posting| posting.passage);
        rest = those;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::btree_map;
    use proptest::prelude::*;

    const PASSAGES: u32 = 100_000;

    fn postings() -> impl Strategy<Value = Vec<Posting>> {
        btree_map(0..PASSAGES, (1..9_u32, 0..99_u32), 0..400).prop_map(|list| {
            let posting = |(passage, (frequency, others))| Posting { passage, frequency, length: frequency + others };
            list.into_iter().map(posting).collect()
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(postings in postings()) {
            let mut bytes = Vec::new();
            write_list(&mut bytes, &postings);
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(read_list(&mut reader, postings.len() as u64, PASSAGES), Ok(postings));
            prop_assert_eq!(reader.end(), Ok(()));
        }

        #[test]
        fn no_bytes_make_reading_panic(bytes: Vec<u8>, count: u64, passages: u32) {
            let _ = read_list(&mut Reader::new(&bytes), count, passages);
        }

        #[test]
        fn no_later_tier_earns_more(mut postings in postings(), first in 1..50_usize) {
            let bm25 = Bm25 { k1: 0.9, b: 0.4, passages: PASSAGES, average_length: 50.0 };
            let earned = |posting: &Posting| bm25.saturation(posting.frequency, posting.length);
            order_by_tier(&mut postings, first, &bm25);
            let (mut rest, mut least) = (&postings[..], f32::MAX);
            for tier in tiers(first, postings.len()) {
                let (these, those) = rest.split_at(tier);
                prop_assert!(these.is_sorted_by_key(|posting| posting.passage));
                prop_assert!(these.iter().all(|posting| earned(posting) <= least));
                least = these.iter().map(earned).fold(least, f32::min);
                rest = those;
            }
            prop_assert!(rest.is_empty());
        }
    }

    #[test]
    fn a_passage_out_of_range_and_a_frequency_of_0_are_malformed() {
        let read = |bytes: &[u8]| read_list(&mut Reader::new(bytes), 1, 10);
        assert!(read(&[18, 0]).is_ok());
        assert!(read(&[20, 0]).is_err());
        assert!(read(&[19, 0, 0]).is_err());
        assert!(read(&[19]).is_err());
    }
}
