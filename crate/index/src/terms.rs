//! A term shard: the terms whose hash falls on its number, each with its whole posting list.

use std::collections::BTreeMap;

use crate::codec::{Malformed, Reader, write_integer, write_string};
use crate::manifest::Verified;

/// One passage that holds a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    /// The passage's number.
    pub passage: u32,
    /// How often the term stands in it; at least 1.
    pub frequency: u32,
    /// How many terms it has in all. It stands here so that scoring needs no other file.
    pub length: u32,
}

/// Terms and their postings, these by ascending passage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TermShard(BTreeMap<Box<str>, Vec<Posting>>);

impl TermShard {
    /// The bytes of the shard that holds `lists`, which come by ascending term and passage.
    pub fn encode<'a>(lists: &[(&'a str, &'a [Posting])]) -> Vec<u8> {
        let mut out = Vec::new();
        write_integer(&mut out, lists.len() as u64);
        for (term, postings) in lists {
            write_string(&mut out, term);
            write_integer(&mut out, postings.len() as u64);
            let mut previous = 0;
            for posting in *postings {
                write_integer(&mut out, u64::from(posting.passage - previous));
                write_integer(&mut out, u64::from(posting.frequency));
                write_integer(&mut out, u64::from(posting.length));
                previous = posting.passage;
            }
        }
        out
    }

    /// Reads a shard of an index of `passages` passages.
    pub fn decode(bytes: &Verified, passages: u32) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes.as_slice());
        let mut lists = BTreeMap::<Box<str>, _>::new();
        for _ in 0..reader.integer()? {
            let term = reader.string()?;
            if lists.last_key_value().is_some_and(|(last, _)| **last >= *term) {
                return Err(Malformed("its terms are not in order"));
            }
            let list = Self::postings(&mut reader, passages)?;
            lists.insert(term.into(), list);
        }
        reader.end()?;
        Ok(Self(lists))
    }

    fn postings(reader: &mut Reader, passages: u32) -> Result<Vec<Posting>, Malformed> {
        let mut postings = Vec::<Posting>::new();
        for _ in 0..reader.integer()? {
            let gap = reader.short_integer()?;
            let passage = match postings.last() {
                None => Some(gap),
                Some(_) if gap == 0 => None,
                Some(last) => last.passage.checked_add(gap),
            };
            let passage = passage
                .filter(|&passage| passage < passages)
                .ok_or(Malformed("a posting names a passage out of order or range"))?;
            let (frequency, length) = (reader.short_integer()?, reader.short_integer()?);
            if frequency == 0 || frequency > length {
                return Err(Malformed("a term's frequency does not fit its passage's length"));
            }
            postings.push(Posting { passage, frequency, length });
        }
        Ok(postings)
    }

    /// The passages that hold `term`, ascending; none where the index does not have it.
    pub fn postings_of(&self, term: &str) -> &[Posting] {
        self.0.get(term).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::{btree_map, vec};
    use proptest::prelude::*;

    const PASSAGES: u32 = 1000;

    fn lists() -> impl Strategy<Value = BTreeMap<Box<str>, Vec<Posting>>> {
        let list = btree_map(0..PASSAGES, (1..9_u32, 0..99_u32), 1..20).prop_map(|list| {
            list.into_iter()
                .map(|(passage, (frequency, others))| Posting { passage, frequency, length: frequency + others })
                .collect()
        });
        btree_map(".{1,9}".prop_map(Box::from), list, 0..20)
    }

    fn encode(lists: &BTreeMap<Box<str>, Vec<Posting>>) -> Vec<u8> {
        TermShard::encode(&lists.iter().map(|(term, list)| (&**term, &**list)).collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(lists in lists()) {
            let decoded = TermShard::decode(&Verified::trusted(encode(&lists)), PASSAGES);
            prop_assert_eq!(decoded, Ok(TermShard(lists)));
        }

        #[test]
        fn a_shard_cut_short_is_malformed(lists in lists(), cut in 0.0..1.0) {
            let mut bytes = encode(&lists);
            bytes.truncate((bytes.len() as f64 * cut) as usize);
            prop_assert!(TermShard::decode(&Verified::trusted(bytes), PASSAGES).is_err());
        }

        #[test]
        fn no_bytes_make_decoding_panic(bytes in vec(any::<u8>(), 0..200)) {
            let _ = TermShard::decode(&Verified::trusted(bytes), PASSAGES);
        }
    }

    #[test]
    fn passages_out_of_order_or_range_are_malformed() {
        let decode = |postings: &[u8]| {
            let bytes = [&[1, 1, b'x'], postings].concat();
            TermShard::decode(&Verified::trusted(bytes), PASSAGES)
        };
        assert!(decode(&[2, 7, 1, 1, 1, 1, 1]).is_ok());
        assert!(decode(&[2, 7, 1, 1, 0, 1, 1]).is_err());
        assert!(decode(&[1, 0xe8, 0x07, 1, 1]).is_err());
        assert!(decode(&[1, 7, 2, 1]).is_err());
    }
}
