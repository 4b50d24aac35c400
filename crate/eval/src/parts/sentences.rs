//! Compares the sentence splitter and the claim detector with people's annotations.

use std::path::Path;

use evident_base::{json_lines, plain_line};
use evident_verify::{SentenceKind, Settings, sentences, split};
use serde::Deserialize;

use crate::error::EvalError;
use crate::rows::formats::WRONG_LAYOUT;
use crate::table::{percent, table};

#[derive(Deserialize)]
#[serde(untagged)]
enum Annotations {
    /// An answer of Factcheck-Bench.
    Answer { response: String, sentences: Vec<Annotated> },
    /// A sentence and its kind.
    Sentence(Annotated),
    /// A text and its sentences.
    Text { text: String, sentences: Vec<String> },
}

#[derive(Deserialize)]
struct Annotated {
    text: String,
    /// "yes" or "claim" for a claim; anything else is no claim.
    kind: String,
    /// What was asked. Consecutive sentences with the same question are read together, as its answer.
    #[serde(default)]
    question: Option<String>,
}

impl Annotated {
    fn is_claim(&self) -> bool {
        matches!(self.kind.as_str(), "yes" | "claim")
    }
}

/// What was counted.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    /// Sentences of the annotators, of ours, and of both.
    theirs: usize,
    ours: usize,
    same: usize,
    /// How many of the annotators' claims we call claims too, of how many; the same for their other sentences.
    claims: [usize; 2],
    others: [usize; 2],
    differing: Vec<String>,
}

/// Splits the texts of a file and detects their claims, and returns how often the annotators do the same; with `list`
/// also the sentences that differ. The file is Factcheck-Bench's answers.jsonl, or has rows as those in tests/data.
///
/// # Errors
/// [`EvalError::Unreadable`], [`EvalError::BadLine`] and [`EvalError::Unusable`].
pub fn measure(file: &Path, list: bool) -> Result<String, EvalError> {
    let rows = json_lines::<Annotations>(file, WRONG_LAYOUT)?;
    let counts = count(rows.iter().map(|(_, row)| row));
    if counts.theirs + counts.claims[1] + counts.others[1] == 0 {
        return Err(EvalError::Unusable { path: file.into(), why: "no sentence in it is annotated" });
    }
    let share = |part: usize, whole: usize| percent((whole > 0).then(|| part as f64 / whole as f64));
    let Counts { theirs, ours, same, claims: [found, claims], others: [passed, others], differing } = counts;
    let mut parts = Vec::new();
    if theirs > 0 {
        let split = [vec![
            theirs.to_string(),
            ours.to_string(),
            same.to_string(),
            share(same, ours),
            share(same, theirs),
            share(2 * same, ours + theirs),
        ]];
        parts.push("## Sentences".to_owned());
        parts.push(table(&["annotated", "found", "the same", "P", "R", "F1"], split.into_iter()));
    }
    if claims + others > 0 {
        let kinds = [
            vec!["claim".to_owned(), claims.to_string(), found.to_string(), share(found, claims)],
            vec!["no claim".to_owned(), others.to_string(), passed.to_string(), share(passed, others)],
        ];
        parts.push("## Claims".to_owned());
        parts.push(
            "Each annotated sentence, read in its answer where the file has the question, else alone.".to_owned(),
        );
        parts.push(table(&["annotated as", "n", "told so", "share"], kinds.into_iter()));
    }
    if list {
        parts.push(differing.join("\n"));
    }
    Ok(parts.join("\n\n") + "\n")
}

fn count<'a>(rows: impl Iterator<Item = &'a Annotations>) -> Counts {
    let mut counts = Counts::default();
    let mut answer: Vec<&Annotated> = Vec::new();
    for row in rows {
        if let Annotations::Sentence(sentence) = row
            && sentence.question.is_some()
        {
            if answer.last().is_some_and(|last| last.question != sentence.question) {
                counts.tell_all(&std::mem::take(&mut answer));
            }
            answer.push(sentence);
            continue;
        }
        match row {
            Annotations::Answer { response, sentences } => {
                counts.split(response, sentences.iter().map(|sentence| sentence.text.as_str()));
                sentences.iter().for_each(|sentence| counts.tell(sentence));
            }
            Annotations::Sentence(sentence) => counts.tell(sentence),
            Annotations::Text { text, sentences } => counts.split(text, sentences.iter().map(String::as_str)),
        }
    }
    counts.tell_all(&answer);
    counts
}

