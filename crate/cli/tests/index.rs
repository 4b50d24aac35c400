//! `evident index` as a user runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use program::{assert_error, error, evident, json, run, stdout};

mod program;

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// A folder with a small corpus in it, and the place for its index.
fn place() -> (tempfile::TempDir, String, String) {
    let directory = tempfile::tempdir().unwrap();
    let corpus = directory.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    fs::write(corpus.join("iron.md"), "# Iron\n\n## Rust\n\nIron rusts in wet air.").unwrap();
    fs::write(corpus.join("tin.txt"), "Tin is a soft metal.").unwrap();
    let index = directory.path().join("index");
    (directory, text(&corpus), text(&index))
}

#[test]
fn a_folder_is_built_searched_and_looked_into() {
    let (_directory, corpus, index) = place();
    let built = json(&["index", "build", &corpus, "--out", &index, "--json"]);
    assert_eq!(built["passages"], 2);
    assert!(built["seconds"].as_f64().unwrap() >= 0.0);

    let costs = json(&["index", "inspect", &index, "--json"]);
    let files = fs::read_dir(&index).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
    let files: Vec<u64> = files.collect();
    let bytes: u64 = files.iter().sum();
    assert_eq!((costs["files"].as_u64(), costs["bytes"].as_u64()), (Some(files.len() as u64), Some(bytes)));
    assert_eq!(costs["bytesPerPassage"], bytes as f64 / 2.0);
    let parts = costs["parts"].as_array().unwrap();
    assert_eq!(parts.iter().map(|part| part["bytes"].as_u64().unwrap()).sum::<u64>(), bytes);

    let answer = json(&["index", "search", "--index", &index, "--json", "wet iron"]);
    let passage = &answer["hits"][0]["passage"];
    assert_eq!(
        (&passage["title"], &passage["section"], &passage["source"]),
        (&"Iron".into(), &"Rust".into(), &"iron.md".into())
    );
    assert!(answer["requests"].as_u64().unwrap() >= 2);

    let said = String::from_utf8(run(&["index", "inspect", &index]).stdout).unwrap();
    assert!(said.starts_with("2 passages, "), "{said}");
}

#[test]
fn the_facts_of_a_dump_are_found_unless_they_are_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let (dump, index) = (directory.path().join("dump.xml"), text(&directory.path().join("index")));
    let page = "{{Infobox element|number=26|melting=1538 °C}}\nIron is a metal.\n\
                {| class=\"wikitable\"\n! Moon !! Radius\n|-\n| Phobos || 11 km\n|}";
    let page = format!("<page><title>Page</title><ns>0</ns><id>1</id><revision><text>{page}</text></revision></page>");
    fs::write(&dump, format!("<mediawiki>{page}</mediawiki>")).unwrap();
    let build = ["index", "build", dump.to_str().unwrap(), "--out", &index, "--json"];
    let found = |query: &str| json(&["index", "search", "--index", &index, "--json", query])["hits"].clone();

    assert_eq!(json(&build)["passages"], 2);
    for (query, fact) in
        [("melting 1538", "Page: melting: 1538 °C."), ("phobos radius 11 km", "Phobos: Radius: 11 km.")]
    {
        let passage = &found(query)[0]["passage"];
        assert!(passage["text"].as_str().unwrap().contains(fact), "{passage}");
        assert_eq!(passage["section"], "Facts");
    }
    assert_eq!(json(&[&build[..], &["--no-facts"]].concat())["passages"], 1);
    assert_eq!(found("phobos radius").as_array().unwrap().len(), 0);
}

#[test]
fn a_limited_search_says_what_it_may_have_missed() {
    let directory = tempfile::tempdir().unwrap();
    let [corpus, index] = ["ores.jsonl", "index"].map(|name| text(&directory.path().join(name)));
    let words = ["iron", "tin", "zinc", "lead", "gold", "silver", "copper", "nickel", "cobalt", "chrome"];
    let mut draw = 1_u64;
    let mut next = || {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        draw >> 33
    };
    let lines = (0..30_000).map(|id| {
        let held: Vec<&str> = words.into_iter().filter(|_| next() % 5 < 2).collect();
        let rock = " Rock.".repeat(next() as usize % 30);
        format!("{{\"id\": {id}, \"title\": \"Ore\", \"text\": \"Ore of {}.{rock}\"}}\n", held.join(" "))
    });
    fs::write(&corpus, lines.collect::<String>()).unwrap();
    json(&["index", "build", &corpus, "--out", &index, "--json"]);

    let query = words.join(" ");
    let exact = json(&["index", "search", "--index", &index, "--json", &query]);
    let limited = json(&["index", "search", "--index", &index, "--within=100000", "--json", &query]);
    assert_eq!(exact["bound"], Value::Null);
    let (bound, last) = (limited["bound"].as_f64().unwrap(), limited["hits"][9]["score"].as_f64().unwrap());
    assert!(bound >= last, "{bound} {last}");
    let said =
        String::from_utf8(run(&["index", "search", "--index", &index, "--within=100000", &query]).stdout).unwrap();
    assert!(said.contains("The search kept to its limit"), "{said}");
}

