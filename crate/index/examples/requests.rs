//! What a host learns from the requests of a one-word query, if it has the index: how many words make the very same
//! requests. `cargo run --release -p evident-index --example requests PASSAGES.jsonl`, of an index built as by default.

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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file of passages, one JSON object per line")?;
    let lines = fs::read(path)?;
    let lines = lines.split(|&byte| byte == b'\n').zip(1..).filter(|(line, _)| !line.trim_ascii().is_empty());
    let passages = lines.map(|(line, number)| parse_line(line, number)).collect::<Result<Vec<_>, _>>()?;
    // A word for each term, as it stands in the text.
    let mut words = BTreeMap::<String, &str>::new();
    for word in
        passages.iter().flat_map(|passage| [&passage.title, &passage.text]).flat_map(|text| text.split_whitespace())
    {
        if let [term] = &analyse(word).collect::<Vec<_>>()[..] {
            words.entry(term.clone()).or_insert(word);
        }
    }
    let (manifest, files) = assemble(passages.iter().cloned().map(Ok), &BuildOptions::default())?;
    println!("{} passages, {} words", manifest.passages, words.len());
    let files = MemoryStorage(files);
    let directories: BTreeSet<String> = manifest.segments.iter().map(|segment| segment.directory.path()).collect();
    let opening = |(path, ..): &Request| path == MANIFEST || directories.contains(path);
    for serves_ranges in [true, false] {
        let (mut first, mut all) = (BTreeMap::<BTreeSet<Request>, usize>::new(), BTreeMap::new());
        for word in words.values() {
            let host = Host { files: &files, serves_ranges, requests: RefCell::default() };
            let index = block_on(Index::open(&host))?;
            let texts: BTreeSet<String> = index.files()["texts"].iter().map(|file| file.path()).collect();
            block_on(index.find(word, 10, Limits::default()))?;
            let asked: BTreeSet<Request> = host.requests.take().into_iter().filter(|it| !opening(it)).collect();
            *first.entry(asked.iter().filter(|it| !texts.contains(&it.0)).cloned().collect()).or_default() += 1;
            *all.entry(asked).or_default() += 1;
        }
        let tell = |what: &str, counts: Vec<usize>| {
            let share = |most: usize| {
                100.0 * counts.iter().filter(|&&count| count <= most).sum::<usize>() as f64 / words.len() as f64
            };
            println!(
                "{what}: alone {:.1} %, among 5 at most {:.1} %, among 255 at most {:.1} %",
                share(1),
                share(5),
                share(255)
            );
        };
        println!("{}", if serves_ranges { "by ranges" } else { "by whole files" });
        tell("  requests of the dictionary and the lists", first.into_values().collect());
        tell("  all requests", all.into_values().collect());
    }
    Ok(())
}
