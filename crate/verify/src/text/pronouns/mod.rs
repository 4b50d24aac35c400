//! Makes each sentence stand alone (guan2024, Sec. 5.3 and App. C.6, de-contextualisation): the pronoun that it begins
//! with is replaced by the name that it stands for, and a short answer is joined with its question.
//!
//! A pronoun stands for the last thing named that agrees with it in kind, number and gender, subjects first. Where
//! nothing named near it agrees, or where a paragraph or list item begins with it, it stands for the topic: what the
//! question asks about, or the subject of the first sentence. Where the topic does not agree either, the sentence
//! cannot be judged alone.

mod antecedents;
mod lead_ins;
mod memory;
mod named;
mod openings;
mod pronoun;
mod subjects;
#[cfg(test)]
mod tests;
mod topic;

use unicode_segmentation::UnicodeSegmentation;

use crate::report::SentenceKind;
use crate::text::english::{ASPECTS, CARDINALS};
use crate::text::kinds::without_remark;
use crate::text::pronouns::lead_ins::lead_in;
pub(crate) use crate::text::pronouns::memory::PronounResolver;
use crate::text::pronouns::named::{Named, in_sentence};
use crate::text::pronouns::openings::CONJUNCTIONS;
pub(crate) use crate::text::pronouns::openings::introduced;
use crate::text::pronouns::pronoun::{OBJECT_FOLLOWS, OBJECTS, Of, PRONOUNS, is_participle_of_have, says_nothing};
pub(crate) use crate::text::pronouns::subjects::subject;
use crate::text::question::{is_yes_or_no, with_question};
use crate::text::verbs::is_surely_finite;
use crate::text::words::{capitalised, is_preposition, strip, words};

/// Whether an answer is a sentence whose subject the question asks about: "The platypus lays eggs."
fn goes_on_about(asked: &str, answer: &str) -> bool {
    let last = subject(answer).and_then(|subject| subject.unicode_words().next_back());
    last.is_some_and(|last| asked.unicode_words().any(|word| word.eq_ignore_ascii_case(last)))
}

/// The most words of a heading that names a thing.
const LONGEST_HEADING: usize = 5;

impl PronounResolver {
    /// A resolver that has read the question.
    pub(crate) fn new(question: Option<&str>) -> Self {
        let mut resolver = Self { question: question.map(str::to_owned), ..Self::default() };
        if let Some(question) = question {
            resolver.note_question(question);
        }
        resolver
    }

    /// Whether the next sentence, which is no claim, is a short answer to the question, such as "No." or "Paris.".
    pub(crate) fn answers(&self, sentence: &str, kind: SentenceKind) -> bool {
        let Some(question) = self.question.as_ref().filter(|_| self.read == 0) else { return false };
        let may_answer = match kind {
            SentenceKind::Fragment => sentence.ends_with(['.', '!']), // and not a heading
            SentenceKind::Pleasantry => is_yes_or_no(sentence),
            _ => false,
        };
        may_answer && with_question(sentence, question).is_some()
    }

    /// Reads a heading: what it names is what the sentence under it speaks of. A heading of an answer that has a topic
    /// names a side of that, unless the first heading came before the topic.
    pub(crate) fn head(&mut self, heading: &str) {
        let name = heading.trim_end_matches([':', '.']);
        let is_name = name.starts_with(char::is_uppercase)
            && name.split_whitespace().count() <= LONGEST_HEADING
            && !name.contains([',', ';', '?', '!'])
            && !ASPECTS.has(&name.to_lowercase())
            && !name.unicode_words().any(is_surely_finite);
        self.heading = None;
        if is_name && (self.has_headings || self.topics.is_empty()) {
            self.heading = Named::of(name, None, true, self.read, "");
            self.has_headings |= self.heading.is_some();
        }
    }

