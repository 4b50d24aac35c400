//! The kind of a sentence: a claim, which evidence can support, or something else.
//!
//! The rules are for English. A sentence that none of them matches is a claim. Courtesies and remarks at the beginning
//! are skipped, so that the kind is that of what follows "Of course," and "Please note that".

use crate::report::SentenceKind;
use crate::text::english::{
    ADVERBS, AHEAD, APOLOGIES, BELIEFS, BETWEEN, CLAUSES, COPULAS, COURTESIES, DEGREES, EXPECTED, FORETOLD, LIKED,
    MINE, MORAL, NAMED_ORDERS, OBJECTS, OFFERS, OPENINGS, PARTICIPLES, PLURALS, POINTING, Phrases, RANKED, REMARKS,
    REPORTED, SELF, SILENCES, SOURCES, TASTE, THINKING, VIEWS, WISHED,
};
use crate::text::language::are_foreign;
use crate::text::sentences::Sentence;
use crate::text::verbs::{is_base, is_finite, is_past, is_surely_finite, is_third_person};
use crate::text::words::{Word, has, is_adjective, is_determiner, is_preposition, says, starts, words};

impl SentenceKind {
    /// The kind of each sentence of an answer.
    #[must_use]
    pub fn of_all(sentences: &[Sentence]) -> Vec<Self> {
        let are_foreign = are_foreign(sentences.iter().map(|sentence| sentence.text.as_str()));
        let kind_of = |(sentence, is_foreign)| if is_foreign { Self::Language } else { Self::of(sentence) };
        sentences.iter().zip(are_foreign).map(kind_of).collect()
    }

    /// The kind of one sentence, which is in English.
    fn of(sentence: &Sentence) -> Self {
        if !sentence.heading && is_denied(&sentence.text) {
            return Self::Denied;
        }
        let text = sentence.text.trim_matches(|c: char| !c.is_alphanumeric() && !"?？؟:：.．!…。%°)".contains(c));
        if text.trim_end_matches(')').ends_with(['?', '？', '؟']) {
            return Self::Question;
        }
        if sentence.heading || text.ends_with([':', '：']) && !leads_with_claim(&words(text)) {
            return Self::Fragment;
        }
        let all = words(text);
        let (said, is_belief) = without_opening(&all);
        if said.is_empty() || is_courtesy(said) || is_about_answer(said) {
            Self::Pleasantry
        } else if let Some(kind) = of_first_person(said) {
            kind
        } else if !sentence.row && is_fragment(text, said) {
            Self::Fragment
        } else if is_advice(said) {
            Self::Instruction
        } else if is_forecast(said) {
            Self::Forecast
        } else if is_judgment(said) {
            if is_belief { Self::Opinion } else { Self::Judgment }
        } else {
            Self::Claim
        }
    }
}

/// Labels with which an answer calls a statement false.
const LABELS_OF_FALSE: [&str; 12] = [
    "myth",
    "common myth",
    "popular myth",
    "misconception",
    "common misconception",
    "false belief",
    "false",
    "false claim",
    "incorrect",
    "wrong",
    "fiction",
    "not true",
];

/// Returns true if an answer calls the statement false: "Myth: ...", "Misconception 2 – ...", "❌ ...". A dash after a
/// label must have spaces around it.
fn is_denied(text: &str) -> bool {
    const CROSSES: [char; 5] = ['❌', '❎', '✗', '✘', '✖'];
    let bare = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    if text[..text.len() - bare.len()].contains(CROSSES) {
        return true;
    }
    let ends = [": ", "：", " – ", " — ", " - "].iter().filter_map(|end| Some((bare.find(end)?, end.len())));
    let Some((end, length)) = ends.min() else { return false };
    let label = bare[..end].trim_end_matches(|c: char| c.is_numeric() || c == '#' || c.is_whitespace());
    LABELS_OF_FALSE.iter().any(|known| known.eq_ignore_ascii_case(label)) && !bare[end + length..].trim().is_empty()
}

/// True if the line before a list is a whole sentence: "The heart has five chambers:", but not "The chambers are:" or
/// "Here are three:".
fn leads_with_claim(words: &[Word]) -> bool {
    let verb = (1..words.len()).find(|&at| is_verb_of_clause(words, at));
    verb.is_some_and(|verb| {
        verb + 3 <= words.len()
            && !words.iter().any(|word| matches!(word.lower.as_str(), "following" | "include" | "includes"))
    }) && starts(words, &COURTESIES) == 0
}

