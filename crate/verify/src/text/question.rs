//! A short answer read with its question: "Michelangelo." to "Who painted the Mona Lisa?" says "Michelangelo painted
//! the Mona Lisa.". Where no rule makes a sentence of both, they stand side by side.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::{
    AFFIRMATIONS, APPROXIMATIONS, AUXILIARIES, CARDINALS, COMPARATIVES, DENIALS, MEASURES, MONTHS, PARTICIPLES,
};
use crate::text::kinds::without_remark;
use crate::text::verbs::{form, is_auxiliary, is_base, is_finite, is_past, is_surely_finite, is_third_person};
use crate::text::words::{Word, capitalised, is_determiner, is_preposition, starts, strip, uncapitalised, words};

/// A short `answer` joined with its `question` into a statement; `None` if `answer` stands alone or `question` asks for
/// no such answer.
pub(crate) fn with_question(answer: &str, question: &str) -> Option<String> {
    let question = question.trim();
    let asked = last_sentence(question);
    let bare = answer.trim().trim_end_matches(['.', '!']).trim();
    if bare.is_empty() || question.is_empty() {
        return None;
    }
    let thing = thing_asked_for(asked);
    if thing.is_none() && asks_favour(asked) {
        return None;
    }
    if let Some(holds) = yes_or_no(bare) {
        return Some(confirmed(asked, holds).unwrap_or_else(|| side_by_side(question, answer)));
    }
    let bare = [
        "the answer is ",
        "the correct answer is ",
        "it is ",
        "it's ",
        "it was ",
        "that is ",
        "that's ",
        "that was ",
        "that would be ",
        "they are ",
        "it would be ",
    ]
    .iter()
    .find_map(|opening| {
        strip(without_remark(bare), opening)
            .filter(|rest| opening.contains("answer") || opening.starts_with("that") || is_name(rest))
    })
    .unwrap_or(bare);
    let bare = [", which ", ", who ", ", although ", ", though ", ", but "]
        .iter()
        .find_map(|clause| bare.split_once(clause))
        .map_or(bare, |(said, _)| said);
    if let Some(thing) = thing {
        let said = if CARDINALS.has(&bare.to_lowercase()) { uncapitalised(bare) } else { bare.to_owned() };
        return is_short(bare).then(|| format!("The {thing} is {said}."));
    }
    if !is_short(bare) || !is_question(asked) {
        return None;
    }
    Some(joined(asked, bare).unwrap_or_else(|| side_by_side(question, &format!("{}.", capitalised(bare)))))
}

/// Whether an answer is a yes or no and nothing else.
pub(crate) fn is_yes_or_no(answer: &str) -> bool {
    yes_or_no(answer.trim().trim_end_matches(['.', '!'])).is_some()
}

/// What a question in the imperative asks for: "capital of Peru" of "Tell me the capital of Peru.".
fn thing_asked_for(asked: &str) -> Option<&str> {
    let asked = asked.trim_end_matches(['.', '?', '!']);
    let polite = ["please ", "can you ", "could you ", "would you "];
    let bare = polite.iter().find_map(|opening| strip(asked, opening)).unwrap_or(asked);
    let bare = strip(bare, "please ").unwrap_or(bare);
    let orders = ["tell me the ", "give me the ", "name the ", "state the ", "say the "];
    let thing = orders.iter().find_map(|order| strip(bare, order))?;
    let first = thing.unicode_words().next()?.to_lowercase();
    let is_told_at_length = matches!(first.as_str(), "story" | "history" | "difference" | "differences" | "steps");
    (!is_told_at_length && !first.ends_with('s')).then_some(thing)
}

/// Whether the question asks the chatbot to do something: "Can you tell me ...?".
fn asks_favour(asked: &str) -> bool {
    let mut words = asked.unicode_words().map(str::to_lowercase);
    let first = words.next().unwrap_or_default();
    matches!(first.as_str(), "can" | "could" | "would" | "will" | "please" | "may" | "should")
        && matches!(words.next().as_deref(), Some("you" | "i" | "we" | "tell" | "explain" | "list" | "give"))
}

