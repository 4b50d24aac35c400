//! A part of a segment: numbered chunks, one after another, in a few files. A chunk can be verified from its own bytes:
//! before its body are the hashes that lead from it to the root of its file's hash tree, which the directory has.

use std::ops::Range;

use evident_base::{Hash, Hasher};

use crate::format::codec::{COLUMN, Malformed, Reader, write_column, write_integer};
use crate::format::manifest::Shard;

/// A node of a file's hash tree: half a SHA-256.
pub(crate) type Node = [u8; 16];

/// The soft limit on the bytes of a file, which common hosts accept. A single chunk may be larger.
pub(crate) const LARGEST_FILE: u64 = 24 << 20;

/// An index whose parts have at most this many bytes together is read whole.
pub(crate) const SMALL_INDEX: u64 = 1 << 20;

/// A file of at most this many bytes is read whole for one of its chunks: it costs little more.
const SMALL_FILE: u64 = 1 << 10;

/// The soft limit on the files of a part.
pub(crate) const MOST_FILES: u64 = 2000;

/// Chunks and the files that hold them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Part {
    files: Vec<PartFile>,
    /// The length of each chunk, its proof included.
    sizes: Vec<u32>,
}

/// A file of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartFile {
    pub shard: Shard,
    /// The root of the hash tree over its chunks' bodies.
    root: Node,
    /// The number of its first chunk.
    first: usize,
    chunks: usize,
}

/// Where a chunk is in its file.
#[derive(Debug, Clone)]
pub(crate) struct Location<'a> {
    pub file: &'a PartFile,
    /// Its bytes in the file.
    pub range: Range<u64>,
    /// Its place among the file's chunks.
    place: usize,
}

impl Part {
    pub fn new(files: Vec<PartFile>, sizes: Vec<u32>) -> Self {
        Self { files, sizes }
    }

    pub fn chunks(&self) -> usize {
        self.sizes.len()
    }

    pub fn files(&self) -> &[PartFile] {
        &self.files
    }

    /// The bytes that reading chunk `number` alone costs where ranges are served.
    pub fn cost(&self, number: usize) -> u64 {
        let file = self.file_of(number).filter(|file| file.is_read_whole());
        file.map_or_else(|| self.sizes.get(number).map_or(0, |&size| size.into()), |file| file.shard.bytes)
    }

    fn file_of(&self, number: usize) -> Option<&PartFile> {
        self.files.get(self.files.partition_point(|file| file.first <= number).checked_sub(1)?)
    }

    /// Where chunk `number` is, if there is one.
    pub fn locate(&self, number: usize) -> Option<Location<'_>> {
        let file = self.file_of(number)?;
        let before = self.sizes.get(file.first..number)?.iter().map(|&size| u64::from(size)).sum();
        let size = u64::from(*self.sizes.get(number)?);
        Some(Location { file, range: before..before + size, place: number - file.first })
    }

    /// Appends the part's table to a directory.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_integer(out, self.files.len() as u64);
        for file in &self.files {
            write_integer(out, file.chunks as u64);
            out.extend_from_slice(file.shard.sha256.as_bytes());
            out.extend_from_slice(&file.root);
        }
        self.sizes.chunks(COLUMN).for_each(|sizes| write_column(out, sizes));
    }

    /// Reads the table of a part of at most `most` chunks from a directory.
    pub fn read(reader: &mut Reader, most: usize) -> Result<Self, Malformed> {
        let (mut files, mut first) = (Vec::new(), 0_usize);
        for _ in 0..reader.integer()? {
            let chunks = reader.short_integer()? as usize;
            let sha256 = Hash::from(*reader.bytes(32)?.first_chunk().ok_or(Malformed("a hash is cut short"))?);
            let root = *reader.bytes(16)?.first_chunk().ok_or(Malformed("a hash is cut short"))?;
            files.push(PartFile { shard: Shard { sha256, bytes: 0 }, root, first, chunks });
            first = first
                .checked_add(chunks)
                .filter(|&first| first <= most)
                .ok_or(Malformed("there are too many chunks"))?;
        }
        let mut sizes = Vec::new();
        while sizes.len() < first {
            sizes.extend(reader.column(COLUMN.min(first - sizes.len()))?);
        }
        for file in &mut files {
            let sizes = &sizes[file.first..file.first + file.chunks];
            file.shard.bytes = sizes.iter().map(|&size| u64::from(size)).sum();
        }
        Ok(Self { files, sizes })
    }
}

