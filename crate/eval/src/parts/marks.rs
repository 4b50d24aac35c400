//! Compares the words that are marked as wrong in falsehoods with those that people marked.

use std::collections::HashMap;
use std::path::Path;

use evident_base::{json_lines, plain_line};
use evident_index::Passage;
use evident_verify::{Judge, SentenceReport, Settings, Span, Stage, VerifyEvent};
use futures_lite::future::block_on;
use serde::Deserialize;
use unicode_segmentation::UnicodeSegmentation;

use crate::error::EvalError;
use crate::lines::GivenPassage;
use crate::measures::exact_match;
use crate::monitor::Monitor;
use crate::rows::formats::WRONG_LAYOUT;
use crate::table::{percent, table};

/// Falsehoods, each with the passage that contradicts it.
pub struct Falsehoods(Vec<(Falsehood, Passage)>);

#[derive(Deserialize)]
struct Falsehood {
    statement: String,
    passage: Place,
    /// The wrong words, in UTF-16 units of the statement.
    start: usize,
    end: usize,
    /// What the passage says instead.
    truth: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Place {
    /// The id of a passage of the corpus.
    Id(String),
    Given(GivenPassage),
}

#[derive(Deserialize)]
struct CorpusRow {
    id: String,
    #[serde(flatten)]
    passage: GivenPassage,
}

/// Reads rows {statement, passage, start, end, truth}, such as those of tests/data/spans_held.jsonl. A passage is an id
/// of `corpus`, a file of passages, or {title?, text}.
///
/// # Errors
/// [`EvalError::Unreadable`] and [`EvalError::BadLine`], also for an id that the corpus lacks.
pub fn read(file: &Path, corpus: Option<&Path>) -> Result<Falsehoods, EvalError> {
    let rows = corpus.map(|corpus| json_lines::<CorpusRow>(corpus, "not a passage")).transpose()?.unwrap_or_default();
    let known: HashMap<String, GivenPassage> = rows.into_iter().map(|(_, row)| (row.id, row.passage)).collect();
    let with_passage = |(line, row): (usize, Falsehood)| {
        let missing = |id: &str| EvalError::BadLine {
            path: file.into(),
            line,
            why: format!("no passage has the id {id:?}: name the file that has it with --corpus"),
        };
        let (id, GivenPassage { title, text }) = match &row.passage {
            Place::Given(passage) => ("", passage),
            Place::Id(id) => (id.as_str(), known.get(id).ok_or_else(|| missing(id))?),
        };
        let passage = Passage { id: id.into(), title: title.clone(), text: text.clone(), ..Passage::default() };
        Ok((row, passage))
    };
    json_lines(file, WRONG_LAYOUT)?.into_iter().map(with_passage).collect::<Result<_, _>>().map(Falsehoods)
}

/// The counts over the falsehoods that have marks.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    marked: usize,
    /// Words marked by us, by hand, and by both.
    ours: usize,
    theirs: usize,
    both: usize,
    /// Reasons given, and those that name what the passage says.
    reasons: usize,
    right: usize,
    differing: Vec<String>,
}

/// Judges each falsehood by its passage and returns how well the marked words agree with people's. Only falsehoods with
/// marks count: those that are contradicted or, with a model for marks, any. With `list` it also returns the falsehoods
/// whose marks or reason differ.
///
/// # Errors
/// [`EvalError::Verify`].
pub fn measure(
    judge: &Judge,
    Falsehoods(rows): &Falsehoods,
    list: bool,
    monitor: &mut impl Monitor,
) -> Result<String, EvalError> {
    let mut counts = Counts::default();
    for (number, (row, passage)) in rows.iter().enumerate() {
        monitor.set_label(format!("{} of {}: ", number + 1, rows.len()));
        let report = block_on(async {
            monitor.observe(VerifyEvent::Stage { sentence: 0, stage: Stage::Nli }.into()).await?;
            judge.assess(&row.statement, "", None, vec![passage.clone()], &Settings::default(), &()).await
        })?;
        counts.add(row, &report);
    }
    let share = |part: usize, whole: usize| percent((whole > 0).then(|| part as f64 / whole as f64));
    let Counts { marked, ours, theirs, both, reasons, right, differing } = counts;
    let cells = [
        marked.to_string(),
        share(both, ours),
        share(both, theirs),
        share(2 * both, ours + theirs),
        reasons.to_string(),
        share(right, reasons),
    ];
    let names = ["with marks", "marks: P", "R", "F1", "reasons", "right"];
    let table = table(&names, std::iter::once(cells.to_vec()));
    let listed = if list { format!("\n{}\n", differing.join("\n")) } else { String::new() };
    Ok(format!(
        "{} falsehoods, each beside its passage. Of those with marks: the marked words against people's, and the \
         reasons that name what the passage says. In per cent.\n\n{table}\n{listed}",
        rows.len()
    ))
}

