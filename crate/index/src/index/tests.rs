//! What an index promises, over whole indexes in memory.

use std::future::poll_fn;
use std::task::Poll;

use futures_lite::future::block_on;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index as Place;

use super::*;
use crate::builder::{BuildOptions, assemble};
use crate::{ANALYSIS, FORMAT, MemoryStorage};

/// Shards small enough for a small corpus to have many.
const SMALL: BuildOptions = BuildOptions { k1: 0.9, b: 0.4, shard_bytes: 64, shard_terms: 4 };

fn passages(texts: &[String]) -> Vec<Passage> {
    let passage = |(number, text): (usize, &String)| Passage {
        id: number.to_string(),
        title: format!("Title {}", number / 2),
        section: None,
        text: text.clone(),
        source: None,
    };
    texts.iter().enumerate().map(passage).collect()
}

fn stored(texts: &[String]) -> MemoryStorage {
    MemoryStorage(assemble(passages(texts).into_iter().map(Ok), &SMALL).unwrap().1)
}

/// Forty passages of ten words in which `common` is everywhere and `word7` in few.
fn planets() -> MemoryStorage {
    let text = |n: usize| (0..9).map(|w| format!("word{} ", (n * w) % 41)).collect::<String>() + "common";
    stored(&(0..40).map(text).collect::<Vec<_>>())
}

fn search<S: Storage>(storage: S, query: &str, k: usize) -> Result<Vec<Hit>, IndexError> {
    block_on(async { Index::open(storage).await?.search(query, k).await })
}

/// Storage that writes down what was asked of it, answers late, and may answer wrongly.
#[derive(Default)]
struct Watched {
    files: MemoryStorage,
    /// Answers given in place of a file until it is evicted.
    wrong: RefCell<BTreeMap<String, Result<Vec<u8>, StorageError>>>,
    log: RefCell<Vec<String>>,
    /// Reads under way, and the most that ever were at once.
    under_way: Cell<(usize, usize)>,
}

impl Storage for Watched {
    async fn read(&self, path: &str) -> Result<Vec<u8>, StorageError> {
        self.log.borrow_mut().push(path.into());
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
        let wrong = self.wrong.borrow().get(path).cloned();
        wrong.unwrap_or(self.files.read(path).await)
    }

    async fn evict(&self, path: &str) {
        self.wrong.borrow_mut().remove(path);
    }
}

/// Scores every passage by the formula, without an index.
fn brute_force(passages: &[Passage], query: &str, k: usize) -> Vec<(String, f32)> {
    let terms: Vec<Vec<String>> =
        passages.iter().map(|passage| analyse(&format!("{}\n{}", passage.title, passage.text)).collect()).collect();
    let average = (terms.iter().map(Vec::len).sum::<usize>() as f64 / passages.len() as f64) as f32;
    let query: Vec<String> = analyse(query).collect();
    let score = |passage: &Vec<String>| {
        let mut score = 0.0;
        for term in query.iter().collect::<BTreeSet<_>>() {
            let count = |terms: &Vec<String>| terms.iter().filter(|other| *other == term).count() as f32;
            let n = terms.iter().filter(|terms| terms.contains(term)).count() as f64;
            let idf = (1.0 + (passages.len() as f64 - n + 0.5) / (n + 0.5)).ln() as f32;
            let tf = count(passage);
            let norm = 0.9 * (1.0 - 0.4 + 0.4 * passage.len() as f32 / average);
            score += count(&query) * idf * (tf / (tf + norm));
        }
        score
    };
    let mut scores: Vec<_> = terms.iter().map(score).enumerate().filter(|&(_, score)| score > 0.0).collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores.truncate(k);
    scores.into_iter().map(|(number, score)| (passages[number].id.clone(), score)).collect()
}

