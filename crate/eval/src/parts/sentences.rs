//! The splitter and the claim detector against Factcheck-Bench's annotated answers.

use std::path::Path;

use evident_verify::{SentenceKind, sentences};
use serde::Deserialize;

use crate::error::EvalError;
use crate::lines::json_lines;
use crate::rows::formats::WRONG_LAYOUT;
use crate::table::{percent, table};
use crate::words::{kind_name, printable};

#[derive(Deserialize)]
struct Answer {
    response: String,
    sentences: Vec<Annotated>,
}

#[derive(Deserialize)]
struct Annotated {
    text: String,
    /// "yes" for a claim; "opinion", "not_a_claim" or "other".
    kind: String,
}

/// What was counted.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    /// Sentences of the annotators, of ours, and of both.
    theirs: usize,
    ours: usize,
    same: usize,
    /// Of the annotators' claims, those that are claims to us; of all others, those that are not.
    claims: [usize; 2],
    others: [usize; 2],
    differing: Vec<String>,
}

/// Splits the answers of a file, Factcheck-Bench's answers.jsonl, and returns how many sentences and claims are those of its
/// annotators; with `list` also the sentences that differ.
///
/// # Errors
/// [`EvalError::Unreadable`], [`EvalError::BadLine`] and [`EvalError::Unusable`].
pub fn measure(file: &Path, list: bool) -> Result<String, EvalError> {
    let answers = json_lines::<Answer>(file, WRONG_LAYOUT)?;
    if answers.iter().all(|(_, answer)| answer.sentences.is_empty()) {
        return Err(EvalError::Unusable { path: file.into(), why: "no answer in it has annotated sentences" });
    }
    let counts = count(answers.iter().map(|(_, answer)| answer));
    let share = |part: usize, whole: usize| percent((whole > 0).then(|| part as f64 / whole as f64));
    let Counts { theirs, ours, same, claims: [found, claims], others: [passed, others], differing } = counts;
    let split = [vec![
        theirs.to_string(),
        ours.to_string(),
        same.to_string(),
        share(same, ours),
        share(same, theirs),
        share(2 * same, ours + theirs),
    ]];
    let kinds = [
        vec!["claim".to_owned(), claims.to_string(), found.to_string(), share(found, claims)],
        vec!["opinion or no claim".to_owned(), others.to_string(), passed.to_string(), share(passed, others)],
    ];
    let mut parts = vec![
        "## Sentences".to_owned(),
        table(&["annotated", "found", "the same", "P", "R", "F1"], split.into_iter()),
        "## Claims".to_owned(),
        "Each annotated sentence, read alone.".to_owned(),
        table(&["annotated as", "n", "told so", "share"], kinds.into_iter()),
    ];
    if list {
        parts.push(differing.join("\n"));
    }
    Ok(parts.join("\n\n") + "\n")
}

fn count<'a>(answers: impl Iterator<Item = &'a Answer>) -> Counts {
    let mut counts = Counts::default();
    for answer in answers {
        let mut ours: Vec<String> = sentences(&answer.response).into_iter().map(|sentence| sentence.text).collect();
        counts.ours += ours.len();
        counts.theirs += answer.sentences.len();
        for Annotated { text, kind } in &answer.sentences {
            if let Some(at) = ours.iter().position(|our| letters(our) == letters(text)) {
                ours.remove(at);
                counts.same += 1;
            } else {
                counts.differing.push(format!("- annotated, not found: {}", printable(text)));
            }
            let kinds: Vec<SentenceKind> = sentences(text).iter().map(SentenceKind::of).collect();
            let is_claim = kinds.contains(&SentenceKind::Claim);
            let of = if kind == "yes" { &mut counts.claims } else { &mut counts.others };
            of[1] += 1;
            if is_claim == (kind == "yes") {
                of[0] += 1;
            } else {
                let ours = kinds.first().map_or("nothing", |&kind| kind_name(kind));
                counts.differing.push(format!("- annotated as {kind}, here {ours}: {}", printable(text)));
            }
        }
        counts.differing.extend(ours.into_iter().map(|text| format!("- found, not annotated: {}", printable(&text))));
    }
    counts
}

/// A sentence without what Markdown, spaces and list marks change.
fn letters(text: &str) -> String {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace() || c == '-');
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_and_kinds_are_counted_apart() {
        let annotated = |text: &str, kind: &str| Annotated { text: text.into(), kind: kind.into() };
        let answer = Answer {
            response: "1. **Iron** rusts. I think so. Tin bends.".into(),
            sentences: vec![
                annotated("1. Iron rusts.", "yes"),
                annotated("I think so.", "opinion"),
                annotated("Tin bends. Lead", "yes"),
            ],
        };
        let counts = count([&answer].into_iter());
        assert_eq!((counts.theirs, counts.ours, counts.same), (3, 3, 2));
        assert_eq!((counts.claims, counts.others), ([2, 2], [1, 1]));
        assert_eq!(counts.differing, ["- annotated, not found: Tin bends. Lead", "- found, not annotated: Tin bends."]);
    }

    /// What the rules of the splitter and of [`SentenceKind`] come to on real answers; a change that costs some shows here.
    #[test]
    fn real_answers_are_split_as_their_annotators_did() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/factcheck_bench/answers.jsonl");
        if !data.exists() {
            println!("skipped: {} is not there (yuxiaw/Factcheck-GPT)", data.display());
            return;
        }
        let answers = json_lines::<Answer>(&data, WRONG_LAYOUT).unwrap();
        let counts = count(answers.iter().map(|(_, answer)| answer));
        assert_eq!(counts.theirs, 134);
        assert!(counts.same >= 120, "{}", counts.differing.join("\n"));
    }
}
