//! The embedded pack against transformers on PyTorch, in f32: `models/recipes/reference.py` made the reference.

use std::num::NonZero;
use std::path::Path;

use evident_nn::{Backend, Device, Pack, Threads, WarmUp, open_device};
use futures_lite::future::block_on;
use serde::Deserialize;

/// Probabilities that the two may differ by.
const TOLERANCE: f32 = 1e-3;

#[derive(Deserialize)]
struct Reference {
    prompts: Vec<Judged>,
    pairs: Vec<Compared>,
    texts: Vec<Read>,
    embeddings: Vec<Embedded>,
    paragraphs: Vec<Ordered>,
}

#[derive(Deserialize)]
struct Judged {
    prompt: String,
    ids: Vec<u32>,
    p: f32,
}

#[derive(Deserialize)]
struct Compared {
    premise: String,
    hypothesis: String,
    /// The probabilities by each of the two NLI models.
    nli: Vec<f32>,
    small: Vec<f32>,
    /// The place in the hypothesis of each of its tokens, and the logit that it is wrong, by the first.
    marks: Vec<(usize, usize, f32)>,
}

#[derive(Deserialize)]
struct Read {
    before: String,
    text: String,
    logs: Vec<f32>,
}

#[derive(Deserialize)]
struct Embedded {
    text: String,
    /// The first values of its embedding.
    first: Vec<f32>,
}

#[derive(Deserialize)]
struct Ordered {
    text: String,
    logit: f32,
}

/// The reference, the pack, and the CPU.
fn opened() -> (Reference, Pack, Device) {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let reference = std::fs::read(models.join("recipes/reference.json")).unwrap();
    let device = block_on(open_device(Backend::Cpu)).unwrap().0;
    (serde_json::from_slice(&reference).unwrap(), Pack::open(&models.join("embedded")).unwrap(), device)
}

fn softmax(logits: &[f32]) -> Vec<f32> {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = logits.iter().map(|logit| (logit - top).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.into_iter().map(|exp| exp / sum).collect()
}

#[test]
fn the_embedded_pack_gives_what_transformers_gives() {
    let (reference, mut pack, device) = opened();
    let verifier = block_on(pack.seq2seq("verifier", &device)).unwrap();
    let nli = block_on(pack.classifier("nli", &device)).unwrap();
    let small = block_on(pack.classifier("small", &device)).unwrap();

    let mass = |p: &[f32], words: [&str; 2]| -> f32 {
        words.iter().map(|word| p[verifier.tokenizer().single_piece(word).unwrap() as usize]).sum()
    };
    for Judged { prompt, ids, p } in reference.prompts {
        assert_eq!(verifier.tokenizer().encode(&prompt).unwrap(), ids);
        let step = block_on(async { verifier.generate(&prompt, 4000).await.unwrap().step().await }).unwrap().unwrap();
        let words = softmax(&step.logits);
        let (factual, unfactual) = (mass(&words, ["a", "yes"]), mass(&words, ["b", "no"]));
        assert!((factual / (factual + unfactual) - p).abs() < TOLERANCE, "{prompt}");
    }

    let pairs: Vec<(&str, &str)> = reference.pairs.iter().map(|pair| (&*pair.premise, &*pair.hypothesis)).collect();
    for Compared { premise, hypothesis, marks, .. } in &reference.pairs {
        let found = block_on(nli.marks(premise, hypothesis)).unwrap().expect("a head that marks words");
        assert_eq!(found.len(), marks.len(), "{hypothesis}");
        for ((place, ours), &(start, end, theirs)) in found.into_iter().zip(marks) {
            assert_eq!(place, start..end, "{hypothesis}");
            assert!((ours - theirs).abs() < TOLERANCE * theirs.abs().max(1.0), "{hypothesis}: {ours} {theirs}");
        }
    }
    assert_eq!(block_on(small.marks("Iron rusts.", "Iron melts.")).unwrap(), None);
    for (model, wanted) in [(&nli, (|pair| &pair.nli) as fn(&Compared) -> &Vec<f32>), (&small, |pair| &pair.small)] {
        for (logits, pair) in block_on(model.logits(&pairs)).unwrap().iter().zip(&reference.pairs) {
            for (ours, theirs) in softmax(logits).iter().zip(wanted(pair)) {
                assert!((ours - theirs).abs() < TOLERANCE, "{}", pair.hypothesis);
            }
        }
    }

    for (name, model) in [("nli", &nli), ("small", &small)] {
        for WarmUp { pair, logits } in pack.manifest().warm_up_of(name) {
            let found = block_on(model.logits(&[(&pair.0, &pair.1)])).unwrap().remove(0);
            assert!(found.iter().zip(logits).all(|(ours, theirs)| (ours - theirs).abs() < 0.005 + TOLERANCE), "{name}");
        }
    }

    let lm = block_on(pack.causal_lm("lm", &device)).unwrap();
    for Read { before, text, logs } in reference.texts {
        let found = block_on(lm.log_probabilities_after(&[(&before, &text)])).unwrap().remove(0);
        assert_eq!(found.len(), logs.len(), "{text}");
        for (ours, theirs) in found.iter().zip(logs) {
            assert!((ours - theirs).abs() < TOLERANCE * theirs.abs().max(1.0), "{text}: {ours} {theirs}");
        }
    }

    let embedder = block_on(pack.embedder("embedder", &device)).unwrap();
    for Embedded { text, first } in reference.embeddings {
        let found = block_on(embedder.embed(&[&text])).unwrap().remove(0);
        assert!(found.iter().zip(&first).all(|(ours, theirs)| (ours - theirs).abs() < TOLERANCE), "{text}");
    }
    let discourse = block_on(pack.classifier("discourse", &device)).unwrap();
    for Ordered { text, logit } in reference.paragraphs {
        let found = block_on(discourse.text_logits(&[&text])).unwrap()[0][0];
        assert!((found - logit).abs() < TOLERANCE * logit.abs().max(1.0), "{text}: {found} {logit}");
    }
}

#[test]
fn borrowed_threads_change_no_bit() {
    let (reference, mut pack, device) = opened();
    let verifier = block_on(pack.seq2seq("verifier", &device)).unwrap();
    let nli = block_on(pack.classifier("nli", &device)).unwrap();
    let lm = block_on(pack.causal_lm("lm", &device)).unwrap();

    let prompt = reference.prompts.iter().map(|judged| &*judged.prompt).collect::<String>();
    let pairs: Vec<(&str, &str)> = reference.pairs.iter().map(|pair| (&*pair.premise, &*pair.hypothesis)).collect();
    let long = (pairs[0].0.repeat(3), pairs[0].1.repeat(3));
    let passes = || {
        block_on(async {
            let step = verifier.generate(&prompt, 700).await.unwrap().step().await.unwrap().unwrap();
            let mut logits = nli.logits(&pairs).await.unwrap();
            logits.extend(nli.logits(&[(&long.0, &long.1)]).await.unwrap());
            logits.push(step.logits);
            logits.extend(lm.log_probabilities_after(&[(&long.0, &long.1)]).await.unwrap());
            logits
        })
    };
    let alone = passes();
    for threads in [2, 3, 7] {
        let found = Threads::new(NonZero::new(threads).unwrap()).unwrap().run(passes);
        for (number, (found, alone)) in found.iter().zip(&alone).enumerate() {
            assert!(found == alone, "pass {number} on {threads} threads");
        }
    }
}
