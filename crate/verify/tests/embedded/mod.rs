//! The embedded pack over an index, for tests of the whole flow.

#![allow(dead_code)] // no test uses all of it

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use evident_index::{FileStorage, Index};
use evident_nn::{Backend, Device, Pack, open_device};
use evident_verify::{About, BackendReport, IndexSource, Judge, PackReport, Retriever, Verifier};
use futures_lite::future::block_on;

/// The pack's smaller NLI model: most tests are of the flow, not of the quality of verdicts.
const MODEL: &str = "small";

/// A verifier on the CPU over the index at `index`, with the pack's T5.
pub async fn verifier(index: &Path) -> Verifier {
    let (mut pack, device, verifier) = without_t5(index).await;
    verifier.judge().load_t5(&mut pack, "verifier", true, &device).await.unwrap();
    verifier
}

/// A verifier on the CPU, without a T5, over the index at `index`; with the pack, and the device.
pub async fn without_t5(index: &Path) -> (Pack, Device, Verifier) {
    let index = Index::open(FileStorage::new(index)).await.unwrap();
    let source = Rc::new(IndexSource::in_folder(index, "index"));
    over(Retriever::new(vec![source], None)).await
}

/// The same with evidence from `retriever`.
pub async fn over(retriever: Retriever) -> (Pack, Device, Verifier) {
    let (device, name) = open_device(Backend::Cpu).await.unwrap();
    let mut pack = Pack::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/embedded")).unwrap();
    let about = About {
        backend: BackendReport { kind: Backend::Cpu, name },
        pack: PackReport::of(pack.manifest()),
        models: BTreeMap::new(),
        marked_by: None,
    };
    let judge = block_on(Judge::load(&mut pack, MODEL, &device)).unwrap();
    let verifier = Verifier::new(judge.into(), retriever, about);
    (pack, device, verifier)
}
