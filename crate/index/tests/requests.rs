//! What is learned from the requests of a one-word query: by a host that has the index, from the files and ranges, and
//! by whoever sees an encrypted connection, from the sizes of the answers. How many words make the very same requests?
//! `BUCKET_TERMS=800 cargo test --release -p evident-index --test requests -- --nocapture` prints the figures of
//! another size of buckets, `PASSAGES=FILE` those of another corpus than the demo's.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;

use evident_index::{
    BuildOptions, Index, Limits, MANIFEST, MemoryStorage, OpenOptions, Passage, Ranged, Reading, Storage, StorageError,
    analyse, assemble, parse_line,
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
        let bytes = self.files.read(path, most).await?;
        self.requests.borrow_mut().push((path.into(), 0, bytes.len() as u64));
        Ok(bytes)
    }

    async fn read_range(&self, path: &str, range: Range<u64>, most: u64) -> Result<Ranged, StorageError> {
        if !self.serves_ranges {
            return Ok(Ranged::Refused);
        }
        self.requests.borrow_mut().push((path.into(), range.start, range.end));
        self.files.read_range(path, range, most).await
    }
}

/// The shares of words, in per cent, that are told by what was seen of their queries.
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
    /// From what was seen of each word's query.
    fn by<T: Ord>(seen: impl Iterator<Item = T>) -> Self {
        let mut counts = BTreeMap::<T, usize>::new();
        seen.for_each(|seen| *counts.entry(seen).or_default() += 1);
        let words: usize = counts.values().sum();
        let share =
            |most: usize| 100.0 * counts.values().filter(|&&count| count <= most).sum::<usize>() as f64 / words as f64;
        Self { alone: share(1), among_five: share(5), among_255: share(255) }
    }
}

/// The requests of a word's query behind those that open the index.
struct Query {
    /// For the dictionary and the lists.
    first: BTreeSet<Request>,
    all: BTreeSet<Request>,
}

impl Query {
    fn of(word: &str, files: &MemoryStorage, serves_ranges: bool, reading: Reading) -> Self {
        let host = Host { files, serves_ranges, requests: RefCell::default() };
        let index = block_on(Index::open_with(&host, OpenOptions { reading, ..OpenOptions::default() })).unwrap();
        host.requests.take();
        let texts: BTreeSet<String> = index.files()["texts"].iter().map(|file| file.path()).collect();
        block_on(index.find(word, 10, Limits::default())).unwrap();
        let all: BTreeSet<Request> = host.requests.take().into_iter().collect();
        assert!(all.iter().all(|(path, ..)| path != MANIFEST));
        Self { first: all.iter().filter(|(path, ..)| !texts.contains(path)).cloned().collect(), all }
    }

    /// The sizes of all answers if each is padded to the next that `padded` gives.
    fn sizes(&self, padded: Padding) -> Vec<u64> {
        let mut sizes: Vec<u64> = self.all.iter().map(|(_, start, end)| padded(end - start)).collect();
        sizes.sort_unstable();
        sizes
    }
}

/// To how many bytes an answer of so many is padded.
type Padding = fn(u64) -> u64;

const PADDINGS: [(&str, Padding); 3] = [
    ("not at all", |bytes| bytes),
    ("to whole KiB", |bytes| bytes.next_multiple_of(1 << 10)),
    ("to 4, 8, 12 ... KiB", |bytes| bytes.next_multiple_of(4 << 10)),
];

fn passages() -> Vec<Passage> {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/passages.jsonl");
    let lines = fs::read(std::env::var("PASSAGES").unwrap_or(demo.into())).unwrap();
    let lines = lines.split(|&byte| byte == b'\n').zip(1..).filter(|(line, _)| !line.trim_ascii().is_empty());
    lines.map(|(line, number)| parse_line(line, number).unwrap()).collect()
}

/// A word for each term, as it stands in the text.
fn words(passages: &[Passage]) -> BTreeMap<String, &str> {
    let mut words = BTreeMap::new();
    let texts = passages.iter().flat_map(|passage| [&passage.title, &passage.text]);
    for word in texts.flat_map(|text| text.split_whitespace()) {
        if let [term] = &analyse(word).collect::<Vec<_>>()[..] {
            words.entry(term.clone()).or_insert(word);
        }
    }
    words
}

