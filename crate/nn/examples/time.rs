//! How long a pack's models take on this machine, in milliseconds, the best of three:
//!
//!     cargo run --release -p evident-nn --features cpu --example time -- models/embedded verifier nli

use std::time::Instant;

use evident_nn::{Backend, Pack, open_device};
use futures_lite::future::block_on;

const SENTENCE: &str =
    "Paris is the capital of France and lies on the river Seine, which was spanned by 37 bridges in 2011. ";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pack, verifier, nli] = arguments.as_slice() else {
        return Err("usage: time PACK VERIFIER NLI".into());
    };
    let backend = if cfg!(feature = "webgpu") { Backend::WebGpu } else { Backend::Cpu };
    block_on(async {
        let (device, adapter) = open_device(backend).await?;
        let start = Instant::now();
        let mut pack = Pack::open(pack.as_ref())?;
        let (verifier, nli) = (pack.seq2seq(verifier, &device)?, pack.classifier(nli, &device)?);
        println!("{backend} ({adapter}), loaded in {:.0}", start.elapsed().as_secs_f64() * 1e3);

        for tokens in [128, 512, 1400] {
            let prompt = SENTENCE.repeat(tokens / 20);
            let (mut first, mut next) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..3 {
                let start = Instant::now();
                let mut answer = verifier.generate(&prompt, tokens).await?;
                answer.step().await?;
                first = first.min(start.elapsed().as_secs_f64() * 1e3);
                let start = Instant::now();
                answer.step().await?;
                next = next.min(start.elapsed().as_secs_f64() * 1e3);
            }
            println!("verifier, {tokens} tokens: first step {first:.0}, each further {next:.1}");
        }
        for (pairs, sentences) in [(1, 2), (10, 2), (10, 5)] {
            let premise = SENTENCE.repeat(sentences);
            let batch = vec![(premise.as_str(), SENTENCE); pairs];
            let tokens = nli.tokenizer().count(&premise)? + nli.tokenizer().count(SENTENCE)? - 1;
            let mut best = f64::INFINITY;
            for _ in 0..3 {
                let start = Instant::now();
                nli.logits(&batch).await?;
                best = best.min(start.elapsed().as_secs_f64() * 1e3);
            }
            println!("nli, {pairs} pairs of {tokens} tokens: {best:.0}");
        }
        Ok(())
    })
}
