//! Builds a segment: passages are read in batches, which threads analyse and compress; their postings are gathered and
//! set aside in sorted runs, whose merge is written as buckets and long lists.

use std::io;
use std::ops::ControlFlow;
use std::thread;

use evident_base::Hash;

use crate::analysis::{Lexicon, normalised};
use crate::bm25::Bm25;
use crate::build::error::BuildError;
#[cfg(not(target_family = "wasm"))]
use crate::build::lists::{lists, passages_of};
use crate::build::options::BuildOptions;
use crate::build::output::{Output, PartSpool};
use crate::build::runs::{Gathered, IdRecord, Runs, TermRecord};
use crate::build::scratch::{Scratch, Spool, read_sized, write_sized};
use crate::format::bucket::{Bucket, CELL_BITS, bucket_count, bucket_of};
use crate::format::codec::Malformed;
use crate::format::directory::Directory;
use crate::format::manifest::SegmentEntry;
use crate::format::passages::{MOST_NAMES, Passage, decode_group, encode_group, write_passage};
use crate::format::postings::{Posting, order_by_tier, tiers, write_list};
#[cfg(not(target_family = "wasm"))]
use crate::{index::Index, storage::file::FileStorage};

/// Groups of passages in a batch, which is one thread's work at a time.
const BATCH: usize = 128;

/// How far a build is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildProgress {
    /// The number of passages that were read and analysed.
    Read(u64),
    /// The number of terms whose postings were merged.
    Merged(u64),
    /// The files are being written.
    Writing,
}

/// A segment that is being built.
pub(super) struct SegmentBuilder<'a, W> {
    options: &'a BuildOptions,
    output: &'a mut Output,
    /// Receives the progress, and returns whether to go on.
    watch: W,
    scratch: Scratch,
    /// Passages to be analysed.
    pending: Vec<Passage>,
    /// The passages before those, analysed but not yet gathered.
    digested: Vec<Digest>,
    texts: PartSpool,
    gathered: Gathered,
    terms: Runs,
    gathered_ids: Vec<IdRecord>,
    ids: Runs,
    passages: u32,
    tokens: u64,
    /// Whether texts are analysed; otherwise their terms are taken from an index that has them.
    analyses: bool,
}

/// A batch of passages, analysed and compressed by a thread.
struct Digest {
    terms: Vec<(String, Vec<Posting>)>,
    groups: Vec<Vec<u8>>,
    tokens: u64,
}

impl<'a, W: FnMut(BuildProgress) -> ControlFlow<()>> SegmentBuilder<'a, W> {
    pub fn new(options: &'a BuildOptions, output: &'a mut Output, watch: W) -> Result<Self, BuildError> {
        if !options.are_sound() {
            return Err(BuildError::BadOptions);
        }
        let scratch = output.scratch()?;
        Ok(Self {
            options,
            output,
            watch,
            pending: Vec::new(),
            digested: Vec::new(),
            texts: PartSpool::new(&scratch)?,
            scratch,
            gathered: Gathered::default(),
            terms: Runs::default(),
            gathered_ids: Vec::new(),
            ids: Runs::default(),
            passages: 0,
            tokens: 0,
            analyses: true,
        })
    }

    /// Builds the segment of these passages; its files go to the output.
    pub fn build(
        mut self,
        passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    ) -> Result<SegmentEntry, BuildError> {
        self.take(passages)?;
        self.finish()
    }

    /// Builds the segment of all passages of these indexes, whose posting lists are taken over; its files go to the
    /// output. They are the same files that [`Self::build`] makes from the passages.
    #[cfg(not(target_family = "wasm"))]
    pub fn join(mut self, indexes: &[Index<FileStorage>]) -> Result<SegmentEntry, BuildError> {
        self.analyses = false;
        self.take(indexes.iter().flat_map(passages_of))?;
        let mut before = 0;
        for index in indexes {
            for lists in lists(index) {
                for (term, mut postings) in lists? {
                    postings.iter_mut().for_each(|posting| posting.passage += before); // all were counted
                    self.gathered.extend(term, postings);
                }
                self.spill()?;
                self.tell(BuildProgress::Read(self.passages.into()))?;
            }
            before += index.manifest().passages;
            self.tokens += index.manifest().tokens;
        }
        self.finish()
    }

