//! `evident eval` as a user runs it. How good the pack is does not matter here.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use program::{assert_error, embedded, golden, run, stdout};

mod program;

/// A folder with labelled statements.
struct Place {
    directory: TempDir,
    rows: String,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let row = |statement: &str, label: Value, generator: &str| {
            json!({"statement": statement, "label": label, "generator": generator, "question": "What is iron?",
                   "evidence": [{"title": "Iron", "text": "Iron is a metal with the symbol Fe. It rusts in wet air."},
                                {"text": "Tin is a soft metal."}]})
            .to_string()
        };
        let rows = [
            row("Iron is a metal.", json!(true), "a"),
            row("Iron has the symbol Tn.", json!(false), "b"),
            row("Iron never rusts.", json!("unfactual"), "a"),
            row("Iron was known in Egypt.", json!("no evidence"), "b"),
        ];
        let path = directory.path().join("rows.jsonl");
        fs::write(&path, rows.join("\n")).unwrap();
        Self { rows: path.to_str().unwrap().to_owned(), directory }
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn eval(&self, arguments: &[&str]) -> Output {
        run(&[&["eval", &self.rows, "--pack", &embedded(), "--score-by", "both"], arguments].concat())
    }
}

#[test]
fn a_run_that_was_cut_short_goes_on_to_the_same_report() {
    let place = Place::new();
    let (whole, cut) = (place.path("whole"), place.path("cut"));
    let output = place.eval(&["--evidence", "gold", "--baselines", "--out", &whole]);
    let text = stdout(&output);
    assert!(output.stderr.is_empty(), "{output:?}");
    for part in ["| T5 | 4 | 25.0 |", "| NLI | 4 |", "| both | 4 |", "| Constant | 4 |", "| knowledge F1 | 4 |"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.contains("1 factual, 2 unfactual, 1 no evidence."));
    for title in ["## By generator", "## By entity", "## Calibration"] {
        assert!(text.contains(title), "{title}\n{text}");
    }
    assert_eq!(text, place.read("whole/report.md"));

    stdout(&place.eval(&["--evidence", "gold", "--baselines", "--out", &cut, "--limit", "2"]));
    let rows = fs::OpenOptions::new().append(true).open(place.path("cut/rows.jsonl")).unwrap();
    std::io::Write::write_all(&mut &rows, b"{\"row\":2,\"torn").unwrap();
    let again = place.eval(&["--evidence", "gold", "--baselines", "--out", &cut, "--resume", "--threads", "3"]);
    assert_eq!(stdout(&again), text);
    for name in [
        "rows.jsonl",
        "report.json",
        "report.md",
        "reliability.svg",
        "reliability-before.svg",
        "coverage.svg",
        "roc.svg",
    ] {
        assert_eq!(place.read(&format!("cut/{name}")), place.read(&format!("whole/{name}")), "{name}");
    }

    let report: Value = serde_json::from_str(&place.read("whole/report.json")).unwrap();
    assert_eq!((&report["rows"], &report["run"]["index"]), (&json!(4), &Value::Null));
    let scorers: Vec<&Value> = report["measures"].as_array().unwrap().iter().map(|each| &each["verifier"]).collect();
    assert_eq!(scorers[..6], ["T5", "T5 raw", "NLI", "both", "Constant", "knowledge F1"]);
    assert!(scorers[6..].starts_with(&[&json!("NLI passages max"), &json!("NLI passages mean")]), "{scorers:?}");
    assert!(scorers.contains(&&json!("FActScore by rule")) && !scorers.contains(&&json!("1 / perplexity")));
    let rows: Vec<Value> = place.read("whole/rows.jsonl").lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(rows.iter().all(|row| row["evidence"] == 2 && (0.0..=1.0).contains(&row["t5"].as_f64().unwrap())));

    for other in [&["--baselines", "--preset", "paper"][..], &["--baselines", "--unit", "sentence"], &[]] {
        let other = place.eval(&[&["--evidence", "gold", "--out", &cut, "--resume"], other].concat());
        assert_error(&other, "bad-input", "leave --resume out");
    }
}

