//! The whole flow, natively: the embedded pack over a small index.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use evident_index::{BuildOptions, ErrorCode, Index, MemoryStorage, Passage, assemble, build};
use evident_nn::{ONLY_MODEL, Pack};
use evident_verify::{
    Block, Cancelled, Claim, Consult, Decider, Demonstration, Event, Evidence, EvidenceSource, Found, FoundPassage,
    GivenPassages, IndexSource, Input, LocalBoxFuture, Method, Nli, Observer, Preset, Query, Report, Resolver,
    Retriever, Revealed, Reveals, Risk, ScoreBy, Search, SentenceKind, Settings, SourceError, SourceInfo, SourceKind,
    SourceReport, SourceState, Sources, Unit, UnjudgedSentence, Unread, Verdict, Verifier, VerifyError, VerifyEvent,
    Wording, check_sources, split,
};
use futures_lite::future::block_on;
use tempfile::TempDir;

use crate::embedded;

const PASSAGES: [(&str, &str); 8] = [
    ("Paris", "Paris is the capital of France. It lies on the Seine. The Eiffel Tower was built there in 1889."),
    ("Lyon", "Lyon is a city in France. It lies where the Rhône and the Saône meet."),
    ("Iron", "Iron is a metal with the symbol Fe. Its atomic number is 26. It rusts in wet air."),
    ("Tin", "Tin is a soft metal with the symbol Sn. Its atomic number is 50."),
    ("Mars", "Mars is the fourth planet from the Sun 🔭. It has two moons, Phobos and Deimos."),
    ("Venus", "Venus is the second planet from the Sun. It has no moon."),
    ("Spanish", "Spanish is a Romance language. It is spoken in Spain and in most of Latin America."),
    ("Polish", "Polish is a Slavic language. It is spoken in Poland."),
];

fn build_index() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let passages = PASSAGES.map(|(title, text)| {
        Ok(Passage { id: title.to_lowercase(), title: title.into(), text: text.into(), ..Passage::default() })
    });
    build(passages, &directory.path().join("index"), &BuildOptions::default()).unwrap();
    directory
}

/// Records the events, and cancels at one of them.
struct Log {
    began: Instant,
    events: RefCell<Vec<String>>,
    cancel_at: Option<usize>,
}

impl Log {
    fn new() -> Self {
        Self { began: Instant::now(), events: RefCell::default(), cancel_at: None }
    }
}

impl Observer for Log {
    async fn observe(&self, event: Event<'_>) -> Result<(), Cancelled> {
        let Event::Verify(event) = event else { panic!("no event of a verification: {event:?}") };
        self.events.borrow_mut().push(match event {
            VerifyEvent::Sentences { sentences, left_out, .. } => {
                format!("{} sentences, {} left out", sentences.len(), left_out.len())
            }
            VerifyEvent::Stage { sentence, stage } => format!("{sentence} {stage:?}"),
            VerifyEvent::Sentence { index, sentence } => format!("{index} done: {}", sentence.text),
            VerifyEvent::Source { index, source } => format!("{index} {}: {:?}", source.address, source.state),
        });
        if self.cancel_at == Some(self.events.borrow().len() - 1) { Err(Cancelled) } else { Ok(()) }
    }

    fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64() * 1e3
    }
}

fn verify(verifier: &Verifier, answer: &str, settings: &Settings) -> Result<Report, VerifyError> {
    block_on(verifier.verify(verifier.judge(), answer, None, settings, &Log::new()))
}

/// `text[start..end]` as JavaScript slices it.
fn slice(text: &str, start: usize, end: usize) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(&units[start..end]).unwrap()
}

/// Settings with which the T5 is asked too.
fn asked() -> Settings {
    Settings { score_by: ScoreBy::Both, ..Settings::default() }
}

const ANSWER: &str = "🪐 **Mars** has two moons.\n- Iron is a metal.\n- Lyon is the capital of France.";

