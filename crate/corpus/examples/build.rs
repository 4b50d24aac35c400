//! Builds an index of a corpus. `evident index build` does too, but brings the models and takes minutes to compile.
//!
//!     cargo run --release -p evident-corpus --example build -- CORPUS DIR

use std::error::Error;
use std::path::PathBuf;

use evident_corpus::{CorpusError, Passages};
use evident_index::{BuildError, BuildOptions, build};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [corpus, out] = arguments.as_slice() else { return Err("give a corpus and a folder to write".into()) };
    let mut unread: Option<CorpusError> = None;
    let passages = Passages::open(corpus)?.map(|passage| {
        passage.map_err(|error| {
            unread = Some(error);
            BuildError::NoPassages // ends the build; what is told is the corpus's own error
        })
    });
    let built = build(passages, out, &BuildOptions::default());
    if let Some(error) = unread {
        return Err(error.into());
    }
    println!("{} passages in {}", built?.passages, out.display());
    Ok(())
}