fn side_by_side(question: &str, answer: &str) -> String {
    format!("{question} {}", answer.trim())
}

/// The question itself, where other sentences stand before it.
fn last_sentence(question: &str) -> &str {
    let bare = question.trim_end_matches(['?', '.', '!', ' ']);
    bare.rfind(['.', '?', '!'])
        .filter(|&at| bare[at + 1..].starts_with(' '))
        .map_or(question, |at| question[at + 1..].trim())
}

fn is_question(asked: &str) -> bool {
    let first = asked.unicode_words().next().unwrap_or_default().to_lowercase();
    asked.ends_with('?') || matches!(first.as_str(), "who" | "what" | "when" | "where" | "which" | "how" | "name")
}

/// `true` for a yes, `false` for a no, and `None` for anything else. An echo of the question may follow: "No, it
/// isn't".
fn yes_or_no(answer: &str) -> Option<bool> {
    let words = words(answer);
    let (yes, no) = (starts(&words, &AFFIRMATIONS), starts(&words, &DENIALS));
    let rest = &words[yes.max(no)..];
    (yes != no && (rest.is_empty() || is_echo(rest))).then_some(yes > no)
}

/// "it is", "he didn't", "they are not": nothing but the question's own words.
fn is_echo(words: &[Word]) -> bool {
    match words.iter().map(|word| word.lower.as_str()).collect::<Vec<_>>()[..] {
        ["it's" | "they're" | "he's" | "she's", "not"] => true,
        ["it" | "they" | "he" | "she" | "this" | "that" | "there" | "you" | "we", verb]
        | ["it" | "they" | "he" | "she" | "this" | "that" | "there", verb, "not"] => is_auxiliary(verb),
        _ => false,
    }
}

/// The statement that a yes-no question asks about, or its negation.
fn confirmed(asked: &str, holds: bool) -> Option<String> {
    for opening in [
        "true or false: ",
        "true or false, ",
        "true or false? ",
        "is it true that ",
        "is this true: ",
        "is it correct that ",
        "is the following true: ",
        "is this statement true: ",
    ] {
        if let Some(statement) = strip(asked, opening) {
            let statement = statement.trim_matches(['?', '.', '"', '“', '”', ' ']);
            return Some(if holds { format!("{}.", capitalised(statement)) } else { negated(statement) });
        }
    }
    let bare = asked.trim_end_matches(['?', '.', ' ']);
    let (aux, rest) = bare.split_once(' ')?;
    let aux = aux.to_lowercase();
    if !AUXILIARIES.has(&aux) {
        // A statement that ends with a question mark, or none.
        let is_statement = bare.split_whitespace().skip(1).any(is_surely_finite)
            && !matches!(aux.as_str(), "who" | "what" | "when" | "where" | "which" | "how" | "why");
        return is_statement.then(|| if holds { format!("{}.", capitalised(bare)) } else { negated(bare) });
    }
    let (subject, said) = subject_and_rest(rest, matches!(aux.as_str(), "is" | "are" | "was" | "were"))?;
    let subject = capitalised(subject);
    Some(match (aux.as_str(), holds) {
        ("do" | "does" | "did", true) => format!("{subject} {}.", inflected(said, &aux)),
        (_, true) => format!("{subject} {aux} {said}."),
        (_, false) => format!("{subject} {aux} not {said}."),
    })
}

/// "It is not true that ...", or "not" behind the first verb that takes it.
fn negated(statement: &str) -> String {
    let mut at = 0;
    for word in statement.split_inclusive(' ') {
        let end = at + word.len();
        let bare = word.trim();
        if at > 0
            && matches!(bare, "is" | "are" | "was" | "were" | "can" | "could" | "will" | "would" | "has" | "had")
            && end < statement.len()
        {
            let next = statement[end..].split_whitespace().next().unwrap_or_default();
            if matches!(bare, "has" | "had") && !is_past(next) && next != "been" {
                break;
            }
            return format!("{}not {}.", capitalised(&statement[..end]), &statement[end..]);
        }
        at = end;
    }
    format!("It is not true that {}.", uncapital(statement))
}

