//! Packs that are not what they should be: every one ends in an error that names what is wrong.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use evident_base::Hash;
use evident_nn::{Backend, Device, Manifest, ModelKind, NnError, ONLY_MODEL, Pack, PackError, WarmUp, open_device};
use futures_lite::future::block_on;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde_json::{Value, json};

use crate::sealed::sealed;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden").join(name)
}

fn embedded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/embedded")
}

fn cpu() -> Device {
    block_on(open_device(Backend::Cpu)).unwrap().0
}

/// A pack in memory: pack.json and its files, to be spoilt by a test.
struct Parts {
    manifest: Value,
    files: BTreeMap<String, Vec<u8>>,
}

impl Parts {
    /// The T5 and the BERT of the golden files in one pack.
    fn new() -> Self {
        let mut parts = Self::of(&[("verifier", "t5-gelu"), ("nli", "bert-int8")]);
        parts.manifest["calibration"] = json!({"verifier": {"temperature": 1.5, "bias": -0.5}, "nli": {"temperature": 2.0},
            "weight_verifier": 0.25, "threshold_factual": 0.6, "threshold_evidence": 0.4});
        parts
    }

    /// Models of the golden files, each with its name in the pack.
    fn of(models: &[(&str, &str)]) -> Self {
        let mut files = BTreeMap::new();
        let mut manifest = json!({"name": "test", "version": "0.1.0", "models": {}});
        for (name, folder) in models {
            for file in ["config.json", "tokenizer.json", "model.safetensors"] {
                files.insert(format!("{folder}/{file}"), std::fs::read(golden(folder).join(file)).unwrap());
            }
            manifest["models"][name] = json!({"config": format!("{folder}/config.json"),
                "tokenizer": format!("{folder}/tokenizer.json"), "weights": [{"path": format!("{folder}/model.safetensors")}]});
        }
        Self { manifest, files }
    }

    fn config(&mut self, path: &str, change: impl FnOnce(&mut Value)) {
        let mut config = serde_json::from_slice(&self.files[path]).unwrap();
        change(&mut config);
        self.files.insert(path.to_owned(), serde_json::to_vec(&config).unwrap());
    }

    /// Adds a model "ranker": the NLI model's file, and after it one with a head for the first of its classes alone.
    fn with_ranker(mut self) -> Self {
        let nli = SafeTensors::deserialize(&self.files["bert-int8/model.safetensors"]).unwrap();
        let head = ["classifier.weight", "classifier.weight.scale", "classifier.bias"].map(|name| {
            let whole = nli.tensor(name).unwrap();
            let row = &whole.data()[..whole.data().len() / whole.shape()[0]];
            let shape = std::iter::once(1).chain(whole.shape()[1..].iter().copied()).collect();
            (name, TensorView::new(whole.dtype(), shape, row).unwrap())
        });
        let head = safetensors::serialize(head, None).unwrap();
        self.files.insert("ranker/model.safetensors".to_owned(), head);
        let mut config: Value = serde_json::from_slice(&self.files["bert-int8/config.json"]).unwrap();
        config["id2label"] = json!({"0": "relevant"});
        self.files.insert("ranker/config.json".to_owned(), serde_json::to_vec(&config).unwrap());
        self.manifest["models"]["ranker"] = json!({"config": "ranker/config.json", "tokenizer": "bert-int8/tokenizer.json",
            "weights": [{"path": "bert-int8/model.safetensors"}, {"path": "ranker/model.safetensors"}]});
        self
    }

    /// Adds a model "adapted": the model `nli` in `folder`, and after its file one with an adapter of these rows for
    /// `weight`.
    fn with_adapter(mut self, folder: &str, weight: &str, inputs: &[&[f32]], outputs: &[&[f32]]) -> Self {
        let bytes = |rows: &[&[f32]]| rows.concat().into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>();
        let rows = [(".inputs", inputs, bytes(inputs)), (".outputs", outputs, bytes(outputs))];
        let tensors = rows.iter().map(|(name, rows, bytes)| {
            let shape = vec![rows.len(), rows.first().map_or(0, |row| row.len())];
            (format!("{weight}{name}"), TensorView::new(Dtype::F32, shape, bytes).unwrap())
        });
        self.files.insert("adapter.safetensors".to_owned(), safetensors::serialize(tensors, None).unwrap());
        let mut model =
            json!({"config": format!("{folder}/config.json"), "tokenizer": format!("{folder}/tokenizer.json")});
        model["weights"] = json!([{"path": format!("{folder}/model.safetensors")}, {"path": "adapter.safetensors"}]);
        self.manifest["models"]["adapted"] = model;
        self
    }

    fn manifest(&self) -> Result<Manifest, PackError> {
        let mut manifest = self.manifest.clone();
        let entry = |(path, bytes): (&String, &Vec<u8>)| {
            let hash = Hash::of(bytes);
            json!({"path": path, "bytes": bytes.len(), "sha256": hash})
        };
        if manifest.get("files").is_none() {
            manifest["files"] = self.files.iter().map(entry).collect();
        }
        Manifest::parse(&sealed(&manifest))
    }

    fn pack(&self) -> Result<Pack, PackError> {
        let manifest = self.manifest()?;
        let files = self.files.iter().map(|(path, bytes)| manifest.verify(path, bytes));
        let files = files.collect::<Result<_, _>>()?;
        Ok(Pack::new(manifest, files))
    }

    fn verifier_error(&self) -> PackError {
        self.pack().and_then(|mut pack| block_on(pack.seq2seq("verifier", &cpu())).map(drop)).unwrap_err()
    }

    fn nli_error(&self) -> PackError {
        self.pack().and_then(|mut pack| block_on(pack.classifier("nli", &cpu())).map(drop)).unwrap_err()
    }
}

#[test]
fn a_whole_pack_gives_both_models_and_its_calibration() {
    let mut pack = Parts::new().pack().unwrap();
    assert_eq!((pack.manifest().name(), pack.manifest().version()), ("test", "0.1.0"));
    assert_eq!(pack.manifest().hash().len(), 64);
    let calibration = pack.manifest().calibration();
    assert_eq!((calibration.verifier.temperature, calibration.verifier.bias), (1.5, -0.5));
    assert_eq!((calibration.weight_verifier, calibration.threshold_evidence), (Some(0.25), 0.4));
    assert!(block_on(pack.seq2seq("verifier", &cpu())).is_ok());
    assert!(block_on(pack.classifier("nli", &cpu())).is_ok());
}

