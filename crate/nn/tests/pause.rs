//! Cancelling: a model that is told to stop does not begin with another half of a layer.

use std::cell::Cell;
use std::path::Path;

use evident_nn::{Backend, ErrorCode, NnError, ONLY_MODEL, Pack, open_device, pause_within_layers};
use futures_lite::future::block_on;

thread_local! {
    /// The pauses that there were.
    static PAUSES: Cell<usize> = const { Cell::new(0) };
    /// The pause in which the computation is stopped.
    static LAST: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// How many pauses there are in `run` when it may go on, and that none comes after one in which it may not.
fn stops_at_once(layers: usize, run: impl Fn() -> Result<(), NnError>) {
    pause_within_layers(|| {
        PAUSES.set(PAUSES.get() + 1);
        let goes_on = PAUSES.get() < LAST.get();
        Box::pin(async move { goes_on })
    });
    PAUSES.set(0);
    LAST.set(usize::MAX);
    run().unwrap();
    let pauses = PAUSES.get();
    assert!(layers > 0 && pauses >= 2 * layers, "{pauses} pauses in {layers} layers");
    for last in [1, 2, pauses / 2, pauses] {
        PAUSES.set(0);
        LAST.set(last);
        let error = run().expect_err("it was cancelled");
        assert_eq!((error.code(), PAUSES.get()), (ErrorCode::Cancelled, last));
    }
}

/// The pack of a checkpoint, and the layers that its config states.
fn golden(name: &str) -> (Pack, usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden").join(name);
    let config: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("config.json")).unwrap()).unwrap();
    let counts = ["num_hidden_layers", "num_layers", "num_decoder_layers", "n_layer"];
    let layers: u64 = counts.iter().filter_map(|key| config[key].as_u64()).sum();
    (Pack::open(&folder).unwrap(), layers as usize)
}

#[test]
fn no_half_of_a_layer_follows_once_it_was_cancelled() {
    let device = block_on(open_device(Backend::Cpu)).unwrap().0;
    let pair = ("w1 w2 the cat", "w3 sat");
    for name in ["bert", "roberta", "deberta-v3"] {
        let (mut pack, layers) = golden(name);
        let model = pack.classifier(ONLY_MODEL, &device).unwrap();
        stops_at_once(layers, || block_on(model.logits(&[pair])).map(drop));
    }
    let (mut pack, layers) = golden("bert-embedder");
    let model = pack.embedder(ONLY_MODEL, &device).unwrap();
    stops_at_once(layers, || block_on(model.embed(&[pair.0])).map(drop));
    for name in ["gpt2", "gpt-neo"] {
        let (mut pack, layers) = golden(name);
        let model = pack.causal_lm(ONLY_MODEL, &device).unwrap();
        stops_at_once(layers, || block_on(model.log_probabilities(&[pair.0])).map(drop));
    }
    let (mut pack, layers) = golden("t5-v1.1");
    let model = pack.seq2seq(ONLY_MODEL, &device).unwrap();
    stops_at_once(layers, || {
        block_on(async {
            let mut generation = model.generate(pair.0, 64).await?;
            generation.step().await.map(drop)
        })
    });
    stops_at_once(layers, || block_on(model.log_probabilities(pair.0, pair.1, 64)).map(drop));
}
