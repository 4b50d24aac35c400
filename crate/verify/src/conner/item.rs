//! What CONNER scores, and the passages that it is compared with.

use evident_index::{Index, Passage};
use serde::{Deserialize, Serialize};

use crate::conner::settings::Settings;
use crate::report::Span;
use crate::text::sentences::{Sentence, sentences};

/// The texts and the topic that are scored. Any of them may be missing; a blank one counts as missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ConnerItem", optional_fields))]
#[serde(default)]
pub struct Item {
    /// The subject of the question, such as a page's title. Only prompts that name it need it.
    pub topic: Option<String>,
    /// What the user asked, q.
    pub question: Option<String>,
    /// A passage that was generated or found to help answer, k. For a chatbot's explanatory answer, it is the answer
    /// itself.
    pub knowledge: Option<String>,
    /// The final answer, a.
    pub answer: Option<String>,
    /// A known right answer, a*.
    pub reference: Option<String>,
}

/// The passages that an item is compared with.
#[derive(Debug)]
pub struct Sources<'a, S> {
    /// Evidence for Eq. 1 and 8 in place of what the index finds; empty to search the index.
    pub passages: &'a [Passage],
    /// Random passages for Eq. 6 in place of some of the index; empty to draw them from it.
    pub random: &'a [Passage],
    /// The index, if there is one.
    pub index: Option<&'a Index<S>>,
}

impl<S> Default for Sources<'_, S> {
    /// No passages at all.
    fn default() -> Self {
        Self { passages: &[], random: &[], index: None }
    }
}

impl<'a, S> Sources<'a, S> {
    /// Everything from an index.
    #[must_use]
    pub fn of_index(index: &'a Index<S>) -> Self {
        Self { index: Some(index), ..Self::default() }
    }

    /// Whether there is any evidence, or an index to search for it.
    pub(super) fn has_evidence(&self) -> bool {
        self.index.is_some() || !self.passages.is_empty()
    }
}

/// The texts of an item that are not blank, trimmed.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    pub topic: Option<&'a str>,
    pub question: Option<&'a str>,
    pub knowledge: Option<&'a str>,
    pub answer: Option<&'a str>,
    pub reference: Option<&'a str>,
}

impl<'a> Texts<'a> {
    pub(super) fn of(item: &'a Item) -> Self {
        let there = |text: &'a Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        Self {
            topic: there(&item.topic),
            question: there(&item.question),
            knowledge: there(&item.knowledge),
            answer: there(&item.answer),
            reference: there(&item.reference),
        }
    }

    /// The values of a template's placeholders, with `knowledge` for `{knowledge}`.
    pub(super) fn values<'b>(&self, knowledge: &'b str) -> [(&'static str, &'b str); 3]
    where
        'a: 'b,
    {
        [
            ("{topic}", self.topic.unwrap_or_default()),
            ("{question}", self.question.unwrap_or_default()),
            ("{knowledge}", knowledge),
        ]
    }
}

/// All inputs of a score, the models aside.
pub(super) struct Given<'a, S> {
    pub texts: Texts<'a>,
    /// The sentences of the knowledge that have words.
    pub sentences: Vec<(Span, Sentence)>,
    pub sources: &'a Sources<'a, S>,
    pub settings: &'a Settings,
}

impl<'a, S> Given<'a, S> {
    pub(super) fn of(item: &'a Item, sources: &'a Sources<'a, S>, settings: &'a Settings) -> Self {
        // Spans are places in the knowledge before it is trimmed.
        let sentences = item.knowledge.as_deref().map(sentences_with_words).unwrap_or_default();
        Self { texts: Texts::of(item), sentences, sources, settings }
    }
}

/// The sentences of `text` that have a letter or digit, with their places in it.
pub(super) fn sentences_with_words(text: &str) -> Vec<(Span, Sentence)> {
    let with_words = sentences(text).into_iter().filter(|sentence| sentence.text.contains(char::is_alphanumeric));
    with_words.map(|sentence| (Span::utf16(text, sentence.span.clone()), sentence)).collect()
}
