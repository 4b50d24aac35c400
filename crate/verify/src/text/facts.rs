//! Atomic facts by rule: each single thing that a statement says, for FActScore (guan2024, Sec. 4.3; Min et al. 2023)
//! and for a verdict on each part of a compound sentence.
//!
//! A fact is split off only where its subject is clear. The rest stays in one piece and is still judged with the whole.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::{
    BETWEEN, CONNECTORS, INTRANSITIVE, LINKS, NOUN_PHRASES, NOUNS_IN_LY, PARTICIPLES, POINTERS, PRESENT, RELATIVE,
    SCOPES, SUBJECT_PRONOUNS, SUBORDINATING,
};
use crate::text::entities::{EntityKind, entities};
use crate::text::pronouns::{PronounResolver, introduced, subject};
use crate::text::verbs::{is_base, is_finite, is_past, is_surely_finite, is_third_person};
use crate::text::words::{capitalised, is_determiner, is_preposition, uncapitalised};

/// A single thing that a statement says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The fact as a sentence of its own.
    pub text: String,
    /// The bytes of the statement that say it. They lack the subject if that stands elsewhere.
    pub span: Range<usize>,
}

/// The facts of a statement by rule, in order: each predicate of several that share a subject, each sentence of
/// several, an apposition or relative clause after a name, a participle before the subject, each name of a list of
/// three or four. A statement that no rule fits is one fact.
///
/// ```
/// use evident_verify::atomic_facts;
///
/// let facts = atomic_facts("The Mona Lisa was painted by Leonardo, an Italian, and stolen in 1911.");
/// let texts: Vec<_> = facts.iter().map(|fact| fact.text.as_str()).collect();
/// assert_eq!(texts[2], "The Mona Lisa was stolen in 1911.");
/// ```
#[must_use]
pub fn atomic_facts(statement: &str) -> Vec<Fact> {
    let text = statement.trim().trim_end_matches(['.', '!']);
    let mut facts = FactFinder { statement, found: Vec::new(), depth: 0 };
    if facts.sentence(text, None).is_none() || facts.found.len() < 2 {
        let start = statement.len() - statement.trim_start().len();
        let text = statement.trim().to_owned();
        facts.found = vec![Fact { span: start..start + text.len(), text }];
    }
    facts.found
}

/// The facts found so far in a statement.
struct FactFinder<'a> {
    statement: &'a str,
    found: Vec<Fact>,
    /// The depth of recursion: a sentence after a connector is one deeper than the sentence before the connector.
    depth: usize,
}

/// What follows a connector, if it is a fact of its own.
enum NextFact<'a> {
    /// Another predicate of the same subject, with the auxiliary verb that it shares, or "".
    Predicate(&'a str),
    /// The facts of a sentence with a subject of its own.
    Sentences(Vec<Fact>),
}

impl<'a> FactFinder<'a> {
    /// Adds a fact that the stretch `said` of the statement says.
    fn add(&mut self, text: &str, said: &str) {
        let start = said.as_ptr() as usize - self.statement.as_ptr() as usize;
        self.found.push(Fact { text: format!("{}.", capitalised(text)), span: start..start + said.len() });
    }

    /// Reads a sentence without its full stop. Its subject may be a pronoun for `named`. `None` if it has no clear
    /// subject.
    fn sentence(&mut self, text: &'a str, named: Option<&str>) -> Option<()> {
        if let Some((name, predicate, [before, after])) = bracketed_clause(text) {
            match after {
                "" if self.sentence(before, named).is_some() => {}
                _ => self.add(&format!("{before}{after}"), text),
            }
            self.predicates("", name, name, predicate);
            return Some(());
        }
        let (introduction, rest) = introduction(text);
        if let Some(name) = named
            && let Some((_, before, predicate)) = after_pronoun(rest)
        {
            let before = format!("{introduction}{before}");
            return opens_with_verb(predicate).then(|| self.predicates(&before, name, name, predicate));
        }
        let name =
            before_apposition(rest).or_else(|| subject(rest)).map(without_last_adverb).filter(|name| is_plain(name))?;
        let (aside, predicate) = aside(rest.strip_prefix(name)?)?;
        let mut introduction = introduction;
        if is_participle(&first_word(introduction).to_lowercase()) {
            let participle = uncapitalised(introduction.trim_end_matches([',', ' ']));
            let is_dated = participle.contains(|c: char| c.is_ascii_digit());
            let be = if is_dated || is_past_sentence(predicate) { "was" } else { "is" };
            self.add(&format!("{name} {be} {participle}"), introduction.trim_end_matches([',', ' ']));
            introduction = "";
        }
        match aside {
            Some(Aside::Parenthesis(inside)) => {
                self.predicates(introduction, &format!("{name} {inside}"), name, predicate);
            }
            Some(Aside::Clause(said)) => {
                self.clause(name, said, is_past_sentence(predicate))?;
                self.predicates(introduction, name, name, predicate);
            }
            None => self.predicates(introduction, name, name, predicate),
        }
        Some(())
    }

