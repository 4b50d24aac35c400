//! What the rules make of sentences with a pronoun, against how a person reads them.

use std::path::Path;

use evident_base::{json_lines, printable};
use evident_verify::{SentenceKind, Settings, split};
use serde::Deserialize;

use crate::error::EvalError;
use crate::measures::exact_match;
use crate::rows::formats::WRONG_LAYOUT;
use crate::table::{percent, table};

#[derive(Deserialize)]
struct Annotated {
    question: Option<String>,
    /// The answer's sentences.
    sentences: Vec<String>,
    /// The number of the one with the pronoun.
    at: usize,
    /// That sentence with a name for the pronoun; `None` where a reader cannot tell.
    reading: Option<String>,
}

/// How many sentences are read in which way.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    /// As a person reads them, or left out where a person cannot tell.
    right: usize,
    /// Left out or as they stand, though a person can tell.
    left: usize,
    /// Otherwise than a person reads them.
    wrong: usize,
    differing: Vec<String>,
}

/// Reads the sentences of a file, rows as those of tests/data/pronouns_held.jsonl, and returns how often the rules read
/// them as a person does; with `list` also the sentences that are read otherwise.
///
/// # Errors
/// [`EvalError::Unreadable`], [`EvalError::BadLine`] and [`EvalError::Verify`].
pub fn measure(file: &Path, list: bool) -> Result<String, EvalError> {
    let rows = json_lines::<Annotated>(file, WRONG_LAYOUT)?;
    let Counts { right, left, wrong, differing } = count(rows.iter().map(|(_, row)| row))?;
    let share = |part: usize| percent((!rows.is_empty()).then(|| part as f64 / rows.len() as f64));
    let cells = [("as a person does", right), ("not resolved", left), ("otherwise", wrong)];
    let cells = cells.map(|(how, n)| vec![how.to_owned(), n.to_string(), share(n)]);
    let table = table(&["read", "n", "share"], cells.into_iter());
    let listed = if list { format!("\n{}\n", differing.join("\n")) } else { String::new() };
    Ok(format!("{} sentences.\n\n{table}\n{listed}", rows.len()))
}

fn count<'a>(rows: impl Iterator<Item = &'a Annotated>) -> Result<Counts, EvalError> {
    let mut counts = Counts::default();
    for Annotated { question, sentences, at, reading } in rows {
        let found = split(&sentences.join(" "), question.as_deref(), &Settings::default())?;
        let sentence = sentences.get(*at).map_or("", String::as_str);
        let unresolved =
            || found.left_out.iter().any(|out| out.kind == SentenceKind::Unresolved && out.text == sentence);
        let ours = found.sentences.iter().find(|found| found.text == sentence).map(|found| found.statement.as_str());
        match (ours, reading.as_deref()) {
            (Some(ours), Some(theirs)) if exact_match(ours, theirs) => counts.right += 1,
            (None, None) if unresolved() => counts.right += 1,
            (None, _) => counts.left += 1,
            (Some(ours), _) if exact_match(ours, sentence) => counts.left += 1,
            (Some(ours), theirs) => {
                counts.wrong += 1;
                let theirs = theirs.unwrap_or("nobody can tell");
                counts.differing.push(format!(
                    "- {} read as: {}; by hand: {theirs}",
                    printable(sentence),
                    printable(ours)
                ));
            }
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_left_and_wrong_readings_are_counted_apart() {
        let row = |sentences: [&str; 2], reading: Option<&str>| Annotated {
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

    /// What the rules come to on sentences that none was made on; a change that costs some shows here.
    #[test]
    fn pronouns_are_read_as_people_read_them() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pronouns_held.jsonl");
        let rows = json_lines::<Annotated>(&data, WRONG_LAYOUT).unwrap();
        let counts = count(rows.iter().map(|(_, row)| row)).unwrap();
        assert!(counts.right * 100 >= rows.len() * 42, "{}", counts.differing.join("\n"));
        assert!(counts.wrong * 100 <= rows.len() * 13, "{}", counts.differing.join("\n"));
    }
}
