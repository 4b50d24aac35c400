//! From passages to the files of an index. The same passages and options give the same bytes, whatever the memory and the
//! threads.
//!
//! Passages are read in batches, which threads analyse and compress; their postings are gathered and put aside in sorted
//! runs (`runs`), whose merge is written as buckets and long lists (`output`). A segment is what is built at a time.

#[cfg(not(target_family = "wasm"))]
mod folder;
mod output;
mod runs;
mod scratch;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;

#[cfg(not(target_family = "wasm"))]
pub use folder::{BuildSummary, add, build, build_watched, merge};
use output::{Output, PartSpool};
use runs::{Gathered, IdRecord, Runs, TermRecord};
use scratch::{Scratch, Spool};

use crate::analysis::english::Lexicon;
use crate::bm25::{B, Bm25, K1};
use crate::format::bucket::{Bucket, CELL_BITS, bucket_count, bucket_of};
use crate::format::codec::Malformed;
use crate::format::directory::Directory;
use crate::format::manifest::Hash;
use crate::format::passages::{pack_group, read_group, write_passage};
use crate::format::postings::{Posting, order_by_tier, tiers, write_list};
use crate::{ANALYSIS, FORMAT, IndexError, MANIFEST, Manifest, Passage, SegmentEntry};

/// Groups of passages in a batch, which one thread takes at a time.
const BATCH: usize = 128;

/// How to build an index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BuildOptions {
    /// BM25's saturation of term frequency; 0 or more.
    pub k1: f32,
    /// BM25's weight of length; from 0 to 1.
    pub b: f32,
    /// The size in bytes that files aim at in a small index; above 0. In a large one they grow, that there are not too many.
    pub shard_bytes: usize,
    /// The fewest terms a bucket of the dictionary has, above 0: a request for one of many says little about the query.
    pub shard_terms: usize,
    /// Passages that are compressed and fetched together; above 0.
    pub group_passages: u32,
    /// The most postings that a list has in a bucket, above 0; a longer one has chunks of its own. In an index of fewer than
    /// 131,072 passages it is less: one in 256 of them, but 64 at least.
    pub long_list: usize,
    /// The memory in bytes that building aims to keep to; the rest is put aside as scratch files in the index's folder. A list
    /// must fit: 12 bytes for each passage that holds the commonest term.
    pub memory: usize,
    /// Threads that analyse and compress; above 0.
    pub threads: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            k1: K1,
            b: B,
            shard_bytes: 4 << 10,
            shard_terms: 256,
            group_passages: 8,
            long_list: 512,
            memory: 1 << 30,
            threads: thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// How far a build is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many passages were read and analysed.
    Read(u64),
    /// The postings of so many terms were merged.
    Merged(u64),
    /// The files are being written.
    Writing,
}

/// Why an index could not be built. Passages are numbered from 1 here, as the lines of their file.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The file of passages could not be read.
    #[error("{} could not be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line is not a passage.
    #[error("line {line} is not a passage ({reason}): write one JSON object per line, with id, title and text")]
    NotAPassage {
        /// Its number.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A passage has no text.
    #[error("line {line}: the passage {id:?} has no text: fill it or leave it out")]
    EmptyText {
        /// The passage's number.
        line: usize,
        /// The passage's id.
        id: String,
    },
    /// Two passages share an id.
    #[error("line {line}: the id {id:?} is already that of line {first}: give each passage its own")]
    DuplicateId {
        /// The later passage's number.
        line: usize,
        /// The earlier passage's number.
        first: usize,
        /// Their id.
        id: String,
    },
    /// There is nothing to index.
    #[error("there are no passages to index")]
    NoPassages,
    /// There is more to index than the format's 32-bit numbers can count.
    #[error("there are more passages, or longer ones, than one index can hold: build several")]
    TooLarge,
    /// An option is out of its range.
    #[error("k1 must be 0 or more, b from 0 to 1, and every other option but the memory above 0")]
    BadOptions,
    /// The caller asked to stop. What was at the index's place before is still there.
    #[error("the build was stopped")]
    Stopped,
    /// The index that was to be added to or merged could not be read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// An id is already in the index.
    #[error("line {line}: the id {id:?} is already in the index: give each passage its own")]
    TakenId {
        /// The passage's number.
        line: usize,
        /// Its id.
        id: String,
    },
    /// What was put aside could not be written or read again. What was at the index's place before is still there.
    #[error("the scratch files of the build failed: {0}; see that the disk has room for about twice the index")]
    Scratch(#[from] io::Error),
    /// The place for the index is taken by something else.
    #[error("{} is there already and is not an index: choose another place or remove it", path.display())]
    Occupied {
        /// The place.
        path: PathBuf,
    },
    /// The index could not be written. What was at its place before is still there.
    #[error("{} could not be written: {source}", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl BuildError {
    /// The stable name of this kind of error, for callers that branch on it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadOptions => "bad-settings",
            Self::Write { .. } | Self::Occupied { .. } | Self::Scratch(_) => "index-unwritable",
            Self::Index(error) => error.code(),
            Self::Stopped => "stopped",
            _ => "bad-passages",
        }
    }
}