impl Counts {
    /// Counts the sentences of a text that are also the annotators'.
    fn split<'a>(&mut self, text: &str, annotated: impl Iterator<Item = &'a str>) {
        let mut ours: Vec<String> = sentences(text).into_iter().map(|sentence| sentence.text).collect();
        self.ours += ours.len();
        for theirs in annotated {
            self.theirs += 1;
            if let Some(at) = ours.iter().position(|our| letters(our) == letters(theirs)) {
                ours.remove(at);
                self.same += 1;
            } else {
                self.differing.push(format!("- annotated, not found: {}", plain_line(theirs)));
            }
        }
        self.differing.extend(ours.into_iter().map(|text| format!("- found, not annotated: {}", plain_line(&text))));
    }

    /// Counts whether we agree with the annotators on whether a sentence is a claim.
    fn tell(&mut self, sentence: &Annotated) {
        let kinds = SentenceKind::of_all(&sentences(&sentence.text));
        let told = kinds.contains(&SentenceKind::Claim);
        self.add(sentence, told, kinds.first().copied());
    }

    /// As [`Self::tell`], for the sentences of one answer, which are read together with its question. Each is a
    /// paragraph or a row of a table.
    fn tell_all(&mut self, answer: &[&Annotated]) {
        let mut text = String::new();
        let mut starts = Vec::new();
        for sentence in answer {
            let is_row = sentence.text.trim_start().starts_with('|');
            text += if is_row { "\n" } else { "\n\n" };
            starts.push(text.encode_utf16().count());
            text += &sentence.text;
        }
        let question = answer.first().and_then(|sentence| sentence.question.as_deref());
        let settings = Settings { decontextualise: false, ..Settings::default() };
        let Ok(found) = split(&text, question, &settings) else {
            return answer.iter().for_each(|sentence| self.tell(sentence));
        };
        for (i, sentence) in answer.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(usize::MAX);
            let within = |start: usize| (starts[i]..end).contains(&start);
            let told = found.sentences.iter().any(|claim| within(claim.span.start));
            let ours = found.left_out.iter().find(|left| within(left.span.start)).map(|left| left.kind);
            self.add(sentence, told, if told { Some(SentenceKind::Claim) } else { ours });
        }
    }

    fn add(&mut self, sentence: &Annotated, told: bool, ours: Option<SentenceKind>) {
        let of = if sentence.is_claim() { &mut self.claims } else { &mut self.others };
        of[1] += 1;
        if told == sentence.is_claim() {
            of[0] += 1;
        } else {
            let ours = ours.map_or("nothing", SentenceKind::in_words);
            self.differing.push(format!(
                "- annotated as {}, here {ours}: {}",
                sentence.kind,
                plain_line(&sentence.text)
            ));
        }
    }
}

/// The letters and digits of a sentence without its list mark, so that Markdown and spaces make no difference.
fn letters(text: &str) -> String {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace() || c == '-');
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_and_kinds_are_counted_apart() {
        let annotated = |text: &str, kind: &str| Annotated { text: text.into(), kind: kind.into(), question: None };
        let answer = Annotations::Answer {
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

    /// The counts of a file of the repository or beside it.
    fn counts(path: &str) -> Counts {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        count(json_lines::<Annotations>(&path, WRONG_LAYOUT).unwrap().iter().map(|(_, row)| row))
    }

    /// How well the rules do on held-out labelled answers. A change that makes them worse fails here.
    #[test]
    fn answers_are_read_as_their_annotators_did() {
        let kinds = counts("tests/data/chatbot_sentences_held.jsonl");
        assert!(kinds.claims[0] * 100 >= kinds.claims[1] * 97, "{}", kinds.differing.join("\n"));
        assert!(kinds.others[0] * 100 >= kinds.others[1] * 86, "{}", kinds.differing.join("\n"));
        let languages = counts("tests/data/languages.jsonl");
        assert!(languages.others[0] * 100 >= languages.others[1] * 98, "{}", languages.differing.join("\n"));
        let split = counts("tests/data/splitting_held.jsonl");
        assert!(split.same * 100 >= split.theirs * 97, "{}", split.differing.join("\n"));
    }

    #[test]
    #[ignore = "needs Factcheck-Bench (yuxiaw/Factcheck-GPT) in ../shared/data/factcheck_bench"]
    fn answers_in_shared_data_are_read_as_their_annotators_did() {
        let real = counts("../shared/data/factcheck_bench/answers.jsonl");
        assert_eq!(real.theirs, 134);
        assert!(real.same >= 120 && real.claims[0] >= 117, "{}", real.differing.join("\n"));
    }
}
