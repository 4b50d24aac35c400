//! Dumps of Wikimedia Enterprise, and archives and compressed files, whole and damaged.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use evident_corpus::{CorpusError, Facts, Fields, FieldsError, Passages, ReadOptions};
use evident_index::Passage;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A line of a dump, as <https://enterprise.wikimedia.com/docs/data-dictionary/> has it.
fn article(title: &str, id: u64, version: u64, html: &str) -> Value {
    json!({
        "name": title,
        "identifier": id,
        "abstract": "An article.",
        "date_modified": "2024-01-01T00:00:00Z",
        "version": {"identifier": version, "comment": "x"},
        "url": format!("https://simple.example.org/wiki/{title}"),
        "namespace": {"identifier": 0},
        "in_language": {"identifier": "en"},
        "redirects": [{"name": format!("Old {title}"), "url": "https://simple.example.org/wiki/Old"}],
        "is_part_of": {"identifier": "simplewiki"},
        "article_body": {
            "html": format!("<html><head><title>{title}</title></head><body>{html}</body></html>"),
            "wikitext": "x",
        },
        "license": [{"identifier": "CC-BY-SA-4.0"}],
    })
}

fn lines(articles: &[Value]) -> String {
    articles.iter().map(|article| format!("{article}\n")).collect()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A tar archive of files with these names.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, content.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap()
}

fn file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn read_with(name: &str, bytes: &[u8], options: ReadOptions) -> Result<Vec<Passage>, CorpusError> {
    let (_folder, path) = file(name, bytes);
    Passages::open_with(&path, options)?.collect()
}

fn read(name: &str, bytes: &[u8]) -> Result<Vec<Passage>, CorpusError> {
    read_with(name, bytes, ReadOptions::default())
}

fn iron() -> Value {
    let table = "<table class=\"infobox\"><tr><th>Melting point</th><td>1538 °C</td></tr></table>";
    article(
        "Iron",
        12,
        7,
        &format!("{table}<p><b>Iron</b> or <b>ferrum</b> is a metal.</p><h2>Rust &amp; air</h2><p>It rusts.</p>"),
    )
}

#[test]
fn articles_of_an_html_dump_become_passages() {
    let talk = json!({"name": "Talk:Iron", "identifier": 13, "namespace": {"identifier": 1}, "version": {"identifier": 1},
        "article_body": {"html": "<p>Nice page.</p>"}});
    let bare = json!({"name": "Tin", "identifier": 14, "redirects": null, "article_body": {"html": "<p>Tin.</p>"}});
    let text = lines(&[iron(), talk, bare]);
    let passages = read("wiki.ndjson", text.as_bytes()).unwrap();
    let ids: Vec<_> = passages.iter().map(|passage| passage.id.as_str()).collect();
    assert_eq!(ids, ["12#1", "12#2", "12#3", "14#1"]);
    assert_eq!(passages[0].text, "Iron or ferrum is a metal.");
    assert_eq!((passages[0].title.as_str(), passages[0].section.as_deref()), ("Iron", None));
    assert_eq!(passages[0].source.as_deref(), Some("https://simple.example.org/wiki/Iron"));
    assert!(passages[..3].iter().all(|passage| passage.names == ["ferrum", "Old Iron"]));
    assert_eq!((passages[1].text.as_str(), passages[1].section.as_deref()), ("It rusts.", Some("Rust & air")));
    assert_eq!(passages[1].source.as_deref(), Some("https://simple.example.org/wiki/Iron#Rust_%26_air"));
    assert_eq!(
        (passages[2].text.as_str(), passages[2].section.as_deref()),
        ("Iron: Melting point: 1538 °C.", Some("Facts"))
    );
    assert_eq!((passages[3].source.as_deref(), passages[3].names.len()), (None, 0));
    let options = ReadOptions { facts: Facts::LeftOut, ..ReadOptions::default() };
    assert_eq!(read_with("wiki.ndjson", text.as_bytes(), options).unwrap().len(), 3);
}

