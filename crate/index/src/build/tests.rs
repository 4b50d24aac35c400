//! What building an index in a folder promises.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use evident_base::Hash;
use futures_lite::future::block_on;
use proptest::prelude::*;
use tempfile::tempdir;

use crate::build::error::BuildError;
use crate::build::folder::{add, build, build_watched, join, merge};
use crate::build::memory::assemble;
use crate::build::options::BuildOptions;
use crate::build::segment::BuildProgress;
use crate::error::IndexError;
use crate::format::manifest::MANIFEST;
use crate::format::passages::Passage;
use crate::index::Index;
use crate::search::limits::Limits;
use crate::storage::file::FileStorage;

type Files = BTreeMap<String, Vec<u8>>;

fn passage(id: &str, text: &str) -> Result<Passage, BuildError> {
    Ok(Passage { id: id.into(), title: "Title".into(), text: text.into(), ..Passage::default() })
}

fn written(directory: &Path) -> Files {
    let entries = directory.read_dir().unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn many(count: usize) -> impl Iterator<Item = Result<Passage, BuildError>> {
    (0..count).map(|n| passage(&n.to_string(), &format!("word{n} word{} word{} of many", n / 3, n % 7)))
}

fn go_on(_: BuildProgress) -> ControlFlow<()> {
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
    for last in [BuildProgress::Read(3000), BuildProgress::Writing] {
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
    for name in [&format!("{}.bin", Hash::of(b"half a file")), ".evident-build-1/7", ".manifest.json.1.new"] {
        fs::create_dir_all(out.join(".evident-build-1")).unwrap();
        fs::write(out.join(name), "half a file").unwrap();
    }
    build([passage("a", "new text")], &out, &BuildOptions::default()).unwrap();
    build([passage("a", "new text")], &fresh, &BuildOptions::default()).unwrap();
    assert!(written(&out) == written(&fresh));
}

/// The passages of the index in `out`, each of whose files is whole.
fn ids(out: &Path) -> Vec<String> {
    let index = block_on(Index::open(FileStorage::new(out))).unwrap();
    index.files().values().flatten().for_each(|file| block_on(index.check(file)).unwrap());
    let numbers: Vec<u32> = (0..index.manifest().passages).collect();
    block_on(index.passages(&numbers)).unwrap().into_iter().map(|passage| passage.id).collect()
}

#[test]
fn of_two_builds_into_one_folder_one_is_told_who_has_it() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("index");
    let options = BuildOptions::default();
    // The second begins while the first reads its last passage.
    let mut second = None;
    let last = std::iter::once_with(|| {
        second = Some(build([passage("b", "second")], &out, &options));
        passage("z", "last")
    });
    build([passage("a", "first")].into_iter().chain(last), &out, &options).unwrap();
    let busy = second.unwrap().unwrap_err();
    assert!(matches!(busy, BuildError::Busy { holder: Some(id), .. } if id == std::process::id()), "{busy}");
    assert!(busy.to_string().contains(&format!("by process {}: wait", std::process::id())), "{busy}");
    assert_eq!(ids(&out), ["a", "z"]);
    assert!(!out.join(".evident-lock").exists());
}

#[test]
fn of_additions_at_once_none_is_lost_without_a_word() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("index");
    let options = BuildOptions { threads: 1, ..Default::default() };
    build(many(10), &out, &options).unwrap();
    let added: Vec<String> = std::thread::scope(|scope| {
        let one = |id: usize| {
            let (out, options) = (&out, &options);
            scope.spawn(move || match add([passage(&format!("new{id}"), "words")], out, options, go_on) {
                Ok(_) => Some(format!("new{id}")),
                Err(BuildError::Busy { .. }) => None,
                Err(error) => panic!("{error}"),
            })
        };
        let threads: Vec<_> = (0..20).map(one).collect();
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(!added.is_empty());
    let mut there = ids(&out).split_off(10);
    there.sort();
    assert_eq!(there, {
        let mut added = added;
        added.sort();
        added
    });
}

#[test]
fn a_killed_builds_lock_keeps_nobody_out() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("index");
    fs::create_dir(&out).unwrap();
    fs::write(out.join(".evident-lock"), "1\n").unwrap();
    build([passage("a", "text")], &out, &BuildOptions::default()).unwrap();
    assert_eq!(ids(&out), ["a"]);
}

#[test]
fn a_damaged_file_is_mended_by_the_same_build() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("index");
    build(many(50), &out, &BuildOptions::default()).unwrap();
    let index = block_on(Index::open(FileStorage::new(&out))).unwrap();
    fs::write(out.join(index.files()["texts"][0].path()), "damaged").unwrap();
    build(many(50), &out, &BuildOptions::default()).unwrap();
    assert_eq!(ids(&out).len(), 50);
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
    let many = passage("b", "two").map(|passage| Passage { names: vec!["name".into(); 65], ..passage });
    let many = assembled([passage("a", "one"), many, passage("c", "three")]);
    assert_eq!(many, "line 2: the passage \"b\" has more than 64 names: keep those that people use");
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn a_join_of_parts_is_a_build_of_all_their_passages(
        mut cuts in proptest::collection::vec(1..200_usize, 0..4),
        memory in prop::sample::select(vec![1, 1 << 16, 1 << 30]),
        threads in 1..3_usize,
        segments: bool,
    ) {
        let directory = tempdir().unwrap();
        let options = BuildOptions { memory, threads, ..Default::default() };
        let named = |number: usize| {
            passage(&number.to_string(), &format!("word{number} word{} of many words", number % 7)).map(|passage| {
                let names = vec![format!("Name {}", number / 5)];
                Passage { title: format!("Title {}", number / 3), names, ..passage }
            })
        };
        let whole = directory.path().join("whole");
        build((0..200).map(named), &whole, &options).unwrap();

        cuts.extend([0, 200]);
        cuts.sort_unstable();
        cuts.dedup();
        let mut parts = Vec::new();
        for ends in cuts.windows(2) {
            let part = directory.path().join(format!("part-{}", ends[0]));
            let middle = if segments { ends[0].midpoint(ends[1]).max(ends[0] + 1) } else { ends[1] };
            build((ends[0]..middle).map(named), &part, &options).unwrap();
            if middle < ends[1] {
                add((middle..ends[1]).map(named), &part, &options, go_on).unwrap();
            }
            parts.push(part);
        }
        let out = directory.path().join("joined");
        let summary = join(&parts, &out, &options, go_on).unwrap();
        prop_assert_eq!(summary.passages, 200);
        prop_assert!(written(&out) == written(&whole));

        // A part may make place for the join, and joins may be joined.
        let (last, first) = parts.split_last().unwrap();
        if !first.is_empty() {
            join(first, &parts[0], &options, go_on).unwrap();
            join(&[parts[0].clone(), last.clone()], last, &options, go_on).unwrap();
            prop_assert!(written(last) == written(&whole));
        }
    }
}

