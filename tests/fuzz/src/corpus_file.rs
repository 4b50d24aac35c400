//! Files of a corpus that are read as the command line reads them.

use std::cell::LazyCell;
use std::fs;

use evident_corpus::Passages;
use tempfile::TempDir;

thread_local! {
    static FOLDER: LazyCell<TempDir> = LazyCell::new(|| tempfile::tempdir().expect("a folder"));
}

/// Reads the passages of a file of this name and contents, and checks that none is empty or has a mark that readers use
/// among themselves.
pub fn read(name: &str, contents: &[u8]) {
    FOLDER.with(|folder| {
        let path = folder.path().join(name);
        fs::write(&path, contents).expect("it can be written");
        for passage in Passages::open(&path).into_iter().flatten().flatten() {
            assert!(!passage.text.trim().is_empty(), "an empty passage");
            let marks = ['\u{0}', '\u{1}', '\u{2}', '\u{3}'];
            let has_marks = contents.iter().any(|&byte| marks.contains(&char::from(byte)));
            assert!(has_marks || !passage.text.contains(marks), "{:?}", passage.text);
        }
    });
}
