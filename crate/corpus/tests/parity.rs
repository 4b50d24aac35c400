//! Markup becomes the text that independent parsers make of it: mwparserfromhell of wikitext, and mwparserfromhtml,
//! Wikimedia's own, of Parsoid's HTML (tests/parity). Where it does not, the fixture says why.

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
    #[serde(alias = "html")]
    markup: String,
    /// The other parser's text.
    golden: String,
    /// The reader's text, if it differs.
    ours: Option<String>,
}

/// Reads the texts of tests/parity/`fixture` as a dump called `name`, in which `page` writes one with its number as id,
/// and compares, words for words.
#[track_caller]
fn compare(fixture: &str, name: &str, [head, tail]: [&str; 2], page: impl Fn((usize, &Text)) -> String) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity").join(fixture).join("golden.json");
    let Golden { texts } = serde_json::from_str(&fs::read_to_string(golden).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, format!("{head}{}{tail}", texts.iter().enumerate().map(page).collect::<String>())).unwrap();

    let mut read: HashMap<String, String> = HashMap::new();
    let options = ReadOptions { facts: Facts::LeftOut, ..ReadOptions::default() };
    for passage in Passages::open_with(&path, options).unwrap() {
        let passage = passage.unwrap();
        let (page, _) = passage.id.split_once('#').unwrap();
        read.insert(page.into(), passage.text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    let mut differences = Vec::new();
    for (id, text) in texts.iter().enumerate() {
        let ours = read.remove(&id.to_string()).unwrap_or_default();
        if &ours != text.ours.as_ref().unwrap_or(&text.golden) {
            differences.push(format!("{}\n  ours:   {ours}\n  theirs: {}", text.markup, text.golden));
        }
        assert!(text.ours.as_ref() != Some(&text.golden), "no difference: {}", text.markup);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn wikitext_reads_as_by_mwparserfromhell() {
    compare("wikitext", "wiki.xml", ["<mediawiki>\n", "</mediawiki>"], |(id, text)| {
        let markup = text.markup.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("<page><title>Page</title><ns>0</ns><id>{id}</id><revision><text>{markup}</text></revision></page>\n")
    });
}

#[test]
fn html_reads_as_by_mwparserfromhtml() {
    compare("html", "wiki.ndjson", ["", ""], |(id, text)| {
        format!("{}\n", json!({"name": "Page", "identifier": id, "article_body": {"html": text.markup}}))
    });
}
