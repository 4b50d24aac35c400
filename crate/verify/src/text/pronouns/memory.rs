//! What a resolver of pronouns remembers: what the question and the sentences read have named, and the topic of these.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::pronouns::named::{Named, same_name};
use crate::text::pronouns::topic::{asked_about, kind_spoken_of};
use crate::text::words::is_adjective;

/// Reads the sentences of an answer in order, and remembers what they have named.
#[derive(Clone, Debug, Default)]
pub(crate) struct PronounResolver {
    pub(super) question: Option<String>,
    /// The thing that the question asks about, then the subject of the first sentence that has one.
    pub(super) topics: Vec<Named>,
    /// What the heading names that the next sentence stands right under, if it names a thing.
    pub(super) heading: Option<Named>,
    /// Whether a heading has named a thing. Those after it do so too.
    pub(super) has_headings: bool,
    /// The owner that the sentence being read begins with: "Iceland" of "Its parliament".
    pub(super) owner: Option<Named>,
    /// What the pronoun behind an introduction stands for, in the sentence being read: its subject.
    pub(super) subject: Option<Named>,
    /// What was named, in order.
    pub(super) named: Vec<Named>,
    /// How many sentences have been read.
    pub(super) read: usize,
    /// The statement of the last sentence.
    pub(super) last: String,
    /// The last sentence with a subject that names nothing ("A fire gutted the hall").
    pub(super) nameless: usize,
}

/// How many of the things named last are remembered.
const REMEMBERED: usize = 64;

impl PronounResolver {
    /// Remembers the things that a statement names. `may_be_topic`: its subject can be the answer's topic.
    pub(super) fn note(&mut self, text: &str, may_be_topic: bool) {
        let mut named = Named::in_text(text, self.read);
        if let Some(subject) = self.subject.take() {
            // Its name was put behind the introduction, where the two may read as one: "In the war Ada Lovelace".
            named.retain(|named| !named.is_subject && !same_name(&named.name, &subject.name));
            named.insert(0, subject);
        }
        if may_be_topic {
            self.note_topic(text, named.iter().find(|named| named.is_subject));
        }
        if !named.iter().any(|named| named.is_subject) {
            self.nameless = self.read;
        }
        text.clone_into(&mut self.last);
        let owner = self.owner.take();
        for mut found in named {
            if found.is_subject {
                if found.is_property() && self.named.iter().any(|named| named.is_subject) {
                    if is_adjective(found.name.split(' ').nth(1).unwrap_or_default()) {
                        self.nameless = self.read; // what follows "The first medicine is metformin" may be about either
                    }
                    continue; // "The symbol" goes on about the last subject
                }
                if let Some(known) = self.named.iter().rev().find(|known| same_name(&known.name, &found.name)) {
                    found.learn(known);
                }
            }
            self.named.push(found);
        }
        // "Her sister Lavinia" may be the next "she" as well.
        let names_another = |owner: &Named| {
            self.named.iter().any(|named| {
                named.sentence == self.read
                    && named.is_like_person
                    && named.is_person != Some(false)
                    && owner.is_person == Some(true)
            })
        };
        if let Some(owner) = owner.filter(|owner| !names_another(owner)) {
            self.named.push(owner);
        }
        self.named.drain(..self.named.len().saturating_sub(REMEMBERED));
    }

    /// Takes the first subject for a topic, and learns the kind, gender and number of a topic from later ones.
    fn note_topic(&mut self, text: &str, subject: Option<&Named>) {
        let is_new = self.topics.iter().all(|topic| topic.sentence == 0);
        let kind = if is_new { kind_spoken_of(text) } else { None };
        let kind = kind.and_then(|(name, behind)| Named::of(&name, None, true, self.read, behind));
        let Some(found) = kind.as_ref().or(subject) else { return };
        if let Some(topic) = self
            .topics
            .iter_mut()
            .find(|topic| same_name(&topic.name, &found.name) || same_name(&found.name, &topic.name))
        {
            topic.is_person = found.is_person.or(topic.is_person);
            topic.gender = found.gender.or(topic.gender);
            topic.is_plural |= found.is_plural && topic.name == found.name;
        } else if is_new && !found.is_property() {
            self.topics.push(found.clone());
        }
    }

    pub(super) fn note_question(&mut self, question: &str) {
        let first = question.unicode_words().next().unwrap_or_default().to_lowercase();
        if let Some(mut named) = asked_about(question).and_then(|name| Named::of(&name, None, true, 0, "")) {
            let lower = question.to_lowercase();
            if first == "who" || ["born", "die", "married", "marry"].iter().any(|word| lower.contains(word)) {
                named.is_person = Some(true);
            } else if matches!(first.as_str(), "what" | "where") && named.gender.is_none() {
                named.is_person = named.is_person.or(Some(false));
            }
            self.topics.push(named.clone());
            self.named.push(named);
            return;
        }
        let named: Vec<Named> = Named::in_text(question, 0).into_iter().filter(|named| !named.is_subject).collect();
        if let [only] = &named[..]
            && !(only.is_aside && only.is_person == Some(false))
        {
            let name = only.name.trim_end_matches("'s").trim_end_matches("’s");
            self.topics.push(Named { name: name.to_owned(), is_subject: true, is_aside: false, ..only.clone() });
        }
        self.named.extend(named);
    }
}
