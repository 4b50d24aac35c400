//! A claim: the statement that is judged for a sentence, with its context and question.

use serde::{Deserialize, Serialize};

use crate::report::Span;
use crate::settings::Settings;
use crate::text::pronouns::PronounResolver;
use crate::text::sentences::without_last_emoji;
use crate::text::split::{context, split_text};

/// A statement to judge, with its context and question.
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

/// The claim `text`, given by itself and not split from an answer. `context_text` is the text before it, and `question`
/// is what was asked. With the setting `decontextualise`, rules make it stand alone.
pub(crate) fn claim_of(text: &str, context_text: &str, question: Option<&str>, settings: &Settings) -> Claim {
    let before = split_text(context_text, question, settings).sentences;
    let mut resolver = PronounResolver::new(question);
    for sentence in &before {
        resolver.read(&sentence.text, false);
    }
    let read = settings.decontextualise.then(|| resolver.read(text, false)).flatten();
    let statement = without_last_emoji(&read.unwrap_or_else(|| text.to_owned()));
    let (span, context) = (Span::utf16(text, 0..text.len()), context(question, &before, settings.context));
    Claim { number: 0, span, text: text.to_owned(), statement, context, question: question.map(str::to_owned) }
}

/// The statement that is judged for `text`: with the setting `decontextualise` it is made to stand alone, by rule,
/// after its `context` and `question`.
#[must_use]
pub fn stand_alone(text: &str, context: &str, question: Option<&str>, settings: &Settings) -> String {
    claim_of(text, context, question, settings).statement
}

#[cfg(test)]
mod tests {
    use super::*;

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
