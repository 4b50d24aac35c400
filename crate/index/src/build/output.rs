//! Where a build writes: the files of its parts under their hashes first, the manifest last.

use std::collections::BTreeMap;
#[cfg(not(target_family = "wasm"))]
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    process,
    rc::Rc,
};

#[cfg(not(target_family = "wasm"))]
use evident_base::{Disk, Hash, replace_file};

use crate::build::error::BuildError;
#[cfg(not(target_family = "wasm"))]
use crate::build::error::unwritable;
#[cfg(not(target_family = "wasm"))]
use crate::build::lock::{FolderLock, LOCK};
use crate::build::scratch::{Scratch, Spool};
#[cfg(not(target_family = "wasm"))]
use crate::format::manifest::MANIFEST;
use crate::format::manifest::Shard;
use crate::format::part::{LARGEST_FILE, MOST_FILES, Part, PartFile, file_bytes};

/// The folder beside the files that holds a build's scratch; its name ends with the process id.
#[cfg(not(target_family = "wasm"))]
const SCRATCH: &str = ".evident-build";

/// Where the files of an index are written.
pub(super) enum Output {
    Memory(BTreeMap<String, Vec<u8>>),
    #[cfg(not(target_family = "wasm"))]
    Folder(Folder),
}

impl Output {
    /// Writes an immutable file.
    pub fn write(&mut self, bytes: Vec<u8>) -> Result<Shard, BuildError> {
        let shard = Shard::of(&bytes);
        match self {
            Self::Memory(files) => _ = files.insert(shard.path(), bytes),
            #[cfg(not(target_family = "wasm"))]
            Self::Folder(folder) => folder.write(shard, &bytes)?,
        }
        Ok(shard)
    }

    /// Scratch of the same kind.
    pub fn scratch(&self) -> Result<Scratch, BuildError> {
        match self {
            Self::Memory(_) => Ok(Scratch::Memory),
            #[cfg(not(target_family = "wasm"))]
            Self::Folder(folder) => Scratch::folder(&folder.path.join(format!("{SCRATCH}-{}", process::id()))),
        }
    }
}

/// The chunks of a part, set aside until their number is known.
pub(super) struct PartSpool {
    spool: Spool,
    lengths: Vec<u32>,
    bytes: u64,
}

impl PartSpool {
    pub fn new(scratch: &Scratch) -> Result<Self, BuildError> {
        Ok(Self { spool: scratch.spool()?, lengths: Vec::new(), bytes: 0 })
    }

    /// Appends a chunk.
    pub fn push(&mut self, body: &[u8]) -> Result<(), BuildError> {
        self.lengths.push(u32::try_from(body.len()).map_err(|_| BuildError::TooLarge)?);
        self.bytes += body.len() as u64;
        Ok(self.spool.write(body)?)
    }

    /// The number of chunks.
    pub fn chunks(&self) -> usize {
        self.lengths.len()
    }

    /// The body of chunk `number`.
    pub fn body(&mut self, number: usize) -> Result<Vec<u8>, BuildError> {
        let start = self.lengths[..number].iter().map(|&length| u64::from(length)).sum();
        Ok(self.spool.part(start, self.lengths[number] as usize)?)
    }

    /// Its bytes in one file.
    pub fn file_bytes(&self) -> u64 {
        file_bytes(self.chunks(), self.bytes)
    }

    /// Writes the part's files: of about `file_bytes` bytes each, or larger ones where these would be too many.
    pub fn finish(self, file_bytes: usize, output: &mut Output) -> Result<Part, BuildError> {
        let aim = (self.bytes.div_ceil(MOST_FILES)).max(file_bytes as u64).min(LARGEST_FILE);
        let mut source = self.spool.read(1 << 16)?;
        let (mut files, mut sizes) = (Vec::new(), Vec::new());
        let (mut bodies, mut bytes) = (Vec::<Vec<u8>>::new(), 0);
        let mut lengths = self.lengths.into_iter().peekable();
        while let Some(length) = lengths.next() {
            let mut body = vec![0; length as usize];
            source.read_exact(&mut body)?;
            bodies.push(body);
            bytes += u64::from(length);
            if lengths.peek().is_none_or(|&next| bytes + u64::from(next) > aim) {
                let (file, contents, lengths) = PartFile::assemble(sizes.len(), &bodies);
                output.write(contents)?;
                files.push(file);
                sizes.extend(lengths);
                bodies.clear();
                bytes = 0;
            }
        }
        Ok(Part::new(files, sizes))
    }
}

