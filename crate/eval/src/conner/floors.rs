//! How often CONNER's scores behave as they must on real text, for whoever trains a pack. Each behaviour compares two
//! texts that differ in one thing; the right one must have the higher score.

use std::path::Path;
use std::time::Instant;

use evident_base::json_lines;
use evident_index::{MemoryStorage, Passage};
use evident_verify::Role;
use evident_verify::conner::{Conner, ConnerReport, Item, Settings, Sources, ValidityForm};
use futures_lite::future::block_on;
use serde::{Deserialize, Serialize};

use crate::conner::items::{self, ScoredItem};
use crate::conner::label;
use crate::conner::models::ConnerModels;
use crate::conner::shuffle::shuffled;
use crate::error::EvalError;
use crate::measures::unigram_f1;
use crate::monitor::Monitor;
use crate::rows::row::tidy;
use crate::table::table;

/// How many paragraphs are shuffled, and the fewest sentences that one has.
pub const PARAGRAPHS: usize = 500;
const SENTENCES: usize = 4;

/// What is scored: two texts, the right one first, or one against random passages.
struct Trial {
    items: Vec<Item>,
    random: Vec<Passage>,
}

/// What must hold, the models that it needs, and how often it must hold.
struct Behaviour {
    name: &'static str,
    roles: &'static [Role],
    /// The share of trials in which it must hold; `None` for no floor.
    floor: Option<f64>,
    /// Whether it held in a trial; `None` where a score is missing, and the trial does not count.
    held: fn(&[ConnerReport]) -> Option<bool>,
}

const BEHAVIOURS: [Behaviour; 5] = [
    Behaviour {
        name: "another question's passage is less relevant",
        roles: &[Role::Embedder, Role::Relevance],
        floor: Some(0.95),
        held: |reports| higher(reports, |report| report.relevance.value()),
    },
    Behaviour {
        name: "the gold passage is more helpful than a random one",
        roles: &[Role::Lm, Role::Seq2seq],
        floor: Some(0.80),
        held: |reports| Some(reports.first()?.helpfulness.score()?.unclipped > 0.0),
    },
    Behaviour {
        name: "a wrong span is less valid",
        roles: &[Role::Nli],
        floor: Some(0.85),
        held: |reports| higher(reports, |report| report.validity.value()),
    },
    Behaviour {
        name: "a wrong name is less valid than a part of the right one",
        roles: &[Role::Nli],
        floor: None,
        held: |reports| higher(reports, |report| report.validity.value()),
    },
    Behaviour {
        name: "a shuffled paragraph is less coherent",
        roles: &[Role::Discourse],
        floor: Some(0.85),
        held: |reports| higher(reports, |report| report.coherence.value()),
    },
];

fn higher(reports: &[ConnerReport], read: fn(&ConnerReport) -> Option<f64>) -> Option<bool> {
    let [right, wrong] = reports else { return None };
    Some(read(right)? > read(wrong)?)
}

/// How often a behaviour held.
#[derive(Serialize)]
pub struct Count {
    behaviour: &'static str,
    held: usize,
    /// The trials that could be scored.
    n: usize,
    floor: Option<f64>,
}

/// Counts how often each behaviour holds on the first `limit` rows and paragraphs of the folder `data`, which has
/// conner/nq.tsv and corpus/passages.jsonl. `open` opens the models of some roles.
///
/// # Errors
/// Those of `open`, and any [`EvalError`].
pub fn measure<E: From<EvalError>>(
    data: &Path,
    limit: usize,
    settings: Settings,
    mut open: impl FnMut(&[Role]) -> Result<ConnerModels, E>,
    monitor: &mut impl Monitor,
) -> Result<Vec<Count>, E> {
    let settings = Settings { random_passages: 1, validity: ValidityForm::Span, ..settings };
    let rows = tidied(items::read(&data.join("conner/nq.tsv"))?);
    let paragraphs = paragraphs(&data.join("corpus/passages.jsonl"))?;
    let trials = [relevance(&rows), helpfulness(&rows), validity(&rows), part_validity(&rows), coherence(&paragraphs)];
    let mut counts = Vec::new();
    for (behaviour, mut trials) in BEHAVIOURS.into_iter().zip(trials) {
        monitor.set_label(String::new());
        monitor.show("loading the models");
        let models = open(behaviour.roles)?;
        trials.truncate(if models.is_empty() { 0 } else { limit });
        counts.push(count(models.conner(), &behaviour, &trials, &settings, monitor)?);
    }
    Ok(counts)
}

