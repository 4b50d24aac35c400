//! Token ids of tests/data/tokenize.jsonl against the reference tokenizers (tests/parity/models/make_tokens.py). Its
//! texts spell control tokens too.

use std::path::{Path, PathBuf};

use evident_nn::Tokenizer;
use serde::Deserialize;

#[derive(Deserialize)]
struct Text {
    text: String,
    ids: Vec<u32>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn gives_the_ids_of(golden: &str, tokenizer: &Path) {
    reads_as(golden, &std::fs::read(tokenizer).unwrap());
}

fn reads_as(golden: &str, tokenizer: &[u8]) {
    let tokenizer = Tokenizer::load(tokenizer).unwrap();
    let golden = std::fs::read_to_string(root().join("tests/parity/models/golden").join(golden)).unwrap();
    let texts: Vec<Text> = golden.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(texts.len(), 200);
    for Text { text, ids } in &texts {
        assert_eq!(&tokenizer.encode(text).unwrap(), ids, "{text:?}");
    }
}

#[test]
fn wordpiece_gives_the_ids_of_the_reference() {
    gives_the_ids_of("tokens-bert.jsonl", &root().join("models/embedded/tokenizer.json"));
}

/// all-mpnet-base-v2's tokenizer.json has the words of BERT's with four before them and one after, and, unlike BERT's,
/// settings of padding and truncation, which are not to be followed.
#[test]
fn wordpiece_with_the_special_tokens_of_roberta_gives_the_ids_of_the_reference() {
    let bert = std::fs::read(root().join("models/embedded/tokenizer.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(&bert).unwrap();
    let words = json["model"]["vocab"].as_object_mut().unwrap();
    words.values_mut().for_each(|id| *id = (id.as_u64().unwrap() + 4).into());
    let special = [("<s>", 0), ("<pad>", 1), ("</s>", 2), ("<unk>", 3), ("[UNK]", 104), ("<mask>", 30_526)];
    words.extend(special.map(|(token, id)| (token.to_owned(), id.into())));
    let added = |(token, id): (&str, i32)| {
        let (lstrip, normalized) = (token == "<mask>", token == "<unk>");
        serde_json::json!({"id": id, "special": true, "content": token, "single_word": false, "lstrip": lstrip,
            "rstrip": false, "normalized": normalized})
    };
    json["added_tokens"] = special.map(added).to_vec().into();
    json["post_processor"] = serde_json::json!({"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0],
        "trim_offsets": true, "add_prefix_space": false});
    json["truncation"] = serde_json::json!({"max_length": 128, "strategy": "LongestFirst", "stride": 0});
    json["padding"] = serde_json::json!({"strategy": {"Fixed": 128}, "direction": "Right", "pad_to_multiple_of": null,
        "pad_id": 1, "pad_type_id": 0, "pad_token": "<pad>"});
    reads_as("tokens-mpnet.jsonl", json.to_string().as_bytes());
}

/// T5's tokenizer is not in the repository: 2.4 MB that no test but this one reads.
#[test]
#[ignore = "needs the tokenizer.json of google/flan-t5-small in ../shared/data/t5_tokenizer"]
fn unigram_in_shared_data_gives_the_ids_of_the_reference() {
    gives_the_ids_of("tokens-t5.jsonl", &root().join("../shared/data/t5_tokenizer/tokenizer.json"));
}

#[test]
fn byte_level_bpe_gives_the_ids_of_the_reference() {
    gives_the_ids_of("tokens-gpt2.jsonl", &root().join("tests/parity/models/golden/gpt2/tokenizer.json"));
}

#[test]
fn unigram_without_a_table_of_characters_gives_the_ids_of_the_reference() {
    gives_the_ids_of("tokens-deberta-v3.jsonl", &root().join("tests/parity/models/golden/deberta-v3/tokenizer.json"));
}

/// Older files do not name their model's kind.
#[test]
fn a_model_without_a_type_is_known_by_its_parts() {
    for (name, path) in [
        ("bert", "models/embedded/tokenizer.json"),
        ("deberta-v3", "tests/parity/models/golden/deberta-v3/tokenizer.json"),
    ] {
        let json = std::fs::read(root().join(path)).unwrap();
        let mut older: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert!(older["model"].as_object_mut().unwrap().remove("type").is_some(), "{name}");
        let older = Tokenizer::load(older.to_string().as_bytes()).unwrap();
        let text = "In 1867 Marie Curie was born in Warsaw.";
        assert_eq!(older.encode(text).unwrap(), Tokenizer::load(&json).unwrap().encode(text).unwrap(), "{name}");
    }
}

/// For WordLevel, WordPiece, Unigram and BPE: `[SEP]`, `</s>` or `<|endoftext|>` in a text are text.
#[test]
fn no_text_makes_a_control_token() {
    let golden = |name: &str| root().join("tests/parity/models/golden").join(name).join("tokenizer.json");
    let files = ["t5-v1.0", "bert", "roberta", "mpnet", "deberta-v3", "modernbert", "gpt2"].map(golden);
    for path in files.into_iter().chain([root().join("models/embedded/tokenizer.json")]) {
        let file = std::fs::read(&path).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&file).unwrap();
        let tokenizer = Tokenizer::load(&file).unwrap();
        let model = &json["model"];
        let by_id = || model["vocab"][model["unk_id"].as_u64()? as usize][0].as_str(); // as Unigram has it
        let unknown = model["unk_token"].as_str().or_else(by_id);
        let special = json["added_tokens"].as_array().unwrap().iter().filter(|token| token["special"] == true);
        let special = special.map(|token| token["content"].as_str().unwrap());
        let around = json["post_processor"]["special_tokens"].as_object().into_iter().flat_map(|tokens| tokens.keys());
        let control: Vec<&str> = special.chain(around.map(String::as_str)).collect();
        let ids: Vec<u32> = control
            .iter()
            .filter(|token| Some(**token) != unknown)
            .map(|token| tokenizer.token_id(token).unwrap())
            .collect();
        let around = tokenizer.encode("").unwrap();
        for text in [
            control.join(""),
            control.join(" "),
            control.iter().map(|token| format!("w1 {token}w2")).collect(),
            control.concat().repeat(2_000),
        ] {
            let found: Vec<u32> = tokenizer.encode(&text).unwrap();
            let found: Vec<u32> = found.into_iter().filter(|id| ids.contains(id)).collect();
            assert_eq!(found, around, "{}: {:.80}", path.display(), text);
        }
        assert!(!control.is_empty(), "{}", path.display());
    }
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let json = std::fs::read(root().join("models/embedded/tokenizer.json")).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let refused =
        |changed: serde_json::Value| Tokenizer::load(changed.to_string().as_bytes()).err().unwrap().to_string();
    let prefixed = serde_json::json!({"model": {"type": "BPE", "continuing_subword_prefix": "##", "merges": ["a b"],
        "vocab": {"a": 0, "b": 1, "ab": 2}}});
    assert!(refused(prefixed).contains("continuing_subword_prefix"));
    let (mut version, mut kind, mut empty) = (json.clone(), json.clone(), json);
    empty["pre_tokenizer"] = serde_json::json!({"type": "FixedLength", "length": 0});
    assert!(refused(empty).contains("length 0"));
    version["version"] = "2.0".into();
    assert!(refused(version).contains("2.0"));
    kind["model"]["type"] = "Characters".into();
    assert!(refused(kind).contains("Characters"));
}
