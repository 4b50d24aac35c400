//! A cluster of a ZIM archive: blobs that are compressed together.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::path::PathBuf;

use lzma_rust2::XzReader;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use crate::error::CorpusError;
use crate::lines::{Counted, Counter};
use crate::readers::zim::file::ZimFile;

/// The most bytes that a compressed cluster expands to. libzim aims at 2 MiB, and only one larger blob makes it more.
const LARGEST: u64 = 1 << 30;

/// The largest window of a decoder, in bytes; libzim's strongest levels need 64 MiB.
const LARGEST_WINDOW: u64 = 128 << 20;

/// A cluster whose wanted blobs are read in their order.
pub(super) struct Cluster {
    path: PathBuf,
    /// Where it begins.
    start: u64,
    /// How many bytes of it were read.
    place: Counter,
    data: Box<dyn Read + Send>,
    /// True if it is not compressed.
    is_plain: bool,
    /// How many bytes of its contents were read.
    at: u64,
    /// Where the wanted blobs that were not read begin and end in its contents.
    spans: VecDeque<(u64, u64)>,
}

impl Cluster {
    /// Opens the cluster at `start` for its blobs with these numbers, which ascend. If it is compressed, it expands to
    /// at most `room` bytes.
    pub fn open(
        mut file: ZimFile,
        start: u64,
        wanted: impl Iterator<Item = u32>,
        room: u64,
    ) -> Result<Self, CorpusError> {
        file.go(start)?;
        let [kind] = file.bytes()?;
        let path = file.path().to_path_buf();
        let place = Counter::default();
        place.add(1);
        let (is_extended, method) = (kind & 0x10 != 0, kind & 0x0f);
        let is_plain = method <= 1;
        let data: Box<dyn Read + Send> = match method {
            0 | 1 => Box::new(counted(file, &place)),
            4 => {
                let limit = (LARGEST_WINDOW >> 10) as u32;
                Box::new(XzReader::new_mem_limit(counted(file, &place), false, limit))
            }
            5 => {
                let mut decoder = FrameDecoder::new();
                decoder.set_max_window_size(LARGEST_WINDOW);
                let decoder = StreamingDecoder::new_with_decoder(counted(file, &place), decoder);
                Box::new(decoder.map_err(|error| damaged(path.clone(), start + place.get(), &error))?)
            }
            method => {
                return Err(file.unreadable(format!("the cluster at byte {start} is compressed by method {method}")));
            }
        };
        let mut cluster = Self { path, start, place, data, is_plain, at: 0, spans: VecDeque::new() };
        cluster.read_offsets(wanted, is_extended, if is_plain { u64::MAX } else { LARGEST.min(room) })?;
        Ok(cluster)
    }

    /// Reads where its blobs begin, and keeps those that are wanted.
    fn read_offsets(
        &mut self,
        wanted: impl Iterator<Item = u32>,
        is_extended: bool,
        largest: u64,
    ) -> Result<(), CorpusError> {
        let width = if is_extended { 8 } else { 4 };
        let mut wanted = wanted.map(u64::from).peekable();
        let first = self.offset(width)?;
        if first == 0 || !first.is_multiple_of(width) {
            return Err(self.damaged("the offsets of its blobs make no sense"));
        }
        let mut start = first;
        for number in 0..first / width - 1 {
            let end = self.offset(width)?;
            if end < start {
                return Err(self.damaged("the offsets of its blobs make no sense"));
            }
            if end > largest {
                return Err(self.damaged(&format!("it expands to {end} bytes, where {largest} are allowed")));
            }
            if wanted.next_if_eq(&number).is_some() {
                self.spans.push_back((start, end));
            }
            start = end;
        }
        if wanted.peek().is_some() { Err(self.damaged("it has fewer blobs than are named")) } else { Ok(()) }
    }

    fn offset(&mut self, width: u64) -> Result<u64, CorpusError> {
        let mut bytes = [0; 8];
        self.data.read_exact(&mut bytes[..width as usize]).map_err(|error| self.failed(&error))?;
        self.at += width;
        Ok(u64::from_le_bytes(bytes))
    }

    /// The next wanted blob, if it has at most `most` bytes.
    pub fn next_blob(&mut self, most: u64) -> Result<Vec<u8>, CorpusError> {
        let (start, end) = self.spans.pop_front().ok_or_else(|| self.damaged("it has fewer blobs than are named"))?;
        // No offset is before the end of the offsets, and no blob before the end of the one before.
        let (before, length) = (start - self.at, end - start);
        if length > most {
            return Err(self.damaged(&format!("a blob has {length} bytes, of {most} at most")));
        }
        let passed = io::copy(&mut self.data.by_ref().take(before), &mut io::sink());
        let mut blob = Vec::new();
        let read =
            passed.and_then(|passed| Ok(passed + self.data.by_ref().take(length).read_to_end(&mut blob)? as u64));
        match read {
            Ok(read) if read == before + length => {}
            Ok(_) => return Err(self.failed(&io::ErrorKind::UnexpectedEof.into())),
            Err(error) => return Err(self.failed(&error)),
        }
        self.at = end;
        Ok(blob)
    }

    /// How many of its bytes were read.
    pub fn bytes_read(&self) -> u64 {
        self.place.get()
    }

    /// The decompressed bytes that were read; 0 if it is not compressed.
    pub fn bytes_expanded(&self) -> u64 {
        if self.is_plain { 0 } else { self.at }
    }

    fn damaged(&self, reason: &str) -> CorpusError {
        damaged(
            self.path.clone(),
            self.start + self.place.get(),
            &format!("in the cluster at {}: {reason}", self.start),
        )
    }

    fn failed(&self, error: &io::Error) -> CorpusError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("it ends too early"),
            _ => self.damaged(&error.to_string()),
        }
    }
}

fn damaged(path: PathBuf, offset: u64, reason: &impl ToString) -> CorpusError {
    CorpusError::Damaged { path, offset, reason: reason.to_string() }
}

/// The rest of a file, whose bytes are counted at `place`.
fn counted(file: ZimFile, place: &Counter) -> impl BufRead + Send + use<> {
    Counted { inner: file.into_inner(), read: Counter::default(), place: place.clone() }
}