#[test]
fn a_report_accounts_for_every_sentence_and_its_evidence() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let report = verify(&verifier, ANSWER, &Settings::default()).unwrap();

    let said: Vec<String> = report.sentences.iter().map(|s| slice(&report.answer, s.start, s.end)).collect();
    assert_eq!(said, ["🪐 **Mars** has two moons.", "Iron is a metal.", "Lyon is the capital of France."]);
    assert_eq!(report.sentences[0].text, "🪐 Mars has two moons.");
    assert_eq!(report.sentences[2].context, "🪐 Mars has two moons. Iron is a metal.");
    for sentence in &report.sentences {
        assert!((0.0..=1.0).contains(&sentence.score));
        assert_eq!((sentence.p_factual, sentence.answered_at), (None, None), "no T5 was asked");
        assert!(sentence.evidence.is_sorted_by(|a, b| a.bm25 >= b.bm25));
        let deciding = match sentence.verdict {
            Verdict::Factual | Verdict::Unfactual => 1,
            Verdict::Mixed => 2,
            Verdict::NoEvidence => 0,
        };
        assert_eq!(sentence.evidence.iter().filter(|evidence| evidence.decisive).count(), deciding);
        assert!(sentence.evidence.iter().all(|evidence| !evidence.in_prompt));
        let most = sentence.evidence.iter().filter_map(|e| e.nli).map(|nli| nli.entailment).fold(0.0, f64::max);
        assert_eq!(sentence.nli.entailment, most);
        assert!(sentence.parts.is_empty() && sentence.unread.is_empty());
        for (number, Evidence { nli, text, read, sentence, .. }) in sentence.evidence.iter().enumerate() {
            assert_eq!((nli.is_some(), read.is_some(), sentence.is_some()), (number < 3, number < 3, number < 3));
            let (Some(nli), Some(sentence)) = (nli, sentence) else { continue };
            assert!((nli.entailment + nli.neutral + nli.contradiction - 1.0).abs() < 1e-9);
            assert!(slice(text, sentence.start, sentence.end).ends_with('.'));
        }
    }
    assert_eq!((report.schema, report.decided_by.as_slice()), (3, [Decider::Nli].as_slice()));
    let summary = report.summary;
    let sure = summary.factual + summary.unfactual + summary.mixed;
    assert_eq!(sure + summary.likely_factual + summary.likely_unfactual + summary.no_evidence, 3);
    // Tab. 7, Para B: every sentence counts, also those without a verdict.
    let mean = report.sentences.iter().map(|sentence| sentence.score).sum::<f64>() / 3.0;
    assert_eq!(summary.score, Some(mean));
    assert_eq!(summary.coverage, Some((3 - summary.no_evidence) as f64 / 3.0));
    assert!(report.traffic.requests > 0 && report.traffic.bytes > 0);
    let timings = report.timings;
    assert!(timings.retrieve_ms + timings.nli_ms + timings.verify_ms <= timings.total_ms);
    let [source] = &report.sources[..] else { panic!("one source: {:?}", report.sources) };
    let SourceInfo { kind, name, passages, reveals, .. } = &source.info;
    assert_eq!((*kind, name.as_str(), reveals), (SourceKind::Index, "index", &None));
    assert_eq!((*passages, source.asked, source.traffic), (Some(PASSAGES.len() as u32), 3, report.traffic));
    assert!(report.sentences.iter().flat_map(|sentence| &sentence.evidence).all(|passage| passage.from == Some(0)));
    assert_eq!(report.rerank, None);
    assert_eq!(report.sentences[0].risks, [Risk::Numeral], "two moons");
    assert!(
        report.sentences.iter().all(|sentence| sentence.bm25_bound.is_none()),
        "a small index is searched to the end"
    );

    let again = verify(&verifier, ANSWER, &Settings::default()).unwrap();
    assert_eq!(again.sentences, report.sentences, "the same text gives the same report");
    assert_eq!(again.traffic.requests, 0, "what was read is kept");
}

#[test]
fn a_report_says_where_the_search_kept_to_its_limit() {
    let directory = tempfile::tempdir().unwrap();
    // Each of ten words is in two of five passages, so the statement's postings are longer than a limited search may
    // read.
    let words = ["iron", "tin", "zinc", "lead", "gold", "silver", "copper", "nickel", "cobalt", "chrome"];
    let passage = |n: u64| {
        let mut draw = n;
        let mut next = || {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            draw >> 33
        };
        let held = words.iter().filter(|_| next() % 5 < 2).copied().collect::<Vec<_>>().join(" ");
        let text = format!("Ore of {held}. {}", "Rock. ".repeat(next() as usize % 30));
        Passage { id: n.to_string(), title: format!("Ore {n}"), text, ..Passage::default() } // no two are copies
    };
    build((0..30_000).map(passage).map(Ok), &directory.path().join("index"), &BuildOptions::default()).unwrap();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let judged = |search| {
        let settings = Settings { search, ..Settings::default() };
        verify(&verifier, &format!("The ore holds {}.", words.join(", ")), &settings).unwrap().sentences.remove(0)
    };
    let (limited, exact) = (judged(Search::Within(100_000)), judged(Search::Exact));
    let bound = limited.bm25_bound.unwrap();
    assert_eq!(exact.bm25_bound, None);
    assert_eq!((limited.evidence.len(), exact.evidence.len()), (10, 10));
    let missed = exact.evidence.iter().filter(|best| !limited.evidence.iter().any(|found| found.id == best.id));
    assert!(missed.map(|passage| passage.bm25).all(|bm25| bm25 <= bound));
}

