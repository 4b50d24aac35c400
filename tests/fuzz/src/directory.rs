//! Any bytes as the directory of an index, under its right hash, and as its manifest.

use std::sync::LazyLock;

use evident_index::{BuildOptions, Index, Manifest, MemoryStorage, OpenOptions, Passage, Reading, assemble, forge};
use futures_lite::future::block_on;

/// A sound index, the number of its bodies that can be forged, and its directory, the last of them.
struct Sound {
    files: MemoryStorage,
    bodies: usize,
    directory: Vec<u8>,
}

static SOUND: LazyLock<Sound> = LazyLock::new(|| {
    let passages = (0..12).map(|n| {
        let text = format!("word{n} of a common planet and word{}", n * n);
        Ok(Passage { id: n.to_string(), title: format!("Title {n}"), text, ..Passage::default() })
    });
    let options = BuildOptions {
        shard_bytes: 64,
        shard_terms: 4,
        group_passages: 3,
        long_list: 4,
        threads: 1,
        whole_bytes: 0,
        ..BuildOptions::default()
    };
    let files = MemoryStorage(assemble(passages, &options).expect("sound passages").1);
    let (mut bodies, mut directory) = (0, Vec::new());
    let _ = forge(&files, |body| {
        bodies += 1;
        directory.clone_from(body);
    });
    Sound { files, bodies, directory }
});

/// The first byte says how many bytes of the sound directory, in eights, stay before the others; with 255 none do.
pub fn run(bytes: &[u8]) {
    let _ = Manifest::parse(bytes);
    let Some((&kept, rest)) = bytes.split_first() else { return };
    let Sound { files, bodies, directory } = &*SOUND;
    let kept = if kept == u8::MAX { 0 } else { directory.len().min(8 * usize::from(kept)) };
    let mut number = 0;
    let forged = forge(files, |body| {
        number += 1;
        if number == *bodies {
            body.splice(kept..body.len().min(kept + rest.len()).max(kept), rest.iter().copied());
        }
    });
    let Ok(forged) = forged else { return };
    let options = OpenOptions { reading: Reading::Needed, ..OpenOptions::default() };
    block_on(async {
        let Ok(index) = Index::open_with(forged, options).await else { return };
        let _ = index.search("word1 word4 common planet title", 12).await;
        let _ = index.passages(&[0, 1, 7, u32::MAX]).await;
    });
}
