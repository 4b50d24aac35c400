//! `evident serve`, asked as a browser and as an intruder would.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::Value;

use program::{assert_error, evident, run};

mod program;

const HASHED: &str = "0123456789abcdef0123456789abcdef.bin";

/// A server of a folder, ended with the test.
struct Server {
    process: Child,
    port: u16,
    directory: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn new() -> Self {
        Self::with(&[])
    }

    /// With these switches.
    fn with(switches: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let site = directory.path().join("site");
        fs::create_dir_all(site.join("sub dir")).unwrap();
        for (name, content) in
            [("index.html", "<p>"), ("manifest.json", "{}"), (HASHED, "0123456789"), ("sub dir/index.html", "sub")]
        {
            fs::write(site.join(name), content).unwrap();
        }
        fs::write(directory.path().join("secret.txt"), "secret").unwrap();
        let arguments = ["serve", site.to_str().unwrap(), "--port", "0", "--json"];
        let mut process = evident(&arguments).args(switches).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        let port = said["url"].as_str().unwrap().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
        Self { process, port, directory }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }

    /// Sends `request` and reads all that comes back.
    fn raw(&self, request: &[u8]) -> String {
        let mut connection = self.connect();
        connection.write_all(request).unwrap();
        let mut answer = Vec::new();
        let _ = connection.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The answer to one request with these header lines, after which the connection closes.
    fn ask(&self, method: &str, target: &str, headers: &str) -> String {
        self.raw(
            format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n").as_bytes(),
        )
    }

    fn get(&self, target: &str) -> String {
        self.ask("GET", target, "")
    }
}

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or_default()
}

fn header<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

#[test]
fn files_have_their_types_and_how_long_they_keep() {
    let server = Server::new();
    let root = server.get("/");
    assert_eq!((status(&root), body(&root)), ("200", "<p>"));
    assert_eq!(header(&root, "Content-Type"), Some("text/html; charset=utf-8"));
    let manifest = server.get("/manifest.json?x#y");
    assert_eq!(header(&manifest, "Content-Type"), Some("application/json; charset=utf-8"));
    assert_eq!(header(&manifest, "Cache-Control"), Some("no-cache"));
    let shard = server.get(&format!("/{HASHED}"));
    assert_eq!(header(&shard, "Cache-Control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(
        (header(&shard, "Content-Type"), header(&shard, "Content-Length")),
        (Some("application/octet-stream"), Some("10"))
    );
    assert_eq!(header(&shard, "X-Content-Type-Options"), Some("nosniff"));
    let head = server.ask("HEAD", "/manifest.json", "");
    assert_eq!((status(&head), header(&head, "Content-Length"), body(&head)), ("200", Some("2"), ""));
}

#[test]
fn a_range_is_answered_with_exactly_its_bytes() {
    let server = Server::new();
    let range = |headers: &str| server.ask("GET", &format!("/{HASHED}"), headers);
    let part = range("Range: bytes=2-4\r\n");
    assert_eq!((status(&part), header(&part, "Content-Range"), body(&part)), ("206", Some("bytes 2-4/10"), "234"));
    assert_eq!(header(&part, "Content-Length"), Some("3"));
    assert_eq!(body(&range("Range: bytes=-3\r\n")), "789");
    let beyond = range("Range: bytes=10-\r\n");
    assert_eq!((status(&beyond), header(&beyond, "Content-Range")), ("416", Some("bytes */10")));
    let stale = range("Range: bytes=2-4\r\nIf-Range: \"old\"\r\n");
    assert_eq!((status(&stale), body(&stale)), ("200", "0123456789"));
    let tag = format!("Range: bytes=2-4\r\nIf-Range: {}\r\n", header(&part, "ETag").unwrap());
    assert_eq!(status(&range(&tag)), "206");
}

#[test]
fn an_unchanged_file_is_not_sent_again() {
    let server = Server::new();
    let tag = header(&server.get("/manifest.json"), "ETag").unwrap().to_owned();
    let again = server.ask("GET", "/manifest.json", &format!("If-None-Match: \"x\", {tag}\r\n"));
    assert_eq!((status(&again), body(&again)), ("304", ""));
    fs::write(server.directory.path().join("site/manifest.json"), "{ }").unwrap();
    assert_eq!(status(&server.ask("GET", "/manifest.json", &format!("If-None-Match: {tag}\r\n"))), "200");
}

#[test]
fn a_folder_is_its_index_page() {
    let server = Server::new();
    let moved = server.get("/sub%20dir?q");
    assert_eq!((status(&moved), header(&moved, "Location")), ("308", Some("sub%20dir/?q")));
    assert_eq!(body(&server.get("/sub%20dir/")), "sub");
}

#[test]
fn nothing_outside_the_folder_can_be_had() {
    let server = Server::new();
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        server.directory.path().join("secret.txt"),
        server.directory.path().join("site/link.txt"),
    )
    .unwrap();
    let paths = [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/sub%20dir/../../secret.txt",
        "/link.txt",
        "//etc/passwd",
        "/..\\secret.txt",
        "/%00",
        "/%ff",
        "/missing",
        "secret.txt",
    ];
    for path in paths {
        let answer = server.get(path);
        assert!(["400", "404"].contains(&status(&answer)), "{path}: {answer}");
        assert!(!answer.contains("secret\n") && !answer.ends_with("secret"), "{path}: {answer}");
    }
}