#[test]
fn of_an_article_that_stands_twice_the_newest_version_counts() {
    let old = article("Iron", 12, 5, "<p>Old.</p>");
    let new = article("Iron", 12, 9, "<p>New.</p>");
    for order in [[&old, &new, &new], [&new, &old, &new], [&new, &new, &old]] {
        let passages = read("wiki.ndjson", lines(&order.map(Clone::clone)).as_bytes()).unwrap();
        let texts: Vec<_> = passages.iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!(texts, ["New."]);
    }
}

#[test]
fn a_line_that_is_no_article_is_named_and_passed_over() {
    let text = format!(
        "{}{{\"id\":1,\"title\":\"T\",\"text\":\"x\"}}\n\n{}",
        lines(&[iron()]),
        lines(&[article("Tin", 3, 1, "<p>Tin.</p>")])
    );
    let (_folder, path) = file("wiki.ndjson", text.as_bytes());
    let mut passages = Passages::open(&path).unwrap().skip(3);
    let error = passages.next().unwrap().unwrap_err();
    assert!(error.is_of_one_line());
    let error = error.to_string();
    assert!(
        error.contains(
            "wiki.ndjson line 2 is not an article of a Wikimedia Enterprise dump (missing field `identifier`"
        ),
        "{error}"
    );
    assert_eq!(passages.next().unwrap().unwrap().text, "Tin.");
    assert!(passages.next().is_none());
}

#[test]
fn an_archive_is_read_file_by_file() {
    let (first, second) = (lines(&[iron()]), lines(&[article("Tin", 3, 1, "<p>Tin.</p>")]));
    let plain = read("wiki.ndjson", format!("{first}{second}").as_bytes()).unwrap();
    let long = format!("{}/simplewiki_namespace_0_1.ndjson", "folder".repeat(30));
    let files = [
        ("simplewiki_namespace_0_0.ndjson", first.trim_end()),
        ("README.txt", "{"),
        ("a/._x.ndjson", "{"),
        (&long, &second),
    ];
    let tar = archive(&files);
    for (name, bytes) in [
        ("simplewiki-NS0-20240101-ENTERPRISE-HTML.json.tar", tar.clone()),
        ("simplewiki-NS0-20240101-ENTERPRISE-HTML.json.tar.gz", gzipped(&tar)),
        ("chunk.tgz", tar.chunks(1000).flat_map(gzipped).collect()),
        ("WIKI.NDJSON.GZ", gzipped(format!("{first}{second}").as_bytes())),
    ] {
        assert_eq!(read(name, &bytes).unwrap(), plain, "{name}");
        let (_folder, path) = file(name, &bytes);
        let mut passages = Passages::open(&path).unwrap();
        assert_eq!(passages.by_ref().count(), 4);
        assert_eq!((passages.bytes_read(), passages.bytes()), (2 * bytes.len() as u64, 2 * bytes.len() as u64));
    }
}

#[test]
fn names_and_sizes_of_pax_headers_are_read() {
    let text = lines(&[iron()]);
    let mut builder = tar::Builder::new(Vec::new());
    let size = text.len().to_string();
    builder.append_pax_extensions([("path", b"b.ndjson".as_slice()), ("size", size.as_bytes())]).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_path("a.txt").unwrap();
    header.set_size(0); // as for files of 8 GiB and more, whose size has no room here
    header.set_cksum();
    builder.append(&header, text.as_bytes()).unwrap();
    let tar = builder.into_inner().unwrap();
    assert_eq!(read("wiki.tar", &tar).unwrap(), read("wiki.ndjson", text.as_bytes()).unwrap());
}

