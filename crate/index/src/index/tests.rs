//! What an index promises, over whole indexes in memory.

use std::cell::Cell;
use std::future::poll_fn;
use std::ops::Range;
use std::task::Poll;

use futures_lite::future::block_on;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::analysis::names::Asked;
use crate::analysis::{Analysis, analyse};
use crate::build::memory::assemble;
use crate::build::options::BuildOptions;
use crate::error::StorageError;
use crate::forge::forge;
use crate::format::manifest::FORMAT;
use crate::search::limits::Completeness;
use crate::storage::Ranged;
use crate::storage::faulty::{Fault, Faulty};
use crate::storage::memory::MemoryStorage;

/// Files and tiers small enough for a small corpus to have many.
const SMALL: BuildOptions = BuildOptions {
    analysis: Analysis::ENGLISH,
    k1: 0.9,
    b: 0.4,
    shard_bytes: 64,
    whole_bytes: 0,
    shard_terms: 4,
    group_passages: 3,
    long_list: 4,
    memory: 1 << 20,
    threads: 1,
};

/// The same in one file for each part, of which chunks are read by ranges.
const ONE_FILE: BuildOptions = BuildOptions { shard_bytes: 1 << 20, ..SMALL };

/// The title of article `number`, of two passages: "Title 4", or a short name that others have too.
fn title(number: usize) -> String {
    match number % 5 {
        1 => format!("{} {}", ["B", "C"][number % 2], ["C", "D"][number % 3 % 2]),
        2 => format!("{} (title)", ["e", "f", "g"][number % 3]),
        _ => format!("Title {number}"),
    }
}

fn passages(texts: &[String]) -> Vec<Passage> {
    let passage = |(number, text): (usize, &String)| Passage {
        id: number.to_string(),
        title: title(number / 2),
        text: text.clone(),
        names: if number / 2 % 4 == 3 { vec!["D B".into(), "B C".into()] } else { Vec::new() },
        ..Passage::default()
    };
    texts.iter().enumerate().map(passage).collect()
}

fn stored_with(texts: &[String], options: &BuildOptions) -> MemoryStorage {
    MemoryStorage(assemble(passages(texts).into_iter().map(Ok), options).unwrap().1)
}

fn stored(texts: &[String]) -> MemoryStorage {
    stored_with(texts, &SMALL)
}

/// Six hundred passages of a few words each, some of them everywhere.
fn crowd() -> Vec<String> {
    let text = |n: usize| (0..3 + n % 17).map(|w| format!("word{} ", (n * (w + 1) + w * w) % 97)).collect();
    (0..600).map(text).collect()
}

/// Forty passages of ten words in which `common` is everywhere and `word7` in few.
fn planets() -> MemoryStorage {
    let text = |n: usize| (0..9).map(|w| format!("word{} ", (n * w) % 41)).collect::<String>() + "common";
    stored(&(0..40).map(text).collect::<Vec<_>>())
}

/// Opens an index of which only what a query needs is read.
async fn open<S: Storage>(storage: S) -> Result<Index<S>, IndexError> {
    Index::open_with(storage, OpenOptions { reading: Reading::Needed, ..OpenOptions::default() }).await
}

fn search<S: Storage>(storage: S, query: &str, k: usize) -> Result<Vec<Hit>, IndexError> {
    block_on(async { open(storage).await?.search(query, k).await })
}

/// How a host answers where a range of a file is wanted; `None` is a connection that breaks.
type Host = fn(&[u8], Range<usize>) -> Option<Ranged>;

/// A host as it should be.
fn honest(file: &[u8], range: Range<usize>) -> Option<Ranged> {
    Some(Ranged::Part(file[range].to_vec()))
}

/// Storage that records its requests, answers after a delay, and may answer wrongly.
#[derive(Default)]
struct Watched {
    files: RefCell<MemoryStorage>,
    /// Answers given in place of a file until it is evicted.
    wrong: RefCell<BTreeMap<String, Result<Vec<u8>, StorageError>>>,
    /// The answers to requests for ranges; `None` refuses them.
    ranged: Cell<Option<Host>>,
    /// The chunks given to keep.
    kept: RefCell<BTreeMap<(String, u64), Vec<u8>>>,
    log: RefCell<Vec<String>>,
    evicted: RefCell<Vec<String>>,
    /// Reads under way, and the most that ever were at once.
    under_way: Cell<(usize, usize)>,
}

impl Storage for Watched {
    async fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, StorageError> {
        self.log.borrow_mut().push(path.into());
        self.late().await;
        let wrong = self.wrong.borrow().get(path).cloned();
        let files = self.files.borrow().clone();
        wrong.unwrap_or(files.read(path, most).await)
    }

    async fn read_range(&self, path: &str, range: Range<u64>, _most: u64) -> Result<Ranged, StorageError> {
        let Some(ranged) = self.ranged.get() else { return Ok(Ranged::Refused) };
        self.log.borrow_mut().push(format!("{path} {range:?}"));
        self.late().await;
        let files = self.files.borrow().clone();
        let answer = ranged(&files.read(path, u64::MAX).await?, range.start as usize..range.end as usize);
        answer.ok_or_else(|| StorageError::Failed { path: path.into(), reason: "broken off".into() })
    }

