//! What a static host answers.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use percent_encoding::percent_decode_str;

use crate::request::Request;

const TYPES: [(&str, &str); 13] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("json", "application/json; charset=utf-8"),
    ("jsonl", "application/jsonl; charset=utf-8"),
    ("map", "application/json; charset=utf-8"),
    ("md", "text/markdown; charset=utf-8"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("xml", "application/xml; charset=utf-8"),
];
const OTHER: &str = "application/octet-stream";

/// The fewest hexadecimal digits in a name that count as a hash of its content.
const HASH: usize = 16;

/// A folder; nothing outside it can be reached, not even by a symbolic link, and no hidden file in it.
pub struct Site {
    /// Its path, without links.
    root: PathBuf,
    hosts: Vec<String>,
    cors: Option<String>,
}

/// The status, headers and body of an answer.
pub struct Response {
    status: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Body,
}

enum Body {
    Empty,
    Text(&'static str),
    /// A file at the position of the first byte to send, and the number of bytes.
    File(File, u64),
}

enum Found {
    File(PathBuf, File, Metadata),
    /// A folder requested without its trailing slash; the address to redirect to.
    Moved(String),
}

/// The part of a file that is requested.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Whole,
    /// The first and the last byte.
    Range(u64, u64),
    Unsatisfiable,
}

impl Site {
    /// The site of a folder. `hosts` are names by which it may be asked, besides those of this machine; `cors` is the
    /// origin whose pages may read it, of printable ASCII.
    ///
    /// # Errors
    /// The system's, such as for a folder that is not there.
    pub fn new(directory: &Path, hosts: Vec<String>, cors: Option<String>) -> io::Result<Self> {
        Ok(Self { root: directory.canonicalize()?, hosts, cors })
    }

    pub(crate) fn answer(&self, request: &Request) -> Response {
        let mut response = self.respond(request);
        if let Some(origin) = &self.cors {
            response.headers.extend([
                ("Access-Control-Allow-Origin", origin.clone()),
                ("Access-Control-Expose-Headers", "Content-Encoding, Content-Range, ETag".into()),
                ("Vary", "Origin".into()),
            ]);
        }
        response
    }

    fn respond(&self, request: &Request) -> Response {
        // Against DNS rebinding: a page elsewhere may let its own host name resolve to this machine to read the files.
        if !request.host.as_deref().is_some_and(|host| self.is_named(host)) {
            return Response {
                status: "421 Misdirected Request",
                headers: Vec::new(),
                body: Body::Text("This server answers to localhost: start it with --host NAME for another name.\n"),
            };
        }
        if request.method == "OPTIONS" && self.cors.is_some() {
            let allowed =
                [("Access-Control-Allow-Methods", "GET, HEAD"), ("Access-Control-Allow-Headers", "Range, If-Range")];
            let headers = allowed.map(|(name, value)| (name, value.into())).into();
            return Response { status: "200 OK", headers, body: Body::Empty };
        }
        if !matches!(request.method.as_str(), "GET" | "HEAD") {
            let allow = vec![("Allow", "GET, HEAD".into())];
            return Response {
                status: "405 Method Not Allowed",
                headers: allow,
                body: Body::Text("Only GET and HEAD are served here.\n"),
            };
        }
        match self.find(&request.target) {
            Some(Found::File(path, file, metadata)) => file_response(request, &path, file, &metadata),
            Some(Found::Moved(location)) => {
                Response { status: "308 Permanent Redirect", headers: vec![("Location", location)], body: Body::Empty }
            }
            None => {
                Response { status: "404 Not Found", headers: Vec::new(), body: Body::Text("There is no such file.\n") }
            }
        }
    }