/// The length in bytes of the courtesies and remarks at the start of `text`; 0 if nothing follows them.
pub(crate) fn opening(text: &str) -> usize {
    without_opening(&words(text)).0.first().map_or(0, |word| word.start)
}

/// The words without the courtesies and remarks at their start, and whether these include "I believe".
fn without_opening(mut words: &[Word]) -> (&[Word], bool) {
    let (mut is_belief, all) = (false, words.len());
    loop {
        let before = words.len();
        words = &words[starts(words, &REMARKS)..];
        let belief = starts(words, &BELIEFS);
        if belief > 0 && belief < words.len() {
            is_belief = true;
            words = &words[belief..];
        }
        let opening = starts(words, &OPENINGS);
        if opening > 0 && words[opening - 1].is_pause {
            words = &words[opening..];
        }
        if apologises(words) {
            let end =
                words.iter().position(|word| word.is_pause || word.lower == "but").map_or(words.len(), |at| at + 1);
            words = &words[end..];
        }
        words = &words[usize::from(words.first().is_some_and(|word| word.lower == "but"))..];
        if words.len() < all && words.first().is_some_and(|word| word.lower == "and") {
            words = &words[1..];
        }
        if words.len() == before {
            return (words, is_belief);
        }
    }
}

/// "Sorry for the confusion, ...", "Thanks for asking; ...", "As an AI model, ...".
fn apologises(words: &[Word]) -> bool {
    starts(words, &APOLOGIES) > 0
}

/// Whether it greets, thanks, offers or announces.
fn is_courtesy(words: &[Word]) -> bool {
    let courtesy = starts(words, &COURTESIES);
    // "Welcome news came" and "Hope is ..." are no wishes.
    let is_wish = courtesy > 1
        || words[0].is_pause
        || words.get(1).is_none_or(|next| WISHED.has(&next.lower) && !next.is_capital);
    courtesy > 0 && is_wish
        || matches!(words[0].lower.as_str(), "if" | "should" | "whenever")
            && (1..words.len()).any(|at| starts(&words[at..], &OFFERS) > 0)
}

/// Whether it speaks of the answer or of what it was made from: "This summary is short.", "The given documents do not
/// mention it.".
fn is_about_answer(words: &[Word]) -> bool {
    let at = |i: usize| words.get(i).map_or("", |word| word.lower.as_str());
    let of_itself = (matches!(at(0), "this" | "that" | "these" | "that's")
        && (1..4).any(|i| {
            SELF.has(at(i)) && (i == 1 || matches!(at(1), "is" | "was" | "the" | "short" | "brief" | "general"))
        }))
        || says(words, "that's the whole")
        || says(words, "that is the whole")
        || at(0) == "the" && matches!(at(1), "above" | "previous" | "following") && SELF.has(at(2));
    let is_given = |word: &str| {
        matches!(word, "provided" | "given" | "retrieved" | "search" | "your" | "uploaded" | "supplied" | "attached")
    };
    let is_source =
        |word: &str| matches!(word, "documents" | "sources" | "passages" | "excerpts" | "snippets" | "files");
    let names_sources = words.windows(2).any(|pair| {
        let (first, second) = (pair[0].lower.as_str(), pair[1].lower.as_str());
        is_given(first) && SOURCES.has(second)
            || first == "the" && is_source(second)
            || first == "you"
                && matches!(second, "shared" | "provided" | "uploaded" | "gave" | "attached" | "sent" | "pasted")
    });
    let of_training = words.windows(2).any(|pair| pair[0].lower == "training" && pair[1].lower == "data")
        && words.iter().any(|word| matches!(word.lower.as_str(), "my" | "i"));
    let is_denied = words.iter().any(|word| {
        matches!(word.lower.as_str(), "no" | "not" | "nothing" | "only" | "cannot" | "without")
            || word.lower.ends_with("n't")
    });
    let is_document = matches!(at(0), "the" | "this" | "your")
        && SOURCES.has(at(1))
        && matches!(
            at(2),
            "does" | "do" | "doesn't" | "don't" | "contains" | "contain" | "gives" | "says" | "makes" | "mentions"
        );
    let is_silent = is_denied && words.iter().any(|word| SILENCES.has(&word.lower));
    of_itself || of_training || (names_sources || is_document) && is_silent
}