    /// Reads the predicates of the subject `name`. The first fact begins with `introduction` and `first`, which is the
    /// subject as the sentence has it.
    fn predicates(&mut self, introduction: &str, first: &str, name: &str, text: &'a str) {
        let (mut begin, mut from, mut shared) = (0, 0, "");
        let opens_with = first_word(introduction).to_lowercase();
        let holds_for_all = SCOPES.has(&opens_with) || introduction.contains(|c: char| c.is_ascii_digit());
        let scope = if holds_for_all { introduction } else { "" };
        let mut opening = format!("{introduction}{first}");
        while let Some((at, connector)) = next_connector(text, from) {
            let (before, after) = (&text[begin..at], &text[at + connector.len()..]);
            from = at + connector.len();
            match self.next_fact(name, shared, before, after, connector) {
                Some(NextFact::Predicate(auxiliary)) => {
                    self.predicate(&opening, before);
                    let space = if auxiliary.is_empty() { "" } else { " " };
                    opening = format!("{scope}{name}{space}{auxiliary}");
                    (begin, shared) = (from, auxiliary);
                }
                Some(NextFact::Sentences(others)) => {
                    self.predicate(&opening, before);
                    self.found.extend(others);
                    return;
                }
                None => {}
            }
        }
        self.predicate(&opening, &text[begin..]);
    }

    /// Adds the facts of one predicate after `opening`, its subject: the predicate itself or each name of its list, and
    /// the relative clause or apposition at its end.
    fn predicate(&mut self, opening: &str, text: &'a str) {
        let is_past = is_past_sentence(text);
        if let Some((before, clause)) = RELATIVE.iter().find_map(|pronoun| text.split_once(pronoun)) {
            match name_at_the_end(before).filter(|_| opens_with_verb(clause) && !clause.contains(", ")) {
                Some(name) => {
                    self.predicate(opening, before);
                    self.predicates("", name, name, clause);
                }
                None => self.add(&format!("{opening} {text}"), text),
            }
            return;
        }
        if let Some((before, said)) = text.rsplit_once(", ")
            && NOUN_PHRASES.iter().any(|word| said.starts_with(word))
            && !before.contains(", ")
            && subject(said).is_none()
            && let Some(name) = name_at_the_end(before)
        {
            self.predicate(opening, before);
            self.add(&format!("{name} {} {said}", if is_past { "was" } else { "is" }), said);
            return;
        }
        match list(text) {
            Some((before, names)) => {
                for name in names {
                    self.add(&format!("{opening} {before}{name}"), name);
                }
            }
            None => self.add(&format!("{opening} {text}"), text),
        }
    }

    /// Adds what an aside between commas says of `name`.
    fn clause(&mut self, name: &str, said: &'a str, is_past: bool) -> Option<()> {
        if let Some(predicate) = ["who ", "which "].iter().find_map(|pronoun| said.strip_prefix(pronoun)) {
            return opens_with_verb(predicate).then(|| self.predicates("", name, name, predicate));
        }
        let is_noun = NOUN_PHRASES.iter().any(|word| said.starts_with(word));
        let is_participle = is_participle(first_word(said)) && !is_intransitive(first_word(said));
        let is_dated = is_participle && said.contains(|c: char| c.is_ascii_digit());
        let be = if is_past || is_dated { "was" } else { "is" };
        (is_noun || is_participle).then(|| self.add(&format!("{name} {be} {said}"), said))
    }

