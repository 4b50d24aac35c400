//! ZIM archives are read as libzim, Kiwix's own library, reads them (tests/parity/zim); damaged ones are refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use evident_corpus::{CorpusError, Facts, Passages, ReadOptions};
use evident_index::{ErrorCode, Passage};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;
use tempfile::TempDir;

const ARCHIVES: [&str; 3] = ["new.zim", "old.zim", "large.zim"];

#[derive(Deserialize)]
struct Golden {
    archives: BTreeMap<String, Vec<Item>>,
}

/// An article as libzim reads it.
#[derive(Deserialize)]
struct Item {
    path: String,
    title: String,
    redirects: Vec<String>,
    html: String,
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/zim").join(name)
}

fn archive(name: &str) -> Vec<u8> {
    fs::read(fixture(name)).unwrap()
}

fn golden() -> BTreeMap<String, Vec<Item>> {
    let Golden { archives } = serde_json::from_slice(&archive("golden.json")).unwrap();
    archives
}

fn file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn read(bytes: &[u8]) -> Result<Vec<Passage>, CorpusError> {
    let (_folder, path) = file("a.zim", bytes);
    Passages::open(&path)?.collect()
}

/// The number at a place of an archive.
fn number(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
}

/// The archive with its checksum made right.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    use md5::{Digest, Md5};
    let end = bytes.len() - 16;
    let checksum = Md5::digest(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum);
    bytes
}

fn damage(bytes: &[u8]) -> (u64, String) {
    match read(bytes).unwrap_err() {
        CorpusError::Damaged { offset, reason, .. } => (offset, reason),
        error => panic!("{error}"),
    }
}

/// The passages by their ids, with what differs between kinds of corpora left out.
fn by_id(passages: Vec<Passage>, id: impl Fn(&str) -> String) -> BTreeMap<String, Passage> {
    passages
        .into_iter()
        .map(|passage| (id(&passage.id), Passage { source: None, id: String::new(), ..passage }))
        .collect()
}

#[test]
fn articles_are_those_that_libzim_reads() {
    for (name, items) in golden() {
        // What libzim reads, as an HTML dump: the article's text comes from the same reader.
        let line = |(identifier, item): (usize, &Item)| {
            let Item { title, redirects, html, .. } = item;
            let redirects: Vec<_> = redirects.iter().map(|name| json!({ "name": name })).collect();
            json!({ "name": title, "identifier": identifier, "redirects": redirects, "article_body": { "html": html } })
        };
        let lines: String = items.iter().enumerate().map(line).map(|line| format!("{line}\n")).collect();
        let (_folder, path) = file("wiki.ndjson", lines.as_bytes());
        let mut theirs = by_id(Passages::open(&path).unwrap().map(Result::unwrap).collect(), |id| {
            let (item, passage) = id.split_once('#').unwrap();
            format!("{}#{passage}", items[item.parse::<usize>().unwrap()].path)
        });
        // What is bold in a page that is no wiki's names nothing.
        theirs.iter_mut().filter(|(id, _)| id.starts_with("plain#")).for_each(|(_, passage)| passage.names.clear());
        let passages: Vec<_> = Passages::open(&fixture(&name)).unwrap().map(Result::unwrap).collect();
        assert!(passages.len() > items.len(), "{name}");
        assert_eq!(by_id(passages, str::to_owned), theirs, "{name}");
    }
}

#[test]
fn an_article_has_its_title_its_names_and_its_address() {
    for name in ARCHIVES {
        let passages = read(&archive(name)).unwrap();
        let of = |id: &str| passages.iter().find(|passage| passage.id == id).unwrap();
        let iron = of("Iron#1");
        assert_eq!(iron.text, "Iron or ferrum is a metal. Its sign is Fe.");
        assert_eq!((iron.title.as_str(), iron.section.as_deref()), ("Iron", None));
        assert_eq!(iron.source.as_deref(), Some("https://en.example.org/wiki/Iron"));
        assert_eq!(iron.names, ["ferrum", "Fe", "Ferrum (metal)"]);
        let rust = of("Iron#2");
        assert_eq!((rust.section.as_deref(), rust.text.as_str()), (Some("Rust & air"), "It rusts."));
        assert_eq!(rust.source.as_deref(), Some("https://en.example.org/wiki/Iron#Rust_%26_air"));
        assert_eq!(rust.names, iron.names);
        assert_eq!(of("Iron#3").text, "Iron: Melting point: 1538 °C.");
        assert_eq!(of("Ga/llium,_the_metal#1").title, "Ga/llium, the metal");
        assert_eq!(of("Ga/llium,_the_metal#1").source.as_deref(), Some("Ga/llium,_the_metal"));
        let plain = of("plain#1");
        assert_eq!((plain.section.as_deref(), plain.names.len()), (Some("No wiki"), 0));
        assert!(passages.iter().all(|passage| !["Main", "A frame"].contains(&passage.title.as_str())), "{name}");
        let tin = of("Tin#1");
        assert_eq!(tin.names.iter().any(|name| name == "Stannum"), name == "new.zim");
    }
    let options = ReadOptions { facts: Facts::LeftOut, ..ReadOptions::default() };
    let passages = Passages::open_with(&fixture("old.zim"), options).unwrap();
    assert!(passages.map(Result::unwrap).all(|passage| passage.section.as_deref() != Some("Facts")));
}

