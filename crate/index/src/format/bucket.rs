//! A bucket of the dictionary: the terms whose hash falls into it, each with its posting list. Terms with a long list
//! are in the directory instead.

use std::collections::HashMap;

use evident_base::Hash;

use crate::analysis::names::MARK;
use crate::format::codec::{Malformed, Reader, write_integer, write_string};
use crate::format::postings::{Posting, read_list, write_list};

/// Terms are spread over buckets by this many bits of their hash.
pub(crate) const CELL_BITS: u32 = 20;

/// A bucket may have at most this many postings, plus [`POSTINGS_A_BYTE`] for each of its bytes. Postings at equal
/// distances in passages of equal length take almost no bytes in the file, but twelve each in memory.
const MOST_POSTINGS: usize = 1 << 20;
const POSTINGS_A_BYTE: usize = 4;

/// Terms and their postings, by ascending passage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bucket(HashMap<Box<str>, Vec<Posting>>);

/// A term's place in the order of terms: the first four bytes of its SHA-256, least significant first. A name of one
/// word has the word's place, as a query asks for both.
pub(crate) fn term_hash(term: &str) -> u32 {
    let words = term.strip_prefix(MARK).unwrap_or(term);
    let [a, b, c, d, ..] = *Hash::of(words.as_bytes()).as_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// The bucket, of `buckets`, of the terms in `cell`: the upper [`CELL_BITS`] bits of their hash.
pub(crate) fn bucket_of(cell: u32, buckets: usize) -> usize {
    ((u64::from(cell) * buckets as u64) >> CELL_BITS) as usize
}

/// A large number of buckets, found by a quick search, of which each has at least `fewest` terms; `cells` are cells
/// with their numbers of terms. It is 1 if there are fewer terms than that in all.
pub(crate) fn bucket_count(cells: &[(u32, u32)], fewest: usize) -> usize {
    let terms: usize = cells.iter().map(|&(_, count)| count as usize).sum();
    let enough = |buckets: usize| {
        let mut counts = vec![0; buckets];
        cells.iter().for_each(|&(cell, count)| counts[bucket_of(cell, buckets)] += count as usize);
        counts.iter().all(|&count| count >= fewest)
    };
    let mut buckets = (terms / fewest).min(1 << (CELL_BITS - 4));
    while buckets > 1 && !enough(buckets) {
        buckets -= buckets.div_ceil(64);
    }
    buckets.max(1)
}

impl Bucket {
    /// Appends a term to the bytes of its bucket.
    pub fn write_term(out: &mut Vec<u8>, term: &str, postings: &[Posting]) {
        write_string(out, term);
        write_integer(out, postings.len() as u64);
        write_list(out, postings);
    }

    /// Decodes a bucket of a segment of `passages` passages, whose lists of more than `longest` postings are elsewhere.
    pub fn decode(bytes: &[u8], passages: u32, longest: usize) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let mut lists = HashMap::new();
        let mut left = MOST_POSTINGS + POSTINGS_A_BYTE * bytes.len();
        while !reader.is_empty() {
            let term = reader.string()?;
            let count = reader.integer()?;
            let fits = usize::try_from(count).ok().filter(|&count| count <= longest);
            left = fits.and_then(|count| left.checked_sub(count)).ok_or(Malformed("a bucket has too many postings"))?;
            if lists.insert(term.into(), read_list(&mut reader, count, passages)?).is_some() {
                return Err(Malformed("a term stands twice"));
            }
        }
        Ok(Self(lists))
    }

    /// The passages that hold `term`, ascending; none if the bucket does not have it.
    pub fn postings_of(&self, term: &str) -> &[Posting] {
        self.0.get(term).map_or(&[], Vec::as_slice)
    }

    /// All its terms with their postings, in no order.
    pub fn lists(&self) -> impl Iterator<Item = (&str, &[Posting])> {
        self.0.iter().map(|(term, postings)| (&**term, &postings[..]))
    }

    /// Checks that a search would look for its terms in this bucket, number `number` of `buckets`.
    pub fn check_place(&self, number: usize, buckets: usize) -> Result<(), Malformed> {
        let here = |term: &str| bucket_of(term_hash(term) >> (u32::BITS - CELL_BITS), buckets) == number;
        if self.0.keys().all(|term| here(term)) { Ok(()) } else { Err(Malformed("a term is in the wrong bucket")) }
    }

    /// The number of terms.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::{hash_map, vec};
    use proptest::prelude::*;

    const PASSAGES: u32 = 1000;

    fn bucket() -> impl Strategy<Value = HashMap<Box<str>, Vec<Posting>>> {
        let posting = |passage| Posting { passage, frequency: 1 + passage % 3, length: 9 };
        let list = vec(0..PASSAGES, 1..20).prop_map(move |mut passages| {
            passages.sort_unstable();
            passages.dedup();
            passages.into_iter().map(posting).collect()
        });
        hash_map(".{1,9}".prop_map(Box::from), list, 0..20)
    }

    proptest! {
        #[test]
        fn what_is_written_is_decoded(lists in bucket()) {
            let mut bytes = Vec::new();
            lists.iter().for_each(|(term, postings)| Bucket::write_term(&mut bytes, term, postings));
            prop_assert_eq!(Bucket::decode(&bytes, PASSAGES, 1000), Ok(Bucket(lists)));
        }

        #[test]
        fn no_bytes_make_decoding_panic(bytes: Vec<u8>) {
            let _ = Bucket::decode(&bytes, PASSAGES, 1000);
        }

        #[test]
        fn every_bucket_has_enough_terms(seed: u32, terms in 1..5_000_u32, fewest in 1..300_usize) {
            let cell = |n| (term_hash(&format!("{seed}-{n}")) >> (u32::BITS - CELL_BITS), 1);
            let cells: Vec<_> = (0..terms).map(cell).collect();
            let buckets = bucket_count(&cells, fewest);
            let mut counts = vec![0; buckets];
            cells.iter().for_each(|&(cell, _)| counts[bucket_of(cell, buckets)] += 1);
            prop_assert!(buckets == 1 || counts.iter().all(|&count| count >= fewest));
        }
    }

    #[test]
    fn a_bucket_that_expands_too_far_is_malformed() {
        // Neighbours of one length: six bytes for 128 postings.
        let list: Vec<_> = (0..1 << 12).map(|passage| Posting { passage, frequency: 1, length: 1 }).collect();
        let bucket = |lists: usize| {
            let mut bytes = Vec::new();
            (0..lists).for_each(|n| Bucket::write_term(&mut bytes, &n.to_string(), &list));
            bytes
        };
        assert!(Bucket::decode(&bucket(100), 1 << 12, 1 << 12).is_ok());
        assert!(Bucket::decode(&bucket(1000), 1 << 12, 1 << 12).is_err());
        assert!(Bucket::decode(&bucket(1), 1 << 12, (1 << 12) - 1).is_err());
    }

    #[test]
    fn a_term_that_stands_twice_is_malformed() {
        let mut bytes = Vec::new();
        let posting = Posting { passage: 1, frequency: 1, length: 1 };
        (0..2).for_each(|_| Bucket::write_term(&mut bytes, "term", &[posting]));
        assert!(Bucket::decode(&bytes, PASSAGES, 1000).is_err());
    }
}
