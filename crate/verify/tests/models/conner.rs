//! CONNER with the small random checkpoints of tests/parity/models/golden. Their scores mean nothing, but the relations
//! between them must hold.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use evident_index::{BuildOptions, FileStorage, Index, MemoryStorage, Passage, build};
use evident_nn::{Backend, Classifier, Device, ONLY_MODEL, Pack, open_device};
use evident_verify::conner::{
    Aggregate, Conner, ConnerReport, Cut, HelpfulAnswer, Item, Missing, ScoreName, Settings, Sources, ValidityForm,
    Value, normalised,
};
use evident_verify::{
    Cancelled, Event, NliModel, Observer, RelevanceModel, Role, ScoreStep, SentenceNumber, VerifyError,
};
use futures_lite::future::block_on;
use tempfile::TempDir;

fn golden(name: &str) -> Pack {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden").join(name);
    Pack::open(&path).unwrap()
}

fn cpu() -> Device {
    block_on(open_device(Backend::Cpu)).unwrap().0
}

fn classifier(name: &str) -> Classifier {
    block_on(golden(name).classifier(ONLY_MODEL, &cpu())).unwrap()
}

fn nli() -> NliModel {
    NliModel::new("nli", classifier("bert"), 1.0).unwrap()
}

/// A scorer with a model of every kind but seq2seq.
fn without_seq2seq() -> Conner {
    let cpu = cpu();
    Conner::new()
        .with_nli("nli", nli())
        .with_relevance_model("ranker", RelevanceModel::cross_encoder("ranker", classifier("bert-gelu-new")).unwrap())
        .with_language_model("gpt", block_on(golden("gpt2").causal_lm(ONLY_MODEL, &cpu)).unwrap())
        .with_discourse("discourse", classifier("bert-gelu-new"))
        .unwrap()
}

fn all() -> Conner {
    without_seq2seq().with_seq2seq("t5", block_on(golden("t5-v1.1").seq2seq(ONLY_MODEL, &cpu())).unwrap())
}

fn item() -> Item {
    let text = |text: &str| Some(text.to_owned());
    Item {
        topic: text("Iron"),
        question: text("what is iron used for"),
        knowledge: text("Iron is a **metal**. It rusts in wet air. Steel is made of it."),
        answer: text("making steel"),
        reference: text("steel"),
    }
}

fn passage(id: &str, text: &str) -> Passage {
    Passage { id: id.into(), title: String::new(), text: text.into(), ..Passage::default() }
}

fn given() -> Vec<Passage> {
    ["Iron is a soft metal.", "Steel is an alloy of iron. It is strong.", "Wet air makes iron rust."]
        .iter()
        .enumerate()
        .map(|(n, text)| passage(&n.to_string(), text))
        .collect()
}

fn unrelated() -> Vec<Passage> {
    ["Mars has two moons.", "The Seine flows through Paris.", "Spanish is a Romance language."]
        .map(|text| passage(text, text))
        .to_vec()
}

fn score(conner: &Conner, item: &Item, settings: &Settings) -> ConnerReport {
    let (passages, random) = (given(), unrelated());
    let sources = Sources::<MemoryStorage> { passages: &passages, random: &random, index: None };
    block_on(conner.score(item, &sources, settings, &())).unwrap()
}

fn without_sources(conner: &Conner, item: &Item, settings: &Settings) -> ConnerReport {
    block_on(conner.score(item, &Sources::<MemoryStorage>::default(), settings, &())).unwrap()
}

fn values(report: &ConnerReport) -> Vec<Option<f64>> {
    ScoreName::ALL.iter().map(|&name| report.value(name)).collect()
}

#[test]
fn every_score_lies_in_the_unit_interval_and_names_its_model() {
    let conner = all();
    let report = score(&conner, &item(), &Settings::default());
    for value in values(&report) {
        assert!((0.0..=1.0).contains(&value.unwrap()), "{report:?}");
    }
    assert_eq!(report.factuality.model(), Some("nli"));
    assert_eq!(report.relevance.model(), Some("ranker"));
    assert_eq!((report.cohesion.model(), report.informativeness.model()), (Some("gpt"), Some("gpt")));
    assert_eq!((report.coherence.model(), report.helpfulness.model()), (Some("discourse"), Some("t5")));
    assert_eq!(report.quality.model(), Some("nli + ranker + discourse + gpt"));
    let intrinsic = [ScoreName::Factuality, ScoreName::Relevance, ScoreName::Coherence, ScoreName::Informativeness];
    let mean: f64 = intrinsic.iter().map(|&name| report.value(name).unwrap()).sum();
    assert!((report.quality.value().unwrap() - mean / 4.0).abs() < 1e-12);
    assert_eq!(score(&conner, &item(), &Settings::default()), report, "the same item gives the same report");
    let back: ConnerReport = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
    for (read, written) in values(&back).iter().zip(values(&report)) {
        assert!((read.unwrap() - written.unwrap()).abs() < 1e-12);
    }
    assert_eq!((back.cohesion.model(), back.validity.model()), (Some("gpt"), Some("nli")));
}

