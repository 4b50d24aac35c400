//! `evident conner` as a user runs it, by the small random checkpoints of tests/parity/models/golden.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use program::{assert_error, golden, root, run, stdout};

mod program;

/// A folder with items and an index.
struct Place {
    directory: TempDir,
    items: String,
    index: String,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
        let item = |n: usize, model: &str| {
            json!({"id": n, "question": "what is iron", "knowledge": format!("Iron is a metal. It has {n} uses."),
                   "answer": "a metal", "reference": "metal", "model": model, "setting": "Zero-shot", "length": n % 2})
            .to_string()
        };
        let items = [item(1, "A"), item(2, "A"), item(3, "B|C"), r#"{"knowledge": "Iron is a metal."}"#.to_owned()];
        fs::write(path("items.jsonl"), items.join("\n\n")).unwrap();
        let passage = |n: usize| {
            let text = format!("The first metal of city {n} is known. It has {n} uses in the world of iron.");
            json!({"id": n, "title": format!("City {n}"), "text": text}).to_string()
        };
        fs::write(path("passages.jsonl"), (0..30).map(passage).collect::<Vec<_>>().join("\n")).unwrap();
        stdout(&run(&["index", "build", &path("passages.jsonl"), "--out", &path("index")]));
        let (items, index) = (path("items.jsonl"), path("index"));
        Self { directory, items, index }
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn conner(&self, arguments: &[&str]) -> Output {
        run(&[&["conner", &self.items], arguments].concat())
    }
}

fn models() -> String {
    let folders = [
        ("nli", "bert"),
        ("relevance", "bert-gelu-new"),
        ("lm", "gpt2"),
        ("seq2seq", "t5-v1.1"),
        ("discourse", "bert-gelu-new"),
    ];
    folders.map(|(role, name)| format!("{role}={}", golden(name))).join(",")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_that_was_cut_short_goes_on_to_the_same_report() {
    let place = Place::new();
    let (whole, cut, models) = (place.path("whole"), place.path("cut"), models());
    let common = ["--models", &models, "--index", &place.index];
    let output = place.conner(&[&common[..], &["--out", &whole]].concat());
    let text = stdout(&output);
    assert!(output.stderr.is_empty(), "no progress where nobody watches");
    let head = "| model | setting | Fact-cons. | Non-verif. | Fact-incon. | mean cons. | mean non-verif. | mean incon. | Relevance | Coh-sent. | Coh-para. | Inform. | \
                Helpful. | Validity | Q_know | Helpful., unclipped | n |";
    for part in [
        head,
        "| A | Zero-shot | ",
        "| B\\|C | Zero-shot | ",
        "| relevance | bert-gelu-new | a question (for 1 of 4)",
        "Coh-para. is the sigmoid of the discourse model's number. The paper does not say how it normalises.",
        "as 0 and the greatest as 1, mean ",
        "Inform. lies between 0.9",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(text, place.read("whole/report.md"));

    stdout(&place.conner(&[&common[..], &["--out", &cut, "--limit", "2"]].concat()));
    let rows = fs::OpenOptions::new().append(true).open(place.path("cut/rows.jsonl")).unwrap();
    std::io::Write::write_all(&mut &rows, b"{\"row\":2,\"torn").unwrap();
    assert_eq!(stdout(&place.conner(&[&common[..], &["--out", &cut, "--resume", "--threads", "3"]].concat())), text);
    for name in ["rows.jsonl", "run.json", "report.json", "report.md", "radar.svg"] {
        assert_eq!(place.read(&format!("cut/{name}")), place.read(&format!("whole/{name}")), "{name}");
    }

    let rows = lines(&place.read("whole/rows.jsonl"));
    assert_eq!(rows.len(), 4);
    for score in
        ["factuality", "relevance", "cohesion", "coherence", "informativeness", "helpfulness", "validity", "quality"]
    {
        let value = rows[0][score]["value"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&value) && rows[0][score]["model"].is_string(), "{score}");
    }
    assert_eq!(rows[0]["validity"]["equation"], 7);
    assert_eq!(rows[0]["helpfulness"]["randomPassages"], 5);
    assert_eq!((&rows[3]["line"], &rows[3]["id"]), (&json!(7), &json!("7")));
    assert_eq!(rows[3]["helpfulness"]["missing"], json!(["question", "reference"]));
    assert!(rows[3]["factuality"]["value"].is_number(), "it needs no question");

    let other = place.conner(&[&common[..], &["--out", &cut, "--resume", "--settings", r#"{"seed": 1}"#]].concat());
    assert_error(&other, "bad-input", "leave --resume out");
}

#[test]
fn a_pack_gives_its_models_and_a_score_without_one_says_what_it_needs() {
    let place = Place::new();
    let embedded = root("models/embedded");
    let output = place.conner(&["--pack", &embedded, "--index", &place.index, "--limit", "1", "--json"]);
    let rows = lines(stdout(&output));
    assert!(rows[0]["factuality"]["value"].is_number() && rows[0]["validity"]["value"].is_number());
    assert_eq!(rows[0]["factuality"]["sentences"].as_array().unwrap().len(), 2);
    for (score, model) in [("relevance", "embedder"), ("helpfulness", "lm"), ("coherence", "discourse")] {
        assert_eq!(rows[0][score]["model"], format!("evident-embedded/{model}"));
    }

    let relevance = format!("relevance={}", golden("bert-embedder"));
    let rows = |models: &str| {
        let output = place.conner(&["--models", models, "--limit", "1", "--json"]);
        lines(stdout(&output))
    };
    let by_bi_encoder = rows(&relevance);
    assert_eq!(by_bi_encoder[0]["relevance"]["model"], "bert-embedder", "a folder without a head is a bi-encoder");
    assert_eq!(by_bi_encoder[0]["factuality"]["missing"], json!(["evidence", "nliModel"]));
    assert_eq!(by_bi_encoder, rows(&relevance.replace("relevance=", "embedder=")));
}

#[test]
fn the_papers_tsv_is_read() {
    let mut place = Place::new();
    place.items = place.path("items.tsv");
    fs::write(&place.items, "Iron\tHi! [SEP] what is iron\tIron is a metal.\ta metal\n").unwrap();
    let models = models();
    let rows = lines(stdout(&place.conner(&["--models", &models, "--index", &place.index, "--json"]))).remove(0);
    assert_eq!(rows["validity"]["missing"], json!(["answer"]), "the fourth column is the right answer");
    assert!(rows["helpfulness"]["value"].is_number() && rows["quality"]["value"].is_number());
    fs::write(&place.items, "Iron\tWhat?\n").unwrap();
    assert_error(&place.conner(&["--models", &models]), "bad-input", "items.tsv line 1: 2 fields");
}

#[test]
fn what_cannot_be_scored_is_an_error_that_says_what_to_do() {
    let mut place = Place::new();
    let models = models();
    assert_eq!(place.conner(&["--models", "reader=x"]).status.code(), Some(2), "there is no such role");
    assert_eq!(place.conner(&["--resume"]).status.code(), Some(2), "there is no folder to go on from");
    assert_error(&place.conner(&["--limit", "0"]), "bad-input", "no item");
    assert_error(&place.conner(&["--settings", r#"{"evidence": 0}"#]), "bad-settings", "evidence");
    assert_error(&place.conner(&["--settings", r#"{"gama": 0}"#]), "bad-settings", "gama");
    let wrong = format!("nli={}", golden("roberta"));
    assert_error(&place.conner(&["--models", &wrong]), "pack-architecture", "not an NLI model");
    let wrong = format!("lm={}", golden("bert"));
    assert_error(&place.conner(&["--models", &wrong]), "pack-architecture", "a causal language model");
    assert_error(&place.conner(&["--models", "lm=no/such/folder"]), "pack-missing", "no/such/folder");
    fs::write(&place.items, "{\"question\": 1}\n").unwrap();
    assert_error(&place.conner(&["--models", &models]), "bad-input", "items.jsonl line 1: not an item");
    place.items = place.path("none");
    assert_error(&place.conner(&["--models", &models]), "bad-input", "none could not be read");
}

/// Answers to two questions, with what is right, people's ratings and their topics' page views.
fn answers() -> Place {
    let mut place = Place::new();
    place.items = place.path("answers.jsonl");
    let long = "It is found in ore and in the sun and in old tools and in new ones and in the blood of most animals that \
                people know of and so on for as long as anyone has looked for it in the whole wide world of metals.";
    let item = |n: usize, topic: &str, knowledge: &str, answer: &str| {
        json!({"id": format!("i{n}"), "topic": topic, "question": format!("what is {topic} "), "knowledge": knowledge,
               "answer": answer, "reference": "metal", "referenceKnowledge": "Iron is a metal. It rusts in Peru.",
               "model": if n.is_multiple_of(2) { "A" } else { "B" }})
        .to_string()
    };
    let items = [
        item(1, "iron", "Iron is a metal. It is known in Peru.", "a metal"),
        item(2, "iron", "Iron is a bird. It was seen in Norway.", "bird"),
        item(3, "tin", &format!("Tin is a metal. {long}"), "the metal"),
        item(4, "tin", &format!("{long} {long} It rusts."), "city"),
        item(5, "tin", "Tin.", "metal"),
        json!({"id": "i6", "answer": "metal", "reference": "metal", "model": "A"}).to_string(),
    ];
    fs::write(&place.items, items.join("\n")).unwrap();
    let ratings = "id\tfactuality\tvalidity\ni1\t2\t2\ni2\t0\t0\ni3\t2\t2\ni4\t1\t0\ni5\t\t1\n";
    fs::write(place.path("ratings.tsv"), ratings).unwrap();
    fs::write(place.path("views.tsv"), "iron\t500\ntin\t20\nzinc\t3\n").unwrap();
    place
}

#[test]
fn the_best_of_each_question_and_the_n_best_of_all_are_chosen() {
    let place = answers();
    let models = models();
    let run = |more: &[&str]| place.conner(&[&["--models", &models, "--index", &place.index, "--json"], more].concat());
    let all = lines(stdout(&run(&[])));
    let quality = |id: &str| all.iter().find(|row| row["id"] == id).unwrap()["quality"]["value"].as_f64();
    let ids = |output: &Output| -> Vec<String> {
        lines(stdout(output)).iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    };
    let most = |ids: &[&str]| {
        ids.iter().max_by(|a, b| quality(a).unwrap().total_cmp(&quality(b).unwrap())).unwrap().to_string()
    };
    assert_eq!(ids(&run(&["--best"])), [most(&["i1", "i2"]), most(&["i3", "i4", "i5"])]);
    assert_eq!(quality("i6"), None, "without a question it cannot be chosen");

    let out = place.path("top");
    let top = ids(&run(&["--top", "2", "--out", &out]));
    assert_eq!(top[0], most(&["i1", "i2", "i3", "i4", "i5"]));
    let chosen = lines(&place.read("top/chosen.jsonl"));
    assert_eq!(chosen.iter().map(|item| item["id"].as_str().unwrap()).collect::<Vec<_>>(), top);
    assert_eq!(chosen[0]["reference"], "metal", "the item's own line");
    let report = place.read("top/report.md");
    assert!(report.contains("2 of 5 items, by Q_know.") && report.contains("| chosen | "), "{report}");
    assert_eq!(place.conner(&["--best", "--top", "2"]).status.code(), Some(2), "one of the two");
    assert_eq!(place.conner(&["--top", "0"]).status.code(), Some(2));

    let nli = format!("nli={}", golden("bert"));
    let by_nli = |more: &[&str]| {
        let output = place.conner(&[&["--models", &nli, "--index", &place.index, "--best"], more].concat());
        stdout(&output).to_owned()
    };
    assert!(by_nli(&[]).contains("None: no item has a Q_know."));
    let only_factuality = by_nli(&["--settings", r#"{"gamma": [1, 0, 0, 0]}"#]);
    assert!(only_factuality.contains("2 of 5 items"), "{only_factuality}");
}

/// Two questions without knowledge, and a model that writes some.
fn questions() -> (Place, String) {
    let mut place = Place::new();
    place.items = place.path("questions.jsonl");
    let ask = |topic: &str| {
        let question = format!("what is {}", topic.to_lowercase());
        json!({"id": topic, "topic": topic, "question": question, "reference": "a metal"}).to_string()
    };
    fs::write(&place.items, ["Iron", "Tin"].map(ask).join("\n")).unwrap();
    let writes = root("tests/parity/writing/model");
    (place, models().replace(&golden("t5-v1.1"), &writes))
}

#[test]
fn a_model_writes_knowledge_of_which_the_best_is_chosen() {
    let (place, models) = questions();
    let run = |more: &[&str]| place.conner(&[&["--models", &models, "--index", &place.index, "--json"], more].concat());
    let ids =
        |rows: &[Value]| -> Vec<String> { rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect() };
    let said = |row: &Value| row["cohesion"]["sentences"][0]["text"].as_str().unwrap().to_owned();

    let greedy = lines(stdout(&run(&["--write", "1"])));
    assert_eq!(ids(&greedy), ["Iron", "Tin"]);
    assert_eq!(said(&greedy[0]), "Iron is a metal that rusts in wet air.", "as transformers writes it greedily");
    assert_eq!(said(&greedy[1]), "Tin is a soft metal that is no gas.");

    let out = place.path("written");
    let sampled = lines(stdout(&run(&["--write", "5"])));
    assert_eq!(ids(&sampled)[..6], ["Iron#1", "Iron#2", "Iron#3", "Iron#4", "Iron#5", "Tin#1"]);
    assert!(sampled[1..5].iter().any(|row| said(row) != said(&sampled[0])), "not all of them alike");
    assert_eq!(lines(stdout(&run(&["--write", "5"]))), sampled, "the same seed writes the same");
    let best = lines(stdout(&run(&["--write", "5", "--best", "--out", &out])));
    let quality = |row: &Value| row["quality"]["value"].as_f64().unwrap();
    let most = sampled[..5].iter().map(quality).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!((best.len(), quality(&best[0])), (2, most));
    let chosen = lines(&place.read("written/chosen.jsonl"));
    assert_eq!(chosen[0]["knowledge"].as_str(), Some(said(&best[0]).as_str()), "with the knowledge that was written");
    let other = run(&["--write", "4", "--out", &out, "--resume"]);
    assert_error(&other, "bad-input", "leave --resume out");

    assert_error(&place.conner(&["--write", "2"]), "bad-input", "no model that writes");
    assert_eq!(run(&["--write", "2", "--top-p", "1.5"]).status.code(), Some(2));
    assert_eq!(run(&["--top-p", "0.5"]).status.code(), Some(2), "nothing is written");
}

#[test]
fn prompts_are_composed_of_chosen_demonstrations_and_two_runs_are_compared() {
    let place = answers();
    let models = models();
    let common = ["--models", &models, "--index", &place.index];
    let run = |more: &[&str]| place.conner(&[&common[..], more].concat());
    let (questions, _) = questions();
    let (out, asked) = (place.path("shown"), questions.items.clone());
    let arguments = ["--top", "2", "--compose", &asked, "--out", &out];
    stdout(&run(&[&arguments[..], &["--template", "few-nq-2"]].concat()));
    let prompts = lines(&place.read("shown/prompts.jsonl"));
    let shown = |item: &Value| {
        let of = |name: &str| item[name].as_str().unwrap().trim().to_owned();
        format!("Topic: {}\nQuery: {}\nKnowledge: {}", of("topic"), of("question"), of("knowledge"))
    };
    let shown: Vec<String> = lines(&place.read("shown/chosen.jsonl")).iter().map(shown).collect();
    assert_eq!(prompts.len(), 2);
    assert_eq!(prompts[0]["id"], "Iron");
    assert_eq!(
        prompts[0]["prompt"],
        format!("{}\n{}\nTopic: Iron\nQuery: what is iron\nKnowledge:", shown[0], shown[1])
    );
    assert_eq!(run(&["--top", "2", "--compose", &asked]).status.code(), Some(2), "the prompts need a folder");
    assert_eq!(run(&["--template", "few-nq-9"]).status.code(), Some(2));

    let (first, second) = (place.path("first"), place.path("second"));
    stdout(&run(&["--out", &first]));
    let most = r#"{"aggregate": "max"}"#;
    let text = stdout(&run(&["--settings", most, "--against", &first, "--out", &second])).to_owned();
    for part in ["## Against another run", "| Score | this run | the other | difference | n |", "| Relevance | "] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let against = serde_json::from_str::<Value>(&place.read("second/report.json")).unwrap()["against"].clone();
    let of = |column: &str| against.as_array().unwrap().iter().find(|row| row["column"] == column).unwrap().clone();
    let (factuality, relevance) = (of("mean cons."), of("Relevance"));
    assert_eq!((&factuality["n"], &relevance["n"]), (&json!(5), &json!(5)), "i6 has no knowledge");
    let number = |value: &Value| value.as_f64().unwrap();
    let difference = number(&factuality["mean"]) - number(&factuality["other"]);
    assert!((number(&factuality["difference"]) - difference).abs() < 1e-12 && difference > 0.0, "{factuality}");
    assert!(
        number(&factuality["interval"]["low"]) <= difference && difference <= number(&factuality["interval"]["high"])
    );
    assert_eq!((number(&relevance["difference"]), number(&relevance["interval"]["high"])), (0.0, 0.0));
    assert_error(&run(&["--against", "no/such/run"]), "bad-input", "rows.jsonl could not be read");
}

#[test]
fn scores_and_baselines_are_set_against_people_and_what_they_depend_on_is_told() {
    let place = answers();
    let models = format!("{},multitask={}", models(), golden("bert"));
    let (ratings, views) = (place.path("ratings.tsv"), place.path("views.tsv"));
    let common = ["--models", &models, "--index", &place.index, "--baselines", "--ratings", &ratings];
    let run = |more: &[&str]| place.conner(&[&common[..], more].concat());
    let out = place.path("out");
    let whole = run(&["--frequencies", &views, "--out", &out]);
    let text = stdout(&whole);
    for part in [
        "## By length\n\nOf the sentences of knowledge of more than 40 words.",
        "| sentences of k | Fact-cons. | Non-verif. | Fact-incon. | mean cons. | items | sentences |",
        "## By frequency",
        "| 20 to below 500 | ",
        "| passages a sentence | Fact-cons. | n | with reference knowledge | n |",
        "## Agreement with people",
        "| Rating | Metric | A | B | all |",
        "## Intrinsic and extrinsic scores",
        "| NLI-Weak-supervised |  | knowledge (for 1 of 6); reference knowledge (for 1 of 6); a weakly supervised model",
        "| EM | words alone |  |  | 0.6667 |",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let report: Value = serde_json::from_str(&place.read("out/report.json")).unwrap();
    let people = report["people"].as_array().unwrap();
    let association = |metric: &str| {
        people
            .iter()
            .flat_map(|row| row.as_array().unwrap())
            .find(|each| each["metric"] == metric && each["system"] == "all")
    };
    // Of the 8 pairs that differ in the rating of validity 6 go the same way by exact match, and 2 are tied.
    let exact = association("EM").unwrap();
    assert_eq!((&exact["n"], &exact["target"]), (&json!(5), &json!("validity")));
    assert_eq!(exact["d"], json!(0.75));
    assert_eq!(association("NLI-Multitask").unwrap()["n"], 4);
    assert!(association("Informative").is_none(), "nobody rated it");
    let length = report["length"].as_array().unwrap();
    let sizes: Vec<_> = length.iter().map(|row| [&row["length"], &row["items"], &row["sentences"]]).collect();
    assert_eq!(sizes, [[2, 1, 2], [3, 1, 3]], "i3 has two sentences, i4 three; the others are short");
    let shares = |columns: &[Value]| columns[..3].iter().map(|each| each["mean"].as_f64().unwrap()).sum::<f64>();
    for row in report["rows"].as_array().unwrap() {
        let columns = row["columns"].as_array().unwrap();
        assert!((shares(columns) - 1.0).abs() < 1e-12 && (shares(&columns[3..]) - 1.0).abs() < 1e-6, "{row}");
    }
    let evidence = report["evidence"].as_array().unwrap();
    assert!(evidence.windows(2).all(|two| two[0]["factuality"].as_f64() <= two[1]["factuality"].as_f64()));
    let last = evidence.last().unwrap();
    assert!(last["withReference"].as_f64() >= last["factuality"].as_f64());

    assert_eq!(report["raters"], json!([]), "one person rated each item");
    let second = "i1\t2\t2\ni2\t0\t0\ni3\t2\t1\ni4\t2\t0\n";
    let twice = place.path("twice.tsv");
    fs::write(&twice, place.read("ratings.tsv") + second).unwrap();
    let output = place.conner(&["--models", &models, "--index", &place.index, "--ratings", &twice]);
    // Of validity three of four agree. By chance it is 3/8, by Fleiss (3^2 + 1^2 + 4^2) / 8^2.
    assert!(stdout(&output).contains("| validity | 0.600 | 0.579 | 4 |"), "{}", stdout(&output));

    let svg = place.read("out/radar.svg");
    assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && svg.contains(">Helpfulness</text>"));
    assert_eq!(svg.matches("<g stroke=").count(), 2, "the two models");

    let cut = place.path("cut");
    stdout(&run(&["--frequencies", &views, "--out", &cut, "--limit", "3"]));
    assert_eq!(stdout(&run(&["--frequencies", &views, "--out", &cut, "--resume"])), text);
    let other = place.conner(&["--models", &models, "--index", &place.index, "--out", &cut, "--resume"]);
    assert_error(&other, "bad-input", "leave --resume out");

    fs::write(&ratings, "id\tvalidity\ni1\t3\n").unwrap();
    assert_error(&run(&[]), "bad-input", "ratings.tsv line 2: the validity \"3\" is not 0, 1 or 2");
    fs::write(&views, "iron\n").unwrap();
    assert_error(&place.conner(&["--frequencies", &views]), "bad-input", "views.tsv line 1: not a topic and a count");
    fs::write(&views, "zinc\t3\n").unwrap();
    assert_error(&place.conner(&["--frequencies", &views]), "bad-input", "none of its topics");
    let wrong = format!("factcc={}", golden("bert"));
    assert_error(&place.conner(&["--models", &wrong]), "pack-architecture", "CORRECT and INCORRECT");
}

#[test]
fn the_floors_count_what_the_models_at_hand_can_score() {
    let place = Place::new();
    let data = place.path("data");
    for folder in ["conner", "corpus"] {
        fs::create_dir_all(place.path(&format!("data/{folder}"))).unwrap();
    }
    let floors = |models: &str| run(&["floors", &data, "--models", models, "--json"]);
    assert_error(&floors("lm=x"), "bad-input", "nq.tsv could not be read");
    let rows =
        ["Peru", "Norway", "Kenya"].map(|place| format!("{place}\twhere is {place}\t{place} is a land .\t{place}"));
    fs::write(place.path("data/conner/nq.tsv"), rows.join("\n")).unwrap();
    fs::write(place.path("data/corpus/passages.jsonl"), "{\"text\": \"x\"}").unwrap();
    assert_error(&floors("lm=x"), "bad-input", "passages.jsonl line 1: not a passage");
    let paragraph =
        |source: &str| json!({"text": "It rusts. It is old. It is a metal. It is soft.", "source": source}).to_string();
    fs::write(place.path("data/corpus/passages.jsonl"), ["conner_nq", "fm2"].map(paragraph).join("\n")).unwrap();
    let counts = |models: &str| -> Vec<Value> {
        let found: Value = serde_json::from_str(stdout(&floors(models))).unwrap();
        found.as_array().unwrap().iter().map(|count| count["n"].clone()).collect()
    };
    assert_eq!(counts(&models()), [3, 3, 3, 0, 1].map(Value::from));
    assert_eq!(counts(&format!("discourse={}", golden("bert-gelu-new"))), [0, 0, 0, 0, 1].map(Value::from));
}