#[test]
fn the_embedded_pack_gives_both_models_over_one_embedding() {
    let mut pack = Pack::open(&embedded()).unwrap();
    let verifier = block_on(pack.seq2seq("verifier", &cpu())).unwrap();
    let nli = block_on(pack.classifier("nli", &cpu())).unwrap();
    assert_eq!(nli.labels(), ["entailment", "neutral", "contradiction"]);
    let logits = block_on(nli.logits(&[("Paris is in France.", "Paris is a city.")])).unwrap();
    assert_eq!(logits[0].len(), 3);
    let step = block_on(block_on(verifier.generate("Is Paris in France?", 64)).unwrap().step()).unwrap().unwrap();
    assert_eq!(step.logits.len(), 30_522);
}

#[test]
fn any_flipped_bit_of_pack_json_is_caught() {
    let whole = std::fs::read(embedded().join("pack.json")).unwrap();
    let mut flipped = whole.clone();
    for bit in 0..8 * whole.len() {
        flipped[bit / 8] ^= 1 << (bit % 8);
        let error = Manifest::parse(&flipped).expect_err("an error");
        assert!(["pack-corrupt", "pack-version"].iter().any(|code| error.code() == *code), "bit {bit}: {error}");
        flipped[bit / 8] = whole[bit / 8];
    }
    assert!(Manifest::parse(&flipped).is_ok());
    let mut edited: Value = serde_json::from_slice(&whole).unwrap();
    edited["calibration"]["threshold_factual"] = json!(0.1);
    let error = Manifest::parse(&serde_json::to_vec_pretty(&edited).unwrap()).expect_err("an error");
    assert!(error.code() == "pack-corrupt" && error.to_string().contains("evident pack seal"), "{error}");
    // A second opinion on how the checksum is made.
    assert!(Manifest::parse(&sealed(&edited)).is_ok());
}

#[test]
fn a_pack_that_is_not_the_expected_one_is_refused() {
    let manifest = Parts::new().manifest().unwrap();
    let [own, another] = [manifest.hash().to_owned(), "0".repeat(64)].map(|hash| Hash::try_from(hash).unwrap());
    assert!(manifest.require(None).is_ok() && manifest.require(Some(own)).is_ok());
    let error = manifest.require(Some(another)).unwrap_err();
    assert!(error.code() == "pack-unexpected" && error.to_string().contains(manifest.hash()), "{error}");
}

#[test]
fn what_is_known_of_a_model_is_read() {
    let mut parts = Parts::new();
    let verdicts = |factual: u32, unfactual: u32| json!({"claims": 100, "factual": factual, "unfactual": unfactual});
    let model = &mut parts.manifest["models"]["nli"];
    model["warm_up"] = json!([{"pair": ["w1", "w2"], "logits": [0.25, -1.5]}]);
    model["measured"] = json!({"on": "made-up claims", "true": verdicts(60, 3), "false": verdicts(4, 50)});
    parts.manifest["models"]["verifier"]["prompt"] = json!("guan2024");
    let manifest = parts.manifest().unwrap();
    let [warm_up] = manifest.warm_up_of("nli") else { panic!("one pair") };
    assert_eq!((warm_up.pair.1.as_str(), &*warm_up.logits), ("w2", &[0.25, -1.5][..]));
    let measured = manifest.measured_of("nli").unwrap();
    assert_eq!((measured.of_true.unfactual, measured.of_false.unfactual), (3, 50));
    assert_eq!(manifest.prompt_of("verifier"), Some("guan2024"));
    assert!(manifest.warm_up_of("verifier").is_empty() && manifest.measured_of("reader").is_none());
}

#[test]
fn a_device_is_held_to_what_the_pack_says_of_its_warm_up() {
    let mut pack = Parts::new().pack().unwrap();
    let nli = block_on(pack.classifier("nli", &cpu())).unwrap();
    let logits = block_on(nli.logits(&[("w1 w2", "w3")])).unwrap().remove(0);
    let warm_up = |change: f32| {
        let logits = logits.iter().map(|logit| logit + change).collect();
        block_on(nli.warm_up(&[WarmUp { pair: ("w1 w2".into(), "w3".into()), logits }]))
    };
    assert!(warm_up(0.0).is_ok() && warm_up(0.01).is_ok());
    for change in [0.1, -3.0] {
        let error = warm_up(change).unwrap_err();
        assert!(error.code() == "backend-lost" && error.to_string().contains("computes wrongly"), "{error}");
    }
    assert!(block_on(nli.warm_up(&[])).is_ok());

    let verifier = block_on(pack.seq2seq("verifier", &cpu())).unwrap();
    let all = block_on(verifier.first_logits("w1 w2", "w3", 512)).unwrap();
    let logits: Vec<f32> = (0..16).map(|probe| all[probe * all.len() / 16]).collect();
    let warm_up = |change: f32| {
        let logits = logits.iter().map(|logit| logit + change * logit.abs().max(1.0)).collect();
        block_on(verifier.warm_up(&[WarmUp { pair: ("w1 w2".into(), "w3".into()), logits }]))
    };
    assert!(warm_up(0.0).is_ok() && warm_up(0.01).is_ok());
    assert_eq!(warm_up(-0.1).unwrap_err().code(), "backend-lost");
}

#[test]
fn a_missing_file_is_named() {
    let parts = Parts::new();
    let manifest = parts.manifest().unwrap();
    let error = block_on(Pack::new(manifest, Vec::new()).classifier("nli", &cpu())).err().expect("an error");
    assert_eq!(error.code(), "pack-missing");
    assert!(error.to_string().contains("bert-int8/tokenizer.json"), "{error}");
    let error = Pack::open(Path::new("no/such/pack")).err().expect("an error");
    assert_eq!(error.code(), "pack-missing");
}

#[test]
fn of_a_tensor_in_several_files_the_last_counts() {
    let mut pack = Parts::new().with_ranker().pack().unwrap();
    let pairs = [("w1 w2", "w3"), ("w4", "w5 w6 w7")];
    let logits = |pack: &mut Pack, name| {
        block_on(async { pack.classifier(name, &cpu()).await.unwrap().logits(&pairs).await }).unwrap()
    };
    let (nli, ranker) = (logits(&mut pack, "nli"), logits(&mut pack, "ranker"));
    assert!(nli.iter().all(|row| row.len() == 2));
    assert_eq!(ranker, nli.iter().map(|row| vec![row[0]]).collect::<Vec<_>>());
}

const QUERY: &str = "bert.encoder.layer.1.attention.self.query.weight";

/// What the models "nli" and "adapted" make of the same pairs.
fn nli_and_adapted(parts: &Parts) -> [Vec<Vec<f32>>; 2] {
    let mut pack = parts.pack().unwrap();
    let pairs = [("w1 w2", "w3"), ("w4", "w5 w6 w7")];
    ["nli", "adapted"]
        .map(|name| block_on(async { pack.classifier(name, &cpu()).await.unwrap().logits(&pairs).await }).unwrap())
}