/// The counts of all behaviours, as a Markdown table.
#[must_use]
pub fn markdown(counts: &[Count]) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let row = |(count, behaviour): (&Count, &Behaviour)| {
        let roles: Vec<&str> = behaviour.roles.iter().map(|role| role.name()).collect();
        let share = match count.n {
            0 => format!("N/A: needs {}", roles.join(" or ")),
            n => percent(count.held as f64 / n as f64),
        };
        let floor = count.floor.map(percent).unwrap_or_default();
        vec![count.behaviour.to_owned(), count.held.to_string(), count.n.to_string(), share, floor]
    };
    table(&["behaviour", "held", "n", "share", "floor"], counts.iter().zip(&BEHAVIOURS).map(row))
}

fn count(
    conner: &Conner,
    behaviour: &Behaviour,
    trials: &[Trial],
    settings: &Settings,
    monitor: &mut impl Monitor,
) -> Result<Count, EvalError> {
    let mut count = Count { behaviour: behaviour.name, held: 0, n: 0, floor: behaviour.floor };
    let start = Instant::now();
    for (number, trial) in trials.iter().enumerate() {
        monitor.set_label(label(number, trials.len(), number, start));
        let sources = Sources::<MemoryStorage> { random: &trial.random, ..Sources::default() };
        let mut reports = Vec::new();
        for item in &trial.items {
            reports.push(block_on(conner.score(item, &sources, settings, monitor))?);
        }
        if let Some(held) = (behaviour.held)(&reports) {
            count.n += 1;
            count.held += usize::from(held);
        }
    }
    Ok(count)
}

/// NQ's rows without their Penn Treebank spacing, which neither people nor chatbots write.
fn tidied(mut rows: Vec<ScoredItem>) -> Vec<ScoredItem> {
    for row in &mut rows {
        let Item { question, knowledge, reference, .. } = &mut row.item;
        for text in [question, knowledge, reference].into_iter().flatten() {
            *text = tidy(text);
        }
    }
    rows
}

/// The first row with another topic than row `at`, searched from `step` rows after it and around the end.
fn other(rows: &[ScoredItem], at: usize, step: usize) -> Option<&ScoredItem> {
    rows.iter().cycle().skip(at + step).take(rows.len()).find(|row| row.item.topic != rows[at].item.topic)
}

/// Each question with its own passage, and with that of the next row of another topic.
fn relevance(rows: &[ScoredItem]) -> Vec<Trial> {
    let trial = |(at, row): (usize, &ScoredItem)| {
        let next = Item { knowledge: other(rows, at, 1)?.item.knowledge.clone(), ..row.item.clone() };
        Some(Trial { items: vec![row.item.clone(), next], random: Vec::new() })
    };
    rows.iter().enumerate().filter_map(trial).collect()
}

/// Each passage against a random one: that of the row half the file later.
fn helpfulness(rows: &[ScoredItem]) -> Vec<Trial> {
    let trial = |(at, row): (usize, &ScoredItem)| {
        let text = other(rows, at, rows.len() / 2)?.item.knowledge.clone()?;
        let random = Passage { id: String::new(), title: String::new(), text, ..Passage::default() };
        Some(Trial { items: vec![row.item.clone()], random: vec![random] })
    };
    rows.iter().enumerate().filter_map(trial).collect()
}

/// The English months, in lower case.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// What an answer is, so that a wrong one is of the same kind: a year, a date, another number, a name, or a phrase.
#[derive(Debug, PartialEq, Eq)]
enum AnswerKind {
    Year,
    Date,
    Number,
    Name,
    Phrase,
}

impl AnswerKind {
    fn of(answer: &str) -> Self {
        let mut words = answer.split_whitespace();
        if answer.len() == 4 && answer.bytes().all(|byte| byte.is_ascii_digit()) {
            Self::Year
        } else if answer.contains(|c: char| c.is_ascii_digit()) {
            let month = words.any(|word| MONTHS.contains(&word.to_lowercase().as_str()));
            if month { Self::Date } else { Self::Number }
        } else if words.all(|word| word.len() <= 3 || word.starts_with(char::is_uppercase)) {
            Self::Name
        } else {
            Self::Phrase
        }
    }
}