#[test]
fn what_is_added_is_found_and_merged_as_if_built_at_once() {
    let (directory, corpus, index) = place();
    let more = directory.path().join("more");
    fs::create_dir(&more).unwrap();
    fs::write(more.join("zinc.txt"), "Zinc keeps iron from rust.").unwrap();
    json(&["index", "build", &corpus, "--out", &index, "--json"]);
    let added = json(&["index", "add", &index, &text(&more), "--memory", "64M", "--threads", "1", "--json"]);
    assert_eq!((&added["passages"], &added["segments"]), (&3.into(), &2.into()));
    let answer = json(&["index", "search", "--index", &index, "--json", "zinc"]);
    assert_eq!(answer["hits"][0]["passage"]["source"], "zinc.txt");
    assert!(error(&run(&["index", "add", &index, &text(&more)])).contains("already in the index"));

    let merged = json(&["index", "merge", &index, "--json"]);
    fs::copy(more.join("zinc.txt"), directory.path().join("corpus/zinc.txt")).unwrap();
    let at_once = json(&["index", "build", &corpus, "--out", &text(&directory.path().join("at-once")), "--json"]);
    assert_eq!((&merged["segments"], &merged["checksum"]), (&1.into(), &at_once["checksum"]));
    assert_eq!(json(&["index", "verify-files", &index, "--json"])["others"], Value::Array(Vec::new()));
}

#[test]
fn an_archive_of_kiwix_is_built_and_a_damaged_one_leaves_no_index() {
    let directory = tempfile::tempdir().unwrap();
    let [damaged, index, other] = ["damaged.zim", "index", "other"].map(|name| text(&directory.path().join(name)));
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/zim/old.zim");
    json(&["index", "build", &text(&archive), "--out", &index, "--memory", "64M", "--json"]);
    let found = json(&["index", "search", "--index", &index, "--json", "Ferrum"]);
    assert_eq!(found["hits"][0]["passage"]["title"], "Iron");
    let mut bytes = fs::read(archive).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&damaged, &bytes).unwrap();
    let failed = run(&["index", "build", &damaged, "--out", &other]);
    let place = bytes.len() - 16;
    assert_error(&failed, "bad-passages", &format!("damaged.zim is damaged at byte {place} (its MD5 is not that"));
    assert!(!Path::new(&other).exists());
}

#[test]
fn parts_that_are_joined_are_as_if_built_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| text(&directory.path().join(name));
    let line = |id: u8| format!("{{\"id\": {id}, \"title\": \"Ore {id}\", \"text\": \"It has iron {id}.\"}}\n");
    for (name, content) in [("a", line(1) + &line(2)), ("b", line(3)), ("all", line(1) + &line(2) + &line(3))] {
        fs::write(path(&format!("{name}.jsonl")), content).unwrap();
        json(&["index", "build", &path(&format!("{name}.jsonl")), "--out", &path(name), "--json"]);
    }
    let joined = json(&["index", "join", &path("a"), &path("b"), "--out", &path("joined"), "--json"]);
    let at_once = json(&["index", "inspect", &path("all"), "--json"]);
    assert_eq!((&joined["passages"], &joined["checksum"]), (&3.into(), &at_once["checksum"]));
    let failed = run(&["index", "join", &path("a"), &path("all"), "--out", &path("twice")]);
    assert!(error(&failed).starts_with("error[bad-passages]: line 3: the id \"1\" is already that of line 1"));
    assert!(!directory.path().join("twice").exists());
}

#[test]
fn a_damaged_file_is_found_and_named() {
    let (_directory, corpus, index) = place();
    json(&["index", "build", &corpus, "--out", &index, "--json"]);
    fs::write(Path::new(&index).join("notes.txt"), "mine").unwrap();
    let whole = json(&["index", "verify-files", &index, "--json"]);
    assert_eq!((&whole["damaged"], &whole["others"]), (&serde_json::json!([]), &serde_json::json!(["notes.txt"])));

    let mut shards = fs::read_dir(&index).unwrap().map(|entry| entry.unwrap().path());
    let shard = shards.find(|path| path.extension().is_some_and(|extension| extension == "bin")).unwrap();
    let mut bytes = fs::read(&shard).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&shard, bytes).unwrap();
    let output = run(&["index", "verify-files", &index]);
    assert!(error(&output).starts_with("error[index-corrupt]: 1 of the index's "), "{}", error(&output));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let name = shard.file_name().unwrap().to_str().unwrap();
    assert!(said.contains(&format!("{name}: its SHA-256 is not the one in its name")), "{said}");
}