    async fn cached_range(&self, path: &str, range: Range<u64>) -> Option<Vec<u8>> {
        self.kept.borrow().get(&(path.into(), range.start)).cloned()
    }

    fn keep_range(&self, path: &str, range: Range<u64>, bytes: &[u8]) {
        assert_eq!(range.end - range.start, bytes.len() as u64);
        self.kept.borrow_mut().insert((path.into(), range.start), bytes.to_vec());
    }

    async fn evict(&self, path: &str) {
        self.evicted.borrow_mut().push(path.into());
        self.wrong.borrow_mut().remove(path);
    }
}

impl Watched {
    async fn late(&self) {
        let (now, most) = self.under_way.get();
        self.under_way.set((now + 1, most.max(now + 1)));
        let mut waited = false;
        poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        let (now, most) = self.under_way.get();
        self.under_way.set((now - 1, most));
    }
}

/// Scores every passage by the formula, without an index.
fn brute_force(passages: &[Passage], query: &str, k: usize) -> Vec<(String, f32)> {
    let terms = |passage: &Passage| analyse(&format!("{}\n{}", passage.title, passage.text)).collect();
    let terms: Vec<Vec<String>> = passages.iter().map(terms).collect();
    let average = (terms.iter().map(Vec::len).sum::<usize>() as f64 / passages.len() as f64) as f32;
    let count = |terms: &[String], term: &String| terms.iter().filter(|other| *other == term).count() as f32;
    let idf = |term: &String| {
        let n = terms.iter().filter(|terms| terms.contains(term)).count() as f64;
        (1.0 + (passages.len() as f64 - n + 0.5) / (n + 0.5)).ln() as f32
    };
    let score = |(passage, terms): (&Passage, &Vec<String>)| {
        let names = Analysis::ENGLISH.names(&passage.title, &passage.names);
        let mut score = 0.0;
        for (term, Asked { count: asked, words }) in Analysis::ENGLISH.asked(query) {
            let is_name = term.starts_with('=');
            let weight = if is_name { words.iter().map(idf).sum() } else { idf(&term) };
            let tf = if is_name { count(&names, &term) } else { count(terms, &term) };
            let norm = 0.9 * (1.0 - 0.4 + 0.4 * terms.len() as f32 / average);
            score += asked as f32 * weight * (tf / (tf + norm));
        }
        score
    };
    let mut scores: Vec<_> =
        passages.iter().zip(&terms).map(score).enumerate().filter(|&(_, score)| score > 0.0).collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores.truncate(k);
    scores.into_iter().map(|(number, score)| (passages[number].id.clone(), score)).collect()
}

fn bits(hits: Vec<Hit>) -> Vec<(String, u32)> {
    hits.into_iter().map(|hit| (hit.passage.id, hit.score.to_bits())).collect()
}

fn text() -> impl Strategy<Value = String> {
    vec("[a-f]{1,2}|[B-D]|title|[0-9]{1,2}|Ünïcode\\.?|מים|🚀", 1..30).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sharded_equals_brute_force(texts in vec(text(), 1..60), query in text(), k in 0..70_usize) {
        let expected = brute_force(&passages(&texts), &query, k);
        let expected: Vec<_> = expected.into_iter().map(|(id, score)| (id, score.to_bits())).collect();
        for options in [SMALL, ONE_FILE, BuildOptions { threads: 2, ..Default::default() }] {
            let storage = stored_with(&texts, &options);
            prop_assert_eq!(&bits(search(&storage, &query, k).unwrap()), &expected);
            let whole = block_on(async { Index::open(&storage).await?.search(&query, k).await });
            prop_assert_eq!(&bits(whole.unwrap()), &expected);
        }
    }

    #[test]
    fn limits_never_hide_a_better_passage(
        texts in vec(text(), 1..200), query in text(), k in 1..20_usize, bytes in 0..4000_u64, trips in 0..6_u32,
    ) {
        let storage = stored(&texts);
        let found = block_on(async { open(storage).await?.find(&query, k, Limits { bytes, trips }).await });
        let found = found.unwrap();
        let everything = brute_force(&passages(&texts), &query, usize::MAX);
        let scores: BTreeMap<_, _> = everything.iter().map(|(id, score)| (id.as_str(), *score)).collect();
        for hit in &found.hits {
            prop_assert_eq!(hit.score.to_bits(), scores[hit.passage.id.as_str()].to_bits());
        }
        match found.completeness {
            Completeness::Exact => {
                let best: Vec<_> = everything.into_iter().take(k).map(|(id, score)| (id, score.to_bits())).collect();
                prop_assert_eq!(bits(found.hits), best);
            }
            Completeness::Bound(bound) => {
                let hits: BTreeSet<_> = found.hits.iter().map(|hit| hit.passage.id.as_str()).collect();
                prop_assert!(scores.iter().all(|(id, &score)| hits.contains(id) || score <= bound));
            }
        }
    }

    #[test]
    fn no_directory_makes_searching_panic(changes in vec((any::<u16>(), any::<u8>()), 1..4)) {
        let mut storage = planets();
        let mut manifest = Manifest::parse(&storage.0[MANIFEST]).unwrap();
        let mut directory = storage.0[&manifest.segments[0].directory.path()].clone();
        for (place, byte) in changes {
            let place = usize::from(place) % directory.len();
            directory[place] = byte;
        }
        let file = Shard::of(&directory);
        manifest.segments[0].directory = file;
        storage.0.insert(file.path(), directory);
        storage.0.insert(MANIFEST.into(), manifest.seal());
        let _ = search(&storage, &everything(), 40);
    }

    #[test]
    fn no_contents_under_right_hashes_make_searching_panic(
        changes in vec((0..200_usize, any::<u16>(), 0..9_usize, vec(any::<u8>(), 0..9)), 1..6),
        one_file: bool,
    ) {
        let options = if one_file { ONE_FILE } else { SMALL };
        let sound = stored_with(&crowd()[..60], &options);
        let mut chunk = 0..;
        let forged = forge(&sound, |bytes| {
            let number = chunk.next().unwrap_or_default();
            for (_, place, removed, added) in changes.iter().filter(|change| change.0 == number) {
                let start = usize::from(*place) % (bytes.len() + 1);
                let end = bytes.len().min(start + removed);
                bytes.splice(start..end, added.iter().copied());
            }
        });
        let storage = Watched { files: forged.unwrap().into(), ranged: Cell::new(Some(honest)), ..Default::default() };
        let _ = search(&storage, &(0..97).map(|n| format!("word{n} ")).collect::<String>(), 60);
        let _ = block_on(async { open(&storage).await?.passages(&(0..60).collect::<Vec<_>>()).await });
    }

    #[test]
    fn what_is_forged_without_a_change_is_the_index_itself(texts in vec(text(), 1..30)) {
        let sound = stored(&texts);
        prop_assert_eq!(forge(&sound, |_| {}).unwrap().0, sound.0);
    }

    #[test]
    fn no_manifest_makes_opening_panic(bytes in vec(any::<u8>(), 0..200)) {
        prop_assert!(Manifest::parse(&bytes).is_err());
    }
}