/// The passages of a JSONL file, one object per line: `id`, `title`, `text`, and where wanted `section` and `source`.
/// Errors name the line.
pub fn read_jsonl(path: &Path) -> impl Iterator<Item = Result<Passage, BuildError>> + use<> {
    let path = path.to_path_buf();
    let (lines, unopened) = match File::open(&path) {
        Ok(file) => (Some(BufReader::new(file).split(b'\n')), None),
        Err(source) => (None, Some(Err(BuildError::Read { path: path.clone(), source }))),
    };
    let passages = lines.into_iter().flatten().zip(1..).map(move |(text, line)| {
        let text = text.map_err(|source| BuildError::Read { path: path.clone(), source })?;
        parse_line(&text, line)
    });
    unopened.into_iter().chain(passages)
}

/// The passage in one line of a JSONL file, its line number `line` counted from 1.
///
/// # Errors
/// [`BuildError::NotAPassage`].
pub fn parse_line(text: &[u8], line: usize) -> Result<Passage, BuildError> {
    serde_json::from_slice(text).map_err(|error| {
        // The parser ends its message with a place inside this one line.
        let message = error.to_string();
        let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        BuildError::NotAPassage { line, reason: format!("{reason}, column {}", error.column()) }
    })
}

/// The index of `passages` in memory: its manifest, and all its files by name, that of the manifest among them. [`build`]
/// writes these.
///
/// # Errors
/// The first error among `passages`, or a [`BuildError`] that says what to mend.
pub fn assemble(
    passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    options: &BuildOptions,
) -> Result<(Manifest, BTreeMap<String, Vec<u8>>), BuildError> {
    let mut output = Output::Memory(BTreeMap::new());
    let segment = SegmentBuilder::new(options, &mut output, |_| ControlFlow::Continue(()))?.build(passages)?;
    let mut manifest = manifest(options, vec![segment])?;
    let sealed = manifest.seal();
    match output {
        Output::Memory(mut files) => {
            files.insert(MANIFEST.into(), sealed);
            Ok((manifest, files))
        }
        #[cfg(not(target_family = "wasm"))]
        Output::Folder(_) => Err(BuildError::BadOptions),
    }
}

/// The manifest of an index of these segments, not yet sealed.
fn manifest(options: &BuildOptions, segments: Vec<SegmentEntry>) -> Result<Manifest, BuildError> {
    let sum =
        |of: fn(&SegmentEntry) -> u32| segments.iter().try_fold(0, |sum: u32, segment| sum.checked_add(of(segment)));
    Ok(Manifest {
        format: FORMAT,
        analysis: ANALYSIS.into(),
        k1: options.k1,
        b: options.b,
        passages: sum(|segment| segment.passages).ok_or(BuildError::TooLarge)?,
        terms: sum(|segment| segment.terms).ok_or(BuildError::TooLarge)?,
        tokens: segments.iter().map(|segment| segment.tokens).sum(),
        segments,
        checksum: Hash::of(&[]),
    })
}