#[test]
fn the_sentence_that_pulls_a_score_down_is_named() {
    let conner = all();
    let report = score(&conner, &item(), &Settings::default());
    let knowledge: Vec<u16> = item().knowledge.unwrap().encode_utf16().collect();
    let said = |start: usize, end: usize| String::from_utf16(&knowledge[start..end]).unwrap();

    let factuality = report.factuality.score().unwrap();
    assert_eq!(factuality.sentences.len(), 3);
    let first = &factuality.sentences[0];
    assert_eq!(
        (first.text.as_str(), said(first.span.start, first.span.end).as_str()),
        ("Iron is a metal.", "Iron is a **metal**.")
    );
    let entailments: Vec<f64> = factuality.sentences.iter().map(|sentence| sentence.nli.entailment).collect();
    assert!(entailments.iter().all(|&each| each >= entailments[factuality.lowest]));
    assert_eq!((factuality.value, factuality.triple), (entailments[factuality.lowest], factuality.min));
    for nli in [factuality.min, factuality.mean, factuality.max] {
        assert!((nli.entailment + nli.neutral + nli.contradiction - 1.0).abs() < 1e-9);
    }
    assert!(factuality.min.entailment <= factuality.mean.entailment);
    assert!(factuality.mean.entailment <= factuality.max.entailment);
    assert!(factuality.sentences.iter().all(|sentence| sentence.passage.is_some()));

    let cohesion = report.cohesion.score().unwrap();
    let each: Vec<f64> = cohesion.sentences.iter().map(|sentence| sentence.value.unwrap()).collect();
    assert!(each.iter().all(|&value| value >= each[cohesion.lowest]));
    assert!((cohesion.value - each.iter().sum::<f64>() / 3.0).abs() < 1e-12);
}

#[test]
fn a_score_says_all_that_is_missing_and_has_no_proxy() {
    let settings = Settings::default();
    let report = without_sources(&Conner::new(), &Item::default(), &settings);
    assert_eq!(values(&report), [None; 8]);
    assert_eq!(report.factuality.missing(), [Missing::Knowledge, Missing::Evidence, Missing::NliModel]);
    assert_eq!(report.relevance.missing(), [Missing::Question, Missing::Knowledge, Missing::RelevanceModel]);
    assert_eq!(report.cohesion.missing(), [Missing::Knowledge, Missing::LanguageModel]);
    assert_eq!(report.coherence.missing(), [Missing::Knowledge, Missing::DiscourseModel]);
    assert_eq!(report.informativeness.missing(), [Missing::Question, Missing::Knowledge, Missing::GeneratingModel]);
    assert_eq!(
        report.helpfulness.missing(),
        [Missing::Question, Missing::Knowledge, Missing::Reference, Missing::RandomPassages, Missing::GeneratingModel]
    );
    assert_eq!(report.validity.missing(), [Missing::Answer, Missing::ReferenceOrEvidence, Missing::NliModel]);

    let conner = all();
    let without = |change: fn(&mut Item)| {
        let mut changed = item();
        change(&mut changed);
        without_sources(&conner, &changed, &settings)
    };
    let report = without(|item| item.question = Some(" \n".into()));
    assert_eq!(report.relevance.missing(), [Missing::Question], "blank is missing");
    assert_eq!(report.validity.missing(), [Missing::Question], "Eq. 7 reads the question");
    assert!(report.cohesion.value().is_some() && report.coherence.value().is_some());
    let report = without(|item| item.reference = None);
    assert_eq!(report.validity.missing(), [Missing::ReferenceOrEvidence]);
    assert_eq!(report.helpfulness.missing(), [Missing::Reference, Missing::RandomPassages]);
    assert_eq!(report.quality.missing(), [Missing::Evidence]);
    let report = without(|item| item.knowledge = Some("🎉".into()));
    assert_eq!(report.cohesion.missing(), [Missing::Knowledge], "what says nothing is no sentence");

    let topical = Settings { informativeness_prompt: "{topic}: {question}".into(), ..Settings::default() };
    let no_topic = Item { topic: None, ..item() };
    assert_eq!(without_sources(&conner, &no_topic, &topical).informativeness.missing(), [Missing::Topic]);
}