#[test]
fn all_of_a_long_statement_is_judged_and_its_worst_part_decides() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let filler = "and ever so often people who walk by say that it is so, ".repeat(50);
    let answer = format!("Iron is a metal, {filler}the symbol of tin is Fe.");
    let settings = Settings { unit: Unit::Paragraph, ..Settings::default() };
    let sentence = verify(&verifier, &answer, &settings).unwrap().sentences.remove(0);
    assert!(sentence.parts.len() > 1 && sentence.unread.is_empty());
    let said: String = sentence.parts.iter().map(|part| part.text.as_str()).collect();
    let words = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(words(&said), words(&sentence.statement), "nothing is left out");
    for part in &sentence.parts {
        assert_eq!(slice(&sentence.statement, part.span.start, part.span.end), part.text);
    }
    let order = [Verdict::Factual, Verdict::NoEvidence, Verdict::Mixed, Verdict::Unfactual];
    let worst = sentence.parts.iter().map(|part| part.verdict).max_by_key(|v| order.iter().position(|o| o == v));
    assert_eq!(Some(sentence.verdict), worst);
    let lowest = sentence.parts.iter().filter(|part| part.verdict == sentence.verdict).map(|part| part.score);
    assert_eq!(sentence.score, lowest.fold(1.0, f64::min), "of equally bad parts the one with the lowest score");
}

#[test]
fn a_compound_statement_is_contradicted_by_its_worst_part() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let judged = |answer: &str, settings: &Settings| verify(&verifier, answer, settings).unwrap().sentences.remove(0);
    let sentence = judged("Tin is a soft metal and has the symbol Fe.", &Settings::default());
    let parts: Vec<(&str, Verdict)> = sentence.parts.iter().map(|part| (part.text.as_str(), part.verdict)).collect();
    assert_eq!(parts, [("Tin is a soft metal.", Verdict::Factual), ("Tin has the symbol Fe.", Verdict::Unfactual)]);
    assert_eq!(sentence.verdict, Verdict::Unfactual);
    let part = &sentence.parts[1];
    assert_eq!(slice(&sentence.statement, part.span.start, part.span.end), "has the symbol Fe");
    let marked: Vec<String> =
        sentence.marks.iter().map(|mark| slice(&sentence.statement, mark.start, mark.end)).collect();
    assert!(marked.iter().any(|words| words.contains("Fe")), "{marked:?}");

    let both = "Mars has two moons, and iron rusts in wet air.";
    let sentence = judged(both, &Settings::default());
    let supported = sentence.parts.iter().filter(|part| part.verdict == Verdict::Factual).count();
    assert_eq!((sentence.parts.len(), supported), (2, 2));
    assert_ne!(sentence.verdict, Verdict::Unfactual);
    assert!(judged(both, &Settings { parts: false, ..Settings::default() }).parts.is_empty());
}

#[test]
fn a_t5_that_cannot_read_all_of_a_statement_gives_no_verdict_on_it() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let settings = Settings { max_tokens: 64, ..asked() };
    let sentence = verify(&verifier, &"iron ".repeat(300), &settings).unwrap().sentences.remove(0);
    let [unread] = sentence.unread[..] else { panic!("one stretch in {:?}", sentence.unread) };
    assert_eq!(unread.end, sentence.statement.len());
    assert_eq!(sentence.verdict, Verdict::NoEvidence);
    assert!(sentence.evidence.iter().all(|evidence| !evidence.decisive));
}

#[test]
fn settings_that_ask_a_t5_are_refused_where_there_is_none() {
    let directory = build_index();
    let (_, _, verifier) = block_on(embedded::without_t5(&directory.path().join("index")));
    assert_eq!(verify(&verifier, "Iron is a metal.", &Settings::default()).unwrap().sentences[0].p_factual, None);
    for settings in
        [asked(), Settings::preset(Preset::Paper), Settings { resolver: Resolver::Model, ..Settings::default() }]
    {
        let refused = verify(&verifier, "Iron is a metal.", &settings).unwrap_err();
        assert!(matches!(refused, VerifyError::NoVerifier), "{refused}");
    }
}