/// Where the subject of an inverted question ends: "the heart | a muscle", "Einstein | win a Nobel Prize".
fn subject_and_rest(rest: &str, is_copula: bool) -> Option<(&str, &str)> {
    let words: Vec<(usize, &str)> =
        rest.split_word_bound_indices().filter(|(_, w)| w.starts_with(char::is_alphanumeric)).collect();
    let lower = |i: usize| words.get(i).map(|(_, word)| word.to_lowercase()).unwrap_or_default();
    let is_capital = |i: usize| words.get(i).is_some_and(|(_, word)| word.starts_with(char::is_uppercase));
    let mut end = 0;
    if matches!(lower(0).as_str(), "there" | "it" | "he" | "she" | "they" | "you" | "we") {
        end = 1;
    } else {
        if is_determiner(&lower(end)) && lower(end + 1) != "of" {
            end += 1;
        }
        if is_capital(end) {
            while is_capital(end)
                || matches!(lower(end).as_str(), "of" | "de" | "van" | "von" | "da" | "the") && is_capital(end + 1)
                || (lower(end) == "and" && is_capital(end + 1))
            {
                end += 1;
            }
        } else if end < words.len() {
            end += 1;
            // "the speed of light", "the human heart": the subject ends before the first word that cannot belong to its
            // noun.
            while end < words.len() {
                let word = lower(end);
                if matches!(word.as_str(), "of" | "and") && end + 1 < words.len() {
                    end += 1 + usize::from(is_determiner(&lower(end + 1)));
                    end += 1;
                    while is_capital(end) {
                        end += 1;
                    }
                    continue;
                }
                let is_noun_next = !is_copula && words.len() > end + 1 && !is_base(&word) && !is_adverb(&word);
                if is_noun_next {
                    end += 1;
                    continue;
                }
                break;
            }
        }
    }
    if is_copula && end < words.len() && !is_capital(end) {
        // "Is iron ore a metal": what follows a subject is an article, an adjective, a participle or a preposition.
        let word = lower(end);
        let next = lower(end + 1);
        let is_rest = is_determiner(&word)
            || is_preposition(&word)
            || is_past(&word)
            || is_adverb(&word)
            || end + 1 == words.len()
            || is_preposition(&next)
            || matches!(next.as_str(), "than" | "to" | "enough")
            || word.starts_with(|c: char| c.is_ascii_digit())
            || PARTICIPLES.has(&word)
            || COMPARATIVES.has(&word);
        if !is_rest {
            return None;
        }
    }
    let (at, _) = *words.get(end)?;
    let subject = rest[..at].trim();
    (!subject.is_empty() && !subject.contains([',', ';'])).then(|| (subject, rest[at..].trim()))
}

fn is_adverb(word: &str) -> bool {
    word.ends_with("ly")
        || matches!(word, "ever" | "always" | "never" | "also" | "still" | "really" | "actually" | "usually" | "not")
}

/// The predicate `said` without its auxiliary `aux`: "win a prize" is "won a prize" for "did", "wins a prize" for
/// "does".
fn inflected(said: &str, aux: &str) -> String {
    let (mut adverbs, mut rest) = (String::new(), said);
    while let Some((adverb, behind)) = rest.split_once(' ').filter(|(verb, _)| is_adverb(verb)) {
        if behind.trim_start().is_empty() {
            break;
        }
        adverbs = adverbs + adverb + " ";
        rest = behind.trim_start();
    }
    let verb = rest.split(' ').next().unwrap_or_default();
    if is_adverb(verb) {
        return adverbs + rest;
    }
    format!("{adverbs}{}{}", form(verb, aux), &rest[verb.len()..])
}

