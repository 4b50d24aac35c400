//! How the rules resolve pronouns, compared with people's readings.

use std::path::Path;

use evident_base::{json_lines, plain_line};
use evident_verify::{SentenceKind, Settings, Span, split};
use serde::Deserialize;

use crate::error::EvalError;
use crate::measures::exact_match;
use crate::rows::formats::WRONG_LAYOUT;
use crate::table::{percent, table};

#[derive(Deserialize)]
#[serde(untagged)]
enum Annotated {
    /// One sentence of a short answer.
    Sentence {
        question: Option<String>,
        /// The answer's sentences.
        sentences: Vec<String>,
        /// The number of the one with the pronoun.
        at: usize,
        /// The sentence with a name in place of its pronoun; `None` if readers cannot tell the name.
        reading: Option<String>,
    },
    /// A whole answer.
    Answer {
        question: Option<String>,
        /// In Markdown.
        answer: String,
        /// Its sentences with a pronoun that stands for something outside them.
        readings: Vec<Reading>,
    },
}

#[derive(Deserialize)]
struct Reading {
    /// The sentence as it stands in the answer, Markdown and lead-in included.
    text: String,
    /// The name for the first pronoun; "" if it stands for nothing ("It is known that"), `None` if readers cannot tell.
    subject: Option<String>,
}

/// How the rules read the sentences.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    /// As a person reads them, or left out where a person cannot tell.
    right: usize,
    /// Left out or as they stand, though a person can tell.
    left: usize,
    /// Otherwise than a person reads them.
    wrong: usize,
    differing: Vec<String>,
    unresolved: Vec<String>,
}

const NOBODY: &str = "nobody can tell";

/// Reads the sentences of a file, rows as those of tests/data/pronouns_held.jsonl, and returns how often the rules read
/// them as a person does; with `list` also the sentences that they read otherwise or do not resolve.
///
/// # Errors
/// [`EvalError::Unreadable`], [`EvalError::BadLine`] and [`EvalError::Verify`].
pub fn measure(file: &Path, list: bool) -> Result<String, EvalError> {
    let rows = json_lines::<Annotated>(file, WRONG_LAYOUT)?;
    let counts = count(rows.iter().map(|(_, row)| row))?;
    let all = counts.all();
    let Counts { right, left, wrong, differing, unresolved } = counts;
    let share = |part: usize| percent((all > 0).then(|| part as f64 / all as f64));
    let cells = [("as a person does", right), ("not resolved", left), ("otherwise", wrong)];
    let cells = cells.map(|(how, n)| vec![how.to_owned(), n.to_string(), share(n)]);
    let table = table(&["read", "n", "share"], cells.into_iter());
    let listed = if list { format!("\n{}\n", [differing, unresolved].concat().join("\n")) } else { String::new() };
    Ok(format!("{all} sentences.\n\n{table}\n{listed}"))
}

fn count<'a>(rows: impl Iterator<Item = &'a Annotated>) -> Result<Counts, EvalError> {
    let mut counts = Counts::default();
    for row in rows {
        match row {
            Annotated::Sentence { question, sentences, at, reading } => {
                let found = split(&sentences.join(" "), question.as_deref(), &Settings::default())?;
                let sentence = sentences.get(*at).map_or("", String::as_str);
                let is_left_out =
                    found.left_out.iter().any(|out| out.kind == SentenceKind::Unresolved && out.text == sentence);
                let ours = found.sentences.iter().find(|found| found.text == sentence);
                let ours = ours.map(|found| found.statement.as_str());
                let is_right = |ours: &str| reading.as_deref().is_some_and(|theirs| exact_match(ours, theirs));
                counts.add(sentence, ours, is_right, reading.as_deref(), is_left_out);
            }
            Annotated::Answer { question, answer, readings } => {
                let found = split(answer.as_str(), question.as_deref(), &Settings::default())?;
                let mut from = 0;
                for Reading { text, subject } in readings {
                    let Some(at) = answer[from..].find(text.as_str()) else {
                        counts.left(text, subject.as_deref()); // a row that is labelled wrongly must not raise the share
                        continue;
                    };
                    from += at;
                    let units = |end: usize| answer[..end].encode_utf16().count();
                    let (start, end) = (units(from), units(from + text.len()));
                    let is_here = |span: Span| span.start < end && span.end > start;
                    let ours = found.sentences.iter().rev().find(|found| is_here(found.span));
                    let is_left_out =
                        found.left_out.iter().any(|out| out.kind == SentenceKind::Unresolved && is_here(out.span));
                    let stands = ours.map_or(text.as_str(), |found| found.text.as_str());
                    let bare = stands.split_once(": ").map_or(stands, |(_, behind)| behind);
                    let is_right = |ours: &str| match subject.as_deref() {
                        Some("") => exact_match(ours, stands),
                        Some(subject) => names(ours, subject) > names(bare, subject),
                        None => false,
                    };
                    counts.add(
                        stands,
                        ours.map(|found| found.statement.as_str()),
                        is_right,
                        subject.as_deref(),
                        is_left_out,
                    );
                }
            }
        }
    }
    Ok(counts)
}