/// A segment being built.
struct SegmentBuilder<'a, W> {
    options: &'a BuildOptions,
    output: &'a mut Output,
    /// Told how far it is, and asked whether to go on.
    watch: W,
    scratch: Scratch,
    /// Passages that were not analysed yet.
    pending: Vec<Passage>,
    /// What threads have made of the passages before those, not yet gathered.
    digested: Vec<Digest>,
    texts: PartSpool,
    gathered: Gathered,
    terms: Runs,
    gathered_ids: Vec<IdRecord>,
    ids: Runs,
    passages: u32,
    tokens: u64,
}

/// What a thread makes of a batch of passages.
struct Digest {
    terms: Vec<(String, Vec<Posting>)>,
    groups: Vec<Vec<u8>>,
    tokens: u64,
}

impl<'a, W: FnMut(Progress) -> ControlFlow<()>> SegmentBuilder<'a, W> {
    fn new(options: &'a BuildOptions, output: &'a mut Output, watch: W) -> Result<Self, BuildError> {
        let &BuildOptions { k1, b, shard_bytes, shard_terms, group_passages, long_list, memory: _, threads } = options;
        let numbers = [shard_bytes, shard_terms, group_passages as usize, long_list, threads];
        if !(k1 >= 0.0 && k1.is_finite() && (0.0..=1.0).contains(&b)) || numbers.contains(&0) {
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
        })
    }

    fn build(
        mut self,
        passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    ) -> Result<SegmentEntry, BuildError> {
        let most = BATCH * self.options.group_passages as usize * self.options.threads;
        for (passage, line) in passages.into_iter().zip(1..) {
            let passage = passage?;
            if passage.text.trim().is_empty() {
                return Err(BuildError::EmptyText { line, id: passage.id });
            }
            self.meet_id(&passage.id, u32::try_from(line).map_err(|_| BuildError::TooLarge)?)?;
            self.pending.push(passage);
            if self.pending.len() == most {
                self.digest()?;
            }
        }
        self.digest()?;
        let last = std::mem::take(&mut self.digested);
        self.gather(last)?;
        if self.passages == 0 {
            return Err(BuildError::NoPassages);
        }
        self.finish()
    }

    /// Notes an id, of the passage in `line`; 0 for one that is in the index already.
    fn meet_id(&mut self, id: &str, line: u32) -> Result<(), BuildError> {
        let Hash([a, b, c, d, e, f, g, h, ..]) = Hash::of(id.as_bytes());
        self.gathered_ids.push(IdRecord { hash: u64::from_le_bytes([a, b, c, d, e, f, g, h]), line });
        if self.gathered_ids.len() * size_of::<IdRecord>() > self.options.memory / 8 {
            self.ids.put(std::mem::take(&mut self.gathered_ids), &self.scratch)?;
        }
        Ok(())
    }

    /// Has threads analyse and compress the pending passages, and meanwhile gathers what they made of those before.
    fn digest(&mut self) -> Result<(), BuildError> {
        let group = self.options.group_passages as usize;
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
            batches.into_iter().map(|(first, batch)| digest(batch, first, group)).collect()
        } else {
            thread::scope(|scope| {
                let spawn = |(first, batch)| scope.spawn(move || digest(batch, first, group));
                let threads: Vec<_> = batches.into_iter().map(spawn).collect();
                self.gather(before)?;
                let join = |thread: thread::ScopedJoinHandle<_>| {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                Ok::<_, BuildError>(threads.into_iter().map(join).collect())
            })?
        };
        self.digested = digests.into_iter().collect::<Result<_, _>>()?;
        self.tell(Progress::Read(self.passages.into()))
    }

    fn gather(&mut self, digests: Vec<Digest>) -> Result<(), BuildError> {
        for Digest { terms, groups, tokens } in digests {
            terms.into_iter().for_each(|(term, postings)| self.gathered.extend(term.into(), postings));
            groups.iter().try_for_each(|group| self.texts.push(group))?;
            self.tokens += tokens;
            if self.gathered.bytes() > self.options.memory / 2 {
                self.terms.put(self.gathered.take(), &self.scratch)?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<SegmentEntry, BuildError> {
        self.check_ids()?;
        let &BuildOptions { k1, b, shard_bytes, shard_terms, group_passages, long_list, memory, .. } = self.options;
        let bm25 = Bm25::new(k1, b, self.passages, self.tokens);
        let long_list = long_list.min((self.passages as usize / 256).max(64));

        // Long lists are written as they come; short ones wait until it is known how many buckets there are.
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
                long.push((term.into_string(), postings.len() as u32)); // at most one for each passage
            } else {
                let cell = hash >> (u32::BITS - CELL_BITS);
                match cells.last_mut() {
                    Some((last, count)) if *last == cell => *count += 1,
                    _ => cells.push((cell, 1)),
                }
                bytes.clear();
                bytes.extend(cell.to_le_bytes());
                Bucket::write(&mut bytes, &term, &postings);
                write_sized(&mut short, &bytes)?;
            }
            terms = terms.checked_add(1).ok_or(BuildError::TooLarge)?;
            if terms.is_multiple_of(1 << 14) {
                self.tell(Progress::Merged(terms.into()))?;
            }
        }
        self.tell(Progress::Writing)?;
        let buckets = self.buckets(short, bucket_count(&cells, shard_terms))?;
        let parts = [buckets, lists, self.texts].map(|part| part.finish(shard_bytes, self.output));
        let [buckets, lists, texts] = parts;
        let directory = Directory::write(group_passages, long_list, [&buckets?, &lists?, &texts?], &long);
        let directory = self.output.write(directory)?;
        Ok(SegmentEntry { passages: self.passages, terms, tokens: self.tokens, directory })
    }

    /// The dictionary's chunks, from the terms in the order of their cells.
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

    /// Finds two passages with one id.
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
        let passages = read_group(&body, count).map_err(|Malformed(how)| io::Error::other(how))?;
        Ok(passages.into_iter().nth((number % group) as usize).map(|passage| passage.id).unwrap_or_default())
    }

    fn tell(&mut self, progress: Progress) -> Result<(), BuildError> {
        if (self.watch)(progress).is_break() { Err(BuildError::Stopped) } else { Ok(()) }
    }
}

