//! A folder from a stranger may have symbolic links by the names that a command writes. What they lead to is never
//! changed.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use program::{assert_error, evident, golden, run, stdout};

mod program;

/// A folder with two indexes, `a` and `b`, and with files and folders of the user that links lead to.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for name in ["a", "b"] {
            let passage = format!("{{\"id\": \"{name}\", \"title\": \"Iron\", \"text\": \"Iron {name} rusts.\"}}\n");
            fs::write(place.path(&format!("{name}.jsonl")), passage).unwrap();
            stdout(&run(&["index", "build", &place.text(&format!("{name}.jsonl")), "--out", &place.text(name)]));
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Writes to the folder `out` what a command of `evident index` begins with.
    fn begin(&self, command: &str) {
        let _ = fs::remove_dir_all(self.path("out"));
        match command {
            "build" | "join" => fs::create_dir(self.path("out")).unwrap(),
            _ => copy(&self.path("a"), &self.path("out")),
        }
        if command == "merge" {
            stdout(&self.index("add"));
        }
    }

    /// Runs a command of `evident index` on the folder `out`.
    fn index(&self, command: &str) -> Output {
        let [a, b, passages, out] = ["a", "b", "b.jsonl", "out"].map(|name| self.text(name));
        match command {
            "build" => run(&["index", "build", &passages, "--out", &out]),
            "add" => run(&["index", "add", &out, &passages]),
            "merge" => run(&["index", "merge", &out]),
            _ => run(&["index", "join", &a, &b, "--out", &out]),
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Puts a link at `path` to a new file, which has the bytes of a file that was there. Returns the new file.
fn link(path: &Path, target: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap_or_else(|_| b"mine".to_vec());
    let _ = fs::remove_file(path);
    fs::write(target, &bytes).unwrap();
    symlink(target, path).unwrap();
    bytes
}

#[test]
fn the_commands_of_an_index_follow_no_link() {
    let place = Place::new();
    let (out, target) = (place.path("out"), place.path("target"));
    for command in ["build", "add", "merge", "join"] {
        place.begin(command);
        let before = names(&out);
        stdout(&place.index(command));
        let mut written: BTreeSet<String> = names(&out).difference(&before).cloned().collect();
        assert!(written.len() > 1, "{command}");
        written
            .extend([".evident-lock", "manifest.json", ".evident-build-1", ".manifest.json.1.new"].map(String::from));
        for name in written {
            place.begin(command);
            let bytes = link(&out.join(&name), &target);
            let done = place.index(command);
            // These are replaced whole by a new file, or were left by a killed build and are removed.
            if name == "manifest.json" || name.ends_with("-1") || name.ends_with(".new") {
                stdout(&done);
                assert!(!fs::symlink_metadata(out.join(&name)).is_ok_and(|it| it.is_symlink()), "{command}, {name}");
            } else {
                assert_error(&done, "index-unwritable", &format!("{name} could not be written: it is a link"));
            }
            assert_eq!(fs::read(&target).unwrap(), bytes, "{command}, {name}");
        }
    }
}

/// Runs the program after a link to `target` was put beside `place`, by the name of its process's temporary file or
/// folder.
fn run_beside_a_link(place: &Path, target: &Path, arguments: &[&str]) -> Output {
    let program = evident(arguments);
    let name = place.file_name().unwrap().to_str().unwrap();
    let temporary = place.with_file_name(format!(".{name}."));
    let script = "ln -s \"$1\" \"$2$$.new\" && shift 2 && exec \"$@\"";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, "sh"]).args([target, &temporary]).arg(program.get_program()).args(program.get_args());
    shell.output().unwrap()
}

#[test]
fn the_commands_of_a_pack_follow_no_link() {
    let place = Place::new();
    let (pack, target) = (place.path("pack"), place.path("target"));
    copy(Path::new(&golden("bert")), &pack);
    fs::write(&target, "mine").unwrap();
    let (pack_text, manifest) = (place.text("pack"), pack.join("pack.json"));
    let seal = ["pack", "seal", &pack_text];
    stdout(&run_beside_a_link(&manifest, &target, &seal));
    assert_eq!(fs::read(&target).unwrap(), b"mine");
    let bytes = link(&manifest, &target);
    stdout(&run(&seal));
    assert_eq!(fs::read(&target).unwrap(), bytes);
    assert!(!fs::symlink_metadata(&manifest).unwrap().is_symlink());

    let folder = place.path("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("pack.json"), "mine").unwrap();
    let is_whole = || assert_eq!(fs::read(folder.join("pack.json")).unwrap(), b"mine");
    let (converted, joined) = (place.text("converted"), place.text("joined"));
    let nli = format!("nli={pack_text}");
    for (out, command) in [
        (&converted, vec!["pack", "convert", &pack_text, "--to", "f16", "--out", &converted]),
        (&joined, vec!["pack", "join", &nli, "--out", &joined]),
    ] {
        stdout(&run_beside_a_link(Path::new(out), &folder, &command));
        is_whole();
        fs::remove_dir_all(out).unwrap();
        for to in [&folder, &place.path("nowhere")] {
            symlink(to, out).unwrap();
            let refused = run(&command);
            assert!(String::from_utf8_lossy(&refused.stderr).contains(out.as_str()), "{refused:?}");
            assert_eq!(refused.status.code(), Some(1));
            fs::remove_file(out).unwrap();
            is_whole();
            assert!(!place.path("nowhere").exists());
        }
    }
}
