//! Texts of files from elsewhere reach the terminal without what a terminal obeys.
#![cfg(unix)] // file names on Windows have no control characters

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use program::{embedded, evident, golden, run, stdout};

mod program;

/// A text that would set a terminal's title and turn the direction of what follows, before the name of its field.
fn bait(field: &str) -> String {
    format!("\u{1b}]0;owned\u{7}\u{202e}{field}")
}

/// How the bait is shown.
fn shown(field: &str) -> String {
    format!(r"\u{{1b}}]0;owned\u{{7}}\u{{202e}}{field}")
}

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    /// A copy of a small checkpoint.
    fn checkpoint(&self, name: &str) -> String {
        let folder = self.path(name);
        fs::create_dir(&folder).unwrap();
        for file in ["config.json", "model.safetensors", "tokenizer.json"] {
            fs::copy(Path::new(&golden("bert")).join(file), Path::new(&folder).join(file)).unwrap();
        }
        folder
    }

    /// An index of a passage with these texts.
    fn index(&self, name: &str, [id, title, text]: [&str; 3]) -> String {
        let lines = json!({"id": id, "title": title, "text": text}).to_string();
        let index = self.path(name);
        stdout(&run(&["index", "build", &self.write("passages.jsonl", lines), "--out", &index]));
        index
    }
}

/// Checks that a command, on a terminal with colours, shows the bait of these fields, and that it is obeyed nowhere.
#[track_caller]
fn check(command: &mut Command, fields: &[&str]) {
    let output = command.env("CLICOLOR_FORCE", "1").output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    check_text(&said, fields);
}

#[track_caller]
fn check_text(said: &str, fields: &[&str]) {
    for field in fields {
        assert!(said.contains(&shown(field)), "{field:?} in {said:?}");
    }
    for obeyed in ["\u{1b}]", "\u{7}", "\u{202e}"] {
        assert!(!said.contains(obeyed), "{obeyed:?} in {said:?}");
    }
}

#[test]
fn the_names_of_a_corpus_and_of_the_files_of_an_index() {
    let place = Place::new();
    let corpus = place.path("corpus");
    fs::create_dir(&corpus).unwrap();
    let files: [(String, &[u8]); 3] =
        [("iron.txt".into(), b"Iron rusts."), (bait("file.txt"), b"\xff"), (format!("a.{}", bait("end")), b"x")];
    for (name, content) in files {
        fs::write(Path::new(&corpus).join(name), content).unwrap();
    }
    let index = place.path(&bait("index"));
    check(&mut evident(&["index", "build", &corpus, "--out", &index]), &["file.txt", "end", "index"]);
    fs::write(Path::new(&index).join(bait("other")), "x").unwrap();
    check(&mut evident(&["index", "verify-files", &index]), &["other"]);
    check(&mut evident(&["index", "build", &place.path(&bait("none")), "--out", &index]), &["none"]);
}

#[test]
fn the_passages_of_an_index() {
    let place = Place::new();
    let text = format!("Iron is a metal {}", bait("text."));
    let index = place.index(&bait("index"), [&bait("id"), &bait("title"), &text]);
    check(&mut evident(&["index", "search", "--index", &index, "iron"]), &["id", "title", "text."]);
    let said = stdout(&run(&["index", "search", "--index", &index, "iron", "--json"])).to_owned();
    let found: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(found["hits"][0]["passage"]["title"], bait("title"), "JSON has the text itself");

    let pages = place.path("pages");
    fs::create_dir(&pages).unwrap();
    place.write("pages/page.md", &text);
    place.write("pages/sources.json", json!({"https://a.org/page": "page.md", bait("address"): "page.md"}).to_string());
    let other = place.index("other", ["id", "title", "Tin is soft."]);
    let verify =
        |arguments: &[&str]| evident(&[&["verify", "--pack", &embedded(), "--index", &index], arguments].concat());
    let answer = "Iron is a metal [1].\n\n[1]: https://a.org/page";
    let sources = ["--index", &other, "--sources", &pages, answer];
    check(&mut verify(&sources), &["id", "title", "text.", "index asked for"]);
    check(&mut verify(&[&format!("Iron is a metal. {} Hello {}!", bait("sentence."), bait("greeting"))]), &["title"]);
    let settings = json!({ bait("setting"): 1 }).to_string();
    check(&mut verify(&["--settings", &settings, "Iron is a metal."]), &["setting"]);
    let none = place.path(&bait("pack"));
    check(&mut evident(&["verify", "--index", &index, "--pack", &none, "Iron is a metal."]), &["pack"]);
}

