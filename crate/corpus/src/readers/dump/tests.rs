use super::*;
use std::fs;
use std::io::Write;

use bzip2::Compression;
use bzip2::write::BzEncoder;
use evident_index::{BuildOptions, Index, MemoryStorage, assemble};
use futures_lite::future::block_on;
use proptest::prelude::*;

use crate::{Facts, Passages, ReadOptions};

const HEAD: &str = r#"<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="de">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <base>https://de.example.org/wiki/Wikipedia:Hauptseite</base>
    <namespaces>
      <namespace key="-2" case="first-letter">Medium</namespace>
      <namespace key="0" case="first-letter" />
      <namespace key="6" case="first-letter">Datei</namespace>
      <namespace key="14" case="first-letter">Kategorie</namespace>
    </namespaces>
  </siteinfo>
"#;

fn page(title: &str, namespace: u32, id: u32, redirect: &str, text: &str) -> String {
    let text = quick_xml::escape::escape(text);
    format!(
        "  <page>\n    <title>{title}</title>\n    <ns>{namespace}</ns>\n    <id>{id}</id>\n{redirect}    <revision>\n      \
         <id>999</id>\n      <contributor><username>A</username><id>5</id></contributor>\n      <model>wikitext</model>\n      \
         <format>text/x-wiki</format>\n      <text bytes=\"9\" xml:space=\"preserve\">{text}</text>\n    </revision>\n  </page>\n"
    )
}

fn dump() -> String {
    let redirect = "    <redirect title=\"Iron\" />\n";
    let long = (0..130).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    [
        HEAD,
        &page("Iron", 0, 12, "", "'''Iron''' &ndash; \"Fe\" <5. [[Datei:a.png|thumb|A lump]]\n[[Kategorie:Metals]]\n== Rust & air ==\nIt rusts."),
        &page("Ferrum", 0, 13, redirect, "#REDIRECT [[Iron]]"),
        &page("Talk:Iron", 1, 14, "", "Nice page."),
        &page("C++ &amp; C#", 0, 15, "", &long),
        "</mediawiki>\n",
    ]
    .concat()
}

fn read(name: &str, bytes: &[u8]) -> Result<Vec<Passage>, CorpusError> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    fs::write(&path, bytes).unwrap();
    Passages::open(&path)?.collect()
}

fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn articles_become_passages_and_nothing_else_does() {
    let passages = read("wiki.xml", dump().as_bytes()).unwrap();
    let ids: Vec<_> = passages.iter().map(|passage| passage.id.as_str()).collect();
    assert_eq!(ids, ["12#1", "12#2", "15#1", "15#2"]);
    let iron = &passages[0];
    assert_eq!((iron.title.as_str(), iron.section.as_deref()), ("Iron", None));
    assert_eq!(iron.text, "Iron – \"Fe\" <5.");
    assert_eq!(iron.source.as_deref(), Some("https://de.example.org/wiki/Iron"));
    assert_eq!(passages[1].text, "It rusts.");
    assert_eq!(passages[2].title, "C++ & C#");
    assert_eq!(passages[2].source.as_deref(), Some("https://de.example.org/wiki/C%2B%2B_%26_C%23"));
    assert_eq!(passages[3].text.split(' ').count(), 30);
}

#[test]
fn a_section_is_part_of_the_link() {
    let text = page("Iron", 0, 12, "", "== Rust & air ==\nIt rusts.");
    let passages = read("wiki.xml", format!("{HEAD}{text}</mediawiki>").as_bytes()).unwrap();
    assert_eq!(passages[0].section.as_deref(), Some("Rust & air"));
    assert_eq!(passages[0].source.as_deref(), Some("https://de.example.org/wiki/Iron#Rust_%26_air"));
}

#[test]
fn facts_are_passages_of_their_own_unless_they_are_left_out() {
    let table = "{| class=\"wikitable\"\n! Moon !! Radius\n|-\n| Phobos || 11 km\n|}";
    let text = format!(
        "{{{{Infobox element|name=iron|number=26|melting=1538 °C}}}}\n'''Iron''' is a metal.\n{table}\n== Rust ==\nRed."
    );
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("wiki.xml");
    fs::write(&path, format!("{HEAD}{}</mediawiki>", page("Iron", 0, 12, "", &text))).unwrap();
    let options = |facts| ReadOptions { facts, ..ReadOptions::default() };
    let read = |facts| Passages::open_with(&path, options(facts)).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
    let passages = read(Facts::Read);
    assert_eq!(passages.len(), 3);
    assert_eq!([&passages[0].text, &passages[1].text], ["Iron is a metal.", "Red."]);
    let facts = &passages[2];
    assert_eq!((facts.id.as_str(), facts.title.as_str(), facts.section.as_deref()), ("12#3", "Iron", Some("Facts")));
    assert_eq!(facts.text, "Iron: number: 26.\nIron: melting: 1538 °C.\nIron: Phobos: Radius: 11 km.");
    assert_eq!(facts.source.as_deref(), Some("https://de.example.org/wiki/Iron"));
    assert_eq!(read(Facts::LeftOut), passages[..2]);
}