#[test]
fn the_paper_preset_shows_the_verifier_all_passages_after_the_whole_context() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let report = verify(&verifier, ANSWER, &Settings::preset(Preset::Paper)).unwrap();
    let evidence = || report.sentences.iter().flat_map(|sentence| &sentence.evidence);
    assert!(evidence().all(|evidence| evidence.in_prompt && evidence.nli.is_none()), "no NLI model is asked");
    assert!(report.sentences.iter().all(|sentence| sentence.answered_at == Some(0)));
    assert_eq!(report.decided_by, [Decider::Verifier]);
    let none = Settings { context: 0, max_facts: 0, ..asked() };
    let report = verify(&verifier, ANSWER, &none).unwrap();
    assert!(report.sentences.iter().all(|sentence| sentence.context.is_empty()));
    assert!(report.sentences.iter().flat_map(|sentence| &sentence.evidence).all(|evidence| !evidence.in_prompt));
}

#[test]
fn every_wording_is_asked_and_their_mean_is_p() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let judged = |settings: &Settings| verify(&verifier, "Iron is a metal.", settings).unwrap().sentences.remove(0);
    let all = judged(&Settings { every_wording: true, demonstrations: Demonstration::paper(), ..asked() });
    assert_eq!(all.wordings.iter().map(|each| each.wording).collect::<Vec<_>>(), Wording::ALL);
    for each in &all.wordings {
        let alone = Settings { wording: each.wording, demonstrations: Demonstration::paper(), ..asked() };
        assert_eq!(judged(&alone).p_factual, Some(each.p_factual));
    }
    let mean = all.wordings.iter().map(|each| each.p_factual).sum::<f64>() / 4.0;
    assert!((all.p_factual.unwrap() - mean).abs() < 1e-12 && (0.0..=0.5).contains(&all.spread.unwrap()));
    let one = judged(&asked());
    assert!(one.wordings.is_empty() && one.spread.is_none() && one.rationale.is_none());
}

#[test]
fn every_method_gives_a_p_and_the_same_again() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    for method in [Method::Direct, Method::ChainOfThought, Method::Likert] {
        for hard in [false, true] {
            let settings = Settings { method, hard, max_steps: 6, ..asked() };
            let report = verify(&verifier, "Iron is a metal.", &settings).unwrap();
            let sentence = &report.sentences[0];
            let p = sentence.p_factual.unwrap();
            assert!((0.0..=1.0).contains(&p));
            assert!(sentence.answered_at.is_some() || p == 0.5);
            if hard {
                assert_eq!((p * 4.0).fract(), 0.0, "{method:?}");
            }
            assert_eq!(sentence.rationale.is_some(), method == Method::ChainOfThought);
            assert_eq!(verify(&verifier, "Iron is a metal.", &settings).unwrap().sentences, report.sentences);
        }
    }
}

#[test]
fn an_answer_can_be_judged_at_once_without_evidence_and_after_the_model_rewrote_it() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let whole = verify(&verifier, ANSWER, &Settings { unit: Unit::Paragraph, ..Settings::default() }).unwrap();
    let [paragraph] = &whole.sentences[..] else { panic!("one paragraph in {whole:?}") };
    assert_eq!(paragraph.text, "🪐 Mars has two moons. Iron is a metal. Lyon is the capital of France.");
    assert_eq!(slice(ANSWER, paragraph.start, paragraph.end), ANSWER);

    let none = verify(&verifier, "Iron is a metal.", &Settings { evidence: 0, ..Settings::default() }).unwrap();
    assert!(none.sentences[0].evidence.is_empty() && none.sentences[0].verdict == Verdict::NoEvidence);
    assert_eq!(none.traffic.requests, 0);

    let model = Settings { resolver: Resolver::Model, ..Settings::default() };
    let report = verify(&verifier, "Mars is a planet. It has two moons.", &model).unwrap();
    assert!(report.sentences.iter().all(|sentence| !sentence.statement.is_empty()));
    assert_eq!(report.sentences[0].statement, "Mars is a planet.", "nothing precedes it");
}