    /// Takes in passages.
    fn take(&mut self, passages: impl IntoIterator<Item = Result<Passage, BuildError>>) -> Result<(), BuildError> {
        let group = self.options.group_passages as usize;
        let (most, mut bytes) = (BATCH * group * self.options.threads, 0);
        for (passage, line) in passages.into_iter().zip(1..) {
            let passage = passage?;
            if passage.text.trim().is_empty() {
                return Err(BuildError::EmptyText { line, id: passage.id });
            }
            if passage.names.len() > MOST_NAMES {
                return Err(BuildError::TooManyNames { line, id: passage.id });
            }
            self.meet_id(&passage.id, u32::try_from(line).map_err(|_| BuildError::TooLarge)?)?;
            bytes += passage.id.len() + passage.title.len() + passage.text.len();
            bytes += passage.names.iter().map(String::len).sum::<usize>();
            self.pending.push(passage);
            // Groups stay whole, so that the files do not depend on the memory.
            let is_full = bytes > self.options.memory / 8 && self.pending.len().is_multiple_of(group);
            if self.pending.len() == most || is_full {
                self.digest()?;
                bytes = 0;
            }
        }
        self.digest()?;
        let last = std::mem::take(&mut self.digested);
        self.gather(last)?;
        if self.passages == 0 {
            return Err(BuildError::NoPassages);
        }
        Ok(())
    }

    /// Notes the id of the passage in `line`, which is 0 for one that is already in the index.
    pub fn meet_id(&mut self, id: &str, line: u32) -> Result<(), BuildError> {
        let [a, b, c, d, e, f, g, h, ..] = *Hash::of(id.as_bytes()).as_bytes();
        self.gathered_ids.push(IdRecord { hash: u64::from_le_bytes([a, b, c, d, e, f, g, h]), line });
        if self.gathered_ids.len() * size_of::<IdRecord>() > self.options.memory / 8 {
            self.ids.put(std::mem::take(&mut self.gathered_ids), &self.scratch)?;
        }
        Ok(())
    }