/// Each reference answer as the answer, and against it the next one of the same kind that shares no word with it.
fn validity(rows: &[ScoredItem]) -> Vec<Trial> {
    let trial = |(at, row): (usize, &ScoredItem)| {
        let right = row.item.reference.as_deref()?;
        let after = rows.iter().cycle().skip(at + 1).take(rows.len()).filter_map(|row| row.item.reference.as_deref());
        let mut wrong =
            after.filter(|wrong| AnswerKind::of(wrong) == AnswerKind::of(right) && unigram_f1(wrong, right) == 0.0);
        let item = |answer: &str| Item {
            question: row.item.question.clone(),
            answer: Some(answer.to_owned()),
            reference: Some(right.to_owned()),
            ..Item::default()
        };
        Some(Trial { items: vec![item(right), item(wrong.next()?)], random: Vec::new() })
    };
    rows.iter().enumerate().filter_map(trial).collect()
}

/// The trials of [`validity`] for names of several words. The right answer lacks its first word, so that it differs
/// from the reference.
fn part_validity(rows: &[ScoredItem]) -> Vec<Trial> {
    let mut trials = validity(rows);
    trials.retain_mut(|trial| {
        let Some(Item { answer: Some(right), .. }) = trial.items.first_mut() else { return false };
        let name = AnswerKind::of(right) == AnswerKind::Name;
        let part = right.split_once(' ').map(|(_, part)| part.to_owned()).filter(|_| name);
        part.map(|part| *right = part).is_some()
    });
    trials
}

/// Each paragraph with its sentences in order, and shuffled.
fn coherence(paragraphs: &[String]) -> Vec<Trial> {
    let trial = |(seed, text): (usize, &String)| {
        let (original, shuffled) = shuffled(text, SENTENCES, seed as u64)?;
        let item = |text: String| Item { knowledge: Some(text), ..Item::default() };
        Some(Trial { items: vec![item(original), item(shuffled)], random: Vec::new() })
    };
    paragraphs.iter().enumerate().filter_map(trial).take(PARAGRAPHS).collect()
}

/// The corpus's paragraphs that no model was trained on: CONNER's own and the half of QED's that training leaves out,
/// those whose CRC-32 is even. Sorting by the CRC-32 mixes them. The corpus's other texts of several sentences are
/// evidence for claims, in no order, so they are left out.
fn paragraphs(path: &Path) -> Result<Vec<String>, EvalError> {
    #[derive(Deserialize)]
    struct Line {
        text: String,
        source: String,
    }
    let mut found = Vec::new();
    for (_, line) in json_lines::<Line>(path, "not a passage")? {
        let sum = crc32fast::hash(line.text.as_bytes());
        if line.source == "conner_nq" || line.source == "qed" && sum.is_multiple_of(2) {
            found.push((sum, tidy(&line.text)));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found.into_iter().map(|(_, text)| text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_a_kind() {
        for (answer, kind) in [
            ("2014", AnswerKind::Year),
            ("May 31, 2012", AnswerKind::Date),
            ("20 %", AnswerKind::Number),
            ("Ann Arbor, Michigan", AnswerKind::Name),
            ("beneath the liver", AnswerKind::Phrase),
        ] {
            assert_eq!(AnswerKind::of(answer), kind, "{answer}");
        }
    }

    #[test]
    fn a_wrong_span_is_of_the_same_kind_and_shares_no_word() {
        let row = |n: usize, answer: &str| ScoredItem {
            item: Item { topic: Some(n.to_string()), reference: Some(answer.into()), ..Item::default() },
            ..ScoredItem::default()
        };
        let answers = ["Marie Curie", "1911", "Pierre Curie", "Paris", "1903", "the liver"];
        let rows: Vec<ScoredItem> = answers.iter().enumerate().map(|(n, answer)| row(n, answer)).collect();
        let found = validity(&rows);
        let wrong: Vec<_> = found.iter().map(|trial| trial.items[1].answer.as_deref().unwrap()).collect();
        assert_eq!(wrong, ["Paris", "1903", "Paris", "Marie Curie", "1911"], "there is no other phrase");
        let parts = part_validity(&rows);
        let right: Vec<_> = parts.iter().map(|trial| trial.items[0].answer.as_deref().unwrap()).collect();
        assert_eq!(right, ["Curie", "Curie"], "of names of several words");
    }
}