#[test]
fn helpfulness_turns_around_when_knowledge_and_random_passage_change_places() {
    for conner in [all(), without_seq2seq()] {
        let settings = Settings { random_passages: 1, ..Settings::default() };
        let helpfulness = |knowledge: &str, random: &str| {
            let random = [passage("r", random)];
            let sources = Sources::<MemoryStorage> { random: &random, ..Sources::default() };
            let item = Item { knowledge: Some(knowledge.into()), ..item() };
            let report = block_on(conner.score(&item, &sources, &settings, &())).unwrap();
            *report.helpfulness.score().unwrap()
        };
        let (iron, mars) = ("Steel is made of iron.", "Mars has two moons.");
        let (there, back) = (helpfulness(iron, mars), helpfulness(mars, iron));
        assert_eq!((there.loss, there.random_loss, there.random_passages), (back.random_loss, back.loss, 1));
        assert!(((1.0 - there.unclipped) * (1.0 - back.unclipped) - 1.0).abs() < 1e-9, "{there:?} {back:?}");
        assert!(there.loss > 0.0 && there.loss != back.loss, "the answer's loss depends on the passage");
        assert_eq!(there.value, there.unclipped.max(0.0));
        assert_eq!(helpfulness(iron, iron).unclipped, 0.0, "a passage is no better than itself");
    }
}

/// The a of Eq. 6 is the right answer of a "query and answer pair", and not the answer that a model gave.
#[test]
fn helpfulness_is_about_the_right_answer_unless_the_generated_one_is_asked_for() {
    let conner = all();
    let helpfulness = |helpfulness_answer, item: &Item| {
        let settings = Settings { helpfulness_answer, ..Settings::default() };
        score(&conner, item, &settings).helpfulness
    };
    let of_reference = |item: &Item| helpfulness(HelpfulAnswer::Reference, item);
    let other = Item { answer: Some("a bird".into()), ..item() };
    assert_eq!(of_reference(&item()), of_reference(&other));
    assert_eq!(of_reference(&item()), of_reference(&Item { answer: None, ..item() }));
    assert_ne!(of_reference(&item()), of_reference(&Item { reference: Some("a bird".into()), ..item() }));
    let swapped = Item { answer: item().reference, reference: None, ..item() };
    assert_eq!(helpfulness(HelpfulAnswer::Generated, &swapped), of_reference(&item()));
    assert_eq!(of_reference(&swapped).missing(), [Missing::Reference], "nothing stands in for it");
    let without = Item { answer: None, ..item() };
    assert_eq!(helpfulness(HelpfulAnswer::Generated, &without).missing(), [Missing::Answer]);
}

/// Eq. 1, 7 and 8 have no temperature.
#[test]
fn a_packs_temperature_is_not_in_factuality_and_validity() {
    let at = |temperature| {
        let nli = NliModel::new("nli", classifier("bert"), temperature).unwrap();
        let conner = Conner::new().with_nli("nli", nli);
        let open = Settings { validity: ValidityForm::Open, ..Settings::default() };
        [score(&conner, &item(), &Settings::default()), score(&conner, &item(), &open)]
    };
    assert_eq!(at(1.18), at(1.0));
}

#[test]
fn coherence_keeps_the_number_that_it_normalises() {
    let coherence = *score(&all(), &item(), &Settings::default()).coherence.score().unwrap();
    assert!((coherence.value - 1.0 / (1.0 + (-coherence.raw).exp())).abs() < 1e-12, "{coherence:?}");
}