    /// The fact after a connector; `None` if none begins there. `before` is the predicate of `name` before the
    /// connector, and `shared` is the auxiliary verb that it shares with an earlier predicate, or "".
    fn next_fact(
        &self,
        name: &str,
        shared: &'a str,
        before: &'a str,
        after: &'a str,
        connector: &str,
    ) -> Option<NextFact<'a>> {
        let is_weak = connector.starts_with(' ');
        let clauses: &[&str] = if is_weak { &SUBORDINATING } else { &RELATIVE };
        if connector != "; " && clauses.iter().any(|word| before.contains(word)) {
            return None; // what follows may be said of the clause's subject
        }
        if before.split(", ").skip(1).any(opens_with_verb) {
            return None; // the last of several predicates between commas
        }
        if let Some(auxiliary) = shared_auxiliary(shared, before, after) {
            return Some(NextFact::Predicate(auxiliary));
        }
        let has_object = without_adverbs(before).contains(' ');
        if opens_with_verb(after) && has_object && (!is_weak || agree(before, after)) {
            return Some(NextFact::Predicate(""));
        }
        self.own_sentence(name, before, after, connector).map(NextFact::Sentences)
    }

    /// The facts of a sentence after a connector. Its subject is its own, or a pronoun that means `name`. `None` if
    /// another word points at the sentence before it.
    fn own_sentence(&self, name: &str, before: &str, after: &'a str, connector: &str) -> Option<Vec<Fact>> {
        // A name after a bare "and" may just end a list.
        let may_be_sentence = !connector.starts_with(' ') || !before.contains(',') && after.starts_with("the ");
        if !may_be_sentence || self.depth == DEEPEST {
            return None;
        }
        let (pronoun, predicate) =
            after_pronoun(after).map_or(("", after), |(pronoun, _, predicate)| (pronoun, predicate));
        let end =
            ["; ", ", and ", ", but "].iter().filter_map(|end| predicate.find(end)).min().unwrap_or(predicate.len());
        let points = |word: &str| word != "that" && POINTERS.contains(&word.to_lowercase().as_str());
        if predicate[..end].unicode_words().any(points) {
            return None;
        }
        let named = Some(name).filter(|name| !pronoun.is_empty() && means(pronoun, &predicate[..end], name, before));
        let ends_list = connector == ", and " && before.contains(", ");
        let is_verb = |verb: &str| is_surely_finite(verb) || !ends_list && (is_finite(verb) || is_base(verb));
        if named.is_none() && !verb_of(after).is_some_and(is_verb) {
            return None;
        }
        let mut others = FactFinder { statement: self.statement, found: Vec::new(), depth: self.depth + 1 };
        others.sentence(after, named).map(|()| others.found)
    }
}