#[test]
fn what_claims_nothing_is_left_out_and_said_to_be() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let answer = "# Iron\nSure! Iron is a metal. It has the symbol Fe. Did you know?";
    let report = verify(&verifier, answer, &Settings::default()).unwrap();
    let statements: Vec<&str> = report.sentences.iter().map(|s| s.statement.as_str()).collect();
    assert_eq!(statements, ["Iron is a metal.", "Iron has the symbol Fe."]);
    assert_eq!(report.sentences[1].text, "It has the symbol Fe.");
    let left_out: Vec<_> = report.left_out.iter().map(|s| (s.text.as_str(), s.kind)).collect();
    assert_eq!(
        left_out,
        [
            ("Iron", SentenceKind::Fragment),
            ("Sure!", SentenceKind::Pleasantry),
            ("Did you know?", SentenceKind::Question)
        ]
    );

    let report = verify(&verifier, "Hello!", &Settings::default()).unwrap();
    assert!(report.sentences.is_empty() && report.left_out.len() == 1);
    let all = Settings { claims_only: false, decontextualise: false, ..Settings::default() };
    let report = verify(&verifier, answer, &all).unwrap();
    assert_eq!(report.sentences.len(), 5);
    assert!(report.left_out.is_empty() && report.sentences.iter().all(|s| s.statement == s.text));
}

#[test]
fn events_come_in_order_and_cancelling_at_any_of_them_stops_the_work() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let answer = "Iron is a metal. Tin is too.";
    let log = Log::new();
    block_on(verifier.verify(verifier.judge(), answer, Some("What is iron?"), &Settings::default(), &log)).unwrap();
    let expected = [
        "2 sentences, 0 left out",
        "0 Retrieve",
        "0 Nli",
        "0 done: Iron is a metal.",
        "1 Retrieve",
        "1 Nli",
        "1 done: Tin is too.",
    ];
    assert_eq!(log.events.into_inner(), expected);
    for at in 0..expected.len() {
        let log = Log { cancel_at: Some(at), ..Log::new() };
        let stopped =
            block_on(verifier.verify(verifier.judge(), answer, None, &Settings::default(), &log)).unwrap_err();
        assert_eq!(stopped.code(), "cancelled");
        assert_eq!(log.events.borrow().len(), at + 1);
    }
}

#[test]
fn odd_text_gets_a_sensible_report() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    for answer in ["Iron", "Iron 🎉🎉", "\u{0}\u{200f}x", "zzz qqq"] {
        let report = verify(&verifier, answer, &Settings::default()).unwrap();
        let [sentence] = &report.sentences[..] else { panic!("one sentence in {answer:?}") };
        assert!(sentence.score.is_finite());
        if sentence.evidence.is_empty() {
            assert_eq!((sentence.verdict, sentence.nli), (Verdict::NoEvidence, Nli::SILENT));
            assert_eq!((report.summary.score, report.summary.coverage), (Some(sentence.score), Some(0.0)));
        }
    }
    let arabic = verify(&verifier, "باريس عاصمة فرنسا.", &Settings::default()).unwrap();
    assert!(arabic.sentences.is_empty());
    assert_eq!(arabic.left_out.iter().map(|out| out.kind).collect::<Vec<_>>(), [SentenceKind::Language]);
}

#[test]
fn empty_and_overlong_answers_and_bad_settings_are_refused() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let code = |answer: &str, settings: &Settings| verify(&verifier, answer, settings).unwrap_err().code();
    assert_eq!(code("", &Settings::default()), "empty-answer");
    assert_eq!(code(" \n---\n", &Settings::default()), "empty-answer");
    assert_eq!(code("🎉🎉 …", &Settings::default()), "empty-answer");
    assert_eq!(code(&"Iron rusts. ".repeat(9000), &Settings::default()), "answer-too-long");
    assert_eq!(code("Iron rusts.", &Settings { windows: 0, ..Settings::default() }), "bad-settings");
}

#[test]
fn a_shard_that_is_damaged_after_opening_is_an_error_and_not_a_verdict() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    for entry in std::fs::read_dir(directory.path().join("index")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[0] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    }
    assert_eq!(verify(&verifier, "Iron rusts.", &Settings::default()).unwrap_err().code(), "index-corrupt");
}

/// A page of one passage, as a source.
fn page(title: &str, text: &str) -> Retriever {
    let passage = Passage { id: title.into(), title: title.into(), text: text.into(), ..Passage::default() };
    let (_, files) = assemble([Ok(passage)], &BuildOptions::default()).unwrap();
    let index = block_on(Index::open(MemoryStorage(files))).unwrap();
    Retriever::new(vec![Rc::new(IndexSource::of_page(index, "https://a.org"))], None)
}

const CITING: &str = "Iron is a metal with the symbol Fe.[^1] The atomic number of tin is 50. \
    ([wrong](https://a.org/tin), [off](https://a.org/mars#moons)) Mars has two moons [gone](https://a.org/404) \
    [none](https://a.org/none) [again](https://a.org/none). Venus has no moon.\n\n[^1]: https://a.org/iron";

