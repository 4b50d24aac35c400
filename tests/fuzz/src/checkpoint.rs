//! The checkpoint that packs of any contents are made with.

use std::path::Path;

use evident_nn::{Backend, Device, open_device};
use futures_lite::future::block_on;

/// A file of the checkpoint: a BERT of random weights, most of them int8.
pub fn file(name: &str) -> Vec<u8> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../parity/models/golden/bert-int8");
    std::fs::read(golden.join(name)).expect("the checkpoint lies in the repository")
}

/// The CPU.
pub fn device() -> Device {
    block_on(open_device(Backend::Cpu)).expect("the CPU is compiled in").0
}
