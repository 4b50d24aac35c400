//! The program as a user runs it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use program::{assert_error, embedded, error, evident, golden, root, run, stdout};

mod program;

const PASSAGES: &str = r#"{"id": "iron", "title": "Iron", "text": "Iron is a metal with the symbol Fe. It rusts in wet air."}
{"id": 2, "title": "Tin", "text": "Tin is a soft metal with the symbol Sn.", "source": "a table of elements"}
{"id": "mars", "title": "Mars", "text": "Mars is the fourth planet from the Sun. It has two moons."}
"#;

/// A folder with passages.jsonl and an index of it, and the embedded pack.
struct Place {
    directory: TempDir,
    index: String,
    pack: String,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let passages = directory.path().join("passages.jsonl");
        fs::write(&passages, PASSAGES).unwrap();
        let index = text(&directory.path().join("index"));
        let built = run(&["index", "build", &text(&passages), "--out", &index]);
        assert!(stdout(&built).starts_with("3 passages, "));
        Self { directory, index, pack: embedded() }
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    fn verify(&self, arguments: &[&str]) -> Command {
        evident(&[&["verify", "--index", &self.index, "--pack", &self.pack], arguments].concat())
    }

    fn report(&self, arguments: &[&str]) -> Value {
        let output = self.verify(&[&["--json"], arguments].concat()).output().unwrap();
        serde_json::from_str(stdout(&output)).unwrap()
    }

    /// A copy of the pack in which one file is changed.
    fn pack_with(&self, file: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) -> String {
        let copy = self.directory.path().join("pack");
        let manifest: Value = serde_json::from_slice(&fs::read(root("models/embedded/pack.json")).unwrap()).unwrap();
        let files = manifest["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap());
        for name in files.chain(["pack.json"]) {
            fs::create_dir_all(copy.join(name).parent().unwrap()).unwrap();
            fs::copy(Path::new(&embedded()).join(name), copy.join(name)).unwrap();
        }
        let bytes = fs::read(copy.join(file)).unwrap();
        fs::write(copy.join(file), change(bytes)).unwrap();
        copy.to_str().unwrap().to_owned()
    }

    /// An index of two passages on gold.
    fn index_of_gold(&self) -> String {
        let mass = "The atomic mass of gold is about 197. It melts at about 1,060 degrees Celsius and boils at about 2,970 \
                    degrees Celsius. An atom of gold has 79 protons.";
        let number =
            "Gold is a chemical element with the symbol Au and the atomic number 79. It is a transition metal.";
        let [mass, number] =
            [("mass", mass), ("number", number)].map(|(id, text)| json!({"id": id, "title": "Gold", "text": text}));
        let passages = self.write("gold.jsonl", format!("{mass}\n{number}"));
        let index = self.path("gold");
        stdout(&run(&["index", "build", &passages, "--out", &index]));
        index
    }

    /// The paths of the index's shards.
    fn shards(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.index).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|extension| extension == "bin")).collect()
    }
}

#[test]
fn a_model_puts_the_passages_in_order_and_the_report_names_it() {
    let place = Place::new();
    let claim = "Iron is a metal with a symbol.";
    let (plain, reranked) = (place.report(&[claim]), place.report(&["--rerank", &golden("bert-embedder"), claim]));
    assert_eq!(plain["rerank"], Value::Null);
    assert_eq!(
        (&reranked["rerank"]["kind"], &reranked["rerank"]["pack"]["name"]),
        (&json!("biEncoder"), &json!("bert-embedder"))
    );
    let count = |report: &Value| report["sentences"][0]["evidence"].as_array().unwrap().len();
    assert_eq!((count(&plain), count(&reranked)), (2, 2));
    assert_eq!(plain["sentences"][0]["risks"], json!([]));
    assert_eq!(place.report(&["In it there are 26 protons."])["sentences"][0]["risks"], json!(["numeral", "context"]));
    let said = place.verify(&["Iron has 26 protons."]).output().unwrap();
    assert!(stdout(&said).contains("look twice: a number\n"), "{}", stdout(&said));
    let none = place.verify(&["--rerank", &place.index, claim]).output().unwrap();
    assert_error(&none, "pack-missing", "");
}

