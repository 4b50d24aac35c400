//! `evident pack` as a user runs it, against servers that are slow, broken, wrong or not there.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use program::{assert_error, error, evident, golden, run, stdout};

mod program;

const FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

/// How a server answers for a file.
#[derive(Clone, Copy, Debug)]
enum Manner {
    Right,
    /// Breaks off after this many bytes of each answer, but promises all.
    Breaks(usize),
    /// Does not know ranges.
    Whole,
    Missing,
    /// Other bytes of the same size.
    Wrong,
    /// A byte now and then.
    Slow,
}

/// Files that were asked for, and from where on.
type Asked = Vec<(String, Option<usize>)>;

/// A server of the checkpoint `bert` of the golden files, and what it was asked for.
struct Server {
    address: String,
    manners: Arc<Mutex<BTreeMap<String, Manner>>>,
    asked: Arc<Mutex<Asked>>,
}

impl Server {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            address: format!("http://{}", listener.local_addr().unwrap()),
            manners: Arc::default(),
            asked: Arc::default(),
        };
        let (manners, asked) = (Arc::clone(&server.manners), Arc::clone(&server.asked));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (manners, asked) = (Arc::clone(&manners), Arc::clone(&asked));
                std::thread::spawn(move || answer(stream.unwrap(), &manners, &asked));
            }
        });
        server
    }

    fn is(&self, file: &str, manner: Manner) {
        self.manners.lock().unwrap().insert(file.to_owned(), manner);
    }

    fn asked(&self) -> Asked {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

fn answer(stream: TcpStream, manners: &Mutex<BTreeMap<String, Manner>>, asked: &Mutex<Vec<(String, Option<usize>)>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let Some(request) = lines.next() else { return };
    let file = request.split(' ').nth(1).unwrap().rsplit('/').next().unwrap().to_owned();
    let mut from = None;
    for line in lines.take_while(|line| !line.is_empty()) {
        if let Some(range) = line.to_lowercase().strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().ok();
        }
    }
    asked.lock().unwrap().push((file.clone(), from));
    let manner = manners.lock().unwrap().get(&file).copied().unwrap_or(Manner::Right);
    let mut bytes = fs::read(golden(&format!("bert/{file}"))).unwrap();
    if let Manner::Wrong = manner {
        bytes[0] ^= 1;
    }
    let start = if let Manner::Whole = manner { 0 } else { from.unwrap_or(0) };
    let body = &bytes[start.min(bytes.len())..];
    let head = match (manner, start) {
        (Manner::Missing, _) => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n".to_owned(),
        (_, 0) => format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n", body.len()),
        _ => format!(
            "HTTP/1.1 206 Partial Content\r\nContent-Length: {}\r\nContent-Range: bytes {start}-{}/{}\r\n",
            body.len(),
            bytes.len() - 1,
            bytes.len()
        ),
    };
    let mut stream = stream;
    // A client that has gone is none of the server's business.
    let _ = (|| {
        stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes())?;
        match manner {
            Manner::Missing => Ok(()),
            Manner::Breaks(count) => stream.write_all(&body[..count.min(body.len())]),
            Manner::Slow => body.chunks(100).try_for_each(|chunk| {
                std::thread::sleep(Duration::from_millis(20));
                stream.write_all(chunk)
            }),
            _ => stream.write_all(body),
        }
    })();
}

/// A folder with a packs.toml that pins the checkpoint `tiny` at some servers.
struct Place {
    directory: TempDir,
}