/// How often a text has a name, without the article of the name.
fn names(text: &str, name: &str) -> usize {
    let name = name.to_lowercase();
    let bare = ["the ", "a ", "an "].iter().find_map(|article| name.strip_prefix(article)).unwrap_or(&name);
    text.to_lowercase().matches(bare).count()
}

impl Counts {
    fn add(
        &mut self,
        sentence: &str,
        ours: Option<&str>,
        is_right: impl Fn(&str) -> bool,
        theirs: Option<&str>,
        is_left_out: bool,
    ) {
        match ours {
            Some(ours) if is_right(ours) => self.right += 1,
            None if theirs.is_none() && is_left_out => self.right += 1,
            None => self.left(sentence, theirs),
            Some(ours) if exact_match(ours, sentence) => self.left(sentence, theirs),
            Some(ours) => {
                self.wrong += 1;
                let theirs = theirs.unwrap_or(NOBODY);
                self.differing.push(format!(
                    "- {} read as: {}; by hand: {theirs}",
                    plain_line(sentence),
                    plain_line(ours)
                ));
            }
        }
    }

    fn left(&mut self, sentence: &str, theirs: Option<&str>) {
        self.left += 1;
        let theirs = theirs.unwrap_or(NOBODY);
        self.unresolved.push(format!("- {} not resolved; by hand: {theirs}", plain_line(sentence)));
    }

    fn all(&self) -> usize {
        self.right + self.left + self.wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_left_and_wrong_readings_are_counted_apart() {
        let row = |sentences: [&str; 2], reading: Option<&str>| Annotated::Sentence {
            question: None,
            sentences: sentences.map(str::to_owned).into(),
            at: 1,
            reading: reading.map(str::to_owned),
        };
        let rows = [
            row(["Marie Curie was a physicist.", "She died in 1934."], Some("Marie Curie died in 1934.")),
            row(["The rain fell.", "She died in 1934."], None),
            row(["The cup fell.", "It broke."], None),
            row(["The rain fell.", "He knew Ada."], Some("Charles knew Ada.")),
        ];
        let counts = count(rows.iter()).unwrap();
        assert_eq!((counts.right, counts.left, counts.wrong), (2, 1, 1));
        assert_eq!(counts.differing.len(), 1);
    }

    #[test]
    fn sentences_of_an_answer_are_counted_by_whom_they_name() {
        let row = Annotated::Answer {
            question: Some("Who was Marie Curie?".to_owned()),
            answer: "Marie Curie was a physicist.\n\n- **Prizes:** She won two.\n- It is said that she was shy."
                .to_owned(),
            readings: vec![
                Reading { text: "**Prizes:** She won two.".to_owned(), subject: Some("Marie Curie".to_owned()) },
                Reading { text: "It is said that she was shy.".to_owned(), subject: Some(String::new()) },
            ],
        };
        let counts = count([row].iter()).unwrap();
        assert_eq!((counts.right, counts.left, counts.wrong), (2, 0, 0));
    }

    /// How well the rules do on held-out sentences. A change that makes them worse fails here.
    #[test]
    fn pronouns_are_read_as_people_read_them() {
        for (file, least_right, most_wrong) in [("pronouns_held", 50, 13), ("pronoun_answers_held", 40, 25)] {
            let data = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/data/{file}.jsonl"));
            let rows = json_lines::<Annotated>(&data, WRONG_LAYOUT).unwrap();
            let counts = count(rows.iter().map(|(_, row)| row)).unwrap();
            assert!(counts.right * 100 >= counts.all() * least_right, "{}", counts.differing.join("\n"));
            assert!(counts.wrong * 100 <= counts.all() * most_wrong, "{}", counts.differing.join("\n"));
        }
    }
}
