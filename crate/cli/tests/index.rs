//! `evident index` as a user runs it.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use program::{assert_error, error, evident, json, run};

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
fn a_corpus_that_cannot_be_read_is_named_and_leaves_no_index() {
    let (directory, corpus, index) = place();
    fs::write(Path::new(&corpus).join("bad.txt"), b"one\n\xff").unwrap();
    let failed = run(&["index", "build", &corpus, "--out", &index]);
    assert_error(&failed, "bad-passages", "bad.txt line 2 is not UTF-8");
    let lines = directory.path().join("p.jsonl");
    fs::write(&lines, "{\"id\":1,\"title\":\"T\",\"text\":\"x\"}\n{}\n").unwrap();
    let failed = run(&["index", "build", &text(&lines), "--out", &index]);
    assert_error(&failed, "bad-passages", "p.jsonl line 2 is not a passage");
    assert!(!Path::new(&index).exists());
}

/// Ctrl-C in the middle of a build leaves the index that was there.
#[cfg(unix)]
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
