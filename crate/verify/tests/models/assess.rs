//! A statement by itself is judged as in its answer, by an index and by given passages.

use std::path::Path;

use evident_index::{BuildOptions, ErrorCode, Passage, build};
use evident_nn::{Backend, Pack, WarmUp, open_device};
use evident_verify::{Evidence, Facts, Judge, ScoreBy, SentenceReport, Settings, Verifier, VerifyError};
use futures_lite::future::block_on;
use tempfile::TempDir;

use crate::embedded;

const PASSAGES: [(&str, &str); 3] = [
    ("Iron", "Iron is a metal with the symbol Fe. It rusts in wet air."),
    ("Tin", "Tin is a soft metal with the symbol Sn."),
    ("Mars", "Mars is the fourth planet from the Sun. It has two moons."),
];

fn passage((title, text): (&str, &str)) -> Passage {
    Passage { id: title.to_lowercase(), title: title.into(), text: text.into(), ..Passage::default() }
}

fn open() -> (TempDir, Verifier) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    build(PASSAGES.map(passage).map(Ok), &path, &BuildOptions::default()).unwrap();
    let verifier = block_on(embedded::verifier(&path));
    (directory, verifier)
}

/// A report without its places in an answer and the scores and sources that only a search gives.
fn judgment(report: SentenceReport) -> SentenceReport {
    let evidence = report.evidence.into_iter().map(|evidence| Evidence { bm25: 0.0, from: None, ..evidence });
    let score = (report.score * 1e9).round(); // a weight that cancels out still changes the last digits
    SentenceReport { start: 0, end: 0, score, evidence: evidence.collect(), ..report }
}

#[test]
fn a_statement_is_judged_alone_and_by_given_passages_as_in_its_answer() {
    let (_directory, verifier) = open();
    // One passage, because several count by their BM25 scores, which given passages do not have.
    let (settings, observer) = (Settings { evidence: 1, ..Settings::default() }, ());
    let (context, text, question) = ("Iron is a metal.", "It rusts in wet air.", Some("What is iron?"));
    let answer = format!("{context} {text}");
    let report = block_on(verifier.verify(verifier.judge(), &answer, question, &settings, &observer)).unwrap();
    let in_answer = report.sentences.into_iter().nth(1).unwrap();

    let alone = block_on(verifier.verify_statement(text, context, question, &settings, &observer)).unwrap();
    assert_eq!(judgment(alone.clone()), judgment(in_answer.clone()));

    let found = in_answer.evidence.iter().map(|evidence| passage((&evidence.title, &evidence.text))).collect();
    let judge = verifier.judge();
    let given = block_on(judge.assess(text, context, question, found, &settings, &observer)).unwrap();
    assert_eq!(judgment(given.clone()), judgment(in_answer));

    let scores = judge.scores(&given, &settings);
    assert_eq!((scores.verifier, scores.nli, scores.both), (None, given.score, given.score));
    let settings = Settings { score_by: ScoreBy::Both, ..settings };
    let passages = vec![passage(PASSAGES[0])];
    let given = block_on(judge.assess(text, context, question, passages, &settings, &observer)).unwrap();
    let scores = judge.scores(&given, &settings);
    let verifier = scores.verifier.unwrap();
    let (least, most) = (verifier.min(scores.nli), verifier.max(scores.nli));
    assert!(least - 1e-12 <= scores.both && scores.both <= most + 1e-12, "{scores:?}");
}

/// A judge with the embedded pack's verifier alone, and what the pack states of it.
fn verifier_alone() -> (Judge, Vec<WarmUp>) {
    let (device, _) = block_on(open_device(Backend::Cpu)).unwrap();
    let mut pack = Pack::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/embedded")).unwrap();
    let judge = Judge::new(pack.manifest().calibration().clone());
    block_on(judge.load_t5(&mut pack, "verifier", true, &device)).unwrap();
    (judge, pack.manifest().warm_up_of("verifier").to_vec())
}

#[test]
fn a_verifier_alone_is_held_to_what_its_pack_states() {
    let (judge, mut pairs) = verifier_alone();
    assert_eq!(pairs.len(), 2);
    assert!(block_on(judge.warm_up_verifier(&pairs)).is_ok());
    pairs.iter_mut().for_each(|pair| pair.logits.fill(1e3));
    assert_eq!(block_on(judge.warm_up_verifier(&pairs)).unwrap_err().code(), ErrorCode::BackendLost);
}

#[test]
fn a_verifier_alone_decides_by_its_answer() {
    let (judge, _) = verifier_alone();
    let settings = Settings { score_by: ScoreBy::Verifier, facts: Facts::Passages, ..Settings::default() };
    let passages = vec![passage(PASSAGES[0])];
    let report = block_on(judge.assess("Iron is a metal.", "", None, passages, &settings, &())).unwrap();
    let decides = |score: f64, evidence: &[Evidence]| {
        judge.decides(&SentenceReport { score, evidence: evidence.to_vec(), ..report.clone() }, &settings)
    };
    assert!(decides(0.55, &report.evidence) && decides(0.45, &report.evidence), "thresholds say which way");
    assert!(!decides(0.5, &report.evidence), "it gave no answer");
    assert!(!decides(0.9, &[]), "there was nothing to read");
}

#[test]
fn without_any_passage_nothing_is_decided() {
    let (_directory, verifier) = open();
    let (settings, observer) = (Settings::default(), ());
    let judge = verifier.judge();
    let report = block_on(judge.assess("Iron rusts.", "", None, vec![], &settings, &observer)).unwrap();
    assert!(report.evidence.is_empty());
    assert_eq!(judge.scores(&report, &settings).nli, 0.5);
    let wrong = Settings { evidence: 101, ..settings };
    let refused = block_on(judge.assess("Iron rusts.", "", None, vec![], &wrong, &observer));
    assert!(matches!(refused, Err(VerifyError::Settings { field: "evidence", .. })));
}
