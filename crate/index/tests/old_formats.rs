//! Indexes that earlier versions of this crate wrote (tests/old) are told from damaged ones.

use std::fs;
use std::path::Path;

use evident_index::{BuildError, BuildOptions, FileStorage, Index, IndexError, Passage, add, build, merge};
use futures_lite::future::block_on;

/// The folders of tests/old, and what their errors say of them.
const OLD: [(&str, &str); 4] = [
    ("format-1", "format 1, but this version reads format 3"),
    ("format-2", "format 2, but this version reads format 3"),
    // Its manifest is like those of today: a new analysis is written into it, with the checksum that follows.
    (
        "format-3-without-names",
        "the first form of format 3, without names of passages, but this version reads format 3 with them",
    ),
    ("analysis-english-2", "analysis english/2, but this version reads analysis english/3"),
];

fn moon() -> [Result<Passage, BuildError>; 1] {
    [Ok(Passage { id: "moon".into(), title: "Moon".into(), text: "The Moon is round.".into(), ..Passage::default() })]
}

#[track_caller]
fn assert_old(error: &IndexError, what: &str) {
    let said = error.to_string();
    assert_eq!(error.code(), "index-version", "{said}");
    assert_eq!(said, format!("this index has {what}: build it again, with this version's `evident index build`"));
}

#[test]
fn an_old_index_is_named_by_its_format_or_analysis() {
    for (folder, what) in OLD {
        let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old").join(folder);
        let copy = tempfile::tempdir().unwrap();
        for file in fs::read_dir(&old).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
        let opened = block_on(async {
            let index = Index::open(FileStorage::new(&old)).await?;
            for file in index.files()["texts"].clone() {
                assert_old(&index.check(&file).await.unwrap_err(), what);
            }
            index.search("planet", 3).await
        });
        assert_old(&opened.unwrap_err(), what);
        let options = BuildOptions::default();
        let go_on = |_| std::ops::ControlFlow::Continue(());
        for failed in [add(moon(), copy.path(), &options, go_on), merge(copy.path(), &options, go_on)] {
            match failed.unwrap_err() {
                BuildError::Index(error) => assert_old(&error, what),
                error => panic!("{error}"),
            }
        }
        // As the error says, it can be built again in its place.
        assert_eq!(build(moon(), copy.path(), &options).unwrap().passages, 1);
        let index = block_on(Index::open(FileStorage::new(copy.path()))).unwrap();
        assert_eq!(block_on(index.search("moon", 3)).unwrap().len(), 1);
    }
}