#[test]
fn redirects_and_bold_names_are_further_names_of_their_article() {
    let redirect = |title: &str, id: u32, attribute: &str, text: &str| {
        let attribute = format!("    <redirect title=\"{attribute}\" />\n");
        page(title, 0, id, if attribute.contains("\"\"") { "" } else { &attribute }, text)
    };
    let hatnote = ":''For the '''album''', see [[Iron (album)]].''\n{{Infobox element|name='''Fe'''}}\n";
    let text = "'''Iron''' (or '''''ferrum''''', ''sideros'') is a '''[[metal|Metal No. 26]]'''. '''Rust''' is red.\nA '''lump'''.";
    let pages = [
        redirect("Native iron", 1, "Iron", "#REDIRECT [[Iron]]"),
        redirect("Fer &amp; Co", 2, "", "#redirect: [[:iron|Iron]] {{R from move}}"),
        redirect("Eisen", 3, "Iron", "#WEITERLEITUNG [[Iron]]"),
        page("Iron", 0, 12, "", &format!("{hatnote}{text}\n{}", "word ".repeat(150))),
        redirect("IRON", 4, "Iron", "#REDIRECT [[Iron]]"),
        redirect("Rusting", 5, "Iron", "#REDIRECT [[Iron#Rust|rust]]"),
        redirect("Sideros (metal)", 6, "Iron", "#REDIRECT [[Iron]]"),
        redirect("Gold ore", 7, "Gold", "#REDIRECT [[Gold]]"),
        page("Talk:Fe", 1, 8, "    <redirect title=\"Iron\" />\n", "#REDIRECT [[Iron]]"),
        redirect(&"long ".repeat(60), 9, "Iron", "#REDIRECT [[Iron]]"),
        page("List of ores", 0, 10, "", "Many '''ores''' are [[Iron]]."),
    ];
    let passages = read("wiki.xml", format!("{HEAD}{}</mediawiki>", pages.concat()).as_bytes()).unwrap();
    let ids: Vec<_> = passages.iter().map(|passage| passage.id.as_str()).collect();
    assert_eq!(ids, ["12#1", "12#2", "12#3", "10#1"]);
    let names = ["ferrum", "Metal No. 26", "Native iron", "Fer & Co", "Eisen", "Sideros (metal)"];
    assert!(passages[..3].iter().all(|passage| passage.names == names), "{:?}", passages[0].names);
    assert_eq!(passages[3].names, ["ores"]);
    // A lead that is a list or a heading names nothing, and of many names some are left out.
    let many: String = (0..40).map(|n| redirect(&format!("Name{n}"), 20 + n, "Iron", "#REDIRECT [[Iron]]")).collect();
    let heading = page("Iron", 0, 12, "", "== Uses of '''steel''' ==\n'''Steel''' is used.");
    let passages = read("wiki.xml", format!("{HEAD}{many}{heading}</mediawiki>").as_bytes()).unwrap();
    assert_eq!(passages[0].names, (0..16).map(|n| format!("Name{n}")).collect::<Vec<_>>());
}

#[test]
fn a_claim_with_another_name_finds_the_article() {
    let pages = [
        page("Edson Arantes Nascimento", 0, 1, "    <redirect title=\"Pelé\" />\n", "#REDIRECT [[Pelé]]"),
        page("Pelé", 0, 2, "", "'''Pelé''', the '''Black Pearl''', was a footballer of Brazil."),
        page(
            "Pearl",
            0,
            3,
            "",
            "A '''pearl''' may be black, of Brazil or not, and Edson was a pearl fisher in Nascimento.",
        ),
    ];
    let passages = read("wiki.xml", format!("{HEAD}{}</mediawiki>", pages.concat()).as_bytes()).unwrap();
    let files = assemble(passages.into_iter().map(Ok), &BuildOptions::default()).unwrap().1;
    let index = block_on(Index::open(MemoryStorage(files))).unwrap();
    for claim in ["Edson Arantes Nascimento was born in 1940.", "In Brazil the Black Pearl was loved."] {
        assert_eq!(block_on(index.search(claim, 1)).unwrap()[0].passage.title, "Pelé", "{claim}");
    }
}

#[test]
fn a_redirect_is_no_article_in_whatever_case() {
    for text in ["#REDIRECT [[Iron]]", "#redirect [[Iron]]", "\n#Redirect: [[Iron]] {{R from move}}", "#rEDIRECT[[a]]"]
    {
        let dump = format!("{HEAD}{}</mediawiki>", page("Ferrum", 0, 13, "", text));
        assert!(read("wiki.xml", dump.as_bytes()).unwrap().is_empty(), "{text}");
    }
    let dump = format!("{HEAD}{}</mediawiki>", page("List", 0, 13, "", "#redirected [[Iron]] ore"));
    assert_eq!(read("wiki.xml", dump.as_bytes()).unwrap().len(), 1);
}