#[test]
fn more_evidence_never_lowers_factuality_and_one_sentence_is_its_own_min_mean_and_max() {
    let conner = all();
    let passages = given();
    let settings = Settings::default();
    let factuality = |knowledge: &str, n: usize| {
        let sources = Sources::<MemoryStorage> { passages: &passages[..n], ..Sources::default() };
        let item = Item { knowledge: Some(knowledge.into()), ..Item::default() };
        let report = block_on(conner.score(&item, &sources, &settings, &())).unwrap();
        report.factuality.score().unwrap().clone()
    };
    let knowledge = item().knowledge.unwrap();
    let by_count = [1, 2, 3].map(|n| factuality(&knowledge, n).value);
    // The lengths of the other texts in a batch change the last digits.
    assert!(by_count.is_sorted_by(|a, b| *b > a - 1e-5), "{by_count:?}");
    let one = factuality("Iron is a metal.", 3);
    assert_eq!((one.min, one.max, one.lowest), (one.mean, one.mean, 0));
}

#[test]
fn validity_is_read_against_the_reference_or_else_the_evidence() {
    let conner = all();
    let validity = |settings: &Settings, item: &Item| score(&conner, item, settings).validity.score().unwrap().clone();
    let span = validity(&Settings::default(), &item());
    assert_eq!((span.equation, span.passage.is_none()), (7, true));
    let open = validity(&Settings { validity: ValidityForm::Open, ..Settings::default() }, &item());
    assert_eq!((open.equation, open.passage.is_some()), (8, true));
    assert_eq!(validity(&Settings::default(), &Item { reference: None, ..item() }), open);
    assert_eq!(open.value, open.nli.entailment);
    let only_span = Settings { validity: ValidityForm::Span, ..Settings::default() };
    let report = score(&conner, &Item { reference: None, ..item() }, &only_span);
    assert_eq!(report.validity.missing(), [Missing::Reference]);
}

#[test]
fn caps_and_cuts_are_settings() {
    let conner = all();
    let report = score(&conner, &item(), &Settings { perplexity_cap: Some(4.0), ..Settings::default() });
    let cohesion = report.cohesion.score().unwrap();
    assert!(cohesion.sentences.iter().all(|sentence| sentence.value.unwrap() >= 0.25));
    let aggregate = |aggregate| {
        let report = score(&conner, &item(), &Settings { aggregate, ..Settings::default() });
        let factuality = report.factuality.score().unwrap();
        (factuality.triple, [factuality.mean, factuality.max])
    };
    let ((mean, [expected_mean, _]), (max, [_, expected_max])) =
        (aggregate(Aggregate::Mean), aggregate(Aggregate::Max));
    assert_eq!((mean, max), (expected_mean, expected_max));
    let tokens = |words| {
        let settings = Settings { informativeness_words: words, ..Settings::default() };
        score(&conner, &item(), &settings).informativeness.score().unwrap().tokens
    };
    assert!(tokens(1) < tokens(3) && tokens(3) < tokens(0));
    let gamma = Settings { gamma: [0.0, 1.0, 0.0, 0.0], ..Settings::default() };
    let report = score(&conner, &item(), &gamma);
    assert_eq!(report.quality.value(), report.relevance.value());
    let wrong = Settings { evidence: 0, ..Settings::default() };
    let refused = block_on(conner.score(&item(), &Sources::<MemoryStorage>::default(), &wrong, &()));
    assert!(matches!(refused, Err(VerifyError::Settings { field: "evidence", .. })));
}

#[test]
fn a_bi_encoder_gives_its_cosine_and_a_text_is_nearest_to_itself() {
    let embedder = block_on(golden("bert-embedder").embedder(ONLY_MODEL, &cpu())).unwrap();
    let conner = Conner::new().with_relevance_model("bi-encoder", RelevanceModel::BiEncoder(embedder.into()));
    let relevance = |knowledge: &str| {
        let item = Item { knowledge: Some(knowledge.into()), question: Some("iron rusts".into()), ..Item::default() };
        without_sources(&conner, &item, &Settings::default()).relevance.value().unwrap()
    };
    assert!((relevance("iron rusts") - 1.0).abs() < 1e-6);
    assert!(relevance("Mars has two moons.") < 1.0);
}

