//! Compressed files and archives, as the text that they hold.

use std::io::{self, BufRead, Read};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use tar::{EntryType, Header, PaxExtensions};

/// The bytes of a tar archive's block; headers have one, and files are padded to whole ones.
const BLOCK: usize = 512;

/// The most bytes of a member's extended header.
const LONGEST_HEADER: u64 = 1 << 20;

/// Members that are lines of JSON, by the end of their names.
const JSON_LINES: [&str; 3] = [".ndjson", ".jsonl", ".json"];

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Bzip2,
    Gzip,
}

impl Compression {
    /// The compression of a file with this name, and the name of what it expands to. Both may be in several streams.
    pub fn of(name: &str) -> (Self, String) {
        let endings = [(".bz2", "", Self::Bzip2), (".gz", "", Self::Gzip), (".tgz", ".tar", Self::Gzip)];
        let of = |(ending, inner, compression)| Some((compression, name.strip_suffix(ending)?.to_owned() + inner));
        endings.into_iter().find_map(of).unwrap_or((Self::None, name.into()))
    }

    /// Expands a file. Damage is an error of the kind `InvalidData`.
    pub fn expanded(self, file: impl BufRead + Send + 'static) -> Box<dyn Read + Send> {
        match self {
            Self::None => Box::new(file),
            Self::Bzip2 => Box::new(Expanded(MultiBzDecoder::new(file))),
            Self::Gzip => Box::new(Expanded(MultiGzDecoder::new(file))),
        }
    }
}

/// A decoder, whose errors say that its file is damaged.
struct Expanded<R>(R);

impl<R: Read> Read for Expanded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged("it ends too early"),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => damaged(&error.to_string()),
            _ => error,
        })
    }
}

fn damaged(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// The files of a tar archive that are lines of JSON, concatenated.
pub(crate) struct Members<R> {
    archive: R,
    /// The bytes of the open file that are not yet read.
    left: u64,
    /// The bytes after it that fill its last block.
    padding: u64,
    /// True if the next file needs a line break before it.
    ended: bool,
}

impl<R: Read> Members<R> {
    pub fn new(archive: R) -> Self {
        Self { archive, left: 0, padding: 0, ended: false }
    }

    /// Goes to the next file that is lines of JSON; false at the end of the archive.
    fn open_next(&mut self) -> io::Result<bool> {
        let (mut long_name, mut long_size) = (None, None);
        loop {
            let mut block = [0; BLOCK];
            whole(&mut self.archive, &mut block)?;
            if block.iter().all(|&byte| byte == 0) {
                io::copy(&mut self.archive, &mut io::sink())?; // reading the rest checks the decoder's checksum
                return Ok(false);
            }
            let header = Header::from_byte_slice(&block);
            let size = header
                .entry_size()
                .ok()
                .filter(|_| is_whole(header))
                .ok_or_else(|| damaged("a header of the archive is damaged"))?;
            match header.entry_type() {
                EntryType::GNULongName => {
                    let name = self.extended(size)?;
                    long_name = Some(name.split(|&byte| byte == 0).next().unwrap_or_default().to_vec());
                }
                EntryType::XHeader => {
                    for record in PaxExtensions::new(&self.extended(size)?) {
                        let record = record?;
                        match record.key_bytes() {
                            b"path" => long_name = Some(record.value_bytes().to_vec()),
                            b"size" => long_size = record.value().ok().and_then(|size| size.parse().ok()),
                            _ => {}
                        }
                    }
                }
                kind => {
                    let name = long_name.take().unwrap_or_else(|| header.path_bytes().into_owned());
                    self.left = long_size.take().unwrap_or(size);
                    self.padding = self.left.next_multiple_of(BLOCK as u64) - self.left;
                    if kind.is_file() && is_json_lines(&String::from_utf8_lossy(&name)) {
                        return Ok(true);
                    }
                    let left = std::mem::take(&mut self.left);
                    self.pass(left)?;
                    self.pass_padding()?;
                }
            }
        }
    }

    fn extended(&mut self, size: u64) -> io::Result<Vec<u8>> {
        if size > LONGEST_HEADER {
            return Err(damaged("a header of the archive is too long"));
        }
        let mut bytes = vec![0; size as usize];
        whole(&mut self.archive, &mut bytes)?;
        self.pass(size.next_multiple_of(BLOCK as u64) - size)?;
        Ok(bytes)
    }

    fn pass_padding(&mut self) -> io::Result<()> {
        let padding = std::mem::take(&mut self.padding);
        self.pass(padding)
    }

    fn pass(&mut self, bytes: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.archive.by_ref().take(bytes), &mut io::sink())?;
        if passed == bytes { Ok(()) } else { Err(damaged("it ends too early")) }
    }
}

impl<R: Read> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while self.left == 0 {
            if std::mem::take(&mut self.ended) {
                self.pass_padding()?;
                buffer[0] = b'\n';
                return Ok(1);
            }
            if !self.open_next()? {
                return Ok(0);
            }
            self.ended = true;
        }
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        match self.archive.read(&mut buffer[..most])? {
            0 => Err(damaged("it ends too early")),
            read => {
                self.left -= read as u64;
                Ok(read)
            }
        }
    }
}

fn whole(archive: &mut impl Read, bytes: &mut [u8]) -> io::Result<()> {
    archive.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged("it ends too early"),
        _ => error,
    })
}

fn is_json_lines(name: &str) -> bool {
    let is_hidden = name.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
    !is_hidden && JSON_LINES.iter().any(|ending| name.to_lowercase().ends_with(ending))
}

/// True if a header's checksum is right.
fn is_whole(header: &Header) -> bool {
    let mut summed = header.clone();
    summed.set_cksum();
    matches!((header.cksum(), summed.cksum()), (Ok(stated), Ok(sum)) if stated == sum)
}