/// What stands between a subject and its predicate.
enum Aside<'a> {
    /// In brackets, which are included.
    Parenthesis(&'a str),
    /// Between commas.
    Clause(&'a str),
}

/// The aside after a subject, if there is one, and the predicate.
fn aside(after: &str) -> Option<(Option<Aside<'_>>, &str)> {
    let after = after.trim_start();
    let (aside, predicate) = if let Some(rest) = after.strip_prefix(", ") {
        let (said, predicate) = rest.match_indices(", ").find_map(|(at, comma)| {
            let predicate = &rest[at + comma.len()..];
            opens_with_verb(predicate).then_some((&rest[..at], predicate))
        })?;
        (Some(Aside::Clause(said)), predicate)
    } else if after.starts_with('(') {
        let end = after.find(") ")? + 1;
        (Some(Aside::Parenthesis(&after[..end])), after[end..].trim_start())
    } else {
        (None, after)
    };
    predicate.starts_with(char::is_alphanumeric).then_some((aside, predicate))
}

/// The subject of a sentence and the predicate of the clause on it that stands in brackets, and what is before and after
/// these: "Gold has the symbol Au (and it is a metal)".
fn bracketed_clause(text: &str) -> Option<(&str, &str, [&str; 2])> {
    let (before, rest) = text.split_once(" (")?;
    let (inside, after) = rest.split_once(')')?;
    let clause =
        ["and ", "but ", "although ", "though "].iter().find_map(|word| inside.strip_prefix(word)).unwrap_or(inside);
    let stated = introduction(before).1;
    let name =
        subject(stated).or_else(|| opens_with_verb(after.trim_start()).then_some(stated)).map(without_last_adverb)?;
    let relative = ["which ", "who "].iter().find_map(|pronoun| clause.strip_prefix(pronoun));
    let of_pronoun = || {
        let pronoun = SUBJECT_PRONOUNS.iter().find(|pronoun| clause.starts_with(**pronoun))?;
        let predicate = &clause[pronoun.len()..];
        means(pronoun.trim_end(), predicate, name, before.split_once(name)?.1.trim()).then_some(predicate)
    };
    let predicate = relative.or_else(of_pronoun).filter(|predicate| opens_with_verb(predicate))?;
    is_plain(name).then_some((name, predicate, [before, after]))
}

/// A subject of few words that an apposition follows: "The femur" of "The femur, the longest bone, ...".
fn before_apposition(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once(", ")?;
    let words: Vec<&str> = name.unicode_words().collect();
    let (first, others) = words.split_first()?;
    let is_noun =
        is_determiner(&first.to_lowercase()) && others.len() <= 2 && !others.iter().any(|word| is_finite(word));
    (is_noun && NOUN_PHRASES.iter().any(|word| rest.starts_with(word))).then_some(name)
}

/// The most words of a subject: a longer one probably includes a verb that was not recognised.
const LONGEST_NAME: usize = 8;

/// The greatest depth of recursion: deeper sentences stay in one piece.
const DEEPEST: usize = 32;

/// A sentence's introduction with its comma and space, and the rest.
fn introduction(text: &str) -> (&str, &str) {
    let first = first_word(text).to_lowercase();
    if is_participle(&first)
        && !LINKS.has(&first)
        && text.unicode_words().nth(1).is_some_and(is_preposition)
        && let Some((said, rest)) = text.split_once(", ")
        && subject(rest).is_some()
        && !said.unicode_words().skip(1).any(is_surely_finite)
    {
        return text.split_at(text.len() - rest.len());
    }
    let (introduction, rest) = introduced(text);
    let year = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',').trim_start().len();
    if introduction.is_empty() { ("", text) } else { text.split_at(introduction.len() + year) }
}

/// The verb of a sentence with a subject of its own, if there is a word in its place.
fn verb_of(sentence: &str) -> Option<&str> {
    let (_, rest) = introduction(sentence);
    Some(first_word(without_adverbs(rest.strip_prefix(without_last_adverb(subject(rest)?))?)))
        .filter(|verb| !verb.is_empty())
}

/// A name without the adverb of its verb: "Manalo" of "Manalo nearly".
fn without_last_adverb(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((name, last)) if last.starts_with(char::is_lowercase) && is_adverb(last) => name,
        _ => name,
    }
}

/// Whether a name can be the subject of facts by itself: nothing stands beside it.
fn is_plain(name: &str) -> bool {
    let has_clause = SUBORDINATING.iter().any(|word| name.contains(word));
    let is_short = name.split_whitespace().count() <= LONGEST_NAME;
    is_short && !name.contains(',') && !has_clause && !is_preposition(&first_word(name).to_lowercase())
}

/// Whether a pronoun with its `predicate`, after the predicate `before` of `name`, means `name`.
fn means(pronoun: &str, predicate: &str, name: &str, before: &str) -> bool {
    let object = match pronoun {
        "he" => "him",
        "she" => "her",
        "it" => "it",
        _ => "them",
    };
    if before.unicode_words().any(|word| word == object) {
        return false; // two are spoken of: "Doctors diagnosed her, and she"
    }
    let name = capitalised(name);
    let mut resolver = PronounResolver::new(None);
    resolver.read(&format!("{name} {before}."), false);
    resolver.read(&format!("{} {predicate}.", capitalised(pronoun)), false).is_some_and(|read| read.starts_with(&name))
}

/// The pronoun that is the subject, the words before it, "" or such as "in 1911 ", and what follows it.
fn after_pronoun(text: &str) -> Option<(&str, &str, &str)> {
    let at = if is_preposition(first_word(text)) { text.find(|c: char| c.is_ascii_digit())? } else { 0 };
    let at = if at > 0 { at + text[at..].find(' ')? + 1 } else { 0 };
    let rest = &text[at..];
    SUBJECT_PRONOUNS.iter().find_map(|pronoun| Some((pronoun.trim_end(), &text[..at], rest.strip_prefix(pronoun)?)))
}