impl PartFile {
    /// From the bodies of a file's chunks: its entry in the directory, its bytes, and the sizes of its chunks.
    pub fn assemble(first: usize, bodies: &[Vec<u8>]) -> (Self, Vec<u8>, Vec<u32>) {
        let levels = tree(bodies);
        let (mut bytes, mut sizes) = (Vec::new(), Vec::new());
        for (place, body) in bodies.iter().enumerate() {
            let before = bytes.len();
            let (siblings, _) = levels.split_at(levels.len() - 1);
            siblings.iter().enumerate().for_each(|(height, level)| bytes.extend(level[place >> height ^ 1]));
            bytes.extend_from_slice(body);
            sizes.push((bytes.len() - before) as u32);
        }
        let root = levels[levels.len() - 1][0];
        (Self { shard: Shard::of(&bytes), root, first, chunks: bodies.len() }, bytes, sizes)
    }

    /// The numbers of its chunks.
    pub fn chunks(&self) -> Range<usize> {
        self.first..self.first + self.chunks
    }

    /// Whether it is read whole even if ranges are served.
    pub fn is_read_whole(&self) -> bool {
        self.chunks == 1 || self.shard.bytes <= SMALL_FILE
    }

    fn height(&self) -> usize {
        height(self.chunks)
    }
}

impl Location<'_> {
    /// The body in the chunk's bytes, if its proof leads to the root of its file.
    pub fn verify<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (proof, body) = bytes.split_at_checked(self.file.height() * size_of::<Node>())?;
        let (siblings, _) = proof.as_chunks::<{ size_of::<Node>() }>();
        let mut node = leaf(body);
        for (height, sibling) in siblings.iter().enumerate() {
            node = if self.place >> height & 1 == 0 { branch(&node, sibling) } else { branch(sibling, &node) };
        }
        (node == self.file.root).then_some(body)
    }
}

/// The bytes of a file of so many chunks, whose bodies have `bodies` bytes.
pub(crate) fn file_bytes(chunks: usize, bodies: u64) -> u64 {
    bodies + (chunks * height(chunks) * size_of::<Node>()) as u64
}

/// The height of the hash tree over so many chunks.
fn height(chunks: usize) -> usize {
    chunks.next_power_of_two().trailing_zeros() as usize
}

/// The levels of the hash tree over `bodies`, from the leaves up. A leaf without a body is all zeros.
fn tree(bodies: &[Vec<u8>]) -> Vec<Vec<Node>> {
    let mut leaves: Vec<Node> = bodies.iter().map(|body| leaf(body)).collect();
    leaves.resize(bodies.len().next_power_of_two(), Node::default());
    let mut levels = vec![leaves];
    while let Some(level) = levels.last().filter(|level| level.len() > 1) {
        levels.push(level.as_chunks::<2>().0.iter().map(|[left, right]| branch(left, right)).collect());
    }
    levels
}

fn leaf(body: &[u8]) -> Node {
    node(0, &[body])
}

fn branch(left: &Node, right: &Node) -> Node {
    node(1, &[left, right])
}

fn node(kind: u8, parts: &[&[u8]]) -> Node {
    let mut hasher = Hasher::new();
    hasher.update(&[kind]);
    parts.iter().for_each(|part| hasher.update(part));
    let hash = hasher.finish();
    std::array::from_fn(|place| hash.as_bytes()[place])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn part(files: &[Vec<Vec<u8>>]) -> (Part, Vec<Vec<u8>>) {
        let (mut entries, mut sizes, mut contents) = (Vec::new(), Vec::new(), Vec::new());
        for bodies in files {
            let (entry, bytes, lengths) = PartFile::assemble(sizes.len(), bodies);
            entries.push(entry);
            contents.push(bytes);
            sizes.extend(lengths);
        }
        (Part::new(entries, sizes), contents)
    }

    proptest! {
        #[test]
        fn each_chunk_is_proved_by_its_own_bytes(files in vec(vec(vec(any::<u8>(), 0..20), 1..20), 0..5), at: u32) {
            let (part, contents) = part(&files);
            let mut bytes = Vec::new();
            part.write(&mut bytes);
            let read = Part::read(&mut Reader::new(&bytes), part.chunks()).unwrap();
            prop_assert_eq!(&read, &part);
            if let Some(fewer) = part.chunks().checked_sub(1) {
                prop_assert!(Part::read(&mut Reader::new(&bytes), fewer).is_err());
            }
            for (number, body) in files.iter().flatten().enumerate() {
                let location = read.locate(number).unwrap();
                let file = part.files.iter().position(|file| file == location.file).unwrap();
                let mut bytes = contents[file][location.range.start as usize..location.range.end as usize].to_vec();
                prop_assert_eq!(location.verify(&bytes), Some(&body[..]));
                if !bytes.is_empty() {
                    let bits = bytes.len() as u32 * 8;
                    bytes[(at % bits / 8) as usize] ^= 1 << (at % 8);
                    prop_assert_eq!(location.verify(&bytes), None);
                }
            }
            prop_assert!(read.locate(part.chunks()).is_none());
        }

        #[test]
        fn no_bytes_make_reading_panic(bytes in vec(any::<u8>(), 0..200)) {
            let _ = Part::read(&mut Reader::new(&bytes), 1 << 20);
        }
    }
}