/// A folder that becomes an index, or already is one, and that nobody else writes to. Until [`Folder::commit`] the old
/// index is unchanged; without it, the new files are removed again.
#[cfg(not(target_family = "wasm"))]
pub(super) struct Folder {
    path: PathBuf,
    disk: Rc<dyn Disk>,
    /// The file names of the index that is there.
    old: BTreeSet<String>,
    /// The file names of the new one.
    new: BTreeSet<String>,
    committed: bool,
    /// Dropped last.
    _lock: FolderLock,
}

#[cfg(not(target_family = "wasm"))]
impl Folder {
    /// The folder at `path`, without what a killed build left there.
    ///
    /// # Errors
    /// [`BuildError::Busy`] while another build writes to it, [`BuildError::Occupied`] if it holds anything but an
    /// index and what a killed build left.
    pub fn open(path: &Path, disk: Rc<dyn Disk>) -> Result<Self, BuildError> {
        let lock = FolderLock::take(path)?;
        let (old, new) = Default::default();
        let folder = Self { path: path.into(), disk, old, new, committed: false, _lock: lock };
        let names = folder.names()?;
        let ours = |name: &String| is_hashed(name) || is_leftover(name) || name == LOCK;
        if !path.join(MANIFEST).exists() && !names.iter().all(ours) {
            return Err(BuildError::Occupied { path: path.into() });
        }
        for left in names.iter().filter(|name| is_leftover(name)) {
            let left = path.join(left);
            let removed = if left.is_dir() { fs::remove_dir_all(&left) } else { fs::remove_file(&left) };
            removed.map_err(unwritable(&left))?;
        }
        Ok(folder)
    }

    /// Sets the files of the index that the folder already has.
    pub fn holds(&mut self, old: BTreeSet<String>) {
        self.old = old;
    }

    fn write(&mut self, shard: Shard, bytes: &[u8]) -> Result<(), BuildError> {
        let name = shard.path();
        if !self.new.insert(name.clone()) {
            return Ok(());
        }
        let path = self.path.join(name);
        // A file with this name may have been damaged since it was written.
        match fs::read(&path) {
            Ok(there) if there == bytes => Ok(()),
            _ => self.disk.write(&path, bytes).map_err(unwritable(&path)),
        }
    }

    /// Puts `manifest` in force, and removes the files of the old index that are not in `kept`. Everything is synced
    /// before what relies on it: the files before the manifest is renamed into place, and the manifest before anything
    /// is removed.
    pub fn commit(&mut self, manifest: &[u8], kept: &BTreeSet<String>) -> Result<(), BuildError> {
        for name in &self.new {
            let path = self.path.join(name);
            self.disk.sync(&path).map_err(unwritable(&path))?;
        }
        self.disk.sync_folder(&self.path).map_err(unwritable(&self.path))?;
        let _ = self.disk.sync_parent(&self.path); // the parent may be unreadable
        let path = self.path.join(MANIFEST);
        let replaced = replace_file(&*self.disk, &path, manifest);
        self.committed = fs::read(&path).is_ok_and(|there| there == manifest);
        replaced.map_err(unwritable(&path))?;
        let unused = |name: &&String| is_hashed(name) && !self.new.contains(*name) && !kept.contains(*name);
        for name in self.names()?.iter().filter(unused) {
            let _ = self.disk.remove(&self.path.join(name)); // the next build tries again
        }
        Ok(())
    }

    fn names(&self) -> Result<Vec<String>, BuildError> {
        let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        let names = fs::read_dir(&self.path).and_then(|entries| entries.map(name).collect());
        names.map_err(unwritable(&self.path))
    }
}

#[cfg(not(target_family = "wasm"))]
impl Drop for Folder {
    fn drop(&mut self) {
        if !self.committed {
            self.new.difference(&self.old).for_each(|name| _ = self.disk.remove(&self.path.join(name)));
        }
    }
}

/// Whether a file has the name of an index's file, `<sha256>.bin`.
#[cfg(not(target_family = "wasm"))]
fn is_hashed(name: &str) -> bool {
    name.strip_suffix(".bin").is_some_and(|hash| Hash::try_from(hash.to_owned()).is_ok())
}

/// Whether a killed build left this: its scratch, or a manifest that was not yet renamed into place.
#[cfg(not(target_family = "wasm"))]
fn is_leftover(name: &str) -> bool {
    name.starts_with(SCRATCH) || name.starts_with(".manifest.json.") && name.ends_with(".new")
}