#[test]
fn an_index_is_searched_best_first() {
    let place = Place::new();
    let found = run(&["index", "search", "--index", &place.index, "soft metals", "-k", "1"]);
    let lines: Vec<&str> = stdout(&found).lines().collect();
    assert!(lines[0].starts_with("1. Tin [2] BM25 "), "{lines:?}");
    assert_eq!(lines[1], "   Tin is a soft metal with the symbol Sn.");
}

#[test]
fn an_answer_is_judged_readably_and_without_colour_in_a_pipe() {
    let place = Place::new();
    let output = place.verify(&["Iron is a metal. Mars has two moons."]).output().unwrap();
    let text = stdout(&output);
    assert!(!text.contains('\x1b'), "{text}");
    for expected in ["  Iron is a metal.", "  Mars has two moons.", "entailment ", " on cpu ", " 3 passages"] {
        assert!(text.contains(expected), "{expected:?} in {text}");
    }
    assert!(output.stderr.is_empty(), "no progress where nobody watches");
}

#[test]
fn a_second_index_is_asked_for_what_the_first_leaves_unsettled() {
    let place = Place::new();
    let venus =
        json!({"id": "v", "title": "Venus", "text": "Venus is the second planet from the Sun. It has no moon."});
    let (passages, index) = (place.write("venus.jsonl", venus.to_string()), place.path("venus"));
    stdout(&run(&["index", "build", &passages, "--out", &index]));
    let answer = "Iron is a metal with the symbol Fe. Venus is the second planet from the Sun.";
    let report = place.report(&["--index", &index, answer]);
    let sources = report["sources"].as_array().unwrap();
    let asked: Vec<(&Value, &Value)> = sources.iter().map(|source| (&source["name"], &source["asked"])).collect();
    assert_eq!(asked, [(&json!("index"), &json!(2)), (&json!("venus"), &json!(1))]);
    let decisive = |number: usize| {
        let evidence = report["sentences"][number]["evidence"].as_array().unwrap();
        evidence.iter().find(|passage| passage["decisive"] == true).unwrap()["from"].clone()
    };
    assert_eq!((decisive(0), decisive(1)), (json!(0), json!(1)));
    let all = place.report(&["--index", &index, "--consult", "all", answer]);
    assert_eq!(all["sources"][1]["asked"], 2);
    let hash = sources[0]["hash"].as_str().unwrap();
    let expected = place.verify(&["--index", &index, "--expect-index", hash, answer]).output().unwrap();
    assert_error(&expected, "bad-input", "those of one index");
}

#[test]
fn a_passage_on_another_side_of_the_subject_denies_nothing_that_is_said_word_for_word() {
    let place = Place::new();
    let index = place.index_of_gold();
    let answer = "The atomic number of gold is 79. The atomic number of gold is 80.";
    let report =
        program::json(&["verify", "--index", &index, "--pack", &place.pack, "--model", "nli", "--json", answer]);
    let verdicts: Vec<&Value> = report["sentences"].as_array().unwrap().iter().map(|it| &it["verdict"]).collect();
    assert_eq!(verdicts, ["factual", "unfactual"]);
}