    /// The next sentence of the answer as it stands alone; `None` if its pronoun stands for nothing that was named.
    /// `opens`: a paragraph or list item begins with it.
    pub(crate) fn read(&mut self, sentence: &str, opens: bool) -> Option<String> {
        self.read += 1;
        let heading = self.heading.take().map(|heading| Named { sentence: self.read, ..heading });
        self.named.extend(heading);
        (self.owner, self.subject) = (None, None);
        let mut text = sentence.trim();
        if self.read == 1
            && let Some(question) = &self.question
            && !goes_on_about(question, text)
            && let Some(statement) = with_question(text, question)
        {
            self.note(&statement, true);
            return Some(statement);
        }
        text = without_remark(text);
        let mut is_item = false;
        if let Some((lead_in, rest)) = lead_in(text) {
            is_item = true;
            let goes_on = strip(rest, "this is").is_some() || strip(rest, "these are").is_some();
            let pronoun = PRONOUNS.iter().find(|pronoun| strip(rest, pronoun.word).is_some());
            if self.is_aspect(lead_in, rest, pronoun) {
                if pronoun.is_some() || rest.unicode_words().any(is_surely_finite) || subject(rest).is_some() {
                    text = rest;
                }
            } else {
                let name = lead_in.split(" (").next().unwrap_or(lead_in);
                self.named.extend(Named::of(name, None, true, self.read, ""));
                if goes_on || pronoun.is_some() || subject(rest).is_some() {
                    text = rest;
                }
            }
        }
        let statement = self.resolved(text, opens)?;
        let statement = self.with_object(statement);
        self.note(&statement, !is_item);
        Some(capitalised(&statement))
    }

    /// The text with a name for the pronoun that it begins with, alone or after an introduction ("In 1903, she").
    fn resolved(&mut self, text: &str, opens: bool) -> Option<String> {
        if let Some(resolved) = self.with_opening_clause(text, opens) {
            return Some(resolved);
        }
        let (introduction, rest) = introduced(text);
        let Some((rest, pronoun)) = PRONOUNS.iter().find_map(|pronoun| Some((strip(rest, pronoun.word)?, pronoun)))
        else {
            return self.with_demonstrative(introduction, rest);
        };
        let said = pronoun.verb.map_or_else(|| rest.to_owned(), |verb| format!("{verb} {rest}"));
        if pronoun.of == Of::Thing && !pronoun.is_possessive && says_nothing(&said) {
            return Some(text.to_owned());
        }
        let renames = introduction.starts_with("Born ") || introduction.starts_with("Known as ");
        if !renames
            && introduction.split_whitespace().count() > 2
            && Named::in_text(introduction, self.read).iter().any(|named| {
                // "Using" has a capital only because it is the first word.
                pronoun.can_mean(named) && !named.is_aside && !introduction.starts_with(&named.name)
            })
        {
            return Some(text.to_owned()); // "After the Titanic sank, it"
        }
        let (name, meant) = self.name_meant(pronoun, opens, !introduction.is_empty())?;
        if !introduction.is_empty() && !pronoun.is_possessive {
            self.subject = Some(meant);
        }
        let verb = pronoun.verb.map_or(String::new(), |verb| {
            if verb == "is" && is_participle_of_have(rest) { " has".to_owned() } else { format!(" {verb}") }
        });
        Some(format!("{introduction}{name}{verb} {rest}"))
    }

    /// A sentence whose opening has the pronoun: "When she was young, ...", "In its first year, it ...". `None` if it
    /// has none, or if what follows the opening says who is meant ("Before he left, Darwin ...").
    fn with_opening_clause(&mut self, text: &str, opens: bool) -> Option<String> {
        let words = words(text);
        let opens_clause = |word: &str| is_preposition(word) || CONJUNCTIONS.contains(&word) || CARDINALS.has(word);
        if !words.first().is_some_and(|word| opens_clause(&word.lower)) {
            return None;
        }
        let comma = text.find(", ")?;
        let (opening, rest) = text.split_at(comma);
        let main = rest.trim_start_matches(", ");
        let begins = main.split(' ').next().unwrap_or_default();
        if opening.split_whitespace().count() > 12 || begins.starts_with(char::is_uppercase) {
            return None;
        }
        let (at, pronoun) = opening.match_indices(' ').find_map(|(at, _)| {
            let from = &text[at + 1..];
            PRONOUNS
                .iter()
                .find(|pronoun| pronoun.verb.is_none() && from.starts_with(pronoun.word))
                .map(|pronoun| (at + 1, pronoun))
        })?;
        let said = &text[at + pronoun.word.len()..];
        let before = Named::in_text(&opening[..at], self.read);
        let is_own = before.iter().any(|named| pronoun.can_mean(named));
        let is_named_behind = match pronoun.of {
            Of::Person(_) => false,
            Of::Thing => strip(main, "the ").is_some(),
            Of::Several => begins.ends_with('s'),
        };
        if is_own || is_named_behind || pronoun.of == Of::Thing && !pronoun.is_possessive && says_nothing(said) {
            return None;
        }
        let (name, _) = self.name_meant(pronoun, opens, true)?;
        Some(format!("{}{name} {said}", &text[..at]))
    }

