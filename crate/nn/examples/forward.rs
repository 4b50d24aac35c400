//! One forward pass at a time on this machine's CPU, for tests/bench/models.mjs: takes a number of threads, reads
//! `{"pack", "seq2seq", "texts", "expected"}` a line, and answers with milliseconds and by how much the logits differ from the
//! expected, against the largest of them.

use std::collections::HashMap;
use std::env::args;
use std::io::{BufRead, stdin};
use std::time::Instant;

use evident_nn::{Backend, Classifier, ONLY_MODEL, Pack, Seq2Seq, Threads, open_device};
use futures_lite::future::block_on;
use mimalloc::MiMalloc;
use serde::Deserialize;

/// As in the command line.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[derive(Deserialize)]
struct Asked {
    pack: String,
    seq2seq: bool,
    texts: Vec<String>,
    expected: Vec<f32>,
}

enum Model {
    Seq2Seq(Box<Seq2Seq>),
    Classifier(Classifier),
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let threads = Threads::new(args().nth(1).ok_or("how many threads?")?.parse()?)?;
    let mut models = HashMap::new();
    let (device, _) = block_on(open_device(Backend::Cpu))?;
    for line in stdin().lock().lines() {
        let Asked { pack, seq2seq, texts, expected } = serde_json::from_str(&line?)?;
        if !models.contains_key(&pack) {
            let mut opened = Pack::open(pack.as_ref())?;
            let model = match seq2seq {
                true => Model::Seq2Seq(Box::new(opened.seq2seq(ONLY_MODEL, &device)?)),
                false => Model::Classifier(opened.classifier(ONLY_MODEL, &device)?),
            };
            models.insert(pack.clone(), model);
        }
        let began = Instant::now();
        let logits = threads.run(|| match &models[&pack] {
            Model::Seq2Seq(model) => {
                let step = block_on(async { model.generate(&texts.concat(), usize::MAX).await?.step().await });
                step.map(|step| step.map(|step| step.logits).unwrap_or_default())
            }
            Model::Classifier(model) => {
                let pairs: Vec<_> = texts.as_chunks().0.iter().map(|[a, b]| (a.as_str(), b.as_str())).collect();
                block_on(model.logits(&pairs)).map(|logits| logits.concat())
            }
        })?;
        let ms = began.elapsed().as_secs_f64() * 1e3;
        assert_eq!(logits.len(), expected.len(), "logits of {pack}");
        let largest =
            |values: &mut dyn Iterator<Item = f32>| values.fold(0.0, |most: f32, value| most.max(value.abs()));
        let off = largest(&mut logits.iter().zip(&expected).map(|(found, expected)| found - expected));
        let difference = off / largest(&mut expected.iter().copied());
        println!("{}", serde_json::json!({ "ms": ms, "difference": difference }));
    }
    Ok(())
}