#[test]
fn argument_file_and_standard_input_give_the_same_report() {
    let place = Place::new();
    let answer = "Iron rusts.\n- Tin is **soft**.";
    let argument = place.report(&[answer]);
    let file = place.report(&["--file", &place.write("answer.txt", answer)]);
    let mut child = place.verify(&["--json", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(answer.as_bytes()).unwrap();
    let piped: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(argument["sentences"].as_array().unwrap().len(), 2);
    assert_eq!(argument["sentences"], file["sentences"]);
    assert_eq!(argument["sentences"], piped["sentences"]);
}

#[test]
fn a_sentence_is_compared_with_the_pages_that_it_cites() {
    let place = Place::new();
    let folder = place.path("pages");
    fs::create_dir(&folder).unwrap();
    let write = |name: &str, content: &[u8]| fs::write(Path::new(&folder).join(name), content).unwrap();
    let map = json!({"https://a.org/iron": "iron.html", "https://a.org/tin": "tin.jsonl", "https://a.org/none": "none.txt",
        "https://a.org/large": "large.txt", "https://a.org/odd": "odd.txt", "https://a.org/empty": "empty.txt",
        "https://a.org/page": "page.pdf"});
    write("sources.json", map.to_string().as_bytes());
    write("iron.html", b"<title>Iron</title><nav>Tin</nav><p>Iron is a <b>metal</b> with the symbol Fe.</p>");
    write("tin.jsonl", br#"{"id": 1, "title": "Tin", "text": "Tin is a soft metal. The symbol of tin is Sn."}"#);
    write("large.txt", &vec![b' '; (5 << 20) + 1]);
    write("odd.txt", b"\xff\xd8");
    write("empty.txt", b"\n");
    write("page.pdf", b"%PDF-1.7");
    let answer = "Iron is a metal with the symbol Fe [1]. The symbol of tin is Ti ([T](https://a.org/tin)). Mars has moons \
        [a](https://a.org/none) [b](https://a.org/large) [c](https://a.org/odd) [d](https://a.org/empty) \
        [e](https://a.org/page) [f](https://a.org/other).\n\n[1]: https://a.org/iron#symbol";

    let report = place.report(&["--sources", &folder, answer]);
    let sentences = report["sentences"].as_array().unwrap();
    assert_eq!(sentences[0]["citations"][0]["address"], "https://a.org/iron#symbol");
    let states = |sentence: &Value| -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let sources = sentence["sources"].as_array().unwrap().iter();
        sources.map(|source| (text(&source["state"]), text(&source["reason"]))).collect()
    };
    assert_eq!(states(&sentences[0]), [("supported".into(), String::new())]);
    assert_eq!(states(&sentences[1]), [("contradicted".into(), String::new())]);
    let unread = ["notGiven", "tooLarge", "notText", "empty", "notText", "notGiven"];
    assert_eq!(states(&sentences[2]), unread.map(|reason| ("unread".to_owned(), reason.to_owned())));
    let evidence = &sentences[0]["sources"][0]["evidence"][0];
    assert_eq!((&evidence["title"], &evidence["source"]), (&json!("Iron"), &json!("https://a.org/iron")));

    let plain = place.report(&[answer]);
    assert!(plain["sentences"][0].get("sources").is_none(), "nobody asked for it");
    assert_eq!(plain["sentences"][1]["verdict"], sentences[1]["verdict"], "the index's verdict stays");

    let said = place.verify(&["--sources", &folder, answer]).output().unwrap();
    for line in [
        "    supported by its source: https://a.org/iron#symbol\n  * Iron: Iron is a metal with the symbol Fe.",
        "    contradicted by its source: https://a.org/tin\n",
        "    source not read (no file was given for it): https://a.org/other\n",
    ] {
        assert!(stdout(&said).contains(line), "{line:?} in {}", stdout(&said));
    }
    for (map, says) in [("[]", "no map of addresses"), (r#"{"https://a.org": "../iron.md"}"#, "outside of its folder")]
    {
        write("sources.json", map.as_bytes());
        assert_error(&place.verify(&["--sources", &folder, answer]).output().unwrap(), "bad-input", says);
    }
    let none = place.verify(&["--sources", &place.path("nowhere"), answer]).output().unwrap();
    assert_error(&none, "bad-input", "write one, {\"https://...\"");
}

#[test]
fn the_json_report_has_the_documented_members() {
    let place = Place::new();
    let report = place.report(&["--question", "What is iron?", "Iron is a metal."]);
    let members = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(
        members(&report),
        "answer backend decidedBy leftOut pack question rerank schema sentences settings sources summary timings traffic"
    );
    assert_eq!(report["schema"], 3);
    assert_eq!(report["decidedBy"], json!(["nli"]));
    assert_eq!(report["question"], "What is iron?");
    assert_eq!(report["backend"]["kind"], "cpu");
    assert_eq!(report["settings"]["preset"], "recommended");
    let sentence = &report["sentences"][0];
    assert_eq!(
        members(sentence),
        "answeredAt bm25Bound confidence context end evidence nli pFactual related risks score start statement text verdict"
    );
    assert_eq!(sentence["context"], "What is iron?");
    assert_eq!(members(&sentence["evidence"][0]), "bm25 decisive from id inPrompt nli read sentence source text title");
    assert_eq!(
        members(&report["summary"]),
        "coverage factual likelyFactual likelyUnfactual mixed noEvidence score unfactual"
    );
    assert_eq!(members(&report["timings"]), "nliMs retrieveMs totalMs verifyMs");
    assert_eq!(members(&report["traffic"]), "bytes requests");
}

#[test]
fn presets_and_settings_are_taken_and_wrong_ones_refused() {
    let place = Place::new();
    let report = place.report(&["--preset", "paper", "--settings", r#"{"maxFacts": 1}"#, "Iron rusts."]);
    assert_eq!(report["settings"]["preset"], "paper");
    assert_eq!(report["settings"]["maxFacts"], 1);
    for wrong in [r#"{"evidence": 101}"#, r#"{"evidense": 5}"#, "5", "{"] {
        assert_error(&place.verify(&["--settings", wrong, "Iron rusts."]).output().unwrap(), "bad-settings", "");
    }
}

#[test]
fn each_switch_of_the_method_is_a_setting() {
    let place = Place::new();
    let shown = place.write("shown.jsonl", r#"{"statement": "Tin is hard.", "factual": false}"#);
    let report = place.report(&[
        "--preset=paper",
        "--wording=all",
        "--hard",
        "--demonstrations",
        &shown,
        "--passages=2",
        "--facts=1",
        "--search=1M",
        "--context=0",
        "--decontextualise=rules",
        "--unit=paragraph",
        "Iron is a metal. It rusts.",
    ]);
    let settings = &report["settings"];
    for (name, value) in [
        ("everyWording", json!(true)),
        ("hard", json!(true)),
        ("evidence", json!(2)),
        ("maxFacts", json!(1)),
        ("search", json!(1 << 20)),
        ("context", json!(0)),
        ("decontextualise", json!(true)),
        ("resolver", json!("rules")),
        ("unit", json!("paragraph")),
    ] {
        assert_eq!(settings[name], value, "{name}");
    }
    assert_eq!(settings["demonstrations"][0]["statement"], "Tin is hard.");
    assert_eq!(report["sentences"].as_array().unwrap().len(), 1);
    assert_eq!(report["sentences"][0]["wordings"].as_array().unwrap().len(), 4);
    assert_eq!(report["decidedBy"], json!(["verifier"]));
    let readable = place.verify(&["--score-by", "both", "--wording", "all", "Iron is a metal."]).output().unwrap();
    assert!(stdout(&readable).contains(" ± 0."));

    for wrong in [&["--method=likert", "--wording=all"][..], &["--passages=101"], &["--hard"], &["--context=2000000"]] {
        let output = place.verify(&[wrong, &["Iron rusts."]].concat()).output().unwrap();
        assert_error(&output, "bad-settings", "");
    }
    let missing = place.verify(&["--demonstrations", "none.jsonl", "Iron rusts."]).output().unwrap();
    assert_error(&missing, "bad-input", "");
    assert_eq!(place.verify(&["--method", "guess", "Iron rusts."]).output().unwrap().status.code(), Some(2));
}

#[test]
fn the_report_is_the_same_on_any_number_of_threads() {
    let place = Place::new();
    let report = |threads| {
        let output =
            place.verify(&["--json", "--threads", threads, "Iron rusts. Mars rusts. Tin is soft."]).output().unwrap();
        let mut report: Value = serde_json::from_str(stdout(&output)).unwrap();
        report.as_object_mut().unwrap().remove("timings");
        report
    };
    let one = report("1");
    assert_eq!(one["sentences"].as_array().unwrap().len(), 3);
    assert_eq!(one, report("2"));
    assert_eq!(one, report("9"));
    assert_eq!(place.verify(&["--threads", "0", "Iron rusts."]).output().unwrap().status.code(), Some(2));
}

#[test]
fn many_answers_give_a_report_per_line() {
    let place = Place::new();
    let lines = json!({"statement": "Tin is soft.", "label": true}).to_string()
        + "\n"
        + &json!({"answer": "Iron rusts. Mars rusts.", "question": "What rusts?"}).to_string();
    let output = place.verify(&["--jsonl", &place.write("answers.jsonl", lines)]).output().unwrap();
    let reports: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), 2);
    assert_eq!(reports[0]["answer"], "Tin is soft.");
    assert_eq!(reports[1]["sentences"][1]["context"], "What rusts? Iron rusts.");

    let table = json!({"blocks": [{"kind": "row", "text": "Tin\tsoft", "heads": ["Metal", "Kind"]}]});
    let lines = json!({"plain": "The product 2*3*4 is 24."}).to_string() + "\n" + &table.to_string();
    let output = place.verify(&["--jsonl", &place.write("shown.jsonl", lines)]).output().unwrap();
    let reports: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let statements = reports.iter().map(|report| &report["sentences"][0]["statement"]).collect::<Vec<_>>();
    assert_eq!(statements, ["The product 2*3*4 is 24.", "Tin: Kind soft"]);
    let plain = place.verify(&["--json", "--plain", "The product 2*3*4 is 24."]).output().unwrap();
    let plain: Value = serde_json::from_str(stdout(&plain)).unwrap();
    assert_eq!(plain["sentences"][0]["statement"], "The product 2*3*4 is 24.");

    let odd = b"\xef\xbb\xbf{\"answer\": \"Tin is soft.\"}\r\n\r\n{\"answer\": \"\"}\n{\"text\": 1}\n{\"answer\": \"Caf\xe9.\"}\n\
        {\"answer\": \"Iron rusts.\"}\n";
    let output = place.verify(&["--keep-going", "--jsonl", &place.write("odd.jsonl", odd)]).output().unwrap();
    assert_error(&output, "bad-input", "");
    let done: Vec<Value> =
        std::str::from_utf8(&output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        done.iter().map(|each| &each["answer"]).collect::<Vec<_>>(),
        [&json!("Tin is soft."), &Value::Null, &Value::Null, &Value::Null, &json!("Iron rusts.")]
    );
    let failed = &done[1..4];
    let codes: Vec<&Value> = failed.iter().map(|line| &line["error"]["code"]).collect();
    assert_eq!(codes, ["empty-answer", "bad-input", "bad-input"]);
    assert_eq!(failed.iter().map(|line| &line["line"]).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(
        failed[2]["error"]["message"],
        "line 5 is not UTF-8 text: convert the file to UTF-8, or take the line out"
    );
    let output =
        place.verify(&["--jsonl", &place.write("latin1.jsonl", b"{\"answer\": \"Caf\xe9.\"}\n")]).output().unwrap();
    assert_error(&output, "bad-input", "line 1 is not UTF-8 text");

    let wrong = place.write("wrong.jsonl", "{\"answer\": \"Tin is soft.\"}\n{\"text\": \"Iron\"}\n");
    let output = place.verify(&["--jsonl", &wrong]).output().unwrap();
    assert_error(&output, "bad-input", "");
    assert!(error(&output).contains("line 2"));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1, "what was done is kept");
}

#[test]
fn bad_answers_are_errors_that_say_what_to_do() {
    let place = Place::new();
    assert_error(&place.verify(&[" "]).output().unwrap(), "empty-answer", "");
    let long = place.write("long.txt", "Iron rusts. ".repeat(9000));
    let output = place.verify(&["--file", &long]).output().unwrap();
    assert_error(&output, "answer-too-long", "");
    assert!(error(&output).contains("20000") && error(&output).contains("maxCharacters"));
    let asked = |length: usize| place.verify(&["Iron rusts.", "--question", &"é".repeat(length)]).output().unwrap();
    assert_error(&asked(20_001), "question-too-long", "20001 characters, and at most 20000");
    stdout(&asked(20_000));
    assert_error(&place.verify(&["--file", &place.path("none")]).output().unwrap(), "bad-input", "");
    assert_error(
        &place.verify(&["--file", &place.write("latin1.txt", [0xe9, 0x20])]).output().unwrap(),
        "bad-input",
        "",
    );
    assert_eq!(place.verify(&[]).output().unwrap().status.code(), Some(2), "no answer is wrong usage");
    assert_eq!(place.verify(&["a", "--file", "b"]).output().unwrap().status.code(), Some(2));
}

#[test]
fn an_answer_with_a_verdict_that_it_must_not_have_ends_in_its_own_exit_status() {
    let place = Place::new();
    let index = place.index_of_gold();
    let verify = |arguments: &[&str]| {
        let common = ["verify", "--index", &index, "--pack", &place.pack, "--model", "nli"];
        run(&[&common[..], arguments].concat())
    };
    let (right, wrong) = ("The atomic number of gold is 79.", "The atomic number of gold is 80.");
    for (answer, status) in [(right, 0), (wrong, 3)] {
        let without = verify(&[answer]);
        assert_eq!(stdout(&without).contains("1 contradicted"), status == 3, "a likely one would not count");
        for verdict in ["contradicted", "mixed"] {
            let output = verify(&[answer, "--fail-on", verdict]);
            assert_eq!(output.status.code(), Some(status), "{output:?}");
            let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(lines(&output.stdout), lines(&without.stdout), "all of it is written");
            assert!(output.stderr.is_empty(), "{output:?}");
        }
    }
    let lines = [right, wrong, right].map(|answer| json!({"answer": answer}).to_string()).join("\n");
    let output = verify(&["--jsonl", &place.write("numbers.jsonl", lines), "--fail-on", "contradicted"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3, "the answers behind it are judged too");
    assert_eq!(verify(&[right, "--fail-on", "supported"]).status.code(), Some(2));
}

#[test]
fn bad_indexes_are_typed_errors() {
    let place = Place::new();
    let search = |index: &str| run(&["index", "search", "--index", index, "iron"]);
    assert_error(&search(&place.path("none")), "index-missing", "");
    for shard in place.shards() {
        let bytes = fs::read(&shard).unwrap();
        fs::write(&shard, &bytes[..bytes.len() / 2]).unwrap();
    }
    assert_error(&search(&place.index), "index-corrupt", "");
    assert_error(&place.verify(&["Iron rusts."]).output().unwrap(), "index-corrupt", "");
    for shard in place.shards() {
        fs::remove_file(shard).unwrap();
    }
    assert_error(&search(&place.index), "index-corrupt", "");
    let manifest = place.directory.path().join("index/manifest.json");
    let later = fs::read_to_string(&manifest).unwrap().replacen("\"format\":3", "\"format\":9", 1);
    fs::write(&manifest, later).unwrap();
    assert_error(&search(&place.index), "index-version", "");
    let output = run(&["index", "build", &place.write("bad.jsonl", "{}"), "--out", &place.path("new")]);
    assert_error(&output, "bad-passages", "");
    assert!(!Path::new(&place.path("new")).exists(), "a failed build leaves nothing");
}

#[test]
fn bad_packs_are_typed_errors() {
    let mut place = Place::new();
    let mut code = |pack: String, code| {
        place.pack = pack;
        assert_error(&place.verify(&["Iron rusts."]).output().unwrap(), code, "");
    };
    code("no/such/pack".into(), "pack-missing");
    let place = Place::new();
    code(
        place.pack_with("small/model.safetensors", |mut bytes| {
            bytes[5000] ^= 1;
            bytes
        }),
        "pack-corrupt",
    );
    code(place.pack_with("tokenizer.json", |bytes| bytes[..1000].to_vec()), "pack-corrupt");
    let edit = |from: &'static str, to: &'static str| {
        move |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replacen(from, to, 1).into_bytes()
    };
    code(place.pack_with("pack.json", edit("\"format\": 2", "\"format\": 3")), "pack-version");
    let swapped = edit("\"config\": \"small/config.json\"", "\"config\": \"verifier/config.json\"");
    code(place.pack_with("pack.json", swapped), "pack-corrupt");
    let prompted = place.pack_with("pack.json", edit("\"guan2024\"", "\"another\""));
    stdout(&run(&["pack", "seal", &prompted]));
    let arguments = ["verify", "--index", &place.index, "--pack", &prompted, "--score-by", "verifier", "Iron rusts."];
    assert_error(&run(&arguments), "pack-architecture", "the prompt \"another\"");
}

#[test]
fn what_is_not_the_expected_pack_or_index_is_refused() {
    let place = Place::new();
    let report = place.report(&["Iron rusts."]);
    let (pack, index) = (report["pack"]["hash"].as_str().unwrap(), report["sources"][0]["hash"].as_str().unwrap());
    place.report(&["Iron rusts.", "--expect-pack", pack, "--expect-index", index]);
    let refused = |arguments: &[&str], code, says| {
        assert_error(&place.verify(&[&["Iron rusts."], arguments].concat()).output().unwrap(), code, says);
    };
    refused(&["--expect-pack", index], "pack-unexpected", pack);
    refused(&["--expect-index", pack], "index-unexpected", index);
    let output = place.verify(&["Iron rusts.", "--expect-pack", "12ab"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("64 lower-case hexadecimal digits"), "{output:?}");
}

/// A file of tests/data/signed stands in for a manifest: it is none, which is found out only after its signature was
/// found right.
#[test]
fn what_is_not_signed_by_the_key_is_refused_and_so_is_an_older_version() {
    let place = Place::new();
    let file = |name: &str| fs::read(root(&format!("tests/data/signed/{name}"))).unwrap();
    let key = |name: &str| String::from_utf8(file(name)).unwrap().lines().nth(1).unwrap().to_owned();
    let (own, other) = (key("key.pub"), key("other.pub"));
    for (part, manifest) in [("pack", "pack.json"), ("index", "manifest.json")] {
        let folder = place.path(&format!("signed-{part}"));
        let write = |name: &str, bytes: Vec<u8>| fs::write(Path::new(&folder).join(name), bytes).unwrap();
        let refused = |key: &str, how: &str, says: &str| {
            let mut arguments = vec!["verify", "--pack", &place.pack, "--index", &place.index, "Iron rusts."];
            arguments[if part == "pack" { 2 } else { 4 }] = &folder;
            let signed_by = format!("--{part}-signed-by");
            arguments.extend([&*signed_by, key]);
            let output = evident(&arguments).env("XDG_STATE_HOME", place.path("state")).output().unwrap();
            assert_error(&output, &format!("{part}-{how}"), says);
        };
        refused(&own, "missing", "");
        fs::create_dir(&folder).unwrap();
        write(manifest, file("pack.json"));
        refused(&own, "unsigned", "minisign -S");
        for (signature, key, how, says) in [
            ("version-7", &own, "corrupt", ""),
            ("version-8", &own, "corrupt", ""),
            ("version-7", &own, "rollback", "version 8 was there before"),
            ("version-7", &other, "unsigned", "another key"),
            ("other-key", &other, "corrupt", ""),
            ("other-file", &own, "unsigned", "does not hold"),
            ("no-version", &own, "unsigned", "-t version:N"),
            ("dated", &own, "corrupt", ""),
        ] {
            write(&format!("{manifest}.minisig"), file(&format!("{signature}.minisig")));
            refused(key, how, says);
        }
    }
    let output = place.verify(&["Iron rusts.", "--pack-signed-by", "RW"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("minisign.pub"), "{output:?}");
}

#[test]
fn the_pack_must_be_named() {
    let place = Place::new();
    let arguments = ["verify", "--index", &place.index, "Iron rusts."];
    assert_error(&run(&arguments), "bad-settings", "give --pack DIR or --models nli=DIR");
    let output = evident(&arguments).env("EVIDENT_PACK", &place.pack).output().unwrap();
    assert!(output.status.success());
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    let script = format!(
        "'{}' index search --index '{}' iron | true; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_evident"),
        place.index
    );
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_in_the_cancelled_error() {
    let place = Place::new();
    let long = place.write("long.txt", "Iron rusts in wet air and tin does not. ".repeat(400));
    let child = place.verify(&["--file", &long]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3)); // the models are loaded by then, the work is not done
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_error(&output, "cancelled", "");
    assert!(output.stdout.is_empty());
}
