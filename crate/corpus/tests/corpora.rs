//! Folders and JSONL files as passages.

use std::fs;
use std::path::Path;

use evident_corpus::{CorpusError, Passages};
use evident_index::{Passage, WORDS};
use proptest::prelude::*;

fn read(path: &Path) -> Result<Vec<Passage>, CorpusError> {
    Passages::open(path)?.collect()
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

#[test]
fn a_folder_is_read_by_name_whatever_its_depth() {
    let long = "word ".repeat(WORDS + WORDS / 2);
    let folder = folder(&[
        ("b.txt", b"Iron is\na metal.\n\nIt rusts."),
        ("a/deep.TXT", long.as_bytes()),
        (".hidden/c.txt", b"no"),
        ("picture.png", b"\xff\xd8"),
    ]);
    let passages = read(folder.path()).unwrap();
    let ids: Vec<_> = passages.iter().map(|passage| passage.id.as_str()).collect();
    assert_eq!(ids, ["a/deep.TXT#1", "a/deep.TXT#2", "b.txt#1"]);
    assert_eq!(passages[2].text, "Iron is a metal.\nIt rusts.");
    assert_eq!((passages[2].title.as_str(), passages[2].source.as_deref()), ("b", Some("b.txt")));
}

#[test]
fn one_file_of_text_is_read_as_in_its_folder() {
    let folder = folder(&[("b.txt", b"Iron is\na metal."), ("c.md", b"# Tin\n\nTin is soft.")]);
    let all: Vec<_> = ["b.txt", "c.md"].into_iter().flat_map(|name| read(&folder.path().join(name)).unwrap()).collect();
    assert_eq!(all, read(folder.path()).unwrap());
    assert_eq!((all[1].title.as_str(), all[1].id.as_str()), ("Tin", "c.md#1"));
}

#[test]
#[cfg(unix)]
fn no_link_leads_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let outside = folder(&[("secret.txt", b"secret")]);
    let inside = folder(&[("a.txt", b"one")]);
    symlink(outside.path().join("secret.txt"), inside.path().join("out.txt")).unwrap();
    symlink("a.txt", inside.path().join("within.txt")).unwrap();
    let ids: Vec<_> = read(inside.path()).unwrap().into_iter().map(|passage| passage.id).collect();
    assert_eq!(ids, ["a.txt#1", "within.txt#1"]);
}

#[test]
fn markdown_is_read_as_prose() {
    let text = "---\nlayout: x\n---\n# The *metal* iron\n\nIron [rusts](https://x.org) in `wet`\nair. ![a lump](a.png)\n\n```sh\nrm\n```\n\n\
                <div>no</div>\n\n## Uses\n\n- steel\n  - beams\n- nails<br/>screws<BR>bolts\n\n| a | b |\n|---|---|\n| c | d |\n";
    let folder = folder(&[("iron.md", text.as_bytes())]);
    let passages = read(folder.path()).unwrap();
    let told: Vec<_> = passages.iter().map(|p| (p.id.as_str(), p.section.as_deref(), p.text.as_str())).collect();
    let uses = "steel\nbeams\nnails screws bolts\na b\nc d";
    assert_eq!(told, [("iron.md#1", None, "Iron rusts in wet air. a lump"), ("iron.md#2", Some("Uses"), uses)]);
    assert!(passages.iter().all(|passage| passage.title == "The metal iron"));
}

#[test]
fn of_markdown_only_what_a_reader_sees_as_prose_is_read() {
    let text = "# Tarn\n\nTarn ~~was~~ is old.[^1] It has 2×10<sup>30</sup> grains of H<sub>2</sub>O.\n\n\
                - [x] Ool is long\n\n[^1]: Ruiz, 1999.\n";
    let folder = folder(&[("a.md", text.as_bytes())]);
    assert_eq!(read(folder.path()).unwrap()[0].text, "Tarn is old. It has 2×10³⁰ grains of H₂O.\nOol is long");

    let unclosed = "Tarn is 5 m<sup>2\n\nÉé</sup> is old.\n\n# A<sub>é\n\néé</sub>";
    let folder = self::folder(&[("a.md", unclosed.as_bytes())]);
    assert_eq!(read(folder.path()).unwrap()[0].text, "Tarn is 5 m2\nÉé is old.\néé", "a tag ends with its paragraph");
}

