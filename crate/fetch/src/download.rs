//! One file over HTTP, into a file that keeps what has arrived when the connection breaks.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use evident_base::open_to_write;
use ureq::Agent;
use ureq::http::Response;

/// The time limit for connecting, and for each wait for more bytes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that are read at a time.
const CHUNK: usize = 64 * 1024;

/// Why a file did not arrive.
#[derive(Debug)]
pub enum Fault {
    /// No answer: no network, or no such host.
    Unreachable(String),
    /// The server answered with this status: it does not have the file, or does not give it out.
    Refused(u16),
    /// The answer broke off or made no sense; asked again, the rest may come.
    Broken(String),
    /// It cannot be written.
    Write(io::Error),
    /// The caller stopped it.
    Cancelled,
}

/// A client for downloads: it follows redirects, and takes the proxy from the environment.
pub fn agent() -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE))
        .user_agent(user_agent());
    config.build().new_agent()
}

/// The name by which servers know this program.
pub fn user_agent() -> &'static str {
    concat!("evident/", env!("CARGO_PKG_VERSION"))
}

/// Fetches what is missing of a file into `part`. `expected` is the size of the whole file, if it is known. `observe`
/// gets the number of bytes that are there and of the whole file, and stops the work by returning false.
pub fn download(
    agent: &Agent,
    url: &str,
    part: &Path,
    expected: Option<u64>,
    mut observe: impl FnMut(u64, Option<u64>) -> bool,
) -> Result<(), Fault> {
    let mut file = open_to_write(part, File::options().create(true).append(true)).map_err(Fault::Write)?;
    file.try_lock().map_err(|_| Fault::Write(io::Error::other("another fetch is writing it")))?;
    let mut there = file.metadata().map_err(Fault::Write)?.len();
    if expected.is_some_and(|expected| there > expected) {
        there = restart(&mut file)?;
    }
    if expected == Some(there) {
        return Ok(());
    }
    let mut request = agent.get(url);
    if there > 0 {
        request = request.header("Range", format!("bytes={there}-"));
    }
    let response = request.call().map_err(|error| match error {
        ureq::Error::Io(error) if broke_off(&error) => Fault::Broken(error.to_string()),
        ureq::Error::Io(_) | ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::Timeout(_) => {
            Fault::Unreachable(error.to_string())
        }
        other => Fault::Broken(other.to_string()),
    })?;
    match response.status().as_u16() {
        200 => there = restart(&mut file)?,
        206 if range_start(&response) == Some(there) => {}
        // The bytes that are there do not fit what the server has.
        206 | 416 => {
            restart(&mut file)?;
            return Err(Fault::Broken("it gave another part than was asked for".to_owned()));
        }
        status @ (408 | 429 | 500..) => return Err(Fault::Broken(format!("it answered with status {status}"))),
        status => return Err(Fault::Refused(status)),
    }
    let length = header(&response, "content-length").and_then(|length| length.parse::<u64>().ok());
    let whole = expected.or(length.map(|length| there + length));
    let mut body = response.into_body().into_reader();
    let mut chunk = vec![0; CHUNK];
    loop {
        if !observe(there, whole) {
            return Err(Fault::Cancelled);
        }
        let count = match body.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Fault::Broken(format!("the connection broke off: {error}"))),
        };
        file.write_all(&chunk[..count]).map_err(Fault::Write)?;
        there += count as u64;
        if expected.is_some_and(|expected| there > expected) {
            restart(&mut file)?;
            return Err(Fault::Broken("it is longer than it should be".to_owned()));
        }
    }
    match whole {
        Some(whole) if there < whole => Err(Fault::Broken(format!("it ended after {there} of {whole} bytes"))),
        _ => Ok(()),
    }
}

/// Whether the connection broke after a host had answered.
fn broke_off(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

/// Empties the file, and returns its new size.
fn restart(file: &mut File) -> Result<u64, Fault> {
    file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).map_err(Fault::Write)
}

/// Where the bytes of a partial answer start: `Content-Range: bytes START-END/SIZE`.
fn range_start<B>(response: &Response<B>) -> Option<u64> {
    let (start, _) = header(response, "content-range")?.strip_prefix("bytes ")?.split_once('-')?;
    start.parse().ok()
}

fn header<'a, B>(response: &'a Response<B>, name: &str) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}
