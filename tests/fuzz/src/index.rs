//! Any bytes as the files of an index: opening and searching them gives hits or an error, and never a panic.

use arbitrary::{Arbitrary, Unstructured};
use evident_index::{
    BuildOptions, Index, Limits, MANIFEST, MemoryStorage, OpenOptions, Passage, Reading, assemble, forge,
};
use futures_lite::future::block_on;

/// A built index, and the damage done to it.
#[derive(Debug, Arbitrary)]
struct Input {
    texts: Vec<String>,
    /// Whether a part has one file with all its chunks, or many with a few chunks each.
    one_file: bool,
    /// Changes of chunks and directories, whose hashes are made to fit.
    forged: Vec<Change>,
    /// Files with other bytes than their name says; a number beyond the last file is the manifest.
    replaced: Vec<(u8, Vec<u8>)>,
    query: String,
    /// The limit of a second search.
    bytes: u16,
}

/// A replacement of some bytes of a chunk or of a directory.
#[derive(Debug, Arbitrary)]
struct Change {
    /// Its number, in the order of [`forge`].
    chunk: u8,
    place: u16,
    removed: u8,
    added: Vec<u8>,
}

fn files(input: &Input) -> Option<MemoryStorage> {
    let passage = |(number, text): (usize, &String)| Passage {
        id: number.to_string(),
        title: String::new(),
        text: format!("word {text}"),
        ..Passage::default()
    };
    let passages = input.texts.iter().enumerate().map(passage).map(Ok);
    let shard_bytes = if input.one_file { 1 << 20 } else { 64 };
    let (shard_terms, group_passages, long_list, threads) = (4, 3, 4, 1);
    let options = BuildOptions {
        shard_bytes,
        shard_terms,
        group_passages,
        long_list,
        threads,
        whole_bytes: 0,
        ..Default::default()
    };
    let built = MemoryStorage(assemble(passages, &options).ok()?.1);
    let mut number = 0_u32..;
    let mut files = forge(&built, |bytes| {
        let number = number.next();
        for change in input.forged.iter().filter(|change| Some(change.chunk.into()) == number) {
            let start = usize::from(change.place) % (bytes.len() + 1);
            let end = bytes.len().min(start + usize::from(change.removed));
            bytes.splice(start..end, change.added.iter().copied());
        }
    })
    .ok()?;
    for (file, bytes) in &input.replaced {
        let name = files.0.keys().nth((*file).into()).cloned().unwrap_or_else(|| MANIFEST.into());
        files.0.insert(name, bytes.clone());
    }
    Some(files)
}

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(bytes)) else { return };
    let Some(files) = files(&input) else { return };
    let options = OpenOptions { reading: Reading::Needed, ..OpenOptions::default() };
    block_on(async {
        let Ok(index) = Index::open_with(files, options).await else { return };
        for limits in [Limits::default(), Limits { bytes: input.bytes.into(), trips: 2 }] {
            let _ = index.find(&format!("word {}", input.query), 10, limits).await;
        }
        let _ = index.passages(&[0, 1, 7, u32::MAX]).await;
    });
}
