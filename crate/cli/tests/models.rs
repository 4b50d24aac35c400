//! `--models` and `--score-by`: a model for a role beside or instead of the pack's own, and `evident pack join`.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use program::{assert_error, embedded, golden, json as output, root, run, stdout};

mod program;

/// A folder with an index of two passages.
struct Place {
    directory: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { directory: tempfile::tempdir().unwrap() };
        let passages = [
            json!({"id": "1", "title": "Iron", "text": "Iron is a metal. It rusts in wet air."}),
            json!({"id": "2", "title": "Tin", "text": "Tin is a soft metal."}),
        ];
        let lines: String = passages.iter().map(|passage| format!("{passage}\n")).collect();
        fs::write(place.path("passages.jsonl"), lines).unwrap();
        stdout(&run(&["index", "build", &place.path("passages.jsonl"), "--out", &place.path("index")]));
        place
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }

    fn arguments(&self, more: &[&str]) -> Vec<String> {
        let common = ["verify", "--index", &self.path("index"), "Iron is a metal.", "--json"].map(str::to_owned);
        common.into_iter().chain(more.iter().map(|&argument| argument.to_owned())).collect()
    }

    fn report(&self, more: &[&str]) -> Value {
        output(&self.arguments(more).iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[track_caller]
    fn refused(&self, more: &[&str], code: &str, says: &str) {
        assert_error(&run(&self.arguments(more).iter().map(String::as_str).collect::<Vec<_>>()), code, says);
    }
}

/// The small random T5 that answers with the paper's words.
fn t5() -> String {
    root("tests/parity/verifier/t5")
}

#[test]
fn a_published_folder_is_the_verifier_and_decides() {
    let (place, pack) = (Place::new(), embedded());
    let verifier = format!("verifier={}", t5());
    let report = place.report(&["--pack", &pack, "--models", &verifier, "--preset", "paper"]);
    assert_eq!(report["decidedBy"], json!(["verifier"]));
    assert_eq!(report["pack"]["name"], "evident-embedded");
    assert_eq!(report["models"]["verifier"]["name"], "t5");
    let sentence = &report["sentences"][0];
    assert_eq!(sentence["score"], sentence["pFactual"], "the paper's score is p itself");
    let alias = place.report(&["--pack", &pack, "--models", &format!("seq2seq={}", t5()), "--preset", "paper"]);
    assert_eq!(alias["sentences"], report["sentences"]);
    let hash = report["pack"]["hash"].as_str().unwrap();
    let unchecked = ["--models", &verifier, "--preset", "paper", "--expect-pack", hash];
    place.refused(&unchecked, "bad-settings", "no pack is checked");
    let own = place.report(&["--pack", &pack, "--preset", "paper"]);
    assert_ne!(own["sentences"][0]["pFactual"], sentence["pFactual"]);
    assert!(own.get("models").is_none());
}

#[test]
fn both_says_what_share_the_t5_has_and_whether_it_was_fitted() {
    let (place, pack) = (Place::new(), embedded());
    let both = ["--pack", &pack, "--score-by", "both"];
    let fitted = place.report(&both);
    assert_eq!(
        (&fitted["combination"], &fitted["decidedBy"]),
        (&json!({"weight": 0.0, "fitted": true}), &json!(["nli"]))
    );
    assert!(fitted["sentences"][0]["pFactual"].is_number(), "it was asked for all the same");
    let verifier = format!("verifier={}", t5());
    let unfitted = place.report(&[&both[..], &["--models", &verifier]].concat());
    assert_eq!(unfitted["combination"], json!({"weight": 0.5, "fitted": false}));
    assert_eq!(unfitted["decidedBy"], json!(["nli", "verifier"]));
    let mut text = place.arguments(&[&both[..], &["--models", &verifier]].concat());
    text.retain(|argument| argument != "--json");
    let text = run(&text.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(
        stdout(&text).contains("by NLI and the verifier of t5, half and half: no pack has a weight"),
        "{}",
        stdout(&text)
    );
}

#[test]
fn what_nothing_asks_is_not_opened_and_what_cannot_be_is_refused() {
    let (place, pack) = (Place::new(), embedded());
    place.refused(&["--pack", &pack, "--models", "verifier=no/such"], "bad-settings", "add --score-by verifier");
    place.refused(&["--models", "relevance=no/such"], "bad-settings", "--pack DIR or --models nli=DIR");
    place.refused(
        &["--pack", &pack, "--models", "discourse=x"],
        "bad-settings",
        "name verifier, nli, relevance or marks",
    );
    let wrong = format!("verifier={}", golden("bert"));
    let says = "for the role verifier is of the kind classifier";
    place.refused(&["--pack", &pack, "--score-by", "verifier", "--models", &wrong], "pack-architecture", says);
    let wrong = format!("nli={}", t5());
    place.refused(&["--models", &wrong], "pack-architecture", "for the role nli is of the kind encoder-decoder");
    // A pack whose T5 is damaged judges by NLI.
    let damaged = place.path("damaged");
    copy(&pack, &damaged);
    fs::write(format!("{damaged}/verifier/model.safetensors"), "nothing").unwrap();
    let report = place.report(&["--pack", &damaged]);
    assert_eq!(report["decidedBy"], json!(["nli"]));
    place.refused(&["--pack", &damaged, "--score-by", "verifier"], "pack-corrupt", "verifier/model.safetensors");
}

#[test]
fn where_the_verifier_alone_scores_no_nli_model_is_opened() {
    let (place, pack) = (Place::new(), embedded());
    let damaged = place.path("damaged");
    copy(&pack, &damaged);
    fs::write(format!("{damaged}/small/model.safetensors"), "nothing").unwrap();
    let alone = ["--score-by", "verifier"];
    let report = place.report(&[&["--pack", &damaged], &alone[..]].concat());
    let sentence = &report["sentences"][0];
    assert_eq!((&report["decidedBy"], &report["settings"]["facts"]), (&json!(["verifier"]), &json!("passages")));
    assert!(sentence["pFactual"].is_number());
    assert!(sentence["evidence"].as_array().unwrap().iter().all(|passage| passage["nli"].is_null()));
    let windows = ["--settings", r#"{"facts": "windows"}"#];
    place.refused(&[&["--pack", &damaged], &alone[..], &windows].concat(), "pack-corrupt", "small/model.safetensors");
    place.refused(&["--pack", &damaged], "pack-corrupt", "small/model.safetensors");
    // A verifier needs no pack beside it, and an NLI model that nothing asks is not opened.
    let verifier = format!("verifier={}", t5());
    let report = place.report(&[&["--models", &verifier], &alone[..]].concat());
    assert_eq!((&report["pack"]["name"], report.get("models")), (&json!("t5"), None));
    let other = format!("{verifier},nli=no/such");
    place.refused(&[&["--models", &other], &alone[..]].concat(), "bad-settings", "the settings do not ask it");
    place.refused(&alone, "bad-settings", "--pack DIR or --models verifier=DIR");
}

#[test]
fn a_published_verifier_is_asked_by_the_prompt_that_is_named_before_its_folder() {
    let place = Place::new();
    let minicheck = format!("verifier=minicheck:{}", root("tests/parity/writing/model"));
    let alone = ["--score-by", "verifier"];
    let report = place.report(&[&["--models", &minicheck], &alone[..]].concat());
    let sentence = &report["sentences"][0];
    assert_eq!((&report["pack"]["name"], &sentence["answeredAt"]), (&json!("minicheck:model"), &json!(0)));
    let number = |name: &str| sentence[name].as_f64().unwrap();
    assert!((number("score") - number("pFactual")).abs() < 1e-12);
    let hhem = format!("verifier=hhem:{}", golden("hhem"));
    assert!(place.report(&[&["--models", &hhem], &alone[..]].concat())["sentences"][0]["pFactual"].is_number());
    let both = place.report(&["--pack", &embedded(), "--models", &hhem, "--score-by", "both"]);
    assert_eq!(both["models"]["verifier"]["name"], "hhem:hhem");
    assert!(both["sentences"][0]["evidence"][0]["nli"].is_object());

    let wrong = format!("verifier=factcg:{}", golden("bert"));
    let says = "is of the model_type \"bert\", and the prompt factcg is for \"deberta-v2\"";
    place.refused(&[&["--models", &wrong], &alone[..]].concat(), "pack-architecture", says);
    let unnamed = format!("verifier={}", golden("hhem"));
    place.refused(&[&["--models", &unnamed], &alone[..]].concat(), "pack-architecture", "of the kind classifier");
    let asked = ["--score-by", "verifier", "--method", "likert"];
    place.refused(&[&["--models", &minicheck], &asked[..]].concat(), "pack-architecture", "a prompt of its own");
}

#[test]
fn an_nli_model_and_a_re_ranker_are_taken_from_elsewhere_and_no_pack_is_needed() {
    let (place, pack) = (Place::new(), embedded());
    let models = format!("nli={pack},relevance={}", golden("bert-embedder"));
    let report = place.report(&["--models", &models]);
    assert_eq!((&report["pack"]["name"], &report["rerank"]["kind"]), (&json!("evident-embedded"), &json!("biEncoder")));
}

#[test]
fn a_classifier_of_tokens_marks_what_no_passage_supports() {
    let (place, pack) = (Place::new(), embedded());
    let marks = format!("marks={}", golden("modernbert-tokens"));
    let (own, report) = (place.report(&["--pack", &pack]), place.report(&["--pack", &pack, "--models", &marks]));
    assert!(own.get("markedBy").is_none());
    assert_eq!(report["markedBy"]["name"], "modernbert-tokens");
    assert_eq!(report["decidedBy"], json!(["nli"]));
    assert_eq!(report["sentences"][0]["verdict"], own["sentences"][0]["verdict"]);
    assert_eq!((&own["sentences"][0]["verdict"], &own["sentences"][0]["marks"]), (&json!("factual"), &Value::Null));
    assert!(!report["sentences"][0]["marks"].as_array().unwrap().is_empty(), "its weights are random");
    let text = run(&place
        .arguments(&["--pack", &pack, "--models", &marks])
        .iter()
        .map(String::as_str)
        .filter(|argument| *argument != "--json")
        .collect::<Vec<_>>());
    assert!(stdout(&text).contains("    unsupported: "), "{}", stdout(&text));

    let wrong = format!("marks={}", golden("bert"));
    let says = "for the role marks is of the kind classifier, and not a classifier of tokens";
    place.refused(&["--pack", &pack, "--models", &wrong], "pack-architecture", says);
    let says = "for the role nli is of the kind token classifier";
    place.refused(&["--models", &marks.replace("marks=", "nli=")], "pack-architecture", says);
    // Three labels do not say which of them is "not supported".
    let three = place.path("three");
    copy(&golden("modernbert"), &three);
    let config = fs::read_to_string(format!("{three}/config.json")).unwrap();
    fs::write(format!("{three}/config.json"), config.replace("ForSequence", "ForToken")).unwrap();
    let says = "choose one with two labels, supported and not";
    place.refused(&["--pack", &pack, "--models", &format!("marks={three}")], "pack-architecture", says);
    let scored = run(&["conner", &place.path("passages.jsonl"), "--models", &marks]);
    assert_error(&scored, "bad-settings", "no score is computed by it");
}

#[test]
fn a_published_modernbert_judges() {
    let place = Place::new();
    let report = place.report(&["--models", &format!("nli={}", golden("modernbert"))]);
    let nli = &report["sentences"][0]["nli"];
    assert!((nli["entailment"].as_f64().unwrap() + nli["neutral"].as_f64().unwrap()) < 1.0, "{nli}");
    assert_eq!(report["pack"]["name"], "modernbert");
}

#[test]
fn eval_measures_raw_p_too_and_the_paper_leaves_out_what_has_no_evidence() {
    let (place, pack) = (Place::new(), embedded());
    let line = |id: &str, answer: &str| json!({"id": id, "input": "Iron is a metal.", "output": [{"answer": answer}]});
    let rows = [line("1", "SUPPORTS"), line("2", "REFUTES"), line("3", "NOT ENOUGH INFO")];
    fs::write(place.path("fever.jsonl"), rows.map(|row| format!("{row}\n")).concat()).unwrap();
    let eval = |more: &[&str]| {
        let fixed =
            ["eval", &place.path("fever.jsonl"), "--format", "fever", "--index", &place.path("index"), "--pack", &pack];
        stdout(&run(&[&fixed[..], more].concat())).to_owned()
    };
    let calibrated = eval(&["--score-by", "verifier"]);
    assert!(calibrated.contains("3 statements with") && calibrated.contains("| T5 raw | 3 |"), "{calibrated}");
    let verifier = format!("verifier={}", t5());
    let paper = eval(&["--preset", "paper", "--models", &verifier]);
    assert!(paper.contains("2 statements with") && paper.contains("or have no evidence of their own,"), "{paper}");
    assert!(paper.contains("Pack evident-embedded") && paper.contains(", verifier t5, settings paper"), "{paper}");
    assert!(!paper.contains("T5 raw"), "p is the score itself");
}

#[test]
fn packs_are_joined_into_one_that_says_the_same() {
    let (place, pack) = (Place::new(), embedded());
    let joined = place.path("joined");
    let verifier = format!("verifier={}", t5());
    let said = run(&["pack", "join", &pack, &verifier, "--out", &joined]);
    assert!(stdout(&said).contains("discourse, embedder, lm, nli, small, verifier"), "{}", stdout(&said));
    let paper = ["--preset", "paper"];
    let apart = place.report(&[&["--pack", &pack, "--models", &verifier], &paper[..]].concat());
    let together = place.report(&[&["--pack", &joined], &paper[..]].concat());
    assert_eq!(together["sentences"], apart["sentences"]);
    let both = place.report(&["--pack", &joined, "--score-by", "both"]);
    assert_eq!(
        both["combination"],
        json!({"weight": 0.5, "fitted": false}),
        "the old weight was fitted with another T5"
    );
    let manifest_of =
        |pack: &str| -> Value { serde_json::from_slice(&fs::read(format!("{pack}/pack.json")).unwrap()).unwrap() };
    let manifest = manifest_of(&joined);
    assert_eq!(manifest["calibration"]["nli"], manifest_of(&pack)["calibration"]["nli"]);
    assert_eq!(manifest["calibration"]["verifier"]["temperature"], 1.0);
    let tokenizer = |model: &str| manifest["models"][model]["tokenizer"].clone();
    assert_eq!(
        (tokenizer("nli"), tokenizer("verifier")),
        (json!("nli/tokenizer.json"), json!("verifier/tokenizer.json"))
    );

    let again = run(&["pack", "join", &pack, "--out", &joined]);
    assert_error(&again, "bad-input", "is there already");
    let unnamed = run(&["pack", "join", &t5(), "--out", &place.path("other")]);
    assert_error(&unnamed, "bad-input", "has no name: say what it does");
    let missing = format!("reader={pack}");
    assert_error(
        &run(&["pack", "join", &missing, "--out", &place.path("other")]),
        "pack-architecture",
        "no model \"reader\"",
    );
    assert!(!std::path::Path::new(&place.path("other")).exists(), "nothing is left of what failed");
}

fn copy(from: &str, to: &str) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), format!("{to}/{}", entry.file_name().to_string_lossy()));
        if from.is_dir() {
            copy(from.to_str().unwrap(), &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}