#[test]
fn text_that_is_too_long_for_the_models_is_scored_all_the_same() {
    let conner = all();
    let long = "Iron is a metal that rusts in wet air ".repeat(300);
    let text = |text: &str| Some(text.to_owned());
    let other = item();
    let item = Item {
        knowledge: text(&long),
        answer: text(&long),
        reference: text(&long),
        question: text(&"why ".repeat(200)),
        ..item()
    };
    for conner in [conner, without_seq2seq()] {
        let report = score(&conner, &item, &Settings::default());
        for value in values(&report) {
            assert!((0.0..=1.0).contains(&value.unwrap()));
        }
        // How many of the 2,700 words of one sentence were read.
        let cuts = [report.relevance.cut(), report.cohesion.cut(), report.coherence.cut(), report.helpfulness.cut()];
        for cut in cuts.into_iter().chain([report.informativeness.cut()]) {
            assert!(cut.is_some_and(|cut| cut.of == 2700 && cut.read < 512), "{cut:?}");
        }
        let whole = score(&conner, &other, &Settings::default());
        assert_eq!((whole.relevance.cut(), whole.cohesion.cut(), whole.helpfulness.cut()), (None, None, None));
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["relevance"]["cut"]["of"], 2700);
        assert!(serde_json::to_value(&whole).unwrap()["relevance"].get("cut").is_none());
    }
    // The released code's caps, in words and in tokens.
    let long = Item { knowledge: text(&"iron ".repeat(400)), ..other };
    let settings = Settings { max_tokens: 4000, ..Settings::default() };
    let t5 = Conner::new().with_seq2seq("t5", block_on(golden("t5-v1.1").seq2seq(ONLY_MODEL, &cpu())).unwrap());
    assert_eq!(score(&t5, &long, &settings).informativeness.cut(), Some(Cut { read: 300, of: 400 }));
    assert_eq!((settings.cohesion_tokens, settings.helpfulness_words, settings.relevance_tokens), (500, 500, 512));
    let short =
        Item {
            knowledge: text("A"), answer: text("é"), reference: text("é"), question: text("?"), ..Item::default()
        };
    let report = score(&without_seq2seq(), &short, &Settings::default());
    assert!(report.informativeness.value().is_some() && report.helpfulness.value().is_some(), "{report:?}");
    assert!(report.cohesion.value().is_some() || report.cohesion.missing() == [Missing::LongerSentence]);
}

#[test]
fn a_model_of_another_kind_is_refused() {
    let three = || classifier("roberta");
    let refused = [
        NliModel::new("x", three(), 1.0).err().unwrap(),
        RelevanceModel::cross_encoder("x", three()).err().unwrap(),
        Conner::new().with_discourse("x", three()).err().unwrap(),
    ];
    for (error, kind) in refused.iter().zip(["an NLI model", "a cross-encoder", "a discourse model"]) {
        assert!(error.to_string().contains(kind) && error.labels.len() == 3, "{error}");
    }
    assert_eq!(normalised(&[0.0; 3]), None);
}

/// Cancels at one of the steps.
struct Stop {
    seen: RefCell<Vec<ScoreStep>>,
    at: usize,
}

impl Observer for Stop {
    async fn observe(&self, event: Event<'_>) -> Result<(), Cancelled> {
        let Event::Score(step) = event else { panic!("no step of a scoring: {event:?}") };
        self.seen.borrow_mut().push(step);
        if self.seen.borrow().len() > self.at { Err(Cancelled) } else { Ok(()) }
    }

    fn now(&self) -> f64 {
        0.0
    }
}

