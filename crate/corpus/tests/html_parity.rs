//! HTML of Parsoid becomes the text that mwparserfromhtml, Wikimedia's parser of its HTML dumps, makes of it:
//! tests/parity/html. Where it does not, the fixture says why.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use evident_corpus::{Facts, Passages, ReadOptions};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Golden {
    texts: Vec<Text>,
}

#[derive(Deserialize)]
struct Text {
    html: String,
    /// What mwparserfromhtml makes of it.
    golden: String,
    /// What the reader makes of it, where that is something else.
    ours: Option<String>,
}

#[test]
fn texts_equal_those_of_mwparserfromhtml() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/html/golden.json");
    let golden: Golden = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wiki.ndjson");
    let line = |(id, text): (usize, &Text)| {
        format!("{}\n", json!({"name": "Page", "identifier": id, "article_body": {"html": text.html}}))
    };
    fs::write(&path, golden.texts.iter().enumerate().map(line).collect::<String>()).unwrap();

    let mut read: HashMap<String, String> = HashMap::new();
    let options = ReadOptions { facts: Facts::LeftOut, ..ReadOptions::default() };
    for passage in Passages::open_with(&path, options).unwrap() {
        let passage = passage.unwrap();
        let (page, _) = passage.id.split_once('#').unwrap();
        read.insert(page.into(), passage.text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    let mut differences = Vec::new();
    for (id, text) in golden.texts.iter().enumerate() {
        let ours = read.remove(&id.to_string()).unwrap_or_default();
        if &ours != text.ours.as_ref().unwrap_or(&text.golden) {
            differences.push(format!("{}\n  ours:   {ours}\n  theirs: {}", text.html, text.golden));
        }
        assert!(text.ours.as_ref() != Some(&text.golden), "no difference: {}", text.html);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
