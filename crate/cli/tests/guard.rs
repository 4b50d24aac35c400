//! The output for a small seeded pack and index stays the same: reports of `verify`, `eval`, `conner` and `measure`, an
//! index's files, a converted pack. The expected files lie in tests/guard.
//!
//! A redesign must not touch them. Where an output is meant to change: `GUARD=write cargo test --profile quick -p evident
//! --test guard`, and read the difference. `GUARD=exact` compares every byte; without it numbers may differ by a
//! hundred-thousandth, as they do from one kind of processor to another.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use evident_base::Hash;
use serde_json::{Value, json};
use tempfile::TempDir;

use program::{golden, root, run, stdout};

mod program;

/// The words that the models' tokenizers know; everything else is `<unk>` to them.
const WORDS: &str = "yes no a b true false 1 2 3 4 5 . , : ? the of is was in and not it has to by on from with iron tin \
    gold silver copper lead metal gas acid salt river lake sea city island capital country north south east west king \
    queen born died found wrote painted built large small long short old new heavy light red blue green white hot cold \
    first last one two three ten hundred year day years water air fire earth stone wood";

const METALS: [&str; 6] = ["Iron", "Tin", "Gold", "Silver", "Copper", "Lead"];
const COLOURS: [&str; 4] = ["red", "blue", "green", "white"];

/// The models of the seeded pack, and the random checkpoints of tests/parity/models that they are.
const MODELS: [(&str, &str); 7] = [
    ("nli", "mpnet"),
    ("small", "bert"),
    ("verifier", "t5-v1.1"),
    ("embedder", "bert-embedder"),
    ("relevance", "bert-gelu-new"),
    ("discourse", "bert-gelu-new"),
    ("lm", "gpt2"),
];

/// A folder with a pack, an index and labelled rows, the same in every run.
struct Seeded {
    directory: TempDir,
    pack: String,
    index: String,
}

impl Seeded {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
        let (pack, index) = (path("pack"), path("index"));
        write_pack(Path::new(&pack));
        write_lines(&path("passages.jsonl"), passages());
        stdout(&run(&["index", "build", &path("passages.jsonl"), "--out", &index]));
        write_lines(&path("rows.jsonl"), rows());
        write_lines(&path("items.jsonl"), items());
        fs::write(path("answer.md"), ANSWER).unwrap();
        Self { directory, pack, index }
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }

    /// The folder `name`, which a command writes.
    fn out(&self, name: &str) -> Vec<(PathBuf, Vec<u8>)> {
        files(Path::new(&self.path(name)))
    }
}

const ANSWER: &str = "Of course! Here is what is known:\n\n- **Iron** is a metal. It was found in the year 3.\n\
    - Tin is a gas from the north\n\nThe king of Silver Island painted Copper, and it has two lakes. \
    Gold is not blue. Do you want to know more?\n";

