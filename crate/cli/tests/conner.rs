//! `evident conner` as a user runs it, by the small random checkpoints of tests/parity/models/golden.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

fn root(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path).to_str().unwrap().to_owned()
}

fn golden(name: &str) -> String {
    root(&format!("tests/parity/models/golden/{name}"))
}

/// A folder with items and an index.
struct Place {
    directory: TempDir,
    items: String,
    index: String,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
        let item = |n: usize, model: &str| {
            json!({"id": n, "question": "what is iron", "knowledge": format!("Iron is a metal. It has {n} uses."),
                   "answer": "a metal", "reference": "metal", "model": model, "setting": "Zero-shot", "length": n % 2})
            .to_string()
        };
        let items = [item(1, "A"), item(2, "A"), item(3, "B|C"), r#"{"knowledge": "Iron is a metal."}"#.to_owned()];
        fs::write(path("items.jsonl"), items.join("\n\n")).unwrap();
        let passage = |n: usize| {
            let text = format!("The first metal of city {n} is known. It has {n} uses in the world of iron.");
            json!({"id": n, "title": format!("City {n}"), "text": text}).to_string()
        };
        fs::write(path("passages.jsonl"), (0..30).map(passage).collect::<Vec<_>>().join("\n")).unwrap();
        let built = Command::new(env!("CARGO_BIN_EXE_evident"))
            .args(["index", "build", &path("passages.jsonl"), "--out", &path("index")])
            .output()
            .unwrap();
        assert!(built.status.success());
        let (items, index) = (path("items.jsonl"), path("index"));
        Self { directory, items, index }
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn conner(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_evident"));
        command.arg("conner").arg(&self.items).args(arguments);
        command.stdin(Stdio::null()).env_remove("EVIDENT_PACK").output().unwrap()
    }
}

fn models() -> String {
    let folders = [
        ("nli", "bert"),
        ("relevance", "bert-gelu-new"),
        ("lm", "gpt2"),
        ("seq2seq", "t5-v1.1"),
        ("discourse", "bert-gelu-new"),
    ];
    folders.map(|(role, name)| format!("{role}={}", golden(name))).join(",")
}

fn stdout(output: &Output) -> &str {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::str::from_utf8(&output.stdout).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
fn assert_error(output: &Output, code: &str, says: &str) {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = std::str::from_utf8(&output.stderr).unwrap().lines().last().unwrap();
    assert!(error.starts_with(&format!("error[{code}]: ")) && error.contains(says), "{error}");
}

#[test]
fn a_run_that_was_cut_short_goes_on_to_the_same_report() {
    let place = Place::new();
    let (whole, cut, models) = (place.path("whole"), place.path("cut"), models());
    let common = ["--models", &models, "--index", &place.index];
    let output = place.conner(&[&common[..], &["--out", &whole]].concat());
    let text = stdout(&output);
    assert!(output.stderr.is_empty(), "no progress where nobody watches");
    let head = "| model | setting | Fact-cons. | Non-verif. | Fact-incon. | Relevance | Coh-sent. | Coh-para. | Inform. | \
                Helpful. | Validity | Q_know | Helpful., unclipped | n |";
    for part in [
        head,
        "| A | Zero-shot | ",
        "| B\\|C | Zero-shot | ",
        "## By length",
        "| relevance | bert-gelu-new | a question (for 1 of 4)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(text, place.read("whole/report.md"));

    stdout(&place.conner(&[&common[..], &["--out", &cut, "--limit", "2"]].concat()));
    let rows = fs::OpenOptions::new().append(true).open(place.path("cut/rows.jsonl")).unwrap();
    std::io::Write::write_all(&mut &rows, b"{\"row\":2,\"torn").unwrap();
    assert_eq!(stdout(&place.conner(&[&common[..], &["--out", &cut, "--resume"]].concat())), text);
    for name in ["rows.jsonl", "run.json", "report.json", "report.md"] {
        assert_eq!(place.read(&format!("cut/{name}")), place.read(&format!("whole/{name}")), "{name}");
    }

    let rows = lines(&place.read("whole/rows.jsonl"));
    assert_eq!(rows.len(), 4);
    for score in
        ["factuality", "relevance", "cohesion", "coherence", "informativeness", "helpfulness", "validity", "quality"]
    {
        let value = rows[0][score]["value"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&value) && rows[0][score]["model"].is_string(), "{score}");
    }
    assert_eq!(rows[0]["validity"]["equation"], 7);
    assert_eq!(rows[0]["helpfulness"]["randomPassages"], 5);
    assert_eq!((&rows[3]["line"], &rows[3]["id"]), (&json!(7), &json!("7")));
    assert_eq!(rows[3]["helpfulness"]["missing"], json!(["question", "answer"]));
    assert!(rows[3]["factuality"]["value"].is_number(), "it needs no question");

    let other = place.conner(&[&common[..], &["--out", &cut, "--resume", "--settings", r#"{"seed": 1}"#]].concat());
    assert_error(&other, "bad-input", "leave --resume out");
}

#[test]
fn a_pack_gives_the_models_that_it_has_and_every_other_score_says_what_it_needs() {
    let place = Place::new();
    let embedded = root("models/embedded");
    let output = place.conner(&["--pack", &embedded, "--index", &place.index, "--limit", "1", "--json"]);
    let rows = lines(stdout(&output));
    assert!(rows[0]["factuality"]["value"].is_number() && rows[0]["validity"]["value"].is_number());
    assert_eq!(rows[0]["factuality"]["sentences"].as_array().unwrap().len(), 2);
    assert_eq!(rows[0]["relevance"]["missing"], json!(["relevanceModel"]));
    assert_eq!(rows[0]["helpfulness"]["missing"], json!(["generatingModel"]));

    let relevance = format!("relevance={}", golden("bert-embedder"));
    let rows = |models: &str| {
        let output = place.conner(&["--models", models, "--limit", "1", "--json"]);
        lines(stdout(&output))
    };
    let by_bi_encoder = rows(&relevance);
    assert_eq!(by_bi_encoder[0]["relevance"]["model"], "bert-embedder", "a folder without a head is a bi-encoder");
    assert_eq!(by_bi_encoder[0]["factuality"]["missing"], json!(["evidence", "nliModel"]));
    assert_eq!(by_bi_encoder, rows(&relevance.replace("relevance=", "embedder=")));
}

#[test]
fn the_papers_tsv_is_read() {
    let mut place = Place::new();
    place.items = place.path("items.tsv");
    fs::write(&place.items, "Iron\tHi! [SEP] what is iron\tIron is a metal.\ta metal\n").unwrap();
    let models = models();
    let rows = lines(stdout(&place.conner(&["--models", &models, "--index", &place.index, "--json"]))).remove(0);
    assert_eq!(rows["validity"]["equation"], 8, "the layout has no reference");
    assert!(rows["quality"]["value"].is_number());
    fs::write(&place.items, "Iron\tWhat?\n").unwrap();
    assert_error(&place.conner(&["--models", &models]), "bad-input", "items.tsv line 1: 2 fields");
}

#[test]
fn what_cannot_be_scored_is_an_error_that_says_what_to_do() {
    let mut place = Place::new();
    let models = models();
    assert_eq!(place.conner(&["--models", "reader=x"]).status.code(), Some(2), "there is no such role");
    assert_eq!(place.conner(&["--resume"]).status.code(), Some(2), "there is no folder to go on from");
    assert_error(&place.conner(&["--limit", "0"]), "bad-input", "no item");
    assert_error(&place.conner(&["--settings", r#"{"evidence": 0}"#]), "bad-settings", "evidence");
    assert_error(&place.conner(&["--settings", r#"{"gama": 0}"#]), "bad-settings", "gama");
    let wrong = format!("nli={}", golden("roberta"));
    assert_error(&place.conner(&["--models", &wrong]), "bad-input", "is no NLI model");
    let wrong = format!("lm={}", golden("bert"));
    assert_error(&place.conner(&["--models", &wrong]), "pack-architecture", "a causal language model");
    assert_error(&place.conner(&["--models", "lm=no/such/folder"]), "pack-missing", "no/such/folder");
    fs::write(&place.items, "{\"question\": 1}\n").unwrap();
    assert_error(&place.conner(&["--models", &models]), "bad-input", "items.jsonl line 1: not an item");
    place.items = place.path("none");
    assert_error(&place.conner(&["--models", &models]), "bad-input", "none could not be read");
}
