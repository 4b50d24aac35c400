//! What a sentence says when it is read alone: the pronoun that it begins with becomes the name that it stands for, a
//! short answer is read with its question (guan2024, Sec. 5.3 and App. C.6, de-contextualisation).
//!
//! A pronoun stands for what was named last and can be meant by kind, number and gender, subjects first. Where nothing
//! named near it can be meant, or where a paragraph or list item begins with it, it stands for the topic: what the
//! question asks about, or the subject of the first sentence. Where that cannot be meant either, the sentence cannot be
//! judged alone.

use unicode_segmentation::UnicodeSegmentation;

use crate::report::SentenceKind;
use crate::text::english::{ASPECTS, BETWEEN, CARDINALS, DEEDS, INTRODUCTIONS, MONTHS, NAMELESS, QUALITIES};
use crate::text::entities::{Entity, EntityKind, entities};
use crate::text::kinds::without_remark;
use crate::text::names::{Gender, gender_of_first_name, gender_of_noun, is_person_noun, is_property};
use crate::text::question::{is_yes_or_no, with_question};
use crate::text::verbs::{is_base, is_finite, is_past, is_surely_finite, is_third_person};
use crate::text::words::{capitalised, is_adjective, is_preposition, starts, strip, uncapitalised, words};

/// Reads the sentences of an answer in order, and knows what they have named.
#[derive(Clone, Debug, Default)]
pub(crate) struct PronounResolver {
    question: Option<String>,
    /// The thing that the question asks about, then the subject of the first sentence that has one.
    topics: Vec<Named>,
    /// The owner that the sentence being read begins with: "Iceland" of "Its parliament".
    owner: Option<Named>,
    /// What was named, in order.
    named: Vec<Named>,
    /// How many sentences have been read.
    read: usize,
    /// What the last sentence said.
    last: String,
    /// The last sentence with a subject that names nothing ("A fire gutted the hall").
    nameless: usize,
}

/// How many of the things named last are remembered.
const REMEMBERED: usize = 64;

/// Something that a sentence or the question names.
#[derive(Clone, Debug)]
struct Named {
    name: String,
    /// Whether it is a person; `None` where nothing tells.
    is_person: Option<bool>,
    gender: Option<Gender>,
    is_plural: bool,
    is_subject: bool,
    /// Whether its verb suits a person as well as a thing: "won".
    may_be_person: bool,
    /// Whether it has the shape of a person's name.
    is_like_person: bool,
    /// Whether a preposition stands before it: "in Paris".
    is_aside: bool,
    /// What it was said to be: "metal" of "Gold is a metal".
    noun: Option<String>,
    /// The number of the sentence that names it; the question's is 0.
    sentence: usize,
}

impl PronounResolver {
    /// One who has read the question.
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

