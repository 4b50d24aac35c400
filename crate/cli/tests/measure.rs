//! `evident measure` as a user runs it. How good the models are does not matter here.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use program::{assert_error, embedded, golden, run, stdout};

mod program;

/// A folder with labelled statements, and an index that holds what speaks for the first.
struct Place {
    directory: TempDir,
    rows: String,
    index: String,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
        let row = |statement: &str, label: bool, evidence: &str, position: usize| {
            json!({"statement": statement, "label": label, "evidence": [{"text": evidence}], "paragraph": "p",
                   "position": position})
            .to_string()
        };
        let rows = [
            row("Iron rusts.", true, "Iron rusts in wet air.", 1),
            row("Tin has 50 uses.", false, "Tin bends.", 2),
            row("Zanzibarium bends.", true, "It bends.", 3),
        ];
        fs::write(path("rows.jsonl"), rows.join("\n")).unwrap();
        let passages = ["Iron rusts in wet air.", "Tin is soft. Tin has a use.", "Iron is a metal."];
        let passages =
            passages.iter().enumerate().map(|(n, text)| json!({"id": n, "title": "", "text": text}).to_string());
        fs::write(path("passages.jsonl"), passages.collect::<Vec<_>>().join("\n")).unwrap();
        let place = Self { rows: path("rows.jsonl"), index: path("index"), directory };
        stdout(&run(&["index", "build", &place.path("passages.jsonl"), "--out", &place.index]));
        place
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }
}

/// The cells of a table's row, by how it begins.
fn cells<'a>(text: &'a str, row: &str) -> Vec<&'a str> {
    let line =
        text.lines().find(|line| line.starts_with(&format!("| {row} |"))).unwrap_or_else(|| panic!("{row}\n{text}"));
    line.trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn recall_counts_the_gold_words_that_are_found_and_the_bytes_that_are_read() {
    let place = Place::new();
    let recall = |more: &[&str]| {
        run(&[&["measure", "recall", &place.rows, "--index", &place.index, "-k", "1,2"], more].concat())
    };
    let plain = recall(&[]);
    let found = cells(stdout(&plain), "BM25");
    // All five words of the first; "tin" of the second; nothing shares a word with the third.
    assert_eq!(found[1..3], ["50.0", "50.0"]);
    assert!(found[3].parse::<u64>().unwrap() > 0 && found[4].parse::<f64>().unwrap() >= 1.0);

    let (model, both) = (golden("bert-embedder"), golden("bert-gelu-new"));
    let reranked = recall(&["--rerank", &model, "--threads", "3"]);
    let text = stdout(&reranked);
    assert_eq!(cells(text, "BM25")[1..5], found[1..5]);
    assert_eq!(cells(text, "BM25, then bert-embedder").len(), 6);
    assert_eq!(cells(stdout(&recall(&["--rerank", &both, "--limit", "1"])), "BM25, then bert-gelu-new").len(), 6);

    assert_error(&recall(&["--rerank", &golden("bert")]), "pack-architecture", "choose one with a single label");
    assert_error(&recall(&["--rerank", &place.index]), "pack-missing", "pack.json");
    assert_error(&recall(&["-k", "3,1"]), "bad-input", "least first");
    assert_error(&recall(&["--format", "fm2"]), "bad-input", "line 1");
    assert_error(&run(&["measure", "recall", &place.rows, "--index", "none"]), "index-missing", "");
    fs::write(place.path("bare.jsonl"), r#"{"statement": "Tin bends.", "label": true}"#).unwrap();
    assert_error(
        &run(&["measure", "recall", &place.path("bare.jsonl"), "--index", &place.index]),
        "bad-input",
        "nothing to find again",
    );
}

#[test]
fn the_curve_has_r_for_each_number_of_passages() {
    let place = Place::new();
    let pack = embedded();
    let arguments = ["measure", "curve", &place.rows, "--index", &place.index, "--pack", &pack, "-k", "1,2"];
    let output = run(&arguments);
    let text = stdout(&output);
    assert_eq!(cells(text, "Passages")[1..], ["1", "2"]);
    assert_eq!(cells(text, "NLI").len(), 3);
    let asked = run(&[&arguments[..], &["--score-by", "both"]].concat());
    for verifier in ["T5", "NLI", "both"] {
        assert_eq!(cells(stdout(&asked), verifier).len(), 3);
    }
    assert_eq!(stdout(&run(&[&arguments[..], &["--threads", "2"]].concat())), text);
    assert_error(&run(&[&arguments[..arguments.len() - 1], &["101"]].concat()), "bad-settings", "evidence is 101");
}

#[test]
fn risks_are_set_beside_the_labels() {
    let place = Place::new();
    let output = run(&["measure", "risks", &place.rows, "--index", &place.index]);
    let text = stdout(&output);
    assert!(text.starts_with("3 labelled statements, 33.3 % not factual."), "{text}");
    assert_eq!(cells(text, "a number")[1..3], ["1", "0.0 / 100.0 / 0.0"]);
    assert!(cells(text, "a number")[4].starts_with("3.00"));
    assert_eq!(cells(text, "a name seldom seen in the index")[1], "1");
    let after = cells(text, "after a sentence that is not factual");
    assert!(after[1] == "1" && after[4].starts_with("0.00"), "{text}");
    let without = run(&["measure", "risks", &place.rows]);
    assert_eq!(cells(stdout(&without), "a name seldom seen in the index")[1], "0");
}

#[test]
fn sentences_are_set_beside_those_of_annotators() {
    let place = Place::new();
    let answer = json!({"response": "Iron rusts. Tin bends! Is it so?", "sentences": [
        {"text": "Iron rusts.", "kind": "yes"}, {"text": "Tin bends! Is it so?", "kind": "other"}]});
    fs::write(place.path("answers.jsonl"), answer.to_string()).unwrap();
    let output = run(&["measure", "sentences", &place.path("answers.jsonl"), "--list"]);
    let text = stdout(&output);
    assert_eq!(cells(text, "2")[1..3], ["3", "1"]);
    assert_eq!(cells(text, "claim"), ["claim", "1", "1", "100.0"]);
    assert!(text.contains("- found, not annotated: Is it so?"), "{text}");
    assert_error(&run(&["measure", "sentences", &place.rows]), "bad-input", "line 1");
}
