//! The pages that answers cite, in a folder: `sources.json` says which file is the page of which address.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Component, Path};

use evident_corpus::{CorpusError, Passages};
use evident_index::{BuildOptions, Index, MemoryStorage, Passage, assemble};
use evident_verify::{IndexSource, Retriever, Sources, Unread};

use crate::error::{CliError, unreadable};

/// The file that names the others: a JSON object of addresses and the names of their files.
const MAP: &str = "sources.json";

/// The most bytes of a page.
const MOST_BYTES: u64 = 5 << 20;

/// The pages of `folder`, each with an index of its own. Passages are re-ranked as those of `retriever` are.
///
/// # Errors
/// [`CliError::Unreadable`] and [`CliError::Unusable`] for the map, and [`CliError::Corpus`] for a file of passages
/// with a line that is not a passage. A page that is missing, too large or not text is an unread source.
pub async fn read(folder: &Path, retriever: &Retriever) -> Result<Sources, CliError> {
    let map = folder.join(MAP);
    let unusable = |why| CliError::Unusable { path: map.clone(), why };
    let text = std::fs::read_to_string(&map).map_err(|source| match source.kind() {
        ErrorKind::NotFound => unusable(
            "there is no such file: write one, {\"https://...\": \"page.md\"}, that names the page of each address",
        ),
        _ => unreadable(&map, source),
    })?;
    let files: BTreeMap<String, String> = serde_json::from_str(&text)
        .map_err(|_| unusable("it is no map of addresses to files: write {\"https://...\": \"page.md\"}"))?;
    let mut sources = Sources::new();
    for (address, file) in files {
        if !Path::new(&file).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(unusable("it names a file outside of its folder: move the file there"));
        }
        let page = match passages(&address, &folder.join(file))? {
            Ok(passages) => {
                let (_, files) = assemble(passages.into_iter().map(Ok), &BuildOptions::default())?;
                let index = Index::open(MemoryStorage(files)).await?;
                Ok(retriever.over(IndexSource::of_page(index, &address)))
            }
            Err(reason) => Err(reason),
        };
        sources.insert(address, page);
    }
    Ok(sources)
}

/// The passages of a page, with its address as their source, or why it is not read.
fn passages(address: &str, path: &Path) -> Result<Result<Vec<Passage>, Unread>, CliError> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Err(Unread::NotGiven)),
        Err(source) => return Err(unreadable(path, source)),
        Ok(file) if file.len() > MOST_BYTES => return Ok(Err(Unread::TooLarge)),
        Ok(_) => {}
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf")) {
        return Ok(Err(Unread::NotText));
    }
    let read = Passages::open(path).and_then(Iterator::collect::<Result<Vec<Passage>, CorpusError>>);
    let mut passages = match read {
        Err(CorpusError::NotText { .. }) => return Ok(Err(Unread::NotText)),
        read => read?,
    };
    if passages.is_empty() {
        return Ok(Err(Unread::Empty));
    }
    for passage in &mut passages {
        passage.source = Some(address.to_owned());
    }
    Ok(Ok(passages))
}