#[test]
fn parts_that_share_an_id_or_are_built_otherwise_are_not_joined() {
    let directory = tempdir().unwrap();
    let [a, b, c, out] = ["a", "b", "c", "out"].map(|name| directory.path().join(name));
    let options = BuildOptions::default();
    build([passage("1", "one"), passage("2", "two")], &a, &options).unwrap();
    build([passage("2", "three")], &b, &options).unwrap();
    build([passage("3", "three")], &c, &BuildOptions { k1: 1.5, ..options }).unwrap();
    let error = |parts: &[&std::path::PathBuf]| {
        let parts: Vec<_> = parts.iter().map(|&part| part.clone()).collect();
        join(&parts, &out, &options, go_on).unwrap_err()
    };
    assert_eq!(
        error(&[&a, &b]).to_string(),
        "line 3: the id \"2\" is already that of line 2: give each passage its own"
    );
    assert!(matches!(error(&[&a, &c]), BuildError::Unlike { path } if path == c));
    assert!(matches!(error(&[&a, &out]), BuildError::Index(IndexError::Missing)));
    assert!(matches!(error(&[]), BuildError::NoPassages));
    let read_first = |progress| {
        if progress == BuildProgress::Read(2) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert!(matches!(join(&[a], &out, &options, read_first), Err(BuildError::Stopped)));
    assert!(!out.exists());
}
