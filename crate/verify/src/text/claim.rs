//! The statement that is judged of a sentence, and what goes with it.

use serde::{Deserialize, Serialize};

use crate::report::{Span, UnjudgedSentence};
use crate::settings::Settings;
use crate::text::pronouns::PronounResolver;
use crate::text::sentences::without_last_emoji;
use crate::text::split::split_text;

/// A statement by itself, and what precedes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The number of its sentence in the answer, from 0.
    pub number: usize,
    /// The sentence's place in the answer.
    pub span: Span,
    /// The sentence without Markdown.
    pub text: String,
    /// What is judged: the text, made to stand alone if the settings ask for that.
    pub statement: String,
    /// The question and preceding sentences that go with it; "" for none.
    pub context: String,
    /// What the user asked, if that is known.
    #[serde(default)]
    pub question: Option<String>,
}

/// A claim given by itself, not split from an answer: `text` after `context`, what precedes it, and `question`. It is
/// made to stand alone by rule.
pub(crate) fn claim_of(text: &str, context_text: &str, question: Option<&str>, settings: &Settings) -> Claim {
    let before = split_text(context_text, question, settings).sentences;
    let mut resolver = PronounResolver::new(question);
    for sentence in &before {
        resolver.read(&sentence.text);
    }
    let read = settings.decontextualise.then(|| resolver.read(text)).flatten();
    let statement = without_last_emoji(&read.unwrap_or_else(|| text.to_owned()));
    let (span, context) = (Span::utf16(text, 0..text.len()), context(question, &before, settings.context));
    Claim { number: 0, span, text: text.to_owned(), statement, context, question: question.map(str::to_owned) }
}

/// The statement that is judged of `text`: with the setting `decontextualise` it is made to stand alone, by rule, after
/// its `context` and `question`.
#[must_use]
pub fn stand_alone(text: &str, context: &str, question: Option<&str>, settings: &Settings) -> String {
    claim_of(text, context, question, settings).statement
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

#[cfg(test)]
mod tests {
    use super::*;

    fn start(text: &str) -> UnjudgedSentence {
        UnjudgedSentence {
            span: Span { start: 0, end: 0 },
            text: text.into(),
            statement: text.into(),
            citations: Vec::new(),
        }
    }

    #[test]
    fn the_context_is_the_question_and_the_sentences_just_before() {
        let before = ["One.", "Two.", "Three."].map(start);
        assert_eq!(context(Some("Why? "), &before, 2), "Why? Two. Three.");
        assert_eq!(context(None, &before, 9), "One. Two. Three.");
        assert_eq!(context(Some("Why?"), &before, 0), "");
        assert_eq!(context(Some(" "), &[], 2), "");
    }

    #[test]
    fn a_claim_by_itself_is_read_as_in_its_answer() {
        let context = "Hello! Marie Curie was a physicist.";
        let claim = |settings| claim_of("She won two prizes.", context, Some("Who was she?"), &settings);
        let read = claim(Settings { context: 2, decontextualise: true, ..Settings::default() });
        assert_eq!(read.statement, "Marie Curie won two prizes.");
        assert_eq!(read.context, "Who was she? Marie Curie was a physicist.");
        assert_eq!(read.text, "She won two prizes.");
        let bare = claim(Settings { context: 0, decontextualise: false, ..Settings::default() });
        assert_eq!((bare.statement.as_str(), bare.context.as_str()), ("She won two prizes.", ""));
    }
}