#[test]
fn checking_a_file_finds_what_no_search_could_read_or_would_find() {
    let sound = stored_with(&crowd(), &BuildOptions { shard_bytes: 1 << 20, whole_bytes: 0, ..Default::default() });
    let check = |files: &MemoryStorage| {
        let index = block_on(open(files)).unwrap();
        let files: Vec<Shard> = index.files().into_values().flatten().collect();
        files.iter().try_for_each(|file| block_on(index.check(file)))
    };
    assert_eq!(check(&sound), Ok(()));
    // Each of the first four chunks in turn, cut to half its length, under right hashes.
    let mut number = 0;
    let mut damaged = 0;
    for wanted in 0..4 {
        number = 0;
        let forged = forge(&sound, |bytes| {
            if number == wanted {
                bytes.truncate(bytes.len() / 2);
            }
            number += 1;
        });
        damaged += usize::from(forged.is_ok_and(|files| check(&files).is_err()));
    }
    assert!(number > 4 && damaged == 4, "{damaged}");
}

#[test]
fn every_flipped_bit_of_a_manifest_is_caught() {
    let sound = planets().0.remove(MANIFEST).unwrap();
    for place in 0..sound.len() * 8 {
        let mut flipped = sound.clone();
        flipped[place / 8] ^= 1 << (place % 8);
        assert!(Manifest::parse(&flipped).is_err(), "bit {place}");
    }
}

/// Every word of [`planets`].
fn everything() -> String {
    (0..41).map(|n| format!("word{n} ")).collect::<String>() + "common title"
}

#[test]
fn every_flipped_byte_is_caught() {
    let texts: Vec<String> = (0..9).map(|n| format!("word{n} of a common planet and word{}", n * n)).collect();
    let query = "word1 word2 word3 word4 word5 word6 word7 word8 word9 common planet title 16";
    for options in [SMALL, ONE_FILE] {
        let mut storage = stored_with(&texts, &options);
        let sound = search(&storage, query, 9).unwrap();
        for path in storage.0.keys().cloned().collect::<Vec<_>>() {
            for place in 0..storage.0[&path].len() {
                storage.0.get_mut(&path).unwrap()[place] ^= 1 << (place % 8);
                match search(&storage, query, 9) {
                    Err(IndexError::Corrupt { file, .. }) => assert_eq!(file, path),
                    Err(IndexError::Version { .. }) => assert_eq!(path, MANIFEST),
                    // A bucket that holds no term of the query is not read.
                    Ok(hits) => {
                        assert!(hits == sound && !read_by(&storage, query, 9).contains(&path), "{path} {place}")
                    }
                    Err(error) => panic!("{path} {place}: {error}"),
                }
                storage.0.get_mut(&path).unwrap()[place] ^= 1 << (place % 8);
            }
        }
    }
}

/// The files that a query reads.
fn read_by(files: &MemoryStorage, query: &str, k: usize) -> Vec<String> {
    let storage = Watched { files: files.clone().into(), ..Default::default() };
    search(&storage, query, k).unwrap();
    storage.log.take()
}