#[test]
fn all_bytes_are_counted() {
    for name in ARCHIVES {
        let mut passages = Passages::open(&fixture(name)).unwrap();
        assert!(passages.by_ref().all(|passage| passage.is_ok()));
        assert_eq!(passages.bytes_read(), passages.bytes());
        assert_eq!(passages.bytes(), archive(name).len() as u64);
        assert!(passages.next().is_none());
    }
}

#[test]
fn what_is_no_archive_is_refused_with_what_to_give() {
    let whole = archive("old.zim");
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let method = number(&whole, number(&whole, 48)); // where the first cluster says how it is compressed
    for (bytes, reason) in [
        (b"PK".to_vec(), "it does not begin as one"),
        (vec![b'Z'; 100], "it does not begin as one"),
        (with(4, 4), "its version is 4"),
        (with(56, 8), "it has no checksum"),
        (with(method, 3), &format!("the cluster at byte {method} is compressed by method 3")),
    ] {
        let error = read(&bytes).unwrap_err();
        assert_eq!(error.code(), ErrorCode::BadPassages);
        let told =
            format!("a.zim is not a ZIM archive that can be read ({reason}): give one of version 5 or 6, in one file");
        assert!(error.to_string().ends_with(&told), "{error}");
    }
}

#[test]
fn damage_is_named_by_its_place() {
    for name in ARCHIVES {
        let whole = archive(name);
        let end = whole.len() - 16;
        let (offset, reason) = damage(&whole[..end]);
        assert_eq!((offset, reason.as_str()), (end as u64, "it ends too early"), "{name}");

        let mut bytes = whole.clone();
        bytes[end + 3] ^= 1;
        assert_eq!(damage(&bytes), (end as u64, "its MD5 is not that of its bytes".into()), "{name}");

        // A bit that changes no article: only the checksum shows it.
        let mut bytes = whole.clone();
        bytes[9] ^= 1; // of the archive's identifier
        assert_eq!(damage(&bytes).0, end as u64, "{name}");

        let clusters = number(&whole, 48);
        let first = number(&whole, clusters);
        let mut bytes = whole.clone();
        bytes[first + 1..first + 40].fill(0xa5);
        let (offset, _) = damage(&bytes);
        assert!((first as u64..=whole.len() as u64).contains(&offset), "{name}: {offset}");

        let mut bytes = whole.clone();
        bytes[clusters..clusters + 8].copy_from_slice(&(whole.len() as u64 + 1).to_le_bytes());
        assert_eq!(damage(&bytes), (whole.len() as u64, format!("it goes on at byte {}", whole.len() + 1)), "{name}");

        let entries = number(&whole, 32);
        let mut bytes = whole.clone();
        bytes[entries + 7] = 0xff;
        assert!(damage(&bytes).1.starts_with("it goes on at byte "), "{name}");
    }
}

#[test]
fn what_a_cluster_claims_is_not_believed() {
    let whole = archive("large.zim");
    // Its third cluster is not compressed, and has wide offsets; articles are moved there.
    let cluster = number(&whole, number(&whole, 48) + 16);
    let entries = number(&whole, 32);
    let iron = (0..)
        .map(|entry| number(&whole, entries + 8 * entry))
        .find(|&at| whole[at + 16..].starts_with(b"Iron\0"))
        .unwrap();
    let moved = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        bytes[iron + 8..iron + 16].copy_from_slice(&[2, 0, 0, 0, 0, 0, 0, 0]);
        change(&mut bytes);
        sealed(bytes)
    };
    assert!(read(&moved(&|_| {})).is_ok());
    let first = cluster + 1;
    for (offset, reason) in [
        (0_u64, "the offsets of its blobs make no sense"),
        (7, "the offsets of its blobs make no sense"),
        (u64::MAX - 7, ""),
        (1 << 40, ""),
        (8, "it has fewer blobs than are named"),
    ] {
        let bytes = moved(&|bytes| bytes[first..first + 8].copy_from_slice(&offset.to_le_bytes()));
        assert!(damage(&bytes).1.ends_with(reason), "{offset}: {}", damage(&bytes).1);
    }
    let long = moved(&|bytes| bytes[first + 8..first + 24].copy_from_slice(&[[255; 8], [255; 8]].concat()));
    assert!(damage(&long).1.contains("bytes, of 67108864 at most"), "{}", damage(&long).1);
    let beyond = moved(&|bytes| bytes[iron + 8] = 9);
    assert!(damage(&beyond).1.ends_with("it has no cluster 9"));
}

