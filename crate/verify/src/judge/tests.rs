//! How the text that a model writes is read: scripted steps, and the answers of the small T5 of tests/parity/writing,
//! which are those of transformers.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use evident_nn::{Backend, DecodingStep, NnError, ONLY_MODEL, Pack, Seq2Seq, Tokenizer, open_device};
use futures_lite::future::block_on;
use serde::Deserialize;

use crate::judge::answer_words::{AnswerWords, T5Answer};
use crate::judge::methods::ask;
use crate::judge::prompt::Prompt;
use crate::judge::writing::facts::written_facts;
use crate::judge::writing::restate::restate;
use crate::judge::writing::writer::{Steps, Writer};
use crate::settings::{Method, Settings, Wording};

/// More than any text here takes.
const MOST_TOKENS: usize = 1000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/writing")
}

/// A model that answers with a given text, and records its prompts.
struct Script {
    tokenizer: Tokenizer,
    says: String,
    prompts: RefCell<Vec<String>>,
}

impl Script {
    fn saying(text: &str) -> Self {
        let tokenizer = Tokenizer::load(&fs::read(folder().join("model/tokenizer.json")).unwrap()).unwrap();
        Self { tokenizer, says: text.into(), prompts: RefCell::default() }
    }
}

/// The steps of a script, the next one last. Each gives its token a probability of about 1.
struct Lines(Vec<DecodingStep>);

impl Steps for Lines {
    async fn step(&mut self) -> Result<Option<DecodingStep>, NnError> {
        Ok(self.0.pop())
    }
}

impl Writer for Script {
    type Answer<'a> = Lines;

    fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    async fn begin(&self, prompts: &[&str], _: usize) -> Result<Lines, NnError> {
        self.prompts.borrow_mut().extend(prompts.iter().map(ToString::to_string));
        let sure = |token: u32| {
            let mut logits = vec![0.0; token as usize + 1];
            logits[token as usize] = 1e4;
            DecodingStep { token, logits }
        };
        Ok(Lines(self.tokenizer.encode(&self.says)?.into_iter().rev().map(sure).collect()))
    }
}

fn prompt(method: Method, fact: &str, statement: &str) -> Prompt {
    Prompt {
        method,
        demonstrations: Vec::new(),
        facts: vec![fact.into()],
        context: String::new(),
        statement: statement.into(),
        wording: Wording::Correct,
    }
}

fn asked(writer: &impl Writer, prompt: &Prompt, change: fn(&mut Settings)) -> T5Answer {
    let mut settings =
        Settings { method: prompt.method, max_steps: 40, max_tokens: MOST_TOKENS, ..Settings::default() };
    change(&mut settings);
    let words = AnswerWords::new(writer.tokenizer()).unwrap();
    block_on(ask(writer, &words, std::slice::from_ref(prompt), &settings)).unwrap()
}

fn script(method: Method, says: &str, change: fn(&mut Settings)) -> T5Answer {
    asked(&Script::saying(says), &prompt(method, "Iron rusts in wet air.", "Iron rusts."), change)
}

#[test]
fn a_chain_of_thought_is_read_after_its_conclusion() {
    let chain = |says: &str| script(Method::ChainOfThought, says, |_| ());
    let yes = chain("Iron is a metal. So the statement is correct; the answer is Yes. No.");
    assert_eq!(yes.p, 1.0);
    assert_eq!(yes.rationale.as_deref(), Some("Iron is a metal. So the statement is correct; the answer is"));
    let words = Script::saying("Iron is a metal. So the statement is correct; the answer is");
    let before = words.tokenizer.encode(&words.says).unwrap().len() - 1; // its end token
    assert_eq!(yes.answered_at, Some(before), "the a of \"a metal\" is no answer");
    assert_eq!(chain("So the statement is incorrect; the answer is No.").p, 0.0);

    let silent = chain("Iron is a metal and rusts. Yes.");
    assert_eq!((silent.p, silent.answered_at), (0.5, None), "without a conclusion there is no answer");
    assert_eq!(silent.rationale.as_deref(), Some("Iron is a metal and rusts. Yes."));
    let cut = script(Method::ChainOfThought, "So the statement is correct; the answer is Yes.", |s| s.max_steps = 3);
    assert_eq!((cut.p, cut.answered_at), (0.5, None), "the answer came too late");
}

#[test]
fn a_rating_and_a_word_are_read_where_they_come() {
    let rating = |says: &str| script(Method::Likert, says, |_| ());
    assert_eq!(["1", "2", "3", "4", "5"].map(|says| rating(says).p), [0.0, 0.25, 0.5, 0.75, 1.0]);
    let late = rating("The score is 4");
    assert_eq!((late.p, late.answered_at.is_some_and(|at| at > 0)), (0.75, true));
    assert_eq!((rating("none").p, rating("none").answered_at), (0.5, None));

    let direct = |says: &str| script(Method::Direct, says, |s| s.hard = true);
    assert_eq!((direct("B").p, direct("The statement is A").p, direct("metal").p), (0.0, 1.0, 0.5));
}