fn furthest(found: &[Vec<f32>], wanted: &[Vec<f32>]) -> f32 {
    let pairs = found.iter().flatten().zip(wanted.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn an_adapter_is_added_to_its_weight() {
    let mut parts = Parts::of(&[("nli", "bert")]);
    let file = parts.files["bert/model.safetensors"].clone();
    let tensors = SafeTensors::deserialize(&file).unwrap();
    let weight = tensors.tensor(QUERY).unwrap();
    let width = weight.shape()[0];
    let row = |seed: usize| (0..width).map(|i| ((i * 7 + seed * 13) % 11) as f32 / 10.0 - 0.5).collect::<Vec<f32>>();
    let (inputs, outputs) = ([row(1), row(2)], [row(3), row(4)]);
    parts = parts.with_adapter("bert", QUERY, &inputs.each_ref().map(|r| &r[..]), &outputs.each_ref().map(|r| &r[..]));
    let [plain, adapted] = nli_and_adapted(&parts);
    assert!(furthest(&plain, &adapted) > 1e-3, "it changes what the model says");

    // The same sum, done here and stored as a weight.
    let values = weight.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
    let summed = values.enumerate().map(|(at, value)| {
        let (output, input) = (at / width, at % width);
        value + outputs.iter().zip(&inputs).map(|(y, x)| y[output] * x[input]).sum::<f32>()
    });
    let summed: Vec<u8> = summed.flat_map(f32::to_le_bytes).collect();
    let replaced = tensors.iter().map(|(name, view)| match name {
        QUERY => (name, TensorView::new(Dtype::F32, vec![width, width], &summed).unwrap()),
        _ => (name, view),
    });
    let mut merged = Parts::of(&[("nli", "bert")]);
    merged.files.insert("bert/model.safetensors".to_owned(), safetensors::serialize(replaced, None).unwrap());
    let merged = merged.with_adapter("bert", "unread", &[&[0.0]], &[&[0.0]]);
    let [merged, _] = nli_and_adapted(&merged);
    assert!(furthest(&adapted, &merged) < 1e-5);
}

#[test]
fn an_adapter_of_an_int8_weight_leaves_int8() {
    let width = 24;
    let (up, down, ones) = (vec![0.3; width], vec![-0.3; width], vec![1.0; width]);
    let parts = Parts::of(&[("nli", "bert-int8")]).with_adapter("bert-int8", QUERY, &[&up, &down], &[&ones, &ones]);
    let [plain, adapted] = nli_and_adapted(&parts);
    assert!(furthest(&plain, &adapted) < 1e-4, "two rows that cancel out change nothing but by rounding");
    let parts = Parts::of(&[("nli", "bert-int8")]).with_adapter("bert-int8", QUERY, &[&up], &[&up]);
    let [plain, adapted] = nli_and_adapted(&parts);
    assert!(furthest(&plain, &adapted) > 1e-4);
}

#[test]
fn an_adapter_that_does_not_fit_is_refused() {
    let rows = [vec![0.5; 24], vec![0.5; 23]];
    let error = |inputs: &[&[f32]], outputs: &[&[f32]]| {
        let parts = Parts::of(&[("nli", "bert-int8")]).with_adapter("bert-int8", QUERY, inputs, outputs);
        block_on(parts.pack().unwrap().classifier("adapted", &cpu())).err().expect("an error")
    };
    for error in [
        error(&[&rows[1]], &[&rows[0]]),
        error(&[&rows[0]], &[&rows[1]]),
        error(&[&rows[0]], &[&rows[0], &rows[0]]),
        error(&[], &[&rows[0]]),
    ] {
        assert_eq!(error.code(), "pack-architecture", "{error}");
        assert!(error.to_string().contains(QUERY), "{error}");
    }
}

#[test]
fn files_are_asked_for_as_models_need_them() {
    let parts = Parts::new().with_ranker();
    let mut pack = Pack::new(parts.manifest().unwrap(), Vec::new());
    let needs = |pack: &Pack, models: &[&str]| -> Vec<String> {
        pack.needs(models).into_iter().map(|file| file.path).collect()
    };
    let bring = |pack: &mut Pack, models: &[&str]| {
        for path in needs(pack, models) {
            let file = pack.manifest().verify(&path, &parts.files[&path]).unwrap();
            pack.add(file);
        }
    };
    let nli = ["bert-int8/config.json", "bert-int8/model.safetensors", "bert-int8/tokenizer.json"];
    let ranker = ["ranker/config.json", "ranker/model.safetensors"];
    assert_eq!(needs(&pack, &["nli"]), nli);
    assert!(needs(&pack, &["reader"]).is_empty());

    bring(&mut pack, &["nli"]);
    assert_eq!(block_on(pack.classifier("ranker", &cpu())).err().expect("an error").code(), "pack-missing");
    block_on(pack.classifier("nli", &cpu())).unwrap();
    // What the ranker will read too has stayed.
    assert_eq!(needs(&pack, &["nli", "ranker"]), [nli[0], ranker[0], ranker[1]]);
    bring(&mut pack, &["ranker"]);
    block_on(pack.classifier("ranker", &cpu())).unwrap();
    // Now nothing has; brought again, a model loads again, and what is let go of is needed again.
    bring(&mut pack, &["ranker"]);
    pack.expect(&[]);
    assert_eq!(needs(&pack, &["nli", "ranker"]), [&nli[..], &ranker].concat());
    bring(&mut pack, &["ranker"]);
    block_on(pack.classifier("ranker", &cpu())).unwrap();
}

#[test]
fn what_only_other_models_would_read_goes_once_some_are_expected() {
    let parts = Parts::new().with_ranker();
    let mut pack = parts.pack().unwrap();
    pack.expect(&["nli"]);
    assert_eq!(block_on(pack.seq2seq("verifier", &cpu())).err().expect("an error").code(), "pack-missing");
    block_on(pack.classifier("nli", &cpu())).unwrap();
    assert_eq!(pack.needs(&["nli", "ranker", "verifier"]).len(), 8);
}

#[test]
fn a_language_model_takes_its_words_from_a_shared_table() {
    let path = "gpt-neo/model.safetensors";
    let mut parts = Parts::of(&[("lm", "gpt-neo")]);
    let text = ["the cat sat on the mat", "w1 w2"];
    let read = |parts: &Parts| {
        let lm = block_on(parts.pack().unwrap().causal_lm("lm", &cpu())).unwrap();
        block_on(lm.log_probabilities(&text)).unwrap()
    };
    let whole = read(&parts);

    let bytes = parts.files[path].clone();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let is_table = |name: &str| name.starts_with("transformer.wte.");
    let renamed = |name: &str| name.replace("transformer.wte.", "embedding.");
    let rest = tensors.iter().filter(|(name, _)| !is_table(name));
    let table = tensors.iter().filter(|(name, _)| is_table(name)).map(|(name, view)| (renamed(name), view));
    let (rest, table) = (safetensors::serialize(rest, None).unwrap(), safetensors::serialize(table, None).unwrap());
    assert_eq!(tensors.tensor("transformer.wte.weight").unwrap().dtype(), Dtype::I8);
    parts.files.insert(path.to_owned(), rest);
    parts.files.insert("embedding.safetensors".to_owned(), table);
    let names = json!({"embedding.weight": "transformer.wte.weight"});
    let shared = json!({"path": "embedding.safetensors", "names": names});
    parts.manifest["models"]["lm"]["weights"] = json!([{"path": path}, shared]);
    assert_eq!(read(&parts), whole);
}

#[test]
fn names_that_clash_or_name_nothing_are_refused() {
    let mut parts = Parts::new();
    parts.manifest["models"]["nli"]["weights"][0]["names"] = json!({"classifier.bias": "classifier.weight"});
    let error = parts.nli_error();
    assert_eq!(error.code(), "pack-corrupt");
    assert!(error.to_string().contains("two of its tensors are called classifier.weight"), "{error}");
    parts.manifest["models"]["nli"]["weights"][0]["names"] = json!({"embedding": "bert.embeddings"});
    let error = parts.nli_error();
    assert!(matches!(&error, PackError::TensorMissing { tensor, .. } if tensor == "embedding"), "{error}");
}

#[test]
fn another_format_is_refused_before_anything_else_is_read() {
    for (format, remedy) in [(1, "evident pack seal"), (9, "a newer version")] {
        let json = json!({"format": format, "shards": []}).to_string();
        let error = Manifest::parse(json.as_bytes()).expect_err("an error");
        assert_eq!(error.code(), "pack-version");
        assert!(error.to_string().contains(remedy), "{error}");
    }
}

#[test]
fn a_manifest_that_is_none_is_refused() {
    for json in [&b""[..], b"{", b"[]", b"{\"format\": 2}", b"\xff\xfe", b"{\"format\": \"2\"}"] {
        assert_eq!(Manifest::parse(json).expect_err("an error").code(), "pack-corrupt");
    }
    let page = Manifest::parse(b"\n<!doctype html><title>Home</title>").expect_err("an error");
    assert_eq!(page.code(), "pack-corrupt");
    assert!(page.to_string().starts_with("the host answered with a page in place of pack.json"), "{page}");
    for path in ["../secret", "/etc/passwd", "a/../../b", "C:\\x", "a//b", ""] {
        let mut parts = Parts::new();
        parts.manifest["files"] = json!([{"path": path, "bytes": 0, "sha256": Hash::of(b"")}]);
        assert_eq!(parts.manifest().expect_err("an error").code(), "pack-corrupt", "{path}");
    }
    let mut parts = Parts::new();
    parts.manifest["calibration"]["nli"]["temperature"] = json!(0.0);
    assert_eq!(parts.manifest().expect_err("an error").code(), "pack-corrupt");
}

#[test]
fn a_model_of_another_architecture_is_refused() {
    let mut parts = Parts::new();
    parts.config("t5-gelu/config.json", |config| config["model_type"] = json!("gpt2"));
    let error = parts.verifier_error();
    assert_eq!(error.code(), "pack-architecture");
    assert!(error.to_string().contains("gpt2"), "{error}");

    let mut pack = Parts::new().pack().unwrap();
    assert_eq!(block_on(pack.seq2seq("nli", &cpu())).err().expect("an error").code(), "pack-architecture");
    assert_eq!(block_on(pack.classifier("reader", &cpu())).err().expect("an error").code(), "pack-architecture");
}

#[test]
fn settings_that_make_no_model_are_refused() {
    let spoilt: [(&str, Value); 16] = [
        ("d_model", json!(0)),
        ("d_ff", json!(0)),
        ("layer_norm_epsilon", json!(-1.0)),
        ("num_heads", json!(0)),
        ("d_kv", json!(0)),
        ("d_kv", json!(u64::MAX)),
        ("d_model", json!(48)),
        ("num_layers", json!(u64::MAX)),
        ("num_decoder_layers", json!(4)),
        ("relative_attention_num_buckets", json!(0)),
        ("relative_attention_max_distance", json!(1)),
        ("feed_forward_proj", json!("gated-swiglu")),
        ("feed_forward_proj", json!("gated-gelu")),
        ("decoder_start_token_id", json!(5000)),
        ("vocab_size", json!(90)),
        ("tie_word_embeddings", json!(false)),
    ];
    for (key, value) in spoilt {
        let mut parts = Parts::new();
        parts.config("t5-gelu/config.json", |config| {
            config.as_object_mut().unwrap().remove("scale_decoder_outputs");
            config[key] = value.clone();
        });
        assert_eq!(parts.verifier_error().code(), "pack-architecture", "{key} {value}");
    }
    for (key, value) in [
        ("num_attention_heads", json!(0)),
        ("num_attention_heads", json!(5)),
        ("hidden_act", json!("mish")),
        ("max_position_embeddings", json!(3)),
        ("intermediate_size", json!(0)),
        ("num_hidden_layers", json!(0)),
        ("pad_token_id", json!(96)),
        ("type_vocab_size", json!(1)),
        ("id2label", json!({"1": "a", "2": "b"})),
        ("id2label", json!({"0": "a", "1": "b", "2": "c"})),
    ] {
        let mut parts = Parts::new();
        parts.config("bert-int8/config.json", |config| config[key] = value.clone());
        assert_eq!(parts.nli_error().code(), "pack-architecture", "{key} {value}");
    }
    for value in [json!(-1), json!("many"), json!(1.5), Value::Null] {
        let mut parts = Parts::new();
        parts.config("t5-gelu/config.json", |config| config["num_heads"] = value.clone());
        assert_eq!(parts.verifier_error().code(), "pack-corrupt", "{value}");
    }
}

/// The error of a golden model one of whose settings is another.
fn spoilt_error<M>(
    name: &str,
    open: impl AsyncFnOnce(&mut Pack, &str, &Device) -> Result<M, PackError>,
    key: &str,
    value: &Value,
) -> PackError {
    let mut parts = Parts::of(&[(ONLY_MODEL, name)]);
    parts.config(&format!("{name}/config.json"), |config| config[key] = value.clone());
    let opened = block_on(open(&mut parts.pack().unwrap(), ONLY_MODEL, &cpu()));
    opened.err().unwrap_or_else(|| panic!("{name}: {key} {value}"))
}

#[test]
fn settings_that_make_no_language_model_are_refused() {
    for (name, key, value) in [
        ("gpt2", "model_type", json!("bert")),
        ("gpt2", "n_head", json!(0)),
        ("gpt2", "n_head", json!(5)),
        ("gpt2", "n_embd", json!(0)),
        ("gpt2", "n_embd", json!(u64::MAX)),
        ("gpt2", "n_layer", json!(u64::MAX)),
        ("gpt2", "n_positions", json!(0)),
        ("gpt2", "n_positions", json!(95)),
        ("gpt2", "n_inner", json!(0)),
        ("gpt2", "n_inner", json!(64)),
        ("gpt2", "vocab_size", json!(0)),
        ("gpt2", "vocab_size", json!(319)),
        ("gpt2", "layer_norm_epsilon", json!(-1.0)),
        ("gpt2", "activation_function", json!("mish")),
        ("gpt2", "tie_word_embeddings", json!(false)),
        ("gpt-neo", "num_heads", json!(3)),
        ("gpt-neo", "window_size", json!(0)),
        ("gpt-neo", "num_layers", json!(5)),
        ("gpt-neo", "attention_types", json!([[["global"], 3]])),
        ("gpt-neo", "attention_types", json!([[["global", "local"], u64::MAX]])),
    ] {
        let error = spoilt_error(name, Pack::causal_lm, key, &value);
        assert_eq!(error.code(), "pack-architecture", "{name} {key} {value}: {error}");
    }
    for (key, value) in [("attention_types", json!([[["sparse"], 4]])), ("num_heads", json!(-4))] {
        let error = spoilt_error("gpt-neo", Pack::causal_lm, key, &value);
        assert_eq!(error.code(), "pack-corrupt", "{key} {value}");
    }
}

#[test]
fn settings_that_make_no_deberta_are_refused() {
    for (key, value) in [
        ("num_attention_heads", json!(0)),
        ("num_attention_heads", json!(5)),
        ("hidden_act", json!("mish")),
        ("pooler_hidden_act", json!("mish")),
        ("intermediate_size", json!(0)),
        ("pad_token_id", json!(256)),
        ("relative_attention", json!(false)),
        ("share_att_key", json!(false)),
        ("pos_att_type", json!("")),
        ("pos_att_type", json!("c2p|p2p")),
        ("pos_att_type", json!([])),
        ("position_biased_input", json!(true)),
        ("conv_kernel_size", json!(3)),
        ("embedding_size", json!(12)),
        ("pooler_hidden_size", json!(12)),
        ("attention_head_size", json!(12)),
        ("position_buckets", json!(2)),
        ("position_buckets", json!(32)),
        ("position_buckets", json!(-1)),
        ("position_buckets", json!(i64::MAX)),
        ("max_relative_positions", json!(9)),
        ("max_position_embeddings", json!(3)),
        ("norm_rel_ebd", json!("layer_norm")),
        ("type_vocab_size", json!(3)),
        ("id2label", json!({"1": "a", "2": "b"})),
        ("num_hidden_layers", json!(0)),
        ("num_hidden_layers", json!(u64::MAX)),
    ] {
        let error = spoilt_error("deberta-v2-types", Pack::classifier, key, &value);
        assert_eq!(error.code(), "pack-architecture", "{key} {value}: {error}");
    }
}

#[test]
fn settings_that_make_no_mpnet_are_refused() {
    for (key, value) in [
        ("num_attention_heads", json!(5)),
        ("hidden_act", json!("mish")),
        ("intermediate_size", json!(41)),
        ("num_hidden_layers", json!(3)),
        ("pad_token_id", json!(0)),
        ("pad_token_id", json!(96)),
        ("relative_attention_num_buckets", json!(16)),
        ("max_position_embeddings", json!(201)),
        ("layer_norm_eps", json!(-1.0)),
        ("vocab_size", json!(1)),
        ("id2label", json!({"1": "a", "2": "b"})),
    ] {
        for error in
            [spoilt_error("mpnet", Pack::classifier, key, &value), spoilt_error("mpnet", Pack::embedder, key, &value)]
        {
            assert_eq!(error.code(), "pack-architecture", "{key} {value}: {error}");
        }
    }
}

#[test]
fn settings_that_make_no_modernbert_are_refused() {
    for (key, value) in [
        ("norm_bias", json!(true)),
        ("attention_bias", json!(true)),
        ("mlp_bias", json!(true)),
        ("classifier_bias", json!(true)),
        ("rope_scaling", json!({"rope_type": "yarn", "factor": 4.0})),
        ("rope_parameters", json!({"full_attention": {"rope_type": "linear", "factor": 2.0}})),
        ("rope_parameters", json!({"sliding_attention": {"rope_theta": 0.0}})),
        ("global_rope_theta", json!(-1.0)),
        ("local_rope_theta", json!(1e300)),
        ("global_attn_every_n_layers", json!(0)),
        ("layer_types", json!(["full_attention"])),
        ("layer_types", json!(["full_attention", "sliding_attention", "chunked_attention", "full_attention"])),
        ("hidden_activation", json!("mish")),
        ("classifier_activation", json!("mish")),
        ("num_attention_heads", json!(5)),
        ("num_attention_heads", json!(8)),
        ("hidden_size", json!(u64::MAX - 2)),
        ("intermediate_size", json!(u64::MAX)),
        ("num_hidden_layers", json!(u64::MAX)),
        ("max_position_embeddings", json!(3)),
        ("pad_token_id", json!(336)),
        ("vocab_size", json!(1)),
        ("norm_eps", json!(-1.0)),
        ("id2label", json!({"1": "a", "2": "b"})),
    ] {
        let error = spoilt_error("modernbert", Pack::classifier, key, &value);
        assert_eq!(error.code(), "pack-architecture", "{key} {value}: {error}");
    }
    let error = spoilt_error("modernbert", Pack::classifier, "classifier_pooling", &json!("max"));
    assert_eq!(error.code(), "pack-corrupt", "{error}");
}

#[test]
fn a_head_over_tokens_is_no_head_over_texts() {
    let open = |name: &str| Pack::open(&golden(name)).unwrap();
    let kind = |name: &str| open(name).model(ONLY_MODEL).unwrap().kind;
    assert_eq!(
        ["modernbert", "modernbert-tokens", "modernbert-embedder"].map(kind),
        [ModelKind::Classifier, ModelKind::TokenClassifier, ModelKind::Embedder]
    );
    let texts = block_on(open("modernbert-tokens").classifier(ONLY_MODEL, &cpu())).err().expect("an error");
    let tokens = block_on(open("modernbert").token_classifier(ONLY_MODEL, &cpu())).err().expect("an error");
    let other = block_on(open("bert").token_classifier(ONLY_MODEL, &cpu())).err().expect("an error");
    for (error, says) in [
        (texts, "its head classifies tokens, not texts"),
        (tokens, "its head does not classify tokens"),
        (other, "\"bert\" is not a token classifier that this version reads: it reads \"modernbert\""),
    ] {
        assert_eq!(error.code(), "pack-architecture", "{error}");
        assert!(error.to_string().ends_with(says), "{error}");
    }
    // Without its head, or with one that is not read, it is an encoder.
    assert!(block_on(open("modernbert").embedder(ONLY_MODEL, &cpu())).is_ok());
}

#[test]
fn a_pair_s_tokens_are_counted_before_any_are_cut() {
    let mpnet = block_on(Pack::open(&golden("mpnet")).unwrap().classifier(ONLY_MODEL, &cpu())).unwrap();
    assert_eq!(mpnet.max_tokens(), 200); // positions are counted from 2
    assert_eq!(mpnet.pair_tokens("", "").unwrap(), 4);
    assert_eq!(mpnet.pair_tokens("w1 w2", "w3").unwrap(), 7);
    let long = "w5 ".repeat(300);
    assert_eq!(mpnet.pair_tokens(&long, &long).unwrap(), 604);

    // What is over is cut from the first text alone as long as there is any of it, and only then from the second.
    let logits = |first: &str, second: &str| block_on(mpnet.logits(&[(first, second)])).unwrap();
    assert_eq!(logits(&"w5 ".repeat(200), "w3 w4"), logits(&"w5 ".repeat(194), "w3 w4"));
    assert_eq!(logits(&"w5 ".repeat(194), &long), logits("", &"w5 ".repeat(196)));
    assert_ne!(logits("w5", &"w5 ".repeat(195)), logits("", &"w5 ".repeat(195)));
}

#[test]
fn a_model_is_opened_as_what_it_is() {
    let open = |name: &str| Pack::open(&golden(name)).unwrap();
    assert_eq!(
        block_on(open("bert").causal_lm(ONLY_MODEL, &cpu())).err().expect("an error").code(),
        "pack-architecture"
    );
    assert_eq!(
        block_on(open("gpt2").classifier(ONLY_MODEL, &cpu())).err().expect("an error").code(),
        "pack-architecture"
    );
    assert_eq!(
        block_on(open("deberta-v3").embedder(ONLY_MODEL, &cpu())).err().expect("an error").code(),
        "pack-architecture"
    );
    let error = block_on(open("bert-embedder").classifier(ONLY_MODEL, &cpu())).err().expect("an error");
    assert!(matches!(&error, PackError::TensorMissing { tensor, .. } if tensor == "classifier.weight"), "{error}");
}

/// A golden model whose tensors have the names that `rename` gives them; those without one are left out.
fn renamed(name: &str, rename: impl Fn(&str) -> Option<String>) -> Pack {
    let mut parts = Parts::of(&[(ONLY_MODEL, name)]);
    let path = format!("{name}/model.safetensors");
    let tensors = parts.files[&path].clone();
    let tensors = SafeTensors::deserialize(&tensors).unwrap();
    let tensors = tensors.iter().filter_map(|(name, view)| Some((rename(name)?, view)));
    parts.files.insert(path, safetensors::serialize(tensors, None).unwrap());
    parts.pack().unwrap()
}

#[test]
fn tensors_are_found_under_all_names_that_are_published() {
    let same = |name: &str| Some(name.to_owned());
    let older =
        |name: &str| name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta");
    let pair = [("w1 w2", "w3")];
    let classify = |mut pack: Pack| {
        block_on(async { pack.classifier(ONLY_MODEL, &cpu()).await.unwrap().logits(&pair).await }).unwrap()
    };
    for name in ["bert", "roberta", "mpnet", "deberta-v3", "modernbert"] {
        let bare = |name: &str| {
            let prefixes = ["bert.", "roberta.", "mpnet.", "deberta.", "model."];
            prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name).to_owned()
        };
        let whole = classify(renamed(name, same));
        assert_eq!(classify(renamed(name, |name| Some(older(name)))), whole, "{name}");
        assert_eq!(classify(renamed(name, |name| Some(bare(name)))), whole, "{name}");
        assert_eq!(classify(renamed(name, |name| Some(older(&bare(name))))), whole, "{name}");
    }

    let read = |mut pack: Pack| {
        block_on(async { pack.causal_lm(ONLY_MODEL, &cpu()).await.unwrap().log_probabilities(&["the cat"]).await })
            .unwrap()
    };
    let whole = read(renamed("gpt2", same));
    for other in ["wte.weight", "lm_head.weight"] {
        assert_eq!(read(renamed("gpt2", |name| Some(name.replace("transformer.wte.weight", other)))), whole, "{other}");
    }

    let write = |mut pack: Pack| {
        block_on(async {
            pack.seq2seq(ONLY_MODEL, &cpu()).await.unwrap().log_probabilities("w1 w2", "w3 w4", 64).await
        })
        .unwrap()
    };
    for (name, others) in [
        ("t5-v1.0", &["encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight"][..]),
        ("t5-v1.1", &["encoder.embed_tokens.weight", "decoder.embed_tokens.weight"]),
    ] {
        let whole = write(renamed(name, same));
        for other in others {
            let only = |found: &str| match found {
                "shared.weight" => Some((*other).to_owned()),
                "encoder.embed_tokens.weight" | "decoder.embed_tokens.weight" => None,
                found => same(found),
            };
            assert_eq!(write(renamed(name, only)), whole, "{name}, {other}");
        }
    }
}

#[test]
fn settings_that_change_the_computation_are_refused_by_name() {
    for (name, key, value) in [
        ("bert", "position_embedding_type", json!("relative_key")),
        ("bert", "position_embedding_type", json!("relative_key_query")),
        ("bert", "position_embedding_type", json!("alibi")),
        ("bert", "is_decoder", json!(true)),
        ("bert", "add_cross_attention", json!(true)),
        ("bert", "hidden_act", json!("quick_gelu")),
        ("bert", "quantization_config", json!({"bits": 4})),
        ("roberta", "position_embedding_type", json!("relative_key")),
        ("mpnet", "quantization_config", json!({"load_in_8bit": true})),
        ("deberta-v3", "conv_kernel_size", json!(3)),
        ("deberta-v3", "embedding_size", json!(8)),
        ("deberta-v3", "pos_att_type", json!("p2c|p2p")),
        ("deberta-v3", "position_biased_input", json!(true)),
        ("deberta-v3", "relative_attention", json!(false)),
        ("deberta-v3", "share_att_key", json!(false)),
    ] {
        let error = spoilt_error(name, Pack::classifier, key, &value);
        assert_eq!(error.code(), "pack-architecture", "{name}: {error}");
        assert!(error.to_string().contains(key), "{name}, {key}: {error}");
    }
    for (key, value) in [
        ("feed_forward_proj", json!("gated-mish")),
        ("is_gated_act", json!(false)),
        ("dense_act_fn", json!("relu")),
        ("is_encoder_decoder", json!(false)),
        ("is_decoder", json!(true)),
        ("tie_encoder_decoder", json!(true)),
        ("quantization_config", json!({"quant_method": "gptq"})),
    ] {
        let error = spoilt_error("t5-v1.1", Pack::seq2seq, key, &value);
        assert_eq!(error.code(), "pack-architecture", "{key}: {error}");
        assert!(error.to_string().contains(key), "{key}: {error}");
    }
    for name in ["gpt2", "gpt-neo"] {
        let error = spoilt_error(name, Pack::causal_lm, "add_cross_attention", &json!(true));
        assert!(error.to_string().contains("add_cross_attention"), "{error}");
    }
    // These change nothing in f32, and a setting of null is left out.
    for (key, value) in [("reorder_and_upcast_attn", json!(true)), ("add_cross_attention", json!(null))] {
        let mut parts = Parts::of(&[(ONLY_MODEL, "gpt2")]);
        parts.config("gpt2/config.json", |config| config[key] = value);
        assert!(block_on(parts.pack().unwrap().causal_lm(ONLY_MODEL, &cpu())).is_ok(), "{key}");
    }
    // Without a head of its own a model that says so is not read with the table of words for one.
    let mut parts = Parts::of(&[(ONLY_MODEL, "t5-v1.0")]);
    parts.config("t5-v1.0/config.json", |config| config["tie_word_embeddings"] = json!(false));
    let error = block_on(parts.pack().unwrap().seq2seq(ONLY_MODEL, &cpu())).err().expect("an error");
    assert!(matches!(&error, PackError::TensorMissing { tensor, .. } if tensor == "lm_head.weight"), "{error}");
}

#[test]
fn a_file_that_stands_in_the_place_of_another_is_named_as_what_it_is() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 1234567\n";
    let page = "<!DOCTYPE html><html>Access denied</html>";
    for (bytes, named) in [(pointer, "Git LFS pointer"), (page, "HTML page"), ("PK\u{3}\u{4}\0\0\u{8}\u{8}", "pickle")]
    {
        for file in ["model.safetensors", "config.json", "tokenizer.json"] {
            let folder = copied("bert");
            std::fs::write(folder.path().join(file), bytes).unwrap();
            let opened = Pack::open(folder.path());
            let error =
                opened.and_then(|mut pack| block_on(pack.classifier(ONLY_MODEL, &cpu())).map(drop)).unwrap_err();
            assert_eq!(error.code(), "pack-corrupt", "{error}");
            assert!(error.to_string().contains(file) && error.to_string().contains(named), "{error}");
        }
    }
    for (there, missing, named) in [
        ("pytorch_model.bin", "model.safetensors", "pickle"),
        ("tf_model.h5", "model.safetensors", "TensorFlow"),
        ("model.onnx", "model.safetensors", "ONNX"),
        ("model-q4_0.gguf", "model.safetensors", "GGUF"),
        ("vocab.txt", "tokenizer.json", "only a tokenizer.json is read"),
    ] {
        let folder = copied("bert");
        std::fs::write(folder.path().join(there), "x").unwrap();
        assert!(Pack::open(folder.path()).is_ok(), "beside {missing}, {there} is nothing");
        std::fs::remove_file(folder.path().join(missing)).unwrap();
        let error = Pack::open(folder.path()).err().expect("an error").to_string();
        assert!(error.contains(there) && error.contains(named), "{error}");
    }
}