#[test]
fn a_compressed_dump_is_read_in_one_stream_or_many() {
    let (dump, plain) = (dump(), read("wiki.xml", dump().as_bytes()).unwrap());
    assert_eq!(read("wiki.xml.bz2", &compressed(&dump)).unwrap(), plain);
    let streams: Vec<u8> = dump.split_inclusive("</page>").flat_map(compressed).collect();
    assert_eq!(read("wiki.xml.bz2", &streams).unwrap(), plain);
}

#[test]
fn a_dump_cut_short_is_told_after_its_whole_pages() {
    let dump = dump();
    let cut = dump.find("    <title>C++").unwrap();
    let error = read("wiki.xml", &dump.as_bytes()[..cut]).unwrap_err().to_string();
    assert!(error.ends_with("wiki.xml is cut short after line 53: fetch it again"), "{error}");
    let bytes = compressed(&dump);
    let error = read("wiki.xml.bz2", &bytes[..bytes.len() / 2]).unwrap_err().to_string();
    let place = format!("wiki.xml.bz2 is damaged at byte {} (it ends too early): fetch it again", bytes.len() / 2);
    assert!(error.ends_with(&place), "{error}");
}

#[test]
fn what_is_no_dump_is_told_with_its_line() {
    let error = |text: &str| read("wiki.xml", text.as_bytes()).unwrap_err().to_string();
    assert!(
        error("<?xml version=\"1.0\"?>\n<html><p/></html>")
            .contains("line 2 is not that of a MediaWiki dump (it does not begin")
    );
    assert!(error("").contains("(it has no <mediawiki>)"));
    assert!(error("<mediawiki>\n<page>\n</title>").contains("line 3 is not"));
    let error = read("wiki.xml.bz2", b"no bzip2").unwrap_err();
    assert!(matches!(error, CorpusError::Damaged { .. }), "{error}");
}

#[test]
fn a_line_of_a_megabyte_is_a_line() {
    let text = format!("{{{{efn|{}}}}}{}", "a".repeat(1 << 20), "word ".repeat(1 << 18));
    let passages = read("wiki.xml", format!("{HEAD}{}</mediawiki>", page("Long", 0, 1, "", &text)).as_bytes()).unwrap();
    assert_eq!(passages.len(), (1_usize << 18).div_ceil(evident_index::WORDS));
}

proptest! {
    #[test]
    fn no_bytes_make_reading_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read("wiki.xml", &bytes);
        let _ = read("wiki.xml.bz2", &bytes);
    }

    #[test]
    fn no_change_of_a_byte_makes_reading_panic(at in any::<proptest::sample::Index>(), byte: u8) {
        let mut bytes = dump().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = read("wiki.xml", &bytes);
    }
}

#[test]
fn a_small_file_that_expands_without_end_is_refused_at_a_stated_size() {
    // 96 MiB in a few hundred bytes: one element of text, one of references, one line of JSON. And markup, which takes
    // a multiple of its bytes while it is read.
    let long = |piece: &str| piece.repeat((96 << 20) / piece.len());
    let dump =
        |text: &str| format!("<mediawiki><page><title>A</title><ns>0</ns><text>{text}</text></page></mediawiki>");
    let files = [
        ("wiki.xml.bz2", dump(&long("a"))),
        ("wiki.xml.bz2", dump(&long(&("a".repeat(1000) + "&lt;")))),
        ("wiki.xml.bz2", dump(&"[[a]] ".repeat((24 << 20) / 6))),
        ("passages.jsonl.bz2", format!("{{\"text\": \"{}\"}}", long("a"))),
    ];
    for (name, text) in files {
        let bytes = compressed(&text);
        assert!(bytes.len() < 30_000, "{}", bytes.len());
        assert!(matches!(read(name, &bytes), Err(CorpusError::TooLong { line: 1, .. })), "{name}");
    }
}

#[test]
fn redirects_that_take_more_than_the_memory_are_refused() {
    let pages: String = (0..1000).map(|n| page(&format!("R{n}"), 0, n + 20, "", "#REDIRECT [[Iron]]")).collect();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("wiki.xml");
    fs::write(&path, format!("{HEAD}{}{pages}</mediawiki>", page("Iron", 0, 12, "", "Iron rusts."))).unwrap();
    let read = |memory| {
        let how = ReadOptions { memory, ..ReadOptions::default() };
        Passages::open_with(&path, how)?.collect::<Result<Vec<_>, _>>()
    };
    assert_eq!(read(1 << 20).unwrap().len(), 1);
    assert!(matches!(read(10_000), Err(CorpusError::NoMemory { most: 10_000, .. })));
}