/// The name that a text ends with.
fn name_at_the_end(text: &str) -> Option<&str> {
    let last = entities(text).pop().filter(|entity| entity.span.end == text.len())?;
    let is_name = !matches!(last.kind, EntityKind::Cardinal | EntityKind::Ordinal | EntityKind::Date);
    let start = if text[..last.span.start].ends_with(" the ") { last.span.start - 4 } else { last.span.start };
    (is_name && !text[..start].ends_with(" and ")).then(|| &text[start..])
}

/// The three or four names of a list that ends a predicate, and what stands before it; `None` if there is no such list,
/// or if the predicate may hold only of all of them together, as after "between" or a number.
fn list(text: &str) -> Option<(&str, Vec<&str>)> {
    let (rest, last) = text.rsplit_once(" and ")?;
    let items: Vec<&str> = rest.trim_end_matches(',').split(", ").collect();
    let (first, others) = items.split_first().filter(|(_, others)| (1..=2).contains(&others.len()))?;
    let start = name_at_the_end(first)?;
    let before = &first[..first.len() - start.len()];
    let is_name = |item: &&str| {
        let bare = item.strip_prefix("The ").or_else(|| item.strip_prefix("the ")).unwrap_or(item);
        name_at_the_end(bare).is_some_and(|name| name.len() == bare.len())
    };
    let words: Vec<&str> = before.unicode_words().collect();
    let (head, link) = (words.first()?, words.last()?);
    let holds_of_each = opens_with_verb(before)
        && !before.contains(" and ")
        && !SUBORDINATING.iter().any(|word| before.contains(word))
        && !["are", "were", "of", "between", "among", "from", "into"].contains(link)
        && !["consists", "comprises", "consisted", "comprised", "combines", "combined", "united"].contains(head)
        && !entities(before).iter().any(|entity| entity.kind == EntityKind::Cardinal);
    let names: Vec<&str> = [start].into_iter().chain(others.iter().copied()).chain([last]).collect();
    (holds_of_each && names.iter().all(is_name)).then_some((before, names))
}

/// The next connector from a byte on, and its place.
fn next_connector(text: &str, from: usize) -> Option<(usize, &'static str)> {
    let found = CONNECTORS.iter().filter_map(|connector| Some((from + text[from..].find(connector)?, *connector)));
    found.min_by_key(|(at, _)| *at)
}

/// The auxiliary verb of the predicate `before` that a participle at the start of `after` shares: "was designed and
/// built". `shared` is the one that `before` shares with an earlier predicate, or "".
fn shared_auxiliary<'a>(shared: &'a str, before: &'a str, after: &str) -> Option<&'a str> {
    let mut words = without_adverbs(before).unicode_words();
    let auxiliary = if shared.is_empty() { words.next()? } else { shared };
    if !is_participle(words.find(|word| !is_adverb(word))?) {
        return None;
    }
    let mut next = without_adverbs(after).unicode_words();
    let verb = next.next().filter(|verb| is_participle(verb))?;
    let is_passive = !is_finite(verb)
        || !is_intransitive(verb) && next.next().is_none_or(|word| is_preposition(word) || is_adverb(word));
    let shares = match auxiliary {
        "is" | "are" | "was" | "were" => is_passive,
        "has" | "have" | "had" => !is_finite(verb),
        _ => false,
    };
    shares.then_some(auxiliary)
}

/// Whether the verb of `after` can have the subject of `before`: they have the same tense, or it is surely a verb.
fn agree(before: &str, after: &str) -> bool {
    let verb = first_word(without_adverbs(after));
    let next = without_adverbs(after).unicode_words().nth(1);
    let has_object = next.is_some();
    let last = before.unicode_words().next_back().unwrap_or_default();
    let ends_no_list = last.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    // "shows animals and plants from Africa"
    let may_end_list = last.ends_with('s') && !ends_no_list && is_third_person(verb) || verb.ends_with("eed");
    if may_end_list && !next.is_some_and(is_determiner) {
        return is_surely_finite(verb);
    }
    is_surely_finite(verb)
        || ends_no_list && is_third_person(verb) && next.is_some_and(|word| is_preposition(word) || is_determiner(word))
        || has_object && is_past_sentence(before) == is_past_sentence(after)
        || has_object && ["has", "have"].contains(&first_word(before)) && !is_third_person(verb)
}