#[test]
fn a_range_that_is_not_the_right_one_is_never_used_and_no_other_is_asked_for() {
    let files = stored_with(&crowd(), &ONE_FILE);
    let hosts: [Host; 7] = [
        |file, range| {
            let mut flipped = file[range].to_vec();
            let middle = flipped.len() / 2;
            flipped[middle] ^= 1;
            Some(Ranged::Part(flipped))
        },
        |file, range| Some(Ranged::Part(file[range.start..range.end - 1].to_vec())),
        |file, range| Some(Ranged::Part(file[file.len() - range.len()..].iter().rev().copied().collect())),
        |_, _| Some(Ranged::Part(Vec::new())),
        |file, _| Some(Ranged::Whole(file[1..].to_vec())),
        |_, _| Some(Ranged::Refused),
        |_, _| None,
    ];
    let sound = search(&files, "word7 word9", 5);
    for host in hosts {
        let storage = Watched { files: files.clone().into(), ranged: Cell::new(Some(host)), ..Default::default() };
        assert_eq!(search(&storage, "word7 word9", 5), sound);
        assert!(storage.log.borrow().iter().filter(|path| path.contains(' ')).count() < 6, "ranges are given up");
        assert!(
            storage.kept.borrow().is_empty() && storage.evicted.borrow().is_empty(),
            "a cache keeps what is sound alone"
        );
    }
}

#[test]
fn a_host_that_sends_the_whole_file_to_a_range_has_sent_it_once() {
    let files = stored_with(&crowd(), &ONE_FILE);
    let whole: Host = |file, _| Some(Ranged::Whole(file.to_vec()));
    let storage = Watched { files: files.clone().into(), ranged: Cell::new(Some(whole)), ..Default::default() };
    let index = block_on(open(&storage)).unwrap();
    assert_eq!(block_on(index.search("word88", 1)), search(&files, "word88", 1));
    let log = storage.log.take();
    let asked: BTreeSet<_> = log.iter().filter_map(|entry| entry.split(' ').next()).collect();
    assert_eq!(asked.len(), log.len(), "{log:?}");
}

#[test]
fn a_connection_that_breaks_later_does_not_end_the_ranges() {
    let files = stored_with(&crowd(), &ONE_FILE);
    let storage = Watched { files: files.clone().into(), ..Default::default() };
    let index = block_on(open(&storage)).unwrap();
    let broken: Host = |_, _| None;
    for (host, query) in [(honest as Host, "word7"), (broken, "word23"), (honest, "word41")] {
        storage.ranged.set(Some(host));
        storage.log.take();
        assert_eq!(block_on(index.search(query, 3)), search(&files, query, 3));
        assert!(storage.log.take().iter().any(|path| path.contains(' ')), "{query}");
    }
}

#[test]
fn what_came_in_ranges_is_kept_by_chunk_for_a_later_session() {
    let files = stored_with(&crowd(), &ONE_FILE);
    let storage = Watched { files: files.clone().into(), ranged: Cell::new(Some(honest)), ..Default::default() };
    for query in ["word7", "word9"] {
        search(&storage, query, 5).unwrap();
    }
    let session = || {
        storage.log.take();
        assert_eq!(search(&storage, "word9 word7", 5), search(&files, "word9 word7", 5));
        storage.log.take().iter().filter(|path| path.contains(' ')).count()
    };
    let texts = session(); // other passages may be the best of both words
    assert_eq!(session(), 0);
    storage.kept.borrow_mut().values_mut().for_each(|bytes| bytes[0] ^= 1);
    assert!(session() > texts, "altered copies are not used");
    assert_eq!(session(), 0, "but replaced");
}

#[test]
fn where_ranges_are_answered_no_more_is_read() {
    let files = stored_with(&crowd(), &ONE_FILE);
    let bytes = |ranged| {
        let storage = Watched { files: files.clone().into(), ranged: Cell::new(ranged), ..Default::default() };
        let index = block_on(open(&storage)).unwrap();
        let before = index.traffic().bytes;
        block_on(index.search("word7 word9", 3)).unwrap();
        index.traffic().bytes - before
    };
    assert!(bytes(Some(honest)) * 3 < bytes(None));
}

#[test]
fn a_query_reads_each_file_once_and_the_same_again_reads_nothing() {
    let storage = Watched { files: planets().into(), ..Default::default() };
    let index = block_on(open(&storage)).unwrap();
    let hits = block_on(index.search("word7 word9 absent", 3)).unwrap();
    let log = storage.log.borrow().clone();
    let needed: BTreeSet<_> = log.iter().cloned().collect();
    assert_eq!(log.len(), needed.len());
    let files = planets().0;
    assert!(needed.len() * 2 < files.len(), "{} of {}", needed.len(), files.len());
    let bytes = needed.iter().map(|path| files[path].len() as u64).sum();
    assert_eq!(index.traffic(), Traffic { requests: needed.len() as u64, bytes });

    assert_eq!(block_on(index.search("word7 word9 absent", 3)).unwrap(), hits);
    assert_eq!(storage.log.borrow().len(), log.len());
}