#[test]
fn portions_joined_are_the_whole() {
    let place = Place::new();
    let whole = place.path("whole");
    let output = place.eval(&["--evidence", "gold", "--out", &whole]);
    let text = stdout(&output);
    let part = |portion: &str, more: &[&str]| {
        let out = place.path(&portion.replace('/', "-"));
        place.eval(&[&["--evidence", "gold", "--portion", portion, "--out", &out], more].concat())
    };
    for portion in ["1/3", "2/3", "3/3"] {
        stdout(&part(portion, &[]));
    }
    stdout(&part("3/3", &["--resume"]));
    let rows: String = ["1-3", "2-3", "3-3"].map(|name| place.read(&format!("{name}/rows.jsonl"))).concat();
    assert_eq!(rows, place.read("whole/rows.jsonl"));
    let joined = place.path("1-3");
    fs::write(place.path("1-3/rows.jsonl"), rows).unwrap();
    assert_eq!(stdout(&place.eval(&["--evidence", "gold", "--out", &joined, "--resume"])), text);
    assert_eq!(place.read("1-3/report.json"), place.read("whole/report.json"));
    assert_error(&part("4/5", &["--limit", "2"]), "bad-input", "fewer labelled statements than portions");
    assert_eq!(part("3/2", &[]).status.code(), Some(2));
}