/// Whether a predicate is in the past.
fn is_past_sentence(predicate: &str) -> bool {
    let verb = first_word(without_adverbs(predicate));
    ["was", "were", "had", "did", "could", "would"].contains(&verb)
        || is_past(verb)
        || is_surely_finite(verb) && !is_third_person(verb) && !PRESENT.has(verb)
        || PARTICIPLES.has(verb) && is_finite(verb)
}

fn is_participle(word: &str) -> bool {
    PARTICIPLES.has(word) || word.len() > 4 && word.ends_with("ed")
}

fn is_intransitive(word: &str) -> bool {
    INTRANSITIVE.has(word)
}

fn is_adverb(word: &str) -> bool {
    BETWEEN.has(word)
        || ["again", "eventually", "not", "now", "soon", "then"].contains(&word)
        || word.ends_with("ly") && !NOUNS_IN_LY.has(word)
}

/// `text` without the adverbs that it begins with.
fn without_adverbs(text: &str) -> &str {
    let verb = text.unicode_word_indices().find(|(_, word)| !is_adverb(word));
    verb.map_or("", |(at, _)| &text[at..])
}

fn opens_with_verb(text: &str) -> bool {
    let first = first_word(without_adverbs(text));
    text.starts_with(char::is_lowercase) && is_finite(first)
}

