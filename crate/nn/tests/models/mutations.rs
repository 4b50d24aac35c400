//! Checkpoints with something changed somewhere: whatever it is, they load or say what is wrong, and never panic.

use std::collections::BTreeMap;
use std::path::Path;

use evident_base::Hash;
use evident_nn::{Backend, Device, Manifest, ModelKind, ONLY_MODEL, Pack, PackError, open_device};
use futures_lite::future::block_on;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use crate::sealed::sealed;

const CHECKPOINTS: [&str; 10] = [
    "t5-gelu",
    "bert-int8",
    "roberta",
    "mpnet",
    "deberta-v3",
    "modernbert",
    "modernbert-mean",
    "modernbert-tokens",
    "gpt2",
    "gpt-neo",
];
const FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

#[derive(Clone, Debug)]
enum Mutation {
    /// Other bytes in their place.
    Bytes { file: usize, at: Index, bytes: Vec<u8> },
    /// The end cut off.
    Cut { file: usize, at: Index },
    /// A value of the JSON of a config, a tokenizer or a header of weights, found by its number.
    Value { file: usize, at: Index, value: usize },
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let file = 0..FILES.len();
    prop_oneof![
        (file.clone(), any::<Index>(), prop::collection::vec(any::<u8>(), 1..9))
            .prop_map(|(file, at, bytes)| Mutation::Bytes { file, at, bytes }),
        (file.clone(), any::<Index>()).prop_map(|(file, at)| Mutation::Cut { file, at }),
        (file, any::<Index>(), 0..VALUES).prop_map(|(file, at, value)| Mutation::Value { file, at, value }),
    ]
}

const VALUES: usize = 12;

fn values() -> [Value; VALUES] {
    [
        json!(null),
        json!(0),
        json!(-1),
        json!(1),
        json!(7),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e300),
        json!(""),
        json!("\u{2581}"),
        json!([]),
        json!({}),
    ]
}

/// All values inside of one, itself included, in order.
fn each(value: &mut Value, visit: &mut impl FnMut(&mut Value)) {
    visit(value);
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| each(value, visit)),
        Value::Object(values) => values.values_mut().for_each(|value| each(value, visit)),
        _ => {}
    }
}

fn changed(json: &[u8], at: &Index, put: usize) -> Vec<u8> {
    let mut whole: Value = serde_json::from_slice(json).unwrap();
    let mut count = 0;
    each(&mut whole, &mut |_| count += 1);
    let (chosen, mut number) = (at.index(count), 0);
    each(&mut whole, &mut |value| {
        if number == chosen {
            *value = values()[put].clone();
        }
        number += 1;
    });
    serde_json::to_vec(&whole).unwrap()
}

fn mutate(files: &mut BTreeMap<&str, Vec<u8>>, mutation: &Mutation) {
    let (Mutation::Bytes { file, .. } | Mutation::Cut { file, .. } | Mutation::Value { file, .. }) = mutation;
    let whole = files.get_mut(FILES[*file]).unwrap();
    match mutation {
        Mutation::Bytes { at, bytes, .. } => {
            let at = at.index(whole.len());
            whole.iter_mut().skip(at).zip(bytes).for_each(|(old, new)| *old = *new);
        }
        Mutation::Cut { at, .. } => whole.truncate(at.index(whole.len())),
        Mutation::Value { file: 2, at, value } => {
            let (length, rest) = whole.split_at(8);
            let (header, data) = rest.split_at(u64::from_le_bytes(length.try_into().unwrap()) as usize);
            let header = changed(header, at, *value);
            *whole = [&(header.len() as u64).to_le_bytes()[..], &header, data].concat();
        }
        Mutation::Value { at, value, .. } => *whole = changed(whole, at, *value),
    }
}

/// A pack of one model whose manifest states what its files are now.
fn pack(files: BTreeMap<&str, Vec<u8>>) -> Result<Pack, PackError> {
    let entry = |(path, bytes): (&&str, &Vec<u8>)| {
        let hash = Hash::of(bytes);
        json!({"path": path, "bytes": bytes.len(), "sha256": hash})
    };
    let [config, tokenizer, weights] = FILES;
    let manifest = json!({"name": "changed", "version": "", "files": files.iter().map(entry).collect::<Vec<_>>(),
        "models": {ONLY_MODEL: {"config": config, "tokenizer": tokenizer, "weights": [{"path": weights}]}}});
    let manifest = Manifest::parse(&sealed(&manifest)).unwrap();
    let files = files.into_iter().map(|(path, bytes)| manifest.verify(path, &bytes)).collect::<Result<_, _>>()?;
    Ok(Pack::new(manifest, files))
}

/// Loads the only model as what it is and, where it loads, has it read two texts.
async fn read(mut pack: Pack, device: &Device) -> Result<(), PackError> {
    let pair = ("w1 w2 the cat", "w3 sat");
    // A model may give nonsense, or say that it does: either is right.
    match pack.models()?[0].kind {
        ModelKind::Seq2Seq => {
            let model = pack.seq2seq(ONLY_MODEL, device).await?;
            if let Ok(mut generation) = model.generate(pair.0, 16).await {
                drop(generation.step().await);
            }
        }
        ModelKind::Classifier => drop(pack.classifier(ONLY_MODEL, device).await?.logits(&[pair]).await),
        ModelKind::TokenClassifier => {
            drop(pack.token_classifier(ONLY_MODEL, device).await?.logits(pair.0, pair.1).await)
        }
        ModelKind::CausalLm => {
            drop(pack.causal_lm(ONLY_MODEL, device).await?.log_probabilities_after(&[pair]).await);
        }
        ModelKind::Embedder => drop(pack.embedder(ONLY_MODEL, device).await?.embed(&[pair.0, pair.1]).await),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn changed_checkpoints_load_or_say_what_is_wrong(checkpoint in 0..CHECKPOINTS.len(), changes in prop::collection::vec(mutation(), 1..3)) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden").join(CHECKPOINTS[checkpoint]);
        let mut files: BTreeMap<&str, Vec<u8>> =
            FILES.into_iter().map(|file| (file, std::fs::read(folder.join(file)).unwrap())).collect();
        // One change for each file at most: the next would have to read what the last has spoilt.
        let mut changed = Vec::new();
        for change in &changes {
            let (Mutation::Bytes { file, .. } | Mutation::Cut { file, .. } | Mutation::Value { file, .. }) = change;
            if !changed.contains(file) {
                mutate(&mut files, change);
                changed.push(*file);
            }
        }
        let device = block_on(open_device(Backend::Cpu)).unwrap().0;
        if let Err(error) = pack(files).and_then(|pack| block_on(read(pack, &device))) {
            let message = error.to_string();
            prop_assert!(FILES.iter().any(|file| message.contains(file)), "{message}");
        }
    }
}