#[test]
fn a_folder_says_which_files_were_not_read() {
    let (_directory, corpus, index) = place();
    fs::write(Path::new(&corpus).join("bad.txt"), b"one\n\xff").unwrap();
    for name in ["b.pdf", "c.docx", "d.PDF"] {
        fs::write(Path::new(&corpus).join(name), "no text").unwrap();
    }
    let built = run(&["index", "build", &corpus, "--out", &index]);
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(said.contains("bad.txt line 2 is not UTF-8"), "{said}");
    assert!(said.contains("not read: 3 files of other kinds (1 .docx, 2 .pdf)"), "{said}");
    assert!(said.contains("the index has the others"), "{said}");
    assert!(!built.status.success());
    assert!(run(&["index", "verify-files", &index]).status.success());
}

#[test]
fn a_corpus_that_cannot_be_read_is_named_and_leaves_no_index() {
    let (directory, corpus, index) = place();
    let bad = Path::new(&corpus).join("bad.txt");
    fs::write(&bad, b"one\n\xff").unwrap();
    let failed = run(&["index", "build", &text(&bad), "--out", &index]);
    assert_error(&failed, "bad-passages", "bad.txt line 2 is not UTF-8");
    let lines = directory.path().join("p.jsonl");
    fs::write(&lines, "{\"id\":1,\"title\":\"T\",\"text\":\"x\"}\n{}\n").unwrap();
    let failed = run(&["index", "build", &text(&lines), "--out", &index]);
    assert_error(&failed, "bad-passages", "p.jsonl line 2 is not a passage");
    let dump = directory.path().join("wiki.json.tar.gz");
    fs::write(&dump, [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]).unwrap(); // the header of a gzip file, and nothing more
    let failed = run(&["index", "build", &text(&dump), "--out", &index, "--keep-going"]);
    assert_error(&failed, "bad-passages", "wiki.json.tar.gz is damaged at byte 10 (it ends too early): fetch it again");
    assert!(!Path::new(&index).exists());
}

#[test]
fn lines_of_json_with_other_fields_are_built_and_added() {
    let directory = tempfile::tempdir().unwrap();
    let [corpus, more, index] = ["a.jsonl", "b.ndjson", "index"].map(|name| text(&directory.path().join(name)));
    fs::write(&corpus, "{\"name\":\"Iron\",\"body\":\"It rusts.\"}\n").unwrap();
    fs::write(&more, "{\"name\":\"Tin\",\"body\":\"It is soft.\",\"key\":\"t\"}\n").unwrap();
    let fields = "title=name,text=body";
    json(&["index", "build", &corpus, "--out", &index, "--fields", fields, "--json"]);
    json(&["index", "add", &index, &more, "--fields", &format!("{fields},id=key"), "--json"]);
    let found =
        |query: &str| json(&["index", "search", "--index", &index, "--json", query])["hits"][0]["passage"].clone();
    assert_eq!((&found("rusts")["id"], &found("rusts")["title"]), (&"1".into(), &"Iron".into()));
    assert_eq!(found("soft")["id"], "t");
    let failed = run(&["index", "build", &corpus, "--out", &index, "--fields", "titel=name"]);
    let said = String::from_utf8(failed.stderr).unwrap();
    assert!(
        failed.status.code() == Some(2) && said.contains("a passage has no field \"titel\": name id, title"),
        "{said}"
    );
}