#[test]
fn a_missing_tensor_and_a_wrong_shape_are_named() {
    let mut parts = Parts::new();
    parts.manifest["models"]["verifier"]["weights"][0]["names"] = json!({"shared.weight": "embedding"});
    let error = parts.verifier_error();
    assert!(matches!(&error, PackError::TensorMissing { tensor, .. } if tensor == "shared.weight"), "{error}");

    let mut parts = Parts::new();
    parts.config("t5-gelu/config.json", |config| config["d_ff"] = json!(41));
    let error = parts.verifier_error();
    assert!(matches!(&error, PackError::Shape { found, .. } if found == &[40, 32]), "{error}");
    assert!(error.to_string().contains("DenseReluDense.wi.weight"), "{error}");
}

/// A copy of a golden checkpoint, to be spoilt by a test.
fn copied(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(golden(name)).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    folder
}

#[test]
fn a_missing_shard_and_an_index_that_leads_elsewhere_are_refused() {
    let folder = copied("t5-sharded");
    let path = |name: &str| folder.path().join(name);
    std::fs::remove_file(path("model-00003-of-00004.safetensors")).unwrap();
    let error = Pack::open(folder.path()).err().expect("an error");
    assert_eq!(error.code(), "pack-missing");
    assert!(error.to_string().contains("model-00003-of-00004.safetensors"), "{error}");

    for index in [r#"{"weight_map": {"a": "../model.safetensors"}}"#, r#"{"weight_map": {"a": "config.json"}}"#, "{}"] {
        std::fs::write(path("model.safetensors.index.json"), index).unwrap();
        let error = Pack::open(folder.path()).err().expect("an error");
        assert_eq!(error.code(), "pack-corrupt");
        assert!(error.to_string().contains("model.safetensors.index.json"), "{index}: {error}");
    }
    std::fs::write(path("model.safetensors.index.json"), r#"{"weight_map": {}}"#).unwrap();
    let error = block_on(Pack::open(folder.path()).unwrap().seq2seq(ONLY_MODEL, &cpu())).err().expect("an error");
    assert!(matches!(&error, PackError::TensorMissing { tensor, .. } if tensor == "shared.weight"), "{error}");
}

/// Rewrites the safetensors header, which stands behind its length in eight bytes.
fn with_header(bytes: &[u8], change: impl FnOnce(String) -> String) -> Vec<u8> {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header = change(String::from_utf8(bytes[8..8 + length].to_vec()).unwrap());
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &bytes[8 + length..]].concat()
}