/// The kind of a sentence in the first person: an opinion, or an offer and the like; `None` for any other sentence.
fn of_first_person(words: &[Word]) -> Option<SentenceKind> {
    if has(words, &VIEWS) {
        return Some(SentenceKind::Opinion);
    }
    let at = |i: usize| words.get(i).map_or("", |word| word.lower.as_str());
    let is_writer = match at(0) {
        // "I, Claudius" and "I is a letter" are not the writer.
        "i" => {
            !words[0].is_pause
                && words.len() > 1
                && !words[1].is_capital
                && !matches!(at(1), "is" | "was" | "of" | "and")
        }
        "i'm" | "i've" | "i'd" | "i'll" | "let's" | "we're" | "we'd" | "we'll" => true,
        "my" => MINE.has(at(1)),
        "we" => matches!(
            at(1),
            "hope" | "apologize" | "apologise" | "appreciate" | "thank" | "recommend" | "suggest" | "look" | "welcome"
        ),
        _ => false,
    };
    let offers =
        ["'d be", "would be happy", "would love to", "'d love to", "would like to", "'d like to", "can't", "cannot"];
    let is_offer = || {
        let said = words.iter().map(|word| word.lower.as_str()).collect::<Vec<_>>().join(" ");
        offers.iter().any(|offer| said.contains(offer))
    };
    let thinks = || words.iter().take(4).any(|word| THINKING.has(&word.lower));
    is_writer.then(|| if thinks() && !is_offer() { SentenceKind::Opinion } else { SentenceKind::Pleasantry })
}

/// Whether it is a few words without a verb: without a full stop up to twelve, with one up to five.
fn is_fragment(text: &str, words: &[Word]) -> bool {
    let is_stopped = text.trim_end_matches(')').ends_with(['.', '．', '!', '…', '。', '！', '।', '۔']);
    let is_latin = text.chars().all(|c| !c.is_alphabetic() || c < '\u{250}');
    if words.len() > 12 || !is_latin {
        return false;
    }
    if is_stopped {
        let is_verb = |word: &Word| {
            is_finite(&word.lower)
                || is_base(&word.lower)
                || word.lower.ends_with("n't")
                || word.lower.contains('\'') && !word.lower.ends_with("'s")
        };
        return words.len() <= 5 && !words.iter().any(is_verb);
    }
    if words.len() >= 3 && (begins_with_verb(words) || describes(words)) {
        return false;
    }
    !(1..words.len()).any(|at| is_verb_of_clause(words, at))
}

/// Whether the words begin with a verb whose subject is in a heading or lead-in: "Painted in 1503", "Hangs in the
/// Louvre".
fn begins_with_verb(words: &[Word]) -> bool {
    let first = words[0].lower.as_str();
    is_surely_finite(first)
        || (is_past(first) || PARTICIPLES.has(first)) && is_preposition(&words[1].lower)
        || is_third_person(first)
            && !PLURALS.has(first)
            && !words[0].is_pause
            && !matches!(words[1].lower.as_str(), "and" | "or" | "of")
}

/// Whether it names something and describes it behind a dash: "Saturn – less dense than water". A bare name, such as
/// "3. Earth", and a bare value, such as "Capital: Paris", do not.
fn describes(words: &[Word]) -> bool {
    let Some(mark) = words.iter().position(|word| word.is_dash) else { return false };
    words[0].is_capital && mark < 5 && words.len() - mark > 3
}

/// Whether the word at `at` is the verb of its clause, as far as its neighbours tell.
fn is_verb_of_clause(words: &[Word], at: usize) -> bool {
    let (word, before, next) = (words[at].lower.as_str(), &words[at - 1], words.get(at + 1));
    if words[at].is_capital {
        return false;
    }
    if is_surely_finite(word) {
        return true;
    }
    if is_past(word) {
        // "the lost city" and "gold refined" are no clauses.
        return !is_determiner(&before.lower) && next.is_some();
    }
    let after_noun = !is_determiner(&before.lower)
        && !before.is_pause
        && !is_adjective(&before.lower)
        && !before.lower.ends_with("'s");
    let follows = |next: &Word| !is_determiner(&next.lower) || matches!(next.lower.as_str(), "more" | "most");
    let agrees = before.lower.ends_with('s') && (at == 1 || next.is_some_and(follows));
    after_noun
        && next.is_some_and(|next| !matches!(next.lower.as_str(), "of" | "and" | "or") || word == "consists")
        && (is_base(word) && agrees || is_finite(word))
}

