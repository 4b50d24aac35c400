//! What a host learns from the requests of a one-word query, if it has the index: how many words make the very same
//! requests. `BUCKET_TERMS=800 cargo test --release -p evident-index --test requests -- --nocapture` prints the figures
//! of another size of buckets, `PASSAGES=FILE` those of another corpus than the demo's.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;

use evident_index::{
    BuildOptions, Index, Limits, MANIFEST, MemoryStorage, Ranged, Storage, StorageError, analyse, assemble, parse_line,
};
use futures_lite::future::block_on;

/// A file and the bytes asked for, from the first up to the end.
type Request = (String, u64, u64);

/// An index in memory, and what was asked for since it was opened.
struct Host<'a> {
    files: &'a MemoryStorage,
    serves_ranges: bool,
    requests: RefCell<Vec<Request>>,
}

impl Storage for Host<'_> {
    async fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, StorageError> {
        self.requests.borrow_mut().push((path.into(), 0, u64::MAX));
        self.files.read(path, most).await
    }

    async fn read_range(&self, path: &str, range: Range<u64>, most: u64) -> Result<Ranged, StorageError> {
        if !self.serves_ranges {
            return Ok(Ranged::Refused);
        }
        self.requests.borrow_mut().push((path.into(), range.start, range.end));
        self.files.read_range(path, range, most).await
    }
}

/// The shares of words, in per cent, that a host tells by their requests.
#[derive(Debug, Default)]
struct Told {
    /// Those that are the only one with their requests.
    alone: f64,
    /// Those that share them with four others at most.
    among_five: f64,
    /// Those that share them with 254 others at most.
    among_255: f64,
}

impl Told {
    /// From how many words make each set of requests.
    fn of(counts: &BTreeMap<BTreeSet<Request>, usize>) -> Self {
        let words: usize = counts.values().sum();
        let share =
            |most: usize| 100.0 * counts.values().filter(|&&count| count <= most).sum::<usize>() as f64 / words as f64;
        Self { alone: share(1), among_five: share(5), among_255: share(255) }
    }
}

/// What a host learns by the requests for the dictionary and the lists, and by all.
fn told(files: &MemoryStorage, words: &BTreeMap<String, &str>, serves_ranges: bool) -> [Told; 2] {
    let (mut first, mut all) = (BTreeMap::new(), BTreeMap::new());
    for word in words.values() {
        let host = Host { files, serves_ranges, requests: RefCell::default() };
        let index = block_on(Index::open(&host)).unwrap();
        let texts: BTreeSet<String> = index.files()["texts"].iter().map(|file| file.path()).collect();
        let opening: BTreeSet<String> = index.files()["directory"].iter().map(|file| file.path()).collect();
        block_on(index.find(word, 10, Limits::default())).unwrap();
        let asked = host.requests.take().into_iter().filter(|(path, ..)| path != MANIFEST && !opening.contains(path));
        let asked: BTreeSet<Request> = asked.collect();
        *first.entry(asked.iter().filter(|it| !texts.contains(&it.0)).cloned().collect()).or_default() += 1;
        *all.entry(asked).or_default() += 1;
    }
    [Told::of(&first), Told::of(&all)]
}

#[test]
fn as_much_is_told_as_the_format_says() {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/demo/corpus/passages.jsonl");
    let lines = fs::read(std::env::var("PASSAGES").unwrap_or(demo.into())).unwrap();
    let lines = lines.split(|&byte| byte == b'\n').zip(1..).filter(|(line, _)| !line.trim_ascii().is_empty());
    let passages: Vec<_> = lines.map(|(line, number)| parse_line(line, number).unwrap()).collect();
    // A word for each term, as it stands in the text.
    let mut words = BTreeMap::<String, &str>::new();
    let texts = passages.iter().flat_map(|passage| [&passage.title, &passage.text]);
    for word in texts.flat_map(|text| text.split_whitespace()) {
        if let [term] = &analyse(word).collect::<Vec<_>>()[..] {
            words.entry(term.clone()).or_insert(word);
        }
    }
    let mut options = BuildOptions::default();
    let asked_for = std::env::var("BUCKET_TERMS").ok().map(|terms| options.shard_terms = terms.parse().unwrap());
    let (manifest, files) = assemble(passages.iter().cloned().map(Ok), &options).unwrap();
    println!("{} passages, {} words", manifest.passages, words.len());
    let files = MemoryStorage(files);
    for (serves_ranges, most_alone) in [(true, [2.0, 65.0]), (false, [0.5, 40.0])] {
        let told = told(&files, &words, serves_ranges);
        println!("{}: {told:.1?}", if serves_ranges { "by ranges" } else { "by whole files" });
        for (told, most) in told.iter().zip(most_alone) {
            assert!(asked_for.is_some() || told.alone <= most, "{told:?}");
        }
        assert!(told[0].alone <= told[0].among_five && told[0].among_five <= told[0].among_255);
    }
}
