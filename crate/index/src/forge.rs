//! Indexes that no builder writes: any contents under right hashes. A hash proves that a file is the one that its index
//! names, not that the index is well made, so reading must survive these too. For tests and the fuzz targets.

use crate::error::IndexError;
use crate::format::directory::{Directory, PartKind};
use crate::format::manifest::{MANIFEST, Manifest, Shard};
use crate::format::part::{Part, PartFile};
use crate::storage::memory::MemoryStorage;

/// The index in `files` with changed contents. For one segment after another, `change` receives the body of every
/// chunk, part by part, and then the directory. Hashes, proofs and lengths are made to fit the changes.
///
/// # Errors
/// If `files` are no index.
pub fn forge(files: &MemoryStorage, mut change: impl FnMut(&mut Vec<u8>)) -> Result<MemoryStorage, IndexError> {
    let bytes = |path: &str| files.0.get(path).cloned().ok_or_else(|| IndexError::Gone { file: path.into() });
    let mut forged = MemoryStorage::default();
    let mut manifest = Manifest::parse(&bytes(MANIFEST)?)?;
    for segment in &mut manifest.segments {
        let path = segment.directory.path();
        let directory = Directory::decode(&bytes(&path)?, segment.passages);
        let directory = directory.map_err(|how| IndexError::corrupt(&path, how.0))?;
        let mut parts = Vec::new();
        for kind in [PartKind::Terms, PartKind::Lists, PartKind::Texts] {
            let (mut entries, mut sizes) = (Vec::new(), Vec::new());
            for file in directory.part(kind).files() {
                let whole = bytes(&file.shard.path())?;
                let body = |number: usize| {
                    let location = directory.part(kind).locate(number)?;
                    location.verify(whole.get(location.range.start as usize..location.range.end as usize)?)
                };
                let bodies: Option<Vec<_>> = file.chunks().map(|number| Some(body(number)?.to_vec())).collect();
                let mut bodies = bodies.ok_or_else(|| IndexError::corrupt(&path, "a chunk is not there"))?;
                bodies.iter_mut().for_each(&mut change);
                let (entry, contents, lengths) = PartFile::assemble(sizes.len(), &bodies);
                forged.0.insert(entry.shard.path(), contents);
                entries.push(entry);
                sizes.extend(lengths);
            }
            parts.push(Part::new(entries, sizes));
        }
        let [terms, lists, texts] = &parts[..] else { continue };
        let Directory { group, first_tier, .. } = directory;
        let mut contents = Directory::encode(group, first_tier, [terms, lists, texts], &directory.long_lists());
        change(&mut contents);
        segment.directory = Shard::of(&contents);
        forged.0.insert(segment.directory.path(), contents);
    }
    forged.0.insert(MANIFEST.into(), manifest.seal());
    Ok(forged)
}