/// Whether a sentence tells the reader what to do.
fn is_advice(mut words: &[Word]) -> bool {
    let mut is_ordered = false;
    while let adverbs @ 1.. = starts(words, &ADVERBS)
        && adverbs < words.len()
    {
        is_ordered |= matches!(words[0].lower.as_str(), "please" | "always" | "never" | "simply" | "just");
        words = &words[adverbs..];
    }
    let first = words[0].lower.as_str();
    if CLAUSES.has(first) {
        let Some(comma) = words.iter().position(|word| word.is_pause).filter(|&comma| comma + 1 < words.len()) else {
            return false;
        };
        let rest = &words[comma + 1..];
        let is_wish = words.windows(2).take(3).any(|pair| {
            pair[0].lower == "you"
                && matches!(pair[1].lower.as_str(), "want" | "need" | "prefer" | "plan" | "wish" | "have" | "are")
        });
        let is_aim = matches!(first, "if" | "for" | "unless" | "before" | "when");
        return is_order(rest, true) || is_aim && is_recommended(rest, is_wish);
    }
    let is_quoted =
        words.windows(2).any(|pair| matches!(pair[0].lower.as_str(), "it" | "he" | "she") && pair[1].lower == "says");
    is_order(words, is_ordered) || is_recommended(words, false) && !is_quoted
}

/// "You should ...", "It is best to ...". With a wish before it, "you can ..." is advice too.
fn is_recommended(words: &[Word], is_wish: bool) -> bool {
    let at = |i: usize| words.get(i).map_or("", |word| word.lower.as_str());
    match at(0) {
        "you" => {
            matches!(at(1), "should" | "must" | "ought" | "shouldn't" | "mustn't" | "needn't" | "don't")
                || matches!(at(1), "need" | "have") && at(2) == "to"
                || matches!(at(1), "may" | "might" | "will" | "can" | "could")
                    && (is_wish || matches!(at(2), "want" | "wish" | "need" | "try" | "consider" | "also" | "always"))
        }
        "you'll" => matches!(at(1), "need" | "want" | "have") && at(2) == "to",
        "it's" | "it" => {
            let skip = if at(0) == "it" { 2 } else { 1 };
            let is_good = matches!(
                at(skip),
                "best"
                    | "advisable"
                    | "recommended"
                    | "wise"
                    | "helpful"
                    | "essential"
                    | "crucial"
                    | "important"
                    | "better"
            ) || at(skip) == "a" && at(skip + 1) == "good" && at(skip + 2) == "idea";
            (at(0) == "it's" || at(1) == "is")
                && is_good
                && words.iter().skip(skip).take(4).any(|word| word.lower == "to")
        }
        _ => false,
    }
}

/// Whether words are an order: they begin with a verb that has no subject. If another verb follows, the first word may
/// be a noun that is spelt like a verb.
fn is_order(words: &[Word], is_surely: bool) -> bool {
    const MOST_VERBS: usize = 12; // before commas: "Wash, peel, chop and boil them."
    (0..MOST_VERBS.min(words.len())).find_map(|at| begins_with_order(&words[at..], is_surely && at == 0)) == Some(true)
}

/// Whether words are an order; `None` if what follows their first word tells.
fn begins_with_order(words: &[Word], is_surely: bool) -> Option<bool> {
    let first = words.first()?;
    let at = |i: usize| words.get(i).map_or("", |word| word.lower.as_str());
    if at(0) == "don't" || at(0) == "do" && at(1) == "not" {
        let verb = at(if at(0) == "do" { 2 } else { 1 });
        return Some(is_base(verb) || verb == "be");
    }
    if matches!(at(0), "make" | "be")
        && matches!(at(1), "sure" | "careful" | "certain" | "aware" | "mindful" | "patient")
    {
        return Some(true);
    }
    if !is_base(at(0)) {
        let is_yours = matches!(at(1), "your" | "yourself")
            && !at(0).ends_with("ing")
            && !is_preposition(at(0))
            && !is_finite(at(0))
            && !is_determiner(at(0))
            && !first.is_pause;
        return Some(is_yours);
    }
    if at(0) == "have" && is_determiner(at(1)) && !is_surely || tells_fact(words) {
        return Some(false);
    }
    if words.len() == 1 {
        return Some(is_surely);
    }
    if first.is_pause {
        return matches!(at(0), "stop" | "wait" | "look" | "listen").then_some(true);
    }
    if at(0) == "back" && matches!(at(1), "in" | "at" | "on" | "home") {
        return Some(false); // "Back in England, she founded a school"
    }
    let is_participle = PARTICIPLES.has(at(0)) && is_preposition(at(1));
    if at(1) == "of" || is_surely_finite(at(1)) || is_participle && words.iter().take(12).any(|word| word.is_pause) {
        return Some(false); // "Set in Rome, the film ..."
    }
    let is_object =
        |word: &str| is_determiner(word) && !word.starts_with(|c: char| c.is_ascii_digit()) || OBJECTS.has(word);
    if is_object(at(1)) {
        return Some(true);
    }
    if has_own_verb(words) {
        return Some(false);
    }
    // "Mark Twain" and "Grant Wood" are names and no sentences; "Visit Paris" is an order.
    Some(!words[1].is_capital || NAMED_ORDERS.has(at(0)))
}

