//! Which of the things named, or the topic, a pronoun stands for.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::names::{Gender, gender_of_noun};
use crate::text::pronouns::memory::PronounResolver;
use crate::text::pronouns::named::{Named, in_sentence, same_name};
use crate::text::pronouns::pronoun::{Of, Pronoun};

impl PronounResolver {
    /// The name that a pronoun stands for, with "'s" if the pronoun is possessive, and the thing that has the name, as
    /// the subject of this sentence. What the pronoun tells of its kind and gender is remembered.
    pub(super) fn name_meant(&mut self, pronoun: &Pronoun, opens: bool, is_within: bool) -> Option<(String, Named)> {
        let meant = match self.topic_meant(pronoun, opens) {
            Some(topic) => topic.clone(),
            None => self.named[self.meant(pronoun)?].clone(),
        };
        let mut meant = Named { sentence: self.read, is_subject: true, is_aside: false, ..meant };
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
            return Some((name, meant));
        }
        let owner = if name.ends_with('s') && meant.is_plural { "'" } else { "'s" };
        self.owner = Some(meant.clone());
        Some((format!("{name}{owner}"), meant))
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

    /// True if the pronoun may also stand for something else that the last sentence names.
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

    /// The place in `named` of what a pronoun stands for; `None` if nothing named fits, or if two things fit alike.
    pub(super) fn meant(&self, pronoun: &Pronoun) -> Option<usize> {
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

    /// The person that "he" or "she" stands for, of those that fit, nearest first: one of known gender before one of
    /// unknown, a subject before another.
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

    /// What "it" or "they" stands for: the subject of the last sentence, or the one thing that a person there acts on
    /// ("Van Gogh painted The Starry Night. It hangs").
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
}
