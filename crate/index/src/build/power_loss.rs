//! Tests that a power loss or a disk error leaves either the old index or the new one, and leaves it whole.
//!
//! A build runs on a disk that records its calls. A power loss is simulated after every call: the name of a file is
//! durable only once its folder was synced, its bytes once the file was. What is not durable may be lost, in the
//! combinations of [`Simulated::left`]. Then the build runs on disks of which one call fails, once for each call.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use evident_base::{Disk, SystemDisk};
use futures_lite::future::block_on;
use tempfile::tempdir;

use crate::build::error::BuildError;
use crate::build::folder::{IndexFolder, add, build};
use crate::build::options::BuildOptions;
use crate::build::segment::BuildProgress;
use crate::error::IndexError;
use crate::format::passages::Passage;
use crate::index::Index;
use crate::storage::memory::MemoryStorage;

/// A call of a build. Files are named without their folder.
#[derive(Debug, Clone)]
enum Call {
    Write(String, Vec<u8>),
    Sync(String),
    SyncFolder,
    Rename(String, String),
    Remove(String),
}

/// The system's disk, with a record of the calls.
#[derive(Default)]
struct Recorder(RefCell<Vec<Call>>);

impl Recorder {
    fn note(&self, call: Call) {
        self.0.borrow_mut().push(call);
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().into()
}

impl Disk for Recorder {
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.note(Call::Write(name(path), bytes.to_vec()));
        SystemDisk.write(path, bytes)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        self.note(Call::Sync(name(path)));
        SystemDisk.sync(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        if name(path) == FOLDER {
            self.note(Call::SyncFolder);
        }
        SystemDisk.sync_folder(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.note(Call::Rename(name(from), name(to)));
        SystemDisk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.note(Call::Remove(name(path)));
        SystemDisk.remove(path)
    }
}

/// The system's disk, of which one call fails, counted from 0.
struct Failing {
    at: usize,
    calls: Cell<usize>,
}

impl Failing {
    fn call(&self, call: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        match self.calls.replace(self.calls.get() + 1) == self.at {
            true => Err(io::Error::other("no space is left")),
            false => call(),
        }
    }
}

impl Disk for Failing {
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.call(|| SystemDisk.write(path, bytes))
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        self.call(|| SystemDisk.sync(path))
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.call(|| SystemDisk.sync_folder(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(|| SystemDisk.rename(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(|| SystemDisk.remove(path))
    }
}

/// The name of the index's folder.
const FOLDER: &str = "index";

/// The folder on a disk: the names of files, the names that are durable (`sure`), and the changes of names since.
#[derive(Default)]
struct Simulated {
    files: Vec<Contents>,
    names: BTreeMap<String, usize>,
    sure: BTreeMap<String, usize>,
    pending: Vec<Change>,
}

struct Contents {
    bytes: Vec<u8>,
    synced: bool,
}

#[derive(Clone)]
enum Change {
    Add(String, usize),
    Remove(String),
    Rename(String, String, usize),
}

impl Change {
    fn apply(&self, names: &mut BTreeMap<String, usize>) {
        match self {
            Self::Add(name, file) => _ = names.insert(name.clone(), *file),
            Self::Remove(name) => _ = names.remove(name),
            Self::Rename(from, to, file) => {
                names.remove(from);
                names.insert(to.clone(), *file);
            }
        }
    }
}

impl Simulated {
    /// A folder of these files, all of them durable.
    fn new(files: BTreeMap<String, Vec<u8>>) -> Self {
        let names: BTreeMap<_, _> = files.keys().cloned().zip(0..).collect();
        let files = files.into_values().map(|bytes| Contents { bytes, synced: true }).collect();
        Self { files, sure: names.clone(), names, pending: Vec::new() }
    }

    fn take(&mut self, call: &Call) {
        let change = match call {
            Call::Sync(name) => return self.files[self.names[name]].synced = true,
            Call::SyncFolder => {
                self.pending.clear();
                return self.sure.clone_from(&self.names);
            }
            Call::Write(name, bytes) => {
                let contents = Contents { bytes: bytes.clone(), synced: false };
                if let Some(&file) = self.names.get(name) {
                    self.files[file] = contents;
                    return;
                }
                self.files.push(contents);
                Change::Add(name.clone(), self.files.len() - 1)
            }
            Call::Rename(from, to) => Change::Rename(from.clone(), to.clone(), self.names[from]),
            Call::Remove(name) if self.names.contains_key(name) => Change::Remove(name.clone()),
            Call::Remove(_) => return,
        };
        change.apply(&mut self.names);
        self.pending.push(change);
    }

    /// The folders that a power loss may leave now: of the changes of names that are not durable, none, all, each alone
    /// and all but each one; of bytes that are not durable, none or the first half.
    fn left(&self) -> Vec<MemoryStorage> {
        let count = self.pending.len();
        let mut choices: Vec<Vec<bool>> = vec![vec![false; count], vec![true; count]];
        for one in 0..count {
            choices.extend([true, false].map(|kept| (0..count).map(|it| (it == one) == kept).collect()));
        }
        let mut left = Vec::new();
        for choice in choices {
            let mut names = self.sure.clone();
            let kept = self.pending.iter().zip(choice).filter(|(_, kept)| *kept);
            kept.for_each(|(change, _)| change.apply(&mut names));
            for share in [0, 2] {
                let bytes = |file: &Contents| match file.synced {
                    true => file.bytes.clone(),
                    false => file.bytes[..file.bytes.len() * share / 4].to_vec(),
                };
                left.push(MemoryStorage(
                    names.iter().map(|(name, &file)| (name.clone(), bytes(&self.files[file]))).collect(),
                ));
            }
        }
        left
    }
}

fn passages(from: u32, to: u32) -> impl Iterator<Item = Result<Passage, BuildError>> {
    (from..to).map(|n| {
        let text = format!("word{n} word{} of many", n % 7);
        Ok(Passage { id: n.to_string(), title: "Title".into(), text, ..Passage::default() })
    })
}

/// The passages of an index, all of whose chunks decode; `None` where there is no index.
fn read(files: &MemoryStorage) -> Option<Vec<Passage>> {
    let index = match block_on(Index::open(files)) {
        Err(IndexError::Missing) => return None,
        index => index.unwrap(),
    };
    index.files().values().flatten().for_each(|file| block_on(index.check(file)).unwrap());
    let numbers: Vec<u32> = (0..index.manifest().passages).collect();
    Some(block_on(index.passages(&numbers)).unwrap())
}

fn go_on(_: BuildProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Builds an index of segments that end with `segments`.
fn built(path: &Path, options: &BuildOptions, segments: &[u32]) {
    segments.iter().fold(0, |first, &end| {
        match first {
            0 => build(passages(first, end), path, options),
            _ => add(passages(first, end), path, options, go_on),
        }
        .unwrap();
        end
    });
}

/// What [`read`] gives of the first `count` passages.
fn expected(count: u32) -> Option<Vec<Passage>> {
    (count > 0).then(|| passages(0, count).map(Result::unwrap).collect())
}

/// The files of a folder, which need not be there.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let there = fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path());
    there.filter(|path| path.is_file()).map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// Simulates a power loss after every call of `work`, which turns an index of segments that end with `segments` into
/// one of `after` passages; then lets each call fail by itself.
fn lose_power(segments: &[u32], after: u32, work: impl Fn(&IndexFolder) -> Result<(), BuildError>) {
    let directory = tempdir().unwrap();
    let path = &directory.path().join(FOLDER);
    let options = &BuildOptions { threads: 1, shard_bytes: 1 << 10, whole_bytes: 0, ..Default::default() };
    built(path, options, segments);
    let (before, after) = (expected(segments.last().copied().unwrap_or(0)), expected(after));
    let mut disk = Simulated::new(files(path));
    let recorder = Rc::new(Recorder::default());
    work(&IndexFolder { path, options, disk: recorder.clone() }).unwrap();
    let calls = recorder.0.borrow();
    assert!(calls.len() >= 10);
    for call in calls.iter() {
        disk.take(call);
        for left in disk.left() {
            let read = read(&left);
            assert!(read == before || read == after, "after {call:?}");
        }
    }
    // When the work returns, its result is durable.
    assert!(disk.left().iter().all(|left| read(left) == after));

    for at in 0..calls.len() {
        let directory = tempdir().unwrap();
        let path = &directory.path().join(FOLDER);
        built(path, options, segments);
        let failing = Rc::new(Failing { at, calls: Cell::new(0) });
        let ended = work(&IndexFolder { path, options, disk: failing });
        let left = read(&MemoryStorage(files(path)));
        match ended {
            Ok(()) => assert!(left == after, "call {at}, passed over"), // an old file could not be removed
            Err(error) => {
                assert_eq!(error.code(), "index-unwritable", "call {at}: {error}");
                assert!(left == before || left == after, "call {at}: {error}");
            }
        }
        if left == before {
            work(&IndexFolder { path, options, disk: Rc::new(SystemDisk) }).unwrap();
            assert!(read(&MemoryStorage(files(path))) == after, "call {at}, tried again");
        }
    }
}

#[test]
fn a_build_survives_a_power_loss() {
    lose_power(&[], 100, |folder| folder.build(passages(0, 100), go_on).map(drop));
    lose_power(&[60], 100, |folder| folder.build(passages(0, 100), go_on).map(drop));
}

#[test]
fn an_addition_survives_a_power_loss() {
    lose_power(&[60], 100, |folder| folder.add(passages(60, 100), go_on).map(drop));
}

#[test]
fn a_merge_survives_a_power_loss() {
    lose_power(&[60, 100], 100, |folder| folder.merge(go_on).map(drop));
}

#[test]
fn a_join_survives_a_power_loss() {
    let directory = tempdir().unwrap();
    let parts = [(0, 60), (60, 100)].map(|(first, end)| {
        let part = directory.path().join(first.to_string());
        build(passages(first, end), &part, &BuildOptions::default()).unwrap();
        part
    });
    for there in [&[][..], &[60]] {
        lose_power(there, 100, |folder| folder.join(&parts, go_on).map(drop));
    }
}