#[test]
fn a_markdown_file_of_several_titles_has_as_many_articles() {
    let text = "# Iron\n\nOther names: ferrum; Fe\nSource: https://example.org/wiki/Iron_(metal)\nWikipedia: Iron\n\n\
                Iron is a metal.\n\n## Rust\n\nIt rusts.\n\n# Tin\n\nSource: https://example.org/wiki/Tin\n\n\
                Tin is soft.\n\nSource: this is prose.\n";
    let folder = folder(&[("a/metals.md", text.as_bytes()), ("b.md", b"# Zinc\n\nOther names: Zn\n\nZinc is blue.")]);
    let passages = read(folder.path()).unwrap();
    let told: Vec<_> = passages.iter().map(|p| (p.id.as_str(), p.section.as_deref(), p.text.as_str())).collect();
    assert_eq!(
        told,
        [
            ("a/metals.md/1#1", None, "Iron is a metal."),
            ("a/metals.md/1#2", Some("Rust"), "It rusts."),
            ("a/metals.md/2#1", None, "Tin is soft.\nSource: this is prose."),
            ("b.md#1", None, "Zinc is blue."),
        ]
    );
    for iron in &passages[..2] {
        assert_eq!((iron.title.as_str(), &iron.names[..]), ("Iron", &["ferrum".to_owned(), "Fe".to_owned()][..]));
        assert_eq!(iron.source.as_deref(), Some("https://example.org/wiki/Iron_(metal)"));
    }
    let tin = &passages[2];
    assert_eq!((tin.title.as_str(), tin.names.len()), ("Tin", 0));
    assert_eq!(tin.source.as_deref(), Some("https://example.org/wiki/Tin"));
    assert_eq!((passages[3].source.as_deref(), &passages[3].names[..]), (Some("b.md"), &["Zn".to_owned()][..]));
}

#[test]
fn pages_of_html_are_read_as_prose() {
    let page = "<!doctype html><html><head><title>Iron &amp; rust</title><style>p > a {}</style></head><body>\
                <nav>Home</nav><main><h1>Iron</h1><p><b>Iron</b> rusts in <i>wet</i>\nair.<h2>Uses</h2><ul><li>steel<li>nails\
                </ul><table><tr><th>Melting point</th><td>1538 °C</td></tr></table></main><footer>Imprint</footer>";
    let folder = folder(&[("a/iron.html", page.as_bytes()), ("b.HTM", b"<p>Tin."), ("c.xhtml", b"<p>\xff")]);
    let mut passages = Passages::open(folder.path()).unwrap();
    let iron = passages.next().unwrap().unwrap();
    assert_eq!((iron.id.as_str(), iron.title.as_str()), ("a/iron.html#1", "Iron & rust"));
    assert_eq!((iron.section.as_deref(), iron.source.as_deref()), (Some("Iron"), Some("a/iron.html")));
    assert_eq!((iron.text.as_str(), iron.names.len()), ("Iron rusts in wet air.", 0));
    let uses = passages.next().unwrap().unwrap();
    assert_eq!((uses.section.as_deref(), uses.text.as_str()), (Some("Uses"), "steel\nnails"));
    assert_eq!(passages.next().unwrap().unwrap().text, "Iron & rust: Melting point: 1538 °C.");
    let tin = passages.next().unwrap().unwrap();
    assert_eq!((tin.title.as_str(), tin.text.as_str()), ("b", "Tin."));
    assert_eq!(passages.next().unwrap().unwrap().text, "ÿ", "what is not UTF-8 is Windows-1252");
}

#[test]
fn a_page_is_read_in_the_encoding_that_it_names() {
    let meta = b"<!doctype html><html><head><meta charset=\"iso-8859-1\"><title>Caf\xe9</title></head><p>Caf\xe9 Ruiz.";
    let http = b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'><p>\xe4\xc1.";
    let utf16: Vec<u8> = "\u{feff}<p>Zürich.".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide: Vec<u8> = "\u{feff}Zürich is\na city.".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let wrong = b"<meta charset=utf-16><p>Iron.";
    let folder = folder(&[
        ("a.html", meta),
        ("b.html", http),
        ("c.html", &utf16),
        ("d.txt", &wide),
        ("e.md", &wide),
        ("f.html", wrong),
    ]);
    let passages = read(folder.path()).unwrap();
    let texts: Vec<_> = passages.iter().map(|passage| passage.text.as_str()).collect();
    assert_eq!(texts, ["Café Ruiz.", "Да.", "Zürich.", "Zürich is a city.", "Zürich is a city.", "Iron."]);
    assert_eq!(passages[0].title, "Café");
}