#[test]
fn a_scoring_can_be_stopped_at_every_step() {
    let conner = all();
    let (passages, random) = (given(), unrelated());
    let sources = Sources::<MemoryStorage> { passages: &passages, random: &random, index: None };
    let run = |at: usize| {
        let stop = Stop { seen: RefCell::default(), at };
        (block_on(conner.score(&item(), &sources, &Settings::default(), &stop)), stop.seen.into_inner())
    };
    let (whole, steps) = run(usize::MAX);
    whole.unwrap();
    // Among them are three sentences, and four losses: with the knowledge and with three random passages.
    assert_eq!(steps.len(), 12);
    let third = ScoreStep { score: "factuality", sentence: Some(SentenceNumber { sentence: 2, of: 3 }) };
    assert_eq!((steps[2], steps[11]), (third, ScoreStep { score: "validity", sentence: None }));
    assert_eq!(steps.iter().filter(|step| step.score == "helpfulness").count(), 4);
    assert_eq!(serde_json::to_string(&Event::Score(third)).unwrap(), r#"{"step":"factuality","sentence":2,"of":3}"#);
    for at in 0..steps.len() {
        let (stopped, seen) = run(at);
        assert!(matches!(stopped, Err(VerifyError::Cancelled(_))));
        assert_eq!(seen, steps[..=at]);
    }
}

/// An index of passages that all share words with others.
fn index() -> (TempDir, Index<FileStorage>) {
    let nouns = ["river", "city", "metal", "planet", "language", "bird"];
    let places = ["Peru", "Norway", "Kenya", "Japan", "Chile", "Malta", "Nepal"];
    let passages = nouns.iter().flat_map(|noun| {
        places.iter().enumerate().map(move |(n, place)| {
            let text = format!("The first {noun} of {place} has been known for {n} hundred years.");
            Ok(passage(&format!("{noun} {place}"), &text))
        })
    });
    build_index(passages.collect())
}

fn build_index(passages: Vec<Result<Passage, evident_index::BuildError>>) -> (TempDir, Index<FileStorage>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    build(passages, &path, &BuildOptions::default()).unwrap();
    let index = block_on(Index::open(FileStorage::new(path))).unwrap();
    (directory, index)
}

#[test]
fn an_index_gives_evidence_and_random_passages_by_the_seed() {
    let conner = without_seq2seq(); // the tokenizer of its language model has every word
    let (_directory, index) = index();
    let question = "which metal of Norway was known first";
    let knowledge = "The first metal of Norway has been known for a hundred years.";
    let item = Item { question: Some(question.into()), knowledge: Some(knowledge.into()), ..item() };
    let scored = |seed: u64| {
        let settings = Settings { seed, random_passages: 3, ..Settings::default() };
        block_on(conner.score(&item, &Sources::of_index(&index), &settings, &())).unwrap()
    };
    let report = scored(0);
    assert!(report.factuality.score().unwrap().sentences[0].passage.is_some());
    let helpfulness = report.helpfulness.score().unwrap();
    assert_eq!(helpfulness.random_passages, 3);
    assert_eq!(scored(0), report, "the same seed draws the same passages");
    let others: Vec<f64> = (1..6).map(|seed| scored(seed).helpfulness.score().unwrap().random_loss).collect();
    assert!(others.iter().any(|loss| *loss != helpfulness.random_loss), "another seed draws others");

    let few = Settings { random_passages: 100, ..Settings::default() };
    let report = block_on(conner.score(&item, &Sources::of_index(&index), &few, &())).unwrap();
    let drawn = report.helpfulness.score().unwrap().random_passages;
    // 42 passages less the ten that are about the question.
    assert!((20..=32).contains(&drawn), "{drawn}");

    let (_directory, same) = build_index(vec![Ok(passage("1", knowledge))]);
    let report = block_on(conner.score(&item, &Sources::of_index(&same), &few, &())).unwrap();
    assert_eq!(report.helpfulness.missing(), [Missing::RandomPassages]);

    let (_directory, other) = build_index(vec![Ok(passage("1", "Zirconium."))]);
    let report = block_on(conner.score(&item, &Sources::of_index(&other), &few, &())).unwrap();
    assert_eq!(report.helpfulness.score().unwrap().random_passages, 1);
    let factuality = report.factuality.score().unwrap();
    assert_eq!((factuality.value(), factuality.triple.neutral), (0.0, 1.0), "no evidence leaves it non-verified");
}

#[test]
fn a_packs_models_are_taken_by_the_names_of_their_roles() {
    let mut pack = Pack::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/embedded")).unwrap();
    let conner = block_on(Conner::new().with_role(Role::Nli, &mut pack, &cpu())).unwrap();
    let report = score(&conner, &item(), &Settings::default());
    assert_eq!(report.factuality.model(), Some("evident-embedded/nli"));
    let error = block_on(Conner::new().with_role(Role::Seq2seq, &mut pack, &cpu())).err().expect("an error");
    assert_eq!(error.code(), "pack-architecture");
    let error = block_on(Conner::new().with_role(Role::Lm, &mut golden("bert"), &cpu())).err().expect("an error");
    assert!(error.to_string().contains("no model \"lm\""), "{error}");
}

#[test]
fn each_passages_entailment_is_kept_and_the_most_is_the_sentences() {
    let report = score(&all(), &item(), &Settings::default());
    for sentence in &report.factuality.score().unwrap().sentences {
        assert_eq!(sentence.evidence.len(), given().len());
        assert_eq!(sentence.evidence.iter().copied().fold(0.0, f64::max), sentence.nli.entailment);
    }
}