/// Ctrl-C in the middle of a build leaves the index that was there.
#[cfg(unix)]
#[test]
fn a_line_that_is_no_passage_is_passed_over_when_told_to() {
    let directory = tempfile::tempdir().unwrap();
    let [corpus, index] = ["ores.jsonl", "index"].map(|name| text(&directory.path().join(name)));
    let line = |id: u8| format!("{{\"id\": {id}, \"title\": \"Ore {id}\", \"text\": \"It has iron {id}.\"}}\n");
    let odd = b"{\"id\": 2}\n{\"id\": 4, \"title\": \"Ore\", \"text\": \"\xff\"}\n";
    fs::write(&corpus, [line(1).as_bytes(), odd, line(3).as_bytes()].concat()).unwrap();
    let build = ["index", "build", &corpus, "--out", &index];
    assert!(!run(&build).status.success() && !Path::new(&index).join("manifest.json").exists());
    let output = run(&[&build[..], &["--keep-going"]].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    for passed_over in ["line 2 is not a passage", "line 3 is not a passage"] {
        assert!(!output.status.success() && said.contains(passed_over), "{said}");
    }
    let found = json(&["index", "search", "--index", &index, "--json", "iron"]);
    assert_eq!(found["hits"].as_array().unwrap().len(), 2);
}

#[test]
fn a_build_that_is_interrupted_leaves_the_old_index() {
    use std::io::Write;
    use std::process::Stdio;
    use std::thread::sleep;
    use std::time::Duration;

    let (_directory, corpus, index) = place();
    let before = json(&["index", "build", &corpus, "--out", &index, "--json"]);
    let mut building = evident(&["index", "build", "/dev/stdin", "--out", &index])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut passages = building.stdin.take().unwrap();
    let mut interrupted = false;
    for number in 0.. {
        let _ = writeln!(passages, "{{\"id\":{number},\"title\":\"T\",\"text\":\"word {number}\"}}");
        if building.try_wait().unwrap().is_some() {
            break;
        }
        if number == 50 && !interrupted {
            interrupted = Command::new("kill").args(["-INT", &building.id().to_string()]).status().unwrap().success();
        }
        sleep(Duration::from_millis(10));
    }
    assert!(error(&building.wait_with_output().unwrap()).starts_with("error[cancelled]: stopped before the end"));
    assert_eq!(json(&["index", "inspect", &index, "--json"])["checksum"], before["checksum"]);
}

/// A corpus of so many passages of some length.
fn corpus_of(passages: usize, file: &Path) -> String {
    let words = |n: usize| (0..60).map(|w| format!("w{} ", (n * 7919 + w * w * 31) % 9973)).collect::<String>();
    let line = |n: usize| format!("{{\"id\":\"{n}\",\"title\":\"T{n}\",\"text\":\"{}\"}}\n", words(n));
    fs::write(file, (0..passages).map(line).collect::<String>()).unwrap();
    text(file)
}

/// What must hold of a folder whose build came to nothing: the index that was there is whole and is found by its words.
#[track_caller]
fn is_untouched(index: &str, before: &Value) {
    assert_eq!(json(&["index", "inspect", index, "--json"])["checksum"], before["checksum"]);
    assert_eq!(json(&["index", "verify-files", index, "--json"])["damaged"], serde_json::json!([]));
    let answer = json(&["index", "search", "--index", index, "--json", "wet iron"]);
    assert_eq!(answer["hits"][0]["passage"]["title"], "Iron");
}

/// `kill -9` at two moments of a build: while it puts aside what it read, and while it writes the new files.
#[cfg(unix)]
#[test]
fn a_build_that_is_killed_leaves_the_old_index_and_the_next_one_works() {
    use std::process::Stdio;
    use std::time::Duration;

    for writing in [false, true] {
        let (directory, corpus, index) = place();
        let before = json(&["index", "build", &corpus, "--out", &index, "--json"]);
        let names = || fs::read_dir(&index).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        let old = names().len();
        // On a busy machine a small build may be over before it is killed: then with a larger corpus.
        let killed = [10_000, 40_000, 160_000].into_iter().any(|passages| {
            let large = corpus_of(passages, &directory.path().join("large.jsonl"));
            let mut building =
                evident(&["index", "build", &large, "--out", &index, "--memory", "4M", "--threads", "1"])
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap();
            // The scratch folder comes first, then files of the new index.
            while names().len() <= old + usize::from(writing) && building.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            building.kill().unwrap();
            if building.wait().unwrap().success() {
                json(&["index", "build", &corpus, "--out", &index, "--json"]);
                return false;
            }
            true
        });
        assert!(killed);
        assert!(names().len() > old, "it was killed while it worked");
        is_untouched(&index, &before);

        let large = corpus_of(500, &directory.path().join("large.jsonl"));
        let built = json(&["index", "build", &large, "--out", &index, "--json"]);
        assert_eq!((&built["passages"], built["files"].as_u64()), (&500.into(), Some(names().len() as u64)));
        assert_eq!(json(&["index", "verify-files", &index, "--json"])["others"], serde_json::json!([]));
    }
}

/// A real full disk: a file system of 1 MiB, in a mount namespace of the test's own.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_a_build_with_an_error_that_says_so_and_leaves_the_old_index() {
    let (directory, corpus, _) = place();
    let disk = text(&directory.path().join("disk"));
    fs::create_dir(&disk).unwrap();
    // One that does not fit while it is put aside, and one that then does not fit beside that.
    let corpora =
        [10_000, 1_200].map(|passages| corpus_of(passages, &directory.path().join(format!("{passages}.jsonl"))));
    let namespace = |script: &str| {
        let script = format!("mount -t tmpfs -o size=1m tmpfs '{disk}' && {script}");
        Command::new("unshare").args(["--user", "--map-root-user", "--mount", "sh", "-ec", &script]).output()
    };
    if !namespace("true").is_ok_and(|output| output.status.success()) {
        println!("skipped: no file system can be mounted in a namespace here (unshare --user --mount)");
        return;
    }
    let (evident, index) = (env!("CARGO_BIN_EXE_evident"), format!("{disk}/index"));
    let [large, medium] = &corpora;
    let script = format!(
        "'{evident}' index build '{corpus}' --out '{index}' --json
        for larger in '{large}' '{medium}'; do
            ! '{evident}' index build \"$larger\" --out '{index}' >&2
            '{evident}' index inspect '{index}' --json
            '{evident}' index verify-files '{index}' >&2
            '{evident}' index search --index '{index}' --json 'wet iron' | grep -q Iron
            ls -A '{index}' | wc -l
        done"
    );
    let output = namespace(&script).unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    let values: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [before, one, files, other, as_many] = &values[..] else { panic!("{said}") };
    assert_eq!((&before["checksum"], &before["checksum"]), (&one["checksum"], &other["checksum"]));
    assert_eq!((files, files), (&before["files"], as_many), "nothing of a new index is left");
    for failed in ["the scratch files of the build failed: No space left", ".bin could not be written: No space left"] {
        assert_eq!(errors.matches(failed).count(), 1, "{errors}");
    }
}