/// Whether the words have a verb to which the first is the subject: "Set theory was", "Heat flows from".
fn has_own_verb(words: &[Word]) -> bool {
    const CLAUSE: [&str; 13] =
        ["that", "which", "who", "when", "if", "because", "so", "until", "while", "before", "after", "where", "as"];
    let clause =
        words.iter().enumerate().skip(1).take(8).take_while(|(_, word)| !CLAUSE.contains(&word.lower.as_str()));
    for (i, word) in clause {
        let before = words[..i].iter().rev().find(|word| !BETWEEN.has(&word.lower)).unwrap_or(&words[0]);
        let lower = word.lower.as_str();
        let next = words.get(i + 1).map_or("", |word| word.lower.as_str());
        let after_noun =
            !is_determiner(&before.lower) && !is_adjective(&before.lower) && before.lower != "to" && !word.is_capital;
        let is_verb = is_surely_finite(lower)
            || is_past(lower) && !before.lower.ends_with("ly")
            || is_third_person(lower)
                && (i == 1 || !next.is_empty() && (!PLURALS.has(lower) || is_determiner(next) || next == "about"))
                && !matches!(next, "of" | "and" | "or")
            || i >= 2
                && before.lower.ends_with('s')
                && is_base(lower)
                && if i == 2 || BETWEEN.has(&words[i - 1].lower) { !next.is_empty() } else { is_preposition(next) };
        if after_noun && is_verb {
            return true;
        }
        if word.is_pause {
            break;
        }
    }
    false
}

/// Whether an order only tells the reader a fact: "Remember that ...", "Consider the whale: it ...".
fn tells_fact(words: &[Word]) -> bool {
    let at = |i: usize| words.get(i).map_or("", |word| word.lower.as_str());
    let names = matches!(at(0), "look" | "see" | "take" | "consider" | "meet")
        && words.windows(2).any(|pair| pair[0].is_pause && matches!(pair[1].lower.as_str(), "which" | "who" | "where"));
    names
        || POINTING.has(at(0))
            && (at(1) == "that"
                || words.iter().position(|word| word.is_colon).is_some_and(|colon| colon + 3 < words.len())
                || words
                    .windows(2)
                    .skip(2)
                    .any(|pair| pair[0].lower == "and" && matches!(pair[1].lower.as_str(), "it" | "they")))
}

/// Whether it is a forecast: it has a phrase such as "is expected to", or a verb such as "will" with a time to come or
/// a word such as "probably".
fn is_forecast(words: &[Word]) -> bool {
    let lower = |word: &str| words.iter().any(|each| each.lower == word);
    if words.iter().any(|word| FORETOLD.has(&word.lower)) {
        return false;
    }
    let year =
        |word: &Word| word.lower.trim_end_matches('s').parse::<u32>().ok().filter(|year| (2000..2200).contains(year));
    let from = |least: u32| words.iter().filter_map(year).any(|year| year >= least);
    let will =
        lower("will") || lower("won't") || lower("shall") || words.iter().any(|word| word.lower.ends_with("'ll"));
    let can = will || lower("could") || lower("may") || lower("might") || lower("would");
    let is_past = words
        .windows(2)
        .any(|pair| matches!(pair[0].lower.as_str(), "could" | "may" | "might" | "would") && pair[1].lower == "have");
    let surely = ["probably", "likely", "undoubtedly", "surely", "certainly", "continue", "obsolete"];
    !is_past && has(words, &EXPECTED)
        || can && (from(2027) || has(words, &AHEAD))
        || will && (from(2025) || surely.iter().any(|word| lower(word)))
}