#[test]
fn who_wants_the_same_file_or_range_at_once_shares_one_read() {
    for (options, ranged) in [(SMALL, None), (ONE_FILE, Some(honest as Host))] {
        let storage =
            Watched { files: stored_with(&crowd(), &options).into(), ranged: Cell::new(ranged), ..Default::default() };
        let open = || {
            storage.kept.borrow_mut().clear();
            let index = block_on(open(&storage)).unwrap();
            storage.log.take();
            index
        };
        let one = block_on(open().search("word7", 3));
        let alone = storage.log.take();
        let index = open();
        let both = block_on(futures_lite::future::zip(index.search("word7", 3), index.search("word7", 3)));
        assert_eq!(both, (one.clone(), one));
        let joined = storage.log.take();
        assert_eq!(joined, alone);
    }
}

#[test]
fn a_search_dropped_while_it_reads_keeps_no_other_from_the_file() {
    let storage = Watched { files: planets().into(), ..Default::default() };
    let index = block_on(open(&storage)).unwrap();
    let dropped = block_on(futures_lite::future::poll_once(index.search("word7", 3)));
    assert_eq!(dropped, None);
    assert_eq!(block_on(index.search("word7", 3)).unwrap().len(), 3);
}

#[test]
fn a_round_trip_reads_all_its_files_at_once() {
    let storage = Watched { files: planets().into(), ..Default::default() };
    let index = block_on(open(&storage)).unwrap();
    let opened = storage.log.borrow().len();
    let numbers: Vec<u32> = (0..40).collect();
    assert_eq!(block_on(index.passages(&numbers)).unwrap().len(), 40);
    assert_eq!(storage.under_way.get(), (0, storage.log.borrow().len() - opened));
}

#[test]
fn a_small_index_is_read_whole_at_once_and_never_again() {
    for (options, ranged) in [(BuildOptions::default(), Some(honest as Host)), (SMALL, None)] {
        let files = stored_with(&crowd(), &options);
        let storage = Watched { files: files.clone().into(), ranged: Cell::new(ranged), ..Default::default() };
        let index = block_on(Index::open(&storage)).unwrap();
        storage.log.take();
        let both = block_on(futures_lite::future::zip(index.search("word7", 3), index.search("absent", 3)));
        assert_eq!(both, (search(&files, "word7", 3), Ok(Vec::new())));
        let asked: BTreeSet<_> = storage.log.borrow().iter().cloned().collect();
        let parts = index.files().into_iter().filter(|&(part, _)| part != "directory").flat_map(|(_, files)| files);
        assert_eq!(asked, parts.map(|file| file.path()).collect());
        assert_eq!((asked.len(), storage.under_way.get().1), (storage.log.take().len(), asked.len()));
        let limits = Limits { bytes: 0, trips: 2 };
        let limited = block_on(index.find("word7 word23 word41 word9", 20, limits)).unwrap();
        assert_eq!(limited.completeness, Completeness::Exact);
        block_on(index.passages(&[599, 0])).unwrap();
        assert!(storage.log.take().is_empty());
    }
}

#[test]
fn a_large_index_is_not_read_whole() {
    let mut draw = 1_u64;
    let mut next = || {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("{:x} ", draw >> 20)
    };
    let texts: Vec<String> = (0..2000).map(|_| (0..80).map(|_| next()).collect()).collect();
    let files = stored_with(&texts, &BuildOptions::default());
    let index = block_on(Index::open(&files)).unwrap();
    let bytes: u64 = index.files().values().flatten().map(|file| file.bytes).sum();
    assert!(bytes > 1 << 20);
    let opened = index.traffic().bytes;
    assert_eq!(block_on(index.search(&texts[7], 1)).unwrap()[0].passage.id, "7");
    assert!(index.traffic().bytes - opened < bytes / 2);
}

#[test]
fn a_small_index_that_was_replaced_is_read_anew() {
    let new = stored_with(&["word9 alone".into()], &BuildOptions::default());
    let storage = Watched { files: stored_with(&crowd(), &BuildOptions::default()).into(), ..Default::default() };
    let index = block_on(Index::open(&storage)).unwrap();
    storage.files.replace(new.clone());
    assert_eq!(block_on(index.search("word9", 5)), search(&new, "word9", 5));
}

#[test]
fn every_bucket_has_enough_terms_to_hide_one() {
    let index = block_on(open(stored_with(&crowd(), &BuildOptions { shard_terms: 20, ..SMALL }))).unwrap();
    let files = index.files();
    let terms = &files["terms"];
    assert!(terms.len() > 2);
    for file in terms {
        let bytes =
            block_on(stored_with(&crowd(), &BuildOptions { shard_terms: 20, ..SMALL }).read(&file.path(), file.bytes))
                .unwrap();
        assert!(crate::format::bucket::Bucket::decode(&bytes, 600, 64).unwrap().len() >= 20);
    }
}