#[test]
fn weights_that_cannot_be_read_are_refused() {
    let path = "t5-gelu/model.safetensors";
    let whole = Parts::new().files[path].clone();
    let mut spoilt =
        vec![Vec::new(), whole[..7].to_vec(), whole[..whole.len() / 2].to_vec(), vec![0xff; 64], vec![0; 64]];
    spoilt.push(with_header(&whole, |header| header.replace("\"I8\"", "\"U8\"")));
    spoilt.push(with_header(&whole, |header| header.replace(".scale\"", ".skale\"")));
    spoilt.push(with_header(&whole, |header| header.replace("[0,", "[9007199254740991,")));
    // The last tensor in the file holds floats: NaN and infinity in place of two of them.
    for value in [f32::NAN, f32::INFINITY] {
        let mut bytes = whole.clone();
        let header = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
        let floats: Vec<usize> = (header..whole.len() - 3).step_by(4).collect();
        bytes[floats[0]..floats[0] + 4].copy_from_slice(&value.to_le_bytes());
        spoilt.push(bytes);
    }
    // A header that promises more bytes than there are, or more than any memory has.
    spoilt.extend(
        [1 << 26, u64::MAX, i64::MAX as u64].map(|length: u64| [&length.to_le_bytes()[..], &whole[8..]].concat()),
    );
    for (i, bytes) in spoilt.into_iter().enumerate() {
        let mut parts = Parts::new();
        parts.files.insert(path.to_owned(), bytes);
        let error = parts.verifier_error();
        assert_eq!(error.code(), "pack-corrupt", "case {i}");
        assert!(error.to_string().contains(path), "case {i}: {error}");
    }
}