/// Whether an answer is a few words that need their question: no verb stands in it.
fn is_short(answer: &str) -> bool {
    let words: Vec<&str> = answer.unicode_words().collect();
    let is_verb = |(i, word): (usize, &&str)| {
        let lower = word.to_lowercase();
        let is_small = !word.starts_with(char::is_uppercase);
        i > 0
            && is_small
            && (is_surely_finite(&lower)
                || (is_finite(&lower)
                    && !is_past(&lower)
                    && words.get(i + 1).is_some_and(|next| {
                        matches!(*next, "the" | "a" | "an" | "in" | "at" | "from" | "by" | "on" | "to")
                    })))
    };
    const PRONOUNS: [&str; 8] = ["he", "she", "it", "they", "we", "you", "i", "there"];
    let is_clause =
        words.len() > 2 && words.first().is_some_and(|word| PRONOUNS.contains(&word.to_lowercase().as_str()));
    words.len() <= 9 && !words.is_empty() && !is_clause && !words.iter().enumerate().any(is_verb)
}

fn is_name(text: &str) -> bool {
    let first = text.unicode_words().next().unwrap_or_default();
    let bare = strip(text, "the ").unwrap_or(text);
    is_short(text)
        && (bare.starts_with(char::is_uppercase)
            || first.starts_with(|c: char| c.is_ascii_digit())
            || matches!(first, "in" | "on" | "at" | "about"))
}

/// The statement that a question with a question word and its short answer make together; `None` if no rule fits.
fn joined(asked: &str, answer: &str) -> Option<String> {
    let bare = asked.trim_end_matches(['?', '.', ' ']);
    let lower = bare.to_lowercase();
    let words: Vec<&str> = bare.split_whitespace().collect();
    let at = |i: usize| words.get(i).map(|word| word.to_lowercase()).unwrap_or_default();
    let rest = |i: usize| words.get(i..).map(|words| words.join(" ")).unwrap_or_default();
    let is_be = |word: &str| matches!(word, "is" | "are" | "was" | "were");
    let is_do = |word: &str| matches!(word, "do" | "does" | "did");
    let (name, opens) = (capitalised(answer), uncapital_article(answer));
    match (at(0).as_str(), at(1).as_str()) {
        ("who" | "what", be) if is_be(be) && words.len() > 2 => {
            let said = rest(2);
            let first = at(2);
            // "Who was elected in 1860?" asks for the subject, "Who was the first president?" for what it was.
            let is_predicate = is_past(&first) || PARTICIPLES.has(&first);
            Some(if is_predicate || at(0) == "who" && !first.starts_with("the") && is_lower(words[2]) {
                format!("{name} {be} {said}.")
            } else {
                format!("{} {be} {opens}.", capitalised(&said))
            })
        }
        ("who" | "what" | "which", verb)
            if words.len() > 2
                && !is_do(verb)
                && !is_be(verb)
                && (is_surely_finite(verb) || is_past(verb) || is_third_person(verb))
                && at(0) != "which"
                && !matches!(verb, "can" | "could" | "has" | "have" | "had" | "will" | "would") =>
        {
            Some(format!("{name} {}.", rest(1)))
        }
        ("which" | "what", _) => {
            let aux = (1..words.len().min(6)).find(|&i| {
                i > 1 && is_lower(words[i]) && (is_surely_finite(&at(i)) || is_past(&at(i)) || is_third_person(&at(i)))
            })?;
            let verb = at(aux);
            if is_do(&verb)
                || matches!(verb.as_str(), "can" | "could" | "has" | "have" | "had" | "will" | "would")
                    && aux + 2 < words.len()
                    && !is_past(&at(aux + 1))
                    && !matches!(at(aux + 1).as_str(), "the" | "a" | "an" | "its" | "no" | "more" | "most" | "two")
            {
                return None;
            }
            if is_be(&verb) && words.get(aux + 1).is_some_and(|word| word.starts_with(char::is_uppercase)) {
                return None;
            }
            Some(format!("{name} {}.", rest(aux)))
        }
        ("when" | "where", aux) if (is_be(aux) || is_do(aux)) && words.len() > 2 => {
            let said = rest(2);
            let answer = if at(0) == "when" { when(&opens) } else { place(&opens) };
            if is_be(aux) {
                let last = words.last().copied().unwrap_or_default().to_lowercase();
                let cut = (3..words.len()).find(|&i| is_past(&at(i)) || PARTICIPLES.has(&at(i)) && !is_base(&at(i)));
                return Some(match cut {
                    Some(cut) => format!("{} {aux} {} {answer}.", capitalised(&words[2..cut].join(" ")), rest(cut)),
                    None if !is_preposition(&last) => format!("{} {aux} {answer}.", capitalised(&said)),
                    None => return None,
                });
            }
            let (subject, verb) = subject_and_rest(&said, false)?;
            Some(format!("{} {} {answer}.", capitalised(subject), inflected(verb, aux)))
        }
        ("how", "many") => {
            let aux = (2..words.len()).find(|&i| is_do(&at(i)) || is_be(&at(i)))?;
            let noun = words[2..aux].join(" ");
            let counted = if answer.to_lowercase().contains(&noun.to_lowercase()) {
                opens.clone()
            } else {
                format!("{opens} {noun}")
            };
            if at(aux + 1) == "there" || at(aux) == "are" && at(aux + 1) == "in" {
                return Some(format!(
                    "There are {counted} {}.",
                    rest(if at(aux + 1) == "there" { aux + 2 } else { aux + 1 })
                ));
            }
            if !is_do(&at(aux)) {
                return None;
            }
            let said = rest(aux + 1);
            let padded = format!("{said} ");
            let (subject, verb) = subject_and_rest(&padded, false)?;
            let (verb, behind) = verb.split_once(' ').unwrap_or((verb, ""));
            let behind = if behind.is_empty() { String::new() } else { format!(" {behind}") };
            Some(format!("{} {} {counted}{behind}.", capitalised(subject), form(verb, &at(aux))))
        }
        ("how", measure) if is_be(&at(2)) && words.len() > 3 && MEASURES.has(measure) => {
            let unit = if matches!(measure, "tall" | "high" | "long" | "deep" | "wide" | "old")
                && !lower.contains("away")
                && !answer.to_lowercase().contains(measure)
            {
                format!(" {measure}")
            } else {
                String::new()
            };
            Some(format!("{} {} {opens}{unit}.", capitalised(&rest(3)), at(2)))
        }
        _ => None,
    }
}