#[test]
fn an_index_that_was_replaced_is_read_anew_and_once() {
    let texts: Vec<String> = (0..40).map(|n| format!("word{n} common")).collect();
    let new = stored(&texts);
    let storage = Watched { files: planets().into(), ..Default::default() };
    let index = block_on(open(&storage)).unwrap();
    block_on(index.search("word7", 5)).unwrap();
    storage.files.replace(new.clone());
    storage.log.take();
    let both = block_on(futures_lite::future::zip(index.search("word9 common", 5), index.search("word11", 5)));
    assert_eq!(both, (search(&new, "word9 common", 5), search(&new, "word11", 5)));
    assert_eq!(index.manifest().tokens, 160);
    assert_eq!(storage.log.take().iter().filter(|path| *path == MANIFEST).count(), 1);

    storage.files.borrow_mut().0.retain(|path, _| path == MANIFEST);
    let gone = block_on(index.search("word13", 5)).unwrap_err();
    assert!(matches!(gone, IndexError::Gone { .. }), "{gone}");
}

#[test]
fn an_index_that_is_not_the_expected_one_is_refused_now_and_later() {
    let texts: Vec<String> = (0..40).map(|n| format!("word{n} common")).collect();
    let [old, new] = [planets(), stored(&texts)];
    let checksum = |files: &MemoryStorage| block_on(Index::open(files)).unwrap().manifest().checksum;
    let expected = Some(checksum(&old));
    let refused = IndexError::Unexpected { found: checksum(&new), expected: checksum(&old) };
    assert_eq!(
        block_on(Index::open_with(&new, OpenOptions { expected, ..OpenOptions::default() })).err(),
        Some(refused.clone())
    );
    assert_eq!(refused.code(), "index-unexpected");

    let storage = Watched { files: old.into(), ..Default::default() };
    let index = block_on(Index::open_with(&storage, OpenOptions { expected, ..OpenOptions::default() })).unwrap();
    storage.files.replace(new);
    assert_eq!(block_on(index.search("word7", 5)), Err(refused), "though it is whole");
}

#[test]
fn a_damaged_copy_is_evicted_and_read_again() {
    let files = planets();
    let damaged = |bytes: &Vec<u8>| Ok(bytes[..bytes.len() - 1].to_vec());
    let wrong = files.0.iter().map(|(path, bytes)| (path.clone(), damaged(bytes))).collect();
    let storage = Watched { files: files.clone().into(), wrong: RefCell::new(wrong), ..Default::default() };
    assert_eq!(search(&storage, "word7", 5), search(&files, "word7", 5));
}

#[test]
fn a_missing_or_truncated_shard_is_named() {
    for truncated in [false, true] {
        for path in read_by(&planets(), &everything(), 40).into_iter().filter(|path| path != MANIFEST) {
            let mut files = planets();
            let mut bytes = files.0.remove(&path).unwrap();
            if truncated {
                bytes.truncate(bytes.len() / 2);
                files.0.insert(path.clone(), bytes);
            }
            let named = |error: &IndexError| match error {
                IndexError::Corrupt { file, .. } => truncated && *file == path,
                IndexError::Gone { file } => !truncated && *file == path,
                _ => false,
            };
            let error = search(files, &everything(), 40).unwrap_err();
            assert!(named(&error), "{error}");
            assert_eq!(error.code(), "index-corrupt");
        }
    }
}

#[test]
fn a_storage_that_fails_at_any_read_gives_the_right_answer_or_an_error_and_then_the_right_one() {
    let kinds = [(SMALL, Reading::Needed), (ONE_FILE, Reading::Needed), (ONE_FILE, Reading::SmallWhole)];
    for (options, reading) in kinds {
        let files = stored_with(&crowd(), &options);
        let query = "word3 word50 word96";
        let opening = OpenOptions { reading, ..OpenOptions::default() };
        let right = search(files.clone(), query, 5).unwrap();
        for fault in Fault::ALL {
            for at in 0.. {
                let storage = Faulty::new(files.clone(), fault, at);
                let ask = || block_on(async { Index::open_with(&storage, opening).await?.search(query, 5).await });
                let first = ask();
                let has_failed = storage.has_failed();
                match first {
                    Ok(hits) => assert_eq!(hits, right, "{fault:?} at {at}"),
                    Err(error) => {
                        let code = error.code().to_string();
                        let known = ["network", "index-missing", "index-corrupt"].contains(&code.as_str());
                        assert!(known, "{fault:?} at {at}: {error}");
                    }
                }
                if !has_failed {
                    let least = if reading == Reading::Needed { 5 } else { 2 };
                    assert!(at > least, "the fault has come everywhere");
                    break;
                }
                assert_eq!(ask(), Ok(right.clone()), "{fault:?} at {at}, asked again");
            }
        }
    }
}

#[test]
fn no_manifest_is_no_index() {
    assert_eq!(search(MemoryStorage::default(), "word", 5), Err(IndexError::Missing));
}

#[test]
fn an_index_that_cannot_be_reached_is_not_called_missing() {
    let failed = StorageError::Failed { path: MANIFEST.into(), reason: "offline".into() };
    let wrong = RefCell::new([(MANIFEST.into(), Err(failed))].into());
    let storage = Watched { files: planets().into(), wrong, ..Default::default() };
    assert_eq!(search(&storage, "word", 5).unwrap_err().code(), "network");
}