#[test]
fn an_index_gives_the_evidence_in_place_of_the_rows() {
    let place = Place::new();
    let passages = place.path("passages.jsonl");
    fs::write(&passages, r#"{"id": "iron", "title": "Iron", "text": "Iron is a metal. It rusts in wet air."}"#)
        .unwrap();
    let index = place.path("index");
    stdout(&run(&["index", "build", &passages, "--out", &index]));
    let output = place.eval(&["--index", &index, "--out", &place.path("out"), "--limit", "2"]);
    assert!(stdout(&output).contains("2 statements with evidence from an index of 1 passages"));
    assert!(place.read("out/rows.jsonl").lines().all(|line| line.contains("\"evidence\":1")));
    assert_error(&place.eval(&["--index", &index, "--evidence", "gold"]), "bad-input", "leave --index out");

    let rerank = ["--index", &index, "--rerank", &golden("bert-embedder"), "--limit", "2"];
    let reranked = place.eval(&[&rerank[..], &["--out", &place.path("reranked")]].concat());
    assert!(stdout(&reranked).contains("an index of 1 passages, re-ranked by bert-embedder"));
    let run: Value = serde_json::from_str(&place.read("reranked/run.json")).unwrap();
    assert_eq!((&run["rerank"]["kind"], &run["rerank"]["candidates"]), (&json!("biEncoder"), &json!(100)));
    let plain = place.eval(&["--index", &index, "--resume", "--out", &place.path("reranked")]);
    assert_error(&plain, "bad-input", "leave --resume out");
}

#[test]
fn evidence_is_that_of_table_9() {
    let place = Place::new();
    let passages: Vec<String> = (0..30)
        .map(|n| json!({"id": n, "title": "Tin", "text": format!("Passage {n} is on tin.")}).to_string())
        .collect();
    fs::write(place.path("passages.jsonl"), passages.join("\n")).unwrap();
    let index = place.path("index");
    stdout(&run(&["index", "build", &place.path("passages.jsonl"), "--out", &index]));
    let counts = |mode: &str, more: &[&str]| -> Vec<u64> {
        let out = place.path(mode);
        let fixed = ["--evidence", mode, "--limit", "2", "--out", &out];
        stdout(&place.eval(&[&fixed, more].concat()));
        let rows = place.read(&format!("{mode}/rows.jsonl"));
        let count = |line: &str| serde_json::from_str::<Value>(line).unwrap()["evidence"].as_u64().unwrap();
        rows.lines().map(count).collect()
    };
    assert_eq!(counts("none", &[]), [0, 0]);
    assert_eq!(counts("adversarial", &[]), [1, 1]);
    assert_eq!(counts("adversarial-gold", &[]), [3, 3]);
    assert_eq!(counts("random", &["--index", &index, "--passages", "4"]), [4, 4]);
    assert_eq!(counts("random-gold", &["--index", &index, "--passages", "4"]), [4, 4]);
    assert_error(&place.eval(&["--evidence", "random"]), "bad-input", "give --index DIR");
}

#[test]
fn every_way_of_asking_gives_scores_and_the_same_again() {
    let place = Place::new();
    let demonstrations = place.path("shown.jsonl");
    fs::write(&demonstrations, r#"{"facts": ["Tin is soft."], "statement": "Tin is hard.", "factual": false}"#)
        .unwrap();
    let ways: [&[&str]; 5] = [
        &["--method", "chain-of-thought", "--settings", r#"{"maxSteps": 12}"#],
        &["--method", "likert", "--hard"],
        &["--wording", "all", "--demonstrations", &demonstrations],
        &["--demonstrations", "paper", "--decontextualise", "model", "--context", "0"],
        &["--unit", "sentence", "--facts", "1"],
    ];
    for way in ways {
        let arguments = [&["--evidence", "gold", "--limit", "1"], way].concat();
        let first = place.eval(&arguments);
        let text = stdout(&first);
        assert!(text.contains("| T5 | 1 |"), "{way:?}");
        assert_eq!(text, stdout(&place.eval(&arguments)), "{way:?}");
        assert_eq!(text.contains("| mean ± deviation |"), way.contains(&"all"), "{way:?}");
    }
    for (way, code, says) in [
        (&["--method", "likert", "--wording", "all"][..], "bad-settings", "everyWording"),
        (&["--method", "chain-of-thought", "--demonstrations", &demonstrations], "bad-settings", "rationale"),
        (&["--demonstrations", &place.rows], "bad-input", "not a demonstration"),
    ] {
        assert_error(&place.eval(&[&["--evidence", "gold"], way].concat()), code, says);
    }
}

#[test]
fn a_paragraph_is_judged_whole_or_by_its_sentences() {
    let place = Place::new();
    let row = |statement: &str, label: bool, paragraph: u32| {
        json!({"statement": statement, "label": label, "paragraph": paragraph, "evidence": [{"text": "Iron is a metal."}]})
            .to_string()
    };
    let rows = [row("Iron is a metal.", true, 1), row("It never rusts.", false, 1), row("Tin is soft.", true, 2)];
    fs::write(&place.rows, rows.join("\n")).unwrap();
    let text = |unit: &str| stdout(&place.eval(&["--evidence", "gold", "--unit", unit])).to_owned();
    assert!(text("row").starts_with("# rows.jsonl\n\n3 statements"));
    let whole = text("paragraph");
    assert!(whole.starts_with("# rows.jsonl\n\n2 statements") && whole.contains("The mean of 2 paragraphs"), "{whole}");
}

/// A GPT-2 of random weights, in the layout of the Hugging Face hub.
#[test]
fn the_perplexity_under_a_language_model_is_a_baseline() {
    let place = Place::new();
    let eval = |lm: &str| place.eval(&["--evidence", "gold", "--limit", "3", "--baselines", "--lm", &golden(lm)]);
    let output = eval("gpt2");
    let text = stdout(&output);
    assert!(text.contains("| 1 / perplexity | 3 |") && text.contains("## Perplexity"), "{text}");
    assert_error(&eval("bert"), "pack-architecture", "causal language model");
}

#[test]
fn statements_that_stand_alone_are_set_against_hand_made_ones() {
    let place = Place::new();
    let sentence = |text: &str, made: &str| json!({"text": text, "decontextualized": made});
    let sentences = [
        sentence("Marie Curie was a physicist.", "Marie Curie was a physicist."),
        sentence("She won two prizes.", "Marie Curie won two prizes."),
        sentence("That is nice.", ""),
    ];
    let answers = place.path("answers.jsonl");
    fs::write(&answers, json!({"prompt": "Who was she?", "sentences": sentences}).to_string()).unwrap();
    let output = run(&["measure", "decontextualise", &answers, "--pack", &embedded()]);
    let text = stdout(&output);
    assert!(text.starts_with("2 sentences against the hand-made ones, which changed 1."), "{text}");
    assert!(
        text.contains("| as it stands | 50.0 | ") && text.contains("| rules | 100.0 | 100.0 | 100.0 | 100.0 |"),
        "{text}"
    );
}

/// Two data sets, and a document of two chunks whose better one counts.
#[test]
fn llm_aggrefact_is_judged_by_chunks_and_measured_by_data_set() {
    let mut place = Place::new();
    let long = format!("Tin is soft. {}Iron is a metal.", format!("{}there. ", "Tin is found ".repeat(100)).repeat(2));
    let row = |dataset: &str, doc: &str, claim: &str, label: u8| {
        json!({
            "dataset": dataset, "doc": doc, "claim": claim, "label": label, "contamination_identifier": "x",
        })
    };
    let rows = [
        row("RAGTruth", &long, "Iron is a metal.", 1),
        row("RAGTruth", "Iron is a metal.", "Iron is a gas.", 0),
        row("Wice", "Tin is a soft metal.", "Tin is soft.", 1),
        row("Wice", "Tin is a soft metal.", "Tin is a hard stone.", 0),
    ];
    place.rows = place.path("test.jsonl");
    fs::write(&place.rows, rows.map(|row| format!("{row}\n")).concat()).unwrap();
    let format = ["--format", "llm-aggrefact", "--evidence", "gold"];
    let output = place.eval(&[&format[..], &["--out", &place.path("out")]].concat());
    let text = stdout(&output);
    assert!(text.contains("## Balanced accuracy") && text.contains("| Data set | n | T5 | NLI | both |"), "{text}");

    let records: Vec<Value> =
        place.read("out/rows.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records[0]["evidence"], 2, "the document has two chunks");
    let report: Value = serde_json::from_str(&place.read("out/report.json")).unwrap();
    let datasets = &report["datasets"];
    for (place, name) in ["RAGTruth", "Wice"].into_iter().enumerate() {
        let called = |label: &str| {
            let mut of = records.iter().filter(|row| row["groups"]["dataset"] == name && row["label"] == label);
            of.next().unwrap()["nli"].as_f64().unwrap() > 0.5
        };
        let balanced = f64::midpoint(f64::from(u8::from(called("factual"))), f64::from(u8::from(!called("unfactual"))));
        assert_eq!(datasets["each"][place]["balanced"][1], json!(["NLI", balanced]), "{name}");
    }

    let alone = ["--models", &format!("verifier=hhem:{}", golden("hhem")), "--score-by", "verifier"];
    let output = run(&[&["eval", &place.rows][..], &format, &alone].concat());
    let text = stdout(&output);
    assert!(text.contains("| Data set | n | T5 |") && !text.contains("| NLI |"), "{text}");
    assert!(text.contains("Pack hhem:hhem"), "{text}");
}

#[test]
fn several_people_s_labels_have_a_kappa() {
    let place = Place::new();
    let row = |statement: &str, labels: [bool; 3]| {
        json!({"statement": statement, "labels": labels, "evidence": [{"text": "Iron is a metal."}]}).to_string()
    };
    let rows = [row("Iron is a metal.", [true, true, false]), row("Iron is a gas.", [false, false, false])];
    fs::write(&place.rows, rows.join("\n")).unwrap();
    let output = place.eval(&["--evidence", "gold"]);
    // Four of six pairs agree, and by chance 1/9 + 4/9 of them would: (2/3 - 5/9) / (1 - 5/9).
    let says = "Fleiss' kappa of 2 labelled statements: 0.250";
    assert!(stdout(&output).contains(says), "{}", stdout(&output));
}

#[test]
fn what_cannot_be_measured_is_an_error_that_says_what_to_do() {
    let mut place = Place::new();
    assert_eq!(place.eval(&[]).status.code(), Some(2), "evidence must come from somewhere");
    assert_eq!(
        place.eval(&["--evidence", "gold", "--resume"]).status.code(),
        Some(2),
        "there is no folder to go on from"
    );
    assert_error(
        &place.eval(&["--evidence", "gold", "--format", "fm2"]),
        "bad-input",
        "rows.jsonl line 1: not in the layout",
    );
    assert_error(&place.eval(&["--evidence", "gold", "--limit", "0"]), "bad-input", "no labelled statement");
    assert_error(
        &place.eval(&["--evidence", "gold", "--settings", r#"{"evidence": 101}"#]),
        "bad-settings",
        "evidence",
    );
    fs::write(&place.rows, "{\"statement\": \"Tin is soft.\", \"label\": true}\n{\"statement\": 1}\n").unwrap();
    assert_error(&place.eval(&["--evidence", "gold"]), "bad-input", "rows.jsonl line 2: ");
    fs::write(&place.rows, "{\"statement\": \"Tin is soft.\", \"label\": true}\n").unwrap();
    assert_error(&place.eval(&["--evidence", "gold"]), "bad-input", "give --index DIR");
    place.rows = place.path("none");
    assert_error(&place.eval(&["--evidence", "gold"]), "bad-input", "none could not be read");
}
