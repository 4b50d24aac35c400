//! Wiki markup becomes the text that mwparserfromhell, an independent parser, makes of it: tests/parity/wikitext. Where
//! it does not, the fixture says why.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use evident_corpus::{Facts, Passages, ReadOptions};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    texts: Vec<Text>,
}

#[derive(Deserialize)]
struct Text {
    markup: String,
    /// What mwparserfromhell makes of it.
    golden: String,
    /// What the reader makes of it, where that is something else.
    ours: Option<String>,
}

/// A dump with these pages, which have the ids from 0.
fn dump<'a>(markups: impl Iterator<Item = &'a str>) -> String {
    let page = |(id, markup): (usize, &str)| {
        let markup = markup.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("<page><title>Page</title><ns>0</ns><id>{id}</id><revision><text>{markup}</text></revision></page>\n")
    };
    format!("<mediawiki>\n{}</mediawiki>", markups.enumerate().map(page).collect::<String>())
}

#[test]
fn texts_equal_those_of_mwparserfromhell() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/wikitext/golden.json");
    let golden: Golden = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wiki.xml");
    fs::write(&path, dump(golden.texts.iter().map(|text| text.markup.as_str()))).unwrap();

    let mut read: HashMap<String, String> = HashMap::new();
    for passage in Passages::open_with(&path, ReadOptions { facts: Facts::LeftOut, ..ReadOptions::default() }).unwrap()
    {
        let passage = passage.unwrap();
        let (page, _) = passage.id.split_once('#').unwrap();
        read.insert(page.into(), passage.text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    let mut differences = Vec::new();
    for (id, text) in golden.texts.iter().enumerate() {
        let ours = read.remove(&id.to_string()).unwrap_or_default();
        if &ours != text.ours.as_ref().unwrap_or(&text.golden) {
            differences.push(format!("{}\n  ours:   {ours}\n  theirs: {}", text.markup, text.golden));
        }
        assert!(text.ours.as_ref() != Some(&text.golden), "no difference: {}", text.markup);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
