//! The layers that ARCHITECTURE.md states: in no crate do files import each other in a circle, the rooms
//! of `nn` and `verify` use only those that stand above them in its tables, and each crate uses those of its row.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules that each module of a crate imports. A module is named by its path, such as `text::claim`, and the
/// crate's root is "".
type Imports = BTreeMap<String, BTreeSet<String>>;

/// The rooms of `nn`, lowest first: the modules at the crate's root, which is above them all.
const NN: &[&[&str]] = &[
    &["backend", "pack_json", "wrong_file"],
    &["error"],
    &["device", "json", "kernels", "pause", "tokenizer", "warm_up"],
    &["threads"],
    &["ops"],
    &["weights"],
    &["layers"],
    &["models"],
    &["tasks"],
    &["pack"],
    &["seal", "join"],
    &["convert"],
    &[""],
];

/// The rooms of `verify`.
const VERIFY: &[&[&str]] = &[
    &["error", "settings", "input", "report", "random"],
    &["text"],
    &["events"],
    &["models"],
    &["evidence"],
    &["judge"],
    &["conner", "sources"],
    &["verifier"],
    &[""],
];

/// The folders with the sources of the workspace's crates.
fn crates() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = fs::read_dir(all).unwrap().map(|entry| entry.unwrap().path().join("src"));
    folders.filter(|folder| folder.is_dir()).collect()
}

/// The modules in a folder, which is the module `path`, each with its code.
fn modules(folder: &Path, path: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let inner = if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") };
        if file.is_dir() {
            modules(&file, &inner, found);
        } else if file.extension().is_some_and(|ending| ending == "rs") {
            let module = if ["lib", "main", "mod"].contains(&name) { path.to_owned() } else { inner };
            let source = fs::read_to_string(&file).unwrap();
            let code = source.split("\nmod tests {").next().unwrap(); // what its tests use is no part of a layer
            let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            found.insert(module, code.join("\n"));
        }
    }
}

/// Reads the paths that begin `code`, such as those of `a::{b, c::D}`, each after `before`. Returns what follows them.
fn paths<'a>(code: &'a str, before: &str, found: &mut Vec<String>) -> &'a str {
    let (name, rest) = code.split_at(code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len()));
    let path = format!("{before}::{name}");
    match rest.strip_prefix("::").map(|inner| (inner, inner.strip_prefix('{'))) {
        None => {
            found.push(path);
            rest
        }
        Some((inner, None)) => paths(inner, &path, found),
        Some((_, Some(mut group))) => loop {
            group = group.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if let Some(rest) = group.strip_prefix('}') {
                return rest;
            }
            group = match paths(group, &path, found) {
                rest if rest.len() < group.len() => rest,
                _ => &group[1..], // such as `*`
            };
        },
    }
}

/// The imports of each module in a folder: of each path in its code the longest part that is a module.
fn imports(folder: &Path) -> Imports {
    let mut all = BTreeMap::new();
    modules(folder, "", &mut all);
    let of_module = |(module, code): (&String, &String)| {
        let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
        let mut found = Vec::new();
        for (root, before) in [("crate::", ""), ("super::", parent), ("self::", module)] {
            for (at, _) in code.match_indices(root) {
                let begins = !code[..at].ends_with(|c: char| c.is_alphanumeric() || "_:$".contains(c));
                if begins && !code[at..].starts_with("super::*") {
                    paths(&code[at + root.len() - 2..], before, &mut found);
                }
            }
        }
        let longest = |path: &String| {
            let mut path = path.replace("::::", "::");
            while !all.contains_key(path.trim_start_matches("::")) {
                path.truncate(path.rfind("::").unwrap_or(0));
            }
            path.trim_start_matches("::").to_owned()
        };
        (module.clone(), found.iter().map(longest).filter(|other| other != module).collect())
    };
    all.iter().map(of_module).collect()
}

/// The way from a module back to itself, if there is one.
fn circle(imports: &Imports, from: &str) -> Option<String> {
    let mut ways = vec![vec![from]];
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop() {
        for next in &imports[way[way.len() - 1]] {
            let longer = [&way[..], &[next.as_str()]].concat();
            if next == from {
                return Some(longer.join(" -> "));
            }
            if seen.insert(next) {
                ways.insert(0, longer);
            }
        }
    }
    None
}

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for folder in crates() {
        let imports = imports(&folder);
        let found = imports.keys().filter_map(|module| circle(&imports, module));
        circles.extend(found.map(|circle| format!("{}: {circle}", folder.display())));
    }
    assert!(circles.is_empty(), "\n{}", circles.join("\n"));
}

#[test]
fn the_rooms_of_nn_and_verify_use_only_those_above_them() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut wrong = Vec::new();
    for (name, rooms) in [("nn", NN), ("verify", VERIFY)] {
        let room = |module: &str| {
            let first = module.split("::").next().unwrap();
            let place = rooms.iter().position(|room| room.contains(&first));
            place.unwrap_or_else(|| panic!("{first} has no place among the rooms of {name}"))
        };
        for (module, imported) in imports(&crates.join(name).join("src")) {
            let below = imported.iter().filter(|other| room(other) > room(&module));
            wrong.extend(below.map(|other| format!("{name}: {module} uses {other}")));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn each_crate_uses_those_that_the_table_of_rooms_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    for folder in crates() {
        let folder = folder.parent().unwrap();
        let name = folder.file_name().unwrap().to_str().unwrap();
        let row = guide.lines().find_map(|line| line.strip_prefix(&format!("| `crate/{name}` |")));
        let stated: BTreeSet<&str> = row.and_then(|row| row.split('|').next()).unwrap().split([',', ' ']).collect();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("\n[").filter(|section| section.contains("dependencies]\n"));
        let used = dependencies.filter(|section| !section.starts_with("dev-")).flat_map(|section| {
            section.lines().filter_map(|line| line.strip_prefix("evident-")?.split(['.', ' ']).next())
        });
        let (used, none): (BTreeSet<&str>, &str) = (used.collect(), "");
        assert_eq!(used, stated.into_iter().filter(|&stated| stated != none).collect(), "crate/{name}");
    }
}
