//! Retrieval with the small random checkpoints of tests/parity/models/golden. Their order means nothing, but it must be
//! the order that is returned.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use evident_index::{BuildOptions, FileStorage, Index, Passage, build};
use evident_nn::{Backend, Device, ONLY_MODEL, Pack, open_device};
use evident_verify::{IndexSource, Merged, PackReport, RelevanceModel, RerankKind, Reranker, Retriever, Settings};
use futures_lite::future::block_on;
use tempfile::TempDir;

fn golden(name: &str) -> (Pack, PackReport) {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden").join(name);
    let pack = Pack::open(&path).unwrap();
    let report = PackReport::of(pack.manifest());
    (pack, report)
}

fn cpu() -> Device {
    block_on(open_device(Backend::Cpu)).unwrap().0
}

/// An index of 150 passages that all hold "iron".
fn index() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let passage = |n: usize| Passage {
        id: n.to_string(),
        title: format!("Metal {n}"),
        text: format!("Iron has {n} uses in the world. {}", "It is a metal. ".repeat(n % 7)),
        ..Passage::default()
    };
    build((0..150).map(passage).map(Ok), &directory.path().join("index"), &BuildOptions::default()).unwrap();
    directory
}

fn retrieve(directory: &TempDir, reranker: Option<Reranker>, k: usize) -> Merged {
    block_on(async {
        let index = Index::open(FileStorage::new(directory.path().join("index"))).await.unwrap();
        let source = Rc::new(IndexSource::in_folder(index, "metals"));
        let retriever = Retriever::new(vec![source], reranker.map(Into::into));
        let settings = Settings { evidence: k, ..Settings::default() };
        let told = Cell::new(0);
        let find = async || {
            let ranking = async || {
                told.set(told.get() + 1);
                Ok(())
            };
            retriever.search(&settings).ask("What is it?", "Iron is a metal.", ranking).await.unwrap()
        };
        let found = find().await;
        assert_eq!(find().await, found, "again the same");
        assert_eq!(told.get(), if retriever.reranker().is_some() { 2 } else { 0 });
        found
    })
}

/// The ids of passages, those with the greatest score first.
fn ranked(scored: &mut [(String, f64)]) -> Vec<&str> {
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored.iter().map(|(id, _)| id.as_str()).collect()
}

fn ids(found: &Merged) -> Vec<&str> {
    found.passages.iter().map(|hit| hit.passage.id.as_str()).collect()
}

const QUERY: &str = "What is it? Iron is a metal.";

#[test]
fn a_bi_encoder_orders_the_best_hundred_by_cosine() {
    let directory = index();
    let (plain, (mut pack, report)) = (retrieve(&directory, None, 100), golden("bert-embedder"));
    let model = block_on(pack.embedder(ONLY_MODEL, &cpu())).unwrap();
    let mut expected: Vec<(String, f64)> = plain
        .passages
        .iter()
        .map(|hit| {
            let text = format!("{}. {}", hit.passage.title, hit.passage.text);
            let vectors = block_on(model.embed(&[QUERY, &text])).unwrap();
            let cosine = vectors[0].iter().zip(&vectors[1]).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
            (hit.passage.id.clone(), cosine)
        })
        .collect();
    let reranker = Reranker::new(RelevanceModel::BiEncoder(model.into()), report);
    assert_eq!((reranker.report().kind, reranker.report().candidates), (RerankKind::BiEncoder, 100));
    let found = retrieve(&directory, Some(reranker), 10);
    assert_eq!(ids(&found), ranked(&mut expected)[..10]);
    assert_ne!(ids(&found), ids(&plain)[..10]);
    assert_eq!(found.frequencies, plain.frequencies);
    for hit in &found.passages {
        assert!(plain.passages.contains(hit), "its score is still BM25's");
    }
}

#[test]
fn a_cross_encoder_orders_them_by_its_logit() {
    let directory = index();
    let (mut pack, report) = golden("bert-gelu-new");
    let model = block_on(pack.classifier(ONLY_MODEL, &cpu())).unwrap();
    let mut expected: Vec<(String, f64)> = retrieve(&directory, None, 100)
        .passages
        .iter()
        .map(|hit| {
            let text = format!("{}. {}", hit.passage.title, hit.passage.text);
            let logits = block_on(model.logits(&[(QUERY, &text)])).unwrap().remove(0);
            let first = if logits.len() > 1 { logits[0] } else { 0.0 };
            (hit.passage.id.clone(), f64::from(logits[logits.len() - 1] - first))
        })
        .collect();
    let reranker = Reranker::new(RelevanceModel::cross_encoder("ranker", model).unwrap(), report);
    let found = retrieve(&directory, Some(reranker), 10);
    assert_eq!(ids(&found), ranked(&mut expected)[..10]);
}

#[test]
fn a_classifier_of_three_classes_ranks_nothing() {
    let error = block_on(Reranker::load(&mut golden("bert").0, &cpu())).err().unwrap();
    assert_eq!(error.code(), "pack-architecture");
    assert!(error.to_string().contains("choose one with a single label"), "{error}");
}
