//! Indexes that earlier versions of this crate wrote (tests/old) are told from damaged ones.

use std::fs;
use std::path::Path;

use evident_index::{BuildError, BuildOptions, FileStorage, Index, IndexError, Passage, add, build, merge};
use futures_lite::future::block_on;

/// The folders of tests/old, and what their errors say of them.
const OLD: [(&str, &str); 3] = [
    ("format-1", "format 1"),
    ("format-2", "format 2"),
    // Its manifest is like those of today.
    ("format-3-without-names", "the first form of format 3, without names of passages"),
];

fn moon() -> [Result<Passage, BuildError>; 1] {
    [Ok(Passage { id: "moon".into(), title: "Moon".into(), text: "The Moon is round.".into(), ..Passage::default() })]
}

#[track_caller]
fn assert_old(error: &IndexError, name: &str) {
    let said = error.to_string();
    assert_eq!(error.code(), "index-version", "{said}");
    assert!(said.starts_with(&format!("this index has {name}, but this version reads format 3")), "{said}");
    assert!(said.ends_with(": build it again, with this version's `evident index build`"), "{said}");
}

#[test]
fn an_index_of_an_old_format_is_named_by_its_format() {
    for (folder, name) in OLD {
        let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old").join(folder);
        let copy = tempfile::tempdir().unwrap();
        for file in fs::read_dir(&old).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
        let opened = block_on(async {
            let index = Index::open(FileStorage::new(&old)).await?;
            for file in index.files()["texts"].clone() {
                assert_old(&index.check(&file).await.unwrap_err(), name);
            }
            index.search("planet", 3).await
        });
        assert_old(&opened.unwrap_err(), name);
        let options = BuildOptions::default();
        let go_on = |_| std::ops::ControlFlow::Continue(());
        for failed in [add(moon(), copy.path(), &options, go_on), merge(copy.path(), &options, go_on)] {
            match failed.unwrap_err() {
                BuildError::Index(error) => assert_old(&error, name),
                error => panic!("{error}"),
            }
        }
        // As the error says, it can be built again in its place.
        assert_eq!(build(moon(), copy.path(), &options).unwrap().passages, 1);
        let index = block_on(Index::open(FileStorage::new(copy.path()))).unwrap();
        assert_eq!(block_on(index.search("moon", 3)).unwrap().len(), 1);
    }
}