#[test]
#[cfg(unix)]
fn neither_hidden_files_nor_pipes_are_served() {
    let server = Server::new();
    let site = server.directory.path().join("site");
    fs::create_dir(site.join(".git")).unwrap();
    fs::write(site.join(".git/config"), "secret").unwrap();
    fs::write(site.join(".env"), "secret").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(site.join("pipe")).status().unwrap().success());
    for path in ["/.env", "/.git/config", "/%2eenv", "/pipe"] {
        assert_eq!(status(&server.get(path)), "404", "{path}");
    }
}

#[test]
fn a_name_that_is_not_the_servers_is_refused() {
    let server = Server::with(&["--host", "evident.example"]);
    let ask = |host: &str| server.raw(format!("GET / HTTP/1.1\r\n{host}Connection: close\r\n\r\n").as_bytes());
    for host in ["localhost", "LOCALHOST:8088", "127.0.0.1:1", "[::1]:80", "[::1]", "evident.example"] {
        assert_eq!(status(&ask(&format!("Host: {host}\r\n"))), "200", "{host}");
    }
    for host in ["Host: attacker.example\r\n", "Host: localhost.attacker.example\r\n", "Host: \r\n", ""] {
        let answer = ask(host);
        assert_eq!(status(&answer), "421", "{host}");
        assert!(body(&answer).contains("--host NAME"));
    }
}

#[test]
fn pages_of_an_origin_may_read_where_it_is_named() {
    let origin = "https://example.org";
    let allowed = |answer: &str| header(answer, "Access-Control-Allow-Origin").map(str::to_owned);
    assert_eq!(allowed(&Server::new().get("/")), None);
    let server = Server::with(&["--cors", origin]);
    assert_eq!(allowed(&server.get("/")).as_deref(), Some(origin));
    let asked = server.ask("OPTIONS", "/", "Origin: https://example.org\r\nAccess-Control-Request-Method: GET\r\n");
    assert_eq!((status(&asked), allowed(&asked).as_deref()), ("200", Some(origin)));
    assert_eq!(header(&asked, "Access-Control-Allow-Methods"), Some("GET, HEAD"));
}

#[test]
fn what_is_no_request_for_a_file_is_refused() {
    let server = Server::new();
    let post = server.raw(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello");
    assert_eq!((status(&post), header(&post, "Allow")), ("405", Some("GET, HEAD")));
    assert_eq!(status(&server.raw(b"\x16\x03\x01 no http\r\n\r\n")), "400");
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
    assert!(["400", ""].contains(&status(&server.raw(long.as_bytes()))), "cut off, with or without a word");
    assert_eq!(status(&server.get("/")), "200");
}

#[test]
fn a_connection_carries_many_requests() {
    let server = Server::new();
    let one = "GET /manifest.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let last = "GET /manifest.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answers = server.raw(format!("{one}{one}{last}").as_bytes());
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 3, "{answers}");
    assert_error(&run(&["serve", "/nowhere/at/all"]), "bad-input", "");
}