/// The pages that [`CITING`] cites.
fn cited() -> Sources {
    let page = |title, text| Ok(page(title, text));
    [
        ("https://a.org/iron", page("Iron", "Iron is a metal with the symbol Fe. It rusts in wet air.")),
        ("https://a.org/tin", page("Tin", "Tin is a soft metal with the symbol Sn. The atomic number of tin is 74.")),
        ("https://a.org/mars", page("Mars", "Mars is the fourth planet from the Sun. It has two moons.")),
        ("https://a.org/404", Err(Unread::NotFound)),
    ]
    .map(|(address, page)| (address.to_owned(), page))
    .into()
}

#[test]
fn a_sentence_judged_by_itself_has_the_report_that_it_has_in_its_answer() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let (question, settings) = (Some("What is Mars?"), Settings::default());
    let input = Input::Blocks(vec![Block::paragraph("Mars is a planet. It has two moons.")]);
    let whole = verifier.verify(verifier.judge(), input.clone(), question, &settings, &());
    let whole = block_on(whole).unwrap();
    let sentences = split(input, question, &settings).unwrap().sentences;
    assert_eq!(sentences.len(), 2);
    for (number, UnjudgedSentence { span, text, statement, context, .. }) in sentences.into_iter().enumerate() {
        let claim = Claim { number, span, text, statement, context, question: question.map(str::to_owned) };
        let alone = block_on(verifier.judge_claim(verifier.judge(), claim, &settings, &())).unwrap();
        let mut expected = whole.sentences[number].clone();
        expected.risks.retain(|&risk| risk != Risk::AfterUnfactual);
        assert_eq!(alone, expected);
    }
}

#[test]
fn a_sentence_is_judged_by_the_pages_that_it_cites_and_its_own_verdict_stays() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let before = verify(&verifier, CITING, &Settings::default()).unwrap();
    let mut report = before.clone();
    let log = Log::new();
    block_on(check_sources(verifier.judge(), &mut report.sentences, &cited(), &report.settings, &log)).unwrap();

    let said = |number: usize| -> Vec<(&str, SourceState, Option<Unread>, usize)> {
        let sources = report.sentences[number].sources.iter();
        sources.map(|source| (source.address.as_str(), source.state, source.reason, source.evidence.len())).collect()
    };
    assert_eq!(said(0), [("https://a.org/iron", SourceState::Supported, None, 1)]);
    assert_eq!(
        said(1),
        [
            ("https://a.org/tin", SourceState::Contradicted, None, 1),
            ("https://a.org/mars#moons", SourceState::NotInIt, None, 0)
        ]
    );
    assert_eq!(
        said(2),
        [
            ("https://a.org/404", SourceState::Unread, Some(Unread::NotFound), 0),
            ("https://a.org/none", SourceState::Unread, Some(Unread::NotGiven), 0)
        ]
    );
    assert_eq!(said(3), []);
    let SourceReport { evidence, .. } = &report.sentences[1].sources[0];
    assert_eq!((evidence[0].title.as_str(), evidence[0].decisive, evidence[0].from), ("Tin", true, None));
    assert_eq!(report.sentences[1].verdict, Verdict::Factual, "by the index");
    assert_eq!(log.events.borrow().iter().filter(|event| event.contains("a.org")).count(), 5);

    for sentence in &mut report.sentences {
        sentence.sources.clear();
    }
    assert_eq!(report, before);
}

#[test]
fn a_check_of_sources_can_be_cancelled_and_leaves_the_report_as_it_was() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let before = verify(&verifier, CITING, &Settings::default()).unwrap();
    let mut report = before.clone();
    let log = Log { cancel_at: Some(3), ..Log::new() };
    let (cited, settings) = (cited(), Settings::default());
    let check = check_sources(verifier.judge(), &mut report.sentences, &cited, &settings, &log);
    assert_eq!(block_on(check).unwrap_err().code(), "cancelled");
    assert_eq!(report, before);
}

/// A source of the passages of [`PASSAGES`] with these titles.
fn source(name: &str, titles: &[&str]) -> Rc<dyn EvidenceSource> {
    let chosen = PASSAGES.iter().filter(|(title, _)| titles.contains(title)).map(|(title, text)| {
        Ok(Passage { id: (*title).into(), title: (*title).into(), text: (*text).into(), ..Passage::default() })
    });
    let (_, files) = assemble(chosen, &BuildOptions::default()).unwrap();
    Rc::new(IndexSource::of_files(block_on(Index::open(MemoryStorage(files))).unwrap(), name))
}

/// A source on the network: its answer, or `None` if it never answers.
struct Remote(Option<Result<Found, SourceError>>);

