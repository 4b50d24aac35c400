//! Verifiers with a prompt of their own against transformers, by small checkpoints
//! (tests/parity/verifier/published.py).

use std::path::{Path, PathBuf};

use evident_index::{ErrorCode, Passage};
use evident_nn::{Backend, Calibration, Device, ONLY_MODEL, Pack, open_device};
use evident_verify::{Judge, Method, Preset, RoleError, SentenceReport, Settings, Verdict, VerifyError};
use futures_lite::future::block_on;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    prompt: String,
    claim: String,
    documents: Vec<String>,
    /// The probability for each document.
    p: Vec<f64>,
}

fn parity(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity").join(path)
}

/// The small model of a prompt's architecture.
fn folder(prompt: &str) -> PathBuf {
    parity(match prompt {
        "minicheck" => "writing/model",
        "factcg" => "models/golden/deberta-v2-types",
        _ => "models/golden/hhem",
    })
}

fn device() -> Device {
    block_on(open_device(Backend::Cpu)).unwrap().0
}

/// A judge with this verifier and no other model.
fn judge(prompt: &str, folder: &Path) -> Result<Judge, RoleError> {
    let mut pack = Pack::open(folder).unwrap();
    pack.state_prompt(ONLY_MODEL, prompt);
    let judge = Judge::new(Calibration::default());
    block_on(judge.load_t5(&mut pack, ONLY_MODEL, true, &device()))?;
    Ok(judge)
}

fn assess(
    judge: &Judge,
    claim: &str,
    documents: &[String],
    settings: &Settings,
) -> Result<SentenceReport, VerifyError> {
    let passage = |text: &String| Passage { id: text.clone(), text: text.clone(), ..Passage::default() };
    let context = "It does not read what precedes the claim.";
    block_on(judge.assess(claim, context, None, documents.iter().map(passage).collect(), settings, &()))
}

#[test]
fn p_is_what_transformers_gives_by_the_published_prompt_and_the_largest_counts() {
    let settings = Settings::preset(Preset::Paper);
    let golden: Vec<Golden> =
        serde_json::from_slice(&std::fs::read(parity("verifier/published.json")).unwrap()).unwrap();
    for rows in golden.chunk_by(|a, b| a.prompt == b.prompt) {
        let judge = judge(&rows[0].prompt, &folder(&rows[0].prompt)).unwrap();
        for row in rows {
            let of = |documents: &[String]| assess(&judge, &row.claim, documents, &settings).unwrap();
            for (document, expected) in row.documents.iter().zip(&row.p) {
                let p = of(std::slice::from_ref(document)).p_factual.unwrap();
                assert!((p - expected).abs() < 1e-5, "{}, {}: {p} is not {expected}", row.prompt, row.claim);
            }
            let all = of(&row.documents);
            let best = (0..row.p.len()).max_by(|&a, &b| row.p[a].total_cmp(&row.p[b])).unwrap();
            assert!((all.p_factual.unwrap() - row.p[best]).abs() < 1e-5, "{}", row.claim);
            assert_eq!((all.score, all.answered_at), (all.p_factual.unwrap(), Some(0)));
            let decisive = all.evidence.iter().position(|evidence| evidence.decisive);
            assert_eq!((decisive, all.verdict), (Some(best), Verdict::Unfactual), "no model is sure of its nonsense");
            assert!(all.evidence.iter().all(|evidence| evidence.in_prompt && evidence.nli.is_none()));
        }
    }
    assert_eq!(golden.len(), 15);
}

#[test]
fn a_long_document_loses_its_end_and_the_claim_stays() {
    let judge = judge("hhem", &folder("hhem")).unwrap();
    let settings = Settings { max_tokens: 64, ..Settings::preset(Preset::Paper) };
    let words = |count: usize| (0..count).map(|n| format!("w{}", n % 80)).collect::<Vec<_>>().join(" ");
    let score = |document: String, claim: &str| assess(&judge, claim, &[document], &settings).unwrap().score;
    // The prompt has 11 words of its own, and the text an end token: 49 of the document and 3 of the claim are read.
    assert_eq!(score(words(49), "w1 w2 w3"), score(words(200), "w1 w2 w3"));
    assert_ne!(score(words(49), "w1 w2 w3"), score(words(200), "w1 w2 w4"));
    let long = assess(&judge, &words(100), &[words(9)], &settings).unwrap();
    assert!(!long.unread.is_empty() && long.verdict == Verdict::NoEvidence, "the claim was not read to its end");
}

#[test]
fn without_evidence_it_says_nothing() {
    let judge = judge("minicheck", &folder("minicheck")).unwrap();
    let report = assess(&judge, "Iron is a metal.", &[], &Settings::preset(Preset::Paper)).unwrap();
    assert_eq!((report.p_factual, report.answered_at, report.verdict), (Some(0.5), None, Verdict::NoEvidence));
}

#[test]
fn what_does_not_fit_the_prompt_is_refused() {
    let refused = judge("factcg", &folder("minicheck")).err().unwrap();
    assert_eq!(refused.code(), ErrorCode::PackArchitecture);
    let says = "is of the model_type \"t5\", and the prompt factcg is for \"deberta-v2\"";
    assert!(refused.to_string().contains(says), "{refused}");
    let refused = judge("factcg", &parity("models/golden/deberta-v3")).err().unwrap();
    assert!(refused.to_string().contains("choose one with two labels"), "{refused}");
    let small = judge("minicheck", &parity("verifier/t5")).err().unwrap();
    assert!(matches!(small, RoleError::NoAnswerWords), "its vocabulary has no token 209: {small}");
    let judge = judge("minicheck", &folder("minicheck")).unwrap();
    for settings in [
        Settings { method: Method::ChainOfThought, ..Settings::preset(Preset::Paper) },
        Settings {
            decontextualise: true,
            resolver: evident_verify::Resolver::Model,
            ..Settings::preset(Preset::Paper)
        },
    ] {
        let refused = assess(&judge, "Iron is a metal.", &[], &settings).unwrap_err();
        assert!(matches!(refused, VerifyError::OnePrompt), "{refused}");
    }
    let nli = assess(&judge, "Iron is a metal.", &[], &Settings::default()).unwrap_err();
    assert_eq!((nli.code(), matches!(nli, VerifyError::NoNli)), (ErrorCode::PackArchitecture, true));
}