fn text() -> impl Strategy<Value = String> {
    vec("[a-f]{1,2}|[0-9]{1,2}|Ünïcode|מים|🚀", 1..30).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sharded_equals_brute_force(texts in vec(text(), 1..60), query in text(), k in 0..70_usize) {
        let hits = search(stored(&texts), &query, k).unwrap();
        let hits: Vec<_> = hits.into_iter().map(|hit| (hit.passage.id, hit.score.to_bits())).collect();
        let expected = brute_force(&passages(&texts), &query, k).into_iter();
        prop_assert_eq!(hits, expected.map(|(id, score)| (id, score.to_bits())).collect::<Vec<_>>());
    }

    #[test]
    fn a_flipped_byte_is_caught(place: Place, bit in 0..8_u8) {
        let mut storage = planets();
        let everything = (0..41).map(|n| format!("word{n} ")).collect::<String>();
        prop_assert_eq!(search(&storage, &everything, 40).unwrap().len(), 40);
        for path in storage.0.keys().cloned().collect::<Vec<_>>() {
            let sound = storage.0[&path].clone();
            let mut flipped = sound.clone();
            flipped[place.index(sound.len())] ^= 1_u8 << bit;
            storage.0.insert(path.clone(), flipped);
            match search(&storage, &everything, 40) {
                Err(IndexError::Corrupt { file, .. }) => prop_assert_eq!(&file, &path),
                Err(IndexError::Version { .. }) => prop_assert_eq!(MANIFEST, path.as_str()),
                other => prop_assert!(false, "{path} {other:?}"),
            }
            storage.0.insert(path, sound);
        }
    }

    #[test]
    fn no_manifest_makes_opening_panic(bytes in vec(any::<u8>(), 0..200)) {
        prop_assert!(Manifest::parse(&bytes).is_err());
    }
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

#[test]
fn a_query_fetches_only_the_shards_it_needs() {
    let storage = Watched { files: planets(), ..Default::default() };
    let index = block_on(Index::open(&storage)).unwrap();
    let manifest = index.manifest();
    assert!(manifest.term_shards.len() > 5 && manifest.passage_shards.len() > 10);

    let hits = block_on(index.search("word7 word9 absent", 3)).unwrap();
    let terms = ["word7", "word9", "absent"].map(|term| manifest.term_shards[manifest.term_shard(term)].path());
    let passage_shard = |hit: &Hit| hit.passage.id.parse::<usize>().unwrap() / manifest.passages_per_shard as usize;
    let passages = hits.iter().map(|hit| manifest.passage_shards[passage_shard(hit)].path());
    let needed: BTreeSet<_> = terms.into_iter().chain(passages).chain([MANIFEST.into()]).collect();
    let log = storage.log.borrow().clone();
    assert_eq!(log.len(), needed.len(), "each file is read once");
    assert_eq!(log.iter().cloned().collect::<BTreeSet<_>>(), needed);
    let bytes = needed.iter().map(|path| storage.files.0[path].len() as u64).sum();
    assert_eq!(index.traffic(), Traffic { requests: needed.len() as u64, bytes });

    assert_eq!(block_on(index.search("word7 word9 absent", 3)).unwrap(), hits);
    assert_eq!(storage.log.borrow().len(), log.len(), "the same query again reads nothing");
}

#[test]
fn a_round_trip_reads_all_its_files_at_once() {
    let storage = Watched { files: planets(), ..Default::default() };
    let hits = search(&storage, "common", 40).unwrap();
    assert_eq!(hits.len(), 40);
    let shards = storage.log.borrow().len() - 2; // less the manifest and the one term shard
    assert_eq!(storage.under_way.get(), (0, shards));
}

#[test]
fn a_damaged_copy_is_evicted_and_read_again() {
    let files = planets();
    let damaged = |bytes: &Vec<u8>| Ok(bytes[..bytes.len() - 1].to_vec());
    let wrong = files.0.iter().map(|(path, bytes)| (path.clone(), damaged(bytes))).collect();
    let storage = Watched { files: files.clone(), wrong: RefCell::new(wrong), ..Default::default() };
    assert_eq!(search(&storage, "word7", 5), search(&files, "word7", 5));
}

#[test]
fn a_missing_or_truncated_shard_is_named() {
    for truncated in [false, true] {
        for path in planets().0.into_keys().filter(|path| path != MANIFEST) {
            let mut files = planets();
            let mut bytes = files.0.remove(&path).unwrap();
            if truncated {
                bytes.truncate(bytes.len() / 2);
                files.0.insert(path.clone(), bytes);
            }
            let everything = (0..41).map(|n| format!("word{n} ")).collect::<String>();
            let error = search(files, &everything, 40).unwrap_err();
            assert!(matches!(&error, IndexError::Corrupt { file, .. } if *file == path), "{error}");
            assert_eq!(error.code(), "index-corrupt");
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
    let storage = Watched { files: planets(), wrong, ..Default::default() };
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
    let analysis = with(|manifest| manifest.analysis = format!("{ANALYSIS}-other"));
    assert_eq!([format.code(), analysis.code()], ["index-version"; 2]);
}

#[test]
fn a_manifest_whose_numbers_do_not_fit_is_corrupt() {
    let (manifest, _) = assemble(passages(&["text".into()]).into_iter().map(Ok), &SMALL).unwrap();
    let changes: [fn(&mut Manifest); 5] = [
        |manifest| manifest.passages_per_shard = 0,
        |manifest| manifest.passages = 9,
        |manifest| manifest.term_shards.clear(),
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
fn a_word_said_twice_counts_twice() {
    let score = |query| search(planets(), query, 1).unwrap()[0].score;
    assert_eq!(score("common common"), 2.0 * score("common"));
}

#[test]
fn a_search_says_how_common_its_terms_are() {
    let found = block_on(async { Index::open(planets()).await?.find("common nowhere the common", 1).await }).unwrap();
    let frequencies: Vec<_> = found.frequencies.iter().map(|(term, &n)| (term.as_str(), n)).collect();
    assert_eq!((found.hits.len(), frequencies), (1, vec![("common", 1.0), ("nowher", 0.0)]));
}

#[test]
fn titles_are_searched() {
    assert_eq!(search(planets(), "title 19", 2).unwrap()[0].passage.id, "38");
}

#[test]
fn passages_are_given_by_number_and_none_beyond_the_last() {
    let texts: Vec<String> = (0..600).map(|i| format!("passage number{i}")).collect();
    let index = block_on(Index::open(stored(&texts))).unwrap();
    let found = block_on(index.passages(&[599, 0, 600, 300, u32::MAX])).unwrap();
    let said: Vec<&str> = found.iter().map(|passage| passage.text.as_str()).collect();
    assert_eq!(said, ["passage number599", "passage number0", "passage number300"]);
}