/// The postings and the compressed groups of a batch of passages, the first of which has the number `first`.
fn digest(batch: &[Passage], first: u32, group: usize) -> Result<Digest, BuildError> {
    let (mut lexicon, mut lists, mut tokens) = (Lexicon::new(), Vec::<Vec<Posting>>::new(), 0);
    for (passage, number) in batch.iter().zip(first..) {
        let (mut met, mut length) = (Vec::new(), 0_u64);
        for term in lexicon.analyse([&passage.title, &passage.text]) {
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
        tokens += length;
        let length = u32::try_from(length).map_err(|_| BuildError::TooLarge)?;
        for term in met {
            lists[term].last_mut().into_iter().for_each(|posting| posting.length = length);
        }
    }
    let groups = batch.chunks(group).map(|passages| {
        let mut group = Vec::new();
        passages.iter().for_each(|passage| write_passage(&mut group, passage));
        pack_group(&group)
    });
    Ok(Digest { terms: lexicon.into_terms().zip(lists).collect(), groups: groups.collect(), tokens })
}

/// Puts `bytes` aside after their length.
fn write_sized(spool: &mut Spool, bytes: &[u8]) -> Result<(), BuildError> {
    let length = u32::try_from(bytes.len()).map_err(|_| BuildError::TooLarge)?;
    spool.write(&length.to_le_bytes())?;
    Ok(spool.write(bytes)?)
}

/// The next bytes that [`write_sized`] put aside; `None` at the end.
fn read_sized(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    if source.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut length = [0; 4];
    source.read_exact(&mut length)?;
    let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
    source.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

#[cfg(not(target_family = "wasm"))]
fn unwritable(path: &Path) -> impl Fn(io::Error) -> BuildError + use<> {
    let path = path.to_path_buf();
    move |source| BuildError::Write { path: path.clone(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileStorage, Index, Limits};
    use futures_lite::future::block_on;
    use std::fs;
    use tempfile::tempdir;

    type Files = BTreeMap<String, Vec<u8>>;

    fn passage(id: &str, text: &str) -> Result<Passage, BuildError> {
        Ok(Passage { id: id.into(), title: "Title".into(), section: None, text: text.into(), source: None })
    }

    fn written(directory: &Path) -> Files {
        let entries = directory.read_dir().unwrap().map(|entry| entry.unwrap());
        entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
    }

    fn jsonl(lines: &str) -> Result<Vec<Passage>, BuildError> {
        let directory = tempdir().unwrap();
        let path = directory.path().join("passages.jsonl");
        fs::write(&path, lines).unwrap();
        read_jsonl(&path).collect()
    }

    fn many(count: usize) -> impl Iterator<Item = Result<Passage, BuildError>> {
        (0..count).map(|n| passage(&n.to_string(), &format!("word{n} word{} word{} of many", n / 3, n % 7)))
    }

    fn go_on(_: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn the_same_passages_give_the_same_bytes_whatever_the_memory_and_the_threads() {
        let directory = tempdir().unwrap();
        let (_, files) = assemble(many(3000), &BuildOptions { threads: 1, ..Default::default() }).unwrap();
        for (memory, threads) in [(1 << 30, 1), (1, 1), (1 << 20, 3), (1, 3)] {
            let out = directory.path().join(format!("{memory}-{threads}"));
            let summary = build(many(3000), &out, &BuildOptions { memory, threads, ..Default::default() }).unwrap();
            assert!(written(&out) == files);
            assert_eq!((summary.passages, summary.files), (3000, files.len()));
            assert_eq!(summary.bytes, files.values().map(|bytes| bytes.len() as u64).sum::<u64>());
        }
    }

    #[test]
    fn what_was_added_is_found_and_a_merge_is_a_fresh_build() {
        let directory = tempdir().unwrap();
        let (out, fresh) = (directory.path().join("index"), directory.path().join("fresh"));
        let options = BuildOptions { threads: 1, ..Default::default() };
        let new = || (1000..1500).map(|n| passage(&n.to_string(), &format!("word{n} added to many, many, many")));
        build(many(1000), &out, &options).unwrap();
        let old = written(&out);
        let summary = add(new(), &out, &options, go_on).unwrap();
        let added = written(&out);
        assert!(old.keys().all(|name| name == MANIFEST || added[name] == old[name]));
        assert_eq!((summary.passages, summary.files), (1500, added.len()));
        build(many(1000).chain(new()), &fresh, &options).unwrap();
        for query in ["word7 many added", "word1400", "word3 word1 of"] {
            let [segments, whole] = [&out, &fresh].map(|folder| {
                let index = block_on(Index::open(FileStorage::new(folder))).unwrap();
                block_on(index.find(query, 20, Limits::default())).unwrap()
            });
            assert_eq!(segments, whole);
        }
        merge(&out, &options, go_on).unwrap();
        assert!(written(&out) == written(&fresh));
    }

    #[test]
    fn an_id_that_is_in_the_index_is_not_added() {
        let directory = tempdir().unwrap();
        let out = directory.path().join("index");
        build(many(10), &out, &BuildOptions::default()).unwrap();
        let old = written(&out);
        let taken = add([passage("a", "one"), passage("7", "two")], &out, &BuildOptions::default(), go_on).unwrap_err();
        assert_eq!(taken.to_string(), "line 2: the id \"7\" is already in the index: give each passage its own");
        assert!(written(&out) == old);
        let nowhere = add(many(1), &directory.path().join("nowhere"), &BuildOptions::default(), go_on);
        assert!(matches!(nowhere, Err(BuildError::Index(IndexError::Missing))));
        assert_eq!(directory.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_build_that_is_stopped_leaves_nothing() {
        let directory = tempdir().unwrap();
        let out = directory.path().join("index");
        for last in [Progress::Read(3000), Progress::Writing] {
            let stop = |progress| if progress == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            let stopped = build_watched(many(3000), &out, &BuildOptions::default(), stop);
            assert!(matches!(stopped, Err(BuildError::Stopped)));
            assert!(!out.exists());
        }
    }

    #[test]
    fn an_index_is_replaced_whole_and_nothing_of_it_is_left() {
        let directory = tempdir().unwrap();
        let out = directory.path().join("index");
        build([passage("a", "old text")], &out, &BuildOptions::default()).unwrap();
        let old = written(&out);
        build([passage("a", "new text")], &out, &BuildOptions::default()).unwrap();
        let new = written(&out);
        assert!(old.keys().all(|name| name == MANIFEST || !new.contains_key(name)));
        assert_eq!(directory.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_build_that_fails_leaves_the_old_index() {
        let directory = tempdir().unwrap();
        let out = directory.path().join("index");
        build([passage("a", "old text")], &out, &BuildOptions::default()).unwrap();
        let old = written(&out);
        build([passage("a", "new text"), passage("b", " ")], &out, &BuildOptions::default()).unwrap_err();
        assert!(written(&out) == old);
    }

    #[test]
    fn a_build_after_a_killed_one_removes_what_it_left() {
        let directory = tempdir().unwrap();
        let (out, fresh) = (directory.path().join("index"), directory.path().join("fresh"));
        for name in
            [format!("{}.bin", Hash::of(b"half a file")), ".evident-build/7".into(), ".manifest.json.new".into()]
        {
            fs::create_dir_all(out.join(".evident-build")).unwrap();
            fs::write(out.join(name), "half a file").unwrap();
        }
        build([passage("a", "new text")], &out, &BuildOptions::default()).unwrap();
        build([passage("a", "new text")], &fresh, &BuildOptions::default()).unwrap();
        assert!(written(&out) == written(&fresh));
    }

    #[test]
    fn an_index_of_another_version_is_replaced() {
        let directory = tempdir().unwrap();
        let out = directory.path();
        fs::write(out.join(MANIFEST), "{\"format\":1}").unwrap();
        fs::write(out.join(format!("{}.bin", Hash::of(b"old"))), "old").unwrap();
        let summary = build([passage("a", "new text")], out, &BuildOptions::default()).unwrap();
        assert_eq!(written(out).len(), summary.files);
    }

    #[test]
    fn a_directory_that_is_not_an_index_is_never_replaced() {
        let directory = tempdir().unwrap();
        fs::write(directory.path().join("letters.txt"), "dear").unwrap();
        let built = build([passage("a", "text")], directory.path(), &BuildOptions::default());
        assert!(matches!(built, Err(BuildError::Occupied { .. })));
        assert_eq!(written(directory.path()).len(), 1);
    }

    #[test]
    fn a_passage_without_text_or_with_a_used_id_is_named_by_its_line() {
        let assembled = |passages: [_; 3]| assemble(passages, &BuildOptions::default()).unwrap_err().to_string();
        let duplicate = assembled([passage("a", "one"), passage("b", "two"), passage("a", "three")]);
        assert_eq!(duplicate, "line 3: the id \"a\" is already that of line 1: give each passage its own");
        let empty = assembled([passage("a", "one"), passage("b", " \n"), passage("c", "three")]);
        assert_eq!(empty, "line 2: the passage \"b\" has no text: fill it or leave it out");
    }

    #[test]
    fn nothing_to_index_and_options_out_of_range_are_errors() {
        let with = |options| assemble([passage("a", "text")], &options).unwrap_err();
        assert!(matches!(assemble([], &BuildOptions::default()), Err(BuildError::NoPassages)));
        assert!(matches!(with(BuildOptions { k1: f32::NAN, ..Default::default() }), BuildError::BadOptions));
        assert!(matches!(with(BuildOptions { b: 1.1, ..Default::default() }), BuildError::BadOptions));
        assert!(matches!(with(BuildOptions { shard_bytes: 0, ..Default::default() }), BuildError::BadOptions));
        assert!(matches!(with(BuildOptions { threads: 0, ..Default::default() }), BuildError::BadOptions));
    }

    #[test]
    fn a_line_of_json_is_a_passage() {
        let lines = r#"{"id":7,"title":"T","text":"x","extra":true}
{"id":"b","title":"T","text":"y","section":"S","source":"https://example.org"}
"#;
        let passages = jsonl(lines).unwrap();
        assert_eq!(passages[0].id, "7");
        assert_eq!(passages[1].section.as_deref(), Some("S"));
    }

    #[test]
    fn a_line_that_is_not_a_passage_is_named() {
        let error = jsonl("{\"id\":1,\"title\":\"T\",\"text\":\"x\"}\n{\"id\":2}\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2 is not a passage (missing field `title`, column 8)"), "{error}");
        let missing = read_jsonl(Path::new("nowhere.jsonl")).next();
        assert!(matches!(missing, Some(Err(BuildError::Read { .. }))));
    }
}