#[test]
fn the_title_of_an_image_is_not_that_of_the_page() {
    let page = b"<!doctype html><body><svg><title>Icon</title></svg><p>Brakto is new.</p>";
    assert_eq!(read(folder(&[("a.html", page)]).path()).unwrap()[0].title, "a");
}

#[test]
fn what_cannot_be_read_is_named_by_file_and_line() {
    let wrong = folder(&[("a.txt", b"one\ntwo\n\xff\n"), ("b.md", b"fine"), ("c.md", b"one\n\xff"), ("d.PDF", b"%")]);
    let mut passages = Passages::open(wrong.path()).unwrap();
    assert_eq!(passages.others().iter().collect::<Vec<_>>(), [(&".pdf".to_owned(), &1)]);
    let error = passages.next().unwrap().unwrap_err();
    assert!(error.is_of_one_file());
    assert!(
        error.to_string().ends_with("a.txt line 3 is not UTF-8 text: convert the file or take it out of the folder"),
        "{error}"
    );
    assert_eq!(passages.next().unwrap().unwrap().text, "fine", "the others of the folder are read");
    assert!(passages.next().unwrap().unwrap_err().is_of_one_file());
    assert!(passages.next().is_none());

    let markdown = folder(&[("c.md", b"one\n\xff")]);
    let alone = read(&markdown.path().join("c.md"));
    assert!(matches!(alone, Err(CorpusError::NotText { line: 2, .. })), "{alone:?}");
    assert!(matches!(read(folder(&[("a.png", b"")]).path()), Err(CorpusError::NoFiles { .. })));
    assert!(matches!(read(Path::new("nowhere")), Err(CorpusError::Read { .. })));
}

#[test]
fn lines_of_json_are_passages_as_they_are() {
    let folder =
        folder(&[("p.jsonl", b"{\"id\":1,\"title\":\"T\",\"text\":\"x\"}\n{\"id\":2,\"title\":\"T\",\"text\":\"y\"}")]);
    let mut passages = Passages::open(&folder.path().join("p.jsonl")).unwrap();
    assert_eq!(passages.by_ref().map(|passage| passage.unwrap().id).collect::<Vec<_>>(), ["1", "2"]);
    let bytes = fs::metadata(folder.path().join("p.jsonl")).unwrap().len();
    assert_eq!((passages.bytes_read(), passages.bytes()), (bytes, bytes));

    let marked =
        "\u{feff}{\"id\":1,\"title\":\"T\",\"text\":\"x\"}\r\n\r\n  \n{\"id\":2,\"title\":\"T\",\"text\":\"y\"}\r\n\n";
    fs::write(folder.path().join("p.jsonl"), marked).unwrap();
    assert_eq!(
        read(&folder.path().join("p.jsonl")).unwrap().len(),
        2,
        "a byte order mark and blank lines are passed over"
    );

    fs::write(folder.path().join("p.jsonl"), "{\"id\":1,\"title\":\"T\",\"text\":\"x\"}\n{\"id\":2}\n").unwrap();
    let error = read(&folder.path().join("p.jsonl")).unwrap_err().to_string();
    assert!(error.contains("p.jsonl line 2 is not a passage (missing field `title`, column 8)"), "{error}");
}

proptest! {
    #[test]
    fn no_bytes_make_reading_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), text: String) {
        for content in [&bytes[..], text.as_bytes()] {
            for name in ["a.txt", "a.md", "a.html", "a.jsonl", "a.ndjson", "a.tar", "a.json.tar.gz", "a.xml.bz2", "a.zim"] {
                let folder = folder(&[(name, content)]);
                let _ = read(&folder.path().join(name));
                let _ = read(folder.path());
            }
        }
    }
}
