//! What a browser asks for.

use std::io::{self, Read};
use std::time::{Duration, Instant};

/// Bytes that the head of a request may have.
const HEAD: usize = 16 << 10;
/// How long the head of a request may take to arrive, in however many pieces.
const HEAD_TIME: Duration = Duration::from_secs(if cfg!(test) { 5 } else { 20 });
/// Header lines that a request may have.
const HEADERS: usize = 100;

/// The parts of a request that matter to a static file.
pub struct Request {
    pub method: String,
    /// The path and query, as they were sent.
    pub target: String,
    pub host: Option<String>,
    pub range: Option<String>,
    pub if_range: Option<String>,
    pub if_none_match: Option<String>,
    /// Whether the connection ends with the answer.
    pub last: bool,
}

/// What comes over a connection.
pub enum Received {
    Request(Request),
    /// Not HTTP, or a longer head than a browser sends.
    Malformed,
    End,
}

/// The requests of one connection.
pub struct Requests<R> {
    connection: R,
    bytes: Vec<u8>,
}

impl<R: Read> Requests<R> {
    pub fn new(connection: R) -> Self {
        Self { connection, bytes: Vec::new() }
    }

    /// Waits for the next request.
    ///
    /// # Errors
    /// The connection broke, was silent for too long, or sent a head too slowly.
    pub fn next(&mut self) -> io::Result<Received> {
        let mut began = None;
        loop {
            let mut headers = [httparse::EMPTY_HEADER; HEADERS];
            let mut parsed = httparse::Request::new(&mut headers);
            match parsed.parse(&self.bytes) {
                Ok(httparse::Status::Complete(length)) => {
                    let request = Request::of(&parsed);
                    self.bytes.drain(..length);
                    return Ok(Received::Request(request));
                }
                Ok(httparse::Status::Partial) if self.bytes.len() < HEAD => {}
                _ => return Ok(Received::Malformed),
            }
            if !self.bytes.is_empty() && began.get_or_insert_with(Instant::now).elapsed() > HEAD_TIME {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let mut chunk = [0; 4096];
            match self.connection.read(&mut chunk)? {
                0 => return Ok(Received::End),
                read => self.bytes.extend_from_slice(&chunk[..read]),
            }
        }
    }
}

impl Request {
    fn of(parsed: &httparse::Request) -> Self {
        let header = |name: &str| {
            let found = parsed.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
            str::from_utf8(found.value).ok().map(String::from)
        };
        let closes = header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
        // Bodies are not read, so no request can follow one.
        let body =
            header("content-length").is_some_and(|length| length != "0") || header("transfer-encoding").is_some();
        Self {
            method: parsed.method.unwrap_or_default().into(),
            target: parsed.path.unwrap_or_default().into(),
            host: header("host"),
            range: header("range"),
            if_range: header("if-range"),
            if_none_match: header("if-none-match"),
            last: closes || body || parsed.version == Some(0),
        }
    }
}
