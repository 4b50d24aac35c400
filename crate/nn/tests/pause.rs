//! Cancelling: a model that is told to stop does not begin with another half of a layer, nor another tensor while it is
//! loaded.

use std::cell::Cell;
use std::path::Path;

use evident_nn::{Backend, ErrorCode, NnError, ONLY_MODEL, Pack, PackError, open_device, pause_in_models};
use futures_lite::future::block_on;

thread_local! {
    /// The pauses that there were.
    static PAUSES: Cell<usize> = const { Cell::new(0) };
    /// The pause in which the computation is stopped.
    static LAST: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Runs `run` up to a pause, if it comes so far. Returns the number of pauses with what came of it.
fn run_until<T>(last: usize, run: impl FnOnce() -> T) -> (T, usize) {
    pause_in_models(|| {
        PAUSES.set(PAUSES.get() + 1);
        let goes_on = PAUSES.get() < LAST.get();
        Box::pin(async move { goes_on })
    });
    PAUSES.set(0);
    LAST.set(last);
    let ran = run();
    LAST.set(usize::MAX);
    (ran, PAUSES.get())
}

/// How many pauses there are in `run` when it may go on, and that none comes after one in which it may not.
fn stops_at_once(layers: usize, run: impl Fn() -> Result<(), NnError>) {
    let (ran, pauses) = run_until(usize::MAX, &run);
    ran.unwrap();
    assert!(layers > 0 && pauses >= 2 * layers, "{pauses} pauses in {layers} layers");
    for last in [1, 2, pauses / 2, pauses] {
        let (ran, pauses) = run_until(last, &run);
        assert_eq!((ran.expect_err("it was cancelled").code(), pauses), (ErrorCode::Cancelled, last));
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
    for name in ["bert", "roberta", "deberta-v3", "modernbert"] {
        let (mut pack, layers) = golden(name);
        let model = block_on(pack.classifier(ONLY_MODEL, &device)).unwrap();
        stops_at_once(layers, || block_on(model.logits(&[pair])).map(drop));
    }
    let (mut pack, layers) = golden("bert-embedder");
    let model = block_on(pack.embedder(ONLY_MODEL, &device)).unwrap();
    stops_at_once(layers, || block_on(model.embed(&[pair.0])).map(drop));
    for name in ["gpt2", "gpt-neo"] {
        let (mut pack, layers) = golden(name);
        let model = block_on(pack.causal_lm(ONLY_MODEL, &device)).unwrap();
        stops_at_once(layers, || block_on(model.log_probabilities(&[pair.0])).map(drop));
    }
    let (mut pack, layers) = golden("t5-v1.1");
    let model = block_on(pack.seq2seq(ONLY_MODEL, &device)).unwrap();
    stops_at_once(layers, || {
        block_on(async {
            let mut generation = model.generate(pair.0, 64).await?;
            generation.step().await.map(drop)
        })
    });
    stops_at_once(layers, || block_on(model.log_probabilities(pair.0, pair.1, 64)).map(drop));
}

/// Loads a model whole, and another time in so many attempts as there are pauses: each goes on where the last was
/// stopped. Both must give the same numbers.
fn loads_after_it_was_stopped<M>(
    open: impl Fn() -> (Pack, usize),
    load: impl AsyncFn(&mut Pack) -> Result<M, PackError>,
    numbers: impl AsyncFn(&M) -> Result<Vec<f32>, NnError>,
) {
    let (mut pack, layers) = open();
    let (whole, pauses) = run_until(usize::MAX, || block_on(load(&mut pack)));
    assert!(layers > 0 && pauses >= 4 * layers, "{pauses} pauses in {layers} layers");
    let (mut pack, _) = open();
    for attempt in 0..pauses {
        let (stopped, made) = run_until(1, || block_on(load(&mut pack)));
        let error = stopped.err().unwrap_or_else(|| panic!("attempt {attempt} of {pauses} was not stopped"));
        assert_eq!((error.code(), made), (ErrorCode::Cancelled, 1));
    }
    let (again, made) = run_until(1, || block_on(load(&mut pack)));
    assert_eq!(made, 0, "everything was made before");
    let numbers = |model: &M| block_on(numbers(model)).unwrap();
    assert_eq!(numbers(&again.unwrap()), numbers(&whole.unwrap()));
}

#[test]
fn loading_stops_after_a_tensor_and_goes_on_from_there() {
    let device = block_on(open_device(Backend::Cpu)).unwrap().0;
    let pair = ("w1 w2 the cat", "w3 sat");
    for name in ["bert-int8", "roberta", "mpnet", "deberta-v3", "modernbert"] {
        loads_after_it_was_stopped(
            || golden(name),
            async |pack| pack.classifier(ONLY_MODEL, &device).await,
            async |model| Ok(model.logits(&[pair]).await?.concat()),
        );
    }
    for name in ["gpt2", "gpt-neo"] {
        loads_after_it_was_stopped(
            || golden(name),
            async |pack| pack.causal_lm(ONLY_MODEL, &device).await,
            async |model| Ok(model.log_probabilities(&[pair.0]).await?.concat()),
        );
    }
    loads_after_it_was_stopped(
        || golden("t5-v1.1"),
        async |pack| pack.seq2seq(ONLY_MODEL, &device).await,
        async |model| model.log_probabilities(pair.0, pair.1, 64).await,
    );
    // A model with adapters.
    let embedded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/embedded");
    loads_after_it_was_stopped(
        || (Pack::open(&embedded).unwrap(), 1),
        async |pack| pack.embedder("embedder", &device).await,
        async |model| Ok(model.embed(&[pair.0]).await?.concat()),
    );
}

#[test]
fn what_was_made_before_loading_was_stopped_outlives_another_models_loading() {
    let device = block_on(open_device(Backend::Cpu)).unwrap().0;
    let embedded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/embedded");
    let mut pack = Pack::open(&embedded).unwrap();
    let (stopped, _) = run_until(3, || block_on(pack.embedder("embedder", &device)));
    assert_eq!(stopped.err().map(|error| error.code()), Some(ErrorCode::Cancelled));
    block_on(pack.causal_lm("lm", &device)).unwrap();
    block_on(pack.embedder("embedder", &device)).unwrap();
}