    /// The next sentence of the answer as it stands alone; `None` if its pronoun stands for nothing that was named.
    /// `opens`: a paragraph or list item begins with it.
    pub(crate) fn read(&mut self, sentence: &str, opens: bool) -> Option<String> {
        self.read += 1;
        self.owner = None;
        let mut text = sentence.trim();
        if self.read == 1
            && let Some(question) = &self.question
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
                self.named.push(Named::of(name, None, true, self.read, ""));
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

    /// True if a list item's lead-in names a side of the topic ("Depth: It is ..."), false if it names the item's own
    /// subject ("Everest: It is ...").
    fn is_aspect(&self, lead_in: &str, rest: &str, pronoun: Option<&Pronoun>) -> bool {
        if self.topics.iter().any(|topic| same_name(&topic.name, lead_in)) {
            return false;
        }
        let lower = lead_in.to_lowercase();
        if ASPECTS.has(&lower) {
            return true;
        }
        if !self.topics.iter().any(|topic| pronoun.is_none_or(|pronoun| pronoun.can_mean(topic))) {
            return false;
        }
        let last = lower.rsplit(' ').next().unwrap_or_default();
        let is_common = ASPECTS.has(last)
            || lead_in.split_whitespace().skip(1).any(|word| word.chars().all(char::is_lowercase) && word.len() > 3)
            || pronoun.is_some() && rest.unicode_words().any(|word| word == last);
        let is_person = pronoun.is_some_and(|pronoun| matches!(pronoun.of, Of::Person(_)));
        let first = lead_in.split_whitespace().next().unwrap_or_default();
        is_common || is_person && gender_of_first_name(first).is_none() && !self.is_named(lead_in)
    }

    /// True if the answer named a person so before.
    fn is_named(&self, name: &str) -> bool {
        self.named.iter().any(|named| named.is_person != Some(false) && same_name(&named.name, name))
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
            && Named::in_text(introduction, self.read).iter().any(|named| pronoun.can_mean(named) && !named.is_aside)
        {
            return Some(text.to_owned()); // "After the Titanic sank, it"
        }
        let name = self.name_meant(pronoun, opens, !introduction.is_empty())?;
        let verb = pronoun.verb.map_or(String::new(), |verb| {
            if verb == "is" && is_participle_of_have(rest) { " has".to_owned() } else { format!(" {verb}") }
        });
        Some(format!("{introduction}{name}{verb} {rest}"))
    }

    /// The name, with its "'s" where that is needed, that a pronoun stands for. It is remembered as such.
    fn name_meant(&mut self, pronoun: &Pronoun, opens: bool, is_within: bool) -> Option<String> {
        let mut meant = match self.topic_meant(pronoun, opens) {
            Some(topic) => Named { sentence: self.read, ..topic.clone() },
            None => self.named[self.meant(pronoun)?].clone(),
        };
        if let Of::Person(gender) = pronoun.of {
            (meant.is_person, meant.gender) = (Some(true), Some(gender));
        } else if pronoun.of == Of::Thing {
            meant.is_person = Some(false);
        }
        for known in self.named.iter_mut().chain(&mut self.topics).filter(|known| known.name == meant.name) {
            (known.is_person, known.gender) = (meant.is_person, meant.gender);
        }
        let name = in_sentence(&meant.name, is_within);
        if !pronoun.is_possessive {
            return Some(name);
        }
        let owner = if name.ends_with('s') && meant.is_plural { "'" } else { "'s" };
        self.owner = Some(Named { sentence: self.read, is_subject: true, is_aside: false, ..meant });
        Some(format!("{name}{owner}"))
    }

    /// The topic, where a pronoun stands for it rather than for what was named last.
    fn topic_meant(&self, pronoun: &Pronoun, opens: bool) -> Option<&Named> {
        let topic = self.topics.iter().find(|topic| pronoun.can_mean(topic))?;
        let Some(found) = self.meant(pronoun) else {
            let is_blurred = pronoun.of == Of::Thing
                && self.nameless > 0
                && self.nameless + 1 == self.read
                && self.nameless != topic.sentence;
            return (opens || !is_blurred && !self.has_rival(topic, pronoun)).then_some(topic);
        };
        let found = &self.named[found];
        if found.sentence == self.read || same_name(&found.name, &topic.name) || same_name(&topic.name, &found.name) {
            return None;
        }
        let (is_known, is_unlikely) = match pronoun.of {
            Of::Person(gender) => (
                topic.is_person == Some(true) && (topic.gender == Some(gender) || found.gender != Some(gender)),
                found.is_person != Some(true)
                    && found.gender != Some(gender)
                    && !(found.is_subject && found.is_like_person && found.name.contains(' ')),
            ),
            Of::Thing => (
                topic.is_person == Some(false),
                found.is_person.is_none() && (found.gender.is_some() || found.is_like_person),
            ),
            Of::Several => (true, false),
        };
        is_known.then_some(())?;
        let is_near = found.sentence + 1 == self.read;
        let is_preferred = match pronoun.of {
            Of::Person(_) => opens && !is_near || is_unlikely,
            _ => opens || is_unlikely || self.is_about(topic) && !found.is_subject,
        };
        is_preferred.then_some(topic)
    }

    /// Whether the last sentence names something else that the pronoun may stand for as well.
    fn has_rival(&self, topic: &Named, pronoun: &Pronoun) -> bool {
        self.named.iter().any(|named| {
            named.sentence + 1 == self.read
                && (!named.is_aside || matches!(pronoun.of, Of::Person(_)))
                && pronoun.can_mean(named)
                && !same_name(&topic.name, &named.name)
                && match pronoun.of {
                    Of::Person(gender) => named.is_person == Some(true) || named.gender == Some(gender),
                    Of::Thing => named.is_subject || topic.is_person.is_none() || !self.is_about(topic),
                    Of::Several => true,
                }
        }) || pronoun.of == Of::Several
            && self.last.split_once(" and ").is_some_and(|(one, other)| {
                let is_name = |word: Option<&str>| word.is_some_and(|word| word.starts_with(char::is_uppercase));
                is_name(one.split(' ').next_back()) && is_name(other.split(' ').next())
            })
            || matches!(pronoun.of, Of::Person(gender) if self.mentions(gender))
    }

    /// Whether the last sentence was about the topic.
    fn is_about(&self, topic: &Named) -> bool {
        self.named
            .iter()
            .any(|named| named.sentence + 1 == self.read && named.is_subject && same_name(&topic.name, &named.name))
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
        let name = self.name_meant(pronoun, opens, true)?;
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

    /// The subject of the last sentence, if it is the one thing that this names and `noun` may be another word for it.
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

    /// The place in `named` of what a pronoun stands for; `None` if nothing named fits, or if two things fit alike.
    fn meant(&self, pronoun: &Pronoun) -> Option<usize> {
        let reach = match pronoun.of {
            Of::Person(_) => 6,
            Of::Thing | Of::Several => 3,
        };
        let fits = |named: &Named| named.sentence + reach >= self.read && pronoun.can_mean(named);
        let fitting: Vec<(usize, &Named)> =
            self.named.iter().enumerate().rev().filter(|(_, named)| fits(named)).collect();
        if let Some((lead_in, _)) = fitting.iter().find(|(_, named)| named.sentence == self.read) {
            return Some(*lead_in);
        }
        match pronoun.of {
            Of::Person(gender) => self.person_meant(gender, &fitting),
            Of::Thing => self.thing_meant(&fitting, false),
            Of::Several if fitting.is_empty() && pronoun.word != "them" => self.group_meant(),
            Of::Several => self.thing_meant(&fitting, true),
        }
    }

    /// Of persons, nearest first: one of known gender before one of unknown, a subject before another.
    fn person_meant(&self, gender: Gender, fitting: &[(usize, &Named)]) -> Option<usize> {
        let subject_first = |known: bool| {
            let mut some = fitting.iter().filter(|(_, named)| !known || named.gender == Some(gender));
            some.clone().find(|(_, named)| named.is_subject).or_else(|| some.next()).copied()
        };
        let (known, mut any) = (subject_first(true), subject_first(false));
        let is_full_name = |named: &Named| named.is_like_person && named.name.contains(' ');
        if let Some(full) = fitting.iter().find(|(_, named)| named.is_subject && is_full_name(named))
            && any.is_some_and(|(_, named)| named.is_person.is_none() && !is_full_name(named))
        {
            any = Some(*full); // "Argentina" is no "he" where Kylian Mbappé was named
        }
        match (known, any) {
            (Some(known), Some(any))
                if known.1.sentence < any.1.sentence && any.1.is_subject && is_full_name(any.1) =>
            {
                Some(any.0)
            }
            (Some(known), Some(any)) if known.1.sentence + 1 < any.1.sentence && any.1.is_subject => Some(any.0),
            (Some((at, named)), _) => {
                let is_rival = |other: &&(usize, &Named)| {
                    other.1.sentence == named.sentence
                        && other.1.gender == Some(gender)
                        && !same_name(&named.name, &other.1.name)
                };
                (!fitting.iter().any(|other| is_rival(&other))).then_some(at)
            }
            (None, _) if self.mentions(gender) => None,
            (None, Some((at, named))) => {
                let is_rival = |other: &&(usize, &Named)| {
                    other.1.sentence == named.sentence
                        && other.0 != at
                        && other.1.is_person != Some(false)
                        && other.1.is_like_person
                };
                let is_ship_near = self.named.iter().any(|other| {
                    other.sentence == named.sentence && other.is_subject && other.is_person == Some(false)
                });
                (!fitting.iter().any(|other| is_rival(&other)) && (named.is_subject || !is_ship_near)).then_some(at)
            }
            (None, None) => None,
        }
    }

    /// Whether the last sentence speaks of someone of that gender without a name: "his wife".
    fn mentions(&self, gender: Gender) -> bool {
        self.last.unicode_words().any(|word| gender_of_noun(&word.to_lowercase()) == Some(gender))
    }

    /// Of things, the subject of the last sentence, or the one that a person there acts on ("Van Gogh painted The
    /// Starry Night. It hangs").
    fn thing_meant(&self, fitting: &[(usize, &Named)], is_plural: bool) -> Option<usize> {
        let last = self.read - 1;
        let in_last = |named: &Named| named.sentence == last;
        let has_person =
            self.named.iter().any(|named| in_last(named) && named.is_subject && named.is_person == Some(true));
        let acted_on: Vec<usize> = fitting
            .iter()
            .filter(|(_, named)| in_last(named) && !named.is_subject && !named.is_aside)
            .map(|(at, _)| *at)
            .collect();
        let subject = fitting.iter().find(|(_, named)| named.is_subject);
        if let Some((at, named)) = subject {
            if in_last(named) {
                let is_rival = |other: &Named| {
                    in_last(other)
                        && !other.is_subject
                        && if is_plural {
                            !other.is_aside
                        } else {
                            named.may_be_person && other.is_person == Some(false)
                        }
                };
                return (!fitting.iter().any(|(_, other)| is_rival(other))).then_some(*at);
            }
            if !has_person && named.sentence + 1 >= last && self.nameless != last && self.stays(last, *at) {
                return Some(*at);
            }
        }
        (acted_on.len() == 1).then(|| acted_on[0])
    }

    /// The one subject of the last sentence whose name may be that of a group: "ABBA won. They".
    fn group_meant(&self) -> Option<usize> {
        let subjects =
            self.named.iter().enumerate().filter(|(_, named)| named.sentence == self.read - 1 && named.is_subject);
        let groups: Vec<usize> = subjects
            .filter(|(_, named)| named.is_person.is_none() && named.gender.is_none() && !named.name.contains(' '))
            .map(|(at, _)| at)
            .collect();
        (groups.len() == 1).then(|| groups[0])
    }

    /// Whether sentence `last` goes on about what stands at `at`: it names no other subject.
    fn stays(&self, last: usize, at: usize) -> bool {
        !self.named.iter().any(|named| named.sentence == last && named.is_subject && named.name != self.named[at].name)
    }

    /// Remembers the things that a statement names. `may_be_topic`: its subject can be the answer's topic.
    fn note(&mut self, text: &str, may_be_topic: bool) {
        let named = Named::in_text(text, self.read);
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
                        self.nameless = self.read; // "The first medicine is metformin" goes on about either
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
        let kind = kind.map(|(name, behind)| Named::of(&name, None, true, self.read, behind));
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

    fn note_question(&mut self, question: &str) {
        let first = question.unicode_words().next().unwrap_or_default().to_lowercase();
        if let Some(name) = asked_about(question) {
            let mut named = Named::of(&name, None, true, 0, "");
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

impl Named {
    /// What sentence number `sentence` names: its subject, then the names behind it.
    fn in_text(text: &str, sentence: usize) -> Vec<Self> {
        let (_, rest) = introduced(text);
        // "You can walk to the Louvre, where the Mona Lisa hangs" goes on about the Mona Lisa.
        let about = example(rest).or_else(|| subject(rest)).or_else(|| subject(rest.split_once(", where ")?.1));
        let from = about.map_or(0, |name| name.as_ptr() as usize - text.as_ptr() as usize + name.len());
        let of = |name| Self::of(owner(name), None, true, sentence, &text[from..]);
        let mut found: Vec<Self> = about.map(of).into_iter().collect();
        for Entity { kind, span } in entities(text) {
            let is_number = matches!(kind, EntityKind::Cardinal | EntityKind::Ordinal | EntityKind::Date);
            let is_no_name =
                span.start == 0 && (!names(&text[span.clone()]) || is_base(&text[span.clone()].to_lowercase()));
            if span.start < from || span.len() == 1 || is_number || is_no_name {
                continue;
            }
            let mut before = text[..span.start].split_whitespace().rev();
            let word = before.next().unwrap_or_default();
            let is_determined = matches!(word, "the" | "The" | "a" | "an");
            let preposition = if is_determined { before.next().unwrap_or_default() } else { word };
            let article = if is_determined { "the " } else { "" };
            let mut named = Self::of(&format!("{article}{}", &text[span]), Some(kind), false, sentence, "");
            named.is_aside = ASIDES.contains(&preposition);
            found.push(named);
        }
        found
    }

    /// Whether it is a part or quality of something: "The symbol".
    fn is_property(&self) -> bool {
        let noun = strip(&self.name, "the ").and_then(|name| name.split_whitespace().next());
        noun.is_some_and(|noun| noun.starts_with(char::is_lowercase) && is_property(noun))
    }

    /// Takes over what is known of the same thing.
    fn learn(&mut self, known: &Self) {
        self.is_person = known.is_person.or(self.is_person);
        self.gender = known.gender.or(self.gender);
        self.noun = self.noun.take().or_else(|| known.noun.clone());
        if known.name.len() > self.name.len() && known.is_person == Some(true) {
            self.name.clone_from(&known.name);
        }
    }

    /// What a name with `behind` it in its sentence tells.
    fn of(name: &str, kind: Option<EntityKind>, is_subject: bool, sentence: usize, behind: &str) -> Self {
        let bare = strip(name, "the ").unwrap_or(name);
        let has_article = bare.len() < name.len();
        let words: Vec<&str> = bare.split_whitespace().collect();
        let first = words.first().copied().unwrap_or_default();
        let last = words.last().copied().unwrap_or_default();
        let said: Vec<String> = behind
            .split_whitespace()
            .take(12)
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
            .collect();
        let verb = said.first().map_or("", String::as_str);
        let is_two = name.contains(" and ");
        let is_plural = match verb {
            "is" | "was" | "has" | "does" | "isn't" | "wasn't" => false,
            "are" | "were" | "have" | "do" | "aren't" | "weren't" => true,
            _ => {
                is_two
                    || (last.ends_with('s')
                        && !last.ends_with("ss")
                        && !last.ends_with("us")
                        && !last.ends_with("is")
                        && (!first.starts_with(char::is_uppercase)
                            || has_article
                            || words.len() == 1 && !verb.is_empty() && !verb.ends_with('s') && !is_past(verb)))
            }
        };
        let noun = predicate_noun(&said);
        let title = words.iter().find_map(|word| gender_of_noun(&word.to_lowercase()));
        let predicate = noun
            .as_deref()
            .and_then(gender_of_noun)
            .or_else(|| said.iter().take(8).find_map(|word| gender_of_noun(word).filter(|_| noun.is_some())));
        let gender = title.or_else(|| gender_of_first_name(first).filter(|_| !has_article)).or(predicate);
        let lives = DEEDS.has(verb)
            || said.iter().take(3).any(|word| word == "born")
            || noun.as_deref().is_some_and(is_person_noun);
        let is_named_person = kind == Some(EntityKind::Person) && !has_article && gender.is_some()
            || words.len() > 1 && gender_of_first_name(first).is_some() && !has_article;
        let is_made = matches!(verb, "was" | "were" | "is")
            && said.iter().skip(1).take(2).any(|word| MADE.contains(&word.as_str()));
        let is_thing = is_made
            || has_article && !lives && title.is_none()
            || matches!(kind, Some(EntityKind::Place | EntityKind::Organisation))
            || noun.is_some() && !lives && !is_named_person
            || first.starts_with(char::is_lowercase) && !lives && title.is_none();
        let is_person = if is_made {
            Some(false)
        } else if (title.is_some() && !is_thing) || is_named_person || lives {
            Some(true)
        } else if is_thing {
            Some(false)
        } else {
            None
        };
        let name = name.to_owned();
        let may_be_person = is_person.is_none()
            && matches!(
                verb,
                "won" | "received" | "earned" | "got" | "wanted" | "joined" | "left" | "led" | "saw" | "made"
            );
        let is_like_person = !has_article && kind.is_none_or(|kind| kind == EntityKind::Person);
        Self {
            name,
            is_person,
            gender,
            is_plural,
            is_subject,
            is_like_person,
            may_be_person,
            is_aside: false,
            noun,
            sentence,
        }
    }
}

/// What is done to works and things, and not to people.
const MADE: &[&str] = &[
    "written",
    "published",
    "painted",
    "composed",
    "directed",
    "released",
    "built",
    "filmed",
    "designed",
    "invented",
    "discovered",
    "founded",
    "created",
    "launched",
    "opened",
    "constructed",
    "recorded",
];

/// The noun of "is a soft metal", "was an English writer and poet".
fn predicate_noun(said: &[String]) -> Option<String> {
    let at = |i: usize| said.get(i).map_or("", String::as_str);
    let start = match (at(0), at(1)) {
        ("is" | "was" | "are" | "were" | "became" | "remains", "a" | "an" | "the" | "one") => 2,
        _ => return None,
    };
    let end = said[start..]
        .iter()
        .position(|word| {
            is_preposition(word)
                || matches!(word.as_str(), "that" | "which" | "who" | "and" | "located" | "where" | "whose")
                || is_past(word)
        })
        .map_or(said.len(), |at| start + at);
    (end > start).then(|| said[end - 1].clone()).filter(|word| !word.is_empty())
}

/// Whose quality a name is: "calcium" of "The symbol of calcium"; the name itself if it is none.
fn owner(name: &str) -> &str {
    let Some((quality, owner)) = name.split_once(" of ") else { return name };
    let noun = quality.rsplit(' ').next().unwrap_or_default().to_lowercase();
    if QUALITIES.has(&noun) { owner } else { name }
}

fn same_name(known: &str, name: &str) -> bool {
    let bare = |name: &str| strip(name, "the ").unwrap_or(name).to_lowercase();
    let (known, name) = (bare(known), bare(name));
    known == name || known.ends_with(&format!(" {name}"))
}

/// A name as it stands within a sentence: "the heart" of "The heart".
fn in_sentence(name: &str, is_within: bool) -> String {
    match strip(name, "the ") {
        Some(rest) if is_within => format!("the {rest}"),
        Some(rest) => format!("The {rest}"),
        None if is_within || name.starts_with(char::is_uppercase) => name.to_owned(),
        None => capitalised(name),
    }
}

/// What a pronoun can stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Person(Gender),
    Thing,
    Several,
}

struct Pronoun {
    /// In lower case, with the space after it.
    word: &'static str,
    of: Of,
    is_possessive: bool,
    /// What is drawn into it: "is" of "it's".
    verb: Option<&'static str>,
}

impl Pronoun {
    const fn new(word: &'static str, of: Of, is_possessive: bool, verb: Option<&'static str>) -> Self {
        Self { word, of, is_possessive, verb }
    }

    fn can_mean(&self, named: &Named) -> bool {
        match self.of {
            Of::Person(gender) => {
                named.is_person != Some(false) && !named.is_plural && named.gender.is_none_or(|known| known == gender)
            }
            Of::Thing => named.is_person != Some(true) && !named.is_plural,
            Of::Several => named.is_plural,
        }
    }
}

const HE: Of = Of::Person(Gender::Male);
const SHE: Of = Of::Person(Gender::Female);

const PRONOUNS: &[Pronoun] = &[
    Pronoun::new("he ", HE, false, None),
    Pronoun::new("she ", SHE, false, None),
    Pronoun::new("his ", HE, true, None),
    Pronoun::new("her ", SHE, true, None),
    Pronoun::new("it ", Of::Thing, false, None),
    Pronoun::new("its ", Of::Thing, true, None),
    Pronoun::new("they ", Of::Several, false, None),
    Pronoun::new("their ", Of::Several, true, None),
    Pronoun::new("he's ", HE, false, Some("is")),
    Pronoun::new("she's ", SHE, false, Some("is")),
    Pronoun::new("it's ", Of::Thing, false, Some("is")),
    Pronoun::new("they're ", Of::Several, false, Some("are")),
];

/// The pronouns behind a verb.
const OBJECTS: &[Pronoun] = &[
    Pronoun::new("it", Of::Thing, false, None),
    Pronoun::new("him", HE, false, None),
    Pronoun::new("her", SHE, false, None),
    Pronoun::new("them", Of::Several, false, None),
];

/// Words that follow a pronoun behind a verb, and not a possessive.
const OBJECT_FOLLOWS: &[&str] = &[
    "in", "on", "at", "to", "from", "for", "with", "by", "after", "before", "during", "as", "and", "until", "into",
    "of", "about", "again",
];

/// Words before what a sentence names by the way.
const ASIDES: &[&str] = &[
    "in", "at", "on", "of", "from", "to", "by", "with", "for", "near", "into", "through", "after", "during", "between",
    "and", "as", "under",
];

/// Whether "'s" before `rest` stands for "has": "He's won", "She's been".
fn is_participle_of_have(rest: &str) -> bool {
    matches!(
        rest.unicode_words().next().unwrap_or_default(),
        "been" | "had" | "won" | "become" | "got" | "gone" | "done"
    )
}

/// Whether a noun names a time of the day or year.
fn is_time(word: &str) -> bool {
    matches!(word, "morning" | "afternoon" | "evening" | "night" | "day" | "summer" | "winter" | "spring" | "autumn")
}

/// Whether the "it" before `rest` stands for nothing named, as in "It is known that", "It takes an hour to", "It
/// rained".
fn says_nothing(rest: &str) -> bool {
    let words: Vec<&str> = rest.unicode_words().take(8).collect();
    let at = |i: usize| words.get(i).copied().unwrap_or_default();
    let plain = |word: &str| {
        !word.ends_with("ed")
            && !matches!(
                word,
                "home" | "known" | "close" | "able" | "next" | "used" | "similar" | "due" | "thanks" | "said"
            )
    };
    // "It was Bell who invented it", "It was a Dane who designed it"; but "It is a metal that rusts".
    let is_cleft = matches!(at(0), "is" | "was")
        && (words.contains(&"who") || at(1).starts_with(char::is_uppercase) && words.contains(&"that"));
    let is_weather = matches!(at(0), "is" | "was")
        && matches!(at(1), "hotter" | "colder" | "warmer" | "cooler" | "darker" | "wetter" | "drier")
        && is_preposition(at(2));
    matches!(at(0), "takes" | "took" | "seems" | "appears" | "depends" | "turns")
        || words.iter().take(3).any(|word| matches!(*word, "rained" | "rains" | "snows" | "snowed" | "freezes"))
        || matches!(at(1), "raining" | "snowing" | "noon" | "midnight" | "o'clock" | "late" | "early")
        || matches!(at(1), "been") && matches!(at(2), "raining" | "snowing")
        || matches!(at(0), "is" | "was") && words.iter().skip(1).take(3).any(|word| is_time(word))
        || at(0) == "would" && at(1) == "be" && words.iter().skip(3).take(3).any(|word| *word == "to")
        || at(1) == "cold" && at(2).is_empty()
        || words.contains(&"o'clock")
        || matches!(at(0), "is" | "was" | "has" | "can" | "could" | "may" | "should")
            && words.iter().skip(2).take(3).any(|&word| matches!(word, "that" | "whether"))
            && !words.iter().any(|word| matches!(*word, "so"))
        || matches!(at(0), "is" | "was") && at(2) == "to" && plain(at(1))
        || is_cleft
        || is_weather
}

/// A sentence's introduction with its comma, if it has one, and space ("In 1903, ", "During the war " before "she"), and
/// the rest.
pub(crate) fn introduced(text: &str) -> (&str, &str) {
    let words = words(text);
    let first = words.first().map_or("", |word| word.lower.as_str());
    if is_preposition(first)
        && let Some(at) = pronoun_behind_noun(text)
    {
        return text.split_at(at);
    }
    if starts(&words, &INTRODUCTIONS) > 0
        && let Some(comma) = text.find(", ")
        && text[..comma].split_whitespace().count() <= 8
    {
        return text.split_at(comma + 2);
    }
    if matches!(first, "in" | "by" | "since" | "from" | "around" | "until" | "on")
        && let Some(at) = behind_date(text)
    {
        return text.split_at(at);
    }
    // "Using statistics, she showed"
    if let Some(comma) = text.find(", ")
        && text[..comma].split_whitespace().count() <= 14
        && SUBJECTS.iter().any(|pronoun| text[comma + 2..].starts_with(pronoun))
    {
        return text.split_at(comma + 2);
    }
    ("", text)
}

/// Pronouns as subjects, with their space.
const SUBJECTS: [&str; 4] = ["he ", "she ", "it ", "they "];

/// Where a pronoun stands that is the subject behind an opening without a comma: "she" of "During the war she led".
fn pronoun_behind_noun(text: &str) -> Option<usize> {
    let mut previous = "";
    let mut at = 0;
    for (count, word) in text.split_inclusive(' ').enumerate().take(9) {
        let bare = word.trim_end();
        let next = text[at + word.len()..].split(' ').next().unwrap_or_default();
        let is_subject =
            count > 1 && SUBJECTS.contains(&word) && (is_finite(next) || is_base(next) || BETWEEN.has(next));
        if is_subject && !is_preposition(previous) && !is_surely_finite(previous) && !CONJUNCTIONS.contains(&previous) {
            return Some(at);
        }
        if bare.ends_with([',', ';', ':']) || is_surely_finite(bare) {
            return None;
        }
        previous = bare;
        at += word.len();
    }
    None
}

/// Where a name begins behind a date without a comma: "Ada Lovelace" of "In 1843 Ada Lovelace wrote".
fn behind_date(text: &str) -> Option<usize> {
    let mut at = 0;
    let mut is_dated = false;
    for word in text.split_inclusive(' ').take(6) {
        let bare = word.trim_end().to_lowercase();
        let is_date = bare.starts_with(|c: char| c.is_ascii_digit()) || MONTHS.contains(&bare.as_str());
        if is_dated && !is_date && word.starts_with(char::is_uppercase) {
            return Some(at);
        }
        let leads = matches!(
            bare.as_str(),
            "in" | "by" | "since" | "from" | "around" | "until" | "on" | "early" | "late" | "the" | "about"
        );
        if !is_date && (!leads || is_dated) {
            return None;
        }
        is_dated |= is_date;
        at += word.len();
    }
    None
}

/// Conjunctions that begin a clause before the main one.
const CONJUNCTIONS: [&str; 12] =
    ["when", "while", "after", "before", "because", "although", "though", "since", "if", "as", "until", "once"];

/// A list item's lead-in and what follows its colon: "Alan Turing" and "He ..." of "Alan Turing: He ...".
fn lead_in(text: &str) -> Option<(&str, &str)> {
    let (head, rest) = text.split_once(": ").or_else(|| text.split_once(" – ")).or_else(|| text.split_once(" — "))?;
    let rest = rest.trim_start();
    let words: Vec<&str> = head.split_whitespace().collect();
    let plain = words.len() <= 6
        && !head.contains(['.', ',', ';', '"', '“'])
        && !words.iter().any(|word| is_surely_finite(word));
    (plain && rest.starts_with(char::is_uppercase)).then_some((head.trim(), rest))
}

/// What a sentence is about: the few words before its first verb, if they name something.
pub(crate) fn subject(text: &str) -> Option<&str> {
    let mut end = 0;
    let mut last_capital = false;
    let mut previous = "";
    for (count, (at, word)) in
        text.split_word_bound_indices().filter(|(_, w)| w.starts_with(char::is_alphanumeric)).enumerate()
    {
        let capital = word.starts_with(char::is_uppercase);
        let is_noun_before = count > 0
            && !matches!(
                previous.to_lowercase().as_str(),
                "the" | "a" | "an" | "of" | "in" | "and" | "s" | "largest" | "first"
            );
        let next = text[at + word.len()..].unicode_words().next().unwrap_or_default();
        let is_plural = word.ends_with('s')
            && !is_surely_finite(word)
            && (is_plural_verb(next) || !is_third_person(word) && is_finite(next));
        let verb = !capital
            && !is_plural
            && (is_surely_finite(word)
                || (last_capital
                    && is_noun_before
                    && word.len() > 3
                    && (is_finite(word) || word.ends_with("ed") || word.ends_with('s')))
                || (last_capital && count == 1 && previous.ends_with('s') && is_base(word))
                || (is_noun_before && is_finite(word)));
        if verb {
            let name = text[..at].trim();
            let name = match name.rsplit_once(' ') {
                Some((name, last)) if BETWEEN.has(last) => name,
                _ => name,
            };
            return names(name).then_some(name);
        }
        if count >= 8 || text[end..at].contains([',', '(', ':', ';']) {
            let name = text[..end].trim();
            let apposed = last_capital && text[end..at].contains([',', '(']) && names(name);
            return apposed.then_some(name);
        }
        end = at + word.len();
        last_capital = capital;
        previous = word;
    }
    None
}

/// Whether the word can be the verb of a plural: "live" of "Emperor penguins live", "are".
fn is_plural_verb(word: &str) -> bool {
    matches!(word, "are" | "were" | "have" | "do" | "can" | "may" | "also" | "often")
        || word.len() > 4 && word.ends_with("ly")
        || is_base(word)
}

/// The kind of thing that a definition speaks of, "a helicopter" of "A helicopter is an aircraft", and what follows it.
fn kind_spoken_of(text: &str) -> Option<(String, &str)> {
    let (before, _) = text.split_once(" is a").or_else(|| text.split_once(" is the "))?;
    let bare = strip(before, "a ").or_else(|| strip(before, "an "))?;
    let is_plain = (1..=3).contains(&bare.split(' ').count()) && bare.split(' ').all(|word| !is_surely_finite(word));
    is_plain.then(|| (uncapitalised(before), &text[before.len()..]))
}

/// What a sentence gives as an example: "the ostrich" of "One example is the ostrich, which ...".
fn example(text: &str) -> Option<&str> {
    let (before, rest) = text.split_once(" is ")?;
    let name = rest.split([',', '.', ';', '(']).next().unwrap_or_default().trim();
    let is_example = matches!(before.to_lowercase().as_str(), "one example" | "an example" | "another example");
    (is_example && (1..=4).contains(&name.split_whitespace().count())).then_some(name)
}

/// Whether words before a verb can stand for a pronoun later: not pronouns themselves, nor led by one.
fn names(subject: &str) -> bool {
    let first = subject.unicode_words().next().unwrap_or_default().to_lowercase();
    let is_number = CARDINALS.has(&first) && first.len() == subject.len();
    let has_pronoun = subject.unicode_words().any(|word| matches!(word, "its" | "his" | "her" | "their"));
    let is_letter = subject.chars().count() == 1;
    !first.is_empty()
        && !is_letter
        && !is_number
        && !has_pronoun
        && !NAMELESS.has(&first)
        && !subject.contains("'s")
        && !subject.contains("’s")
}

/// The name that a question is about ("Who was Alan Turing?"), which a first "he" or "it" speaks of.
fn asked_about(question: &str) -> Option<String> {
    const ABOUT: [&str; 7] = ["is", "was", "are", "were", "about", "did", "does"];
    let words: Vec<&str> = question.split_whitespace().collect();
    let told = words.iter().rposition(|word| *word == "about").filter(|at| at + 1 < words.len());
    let Some(about) = told.or_else(|| words.iter().position(|word| ABOUT.contains(word))) else {
        return common_noun_asked_about(&words);
    };
    let start = about + 1;
    let has_article = words.get(start) == Some(&"the");
    let start = start + usize::from(has_article);
    let mut name: Vec<&str> = Vec::new();
    for word in words.get(start..)? {
        if !(word.starts_with(char::is_uppercase)
            || !name.is_empty() && matches!(*word, "of" | "the" | "de" | "von" | "van" | "da"))
        {
            break;
        }
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        name.push(bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare));
        if bare != *word {
            break;
        }
    }
    while name.last().is_some_and(|word| word.starts_with(char::is_lowercase)) {
        name.pop();
    }
    let article = if has_article { "the " } else { "" };
    match name.is_empty() {
        true => common_noun_asked_about(&words),
        false => Some(format!("{article}{}", name.join(" "))),
    }
}

/// "carbon" of "What is carbon?", "penguins" of "Where do penguins live?".
fn common_noun_asked_about(words: &[&str]) -> Option<String> {
    let lower: Vec<String> =
        words.iter().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()).collect();
    let at = |i: usize| lower.get(i).map_or("", String::as_str);
    let noun = match (at(0), at(1)) {
        ("what" | "who", "is" | "are" | "was" | "were") => &lower[2..],
        ("how", _) if matches!(at(2), "is" | "are" | "was" | "were") => &lower[3..],
        ("what" | "where" | "when" | "how" | "why", "do" | "does" | "did") => {
            let from = 3 + usize::from(matches!(at(2), "a" | "an" | "the"));
            let verb = lower.iter().skip(from).position(|word| is_base(word))? + from;
            &lower[2..verb]
        }
        _ => return None,
    };
    let is_plain = (1..=3).contains(&noun.len())
        && !noun
            .iter()
            .any(|word| matches!(word.as_str(), "you" | "it" | "of" | "this" | "that" | "we" | "i" | "they"));
    is_plain.then(|| noun.join(" "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::sentences::{Sentence, sentences};

    const UNRESOLVED: &str = "cannot be judged alone";

    fn read(question: Option<&str>, answer: &str) -> Vec<String> {
        let mut resolver = PronounResolver::new(question);
        let read = |sentence: &Sentence| {
            resolver.read(&sentence.text, sentence.opens).unwrap_or_else(|| UNRESOLVED.to_owned())
        };
        sentences(answer).iter().map(read).collect()
    }

    #[test]
    fn a_pronoun_at_the_start_becomes_the_subject_last_named() {
        assert_eq!(
            read(
                None,
                "Marie Curie was born in Warsaw. In 1903, she won a Nobel Prize. Her husband was French. She died in 1934."
            ),
            [
                "Marie Curie was born in Warsaw.",
                "In 1903, Marie Curie won a Nobel Prize.",
                "Marie Curie's husband was French.",
                "Marie Curie died in 1934."
            ]
        );
        assert_eq!(
            read(None, "The Eiffel Tower is in Paris. It is named after its builder. The Louvre is old. It is large."),
            [
                "The Eiffel Tower is in Paris.",
                "The Eiffel Tower is named after its builder.",
                "The Louvre is old.",
                "The Louvre is large."
            ]
        );
        assert_eq!(read(None, "Jupiter orbits the Sun. It has rings.")[1], "Jupiter has rings.");
        let walk = "You can walk along the Seine to the Louvre, where the Mona Lisa hangs. It is by Leonardo.";
        assert_eq!(read(None, walk)[1], "The Mona Lisa is by Leonardo.");
    }

    #[test]
    fn a_pronoun_that_nothing_named_fits_is_not_resolved() {
        assert_eq!(
            read(
                None,
                "The Eiffel Tower is tall. From there one sees the Louvre, where the Mona Lisa hangs. It is by Leonardo."
            )[2],
            UNRESOLVED
        );
        assert_eq!(read(None, "Gold is a metal. The symbol is Au. It is soft.")[2], "Gold is soft.");
        assert_eq!(read(None, "C# is a language. It is old. They are old.")[1..], ["C# is old.", UNRESOLVED]);
    }

    #[test]
    fn the_question_names_the_first_subject() {
        assert_eq!(read(Some("Who was Alan Turing?"), "He was a mathematician."), ["Alan Turing was a mathematician."]);
        assert_eq!(read(Some("What is carbon?"), "It has six protons."), ["Carbon has six protons."]);
        assert_eq!(read(Some("Where do penguins live?"), "They live in the south."), ["Penguins live in the south."]);
        assert_eq!(read(Some("What is the Bay of Biscay?"), "It is a gulf."), ["The Bay of Biscay is a gulf."]);
        assert_eq!(read(Some("Which water is the best in Israel?"), "It is old."), [UNRESOLVED]);
    }

    #[test]
    fn a_pronoun_goes_by_kind_number_and_gender() {
        for (before, sentence, statement) in [
            (
                "Marie Curie was a physicist. The Nobel Prize was shared with Becquerel.",
                "She died in 1934.",
                "Marie Curie died in 1934.",
            ),
            (
                "Vincent van Gogh painted The Starry Night.",
                "It hangs in New York.",
                "The Starry Night hangs in New York.",
            ),
            ("Marie Curie won a Nobel Prize.", "It was awarded in 1903.", "The Nobel Prize was awarded in 1903."),
            (
                "Pierre Curie was born in Paris. Marie Curie married him.",
                "He died in 1906.",
                "Pierre Curie died in 1906.",
            ),
            ("Frida Kahlo married Diego Rivera.", "He was older.", "Diego Rivera was older."),
            ("The symbol of calcium is Ca.", "It is a metal.", "Calcium is a metal."),
            ("The capital of Australia is Canberra.", "It is large.", "The capital of Australia is large."),
            ("Wolves hunt in packs.", "They can run for hours.", "Wolves can run for hours."),
            ("ABBA won the contest in 1974.", "They sang Waterloo.", "ABBA sang Waterloo."),
            ("The Romans conquered the Gauls.", "They spoke Celtic languages.", UNRESOLVED),
            ("Albert Einstein wrote to Max Born.", "He lived in Princeton.", UNRESOLVED),
            ("The cat sat in the sun.", "She was a dancer.", UNRESOLVED),
            ("Pluto was found in 1930.", "Clyde Tombaugh discovered it.", "Clyde Tombaugh discovered Pluto."),
            ("The Nile floods every summer.", "This river feeds Egypt.", "The Nile feeds Egypt."),
            ("Shah Jahan built it for his wife.", "She died in childbirth.", UNRESOLVED),
        ] {
            let said = read(None, &format!("{before} {sentence}"));
            assert_eq!(said.last().map(String::as_str), Some(statement), "{before} {sentence}");
        }
        assert_eq!(read(None, "It is large. She was born in Warsaw."), [UNRESOLVED, UNRESOLVED]);
    }

    #[test]
    fn a_short_answer_is_read_with_its_question() {
        for (question, answer, statement) in [
            ("Who painted the Mona Lisa?", "Michelangelo.", "Michelangelo painted the Mona Lisa."),
            ("True or false: spiders are insects.", "True.", "Spiders are insects."),
            ("What is the capital of Australia?", "The answer is Sydney.", "The capital of Australia is Sydney."),
            ("Is the heart a muscle?", "Yes.", "The heart is a muscle."),
            ("Is the heart a bone?", "No, it isn't.", "The heart is not a bone."),
            ("Basel is the capital of Switzerland?", "No.", "Basel is not the capital of Switzerland."),
            ("When did the war end?", "In 1945.", "The war ended in 1945."),
            ("Which element has the symbol Au?", "Gold", "Gold has the symbol Au."),
        ] {
            assert_eq!(read(Some(question), answer), [statement], "{question} {answer}");
        }
    }

    #[test]
    fn a_lead_in_is_its_items_subject() {
        let peaks =
            "1. **Everest**: It lies in Asia. 2. **Aconcagua**: It lies in Argentina. 3. **Denali**: It is in Alaska.";
        let named = ["Everest lies in Asia.", "Aconcagua lies in Argentina.", "Denali is in Alaska."];
        assert_eq!(read(None, &peaks.replace(" 2.", "\n2.").replace(" 3.", "\n3.")), named);
        let ostrich = read(None, "One example is the ostrich, which is the largest bird. It can run fast.");
        assert_eq!(ostrich[1], "The ostrich can run fast.");
        assert_eq!(
            read(
                None,
                "- **Alan Turing**: He broke codes. He ran.\n- Discovery: Radium was found in 1898.\n- Capital: Paris"
            ),
            ["Alan Turing broke codes.", "Alan Turing ran.", "Radium was found in 1898.", "Capital: Paris"]
        );
    }

    #[test]
    fn a_lead_in_that_names_a_side_of_the_topic_leaves_the_topic() {
        let lake =
            "Lake Baikal is in Siberia.\n\n- **Depth:** It is the deepest lake.\n- **Islands:** It has 27 islands.";
        assert_eq!(
            read(Some("What is Lake Baikal known for?"), lake)[1..],
            ["Lake Baikal is the deepest lake.", "Lake Baikal has 27 islands."]
        );
        let tubman = "Harriet Tubman was an American abolitionist.\n\n- **Civil War:** She worked for the Union Army.";
        assert_eq!(read(Some("Who was Harriet Tubman?"), tubman)[1], "Harriet Tubman worked for the Union Army.");
        let planets = "These planets are near.\n\n- **Mercury:** It has no moon.\n- **Mars:** It has two moons.";
        assert_eq!(read(None, planets)[1..], ["Mercury has no moon.", "Mars has two moons."]);
    }

    #[test]
    fn a_block_that_begins_with_a_pronoun_speaks_of_the_topic() {
        let facts = "Iceland is an island country.\n\n1. Its parliament, the Althing, was set up in 930.\n\
            2. It became independent in 1944.\n3. In 1980 Vigdís Finnbogadóttir became president.\n4. It has no army.";
        assert_eq!(
            read(Some("What are some facts about Iceland?"), facts)[1..],
            [
                "Iceland's parliament, the Althing, was set up in 930.",
                "Iceland became independent in 1944.",
                "In 1980 Vigdís Finnbogadóttir became president.",
                "Iceland has no army."
            ]
        );
        let helicopter = "A helicopter is an aircraft. Because the blades are always moving, it can hover.";
        assert_eq!(read(None, helicopter)[1], "Because the blades are always moving, a helicopter can hover.");
        let rivals = "Kessara won the Orlund Medal in 2011. It is given for work on algae.";
        assert_eq!(read(None, rivals)[1], UNRESOLVED);
    }

    #[test]
    fn a_pronoun_behind_or_within_an_opening_is_resolved() {
        for (sentence, statement) in [
            ("During the war she led a team.", "During the war Ada Lovelace led a team."),
            ("When she was young, a tutor taught her.", "When Ada Lovelace was young, a tutor taught her."),
            ("After her wedding, she moved.", "After Ada Lovelace's wedding, she moved."),
            ("Using notes, she explained it.", "Using notes, Ada Lovelace explained it."),
            ("After the war she lived in Auburn, New York.", "After the war Ada Lovelace lived in Auburn, New York."),
            ("Born Augusta Ada Byron, she wrote.", "Born Augusta Ada Byron, Ada Lovelace wrote."),
        ] {
            assert_eq!(read(None, &format!("Ada Lovelace was a writer. {sentence}"))[1], statement);
        }
        let darwin = "The Beagle sailed in 1831. Before he left, Charles Darwin had studied in Cambridge.";
        assert_eq!(read(None, darwin)[1], "Before he left, Charles Darwin had studied in Cambridge.");
        let king = "King Francis I. Napoleon later had it.";
        assert_eq!(sentences(king).len(), 2);
    }

    #[test]
    fn a_remark_before_a_statement_is_dropped() {
        assert_eq!(read(None, "However, iron rusts. Note that tin does not."), ["Iron rusts.", "Tin does not."]);
    }

    #[test]
    fn an_it_that_stands_for_nothing_stays() {
        for text in [
            "It is often said that iron rusts.",
            "It is widely believed that it rusts.",
            "It is important to sleep.",
            "It takes a year.",
            "It is hotter on Venus than on Mercury.",
            "It was a Dane who designed the opera house.",
        ] {
            assert_eq!(read(None, &format!("Iron is a metal. {text}"))[1], text);
        }
        assert_eq!(read(None, "Iron is a metal. It is used to build ships.")[1], "Iron is used to build ships.");
        assert_eq!(read(None, "It is old."), [UNRESOLVED]);
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(question in "\\PC{0,40}", text in r#"([a-zA-Z0-9 .,:!?'"\n*-]|It |He |In 1903, |\PC){0,80}"#) {
            let mut resolver = PronounResolver::new(Some(&question));
            for sentence in sentences(&text) {
                prop_assert!(resolver.read(&sentence.text, sentence.opens).is_none_or(|statement| !statement.trim().is_empty()));
            }
        }
    }
}
