//! Splits an answer into the sentences that are judged and those that are left out. No model is needed.

use serde::Serialize;

use crate::error::VerifyError;
use crate::input::{Input, OBJECT};
use crate::report::{LeftOut, SentenceKind, Span, UnjudgedSentence};
use crate::settings::{Settings, Unit};
use crate::text::citations::cite;
use crate::text::english::SUBJECT_PRONOUNS;
use crate::text::markup::Markup;
use crate::text::page::Page;
use crate::text::pronouns::{PronounResolver, subject};
use crate::text::sentences::{Sentence, sentences, sentences_of, without_last_emoji};
use crate::text::words::{capitalised, strip};

/// The sentences of an answer. Both lists are empty if it has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Split {
    /// The sentences that [`Verifier::verify`](crate::Verifier::verify) judges, in order; with [`Unit::Paragraph`] they
    /// are one. Rules made the statements. If the settings' resolver is a model, it makes each anew before it is
    /// judged.
    pub sentences: Vec<UnjudgedSentence>,
    /// The sentences that are no claims and are not judged, in order.
    pub left_out: Vec<LeftOut>,
    /// The answer, block by block, for whoever shows it.
    pub blocks: Vec<Markup>,
}

/// The sentences of an answer to `question`, given as Markdown or as an [`Input`] of another kind.
///
/// ```
/// use evident_verify::{SentenceKind, Settings, split};
///
/// let found = split("Sure! Iron is a metal.", None, &Settings::default()).unwrap();
/// assert_eq!(found.sentences[0].statement, "Iron is a metal.");
/// assert_eq!(found.left_out[0].kind, SentenceKind::Pleasantry);
/// ```
///
/// What a page shows is no Markdown:
///
/// ```
/// use evident_verify::{Block, Input, Settings, split};
///
/// let read = |input: Input| split(input, None, &Settings::default()).unwrap().sentences[0].statement.clone();
/// let said = "The product 2*3*4 is 24.";
/// assert_eq!(read(Input::Markdown(said.into())), "The product 234 is 24.");
/// assert_eq!(read(Input::Plain(said.into())), said);
/// assert_eq!(read(Input::Blocks(vec![Block::paragraph(said)])), said);
/// ```
///
/// # Errors
/// [`VerifyError::Settings`], [`VerifyError::AnswerTooLong`] and [`VerifyError::QuestionTooLong`].
pub fn split(answer: impl Into<Input>, question: Option<&str>, settings: &Settings) -> Result<Split, VerifyError> {
    settings.validate()?;
    let answer = answer.into();
    let text = answer.text();
    let characters = text.chars().count();
    if characters > settings.max_characters {
        return Err(VerifyError::AnswerTooLong { characters, most: settings.max_characters });
    }
    settings.take_question(question)?;
    let page = match &answer {
        Input::Markdown(_) => Page::of_markdown(&text),
        Input::Plain(_) => Page::of_plain(&text),
        Input::Blocks(blocks) => Page::of_blocks(&text, blocks),
    };
    let all = page.prose.iter().flat_map(sentences_of).flat_map(|sentence| clauses(&text, sentence)).collect();
    let mut found = split_sentences(&text, all, question, settings);
    cite(&mut found.sentences, &found.left_out, &page.markup, &page.references, page.numbers());
    found.blocks = page.markup;
    if settings.unit == Unit::Paragraph {
        found.sentences = as_one(&found.sentences).into_iter().collect();
    }
    for number in 0..found.sentences.len() {
        found.sentences[number].context = context(question, &found.sentences[..number], settings.context);
    }
    Ok(found)
}

/// The sentences of a Markdown text of any length, each by itself; no blocks.
pub(crate) fn split_text(text: &str, question: Option<&str>, settings: &Settings) -> Split {
    let all = sentences(text).into_iter().flat_map(|sentence| clauses(text, sentence)).collect();
    split_sentences(text, all, question, settings)
}