impl EvidenceSource for Remote {
    fn info(&self, _: &Settings) -> SourceInfo {
        let reveals = Some(Reveals { to: "https://wiki.example".into(), what: Revealed::Claim });
        SourceInfo { reveals, ..SourceInfo::new(SourceKind::Live, "wiki") }
    }

    fn find<'a>(&'a self, _: &'a Query<'a>) -> LocalBoxFuture<'a, Result<Found, SourceError>> {
        match self.0.clone() {
            Some(answer) => Box::pin(async { answer }),
            None => Box::pin(std::future::pending()),
        }
    }
}

fn unreachable() -> Result<Found, SourceError> {
    Err(SourceError::Unreachable { name: "wiki".into(), reason: "it did not answer".into() })
}

fn over(sources: Vec<Rc<dyn EvidenceSource>>) -> Verifier {
    block_on(embedded::over(Retriever::new(sources, None))).2
}

const METALS: &str = "Iron is a metal with the symbol Fe. Tin is a soft metal with the symbol Sn.";

#[test]
fn a_later_source_is_asked_only_for_what_the_earlier_ones_leave_unsettled() {
    let sources = || vec![source("iron", &["Iron", "Paris"]), source("tin", &["Tin", "Mars"])];
    let asked = |report: &Report| report.sources.iter().map(|source| source.asked).collect::<Vec<_>>();
    let verdicts = |report: &Report| report.sentences.iter().map(|sentence| sentence.verdict).collect::<Vec<_>>();

    let report = verify(&over(sources()), METALS, &Settings::default()).unwrap();
    assert_eq!(verdicts(&report), [Verdict::Factual, Verdict::Factual]);
    assert_eq!(asked(&report), [2, 1], "the first settles the first sentence");
    assert_eq!(report.traffic.bytes, report.sources.iter().map(|source| source.traffic.bytes).sum::<u64>());
    let from = |number: usize| -> Vec<(&str, Option<usize>)> {
        let evidence = report.sentences[number].evidence.iter();
        evidence.map(|passage| (passage.title.as_str(), passage.from)).collect()
    };
    assert!(from(0).iter().all(|(_, from)| *from == Some(0)), "{:?}", from(0));
    assert_eq!(from(1)[0], ("Tin", Some(1)), "{:?}", from(1));
    assert!(from(1).contains(&("Iron", Some(0))), "all evidence is judged together: {:?}", from(1));

    let all = verify(&over(sources()), METALS, &Settings { consult: Consult::All, ..Settings::default() }).unwrap();
    assert_eq!((verdicts(&all), asked(&all)), (verdicts(&report), vec![2, 2]));
}

#[test]
fn a_source_that_fails_is_told_of_and_another_takes_its_place() {
    let failing = || Rc::new(Remote(Some(unreachable())));
    let report = verify(&over(vec![failing(), source("iron", &["Iron"])]), METALS, &Settings::default()).unwrap();
    assert_eq!(report.sentences[0].verdict, Verdict::Factual);
    let failed = report.sources[0].failed.as_ref().unwrap();
    assert_eq!((failed.sentences, failed.code.as_str()), (2, "network"));
    assert_eq!(report.sources[1].failed, None);
    let error = verify(&over(vec![failing(), failing()]), METALS, &Settings::default()).unwrap_err();
    assert_eq!(
        (error.code(), error.to_string()),
        (ErrorCode::Network, "wiki could not be asked: it did not answer".into())
    );
}

#[test]
fn passages_keep_their_own_date_and_licence_and_are_judged_without_counts_of_words() {
    let (title, text) = PASSAGES[2];
    let passage = Passage {
        title: title.into(),
        text: text.into(),
        source: Some("https://wiki.example/Iron".into()),
        ..Passage::default()
    };
    let found = FoundPassage {
        date: Some("2026-11-27".into()),
        license: Some("CC BY-SA 4.0".into()),
        ..FoundPassage::of(passage.clone())
    };
    let live: Rc<dyn EvidenceSource> = Rc::new(Remote(Some(Ok(Found { passages: vec![found], ..Found::default() }))));
    let report =
        verify(&over(vec![live]), "Iron is a metal. Zorblaxite Ironium has 26 parts.", &Settings::default()).unwrap();
    let [evidence] = &report.sentences[0].evidence[..] else { panic!("{:?}", report.sentences[0]) };
    assert_eq!((evidence.date.as_deref(), evidence.license.as_deref()), (Some("2026-11-27"), Some("CC BY-SA 4.0")));
    assert_eq!((evidence.source.as_deref(), evidence.from), (Some("https://wiki.example/Iron"), Some(0)));
    assert_eq!(report.sentences[0].verdict, Verdict::Factual);
    assert_eq!(report.sentences[1].risks, [Risk::Numeral], "no name is rare where nobody counts words");

    let given = over(vec![Rc::new(GivenPassages::new("note", vec![passage]))]);
    let report = verify(&given, "Iron is a metal.", &Settings::default()).unwrap();
    assert_eq!((report.sentences[0].verdict, report.sources[0].info.kind), (Verdict::Factual, SourceKind::Given));
}