impl Place {
    /// The hash of each file is stated but that of `unknown`.
    fn new(servers: &[&str], unknown: Option<&str>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let files = FILES.map(|file| {
            let entry = evident_nn::FileEntry::read(Path::new(&golden(&format!("bert/{file}"))), file).unwrap();
            match unknown == Some(file) {
                true => format!("{{ path = {file:?} }}"),
                false => format!("{{ path = {file:?}, bytes = {}, sha256 = \"{}\" }}", entry.bytes, entry.sha256),
            }
        });
        let mirrors: Vec<String> =
            servers.iter().map(|server| format!("{server}/{{repository}}/{{revision}}/{{path}}")).collect();
        let list = format!(
            "mirrors = {mirrors:?}\n[pack.tiny]\nrepository = \"some/bert\"\nrevision = \"12ab\"\nlicense = \"MIT\"\nfiles = [{}]\n",
            files.join(", ")
        );
        fs::write(directory.path().join("packs.toml"), list).unwrap();
        Self { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn command(&self, name: &str) -> Command {
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        evident(&["pack", "fetch", name, "--list", &text(self.path("packs.toml")), "--out", &text(self.path("packs"))])
    }

    fn fetch(&self) -> Output {
        self.command("tiny").output().unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path("packs").join("tiny").join(name)
    }
}

#[test]
fn what_was_fetched_is_a_pack_and_is_not_fetched_again() {
    let server = Server::new();
    let place = Place::new(&[&server.address], None);
    let output = place.fetch();
    assert!(stdout(&output).contains("model.safetensors: fetched"), "{output:?}");
    let asked: Vec<String> = server.asked().into_iter().map(|(file, _)| file).collect();
    assert_eq!(asked, FILES);
    for file in FILES {
        assert_eq!(fs::read(place.file(file)).unwrap(), fs::read(golden(&format!("bert/{file}"))).unwrap());
    }
    assert!(stdout(&place.fetch()).contains("model.safetensors: was there"));
    assert!(server.asked().is_empty());

    let tiny = place.path("packs").join("tiny");
    let inspected = run(&["pack", "inspect", tiny.to_str().unwrap(), "--json"]);
    let report: Value = serde_json::from_str(stdout(&inspected)).unwrap();
    assert_eq!(report["name"], "tiny");
    assert_eq!(report["version"], "12ab");
    assert_eq!(report["sources"][0], "some/bert (MIT)");
    assert_eq!(report["models"][0]["kind"], "classifier");
    // A file that was spoilt on disk is brought again.
    fs::write(place.file("config.json"), "{}").unwrap();
    assert_error(&run(&["pack", "inspect", tiny.to_str().unwrap()]), "pack-corrupt", "");
    assert!(stdout(&place.fetch()).contains("config.json: fetched"));
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_download_that_broke_off_goes_on_where_it_stopped() {
    let server = Server::new();
    let place = Place::new(&[&server.address], None);
    let whole = fs::metadata(golden("bert/model.safetensors")).unwrap().len() as usize;
    let each = whole / 6;
    server.is("model.safetensors", Manner::Breaks(each));
    let output = place.fetch();
    assert_error(&output, "fetch-failed", "");
    assert!(error(&output).contains("model.safetensors"), "{output:?}");
    let ranges = || -> Vec<Option<usize>> {
        server.asked().into_iter().filter(|(file, _)| file == "model.safetensors").map(|(_, from)| from).collect()
    };
    assert_eq!(ranges(), [None, Some(each), Some(2 * each), Some(3 * each)]);
    assert!(!place.file("model.safetensors").exists());

    assert!(stdout(&place.fetch()).contains("model.safetensors: fetched"));
    assert_eq!(ranges()[0], Some(4 * each));
    assert_eq!(fs::read(place.file("model.safetensors")).unwrap(), fs::read(golden("bert/model.safetensors")).unwrap());
}

#[test]
fn a_server_without_ranges_is_asked_for_all_of_it() {
    let server = Server::new();
    let place = Place::new(&[&server.address], None);
    fs::create_dir_all(place.file("")).unwrap();
    fs::write(place.file("model.safetensors.part"), b"what came before").unwrap();
    server.is("model.safetensors", Manner::Whole);
    assert!(stdout(&place.fetch()).contains("model.safetensors: fetched"));
}

#[test]
fn a_wrong_file_is_never_given_its_name_and_another_mirror_is_asked() {
    let (server, mirror) = (Server::new(), Server::new());
    server.is("config.json", Manner::Wrong);
    let place = Place::new(&[&server.address], None);
    let output = place.fetch();
    assert_error(&output, "pack-corrupt", "");
    assert!(error(&output).contains("config.json has the SHA-256"), "{output:?}");
    assert!(!place.file("config.json").exists() && !place.file("config.json.part").exists());

    let place = Place::new(&[&server.address, &mirror.address], None);
    assert!(stdout(&place.fetch()).contains("config.json: fetched"));
    assert_eq!(mirror.asked(), [("config.json".to_owned(), None)]);
}

#[test]
fn a_part_of_something_else_is_fetched_anew() {
    let server = Server::new();
    let place = Place::new(&[&server.address], None);
    fs::create_dir_all(place.file("")).unwrap();
    fs::write(place.file("config.json.part"), b"{ another }").unwrap();
    stdout(&place.fetch());
    let asked: Vec<_> =
        server.asked().into_iter().filter(|(file, _)| file == "config.json").map(|(_, from)| from).collect();
    assert_eq!(asked, [Some(11), None]);
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_part_is_refused_and_its_target_stays() {
    let server = Server::new();
    let place = Place::new(&[&server.address], None);
    let (target, part) = (place.path("target"), place.file("config.json.part"));
    fs::create_dir_all(place.file("")).unwrap();
    fs::write(&target, "mine").unwrap();
    std::os::unix::fs::symlink(&target, &part).unwrap();
    assert_error(&place.fetch(), "internal", "config.json.part could not be written: it is a link");
    assert_eq!(fs::read(&target).unwrap(), b"mine");
    fs::rename(&part, place.file("config.json")).unwrap();
    stdout(&place.fetch());
    assert_eq!(fs::read(&target).unwrap(), b"mine", "the file takes the link's place");
}

#[test]
fn a_mirror_is_asked_where_the_first_has_not_got_the_file() {
    let (server, mirror) = (Server::new(), Server::new());
    server.is("tokenizer.json", Manner::Missing);
    let place = Place::new(&[&server.address, &mirror.address], None);
    stdout(&place.fetch());
    assert_eq!(mirror.asked(), [("tokenizer.json".to_owned(), None)]);

    let place = Place::new(&[&server.address], None);
    let output = place.fetch();
    assert_error(&output, "fetch-failed", "");
    assert!(error(&output).contains("status 404"), "{output:?}");
}

#[test]
fn an_unknown_hash_is_recorded_at_the_first_fetch_and_checked_ever_after() {
    let (server, mirror) = (Server::new(), Server::new());
    let place = Place::new(&[&server.address, &mirror.address], Some("config.json"));
    assert!(stdout(&place.fetch()).contains("config.json: fetched, 0.0 MB, its SHA-256 recorded in packs.lock"));
    assert!(fs::read_to_string(place.path("packs").join("packs.lock")).unwrap().contains("some/bert@12ab/config.json"));

    fs::remove_dir_all(place.file("")).unwrap();
    server.is("config.json", Manner::Wrong);
    mirror.is("config.json", Manner::Wrong);
    let output = place.fetch();
    assert_error(&output, "pack-corrupt", "");
    assert!(error(&output).contains("where packs.lock has"), "{output:?}");

    // Before its hash is known a file is taken from its publisher alone.
    let place = Place::new(&[&server.address, &mirror.address], Some("config.json"));
    server.is("config.json", Manner::Missing);
    mirror.asked();
    assert_error(&place.fetch(), "fetch-failed", "");
    assert!(mirror.asked().is_empty());
}

#[test]
fn without_a_network_it_says_so() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let place = Place::new(&[&format!("http://{closed}"), "http://no-such-host.invalid"], None);
    let output = place.fetch();
    assert_error(&output, "offline", "");
    assert!(error(&output).contains("connect to the network"), "{output:?}");
}

#[test]
fn names_and_lists_that_are_none_are_refused() {
    let server = Server::new();
    let place = Place::new(&[&server.address], None);
    let output = place.command("large").output().unwrap();
    assert_error(&output, "bad-input", "");
    assert!(error(&output).contains("there are tiny"), "{output:?}");
    let listed = run(&["pack", "fetch"]);
    assert!(stdout(&listed).contains("all-MiniLM-L6-v2: sentence-transformers/all-MiniLM-L6-v2, Apache-2.0, 91.3 MB"));
    fs::write(place.path("packs.toml"), "mirrors = 1").unwrap();
    assert_error(&place.fetch(), "bad-input", "");
}

#[cfg(unix)]
#[test]
fn an_interrupted_fetch_keeps_what_has_arrived() {
    let server = Server::new();
    let place = Place::new(&[&server.address], None);
    server.is("model.safetensors", Manner::Slow);
    let child = place.command("tiny").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let part = place.file("model.safetensors.part");
    let began = Instant::now();
    while !fs::metadata(&part).is_ok_and(|part| part.len() > 500) {
        assert!(began.elapsed() < Duration::from_secs(60), "nothing arrives");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_error(&child.wait_with_output().unwrap(), "cancelled", "");
    let there = fs::metadata(&part).unwrap().len() as usize;
    assert!(!place.file("model.safetensors").exists());

    server.is("model.safetensors", Manner::Right);
    server.asked();
    stdout(&place.fetch());
    assert_eq!(server.asked(), [("model.safetensors".to_owned(), Some(there))]);
}

#[test]
fn a_checkpoint_is_converted_and_compared() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let from = &golden("bert");
    for precision in ["f32", "q4"] {
        let out = path(precision);
        let converted = run(&["pack", "convert", from, "--to", precision, "--out", &out]);
        assert!(stdout(&converted).contains(precision), "{converted:?}");
        assert_error(&run(&["pack", "convert", from, "--to", precision, "--out", &out]), "bad-input", "");
    }
    let inspected = run(&["pack", "inspect", &path("q4")]);
    assert!(stdout(&inspected).contains("bert.encoder.layer"), "{inspected:?}");

    let rows =
        "{\"statement\": \"w1 w2\", \"label\": \"factual\", \"evidence\": [{\"title\": \"\", \"text\": \"w3 w4\"}]}\n";
    fs::write(path("rows.jsonl"), rows).unwrap();
    let compared = run(&["pack", "compare", from, &path("f32"), &path("q4"), "--data", &path("rows.jsonl"), "--json"]);
    let report: Value = serde_json::from_str(stdout(&compared)).unwrap();
    assert_eq!(report[0]["texts"], 1);
    assert_eq!(report[0]["max"], 0.0);
    assert_eq!(report.as_array().unwrap().len(), 2);
    assert_error(&run(&["pack", "inspect", &path("nothing")]), "pack-missing", "");
    assert_eq!(run(&["pack", "convert", from, "--to", "q2", "--out", &path("q2")]).status.code(), Some(2));
}