fn write_lines(path: &str, lines: impl IntoIterator<Item = Value>) {
    fs::write(path, lines.into_iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

fn passages() -> impl Iterator<Item = Value> {
    (0..40).map(|n| {
        let (metal, colour) = (METALS[n % 6], COLOURS[n % 4]);
        let other = METALS[(n * 5 + 2) % 6];
        let text = format!(
            "{metal} is a {colour} metal of country {n}. It was found in the year {}. The king of {metal} Island built {} \
             cities by the sea. {other} is not {colour}, and it has {} uses.",
            n % 5,
            n % 3 + 1,
            n * 7 % 11
        );
        json!({"id": format!("p{n}"), "title": format!("{metal} {n}"), "text": text})
    })
}

fn rows() -> impl Iterator<Item = Value> {
    (0..12).map(|n| {
        let (metal, colour) = (METALS[n % 6], COLOURS[n % 4]);
        let label = [json!(true), json!(false), json!("no evidence")][n % 3].clone();
        let (generator, evidence) = (["first", "second"][n % 2], COLOURS[(n + n / 5) % 4]);
        json!({"statement": format!("{metal} is a {colour} metal."), "label": label, "generator": generator,
               "question": format!("What is {metal}?"), "paragraph": n / 4,
               "position": n % 4, "evidence": [{"title": metal, "text": format!("{metal} is {evidence} and old.")}]})
    })
}

fn items() -> impl Iterator<Item = Value> {
    (0..4).map(|n| {
        let (metal, model) = (METALS[n], ["A", "B"][n % 2]);
        json!({"id": n, "question": format!("What is {metal}?"), "knowledge": format!("{metal} is a metal. It has {n} uses. It is old."),
               "answer": format!("{metal} is a metal"), "reference": "a metal", "referenceKnowledge": format!("{metal} is one of the metals."),
               "model": model, "setting": "Zero-shot"})
    })
}

/// Writes the pack: the checkpoints as they are, but for tokenizers that know [`WORDS`].
fn write_pack(to: &Path) {
    let mut models = serde_json::Map::new();
    for (name, checkpoint) in MODELS {
        let folder = to.join(checkpoint);
        fs::create_dir_all(&folder).unwrap();
        for file in ["config.json", "model.safetensors"] {
            fs::copy(Path::new(&golden(checkpoint)).join(file), folder.join(file)).unwrap();
        }
        let mut tokenizer: Value =
            serde_json::from_slice(&fs::read(Path::new(&golden(checkpoint)).join("tokenizer.json")).unwrap()).unwrap();
        if tokenizer["model"]["type"] == "WordLevel" {
            let words = tokenizer["model"]["vocab"].as_object_mut().unwrap();
            for (number, word) in WORDS.split_whitespace().enumerate() {
                let id = words.remove(&format!("w{number}")).expect("fewer words than the tokenizer has places");
                words.insert(word.to_owned(), id);
            }
            tokenizer["normalizer"] = json!({"type": "Lowercase"});
            tokenizer["pre_tokenizer"] = json!({"type": "BertPreTokenizer"});
        }
        fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
        let weights = [json!({"path": format!("{checkpoint}/model.safetensors")})];
        let entry = json!({"config": format!("{checkpoint}/config.json"), "tokenizer": format!("{checkpoint}/tokenizer.json"),
            "weights": weights});
        models.insert(name.to_owned(), entry);
    }
    let files: Vec<Value> = files(to)
        .into_iter()
        .map(|(path, bytes)| json!({"path": path.to_str().unwrap(), "bytes": bytes.len(), "sha256": Hash::of(&bytes)}))
        .collect();
    let calibration = json!({"verifier": {"temperature": 1.5, "bias": 0.25}, "nli": {"temperature": 0.2},
        "weight_verifier": 0.25, "threshold_factual": 0.55, "threshold_unfactual": 0.45, "threshold_evidence": 0.15});
    let manifest = json!({"format": 1, "name": "seeded", "version": "1.0.0", "files": files, "models": models,
        "calibration": calibration, "calibrations": {"small": calibration}});
    fs::write(to.join("pack.json"), manifest.to_string()).unwrap();
    stdout(&run(&["pack", "seal", to.to_str().unwrap()]));
}

/// The files of a folder and of those in it, by their paths from it, in order.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// A line for each file: its hash, size and path.
fn listing(files: Vec<(PathBuf, Vec<u8>)>) -> String {
    files.iter().map(|(path, bytes)| format!("{} {} {}\n", Hash::of(bytes), bytes.len(), path.display())).collect()
}

/// A report without the lines that differ from run to run and from machine to machine: times, and the processor's name.
fn untimed(report: &str) -> String {
    let mut left_out = false;
    let kept = report.split_inclusive('\n').filter(|line| {
        left_out |= line.contains("\"timings\": {") || line.contains("\"backend\": {");
        let keep = !left_out && !line.contains(" on cpu ");
        left_out &= !line.trim().starts_with('}');
        keep
    });
    kept.collect()
}

/// Text and numbers by turns, beginning with text.
fn split_numbers(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut in_number) = (0, false);
    for (at, letter) in text.char_indices() {
        let is_part = letter.is_ascii_digit() || (in_number && matches!(letter, '.' | 'e' | '-'));
        if is_part != in_number {
            parts.push(&text[start..at]);
            (start, in_number) = (at, is_part);
        }
    }
    parts.push(&text[start..]);
    parts
}

fn is_close(found: &str, expected: &str) -> bool {
    let (found, expected) = (split_numbers(found), split_numbers(expected));
    found.len() == expected.len()
        && found.iter().zip(&expected).all(|(found, expected)| {
            let numbers = found.parse::<f64>().ok().zip(expected.parse::<f64>().ok());
            found == expected || numbers.is_some_and(|(a, b)| (a - b).abs() <= 1e-5 * a.abs().max(b.abs()).max(1.0))
        })
}

/// Holds what was found to the file of this name in tests/guard.
#[track_caller]
fn guard(name: &str, found: &str) {
    let path = root(&format!("tests/guard/{name}"));
    let how = env::var("GUARD").unwrap_or_default();
    if how == "write" {
        return fs::write(path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    if found == expected || (how != "exact" && is_close(found, &expected)) {
        return;
    }
    let line = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
    let line = line.unwrap_or(found.lines().count().min(expected.lines().count()));
    let (found, expected) = (found.lines().nth(line), expected.lines().nth(line));
    panic!("{name}, line {}:\n   found {found:?}\nexpected {expected:?}", line + 1);
}

#[test]
fn a_report_of_verify() {
    let seeded = Seeded::new();
    let (answer, pack, index) = (seeded.path("answer.md"), &seeded.pack, &seeded.index);
    let verify = |more: &[&str]| {
        let question = ["--question", "What is iron?"];
        let fixed = ["verify", "--file", &answer, "--index", index, "--pack", pack, "--json"];
        untimed(stdout(&run(&[&fixed[..], &question, more].concat())))
    };
    let relevance = golden("bert-embedder");
    guard("verify.json", &verify(&["--model", "nli"]));
    guard("verify-paper.json", &verify(&["--model", "nli", "--preset", "paper"]));
    guard(
        "verify-both.json",
        &verify(&["--score-by", "both", "--wording", "all", "--rerank", &relevance, "--context", "1"]),
    );
    guard(
        "verify-thought.json",
        &verify(&["--score-by", "verifier", "--method", "chain-of-thought", "--unit", "paragraph"]),
    );
    guard("verify-rated.json", &verify(&["--score-by", "both", "--method", "likert", "--search", "20000"]));
    let text = run(&["verify", "--file", &answer, "--index", index, "--pack", pack]);
    guard("verify.txt", &untimed(stdout(&text)));
}

#[test]
fn the_reports_of_eval_conner_and_measure() {
    let seeded = Seeded::new();
    let (rows, items, pack, index) =
        (seeded.path("rows.jsonl"), seeded.path("items.jsonl"), &seeded.pack, &seeded.index);
    let (eval, conner) = (seeded.path("eval"), seeded.path("conner"));
    let common = ["--pack", pack, "--index", index];
    let command = [&["eval", &rows, "--score-by", "both", "--baselines", "--out", &eval], &common[..]].concat();
    stdout(&run(&command));
    let command = [&["conner", &items, "--baselines", "--out", &conner], &common[..]].concat();
    stdout(&run(&command));
    for folder in ["eval", "conner"] {
        for (path, bytes) in seeded.out(folder) {
            let name = path.to_str().unwrap();
            let text = String::from_utf8(bytes).unwrap().replace(seeded.directory.path().to_str().unwrap(), "");
            guard(&format!("{folder}-{name}"), &text);
        }
    }
    let curve = ["measure", "curve", &rows, "-k", "1,2,5", "--score-by", "both", "--pack", pack, "--index", index];
    guard("measure-curve.txt", stdout(&run(&curve)));
    // The last column is a time.
    let without_times = |table: &str| {
        table
            .lines()
            .map(|line| format!("{}\n", line.rsplit_once(" | ").map_or(line, |(cells, _)| cells)))
            .collect::<String>()
    };
    let recall = ["measure", "recall", &rows, "-k", "1,2,5", "--index", index, "--rerank", &golden("bert-embedder")];
    guard("measure-recall.txt", &without_times(stdout(&run(&recall))));
    guard("measure-risks.txt", stdout(&run(&["measure", "risks", &rows, "--index", index])));
}

#[test]
fn the_files_of_an_index_and_of_a_converted_pack() {
    let seeded = Seeded::new();
    guard("index.txt", &listing(seeded.out("index")));
    let (more, added) = (seeded.path("more.jsonl"), seeded.path("index"));
    write_lines(&more, [json!({"id": "q1", "title": "Lead", "text": "Lead is heavy. It melts in the fire."})]);
    stdout(&run(&["index", "add", &added, &more]));
    guard("index-added.txt", &listing(seeded.out("index")));
    for precision in ["f16", "q8", "q4"] {
        let out = seeded.path(precision);
        stdout(&run(&["pack", "convert", &seeded.pack, "--to", precision, "--out", &out]));
        guard(&format!("pack-{precision}.txt"), &listing(seeded.out(precision)));
    }
    let inspected = stdout(&run(&["pack", "inspect", &seeded.path("q4"), "--json"])).to_owned();
    guard("pack-inspect.json", &untimed(&inspected.replace(seeded.directory.path().to_str().unwrap(), "")));
}

#[test]
fn a_calibration_that_is_fitted_and_written_into_its_pack() {
    let seeded = Seeded::new();
    let (rows, pack, index) = (seeded.path("rows.jsonl"), &seeded.pack, &seeded.index);
    let manifest = || fs::read_to_string(Path::new(pack).join("pack.json")).unwrap();
    let before = manifest();
    let command = |more: &[&str]| run(&[&["calibrate", &rows, "--pack", pack], more].concat());
    let tried = stdout(&command(&["--dry-run"])).to_owned();
    assert_eq!(manifest(), before, "tried and not written");
    guard("calibrate.txt", &tried);
    let written = stdout(&command(&[])).to_owned();
    assert!(written.starts_with(&tried) && manifest() != before);
    let thresholds = stdout(&command(&["--index", index, "--model", "small"])).to_owned();
    guard("calibrate-thresholds.txt", &thresholds.lines().take(4).map(|line| format!("{line}\n")).collect::<String>());
    let parsed: Value = serde_json::from_str(&manifest()).unwrap();
    assert_eq!(parsed["models"]["small"]["measured"]["true"]["claims"], 4);
    assert_eq!(parsed["calibrations"]["small"]["nli"]["temperature"], 0.2, "another model's stays");
    assert_ne!(parsed["calibration"]["nli"]["temperature"], 0.2);
    stdout(&run(&["verify", "--file", &seeded.path("answer.md"), "--index", index, "--pack", pack]));

    let truths = seeded.path("truths.jsonl");
    write_lines(&truths, rows_of(true));
    let refused = run(&["calibrate", &truths, "--pack", pack]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && message.contains("all statements are true, or all are false"), "{message}");
}

/// The seeded rows with one label.
fn rows_of(label: bool) -> impl Iterator<Item = Value> {
    rows().filter(move |row| row["label"] == label)
}