impl Counts {
    fn add(&mut self, row: &Falsehood, report: &SentenceReport) {
        if report.marks.is_empty() {
            return;
        }
        self.marked += 1;
        let theirs = Span { start: row.start, end: row.end };
        let (ours, by_hand) = (words(&row.statement, &report.marks), words(&row.statement, &[theirs]));
        let both = ours.iter().filter(|word| by_hand.contains(word)).count();
        self.ours += ours.len();
        self.theirs += by_hand.len();
        self.both += both;
        let found = report.reason.map(|reason| reason.found.of(&report.evidence[reason.evidence].text));
        let is_right = found.as_deref().map(|found| names(found, &row.truth));
        self.reasons += usize::from(found.is_some());
        self.right += usize::from(is_right == Some(true));
        if both < ours.len().max(by_hand.len()) || is_right == Some(false) {
            let marked: Vec<String> = report.marks.iter().map(|&mark| mark.of(&row.statement)).collect();
            self.differing.push(format!(
                "- {} marked: {}; by hand: {}; instead: {}; by hand: {}",
                plain_line(&row.statement),
                plain_line(&marked.join(", ")),
                plain_line(&theirs.of(&row.statement)),
                plain_line(found.as_deref().unwrap_or("nothing")),
                plain_line(&row.truth)
            ));
        }
    }
}

/// Whether `found` names the `truth`: one has all words of the other, or they differ only in articles and punctuation.
fn names(found: &str, truth: &str) -> bool {
    let words = |text: &str| text.unicode_words().map(str::to_lowercase).collect::<Vec<_>>();
    let (found_words, truth_words) = (words(found), words(truth));
    let is_in = |part: &[String], whole: &[String]| part.iter().all(|word| whole.contains(word));
    exact_match(found, truth)
        || !found_words.is_empty() && (is_in(&found_words, &truth_words) || is_in(&truth_words, &found_words))
}

/// The byte offsets of the words of a text that `spans` overlap.
fn words(text: &str, spans: &[Span]) -> Vec<usize> {
    let units = |bytes: usize| text[..bytes].encode_utf16().count();
    let touched = |start: usize, word: &str| {
        spans.iter().any(|span| span.start < units(start + word.len()) && units(start) < span.end)
    };
    text.unicode_word_indices().filter(|&(start, word)| touched(start, word)).map(|(start, _)| start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_that_a_span_touches() {
        let text = "É James Joyce wrote it.";
        assert_eq!(words(text, &[Span { start: 2, end: 13 }]), [3, 9]);
    }

    #[test]
    fn a_reason_names_the_truth_if_one_holds_the_other() {
        assert!(names("979", "979 metres high") && names("the pula", "pula"));
        assert!(!names("Dublin", "Bram Stoker") && !names("", "Bram Stoker"));
    }

    #[test]
    fn a_passage_is_given_or_found_by_its_id() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let corpus = file("corpus.jsonl", r#"{"id": "iron", "title": "Iron", "text": "Iron rusts."}"#);
        let by_id = file(
            "id.jsonl",
            r#"{"statement": "Iron melts.", "passage": "iron", "start": 5, "end": 10, "truth": "rusts"}"#,
        );
        let given = file(
            "given.jsonl",
            r#"{"statement": "Iron melts.", "passage": {"text": "Iron rusts."}, "start": 5, "end": 10, "truth": "rusts"}"#,
        );
        assert_eq!(read(&by_id, Some(&corpus)).unwrap().0[0].1.title, "Iron");
        assert_eq!(read(&given, None).unwrap().0[0].1.text, "Iron rusts.");
        let error = read(&by_id, None).err().unwrap().to_string();
        assert!(error.contains("line 1") && error.contains("--corpus"), "{error}");
    }
}