#[test]
fn a_small_archive_does_not_expand_without_end() {
    // All of its entries are in one cluster, which is named a thousand times.
    let whole = archive("old.zim");
    let mut bytes = whole.clone();
    let cluster = number(&whole, number(&whole, 48)) as u64;
    let start = bytes.len() - 16;
    let article = |cluster: u32| [&[0, 0, 0, b'A', 0, 0, 0, 0], &cluster.to_le_bytes()[..], &[0; 4], b"x\0\0"].concat();
    bytes.truncate(start);
    let count = 1000_u32;
    let places: Vec<u64> = (0..count).map(|n| start as u64 + u64::from(n) * 19).collect();
    (0..count).for_each(|n| bytes.extend(article(n)));
    let pointers = bytes.len() as u64;
    places.iter().for_each(|place| bytes.extend(place.to_le_bytes()));
    let lists = bytes.len() as u64;
    (0..count).for_each(|_| bytes.extend(cluster.to_le_bytes()));
    bytes[24..28].copy_from_slice(&count.to_le_bytes());
    bytes[28..32].copy_from_slice(&count.to_le_bytes());
    bytes[32..40].copy_from_slice(&pointers.to_le_bytes());
    bytes[48..56].copy_from_slice(&lists.to_le_bytes());
    let end = bytes.len() as u64;
    bytes[72..80].copy_from_slice(&end.to_le_bytes());
    bytes.extend([0; 16]);
    assert!(damage(&sealed(bytes)).1.contains("its clusters overlap"));
}

/// An archive of these entries and clusters, with the header and the MIME types of old.zim; 0 is HTML.
fn made(entries: &[Vec<u8>], clusters: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = archive("old.zim");
    bytes.truncate(bytes.len() - 16);
    for (parts, count, list) in [(entries, 24, 32), (clusters, 28, 48)] {
        let mut places = Vec::new();
        for part in parts {
            places.extend((bytes.len() as u64).to_le_bytes());
            bytes.extend(part);
        }
        let start = bytes.len() as u64;
        bytes.extend(places);
        bytes[count..count + 4].copy_from_slice(&(parts.len() as u32).to_le_bytes());
        bytes[list..list + 8].copy_from_slice(&start.to_le_bytes());
    }
    bytes[64..68].fill(0xff); // no main page
    let end = bytes.len() as u64;
    bytes[72..80].copy_from_slice(&end.to_le_bytes());
    bytes.extend([0; 16]);
    sealed(bytes)
}

fn article(path: &str, cluster: u32, blob: u32) -> Vec<u8> {
    let place = [cluster.to_le_bytes(), blob.to_le_bytes()].concat();
    [&[0, 0, 0, b'A', 0, 0, 0, 0], &place[..], path.as_bytes(), b"\0\0"].concat()
}

fn redirect(path: &str, target: u32) -> Vec<u8> {
    [&[0xff, 0xff, 0, b'A', 0, 0, 0, 0], &target.to_le_bytes()[..], path.as_bytes(), b"\0\0"].concat()
}

/// A cluster that is not compressed.
fn plain(html: &str) -> Vec<u8> {
    let offsets = [8, 8 + html.len() as u32].map(u32::to_le_bytes);
    [&[1], &offsets.concat()[..], html.as_bytes()].concat()
}

/// A cluster of `zeros` times 128 KiB of zeros, as Zstandard says it by one byte for all of them (RFC 8878, 3.1.1.2),
/// and of an article.
fn expanding(zeros: u32, html: &str) -> Vec<u8> {
    const BLOCK: u32 = 128 << 10;
    let offsets = [12, 12 + zeros * BLOCK, 12 + zeros * BLOCK + html.len() as u32].map(u32::to_le_bytes).concat();
    let header = |last: u32, kind: u32, size: u32| (last | kind << 1 | size << 3).to_le_bytes()[..3].to_vec();
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3]; // a window of 128 KiB
    let repeated = [header(0, 1, BLOCK), vec![0]].concat().repeat(zeros as usize);
    let (first, last) = (header(0, 0, 12), header(1, 0, html.len() as u32));
    [&[5], &frame[..], &first, &offsets, &repeated, &last, html.as_bytes()].concat()
}