/// A dump of `pages` pages of so many MiB, all `piece` again and again. Each MiB is a stream of bzip2.
#[cfg(target_os = "linux")]
fn expanding(pages: usize, piece: &str, mebibytes: usize) -> Vec<u8> {
    use bzip2::{Compression, write::BzEncoder};
    use std::io::Write;

    let stream = |text: &str| {
        let mut encoder = BzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let text = stream(&piece.repeat((1 << 20) / piece.len())).repeat(mebibytes);
    let mut dump = stream("<mediawiki>");
    for n in 0..pages {
        let head = format!("<page><title>Page {n}</title><ns>0</ns><id>{n}</id><revision><text>");
        dump.extend([&stream(&head)[..], &text, &stream("</text></revision></page>")].concat());
    }
    [dump, stream("</mediawiki>")].concat()
}

#[test]
#[cfg(target_os = "linux")]
fn a_small_dump_that_expands_to_much_keeps_to_the_memory() {
    let directory = tempfile::tempdir().unwrap();
    let [dump, index] = ["dump.xml.bz2", "index"].map(|name| text(&directory.path().join(name)));
    // Builds the index with 16 MB; what it said, and the most MiB of memory that it took.
    let build = |bytes: Vec<u8>| {
        assert!(bytes.len() < 1_000_000, "{}", bytes.len());
        fs::write(&dump, bytes).unwrap();
        let mut process = evident(&["index", "build", &dump, "--out", &index, "--memory", "16M", "--threads", "1"])
            .args(["--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut most = 0;
        while process.try_wait().unwrap().is_none() {
            let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap_or_default();
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
            most = peak.map_or(most, |peak| peak.parse::<u64>().unwrap() / 1024);
            thread::sleep(Duration::from_millis(5));
        }
        (process.wait_with_output().unwrap(), most)
    };

    // Beside the 16 MB there are the program and one page, with what is made of it.
    let (output, most) = build(expanding(12, "Tin is a soft metal. ", 4));
    let built: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert!(built["passages"].as_u64().unwrap() > 100_000);
    assert!((20..160).contains(&most), "{most} MiB");
    // Two gigabytes of a letter; markup that would take gigabytes; more redirects than have room.
    for (bytes, says) in [
        (expanding(1, "a", 2048), "more than 64 MiB without a break"),
        (expanding(1, "{|\n|a\n", 60), "more than 16 MiB without a break"),
        (
            expanding(
                1,
                "</text></revision></page><page><title>A</title><ns>0</ns><revision><text>#REDIRECT [[B]]",
                64,
            ),
            "--memory",
        ),
    ] {
        let (output, most) = build(bytes);
        assert_error(&output, "bad-passages", says);
        assert!((20..192).contains(&most), "{says}: {most} MiB");
    }
}