/// The clauses that semicolons separate, each as a sentence of its own; the sentence as it is if one of them lacks a
/// subject or verb. Each clause may be on something else, so evidence is found for each.
fn clauses(text: &str, sentence: Sentence) -> Vec<Sentence> {
    const SEPARATOR: &str = "; ";
    let shown = &text[sentence.span.clone()];
    let said: Vec<&str> = sentence.text.split(SEPARATOR).collect();
    let is_clause = |said: &&str| subject(&capitalised(said)).is_some() || opens_with_subject_pronoun(said);
    if said.len() < 2
        || shown.matches(SEPARATOR).count() + 1 != said.len()
        || sentence.row
        || !said.iter().all(is_clause)
    {
        return vec![sentence];
    }
    let mut start = sentence.span.start;
    let clause = |(number, (said, shown)): (usize, (&str, &str))| {
        let is_last = start + shown.len() == sentence.span.end;
        let span = start..start + shown.len() + usize::from(!is_last);
        start += shown.len() + SEPARATOR.len();
        let text = capitalised(said) + if is_last { "" } else { "." };
        Sentence { span, text, heading: sentence.heading, row: false, opens: sentence.opens && number == 0 }
    };
    said.into_iter().zip(shown.split(SEPARATOR)).enumerate().map(clause).collect()
}

/// Whether a clause begins with a pronoun for a subject.
fn opens_with_subject_pronoun(clause: &str) -> bool {
    SUBJECT_PRONOUNS.iter().any(|pronoun| strip(clause, pronoun).is_some())
}