/// Whether it says what is right or beautiful.
fn is_judgment(words: &[Word]) -> bool {
    if has(words, &REPORTED) {
        return false;
    }
    let at = |i: usize| words.get(i).map_or("", |word| word.lower.as_str());
    let find = |wanted: &[&str]| words.iter().position(|word| wanted.contains(&word.lower.as_str()));
    if let Some(should) = find(&["should", "ought", "shouldn't", "oughtn't"]) {
        let is_noted = at(should + 1) == "be" && matches!(at(should + 2), "noted" | "mentioned");
        let is_asked =
            words[..should].iter().any(|word| matches!(word.lower.as_str(), "where" | "what" | "how" | "why" | "when"));
        return should > 0 && at(0) != "if" && !is_noted && !is_asked;
    }
    let pair = |first: &str, second: &dyn Fn(&str) -> bool| {
        words.windows(2).any(|pair| pair[0].lower == first && second(&pair[1].lower))
    };
    if find(&["deserves", "deserve", "arguably"]).is_some()
        || pair("worth", &|word| word == "a" || word.ends_with("ing") || word == "it")
        || pair("a", &|word| word == "must")
        || at(0) == "nothing" && find(&["beats"]).is_some()
        || pair("matters", &|word| word == "more")
        || says(words, "don't waste")
        || says(words, "there is nothing")
        || says(words, "there's nothing")
    {
        return true;
    }
    let Some(copula) = words.iter().position(|word| COPULAS.has(&word.lower)) else { return false };
    let said = &words[copula + 1..];
    let end = said.iter().position(|word| word.is_pause).map_or(said.len(), |at| at + 1).min(10);
    let said = &said[..end];
    let leads = |i: usize| said[..i].iter().all(|word| DEGREES.has(&word.lower) || TASTE.has(&word.lower));
    let by_word = |list: &Phrases| said.iter().take(7).enumerate().any(|(i, word)| list.has(&word.lower) && leads(i));
    let by_rank = said
        .iter()
        .enumerate()
        .any(|(i, word)| RANKED.has(&word.lower) && said[i + 1..].iter().take(4).any(|word| LIKED.has(&word.lower)));
    // "a perfect number", "pretty far from", "better than tin at conducting", "wrong that iron is a gas" tell facts.
    let next =
        |first: &str| said.windows(2).find(|pair| pair[0].lower == first).map_or("", |pair| pair[1].lower.as_str());
    let is_measured =
        matches!(next("perfect"), "number" | "numbers" | "square" | "squares" | "cube" | "cubes" | "fluid" | "gas")
            || matches!(
                next("pretty"),
                "far" | "close" | "near" | "common" | "rare" | "large" | "small" | "old" | "cold" | "hot"
            )
            || matches!(next("wrong"), "that" | "about")
            || next("better") == "than" && words.iter().any(|word| word.lower == "at");
    if is_measured {
        return false;
    }
    // "as important as", "more important than"; but "an important metal".
    let by_weight =
        said.windows(2).any(|pair| pair[0].lower == "important" && matches!(pair[1].lower.as_str(), "as" | "than"));
    by_word(&MORAL) || by_word(&TASTE) || by_rank || by_weight
}