#[test]
fn a_statement_is_restated_if_what_was_written_is_about_it() {
    let restated = |says: &str| {
        let script = Script::saying(says);
        block_on(restate(&script, "Marie Curie was born in Warsaw.", "She won two prizes.", MOST_TOKENS)).unwrap()
    };
    assert_eq!(restated("\"Marie Curie won two prizes.\"").as_deref(), Some("Marie Curie won two prizes."));
    assert_eq!(restated("Iron is a metal."), None);
    let without_context = block_on(restate(&Script::saying("x"), "", "She won two prizes.", MOST_TOKENS)).unwrap();
    assert_eq!(without_context, None);
    let no_room = block_on(restate(&Script::saying("x"), "Tin is soft.", "It is a metal.", 10)).unwrap();
    assert_eq!(no_room, None, "a prompt that is cut would lose the statement");
}

#[test]
fn atomic_facts_are_the_sentences_that_were_written_about_the_statement() {
    let facts = |says: &str| {
        let script = Script::saying(says);
        let found = block_on(written_facts(&script, "Iron is a metal and rusts in wet air.", MOST_TOKENS)).unwrap();
        assert!(script.prompts.borrow()[0].ends_with("Statement: Iron is a metal and rusts in wet air.\nOutput:"));
        found
    };
    let both = facts("Iron is a metal. Iron rusts in wet air. Tin is soft.").unwrap();
    assert_eq!(both, ["Iron is a metal.", "Iron rusts in wet air."], "tin is not what the statement is about");
    assert_eq!(facts("Tin was no gas."), None);
    assert_eq!(facts(""), None);
}

/// What transformers wrote.
#[derive(Deserialize)]
struct Golden {
    written: Vec<Written>,
}

#[derive(Deserialize)]
struct Written {
    kind: String,
    prompt: String,
    tokens: Vec<u32>,
    text: String,
}

fn golden() -> Vec<Written> {
    serde_json::from_slice::<Golden>(&fs::read(folder().join("golden.json")).unwrap()).unwrap().written
}

fn t5() -> Seq2Seq {
    let (device, _) = block_on(open_device(Backend::Cpu)).unwrap();
    block_on(Pack::open(&folder().join("model")).unwrap().seq2seq(ONLY_MODEL, &device)).unwrap()
}

#[test]
fn the_same_tokens_are_written_as_by_transformers() {
    let t5 = t5();
    for Written { prompt, tokens, text, .. } in golden() {
        let mut answer = block_on(t5.begin(&[&prompt], MOST_TOKENS)).unwrap();
        let steps = tokens.iter().map(|_| block_on(Steps::step(&mut answer)).unwrap().map(|step| step.token));
        assert_eq!(steps.collect::<Vec<_>>(), tokens.iter().copied().map(Some).collect::<Vec<_>>(), "{text}");
        assert_eq!(block_on(Steps::step(&mut answer)).unwrap(), None, "it ends where the reference does");
        assert_eq!(block_on(t5.write(&prompt, MOST_TOKENS, 40)).unwrap(), text);
        assert_eq!(block_on(t5.write(&prompt, MOST_TOKENS, 0)).unwrap(), "");
    }
}

#[test]
fn what_a_model_writes_is_read_to_its_end() {
    let (t5, golden) = (t5(), golden());
    let of = |kind: &'static str| golden.iter().filter(move |written| written.kind == kind);
    let statement = |prompt: &str| prompt.rsplit_once("Statement: ").unwrap().1.split_once('\n').unwrap().0.to_owned();

    for (written, p) in of("chain").zip([1.0, 0.0]) {
        let said = statement(&written.prompt);
        let fact = if p == 1.0 { "Iron rusts in wet air." } else { "Tin is a soft metal." };
        let prompt = prompt(Method::ChainOfThought, fact, &said);
        assert_eq!(prompt.to_string(), written.prompt, "the prompt that the reference read");
        let answer = asked(&t5, &prompt, |settings| settings.hard = true);
        assert_eq!(answer.p, p, "{}", written.text);
        assert_eq!(answer.rationale.as_deref(), written.text.rsplit_once(' ').map(|(rationale, _)| rationale));
        assert!((asked(&t5, &prompt, |_| ()).p - p).abs() < 0.5);
    }
    for written in of("rating") {
        let said = statement(&written.prompt);
        let fact = if said.starts_with("Iron") { "Iron rusts in wet air." } else { "Tin is a soft metal." };
        let prompt = prompt(Method::Likert, fact, &said);
        assert_eq!(prompt.to_string(), written.prompt);
        let rating: f64 = written.text.parse().unwrap();
        assert_eq!(asked(&t5, &prompt, |settings| settings.hard = true).p, (rating - 1.0) / 4.0);
    }
    let context = |prompt: &str| {
        let (_, rest) = prompt.rsplit_once("\nContext: ").unwrap();
        let (context, rest) = rest.split_once("\nStatement following the context: ").unwrap();
        (context.to_owned(), rest.split_once('\n').unwrap().0.to_owned())
    };
    for written in of("restated") {
        let (context, statement) = context(&written.prompt);
        let restated = block_on(restate(&t5, &context, &statement, MOST_TOKENS)).unwrap();
        assert_eq!(restated.as_ref(), Some(&written.text));
    }
    for written in of("facts") {
        let facts = block_on(written_facts(&t5, &statement(&written.prompt), MOST_TOKENS)).unwrap().unwrap();
        assert_eq!(facts.join(" "), written.text);
        assert_eq!(facts.len(), 2);
    }
    assert_eq!(["chain", "rating", "restated", "facts"].map(|kind| of(kind).count()), [2, 3, 2, 2]);
}