#[test]
fn damage_is_named_by_its_place_in_the_file() {
    let articles: Vec<_> = (0..400)
        .map(|n: u64| article(&format!("A{n}"), n, 1, &format!("<p>It has {} parts.</p>", n * 7919 % 1000)))
        .collect();
    let text = lines(&articles);
    let tar = archive(&[("a.ndjson", &text)]);
    let damage = |name: &str, bytes: &[u8]| match read(name, bytes).unwrap_err() {
        CorpusError::Damaged { offset, reason, .. } => (offset, reason),
        error => panic!("{name}: {error}"),
    };
    for (name, whole) in
        [("wiki.tar", tar.clone()), ("wiki.tar.gz", gzipped(&tar)), ("wiki.ndjson.gz", gzipped(text.as_bytes()))]
    {
        assert!(!read(name, &whole).unwrap().is_empty());
        let (offset, reason) = damage(name, &whole[..whole.len() / 2]);
        assert_eq!((offset, reason.as_str()), (whole.len() as u64 / 2, "it ends too early"), "{name}");
    }
    let mut flipped = gzipped(&tar);
    let at = flipped.len() / 2;
    flipped[at..at + 40].fill(0xa5);
    let (offset, _) = damage("wiki.tar.gz", &flipped);
    assert!(offset > at as u64 && offset <= flipped.len() as u64, "{offset}");
    let mut flipped = tar.clone();
    flipped[130] = b'7'; // the size
    assert_eq!(damage("wiki.tar", &flipped), (512, "a header of the archive is damaged".into()));
    let error = read("wiki.ndjson.gz", b"no gzip at all").unwrap_err().to_string();
    assert!(error.contains("wiki.ndjson.gz is damaged at byte "), "{error}");
}

#[test]
fn fields_of_json_lines_have_any_names() {
    let options = |fields: &str| ReadOptions { fields: Some(fields.parse().unwrap()), ..ReadOptions::default() };
    let text = "{\"name\":\"Iron\",\"body\":\"A metal.\",\"id\":7,\"link\":\"https://example.org\",\"text\":3}\n\n\
                {\"name\":\"Tin\",\"body\":\"Soft.\"}\n";
    for name in ["p.jsonl", "p.ndjson", "p.xml"] {
        let passages = read_with(name, text.as_bytes(), options("title=name, text=body,source=link")).unwrap();
        assert_eq!(
            passages[0],
            Passage {
                id: "7".into(),
                title: "Iron".into(),
                text: "A metal.".into(),
                source: Some("https://example.org".into()),
                ..Passage::default()
            }
        );
        assert_eq!((passages[1].id.as_str(), passages[1].title.as_str()), ("3", "Tin"));
    }
    let archived = archive(&[("a.jsonl", text)]);
    assert_eq!(read_with("p.tar.gz", &gzipped(&archived), options("title=name,text=body")).unwrap().len(), 2);
    let swapped = "{\"title\":\"A metal.\",\"text\":\"Iron\",\"id\":\"x\"}";
    let passages = read_with("p.jsonl", swapped.as_bytes(), options("title=text,text=title")).unwrap();
    assert_eq!((passages[0].title.as_str(), passages[0].text.as_str()), ("Iron", "A metal."));
    let error = |fields: &str| read_with("p.jsonl", text.as_bytes(), options(fields)).unwrap_err().to_string();
    for (fields, reason) in [
        ("title=name,text=content", "p.jsonl line 1 is not a passage (it has no field \"content\")"),
        ("title=name", "(the field \"text\" is no text)"),
        ("title=name,text=body,id=key", "(it has no field \"key\")"),
        ("title=name,text=body,names=link", "(invalid type: string"),
    ] {
        assert!(error(fields).contains(reason), "{}", error(fields));
    }
    let broken = read_with("p.jsonl", b"\xef\xbb\xbf{\"name\":", options("title=name")).unwrap_err().to_string();
    assert!(broken.contains("line 1 is not a passage (EOF while parsing"), "{broken}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "one").unwrap();
    let error = Passages::open_with(folder.path(), options("title=name")).err().unwrap();
    assert!(matches!(error, CorpusError::NoFields { .. }), "{error}");
}

#[test]
fn fields_that_make_no_sense_are_refused() {
    let error = |fields: &str| fields.parse::<Fields>().unwrap_err();
    assert_eq!(error("titel=name"), FieldsError::Unknown("titel".into()));
    assert_eq!(
        error("titel=name").to_string(),
        "a passage has no field \"titel\": name id, title, section, text, source, names, such as \
         title=name,text=body"
    );
    assert_eq!(error("title"), FieldsError::NoName("title"));
    assert_eq!(error("text= "), FieldsError::NoName("text"));
    assert_eq!(error("text=a,text=b"), FieldsError::Twice("text"));
    assert_eq!(error(""), FieldsError::Unknown(String::new()));
}
