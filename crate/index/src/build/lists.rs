//! The passages and the posting lists of an index that is there, for an index that is made of it.

use std::rc::Rc;

use futures_lite::future::block_on;

use crate::build::error::BuildError;
use crate::error::IndexError;
use crate::format::directory::PartKind;
use crate::format::passages::Passage;
use crate::format::postings::Posting;
use crate::index::Index;
use crate::read::chunks::Chunk;
use crate::read::segments::ChunkAddress;
use crate::storage::file::FileStorage;

/// The number of passages that are read at once.
const READ_AT_ONCE: u32 = 1024;

/// Terms with their postings, whose passages are numbered in their index and ascend.
type Lists = Vec<(Box<str>, Vec<Posting>)>;

/// All lists of an index, some at a time. Those of a term in several segments come in the order of these.
pub(super) fn lists(index: &Index<FileStorage>) -> impl Iterator<Item = Result<Lists, IndexError>> {
    let opened = index.opened();
    (0..opened.segments.len()).flat_map(move |number| {
        let segment = &opened.segments[number];
        let (first, directory) = (segment.first, segment.directory.clone());
        let numbered = move |postings: &[Posting]| {
            postings.iter().map(|&posting| Posting { passage: posting.passage + first, ..posting }).collect::<Vec<_>>()
        };
        let chunk = move |part: PartKind, chunk: usize| -> Result<Rc<Chunk>, IndexError> {
            let found = block_on(index.chunk(ChunkAddress { segment: number, part, chunk }))?;
            found.ok_or_else(|| IndexError::corrupt(part.name(), format!("it has no chunk {chunk}")))
        };
        let short = (0..directory.terms.chunks()).map(move |bucket| match &*chunk(PartKind::Terms, bucket)? {
            Chunk::Bucket(bucket) => Ok(bucket.lists().map(|(term, list)| (term.into(), numbered(list))).collect()),
            _ => Ok(Vec::new()),
        });
        let long = directory.long_lists().into_iter().map(move |(term, _)| {
            let Some(list) = directory.long_list(&term) else { return Ok(Vec::new()) };
            let mut postings = Vec::new();
            for tier in list.first..list.first + directory.tiers_of(list) {
                if let Chunk::Tier(these) = &*chunk(PartKind::Lists, tier)? {
                    postings.extend(numbered(these));
                }
            }
            postings.sort_unstable_by_key(|posting| posting.passage);
            Ok(vec![(term.into(), postings)])
        });
        short.chain(long)
    })
}

/// All passages of an index, in their order.
pub(super) fn passages_of(index: &Index<FileStorage>) -> impl Iterator<Item = Result<Passage, BuildError>> {
    let count = index.manifest().passages;
    (0..count).step_by(READ_AT_ONCE as usize).flat_map(move |first| {
        let numbers: Vec<u32> = (first..count.min(first.saturating_add(READ_AT_ONCE))).collect();
        match block_on(index.passages(&numbers)) {
            Ok(passages) => passages.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(BuildError::from(error))],
        }
    })
}