#[test]
fn of_a_small_index_every_query_asks_for_the_same() {
    let passages = passages();
    let (_, files) = assemble(passages.iter().cloned().map(Ok), &BuildOptions::default()).unwrap();
    let bytes: usize = files.values().map(Vec::len).sum();
    if bytes > 1 << 20 {
        return; // PASSAGES names another corpus
    }
    let files = MemoryStorage(files);
    let words = words(&passages);
    let words = words.values().step_by(20).copied().chain(["", "Iron and tin, not gold, melt."]);
    let seen: BTreeSet<_> = words.map(|word| Query::of(word, &files, true, Reading::default()).all).collect();
    let seen: Vec<_> = seen.into_iter().flatten().collect();
    let asked: u64 = seen.iter().map(|(_, start, end)| end - start).sum();
    println!("{} passages, {bytes} bytes: each first query asks for {asked} in {} files", passages.len(), seen.len());
    assert_eq!(seen.len(), 3);
    assert!(seen.iter().all(|(path, start, end)| (*start, *end) == (0, files.0[path].len() as u64)));
}

#[test]
fn as_much_is_told_as_the_format_says() {
    let passages = passages();
    let words = words(&passages);
    let mut options = BuildOptions { whole_bytes: 0, ..Default::default() };
    let asked_for = std::env::var("BUCKET_TERMS").ok().map(|terms| options.shard_terms = terms.parse().unwrap());
    let asked_for = asked_for.is_some() || std::env::var("PASSAGES").is_ok();
    let (manifest, files) = assemble(passages.iter().cloned().map(Ok), &options).unwrap();
    println!("{} passages, {} words", manifest.passages, words.len());
    let files = MemoryStorage(files);
    let sentences: Vec<&str> =
        passages.iter().filter_map(|passage| passage.text.split_inclusive(". ").next()).collect();
    for (serves_ranges, most_alone) in [(true, [2.0, 65.0]), (false, [0.5, 30.0])] {
        println!("{}", if serves_ranges { "by ranges" } else { "by whole files" });
        let query = |word: &&str| Query::of(word, &files, serves_ranges, Reading::Needed);
        let queries: Vec<Query> = words.values().map(query).collect();
        let told =
            [Told::by(queries.iter().map(|query| &query.first)), Told::by(queries.iter().map(|query| &query.all))];
        println!("the host, by buckets and tiers: {:.1?}\nthe host, by all: {:.1?}", told[0], told[1]);
        for (told, most) in told.iter().zip(most_alone) {
            assert!(asked_for || told.alone <= most, "{told:?}");
        }
        assert!(told[0].alone <= told[0].among_five && told[0].among_five <= told[0].among_255);
        let query = |sentence: &&str| Query::of(sentence, &files, serves_ranges, Reading::Needed);
        let sentences: Vec<Query> = sentences.iter().map(query).collect();
        println!("the host, of {} sentences: {:.1?}", sentences.len(), Told::by(sentences.iter().map(|it| &it.all)));
        for (name, padded) in PADDINGS {
            for (what, queries, most) in [("words", &queries, 65.0), ("sentences", &sentences, 100.0)] {
                let told = Told::by(queries.iter().map(|query| query.sizes(padded)));
                let mut bytes: Vec<u64> = queries.iter().map(|query| query.sizes(padded).iter().sum()).collect();
                bytes.sort_unstable();
                let (median, worst) = (bytes[bytes.len() / 2], bytes[bytes.len() - 1]);
                println!("by sizes of {what}, padded {name}: {told:.1?}; bytes {median}, at most {worst}");
                assert!(asked_for || told.alone <= most, "{told:?}");
            }
        }
    }
}

#[test]
fn of_a_long_article_only_the_groups_with_a_claims_words_are_read() {
    let passages = (0..4_000).map(|number| {
        let title = if number < 800 { "Ona Valley".into() } else { format!("Place {number}") };
        let text = format!("The stone{number} is a rock by the river, of {} colours.", number % 7 + 2);
        Ok(Passage { id: number.to_string(), title, text, ..Passage::default() })
    });
    let options = BuildOptions { whole_bytes: 0, ..Default::default() };
    let files = MemoryStorage(assemble(passages, &options).unwrap().1);
    for limits in [Limits::default(), Limits::WEB] {
        let host = Host { files: &files, serves_ranges: true, requests: RefCell::default() };
        let needed = OpenOptions { reading: Reading::Needed, ..OpenOptions::default() };
        let index = block_on(Index::open_with(&host, needed)).unwrap();
        let texts: BTreeSet<String> = index.files()["texts"].iter().map(|file| file.path()).collect();
        let found = block_on(index.find("In Ona Valley the stone777 is a rock.", 10, limits)).unwrap();
        assert_eq!(found.hits[0].passage.id, "777");
        let asked = host.requests.take();
        let read: u64 = asked.iter().filter(|(path, ..)| texts.contains(path)).map(|(_, start, end)| end - start).sum();
        let whole: u64 = texts.iter().map(|path| files.0[path].len() as u64).sum();
        println!("of the texts' {whole} bytes, a fifth of them the article's, {read} were read");
        assert!(read * 100 < whole, "{read} of {whole}");
    }
}