#[test]
fn an_index_of_another_version_is_refused() {
    let (manifest, _) = assemble(passages(&["text".into()]).into_iter().map(Ok), &SMALL).unwrap();
    let with = |change: fn(&mut Manifest)| {
        let mut manifest = manifest.clone();
        change(&mut manifest);
        search(MemoryStorage([(MANIFEST.into(), manifest.seal())].into()), "text", 5).unwrap_err()
    };
    let format = with(|manifest| manifest.format = FORMAT + 1);
    let analysis = with(|manifest| manifest.analysis = format!("{}-other", manifest.analysis));
    assert_eq!([format.code(), analysis.code()], ["index-version"; 2]);
}

#[test]
fn a_page_in_place_of_the_manifest_is_told_from_a_damaged_one() {
    let page = MemoryStorage([(MANIFEST.into(), b"\n<!doctype html><title>Home</title>".to_vec())].into());
    let error = search(page, "text", 5).unwrap_err();
    assert_eq!(error.code(), "index-corrupt");
    assert!(error.to_string().starts_with("the host answered with a page in place of manifest.json"), "{error}");
}

#[test]
fn a_manifest_whose_numbers_do_not_fit_is_corrupt() {
    let (manifest, _) = assemble(passages(&["text".into()]).into_iter().map(Ok), &SMALL).unwrap();
    let changes: [fn(&mut Manifest); 5] = [
        |manifest| manifest.segments[0].passages = 0,
        |manifest| manifest.passages = 9,
        |manifest| manifest.segments.clear(),
        |manifest| manifest.k1 = -1.0,
        |manifest| manifest.b = 2.0,
    ];
    for change in changes {
        let mut manifest = manifest.clone();
        change(&mut manifest);
        assert_eq!(Manifest::parse(&manifest.seal()).unwrap_err().code(), "index-corrupt");
    }
}

#[test]
fn odd_queries_find_nothing_or_what_they_name() {
    let found = |query: &str, k| search(planets(), query, k).unwrap().len();
    assert_eq!(found("", 5), 0);
    assert_eq!(found("the of and", 5), 0);
    assert_eq!(found("🚀 👩‍🚀 !?", 5), 0);
    assert_eq!(found("أهلا بالعالم שלום", 5), 0);
    assert_eq!(found(&"x".repeat(100_000), 5), 0);
    assert_eq!(found(&"common 🚀 ".repeat(10_000), 5), 5);
    assert_eq!(found("common", 0), 0);
    assert_eq!(found("common", usize::MAX), 40);
}

#[test]
fn limits_have_round_trips_that_suit_their_bytes() {
    let trips = |bytes| Limits::within(bytes).trips;
    assert_eq!([0, 99_999, 100_000, 199_999, 200_000, 1_000_000, u64::MAX].map(trips), [2, 2, 2, 2, 3, 5, 49]);
    assert_eq!((Limits::WEB.bytes, Limits::WEB.trips), (200_000, 3));
}

#[test]
fn more_bytes_find_more_of_the_best() {
    let mut draw = 1_u64;
    let mut next = || {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        draw >> 33
    };
    let words = ["iron", "tin", "zinc", "lead", "gold", "silver", "copper", "nickel", "cobalt", "chrome"];
    let texts: Vec<String> = (0..20_000)
        .map(|_| {
            let held: Vec<&str> = words.into_iter().filter(|_| next() % 5 < 2).collect();
            format!("ore {} {}", held.join(" "), "rock ".repeat(next() as usize % 30))
        })
        .collect();
    let storage = stored_with(&texts, &BuildOptions::default());
    let cost = |limits| {
        let index = block_on(open(&storage)).unwrap();
        let opened = index.traffic().bytes;
        let found = block_on(index.find(&words.join(" "), 10, limits)).unwrap();
        (index.traffic().bytes - opened, found)
    };
    let (all, best) = cost(Limits::default());
    let shares = [30_000, 50_000, 70_000, 90_000].map(|bytes| {
        let (spent, found) = cost(Limits::within(bytes));
        assert!(spent <= bytes && spent < all, "{spent} of {bytes} bytes, {all} in all");
        found.hits.iter().filter(|hit| best.hits.iter().any(|best| best.passage.id == hit.passage.id)).count()
    });
    assert!(shares.is_sorted() && shares[0] < shares[3], "{shares:?}");
}

#[test]
fn a_word_said_twice_counts_twice() {
    let score = |query| search(planets(), query, 1).unwrap()[0].score;
    assert_eq!(score("common common"), 2.0 * score("common"));
}

#[test]
fn a_search_says_how_common_its_terms_are() {
    let found =
        block_on(async { open(planets()).await?.find("common nowhere the common", 1, Limits::default()).await })
            .unwrap();
    let frequencies: Vec<_> = found.frequencies.iter().map(|(term, &n)| (term.as_str(), n)).collect();
    assert_eq!((found.hits.len(), frequencies), (1, vec![("common", 1.0), ("nowher", 0.0)]));
}

#[test]
fn titles_are_searched() {
    assert_eq!(search(planets(), "title 19", 2).unwrap()[0].passage.id, "38");
}