    /// Whether a `Host` header has one of the site's names, with any port, because a proxy may have another port.
    fn is_named(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let names = ["localhost", "127.0.0.1", "[::1]"].into_iter().chain(self.hosts.iter().map(String::as_str));
        names.into_iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    fn find(&self, target: &str) -> Option<Found> {
        let (path, query) = target.split_at(target.find(['?', '#']).unwrap_or(target.len()));
        let names = path.strip_prefix('/')?;
        let decoded = percent_decode_str(names).decode_utf8().ok()?;
        // On some systems backslashes separate the parts of a path, and colons follow the names of drives.
        if decoded.contains(['\\', ':', '\0']) {
            return None;
        }
        let is_hidden =
            |path: &Path| path.components().any(|name| name.as_os_str().as_encoded_bytes().starts_with(b"."));
        let is_open = |path: &PathBuf| path.strip_prefix(&self.root).is_ok_and(|path| !is_hidden(path));
        let inside = |path: PathBuf| path.canonicalize().ok().filter(is_open);
        let mut found = inside(self.root.join(decoded.trim_start_matches('/')))?;
        if found.is_dir() {
            if !path.ends_with('/') {
                let name = path.rsplit('/').next().unwrap_or_default();
                return Some(Found::Moved(format!("{name}/{query}")));
            }
            found = inside(found.join("index.html"))?;
        }
        found.metadata().ok().filter(Metadata::is_file)?; // to open a pipe would wait for its other end
        let file = File::open(&found).ok()?;
        let metadata = file.metadata().ok().filter(Metadata::is_file)?;
        Some(Found::File(found, file, metadata))
    }
}

fn file_response(request: &Request, path: &Path, mut file: File, metadata: &Metadata) -> Response {
    let (size, tag) = (metadata.len(), tag(metadata));
    let cache = if is_hashed(path) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut headers = vec![
        ("Content-Type", content_type(path).into()),
        ("Cache-Control", cache.into()),
        ("Accept-Ranges", "bytes".into()),
        ("X-Content-Type-Options", "nosniff".into()),
        ("ETag", tag.clone()),
    ];
    let known = |tags: &String| tags.split(',').any(|known| matches!(known.trim(), "*") || known.trim() == tag);
    if request.if_none_match.as_ref().is_some_and(known) {
        return Response { status: "304 Not Modified", headers, body: Body::Empty };
    }
    let current = request.if_range.as_ref().is_none_or(|known| *known == tag);
    let part = request.range.as_deref().filter(|_| current).map_or(Part::Whole, |range| Part::of(range, size));
    let (status, first, length) = match part {
        Part::Whole => ("200 OK", 0, size),
        Part::Range(first, last) => {
            headers.push(("Content-Range", format!("bytes {first}-{last}/{size}")));
            ("206 Partial Content", first, last - first + 1)
        }
        Part::Unsatisfiable => {
            headers.push(("Content-Range", format!("bytes */{size}")));
            return Response { status: "416 Range Not Satisfiable", headers, body: Body::Empty };
        }
    };
    match file.seek(SeekFrom::Start(first)) {
        Ok(_) => Response { status, headers, body: Body::File(file, length) },
        Err(_) => Response {
            status: "500 Internal Server Error",
            headers: Vec::new(),
            body: Body::Text("The file could not be read.\n"),
        },
    }
}

impl Part {
    /// One range of bytes of a file of `size` bytes (RFC 9110, 14.1.2). A header that is not a range, or has several,
    /// asks for the whole file.
    fn of(header: &str, size: u64) -> Self {
        let Some((first, last)) = header.strip_prefix("bytes=").and_then(|range| range.split_once('-')) else {
            return Self::Whole;
        };
        let number =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok()).flatten();
        match (first, number(first), last, number(last)) {
            ("", _, _, Some(suffix)) if suffix > 0 && size > 0 => Self::Range(size.saturating_sub(suffix), size - 1),
            ("", _, _, Some(_)) => Self::Unsatisfiable,
            (_, Some(first), "", _) if first < size => Self::Range(first, size - 1),
            (_, Some(first), _, Some(last)) if first <= last && first < size => Self::Range(first, last.min(size - 1)),
            (_, Some(_), "", _) => Self::Unsatisfiable,
            (_, Some(first), _, Some(last)) if first <= last => Self::Unsatisfiable,
            _ => Self::Whole,
        }
    }
}

fn content_type(path: &Path) -> &'static str {
    let extension = path.extension().unwrap_or_default();
    TYPES.iter().find(|(name, _)| extension.eq_ignore_ascii_case(name)).map_or(OTHER, |(_, kind)| kind)
}

/// Whether a file's name has a hash of its content, so that the name never has other content.
fn is_hashed(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_hash = |part: &str| part.len() >= HASH && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    name.split(['.', '-', '_']).any(is_hash)
}

fn tag(metadata: &Metadata) -> String {
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("\"{:x}-{:x}\"", metadata.len(), changed.unwrap_or_default().as_nanos())
}

impl Response {
    /// Writes it to `connection`, without its body for a HEAD request.
    pub fn send(self, request: &Request, connection: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(connection);
        write!(out, "HTTP/1.1 {}\r\n", self.status)?;
        for (name, value) in &self.headers {
            write!(out, "{name}: {value}\r\n")?;
        }
        let length = match &self.body {
            Body::Empty => 0,
            Body::Text(text) => {
                out.write_all(b"Content-Type: text/plain; charset=utf-8\r\n")?;
                text.len() as u64
            }
            Body::File(_, length) => *length,
        };
        if !self.status.starts_with("304") {
            write!(out, "Content-Length: {length}\r\n")?;
        }
        if request.last {
            out.write_all(b"Connection: close\r\n")?;
        }
        out.write_all(b"\r\n")?;
        if request.method != "HEAD" {
            match self.body {
                Body::Empty => {}
                Body::Text(text) => out.write_all(text.as_bytes())?,
                // If the file has shrunk since, the answer is too short, so the connection must end.
                Body::File(file, length) => {
                    if io::copy(&mut file.take(length), &mut out)? != length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
            }
        }
        out.flush()
    }
}

/// Answers bytes that are not a request.
pub fn malformed(mut connection: impl Write) -> io::Result<()> {
    connection.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_rfc_9110_has_them() {
        let of = |range| Part::of(range, 10);
        assert_eq!(of("bytes=2-4"), Part::Range(2, 4));
        assert_eq!(of("bytes=7-"), Part::Range(7, 9));
        assert_eq!(of("bytes=-3"), Part::Range(7, 9));
        assert_eq!(of("bytes=-30"), Part::Range(0, 9));
        assert_eq!(of("bytes=0-99"), Part::Range(0, 9));
        for unsatisfiable in ["bytes=10-", "bytes=10-12", "bytes=-0"] {
            assert_eq!(of(unsatisfiable), Part::Unsatisfiable, "{unsatisfiable}");
        }
        for whole in [
            "",
            "bytes=",
            "bytes=-",
            "bytes=4-2",
            "bytes=1-2,4-5",
            "lines=1-2",
            "bytes=+1-2",
            "bytes=99999999999999999999-",
        ] {
            assert_eq!(of(whole), Part::Whole, "{whole}");
        }
        assert_eq!(Part::of("bytes=0-", 0), Part::Unsatisfiable);
    }

    #[test]
    fn a_hash_in_a_name_is_known() {
        let hashed = |name: &str| is_hashed(Path::new(name));
        assert!(hashed("a/0123456789abcdef.bin") && hashed("demo-0123456789abcdef01.js"));
        assert!(!hashed("0123456789abcde.bin") && !hashed("manifest.json") && !hashed("0123456789abcdef/a.js"));
    }
}
