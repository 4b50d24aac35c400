//! The embedded pack over an index, for tests of the whole flow.

use std::path::Path;

use evident_index::{FileStorage, Index};
use evident_nn::{Backend, Pack, open_device};
use evident_verify::{About, BackendReport, PackReport, Verifier};

/// A verifier on the CPU over the index at `index`.
pub async fn verifier(index: &Path) -> Verifier<FileStorage> {
    let (device, name) = open_device(Backend::Cpu).await.unwrap();
    let mut pack = Pack::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/embedded")).unwrap();
    let about = About { backend: BackendReport { kind: Backend::Cpu, name }, pack: PackReport::of(pack.manifest()) };
    let calibration = pack.manifest().calibration().clone();
    let seq2seq = pack.seq2seq("verifier", &device).unwrap();
    let nli = pack.classifier("nli", &device).unwrap();
    let index = Index::open(FileStorage::new(index)).await.unwrap();
    Verifier::new(seq2seq, nli, calibration, index, about).unwrap()
}
