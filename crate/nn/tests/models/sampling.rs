//! Top-p sampling has the tokens and probabilities that transformers' `TopPLogitsWarper` leaves: tests/parity/writing.

use std::path::Path;

use evident_nn::{Backend, ONLY_MODEL, Pack, nucleus, open_device};
use futures_lite::future::block_on;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    written: Vec<Written>,
    logits: Vec<f32>,
    sampled: Vec<Sampled>,
}

#[derive(Deserialize)]
struct Written {
    kind: String,
    prompt: String,
    tokens: Vec<u32>,
}

#[derive(Deserialize)]
struct Sampled {
    top_p: f64,
    kept: Vec<(u32, f64)>,
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/writing")
}

fn golden() -> Golden {
    serde_json::from_slice(&std::fs::read(folder().join("golden.json")).unwrap()).unwrap()
}

#[test]
fn the_same_tokens_are_kept_with_the_same_probabilities() {
    let Golden { logits, sampled, .. } = golden();
    assert_eq!(sampled.len(), 3);
    for Sampled { top_p, kept } in sampled {
        let mut ours = nucleus(&logits, top_p);
        ours.sort_by_key(|&(token, _)| token);
        assert_eq!(
            ours.iter().map(|each| each.0).collect::<Vec<_>>(),
            kept.iter().map(|each| each.0).collect::<Vec<_>>()
        );
        for ((_, ours), (_, theirs)) in ours.iter().zip(&kept) {
            assert!((ours - theirs).abs() < 1e-5, "{top_p}: {ours} {theirs}");
        }
    }
    assert_eq!(nucleus(&logits, 1.0).len(), logits.len());
    assert_eq!(nucleus(&logits, 0.0).len(), 1, "the likeliest token is always there");
}

#[test]
fn sampling_writes_what_is_likely_and_the_least_draw_what_is_likeliest() {
    let (device, _) = block_on(open_device(Backend::Cpu)).unwrap();
    let t5 = block_on(Pack::open(&folder().join("model")).unwrap().seq2seq(ONLY_MODEL, &device)).unwrap();
    let written = |top_p: f64, draw: f64, prompt: &str| {
        let mut generation = block_on(t5.generate(prompt, 1000)).unwrap();
        let mut tokens = Vec::new();
        while tokens.len() < 40
            && let Some(step) = block_on(generation.sample(top_p, draw)).unwrap()
        {
            tokens.push(step.token);
        }
        tokens
    };
    for case in golden().written {
        assert_eq!(written(0.9, 0.0, &case.prompt), case.tokens, "the first of the nucleus is the greedy token");
        if case.kind == "knowledge" {
            assert_eq!(written(0.01, 0.999, &case.prompt), case.tokens, "a nucleus of one");
        }
    }
}
