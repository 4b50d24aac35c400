//! Any bytes as a page of HTML, as a file of a corpus.

use crate::corpus_file::read;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    read("page.html", bytes);
}