    /// Threads analyse and compress the pending passages, while this one gathers the digests of those before.
    fn digest(&mut self) -> Result<(), BuildError> {
        let (options, analyses) = (self.options, self.analyses);
        let group = options.group_passages as usize;
        let pending = std::mem::take(&mut self.pending);
        let mut batches = Vec::new();
        for batch in pending.chunks(BATCH * group) {
            batches.push((self.passages, batch));
            let after = u32::try_from(batch.len()).ok().and_then(|count| self.passages.checked_add(count));
            self.passages = after.filter(|&after| after < u32::MAX).ok_or(BuildError::TooLarge)?;
        }
        let before = std::mem::take(&mut self.digested);
        let digests: Vec<_> = if self.options.threads == 1 {
            self.gather(before)?;
            batches.into_iter().map(|(first, batch)| digest(batch, first, options, analyses)).collect()
        } else {
            thread::scope(|scope| {
                let spawn = |(first, batch)| scope.spawn(move || digest(batch, first, options, analyses));
                let threads: Vec<_> = batches.into_iter().map(spawn).collect();
                self.gather(before)?;
                let join = |thread: thread::ScopedJoinHandle<_>| {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                Ok::<_, BuildError>(threads.into_iter().map(join).collect())
            })?
        };
        self.digested = digests.into_iter().collect::<Result<_, _>>()?;
        self.tell(BuildProgress::Read(self.passages.into()))
    }

    /// Takes in digests, in the order of their passages.
    fn gather(&mut self, digests: Vec<Digest>) -> Result<(), BuildError> {
        for Digest { terms, groups, tokens } in digests {
            terms.into_iter().for_each(|(term, postings)| self.gathered.extend(term.into(), postings));
            groups.iter().try_for_each(|group| self.texts.push(group))?;
            self.tokens += tokens;
            self.spill()?;
        }
        Ok(())
    }

    /// Sets postings aside if they fill their share of the memory.
    fn spill(&mut self) -> Result<(), BuildError> {
        if self.gathered.bytes() > self.options.memory / 2 {
            self.terms.put(self.gathered.take(), &self.scratch)?;
        }
        Ok(())
    }

    /// Writes what was gathered.
    fn finish(mut self) -> Result<SegmentEntry, BuildError> {
        self.check_ids()?;
        let &BuildOptions { k1, b, shard_bytes, whole_bytes, shard_terms, group_passages, long_list, memory, .. } =
            self.options;
        let bm25 = Bm25::new(k1, b, self.passages, self.tokens);
        let long_list = long_list.min((self.passages as usize / 256).max(64));

        // Long lists are written at once. Short ones wait until the number of buckets is known.
        let mut lists = PartSpool::new(&self.scratch)?;
        let (mut long, mut short) = (Vec::new(), self.scratch.spool()?);
        let mut cells = Vec::<(u32, u32)>::new();
        let mut merge = std::mem::take(&mut self.terms).merge(self.gathered.take(), memory / 4)?;
        let (mut terms, mut bytes) = (0_u32, Vec::new());
        loop {
            let mut parts = merge.next_equals()?.into_iter();
            let Some(TermRecord { hash, term, mut postings }) = parts.next() else { break };
            parts.for_each(|part| postings.extend(part.postings));
            if postings.len() > long_list {
                order_by_tier(&mut postings, long_list, &bm25);
                let mut rest = &postings[..];
                for tier in tiers(long_list, postings.len()) {
                    let (these, those) = rest.split_at(tier);
                    bytes.clear();
                    write_list(&mut bytes, these);
                    lists.push(&bytes)?;
                    rest = those;
                }
                long.push((term.into_string(), postings.len() as u32)); // at most one posting for each passage
            } else {
                let cell = hash >> (u32::BITS - CELL_BITS);
                match cells.last_mut() {
                    Some((last, count)) if *last == cell => *count += 1,
                    _ => cells.push((cell, 1)),
                }
                bytes.clear();
                bytes.extend(cell.to_le_bytes());
                Bucket::write_term(&mut bytes, &term, &postings);
                write_sized(&mut short, &bytes)?;
            }
            terms = terms.checked_add(1).ok_or(BuildError::TooLarge)?;
            if terms.is_multiple_of(1 << 14) {
                self.tell(BuildProgress::Merged(terms.into()))?;
            }
        }
        self.tell(BuildProgress::Writing)?;
        let buckets = self.buckets(short, bucket_count(&cells, shard_terms))?;
        let parts = [buckets, lists, self.texts];
        let is_small = parts.iter().map(PartSpool::file_bytes).sum::<u64>() <= whole_bytes;
        let shard_bytes = if is_small { usize::MAX } else { shard_bytes };
        let parts = parts.map(|part| part.finish(shard_bytes, self.output));
        let [buckets, lists, texts] = parts;
        let directory = Directory::encode(group_passages, long_list, [&buckets?, &lists?, &texts?], &long);
        let directory = self.output.write(directory)?;
        Ok(SegmentEntry { passages: self.passages, terms, tokens: self.tokens, directory })
    }

    /// The `count` buckets of the dictionary, from the short lists in the order of their cells.
    fn buckets(&self, short: Spool, count: usize) -> Result<PartSpool, BuildError> {
        let mut buckets = PartSpool::new(&self.scratch)?;
        let (mut source, mut bucket) = (short.read(1 << 16)?, Vec::new());
        while let Some(entry) = read_sized(&mut source)? {
            let (cell, entry) = entry.split_first_chunk().ok_or(io::Error::from(io::ErrorKind::UnexpectedEof))?;
            while buckets.chunks() < bucket_of(u32::from_le_bytes(*cell), count) {
                buckets.push(&bucket)?;
                bucket.clear();
            }
            bucket.extend_from_slice(entry);
        }
        while buckets.chunks() < count {
            buckets.push(&bucket)?;
            bucket.clear();
        }
        Ok(buckets)
    }

    /// Fails if two passages have one id.
    fn check_ids(&mut self) -> Result<(), BuildError> {
        let last = std::mem::take(&mut self.gathered_ids);
        let mut merge = std::mem::take(&mut self.ids).merge(last, self.options.memory / 4)?;
        let mut pairs = Vec::new();
        loop {
            let mut lines: Vec<u32> = merge.next_equals()?.into_iter().map(|id: IdRecord| id.line).collect();
            lines.sort_unstable();
            let [first, others @ ..] = &lines[..] else { break };
            pairs.extend(others.iter().filter(|&&line| line > 0).map(|&line| (line, *first)));
        }
        pairs.sort_unstable();
        for (line, first) in pairs {
            let id = self.id(line)?;
            if first == 0 {
                return Err(BuildError::TakenId { line: line as usize, id });
            }
            if self.id(first)? == id {
                return Err(BuildError::DuplicateId { line: line as usize, first: first as usize, id });
            }
        }
        Ok(())
    }

    /// The id of the passage in `line`.
    fn id(&mut self, line: u32) -> Result<String, BuildError> {
        let (number, group) = (line - 1, self.options.group_passages);
        let count = group.min(self.passages - number / group * group);
        let body = self.texts.body((number / group) as usize)?;
        let passages = decode_group(&body, count).map_err(|Malformed(how)| io::Error::other(how))?;
        Ok(passages.into_iter().nth((number % group) as usize).map(|passage| passage.id).unwrap_or_default())
    }

    fn tell(&mut self, progress: BuildProgress) -> Result<(), BuildError> {
        if (self.watch)(progress).is_break() { Err(BuildError::Stopped) } else { Ok(()) }
    }
}

/// The compressed groups of a batch of passages, which are numbered from `first`, and their postings if wanted.
fn digest(batch: &[Passage], first: u32, options: &BuildOptions, analyses: bool) -> Result<Digest, BuildError> {
    let groups = batch.chunks(options.group_passages as usize).map(|passages| {
        let mut group = Vec::new();
        passages.iter().for_each(|passage| write_passage(&mut group, passage));
        encode_group(&group).ok_or(BuildError::TooLarge)
    });
    let groups = groups.collect::<Result<_, _>>()?;
    if !analyses {
        return Ok(Digest { terms: Vec::new(), groups, tokens: 0 });
    }
    let normal: Vec<_> = batch.iter().map(|passage| [normalised(&passage.title), normalised(&passage.text)]).collect();
    let (mut lexicon, mut lists, mut tokens) = (Lexicon::new(options.analysis), Vec::<Vec<Posting>>::new(), 0);
    let (mut article, mut names) = (None, Vec::new());
    for ((given, passage), number) in batch.iter().zip(&normal).zip(first..) {
        let Passage { title, names: others, .. } = given;
        if article != Some((title, others)) {
            article = Some((title, others)); // the passages of an article are neighbours
            names = lexicon.names(title, others);
            let known = names.iter().map(|name| name + 1).max().unwrap_or_default();
            lists.resize_with(lists.len().max(known), Vec::new);
        }
        let (mut met, mut length) = (Vec::new(), 0_u64);
        for term in lexicon.analyse(passage) {
            length += 1;
            if term == lists.len() {
                lists.push(Vec::new());
            }
            match lists[term].last_mut() {
                Some(posting) if posting.passage == number => posting.frequency = posting.frequency.saturating_add(1),
                _ => {
                    lists[term].push(Posting { passage: number, frequency: 1, length: 0 });
                    met.push(term);
                }
            }
        }
        for &name in &names {
            lists[name].push(Posting { passage: number, frequency: 1, length: 0 });
            met.push(name);
        }
        tokens += length;
        let length = u32::try_from(length).map_err(|_| BuildError::TooLarge)?;
        for term in met {
            lists[term].last_mut().into_iter().for_each(|posting| posting.length = length);
        }
    }
    Ok(Digest { terms: lexicon.into_terms().zip(lists).collect(), groups, tokens })
}