/// What is judged of the sentences of a text and what is left out; no blocks.
///
/// Claims are judged, and so are a first sentence that answers the question in a few words and, where nothing is a
/// claim, fragments ("Paris"). A sentence with something that cannot be told in words, such as a formula, is not
/// judged.
fn split_sentences(text: &str, mut all: Vec<Sentence>, question: Option<&str>, settings: &Settings) -> Split {
    all.retain(|sentence| sentence.text.contains(char::is_alphanumeric)); // emoji and dashes claim nothing
    let is_claim = |kind| !settings.claims_only || kind == SentenceKind::Claim;
    let kinds = SentenceKind::of_all(&all);
    let terse = !kinds.iter().any(|&kind| is_claim(kind));
    let mut resolver = PronounResolver::new(question);
    let mut found = Split { sentences: Vec::new(), left_out: Vec::new(), blocks: Vec::new() };
    let mut is_open = false;
    let mut before = (0, 0); // the end of the last sentence, in bytes and in UTF-16 units
    for (sentence, kind) in all.into_iter().zip(kinds) {
        let start = match text.get(before.0..sentence.span.start) {
            Some(between) => before.1 + units(between),
            None => units(&text[..sentence.span.start]),
        };
        before = (sentence.span.end, start + units(&text[sentence.span]));
        // What follows the lead-in that a block begins with opens it: "Appearance. It has brown fur."
        let opens = sentence.opens || is_open;
        is_open = opens && kind == SentenceKind::Fragment;
        if sentence.heading && kind == SentenceKind::Fragment {
            resolver.head(&sentence.text);
        }
        let (span, text) = (Span { start, end: before.1 }, sentence.text);
        let is_judged = is_claim(kind) || terse && kind == SentenceKind::Fragment || resolver.answers(&text, kind);
        let statement = match (is_judged, settings.decontextualise) {
            (false, _) => {
                if kind == SentenceKind::Denied {
                    resolver.read(&text, opens); // what follows speaks of what it names
                }
                Err(kind)
            }
            _ if text.contains(OBJECT) => Err(SentenceKind::Formula),
            (true, false) => Ok(text.clone()),
            (true, true) => match resolver.read(&text, opens) {
                None if settings.needs_names() => Err(SentenceKind::Unresolved),
                statement => Ok(statement.unwrap_or_else(|| text.clone())),
            },
        };
        match statement {
            Ok(statement) => {
                let statement = without_last_emoji(&statement);
                let context = String::new(); // until all are known
                found.sentences.push(UnjudgedSentence { span, text, statement, context, citations: Vec::new() });
            }
            Err(kind) => found.left_out.push(LeftOut { span, text, kind }),
        }
    }
    found
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// What goes with a statement: the question and the last `most` sentences before it, joined by spaces; "" if `most` is
/// 0.
pub(crate) fn context(question: Option<&str>, before: &[UnjudgedSentence], most: usize) -> String {
    if most == 0 {
        return String::new();
    }
    let question = question.map(str::trim).filter(|question| !question.is_empty());
    let preceding = before[before.len().saturating_sub(most)..].iter().map(|sentence| sentence.text.as_str());
    question.into_iter().chain(preceding).collect::<Vec<_>>().join(" ")
}

/// All sentences as one, from the start of the first to the end of the last; `None` if there are none.
fn as_one(sentences: &[UnjudgedSentence]) -> Option<UnjudgedSentence> {
    let (first, last) = (sentences.first()?, sentences.last()?);
    let join = |part: fn(&UnjudgedSentence) -> &str| sentences.iter().map(part).collect::<Vec<_>>().join(" ");
    Some(UnjudgedSentence {
        span: Span { start: first.span.start, end: last.span.end },
        text: join(|sentence| &sentence.text),
        statement: join(|sentence| &sentence.statement),
        context: String::new(),
        citations: sentences.iter().flat_map(|sentence| sentence.citations.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "Sure! Marie Curie was a 🦀 physicist. She won two prizes. Shall I go on?";

    #[test]
    fn what_follows_the_lead_in_of_a_block_opens_it() {
        let answer = "The platypus is a mammal. The female lays eggs.\n\n- **Senses.** It closes its eyes.";
        let found = split(answer, Some("What is a platypus?"), &Settings::default()).unwrap();
        assert_eq!(found.sentences.last().unwrap().statement, "A platypus closes its eyes.");
    }

    #[test]
    fn a_statement_ends_before_the_emoji_behind_it() {
        let answer = "Canberra is the capital of Australia 🇦🇺🦘. Rome is in Italy. ✅ Iron is a metal! 👍🏽";
        let statements: Vec<String> =
            split(answer, None, &Settings::default()).unwrap().sentences.into_iter().map(|it| it.statement).collect();
        assert_eq!(statements, ["Canberra is the capital of Australia.", "Rome is in Italy.", "Iron is a metal!"]);
    }

    #[test]
    fn a_heading_names_what_the_sentence_under_it_speaks_of() {
        let statements = |answer: &str, question: Option<&str>| -> Vec<String> {
            let found = split(answer, question, &Settings::default()).unwrap();
            found.sentences.into_iter().map(|sentence| sentence.statement).collect()
        };
        assert_eq!(
            statements("## Mars\n\nIt has five moons. It is red.\n\n## Venus\n\nIt has three moons.", None),
            ["Mars has five moons.", "Mars is red.", "Venus has three moons."]
        );
        assert_eq!(
            statements("The platypus lays eggs.\n\n## Flight\n\nIt cannot fly.", Some("What is a platypus?")),
            ["The platypus lays eggs.", "The platypus cannot fly."]
        );
    }

    #[test]
    fn clauses_between_semicolons_are_judged_one_by_one() {
        let parts = |answer: &str| -> Vec<(String, String)> {
            let found = split(answer, None, &Settings::default()).unwrap().sentences;
            let units: Vec<u16> = answer.encode_utf16().collect();
            let shown = |span: Span| String::from_utf16(&units[span.start..span.end]).unwrap();
            found.into_iter().map(|sentence| (shown(sentence.span), sentence.statement)).collect()
        };
        let pairs = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            all.iter().map(|(shown, said)| ((*shown).to_owned(), (*said).to_owned())).collect()
        };
        assert_eq!(
            parts("Gold is **a metal**; the heart has five chambers; Mars has two moons."),
            pairs(&[
                ("Gold is **a metal**;", "Gold is a metal."),
                ("the heart has five chambers;", "The heart has five chambers."),
                ("Mars has two moons.", "Mars has two moons."),
            ])
        );
        assert_eq!(
            parts("Tarn lies on the Ool; it has 900 people."),
            pairs(&[
                ("Tarn lies on the Ool;", "Tarn lies on the Ool."),
                ("it has 900 people.", "Tarn has 900 people.")
            ])
        );
        for whole in ["Iron is a metal; soft and grey.", "Tarn has a wall; a gate; and a tower."] {
            assert_eq!(split(whole, None, &Settings::default()).unwrap().sentences.len(), 1, "{whole}");
        }
    }

    #[test]
    fn a_statement_keeps_the_emoji_that_it_speaks_of() {
        for text in ["The emoji of a kangaroo is 🦘.", "The symbol of Mars is ♂", "Japan has the flag 🇯🇵."] {
            let found = split(text, None, &Settings::default()).unwrap();
            assert_eq!(found.sentences[0].statement, text);
        }
    }

    #[test]
    fn offsets_are_those_of_the_answer_and_statements_stand_alone() {
        let Split { sentences, left_out, .. } = split(ANSWER, None, &Settings::default()).unwrap();
        let units: Vec<u16> = ANSWER.encode_utf16().collect();
        let stands = |span: Span| String::from_utf16(&units[span.start..span.end]).unwrap();
        assert_eq!(
            sentences.iter().map(|found| stands(found.span)).collect::<Vec<_>>(),
            ["Marie Curie was a 🦀 physicist.", "She won two prizes."]
        );
        assert_eq!(sentences[1].statement, "Marie Curie won two prizes.");
        assert_eq!(
            left_out.iter().map(|found| found.kind).collect::<Vec<_>>(),
            [SentenceKind::Pleasantry, SentenceKind::Question]
        );
    }

    #[test]
    fn a_short_answer_and_a_row_of_a_table_are_judged_and_a_heading_is_none() {
        let statements = |answer: &str| -> Vec<String> {
            let found = split(answer, Some("What is the capital of Peru?"), &Settings::default()).unwrap();
            found.sentences.into_iter().map(|sentence| sentence.statement).collect()
        };
        assert_eq!(statements("Lima. It is old."), ["The capital of Peru is Lima.", "The capital of Peru is old."]);
        assert_eq!(statements("Lima"), ["The capital of Peru is Lima."]);
        assert_eq!(
            statements("Iron is a metal.\n\n| Planet | Moons |\n|---|---|\n| Mars | 2 |\n| Venus | |"),
            ["Iron is a metal.", "Mars: Moons 2"]
        );
        assert_eq!(statements("What I know\n\nLima is a city."), ["Lima is a city."]);
    }

    #[test]
    fn the_context_is_the_question_and_the_sentences_just_before() {
        let contexts = |question: Option<&str>, context: usize| -> Vec<String> {
            let settings = Settings { context, ..Settings::default() };
            let answer = "Iron rusts. Tin is soft.\n\nLead is heavy. Gold shines.";
            split(answer, question, &settings).unwrap().sentences.into_iter().map(|sentence| sentence.context).collect()
        };
        assert_eq!(
            contexts(Some("Why? "), 2),
            ["Why?", "Why? Iron rusts.", "Why? Iron rusts. Tin is soft.", "Why? Tin is soft. Lead is heavy."]
        );
        assert_eq!(contexts(None, 9)[3], "Iron rusts. Tin is soft. Lead is heavy.");
        assert_eq!(contexts(Some("Why?"), 0), [""; 4]);
        assert_eq!(contexts(Some(" "), 2)[0], "");
    }

    #[test]
    fn a_paragraph_is_one_and_a_text_without_sentences_none() {
        let settings = Settings { unit: Unit::Paragraph, ..Settings::default() };
        let Split { sentences, .. } = split(ANSWER, None, &settings).unwrap();
        assert_eq!(sentences.len(), 1);
        assert_eq!(sentences[0].text, "Marie Curie was a 🦀 physicist. She won two prizes.");
        let none = split(" 🦀 -- ", None, &settings).unwrap();
        assert!(none.sentences.is_empty() && none.left_out.is_empty());
    }

    #[test]
    fn a_text_too_long_and_settings_out_of_range_are_errors() {
        let short = Settings { max_characters: 5, ..Settings::default() };
        assert_eq!(split(ANSWER, None, &short).unwrap_err().code(), "answer-too-long");
        let asked = |length: usize| split(ANSWER, Some(&"é".repeat(length)), &Settings::default());
        assert_eq!(asked(20_001).unwrap_err().code(), "question-too-long");
        asked(20_000).unwrap();
        let wrong = Settings { evidence: 1_000, ..Settings::default() };
        assert_eq!(split(ANSWER, None, &wrong).unwrap_err().code(), "bad-settings");
    }
}
