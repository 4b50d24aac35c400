//! Sorted runs and their merge, by which a build inverts more passages than its memory holds. Whenever the gathered
//! records fill their share of the memory, they are sorted and set aside as a run; at the end all runs are merged.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};
use std::io::{self, BufRead};

use foldhash::fast::RandomState;

use crate::build::error::BuildError;
use crate::build::scratch::{Scratch, Spool, read_sized, write_sized};
use crate::format::bucket::term_hash;
use crate::format::codec::{Malformed, Reader, write_integer, write_string};
use crate::format::postings::{Posting, read_list, write_list};

/// Bytes that a gathered posting takes, with the unused room of a growing list.
const POSTING_BYTES: usize = 18;

/// Bytes that a gathered term takes beside its postings.
const TERM_BYTES: usize = 96;

/// A record of a run, and its order.
pub(super) trait Record: Ord + Sized {
    fn write(&self, out: &mut Vec<u8>);
    fn read(bytes: &[u8]) -> Result<Self, Malformed>;
}

/// Runs that were set aside.
#[derive(Debug, Default)]
pub(super) struct Runs(Vec<Spool>);

impl Runs {
    /// Sets `records` aside, sorted.
    pub fn put<R: Record>(&mut self, mut records: Vec<R>, scratch: &Scratch) -> Result<(), BuildError> {
        records.sort_unstable();
        let (mut spool, mut bytes) = (scratch.spool()?, Vec::new());
        for record in records {
            bytes.clear();
            record.write(&mut bytes);
            write_sized(&mut spool, &bytes)?;
        }
        self.0.push(spool);
        Ok(())
    }

    /// All records of the runs and of `last`, in their order, with equal records in the order of their runs; `last`
    /// counts as the last run. The merge uses about `memory` bytes.
    pub fn merge<R: Record>(self, mut last: Vec<R>, memory: usize) -> Result<Merge<R>, BuildError> {
        last.sort_unstable();
        let buffer = (memory / (self.0.len() + 1)).clamp(4 << 10, 1 << 20);
        let sources = self.0.into_iter().map(|spool| spool.read(buffer)).collect::<io::Result<Vec<_>>>()?;
        let mut merge = Merge { sources, last: last.into_iter(), next: BinaryHeap::new() };
        (0..=merge.sources.len()).try_for_each(|run| merge.advance(run))?;
        Ok(merge)
    }
}

/// A merge of runs.
pub(super) struct Merge<R: Record> {
    sources: Vec<Box<dyn BufRead>>,
    last: std::vec::IntoIter<R>,
    /// The next record of each run.
    next: BinaryHeap<Reverse<(R, usize)>>,
}

impl<R: Record> Merge<R> {
    /// Reads the next record of a run.
    fn advance(&mut self, run: usize) -> Result<(), BuildError> {
        let record = match self.sources.get_mut(run) {
            Some(source) => match read_sized(source)? {
                Some(bytes) => Some(R::read(&bytes).map_err(|Malformed(how)| io::Error::other(how))?),
                None => None,
            },
            None => self.last.next(),
        };
        self.next.extend(record.map(|record| Reverse((record, run))));
        Ok(())
    }

    /// The next record, and all that are equal to it; empty at the end.
    pub fn next_equals(&mut self) -> Result<Vec<R>, BuildError> {
        let mut equals: Vec<R> = Vec::new();
        while let Some(Reverse((next, _))) = self.next.peek()
            && equals.first().is_none_or(|first| first == next)
            && let Some(Reverse((record, run))) = self.next.pop()
        {
            equals.push(record);
            self.advance(run)?;
        }
        Ok(equals)
    }
}

/// A term's postings among the passages of one run. Terms are ordered by their hash, as buckets are.
#[derive(Debug)]
pub(super) struct TermRecord {
    pub hash: u32,
    pub term: Box<str>,
    pub postings: Vec<Posting>,
}

impl TermRecord {
    fn key(&self) -> (u32, &str) {
        (self.hash, &self.term)
    }
}

impl PartialEq for TermRecord {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for TermRecord {}

impl PartialOrd for TermRecord {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TermRecord {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Record for TermRecord {
    fn write(&self, out: &mut Vec<u8>) {
        write_string(out, &self.term);
        write_integer(out, self.postings.len() as u64);
        write_list(out, &self.postings);
    }

    fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let term: Box<str> = reader.string()?.into();
        let count = reader.integer()?;
        Ok(Self { hash: term_hash(&term), term, postings: read_list(&mut reader, count, u32::MAX)? })
    }
}

/// Gathered postings by their terms; in each list passages ascend.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    lists: HashMap<Box<str>, Vec<Posting>, RandomState>,
    bytes: usize,
}

impl Gathered {
    /// Appends postings to a term's list.
    pub fn extend(&mut self, term: Box<str>, postings: Vec<Posting>) {
        self.bytes += postings.len() * POSTING_BYTES;
        let list = self.lists.entry(term).or_insert_with(|| {
            self.bytes += TERM_BYTES;
            Vec::new()
        });
        list.extend(postings);
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes all records, in no order.
    pub fn take(&mut self) -> Vec<TermRecord> {
        self.bytes = 0;
        let record = |(term, postings): (Box<str>, _)| TermRecord { hash: term_hash(&term), term, postings };
        std::mem::take(&mut self.lists).into_iter().map(record).collect()
    }
}

/// The hash of a passage's id. Records with equal hashes are equal, whatever their lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct IdRecord {
    pub hash: u64,
    pub line: u32,
}

impl PartialEq for IdRecord {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl Eq for IdRecord {}

impl PartialOrd for IdRecord {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for IdRecord {
    fn cmp(&self, other: &Self) -> Ordering {
        self.hash.cmp(&other.hash)
    }
}

impl Record for IdRecord {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.hash.to_le_bytes());
        write_integer(out, self.line.into());
    }

    fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let hash = *reader.bytes(8)?.first_chunk().ok_or(Malformed("ends too early"))?;
        Ok(Self { hash: u64::from_le_bytes(hash), line: reader.short_integer()? })
    }
}