const IRON: &str = "<p>Iron is a metal. It rusts in wet air.</p>";

#[test]
fn clusters_do_not_expand_without_end_together() {
    let articles = |clusters: u32| (0..clusters).map(|n| article(&format!("n{n}"), n, 1)).collect::<Vec<_>>();
    let mebibytes = |count: u32| expanding(8 * count, IRON);
    // An archive of a few kilobytes may expand to 64 MiB.
    let within = read(&made(&articles(2), &[mebibytes(20), mebibytes(40)])).unwrap();
    assert_eq!(within.iter().map(|passage| passage.title.as_str()).collect::<Vec<_>>(), ["n0", "n1"]);
    let (_, reason) = damage(&made(&articles(2), &[mebibytes(40), mebibytes(40)]));
    assert!(reason.contains(": it expands to ") && reason.ends_with(" are allowed"), "{reason}");
    let (_, reason) = damage(&made(&articles(1), &[mebibytes(65)]));
    assert!(reason.contains(": it expands to "), "{reason}");
}

#[test]
fn entries_that_overlap_are_refused() {
    let long = article(&"y".repeat(3000), 0, 0);
    let mut bytes = made(&[vec![article("x", 0, 0); 999], vec![long]].concat(), &[plain(IRON)]);
    assert!(read(&bytes).is_ok());
    let entries = number(&bytes, 32);
    let last = bytes[entries + 8 * 999..][..8].to_vec();
    (0..999).for_each(|n| bytes[entries + 8 * n..][..8].copy_from_slice(&last));
    assert!(damage(&sealed(bytes)).1.contains("its entries overlap"));
    // Entries without a title do not count twice: names alone may be most of an archive.
    let names: Vec<_> = (0..2000).map(|n| redirect(&format!("{}{n}", "z".repeat(60)), 2000)).collect();
    assert!(read(&made(&[names, vec![article("Iron", 0, 0)]].concat(), &[plain(IRON)])).is_ok());
}

#[test]
fn redirects_are_followed_eight_times_and_never_in_a_circle() {
    // Each leads to the next, and the last to the article.
    let mut entries: Vec<_> = (0..12).map(|n| redirect(&format!("r{n}"), n + 1)).collect();
    entries.push(article("Iron", 0, 0));
    entries.extend([redirect("c13", 14), redirect("c14", 13), redirect("itself", 15), redirect("beyond", 999)]);
    let passages = read(&made(&entries, &[plain(IRON)])).unwrap();
    let mut names = passages[0].names.clone();
    names.sort_unstable_by_key(|name| name[1..].parse::<u32>().unwrap());
    assert_eq!(names, ["r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"]);
    // A chain as long as the archive takes no longer than any other.
    let mut entries: Vec<_> = (0..100_000).map(|n| redirect(&format!("r{n}"), n + 1)).collect();
    entries.push(article("Iron", 0, 0));
    assert_eq!(read(&made(&entries, &[plain(IRON)])).unwrap()[0].names.len(), 8);
}

#[test]
fn a_directory_that_takes_more_memory_than_it_may_is_refused() {
    let entries: Vec<_> = (0..1000).map(|n| article(&format!("n{n}"), 0, 0)).collect();
    let (_folder, path) = file("a.zim", &made(&entries, &[plain(IRON)]));
    let with = |memory| -> Result<Vec<Passage>, CorpusError> {
        Passages::open_with(&path, ReadOptions { memory, ..ReadOptions::default() })?.collect()
    };
    assert!(with(40_000).is_ok());
    let error = with(20_000).unwrap_err();
    assert!(matches!(error, CorpusError::NoMemory { most: 20_000, .. }) && error.to_string().contains("--memory"));
}

proptest! {
    #[test]
    fn no_damage_makes_reading_panic(
        archive in prop::sample::select(ARCHIVES.map(archive).to_vec()),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        end in any::<prop::sample::Index>(),
        is_cut: bool,
    ) {
        let mut bytes = archive;
        // Most of an archive's sense is in its first kilobytes.
        changes.iter().for_each(|(at, byte)| {
            let at = at.index(bytes.len().min(3000));
            bytes[at] = *byte;
        });
        let length = if is_cut { end.index(bytes.len()) } else { bytes.len() };
        let bytes = &bytes[..length];
        prop_assert!(read(bytes).is_err() || ARCHIVES.map(self::archive).iter().any(|whole| whole == bytes));
        if bytes.len() > 100 {
            let _ = read(&sealed(bytes.to_vec()));
        }
    }
}
