//! The preset paper against transformers: a small random T5, whose p `generate` gives (tests/parity/verifier).

use std::path::Path;

use evident_index::Passage;
use evident_nn::{Backend, Pack, open_device};
use evident_verify::{
    Judge, Method, Preset, Prompt, Role, RoleError, ScoreBy, SentenceReport, Settings, Verdict, Wording,
};
use futures_lite::future::block_on;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Golden {
    statement: String,
    context: String,
    wording: Wording,
    prompt: String,
    p: f64,
    answered_at: Option<usize>,
    passages: Vec<Titled>,
}

/// A claim whose passages are each read apart, in one wording.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fused {
    statement: String,
    p: f64,
    answered_at: Option<usize>,
    passages: Vec<Titled>,
}

#[derive(Deserialize)]
struct Titled {
    title: String,
    text: String,
}

fn parity(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity").join(path)
}

fn golden() -> Vec<Golden> {
    serde_json::from_slice(&std::fs::read(parity("verifier/golden.json")).unwrap()).unwrap()
}

/// The embedded pack's smaller NLI model with the random T5.
fn judge() -> Judge {
    let (device, _) = block_on(open_device(Backend::Cpu)).unwrap();
    let mut pack = Pack::open_for(&parity("../../models/embedded"), &["small"]).unwrap();
    let judge = block_on(Judge::load(&mut pack, "small", &device)).unwrap();
    let mut t5 = Pack::open(&parity("verifier/t5")).unwrap();
    block_on(judge.load_t5(&mut t5, "model", false, &device)).unwrap();
    judge
}

fn assess(judge: &Judge, row: &Golden, settings: &Settings) -> SentenceReport {
    assess_by(judge, &row.statement, &row.context, &row.passages, settings)
}

fn assess_by(
    judge: &Judge,
    statement: &str,
    context: &str,
    passages: &[Titled],
    settings: &Settings,
) -> SentenceReport {
    let passage = |Titled { title, text }: &Titled| Passage {
        id: title.to_lowercase(),
        title: title.clone(),
        text: text.clone(),
        ..Passage::default()
    };
    let passages = passages.iter().map(passage).collect();
    block_on(judge.assess(statement, context, None, passages, settings, &())).unwrap()
}

#[test]
fn the_prompt_is_that_of_table_4_with_passages_without_titles() {
    for row in golden() {
        let prompt = Prompt {
            method: Method::Direct,
            demonstrations: Vec::new(),
            facts: row.passages.into_iter().map(|passage| passage.text).collect(),
            context: row.context,
            statement: row.statement,
            wording: row.wording,
        };
        assert_eq!(prompt.to_string(), row.prompt);
    }
}

#[test]
fn the_score_of_the_preset_paper_is_p_as_transformers_generates_it() {
    let judge = judge();
    let golden = golden();
    let (mut at_once, mut later, mut silent) = (0, 0, 0);
    for row in &golden {
        let settings = Settings { wording: row.wording, ..Settings::preset(Preset::Paper) };
        let report = assess(&judge, row, &settings);
        let p = report.p_factual.unwrap();
        assert!((p - row.p).abs() < 1e-4, "{} ({:?}): {p} is not {}", row.statement, row.wording, row.p);
        assert_eq!((report.answered_at, report.score), (row.answered_at, p));
        let verdict = match row.answered_at {
            None => Verdict::NoEvidence,
            Some(_) if p > 0.5 => Verdict::Factual,
            Some(_) => Verdict::Unfactual,
        };
        assert_eq!(report.verdict, verdict, "0.5 alone parts the verdicts");
        match row.answered_at {
            Some(0) => at_once += 1,
            Some(_) => later += 1,
            None => silent += 1,
        }
    }
    assert!(at_once > 0 && later > 0 && silent > 0, "the golden file has every kind of answer");
}

#[test]
fn fusion_in_the_decoder_gives_p_as_transformers_does_over_passages_read_apart() {
    let judge = judge();
    let golden: Vec<Fused> = serde_json::from_slice(&std::fs::read(parity("verifier/fid.json")).unwrap()).unwrap();
    for row in &golden {
        let settings = serde_json::from_str(r#"{ "preset": "paper", "method": "fid" }"#).unwrap();
        let context = "It does not read what precedes the statement.";
        let report = assess_by(&judge, &row.statement, context, &row.passages, &settings);
        let p = report.p_factual.unwrap();
        assert!((p - row.p).abs() < 1e-4, "{}: {p} is not {}", row.statement, row.p);
        assert_eq!(report.answered_at, row.answered_at);
        assert!(report.evidence.iter().all(|evidence| evidence.in_prompt), "all passages are read");
    }
    assert!(golden.iter().any(|row| row.answered_at.is_some() && row.passages.len() > 1));
}

#[test]
fn a_second_opinion_is_the_t5s_in_all_wordings_over_the_evidence_of_the_first() {
    let judge = judge();
    let settings = Settings { score_by: ScoreBy::Nli, calibrate: true, ..Settings::preset(Preset::Paper) };
    for rows in golden().chunks(4).filter(|rows| !rows[0].passages.is_empty()) {
        let first = assess(&judge, &rows[0], &settings);
        assert_eq!(first.p_factual, None, "the first is by NLI");
        let second = block_on(judge.second_opinion(&judge, &first, &settings, &())).unwrap();
        assert_eq!((&second.statement, &second.context), (&first.statement, &first.context));
        let ids = |report: &SentenceReport| report.evidence.iter().map(|each| each.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&second), ids(&first));
        for (said, row) in second.wordings.iter().zip(rows) {
            assert!((said.p_factual - row.p).abs() < 1e-4, "{:?}", row.wording);
        }
        let mean = rows.iter().map(|row| row.p).sum::<f64>() / 4.0;
        assert!((second.p_factual.unwrap() - mean).abs() < 1e-4 && second.spread.is_some());
        let sides = |row: &Golden| (row.p > 0.5, row.p < 0.5);
        let depends = rows.iter().any(|row| sides(row).0) && rows.iter().any(|row| sides(row).1);
        assert_eq!(second.risks.contains(&evident_verify::Risk::Wording), depends);
    }
}

#[test]
fn a_model_of_another_kind_is_refused_by_role_and_kind() {
    let (device, _) = block_on(open_device(Backend::Cpu)).unwrap();
    let judge = judge();
    let mut bert = Pack::open(&parity("models/golden/bert")).unwrap();
    let refused = block_on(judge.load_t5(&mut bert, "model", false, &device)).unwrap_err();
    assert_eq!(refused.code(), evident_index::ErrorCode::PackArchitecture);
    assert!(matches!(refused, RoleError::Kind { role: "verifier", .. }));
    assert!(
        refused.to_string().contains("for the role verifier is of the kind classifier, and not an encoder-decoder"),
        "{refused}"
    );
    let mut t5 = Pack::open(&parity("verifier/t5")).unwrap();
    let refused = block_on(Role::Nli.load(&mut t5, "model", "t5", &device)).err().unwrap();
    assert!(
        refused
            .to_string()
            .contains("the model t5 for the role nli is of the kind encoder-decoder, and not a classifier"),
        "{refused}"
    );
}