#[test]
fn the_fields_of_a_pack() {
    let place = Place::new();
    let pack = place.checkpoint(&bait("folder"));
    check(&mut evident(&["pack", "seal", &pack]), &["folder"]);
    let path = Path::new(&pack).join("pack.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for field in ["name", "version", "license"] {
        manifest[field] = bait(field).into();
    }
    manifest["sources"] = json!([bait("source")]);
    let models = manifest["models"].as_object_mut().unwrap();
    let (_, model) = models.iter().next().map(|(name, model)| (name.clone(), model.clone())).unwrap();
    *models = [(bait("model"), model)].into_iter().collect();
    fs::write(&path, manifest.to_string()).unwrap();
    stdout(&run(&["pack", "seal", &pack]));

    check(&mut evident(&["pack", "inspect", &pack]), &["name", "version", "license", "source", "model"]);
    let out = place.path(&bait("converted"));
    check(&mut evident(&["pack", "convert", &pack, "--to", "f16", "--out", &out]), &["converted"]);
    let joined = place.path(&bait("joined"));
    check(&mut evident(&["pack", "join", &pack, "--out", &joined]), &["joined", "model"]);
    let rows = place.write("rows.jsonl", r#"{"statement": "w1", "label": true, "evidence": [{"text": "w2"}]}"#);
    check(&mut evident(&["pack", "compare", &pack, &out, "--data", &rows]), &["name", "model"]);
    manifest["models"][bait("model")]["config"] = bait("file").into();
    fs::write(&path, manifest.to_string()).unwrap();
    check(&mut evident(&["pack", "inspect", &pack]), &[]);

    let list = format!(
        "mirrors = [\"http://127.0.0.1:9/{{repository}}/{{revision}}/{{path}}\"]\n[pack.{}]\nrepository = {}\n\
         revision = \"1\"\nlicense = {}\nfiles = [{{ path = \"config.json\" }}]\n",
        json!(bait("name")),
        json!(bait("repository")),
        json!(bait("license"))
    );
    let list = place.write("packs.toml", list);
    check(&mut evident(&["pack", "fetch", "--list", &list]), &["name", "repository", "license"]);
}

#[test]
fn the_groups_of_a_report_and_the_sentences_of_a_measurement() {
    let place = Place::new();
    let row = |label: bool, generator: &str| {
        json!({"statement": "Iron is a metal.", "label": label, "generator": bait(generator),
               "evidence": [{"title": "Iron", "text": "Iron is a metal."}]})
    };
    let rows = [row(true, "first"), row(false, "second")].map(|row| row.to_string()).join("\n");
    let rows = place.write(&bait("rows.jsonl"), rows);
    let pack = embedded();
    let eval = ["eval", &rows, "--pack", &pack, "--evidence", "gold"];
    check(&mut evident(&eval), &["rows.jsonl", "first", "second"]);
    let item = |model: &str| {
        json!({"question": "what is iron", "knowledge": "Iron is a metal.", "model": bait(model)}).to_string()
    };
    let items = place.write(&bait("items.jsonl"), [item("A"), item("B")].join("\n"));
    let nli = format!("nli={}", golden("bert"));
    check(&mut evident(&["conner", &items, "--models", &nli]), &["items.jsonl", "A", "B"]);
    let sentences =
        place.write("texts.jsonl", json!({"text": format!("Oh {}!", bait("text")), "kind": "claim"}).to_string());
    check(&mut evident(&["measure", "sentences", &sentences, "--list"]), &[]);
}

#[test]
fn the_folder_that_is_served() {
    let place = Place::new();
    let folder = place.path(&bait("site"));
    fs::create_dir(&folder).unwrap();
    let mut server = evident(&["serve", &folder, "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    check_text(&line, &["site"]);
}