/// Cancels as soon as a source is asked.
struct Impatient;

impl Observer for Impatient {
    async fn observe(&self, _: Event<'_>) -> Result<(), Cancelled> {
        Ok(())
    }

    async fn cancelled(&self) -> Cancelled {
        Cancelled
    }

    fn now(&self) -> f64 {
        0.0
    }
}

#[test]
fn a_source_that_never_answers_can_be_cancelled() {
    let verifier = over(vec![Rc::new(Remote(None))]);
    let settings = Settings::default();
    let check = verifier.verify(verifier.judge(), METALS, None, &settings, &Impatient);
    assert_eq!(block_on(check).unwrap_err().code(), ErrorCode::Cancelled);
}

#[test]
fn a_report_of_another_schema_is_refused_and_says_so() {
    let directory = build_index();
    let verifier = block_on(embedded::verifier(&directory.path().join("index")));
    let report = verify(&verifier, "Iron is a metal.", &Settings::default()).unwrap();
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap().sources, report.sources);
    let old = json.replacen("\"schema\":3", "\"schema\":2", 1);
    let error = serde_json::from_str::<Report>(&old).unwrap_err().to_string();
    assert!(error.contains("this report has schema 2, and this version reads schema 3"), "{error}");
}

#[test]
fn a_model_for_marks_marks_the_words_that_it_calls_unsupported() {
    let index = build_index();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden/modernbert-tokens");
    let passages = |titles: &[&str]| -> Vec<Passage> {
        let chosen = PASSAGES.iter().filter(|(title, _)| titles.contains(title));
        chosen
            .map(|(title, text)| Passage { title: (*title).into(), text: (*text).into(), ..Passage::default() })
            .collect()
    };
    let (_, device, verifier) = block_on(embedded::without_t5(&index.path().join("index")));
    let judge = verifier.judge();
    let assess =
        |passages| block_on(judge.assess("Tin is blue.", "", None, passages, &Settings::default(), &())).unwrap();
    assert!(assess(passages(&["Tin"])).marks.len() < 3);
    block_on(judge.load_marks(&mut Pack::open(&golden).unwrap(), ONLY_MODEL, &device)).unwrap();

    let tokens = block_on(Pack::open(&golden).unwrap().token_classifier(ONLY_MODEL, &device)).unwrap();
    let marked = |prompts: &[String]| -> Vec<(usize, usize)> {
        let read = |prompt: &String| block_on(tokens.logits(prompt, "Tin is blue.")).unwrap();
        let by_each: Vec<_> = prompts.iter().map(read).collect();
        let unsupported = |start: usize, end: usize| {
            let in_word = |(_, (token, _)): &(usize, &(Range<usize>, _))| token.start < end && start < token.end;
            let mut tokens = by_each[0].iter().enumerate().filter(in_word);
            tokens.any(|(number, _)| by_each.iter().all(|read| read[number].1[1] > read[number].1[0]))
        };
        [(0, 3), (4, 6), (7, 11)].into_iter().filter(|&(start, end)| unsupported(start, end)).collect()
    };
    // Two passages do not fit into one prompt.
    for titles in [vec!["Tin"], vec!["Iron", "Tin"]] {
        let prompt =
            |Passage { title, text, .. }| format!("Summarize the following text:\npassage 1: {title}. {text}\noutput:");
        let prompts: Vec<String> = passages(&titles).into_iter().map(prompt).collect();
        let report = assess(passages(&titles));
        let expected = marked(&prompts);
        let words: Vec<(usize, usize)> = report.marks.iter().map(|mark| (mark.start, mark.end)).collect();
        let joined = |(start, end): (usize, usize)| words.iter().any(|word| word.0 <= start && end <= word.1);
        let found: Vec<(usize, usize)> = [(0, 3), (4, 6), (7, 11)].into_iter().filter(|&word| joined(word)).collect();
        assert_eq!(found, expected, "{titles:?}: {words:?}");
    }
    // Without a passage there is nothing that could support a word.
    assert!(assess(Vec::new()).marks.is_empty());
}
