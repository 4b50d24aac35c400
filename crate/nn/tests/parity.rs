//! The small random checkpoints of tests/parity/models/golden, computed here and by transformers on PyTorch.

use std::path::{Path, PathBuf};

use evident_nn::{Backend, Device, ONLY_MODEL, Pack, open_device};
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

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden").join(name)
}

fn read<T: for<'a> Deserialize<'a>>(name: &str) -> T {
    serde_json::from_slice(&std::fs::read(golden(name).join("golden.json")).unwrap()).unwrap()
}

fn cpu() -> Device {
    block_on(open_device(Backend::Cpu)).unwrap().0
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

/// Every step's logits and token, greedily, up to eight steps or the end token.
fn generates_as_the_reference(name: &str) {
    let model = Pack::open(&golden(name)).unwrap().seq2seq(ONLY_MODEL, &cpu()).unwrap();
    for case in read::<Vec<Generated>>(name) {
        let length = model.tokenizer().count(&case.prompt).unwrap();
        let mut generation = block_on(model.generate(&case.prompt, usize::MAX)).unwrap();
        for (i, (token, logits)) in case.tokens.iter().zip(&case.logits).enumerate() {
            let step = block_on(generation.step()).unwrap().expect("the reference went on");
            assert_close(&format!("{name}, {length} tokens, step {i}"), &step.logits, logits);
            assert_eq!(step.token, *token, "{name}, {length} tokens, step {i}");
        }
        let ended = case.tokens.len() < 8;
        assert_eq!(block_on(generation.step()).unwrap().is_none(), ended, "{name}, {length} tokens");
    }
}

/// All pairs at once, so that short ones are padded, and one by one, so that none is.
fn classifies_as_the_reference(name: &str) {
    let model = Pack::open(&golden(name)).unwrap().classifier(ONLY_MODEL, &cpu()).unwrap();
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

#[test]
fn t5_v1_1_with_a_gated_gelu_and_a_head_of_its_own() {
    generates_as_the_reference("t5-v1.1");
}

#[test]
fn t5_v1_1_in_bf16_with_the_config_of_transformers_5() {
    generates_as_the_reference("t5-v1.1-resaved");
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
