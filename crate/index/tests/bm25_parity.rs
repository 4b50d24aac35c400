//! Scores and order equal those of bm25s, an independent implementation, on the same terms: tests/parity/bm25.

use std::path::Path;

use evident_index::{BuildOptions, FileStorage, Hash, Index, build, parse_line};
use futures_lite::future::block_on;
use serde::Deserialize;

/// Largest relative difference of two scores that count as equal.
const TOLERANCE: f32 = 1e-4;

#[derive(Deserialize)]
struct Golden {
    /// The corpus, relative to the repository.
    passages: String,
    /// How many of its first lines were used.
    count: usize,
    /// SHA-256 of those lines.
    sha256: String,
    queries: Vec<Query>,
}

#[derive(Deserialize)]
struct Query {
    query: String,
    /// The best passages' ids and scores, best first.
    hits: Vec<(String, f32)>,
}

fn equal(ours: f32, theirs: f32) -> bool {
    (ours - theirs).abs() <= TOLERANCE * theirs
}

#[test]
fn scores_and_order_equal_bm25s() {
    compare("tests/parity/bm25/golden.json");
}

#[test]
#[ignore = "needs 10,000 passages and a golden of 1,000 queries on them: tests/parity/bm25/make_golden.py says how"]
fn scores_and_order_equal_bm25s_at_10_000_passages() {
    compare(&std::env::var("BM25_GOLDEN").expect("BM25_GOLDEN names the golden file"));
}

/// Searches the corpus of a golden file, whose path is relative to the repository, and compares the hits with the
/// file's.
fn compare(golden: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let golden = std::fs::read(root.join(golden)).expect("there is a golden file");
    let golden: Golden = serde_json::from_slice(&golden).expect("the golden file is JSON");

    let corpus = root.join(&golden.passages);
    let bytes = std::fs::read(&corpus).expect("the corpus is there");
    let lines: Vec<u8> = bytes.split_inclusive(|&byte| byte == b'\n').take(golden.count).flatten().copied().collect();
    let digest = Hash::of(&lines).to_string();
    assert_eq!(digest, golden.sha256, "the corpus has changed: run tests/parity/bm25/make_golden.py again");

    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("index");
    let passages = lines.split_inclusive(|&byte| byte == b'\n').zip(1..).map(|(text, line)| parse_line(text, line));
    build(passages, &out, &BuildOptions::default()).unwrap();
    let index = block_on(Index::open(FileStorage::new(&out))).unwrap();

    let (mut hits, mut worst) = (0, 0_f32);
    for Query { query, hits: theirs } in &golden.queries {
        let ours = block_on(index.search(query, 10)).unwrap();
        assert_eq!(ours.len(), theirs.len(), "{query}");
        for (ours, &(_, at_rank)) in ours.iter().zip(theirs) {
            assert!(equal(ours.score, at_rank), "{query}: {} for {at_rank}", ours.score);
            // A passage they do not list is one that ties with their last.
            let id = &ours.passage.id;
            let listed = theirs.iter().find(|(theirs, _)| theirs == id).or(theirs.last());
            let theirs = listed.map_or(f32::NAN, |&(_, score)| score);
            assert!(equal(ours.score, theirs), "{query}: {id} has {} for {theirs}", ours.score);
            worst = worst.max((ours.score - theirs).abs() / theirs);
            hits += 1;
        }
    }
    assert!(hits > golden.queries.len());
    let (queries, passages) = (golden.queries.len(), golden.count);
    println!("{passages} passages, {queries} queries, {hits} hits: scores differ by at most {worst:.1e} of their size");
}
