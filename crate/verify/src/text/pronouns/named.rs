//! The things that a text names, and what it tells of their kind, gender and number.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::{DEEDS, QUALITIES};
use crate::text::entities::{Entity, EntityKind, entities};
use crate::text::names::{Gender, gender_of_first_name, gender_of_noun, is_person_noun, is_property};
use crate::text::pronouns::openings::introduced;
use crate::text::pronouns::subjects::{example, names, subject};
use crate::text::verbs::{is_base, is_past, is_surely_finite};
use crate::text::words::{capitalised, is_preposition, strip};

/// Something that a sentence or the question names.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    /// Whether it is a person; `None` where nothing tells.
    pub(super) is_person: Option<bool>,
    pub(super) gender: Option<Gender>,
    pub(super) is_plural: bool,
    pub(super) is_subject: bool,
    /// Whether its verb suits a person as well as a thing: "won".
    pub(super) may_be_person: bool,
    /// Whether it has the shape of a person's name.
    pub(super) is_like_person: bool,
    /// Whether a preposition stands before it: "in Paris".
    pub(super) is_aside: bool,
    /// What it was said to be: "metal" of "Gold is a metal".
    pub(super) noun: Option<String>,
    /// The number of the sentence that names it; the question's is 0.
    pub(super) sentence: usize,
}

/// The most bytes of a name. A longer one is none: each pronoun that stood for it would repeat it.
const LONGEST: usize = 200;

impl Named {
    /// What sentence number `sentence` names: its subject, then the names behind it.
    pub(super) fn in_text(text: &str, sentence: usize) -> Vec<Self> {
        let (_, rest) = introduced(text);
        // "You can walk to the Louvre, where the Mona Lisa hangs" goes on about the Mona Lisa.
        let about = example(rest).or_else(|| subject(rest)).or_else(|| subject(rest.split_once(", where ")?.1));
        let from = about.map_or(0, |name| name.as_ptr() as usize - text.as_ptr() as usize + name.len());
        let of = |name| Self::of(owner(name), None, true, sentence, &text[from..]);
        let mut found: Vec<Self> = about.and_then(of).into_iter().collect();
        for Entity { kind, span } in entities(text) {
            let is_number = matches!(kind, EntityKind::Cardinal | EntityKind::Ordinal | EntityKind::Date);
            let is_no_name =
                span.start == 0 && (!names(&text[span.clone()]) || is_base(&text[span.clone()].to_lowercase()));
            if span.start < from || span.len() == 1 || is_number || is_no_name {
                continue;
            }
            let near = text.ceil_char_boundary(span.start.saturating_sub(LONGEST))..span.start;
            let mut before = text[near].split_whitespace().rev();
            let word = before.next().unwrap_or_default();
            let is_determined = matches!(word, "the" | "The" | "a" | "an");
            let preposition = if is_determined { before.next().unwrap_or_default() } else { word };
            let article = if is_determined { "the " } else { "" };
            let behind = span.end..text.floor_char_boundary(span.end + LONGEST);
            let name = format!("{article}{}", &text[span]);
            let Some(mut named) = Self::of(&name, Some(kind), false, sentence, "") else { continue };
            named.is_aside = ASIDES.contains(&preposition) || is_nationality(&named.name, &text[behind]);
            found.push(named);
        }
        found
    }

    /// Whether it is a part or quality of something: "The symbol".
    pub(super) fn is_property(&self) -> bool {
        let noun = strip(&self.name, "the ").and_then(|name| name.split_whitespace().next());
        noun.is_some_and(|noun| noun.starts_with(char::is_lowercase) && is_property(noun))
    }

    /// Takes over what is known of the same thing.
    pub(super) fn learn(&mut self, known: &Self) {
        self.is_person = known.is_person.or(self.is_person);
        self.gender = known.gender.or(self.gender);
        self.noun = self.noun.take().or_else(|| known.noun.clone());
        if known.name.len() > self.name.len() && known.is_person == Some(true) {
            self.name.clone_from(&known.name);
        }
    }

    /// The thing that has a name, with what the name and the words `behind` it in its sentence tell; `None` if it is too
    /// long for a name.
    pub(super) fn of(
        name: &str,
        kind: Option<EntityKind>,
        is_subject: bool,
        sentence: usize,
        behind: &str,
    ) -> Option<Self> {
        if name.len() > LONGEST {
            return None;
        }
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
        Some(Self {
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
        })
    }
}

/// Whether a name is the adjective of a noun `behind` it: "Danish" of "under Danish rule".
fn is_nationality(name: &str, behind: &str) -> bool {
    let ending = ["ish", "ian", "ean", "ese", "ch"].iter().any(|ending| name.ends_with(ending));
    let noun = behind.strip_prefix(' ').and_then(|behind| behind.unicode_words().next()).unwrap_or_default();
    ending
        && noun.starts_with(char::is_lowercase)
        && !is_surely_finite(noun)
        && !is_preposition(noun)
        && !matches!(noun, "and" | "or" | "but" | "who" | "which" | "that")
}

/// Words before a name that its sentence mentions only in passing.
const ASIDES: &[&str] = &[
    "in", "at", "on", "of", "from", "to", "by", "with", "for", "near", "into", "through", "after", "during", "between",
    "and", "as", "under",
];

/// Participles of what is done to works and things, and not to people.
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
    (end > start).then(|| said[end - 1].clone()).filter(|word| (1..=LONGEST).contains(&word.len()))
}

/// The owner of the quality that a name tells: "calcium" of "The symbol of calcium"; the name itself if it tells none.
fn owner(name: &str) -> &str {
    let Some((quality, owner)) = name.split_once(" of ") else { return name };
    let noun = quality.rsplit(' ').next().unwrap_or_default().to_lowercase();
    if QUALITIES.has(&noun) { owner } else { name }
}

pub(super) fn same_name(known: &str, name: &str) -> bool {
    let bare = |name: &str| strip(name, "the ").unwrap_or(name).to_lowercase();
    let (known, name) = (bare(known), bare(name));
    known == name || known.ends_with(&format!(" {name}"))
}

/// A name as it stands within a sentence: "the heart" of "The heart".
pub(super) fn in_sentence(name: &str, is_within: bool) -> String {
    match strip(name, "the ") {
        Some(rest) if is_within => format!("the {rest}"),
        Some(rest) => format!("The {rest}"),
        None if is_within || name.starts_with(char::is_uppercase) => name.to_owned(),
        None => capitalised(name),
    }
}