#[test]
fn a_tensor_that_is_no_weights_is_named() {
    let path = "t5-gelu/model.safetensors";
    let mut parts = Parts::new();
    let whole = parts.files[path].clone();
    parts.files.insert(path.to_owned(), with_header(&whole, |header| header.replace("\"I8\"", "\"U8\"")));
    let error = parts.verifier_error();
    assert!(
        matches!(&error, PackError::Tensor { path: at, tensor, .. } if at == path && tensor == "shared.weight"),
        "{error}"
    );
}

#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let mut parts = Parts::new();
    parts.manifest["models"]["nli"]["tokenizer"] = json!("gpt2/tokenizer.json");
    parts.files.insert("gpt2/tokenizer.json".to_owned(), std::fs::read(golden("gpt2").join("tokenizer.json")).unwrap());
    let error = parts.nli_error();
    assert_eq!(error.code(), "pack-architecture");
    assert!(error.to_string().contains("the tokenizer has 320 ids where the model has 96"), "{error}");
}

#[test]
fn a_tokenizer_that_is_none_is_refused() {
    let precompiled = br#"{"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAA="}, "model": {"type": "Unigram", "vocab": []}}"#;
    let cut = br#"{"model": {"type": "Unigram", "vocab": []}, "decoder": {"type": "Metaspace""#;
    for bytes in [&b""[..], b"{}", b"\xff", br#"{"model": {"type": "WordLevel", "vocab": {}}}"#, precompiled, cut] {
        let mut parts = Parts::new();
        parts.files.insert("bert-int8/tokenizer.json".to_owned(), bytes.to_vec());
        assert_eq!(parts.nli_error().code(), "pack-corrupt");
    }
}