fn is_lower(word: &str) -> bool {
    word.starts_with(char::is_lowercase)
}

/// "in 1889" for "1889", "on 4 July 1776" for a day.
fn when(answer: &str) -> String {
    let first = answer.split_whitespace().next().unwrap_or_default();
    let is_year = answer.split_whitespace().count() == 1 && first.chars().take(4).all(|c| c.is_ascii_digit());
    let has_month = MONTHS.iter().any(|month| answer.to_lowercase().contains(month));
    if is_year
        || (has_month && answer.split_whitespace().count() == 2 && !first.starts_with(|c: char| c.is_ascii_digit()))
    {
        format!("in {answer}")
    } else if has_month && !is_preposition(&first.to_lowercase()) {
        format!("on {answer}")
    } else {
        answer.to_owned()
    }
}

fn place(answer: &str) -> String {
    let first = answer.split_whitespace().next().unwrap_or_default().to_lowercase();
    if is_preposition(&first) || first == "near" { answer.to_owned() } else { format!("in {answer}") }
}

fn uncapital(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    if matches!(first, "The" | "A" | "An" | "All" | "It" | "There" | "Most" | "Some")
        || text.chars().nth(1).is_some_and(char::is_lowercase)
            && first.len() > 1
            && first.ends_with('s')
            && !first.ends_with("us")
    {
        return uncapitalised(text);
    }
    text.to_owned()
}

/// An answer as it stands within a sentence: "in 1889" for "In 1889". Names are kept as they are.
fn uncapital_article(answer: &str) -> String {
    let first = answer.split_whitespace().next().unwrap_or_default();
    let lower = first.to_lowercase();
    let is_small = is_preposition(&lower) || is_determiner(&lower) || APPROXIMATIONS.has(&lower);
    if is_small { format!("{lower}{}", &answer[first.len()..]) } else { answer.to_owned() }
}