fn first_word(text: &str) -> &str {
    text.unicode_words().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn facts(statement: &str) -> Vec<String> {
        atomic_facts(statement).into_iter().map(|fact| fact.text).collect()
    }

    #[test]
    fn a_statement_that_says_one_thing_is_one_fact() {
        for one in [
            "Iron is a metal.",
            "Tin and lead are soft.",
            "In 1903, she won a prize.",
            "Paris, Lyon, and Nice are cities.",
            "He wrote novels and plays in verse.",
            "Oliver Irving wrote and directed How to Be.",
            "The museum shows animals and plants from Africa.",
            "Compared with Earth, Mars is small.",
            "The hall has four walls, two of stone and the other two built of brick.",
        ] {
            assert_eq!(facts(one), [one]);
        }
    }

    #[test]
    fn predicates_of_one_subject_are_facts_of_their_own() {
        assert_eq!(
            facts("Marie Curie was born in Warsaw and won two Nobel Prizes, but died in France."),
            ["Marie Curie was born in Warsaw.", "Marie Curie won two Nobel Prizes.", "Marie Curie died in France."]
        );
        assert_eq!(
            facts("By contrast, silver has the symbol Ag and conducts electricity well."),
            ["By contrast, silver has the symbol Ag.", "Silver conducts electricity well."]
        );
        assert_eq!(
            facts("Before 1990, Germany was divided and had two governments."),
            ["Before 1990, Germany was divided.", "Before 1990, Germany had two governments."]
        );
        assert_eq!(
            facts("The butterfly lives in Asia and eats nectar."),
            ["The butterfly lives in Asia.", "The butterfly eats nectar."]
        );
        assert_eq!(
            facts("Curiosity landed on Mars in 2012 and runs on a battery."),
            ["Curiosity landed on Mars in 2012.", "Curiosity runs on a battery."]
        );
    }

    #[test]
    fn a_clause_in_brackets_is_a_fact() {
        assert_eq!(
            facts("Gold has the symbol Au (and it is the lightest metal)."),
            ["Gold has the symbol Au.", "Gold is the lightest metal."]
        );
        assert_eq!(
            facts("Mars has two moons (it had three until 1999) and no rings."),
            ["Mars has two moons and no rings.", "Mars had three until 1999."]
        );
        assert_eq!(
            facts("Elizabeth Taylor (who was born in London) won two Oscars."),
            ["Elizabeth Taylor won two Oscars.", "Elizabeth Taylor was born in London."]
        );
        for one in ["The summit is 8,849 metres (29,032 feet) high.", "Bern (the capital) lies on the Aare."] {
            assert_eq!(facts(one), [one]);
        }
    }

    #[test]
    fn participles_share_their_auxiliary_verb() {
        assert_eq!(
            facts("The Eiffel Tower was designed and constructed by a company."),
            ["The Eiffel Tower was designed.", "The Eiffel Tower was constructed by a company."]
        );
        assert_eq!(
            facts("The picture was painted by Leonardo and stolen in 1911 and found again two years later."),
            [
                "The picture was painted by Leonardo.",
                "The picture was stolen in 1911.",
                "The picture was found again two years later."
            ]
        );
        assert_eq!(
            facts("Albert Einstein was born in Ulm and moved to Munich."),
            ["Albert Einstein was born in Ulm.", "Albert Einstein moved to Munich."]
        );
    }

    #[test]
    fn an_aside_is_a_fact() {
        assert_eq!(
            facts("Alan Turing, a mathematician, was born in London."),
            ["Alan Turing was a mathematician.", "Alan Turing was born in London."]
        );
        assert_eq!(
            facts("Mercury, another metal, is solid at room temperature."),
            ["Mercury is another metal.", "Mercury is solid at room temperature."]
        );
        assert_eq!(facts("Mars, which has two moons, is red."), ["Mars has two moons.", "Mars is red."]);
        assert_eq!(
            facts("The tower was designed by Gustave Eiffel, who was born in Dijon."),
            ["The tower was designed by Gustave Eiffel.", "Gustave Eiffel was born in Dijon."]
        );
        assert_eq!(
            facts("The car was built by Karl Benz, a German engineer."),
            ["The car was built by Karl Benz.", "Karl Benz was a German engineer."]
        );
        assert_eq!(
            facts("Born in Ulm in 1879, Albert Einstein won a Nobel Prize."),
            ["Albert Einstein was born in Ulm in 1879.", "Albert Einstein won a Nobel Prize."]
        );
        let who = "Vera Rubin was taught by Hans Bethe, who was born in Strasbourg, and studied galaxies.";
        assert_eq!(facts(who), [who], "who studied galaxies is not clear");
    }

    #[test]
    fn a_sentence_with_its_own_subject_stands_alone() {
        assert_eq!(
            facts("Paris is the capital of France, and Rome is the capital of Italy; it lies on the Tiber."),
            ["Paris is the capital of France.", "Rome is the capital of Italy.", "Rome lies on the Tiber."]
        );
        assert_eq!(
            facts("Marie Curie won a prize in 1903, and in 1911 she won another."),
            ["Marie Curie won a prize in 1903.", "In 1911 Marie Curie won another."]
        );
        let pointing = "Vint Cerf described TCP/IP, and ARPANET switched to it in 1983.";
        assert_eq!(facts(pointing), [pointing], "alone, the second does not say to what");
        for other in [
            "Doctors diagnosed her with pleurisy, and she took a rest.",
            "Marie Curie married Pierre Curie in 1895, and he died in 1906.",
            "The tower was designed by Gustave Eiffel, and he died in 1923.",
            "The Romans conquered the Gauls, and they spoke Celtic languages.",
        ] {
            assert_eq!(facts(other), [other], "whom the pronoun means is not clear");
        }
    }

    #[test]
    fn each_of_three_or_four_names_is_a_fact() {
        assert_eq!(
            facts("Estonia borders Latvia, Russia and Finland."),
            ["Estonia borders Latvia.", "Estonia borders Russia.", "Estonia borders Finland."]
        );
        for one in [
            "The union consists of England, Scotland and Wales.",
            "The three capitals are Paris, Rome and Bern.",
            "Shakespeare wrote Romeo and Juliet.",
        ] {
            assert_eq!(facts(one), [one]);
        }
    }

    #[test]
    fn a_fact_knows_the_words_that_say_it() {
        let statement = " Alan Turing, a mathematician, was born in London and died in Wilmslow. ";
        let said: Vec<&str> = atomic_facts(statement).into_iter().map(|fact| &statement[fact.span]).collect();
        assert_eq!(said, ["a mathematician", "was born in London", "died in Wilmslow"]);
        assert_eq!(atomic_facts(" Iron rusts. ")[0], Fact { text: "Iron rusts.".into(), span: 1..12 });
    }

    proptest! {
        #[test]
        fn any_text_has_facts_and_each_a_place_in_it(
            text in r"(Iron |iron |Iron, |, |and |; |but |it |is |was |born in |designed |who |a |1911|\(|\) |é|\PC){0,20}"
        ) {
            let facts = atomic_facts(&text);
            prop_assert!(!facts.is_empty());
            for fact in facts {
                prop_assert!(text.get(fact.span).is_some());
            }
        }
    }
}