#[test]
fn special_tokens_without_an_id_in_the_vocabulary_are_refused() {
    let path = "bert-int8/tokenizer.json";
    let mut parts = Parts::new();
    parts.config(path, |tokenizer| {
        tokenizer["post_processor"]["special_tokens"]["[CLS]"]["ids"] = json!([5000]);
    });
    let classifier = block_on(parts.pack().unwrap().classifier("nli", &cpu())).unwrap();
    let error = block_on(classifier.logits(&[("w1", "w2")])).expect_err("an error");
    assert!(matches!(error, NnError::Tokenizer { .. }), "{error}");

    let mut parts = Parts::new();
    parts.config(path, |tokenizer| {
        let token = json!({"id": "[CLS]", "ids": vec![1; 200], "tokens": vec!["[CLS]"; 200]});
        tokenizer["post_processor"]["special_tokens"]["[CLS]"] = token;
    });
    assert_eq!(parts.nli_error().code(), "pack-architecture");
}

#[test]
fn a_backend_that_is_not_compiled_in_is_a_typed_error() {
    if !cfg!(feature = "webgpu") {
        let error = block_on(open_device(Backend::WebGpu)).expect_err("an error");
        assert!(matches!(error, NnError::BackendUnavailable { .. }));
        assert_eq!(error.code(), "backend-unavailable");
    }
}