    /// The statement with a name for "it", "him", "her" or "them" behind its verb, if what was named before fits and
    /// nothing in the statement does.
    fn with_object(&self, statement: String) -> String {
        let mut at = 0;
        for word in statement.split_inclusive(' ') {
            let (start, bare) = (at, word.trim_end().trim_end_matches(['.', ',', ';', '!']));
            at += word.len();
            let next = statement[at..].split(' ').next().unwrap_or_default().trim_end_matches(['.', ',']);
            let ends = next.is_empty() || word.trim_end().len() > bare.len() || OBJECT_FOLLOWS.contains(&next);
            let pronoun = OBJECTS.iter().find(|pronoun| pronoun.word == bare && ends && start > 0);
            let Some(pronoun) = pronoun else { continue };
            let own = Named::in_text(&statement[..start], self.read);
            if own.iter().any(|named| pronoun.can_mean(named)) || statement[..start].contains(',') {
                return statement;
            }
            return match self.meant(pronoun) {
                Some(named) => {
                    let name = in_sentence(&self.named[named].name, true);
                    format!("{}{name}{}", &statement[..start], &statement[start + bare.len()..])
                }
                None => statement,
            };
        }
        statement
    }

    /// "This metal ..." with the name of the metal; `None` for "This shows that".
    fn with_demonstrative(&self, introduction: &str, rest: &str) -> Option<String> {
        let whole = Some(format!("{introduction}{rest}"));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let first = words.first().map(|word| word.to_lowercase()).unwrap_or_default();
        if !matches!(first.as_str(), "this" | "that" | "these" | "those") {
            return whole;
        }
        let Some(second) = words.get(1).map(|word| word.to_lowercase()) else { return whole };
        if second.ends_with(['.', ',', '!'])
            || is_surely_finite(&second)
            || matches!(
                second.as_str(),
                "means"
                    | "makes"
                    | "led"
                    | "made"
                    | "allows"
                    | "helps"
                    | "shows"
                    | "gives"
                    | "causes"
                    | "includes"
                    | "is"
                    | "was"
            )
        {
            return None;
        }
        let noun = second.trim_matches(|c: char| !c.is_alphanumeric());
        let mut recent = self.named.iter().rev().filter(|named| named.sentence + 2 > self.read.saturating_sub(1));
        let is_called = |named: &&Named| {
            named.noun.as_deref() == Some(noun) || named.name.to_lowercase().ends_with(&format!(" {noun}"))
        };
        let Some(named) = recent.find(is_called).or_else(|| self.only_thing(noun)) else {
            return whole;
        };
        let name = in_sentence(&named.name, !introduction.is_empty());
        Some(format!("{introduction}{name} {}", words[2..].join(" ")))
    }

    /// The subject of the last sentence, if that sentence names nothing else and `noun` may be another word for it.
    fn only_thing(&self, noun: &str) -> Option<&Named> {
        if self.last.unicode_words().any(|word| word.to_lowercase() == noun) {
            return None; // "Mercator drew a map. This map ..."
        }
        let is_plural = noun.ends_with('s');
        let mut named = self.named.iter().filter(|named| named.sentence + 1 == self.read && !named.is_aside);
        let first =
            named.next().filter(|named| named.is_subject && named.is_person != Some(true) && named.gender.is_none())?;
        (named.next().is_none() && first.is_plural == is_plural).then_some(first)
    }
}