#[test]
fn an_article_that_a_query_names_comes_before_passages_with_the_same_words() {
    let passage = |(id, title, text): (&str, &str, &str)| Passage {
        id: id.into(),
        title: title.into(),
        text: text.into(),
        ..Passage::default()
    };
    let all = [
        ("hope", "Faith and hope", "Bob felt hope. Bob was born far from London, and Bob sang."),
        ("bob", "Bob Hope (comedian)", "He was born in London."),
        ("born", "London", "Bob, whose hope was to be born there, was born there."),
    ];
    let files = assemble(all.into_iter().map(passage).map(Ok), &SMALL).unwrap().1;
    let best = |query| search(MemoryStorage(files.clone()), query, 1).unwrap()[0].passage.id.clone();
    assert_eq!(best("Bob Hope was born in London"), "bob");
    assert_eq!(best("Hope: Bob was born in London"), "born");
}

#[test]
fn an_article_is_found_by_its_other_names() {
    let passage = |id: &str, title: &str, text: &str, names: &[&str]| {
        let names = names.iter().map(ToString::to_string).collect();
        Ok(Passage { id: id.into(), title: title.into(), text: text.into(), names, ..Passage::default() })
    };
    let all = [
        passage("iron", "Iron", "A metal.", &["Ferrum", "Element (26)", "Iron"]),
        passage("list", "Metals", "Elements such as number 26 are known.", &[]),
    ];
    let files = MemoryStorage(assemble(all, &SMALL).unwrap().1);
    let found = |query| search(&files, query, 2).unwrap();
    assert_eq!(found("Ferrum is grey.")[0].passage.id, "iron");
    assert_eq!(found("ferrum, element")[0].passage.names.len(), 3);
    // A name that stands twice counts once, and its words are not those of the text.
    let once = [
        passage("iron", "Iron", "A metal.", &["Ferrum", "Element (26)"]),
        passage("list", "Metals", "Elements such as number 26 are known.", &[]),
    ];
    let once = MemoryStorage(assemble(once, &SMALL).unwrap().1);
    for query in ["iron", "ferrum element 26"] {
        let scores = |files| search(files, query, 2).unwrap().iter().map(|hit| hit.score).collect::<Vec<_>>();
        assert_eq!(scores(&once), scores(&files));
    }
}

#[test]
fn passages_are_given_by_number_and_none_beyond_the_last() {
    let texts: Vec<String> = (0..600).map(|i| format!("passage number{i}")).collect();
    let index = block_on(open(stored(&texts))).unwrap();
    let found = block_on(index.passages(&[599, 0, 600, 300, u32::MAX])).unwrap();
    let said: Vec<&str> = found.iter().map(|passage| passage.text.as_str()).collect();
    assert_eq!(said, ["passage number599", "passage number0", "passage number300"]);
}

/// Spellings that differ between what people type and what texts have.
#[test]
fn a_query_meets_other_spellings_of_its_words() {
    let found = |passages: &[(&str, &str)], query: &str| -> Vec<String> {
        let passage = |&(title, text): &(&str, &str)| Passage {
            id: title.to_owned(),
            title: title.to_owned(),
            text: text.to_owned(),
            ..Passage::default()
        };
        let files = assemble(passages.iter().map(passage).map(Ok), &SMALL).unwrap().1;
        let index = block_on(open(MemoryStorage(files))).unwrap();
        block_on(index.search(query, 10)).unwrap().into_iter().map(|hit| hit.passage.id).collect()
    };
    let languages =
        [("C", "C is by Dennis Ritchie."), ("C++", "C++ is by Bjarne Stroustrup."), ("C#", "C# is by Microsoft.")];
    for (passages, query, wanted) in [
        (&[("Antonín Dvořák", "He wrote a symphony.")][..], "Dvorak", "Antonín Dvořák"),
        (&[("Place", "The cafe\u{301} closed.")], "café", "Place"),
        (&[("Word", "The in\u{ad}for\u{ad}ma\u{ad}tion is here.")], "information", "Word"),
        (&[("Water", "H₂O is wet.")], "H2O", "Water"),
        (&[("Land", "Côte d'Ivoire lies in Africa.")], "Ivoire", "Land"),
        (&languages, "C#", "C#"),
        (&languages, "who made C++?", "C++"),
        (&[("Hamlet", "To be, or not to be: that is the question.")], "to be or not to be", "Hamlet"),
        (&[("It", "A novel by Stephen King."), ("Rome", "It is a city.")], "It", "It"),
        (&[("Radio", "Wi-Fi is a standard.")], "wifi", "Radio"),
        (&[("Mail", "An email is a message.")], "e-mail", "Mail"),
        (&[("Farm", "Geese and mice live there.")], "goose mouse", "Farm"),
        (&[("Hawaiʻi", "Hawaiʻi is a state.")], "Hawaii", "Hawaiʻi"),
        (&[("Quran", "A book of Islam.")], "Qurʾan", "Quran"),
        (&[("Race", "The race is 42.195km long.")], "42.195", "Race"),
        (&[("Run", "The run is 42.195 km long.")], "42.195km", "Run"),
        (&[("Mill", "The mill made 1 000 000 loaves.")], "1000000", "Mill"),
        (&[("Bakery", "The bakery made 1\u{202f}000\u{a0}000 loaves.")], "1000000", "Bakery"),
        (&[("Aluminium", "The symbol of aluminium is Al.")], "aluminum", "Aluminium"),
    ] {
        assert_eq!(found(passages, query), [wanted], "{query}");
    }
}