#[test]
fn texts_of_any_kind_and_length_give_numbers() {
    let texts = [
        "",
        " ",
        "w1",
        "\u{1f600}\u{1f3fd}",
        "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
        "\0\u{202e}\u{feff}",
        &"w1 ".repeat(5000),
    ];
    let classifier = block_on(Pack::open(&golden("roberta")).unwrap().classifier(ONLY_MODEL, &cpu())).unwrap();
    let pairs: Vec<(&str, &str)> = texts.iter().flat_map(|a| texts.iter().map(|b| (*a, *b))).collect();
    let logits = block_on(classifier.logits(&pairs)).unwrap();
    assert!(logits.iter().all(|row| row.len() == 3 && row.iter().all(|x| x.is_finite())));
    assert!(block_on(classifier.logits(&[])).unwrap().is_empty());

    for name in ["gpt2", "gpt-neo"] {
        let lm = block_on(Pack::open(&golden(name)).unwrap().causal_lm(ONLY_MODEL, &cpu())).unwrap();
        for ((before, text), found) in pairs.iter().zip(block_on(lm.log_probabilities_after(&pairs)).unwrap()) {
            assert!(found.iter().all(|x| x.is_finite() && *x <= 0.0), "{before:?} {text:?}");
        }
        assert!(block_on(lm.log_probabilities(&[])).unwrap().is_empty());
        assert!(block_on(lm.logits("")).unwrap().is_empty());
    }
    for name in ["deberta-v3", "mpnet", "modernbert"] {
        let classifier = block_on(Pack::open(&golden(name)).unwrap().classifier(ONLY_MODEL, &cpu())).unwrap();
        let logits = block_on(classifier.logits(&pairs)).unwrap();
        assert!(logits.iter().flatten().count() == 3 * pairs.len() && logits.iter().flatten().all(|x| x.is_finite()));
    }
    let embedder = block_on(Pack::open(&golden("bert-embedder")).unwrap().embedder(ONLY_MODEL, &cpu())).unwrap();
    assert!(block_on(embedder.embed(&texts)).unwrap().iter().flatten().all(|x| x.is_finite()));
    assert!(block_on(embedder.embed(&[])).unwrap().is_empty());

    let seq2seq = block_on(Pack::open(&golden("t5-v1.1")).unwrap().seq2seq(ONLY_MODEL, &cpu())).unwrap();
    for text in texts {
        for max_tokens in [0, 1, 2, 100] {
            let mut generation = block_on(seq2seq.generate(text, max_tokens)).unwrap();
            assert!(block_on(generation.step()).unwrap().is_some());
            let found = block_on(seq2seq.log_probabilities(text, text, max_tokens)).unwrap();
            assert!((1..=max_tokens.max(1)).contains(&found.len()), "{text:?} {max_tokens}");
        }
    }
}