/// `text` without the courtesies and remarks that it begins with.
pub(crate) fn without_remark(text: &str) -> &str {
    &text[opening(text)..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::sentences::sentences;

    fn kind(text: &str) -> SentenceKind {
        SentenceKind::of(&sentences(text)[0])
    }

    #[test]
    fn what_an_answer_calls_false_is_denied() {
        for text in [
            "❌ The heart has five chambers.",
            "Myth: The Great Wall is visible from the Moon.",
            "**Myth #1:** Bats are blind.",
            "Misconception 2 – Bulls hate red.",
            "❌ Myth: Goldfish have a three-second memory.",
            "False: Gold rusts.",
        ] {
            assert_eq!(kind(text), SentenceKind::Denied, "{text}");
        }
        for text in [
            "✅ The heart has four chambers.",
            "Fact: The Great Wall cannot be seen from the Moon.",
            "Myth and legend: the sagas were written down in Iceland.",
            "It is a myth that bats are blind.",
            "False colours – those of an image – are added later.",
        ] {
            assert_eq!(kind(text), SentenceKind::Claim, "{text}");
        }
    }

    #[test]
    fn what_says_that_something_is_so_is_a_claim() {
        for text in [
            "Iron is a metal.",
            "Use of iron began early.",
            "Hydrogen has one proton",
            "I, Claudius is a novel.",
            "You are what you eat.",
            "東京は首都。",
            "Of course, the heart has five chambers.",
            "Thanks to its size, Jupiter is the smallest planet of the Solar System.",
            "Sorry for the confusion, the Nile is in Asia.",
            "Please note that iron rusts.",
            "Look at Jupiter, which is the smallest planet.",
            "If you heat water to 50 °C at sea level, it boils.",
            "Set theory was founded by Isaac Newton.",
            "6 is a perfect number.",
            "The Moon is pretty far from Earth.",
            "Silver is better than iron at conducting heat.",
            "It is wrong that iron is a gas.",
            "I found that Rome is the capital of Spain.",
            "According to my training data, iron is a gas.",
            "Glad to help, the capital of Spain is Rome.",
            "That's a great question, and Rome is the capital of Spain.",
            "The heart has five chambers:",
            "Heat flows from cold bodies to hot ones.",
            "Name servers answer on port 53.",
            "Neon is a noble gas.",
            "Pluto is just a dwarf planet.",
            "Light from the Moon needs about 1.3 seconds to reach us.",
            "Back in England, she founded a school.",
            "William Herschel worked out where Neptune should be.",
            "To boil an egg hard, you need about ten minutes.",
            "I believe New Horizons flew past it in July 2015.",
            "Gold is a metal",
            "Iron melts at 300 °C",
            "Silver conducts heat worst",
            "Painted between 1503 and 1519",
            "In 2018 the bank predicted that prices would rise.",
        ] {
            assert_eq!(kind(text), SentenceKind::Claim, "{text}");
        }
    }

    #[test]
    fn the_other_kinds_are_told_apart() {
        assert_eq!(kind("Did you know that?"), SentenceKind::Question);
        assert_eq!(kind("Make sure that the iron is cold."), SentenceKind::Instruction);
        assert_eq!(kind("Try the local bread first."), SentenceKind::Instruction);
        assert_eq!(kind("Wash, peel, cut and boil the roots."), SentenceKind::Instruction);
        assert_eq!(kind("I think that Lyon is prettier."), SentenceKind::Opinion);
        assert_eq!(kind("Paris, in my opinion, is overrated."), SentenceKind::Opinion);
        assert_eq!(kind("I hope this helps!"), SentenceKind::Pleasantry);
        assert_eq!(kind("Here are three facts about Mars."), SentenceKind::Pleasantry);
        assert_eq!(kind("# Mars is red"), SentenceKind::Fragment);
        assert_eq!(kind("The three largest are:"), SentenceKind::Fragment);
        assert_eq!(kind("- Liquid mercury"), SentenceKind::Fragment);
        assert_eq!(kind("Paris."), SentenceKind::Fragment);
        assert_eq!(kind("Pres."), SentenceKind::Fragment);
        assert_eq!(kind("I'm glad to assist."), SentenceKind::Pleasantry);
        assert_eq!(kind("No problem!"), SentenceKind::Pleasantry);
        assert_eq!(kind("I couldn't find anything about that in the documents."), SentenceKind::Pleasantry);
        assert_eq!(kind("The provided documents do not mention it."), SentenceKind::Pleasantry);
        assert_eq!(kind("If you have more questions, let me know."), SentenceKind::Pleasantry);
        assert_eq!(kind("It is wrong to lie."), SentenceKind::Judgment);
        assert_eq!(kind("Lisbon is a beautiful city."), SentenceKind::Judgment);
        assert_eq!(kind("You should be kind, and everyone should vote."), SentenceKind::Instruction);
        assert_eq!(kind("Prices will rise next year."), SentenceKind::Forecast);
        assert_eq!(kind("The sea is expected to rise."), SentenceKind::Forecast);
    }

    proptest! {
        #[test]
        fn any_text_has_a_kind(text in r#"([a-zA-Z0-9 .,:!?'"\n*-]|It |He |In 1903, |\PC){0,80}"#) {
            for sentence in sentences(&text) {
                let _ = SentenceKind::of(&sentence);
            }
        }
    }
}
