//! Splits a text into sentences.
//!
//! A Markdown block ends a sentence ([`crate::text::markdown`]), and so do a line break before a capital, the marks of
//! Unicode Standard Annex 29, and a list's next number within a line. Whether a full stop ends one depends on the word
//! before it (an abbreviation, an initial, a unit, a number) and on the word behind.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::{MONTHS, TITLES};
use crate::text::markdown::blocks;
use crate::text::prose::{Prose, paragraphs};
use crate::text::verbs::{is_finite, is_past, is_surely_finite};
use crate::text::words::is_preposition;

/// One sentence of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Where it stands in the text, in bytes, without the white space and marks around it.
    pub span: Range<usize>,
    /// What it says, without Markdown and on one line.
    pub text: String,
    /// Whether it stands in a heading.
    pub heading: bool,
    /// Whether it is a row of a table, which claims something in few words: "Mars: moons 2".
    pub row: bool,
    /// Whether a paragraph, list item or other block begins with it.
    pub opens: bool,
}

/// The sentences of `text`, in order.
///
/// ```
/// let text = "- **Dr. Who** began in 1963. It is British.";
/// let found = evident_verify::sentences(text);
/// assert_eq!(found[0].text, "Dr. Who began in 1963.");
/// assert_eq!(&text[found[1].span.clone()], "It is British.");
/// ```
#[must_use]
pub fn sentences(text: &str) -> Vec<Sentence> {
    blocks(text).iter().flat_map(sentences_of).collect()
}

/// The sentences of prose without Markdown, such as a passage. Blank lines separate its paragraphs.
#[must_use]
pub fn sentences_of_prose(text: &str) -> Vec<Sentence> {
    paragraphs(text).iter().flat_map(sentences_of).collect()
}

pub(crate) fn sentences_of(block: &Prose) -> Vec<Sentence> {
    let prose = block.text();
    let mut found = Vec::new();
    let mut close = |range: Range<usize>| {
        let start = range.end - prose[range.clone()].trim_start().len();
        let span = start..start + prose[range.clone()].trim().len();
        if !span.is_empty() {
            let text = prose[span.clone()].replace('\n', " ");
            let opens = found.is_empty();
            found.push(Sentence { text, span: block.source(span), heading: block.heading(), row: block.row(), opens });
        }
    };
    let mut marks = list_marks(prose, block.number()).into_iter().peekable();
    let lower = prose.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase);
    let mut place = Place::new(prose);
    for end in candidates(prose).into_iter().chain([prose.len()]) {
        while let Some(mark) = marks.next_if(|mark| mark.start < end) {
            close(place.start..mark.start.max(place.start));
            place.open(mark.end.max(place.start));
        }
        if end > place.start {
            place.reach(end);
            if end == prose.len() || place.ends_sentence(lower) && !place.is_inside() {
                close(place.start..end);
                place.open(end);
            }
        }
    }
    found
}

/// The most bytes of a quotation or parenthesis that is kept in one sentence, and of what is read on each side of a
/// place where a sentence may end.
const ASIDE: usize = 400;

/// A place where the sentence that is open may end. It moves from candidate to candidate and remembers what the
/// sentence has said, so that however many there are, each character is read a few times at most.
struct Place<'a> {
    prose: &'a str,
    /// Where the sentence begins.
    start: usize,
    end: usize,
    /// Where the sentence has its first letter or digit.
    first: Option<usize>,
    /// Where the first letter or digit behind the place stands; the end of the prose if there is none.
    next: usize,
    /// How many straight quotation marks the sentence has that are not inch signs, and where the last one stands.
    quotes: (usize, usize),
    has_bracket: bool,
    /// Up to where the words of the sentence were counted, how many they are, and whether one of them is a verb.
    counted: (usize, usize, bool),
}

impl<'a> Place<'a> {
    /// The start of the first sentence.
    fn new(prose: &'a str) -> Self {
        Self {
            prose,
            start: 0,
            end: 0,
            first: None,
            next: 0,
            quotes: (0, 0),
            has_bracket: false,
            counted: (0, 0, false),
        }
    }

    /// Goes to the start of the next sentence.
    fn open(&mut self, start: usize) {
        let next = self.next;
        *self = Self { start, end: start, next, counted: (start, 0, false), ..Self::new(self.prose) };
    }

    /// Goes on to `end`.
    fn reach(&mut self, end: usize) {
        let mut before = self.before().chars().next_back();
        for (at, c) in self.prose[self.end..end].char_indices() {
            match c {
                '"' if !before.is_some_and(|c| c.is_ascii_digit()) => self.quotes = (self.quotes.0 + 1, self.end + at),
                '(' => self.has_bracket = true,
                c if self.first.is_none() && c.is_alphanumeric() => self.first = Some(self.end + at),
                _ => {}
            }
            before = Some(c);
        }
        self.end = end;
        if self.next < end {
            let after = self.after();
            self.next = end + after.find(char::is_alphanumeric).unwrap_or(after.len());
        }
    }

    /// The sentence up to here.
    fn before(&self) -> &'a str {
        &self.prose[self.start..self.end]
    }

    fn after(&self) -> &'a str {
        &self.prose[self.end..]
    }

    /// Whether the sentence ends here. In a `lower` block no sentence begins with a capital.
    fn ends_sentence(&mut self, lower: bool) -> bool {
        let Some(first) = self.prose[self.next..].chars().next() else { return false };
        let (before, after) = (self.before(), self.after());
        if self.first.is_none() {
            return false;
        }
        if before.ends_with('\n') {
            return !first.is_lowercase();
        }
        let said = before.trim_end();
        let bare = said.trim_end_matches(is_closing);
        let word = last(bare).rsplit(char::is_whitespace).next().unwrap_or_default();
        let behind = self.prose.floor_char_boundary(self.next.saturating_sub(ASIDE)).max(self.end);
        let behind = &self.prose[behind..self.prose.floor_char_boundary(self.next + ASIDE)];
        let next_word = behind.unicode_words().next().unwrap_or_default();
        let next_lower = next_word.to_lowercase();
        let is_starter = STARTERS.contains(&next_lower.as_str());
        if is_speech(said) && names_speaker(near(after)) {
            return false;
        }
        if bare.trim_end().ends_with(char::is_alphanumeric) {
            return emoji_parts(before, near(after));
        }
        if word.strip_suffix('．').is_some_and(|item| item.chars().count() < 3 && item.chars().all(char::is_numeric)) {
            return false; // "1．"
        }
        let Some(stem) = word.strip_suffix('.') else {
            // "!", "?", "…" and marks of other scripts; "Yahoo! in the", "Yahoo! Inc." and "Yahoo!Mail" go on.
            let is_name = word.starts_with(char::is_uppercase)
                && word.ends_with(['!', '?'])
                && (said.len() == before.len() || TRAILING.contains(&next_lower.as_str()));
            return !is_name && !first.is_lowercase() || (lower && is_ascii_end(bare));
        };
        if stem.is_empty() && word == "." && !bare.ends_with(". .") {
            return said.len() < before.len() && !after.starts_with('.') && !first.is_lowercase();
        }
        if stem.is_empty() {
            // A name such as ".NET", or dots with spaces between them: three are an ellipsis, four end the sentence.
            return bare.ends_with(". . . .") && !after.starts_with('.') && !first.is_lowercase();
        }
        if stem.ends_with('.') || after.starts_with(". . ") {
            return !first.is_lowercase() && !word.starts_with(['[', '(']);
        }
        let stem = stem.trim_start_matches(|c: char| !c.is_alphanumeric());
        let key = stem.to_lowercase();
        let is_abbreviation = LEADING.contains(&key.as_str()) || TRAILING.contains(&key.as_str()) || is_dotted(&key);
        let is_cased = next_word.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit());
        if first.is_lowercase() && !(is_cased && after.starts_with(first)) {
            let is_sentence =
                lower || (is_starter && stem.chars().count() > 3 && !after.starts_with(|c: char| !c.is_alphabetic()));
            return is_sentence
                && !is_abbreviation
                && !COUNTED.contains(&key.as_str())
                && bare.len() == said.len()
                && stem.chars().count() > 1;
        }
        if COUNTED.contains(&key.as_str()) && first.is_numeric() {
            return false;
        }
        if key.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day)) && MONTHS.contains(&next_lower.as_str()) {
            return false; // "3. October"
        }
        if matches!(key.as_str(), "a.m" | "p.m" | "a.d" | "b.c" | "c.e" | "b.c.e") {
            return is_starter || self.has_verb();
        }
        if key == "etc" && !self.has_bracket {
            return true;
        }
        if LEADING.contains(&key.as_str()) && stem != "V" {
            return is_starter && matches!(key.as_str(), "st" | "ft");
        }
        let previous = last(bare).split_whitespace().rev().nth(1).unwrap_or_default();
        if is_dotted(&key) {
            // "in Washington, D.C. Mars has", but "said that the U.S. Army has" and "that J. R. R. Tolkien wrote".
            let is_behind_name = previous.starts_with(char::is_uppercase) || is_degree(&key);
            return is_starter || is_behind_name && are_clauses(before, behind);
        }
        if TRAILING.contains(&key.as_str()) {
            return is_starter || are_clauses(before, behind);
        }
        if stem.chars().count() == 1 && stem.starts_with(char::is_alphabetic) {
            // "by Elizabeth I. Spain was", "got an A. Mary had".
            let is_no_initial = previous.starts_with(char::is_uppercase) && matches!(stem, "I" | "V" | "X")
                || matches!(previous, "a" | "an" | "the");
            return ends_after_letter(bare, is_starter) || is_no_initial && are_clauses(before, behind);
        }
        true
    }

    /// Whether the place is inside a quotation that a speaker goes with, or inside a parenthesis that stands in the
    /// sentence.
    fn is_inside(&self) -> bool {
        let (before, after) = (self.before(), near(self.after()));
        let open_at = |open: char, close: char| {
            let near = last(before);
            let at = near.rfind(open).filter(|&at| !near[at..].contains(close))?;
            Some(self.end - near.len() + at)
        };
        let has_words_before = |at: usize| self.first.is_some_and(|first| first < at);
        if let Some(at) = open_at('(', ')')
            && after.contains(')')
        {
            return has_words_before(at);
        }
        let quote = match self.quotes {
            (count, at) if count % 2 == 1 => Some((at, straight_quote(after))),
            _ => open_at('“', '”').map(|at| (at, after.find('”'))),
        };
        let Some((at, Some(close))) = quote else { return false };
        let behind = after[close..].trim_start_matches(is_closing).trim_start();
        has_words_before(at) || behind.starts_with(char::is_lowercase) || names_speaker(behind)
    }

    /// Whether the sentence up to here has more than four words, one of them a verb.
    fn has_verb(&mut self) -> bool {
        let (to, mut count, mut has_verb) = self.counted;
        for word in self.prose[to..self.end].unicode_words() {
            count += 1;
            has_verb = has_verb || is_finite(&word.to_lowercase());
        }
        self.counted = (self.end, count, has_verb);
        count > 4 && has_verb
    }
}

/// The end of what stands before a place.
fn last(before: &str) -> &str {
    &before[before.ceil_char_boundary(before.len().saturating_sub(ASIDE))..]
}

/// The beginning of what stands behind a place.
fn near(after: &str) -> &str {
    &after[..after.floor_char_boundary(ASIDE)]
}

/// Where the first straight quotation mark stands that is not an inch sign.
fn straight_quote(text: &str) -> Option<usize> {
    let mut quotes = text.match_indices('"').map(|(at, _)| at);
    quotes.find(|&at| !text[..at].ends_with(|c: char| c.is_ascii_digit()))
}

/// Marks of a list's item.
const BULLETS: [char; 6] = ['•', '◦', '‣', '▪', '●', '⁃'];

/// Where a sentence may end: behind closing marks and the white space that follows them, in order.
fn candidates(prose: &str) -> Vec<usize> {
    let mut found = sentence_bounds(prose);
    let mut from = 0;
    while let Some(at) = prose[from..].find(STOPS).map(|at| from + at) {
        let behind = prose[at..].trim_start_matches(STOPS);
        let closed = behind.trim_start_matches(is_closing);
        let next = closed.trim_start();
        if next.len() < closed.len() || is_glued(&prose[..at], behind) {
            found.push(prose.len() - next.len());
        }
        from = prose.len() - behind.len();
    }
    let wide = prose.match_indices('．').map(|(at, stop)| at + stop.len());
    found.extend(wide.filter(|&end| prose[end..].starts_with(char::is_alphabetic)));
    for (at, c) in prose.char_indices().filter(|&(_, c)| is_emoji(c)) {
        let end = at + c.len_utf8();
        let next = prose[end..].trim_start();
        if next.starts_with(char::is_uppercase) {
            found.extend([at, prose.len() - next.len()]);
        }
    }
    found.retain(|&at| 0 < at && at < prose.len());
    found.sort_unstable();
    found.dedup();
    found
}

/// Marks that a sentence may end with. A row of them is one.
const STOPS: [char; 4] = ['.', '!', '?', '…'];

/// The sentence bounds of Unicode Standard Annex 29, in order, each where a sentence begins.
///
/// Whether a full stop ends a sentence depends on the next letter or stop, for which [`UnicodeSegmentation`] looks again
/// at each bracket and quotation mark behind the full stop. So that this takes no time quadratic in the length, it is
/// given a text that has neither over [`ASIDE`] bytes in pieces.
fn sentence_bounds(prose: &str) -> Vec<usize> {
    let (mut found, mut start, mut read) = (Vec::new(), 0, 0);
    let mut piece = |piece: Range<usize>| {
        let bounds = prose[piece.clone()].split_sentence_bound_indices();
        found.extend(bounds.map(|(at, _)| piece.start + at).filter(|&at| at > piece.start));
    };
    for (at, c) in prose.char_indices() {
        if c.is_alphabetic() || STOPS.contains(&c) {
            read = at;
        } else if at - read > ASIDE {
            piece(start..at);
            (start, read) = (at, at);
        }
    }
    piece(start..prose.len());
    found
}

/// Marks that stay with the sentence that they follow: quotes, brackets, emoji.
fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']') || is_emoji(c)
}

/// True for an emoji, and for a part of one: a flag's letter, a joiner, a selector.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{200d}' | '\u{fe0f}')
}

/// A word before an emoji that the sentence speaks of: "The symbol of Mars is ♂."
const NAMING: [&str; 9] = ["is", "are", "was", "were", "emoji", "symbol", "sign", "flag", "character"];

/// A sentence without the emoji that decorate its end. They claim nothing, and confuse models.
pub(crate) fn without_last_emoji(sentence: &str) -> String {
    let decorates = |c: char| c.is_whitespace() || is_emoji(c);
    let stopped = sentence.trim_end_matches(decorates);
    let bare = stopped.trim_end_matches(STOPS);
    let (said, stop) = match &stopped[bare.len()..] {
        "" => (sentence, ""),
        stop => (bare, stop),
    };
    let plain = said.trim_end_matches(decorates);
    [if names_emoji(plain) { said } else { plain }, stop].concat()
}

/// Whether the sentence speaks of the emoji that follows `before`.
fn names_emoji(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    NAMING.contains(&word.as_str()) || is_preposition(&word) || word.ends_with(':')
}

/// Whether an emoji separates two clauses that have no punctuation between them: "Iron is a metal 🔩 Gold is soft". If
/// the first clause begins with an emoji, each clause is taken to have its own before it, and else behind it.
fn emoji_parts(before: &str, after: &str) -> bool {
    let decorates = |c: char| c.is_whitespace() || is_emoji(c);
    let (said, next) = (before.trim_end_matches(decorates), after.trim_start_matches(decorates));
    let is_behind = said.len() < before.trim_end().len();
    let is_before = next.len() < after.len();
    is_before != is_behind
        && is_before == before.trim_start().starts_with(is_emoji)
        && !names_emoji(said)
        && are_clauses(said, next)
}

/// Whether each of two stretches has its own verb near the place between them, and the second a capital.
fn are_clauses(before: &str, after: &str) -> bool {
    let is_verb = |word: &str| is_surely_finite(word) || is_past(word);
    let mut next = after.unicode_words();
    next.next().is_some_and(|first| first.starts_with(char::is_uppercase))
        && next.take(3).any(is_finite)
        && last(before).unicode_words().any(is_verb)
}

/// Whether a full stop with no space behind it stands between two sentences, as in "France.Rome is", and not in a name.
fn is_glued(before: &str, after: &str) -> bool {
    let ahead = before.trim_end_matches(|c: char| c.is_alphabetic() || "’'-".contains(c));
    let word = &before[ahead.len()..];
    let is_plain = word.len() > 1 && (ahead.is_empty() || ahead.ends_with(|c: char| c.is_whitespace() || c == '('));
    let rest = after.trim_start_matches(|c: char| c.is_alphabetic() || "’',;:".contains(c));
    let mut letters = after[..after.len() - rest.len()].chars();
    is_plain
        && word.ends_with(char::is_lowercase)
        && letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_none_or(char::is_lowercase)
        && rest.starts_with(char::is_whitespace)
}

/// The marks of a list within a line, such as "1. ... 2. ..." and "a) ... b) ...", and bullets. `first` is the number
/// that the block began with. A number that neither begins nor continues a list is not a mark.
fn list_marks(prose: &str, first: Option<u32>) -> Vec<Range<usize>> {
    let mut marks: Vec<Range<usize>> = Vec::new();
    let mut last = first;
    let mut opening: Option<Range<usize>> = None;
    let mut at = 0;
    for word in prose.split_inclusive(char::is_whitespace) {
        let start = at;
        at += word.len();
        let trimmed = word.trim_end();
        let rest = &prose[at..];
        if trimmed.chars().count() == 1 && trimmed.starts_with(BULLETS) && start > 0 {
            marks.push(start..at + number_mark(rest).map_or(0, |(_, length)| length));
            continue;
        }
        let bare = trimmed.trim_start_matches(BULLETS);
        let Some((number, length)) = number_mark(bare).filter(|&(_, length)| length == bare.len()) else { continue };
        if length == 0 || !rest.starts_with(|c: char| c.is_uppercase() || "“\"(".contains(c)) {
            continue;
        }
        if bare.len() < trimmed.len() || last.is_some_and(|last| number == last + 1) {
            marks.extend(opening.take());
            last = Some(number);
            marks.push(start..at);
        } else if number == 1 || number == u32::from('a') {
            (last, opening) = (Some(number), Some(start..at));
        }
    }
    marks
}

/// A list's number or letter, and how many bytes it has with its marks, where `text` begins with one: "1.", "(a)".
fn number_mark(text: &str) -> Option<(u32, usize)> {
    if let Some(inner) = text.strip_prefix('(').filter(|inner| !inner.starts_with('(')) {
        return number_mark(inner)
            .filter(|&(_, length)| inner[..length].ends_with(')'))
            .map(|(n, length)| (n, length + 1));
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let letter = text.chars().next().filter(char::is_ascii_lowercase);
    let (number, length) = match (digits, letter) {
        (1..=2, _) => (text[..digits].parse().ok()?, digits),
        (_, Some(letter)) => (letter as u32, 1),
        _ => return None,
    };
    let marks = text[length..].chars().take_while(|c| ".)".contains(*c)).count();
    (1..=2).contains(&marks).then_some((number, length + marks))
}

/// Abbreviations that a name or an example follows: their full stop never ends a sentence.
const LEADING: &[&str] = &[
    "mr", "mrs", "ms", "mx", "dr", "prof", "st", "ste", "gen", "sen", "sens", "rep", "reps", "gov", "pres", "capt",
    "lt", "col", "sgt", "cpl", "pvt", "maj", "adm", "amb", "cmdr", "brig", "rev", "hon", "messrs", "mme", "mlle",
    "msgr", "mt", "ft", "supt", "atty", "encycl", "vs", "v", "e.g", "i.e", "cf", "viz", "fig", "figs", "approx",
    "orig", "esp",
];

/// Abbreviations before a number.
const COUNTED: &[&str] = &[
    "no", "nos", "abs", "n°", "nr", "vol", "vols", "p", "pp", "ca", "c", "art", "sec", "ch", "chap", "par", "op", "b",
    "d", "r",
];

/// After these, and after dotted abbreviations, a full stop ends a sentence only before one of [`STARTERS`].
const TRAILING: &[&str] = &[
    "inc", "ltd", "co", "corp", "etc", "al", "ave", "blvd", "rd", "jan", "feb", "mar", "apr", "jun", "jul", "aug",
    "sep", "sept", "oct", "nov", "dec", "min", "max", "dist", "inst", "soc", "acad", "jr", "sr", "bros", "assn",
    "dept", "univ", "est", "ed", "eds", "trans", "proc", "natl", "intl",
];

/// Words that often begin a sentence and seldom continue a name.
pub(crate) const STARTERS: &[&str] = &[
    "a", "after", "all", "also", "although", "an", "and", "are", "as", "at", "because", "before", "but", "by", "can",
    "could", "did", "do", "does", "during", "each", "for", "from", "had", "has", "have", "he", "her", "his", "how",
    "however", "i", "if", "in", "is", "it", "its", "many", "most", "no", "not", "on", "one", "our", "she", "should",
    "since", "so", "some", "that", "the", "their", "then", "there", "these", "they", "this", "those", "to", "today",
    "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with", "would", "yes",
    "you", "your",
];

/// Words before a single letter that is a symbol or a grade and no initial.
const LETTERED: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "symbol",
    "symbols",
    "letter",
    "vitamin",
    "grade",
    "type",
    "class",
    "group",
    "hepatitis",
    "key",
    "note",
    "chord",
    "plan",
    "point",
    "category",
    "option",
    "answer",
    "letters",
    "called",
    "named",
    "schedule",
];

/// Verbs of speech, which tie a quotation to its speaker.
const SAID: &[&str] = &[
    "said",
    "says",
    "asked",
    "asks",
    "wrote",
    "writes",
    "replied",
    "added",
    "exclaimed",
    "explained",
    "claimed",
    "argued",
    "noted",
    "shouted",
    "cried",
    "answered",
    "thought",
    "warned",
    "remarked",
    "concluded",
    "declared",
    "observed",
    "stated",
];

/// Whether `said` ends with a quotation that its speaker may follow: `"The heart has five chambers!"`.
fn is_speech(said: &str) -> bool {
    let quoted = said.trim_end_matches(['"', '”', '’', '\'', '»']);
    quoted.len() < said.len() && quoted.ends_with(['!', '?', ',', '…'])
}

/// Whether `after` names who spoke and ends or pauses there: "Galileo said.", "the old man asked, ...".
fn names_speaker(after: &str) -> bool {
    let words: Vec<&str> = after.split_whitespace().take(5).collect();
    let is_pronoun = |word: &str| matches!(word, "He" | "She" | "They" | "It" | "I" | "We");
    let mut first = words.iter().take(4);
    first
        .position(|word| SAID.contains(&word.trim_end_matches(['.', ',', ';', ':'])))
        .is_some_and(|at| !is_pronoun(words[0]) && (words[at].ends_with(['.', ',', ';', ':']) || at + 1 == words.len()))
}

fn is_ascii_end(bare: &str) -> bool {
    bare.ends_with(STOPS)
}

/// Whether letters are separated by full stops, as in "u.s" and "a.m", and not a number, an address or a version.
fn is_dotted(key: &str) -> bool {
    key.contains('.')
        && key.split('.').all(|part| (1..=2).contains(&part.chars().count()) && part.chars().all(char::is_alphabetic))
        || is_degree(key)
}

fn is_degree(key: &str) -> bool {
    matches!(key, "ph.d" | "m.sc" | "b.sc")
}

/// Whether a full stop behind a single letter ends the sentence: not behind an initial.
fn ends_after_letter(bare: &str, is_starter: bool) -> bool {
    let mut words = last(bare).split_whitespace().rev().skip(1);
    let Some(previous) = words.next() else { return false };
    if is_starter {
        return true;
    }
    let previous = previous.trim_matches(|c: char| !c.is_alphanumeric() && c != '.');
    let is_unit = previous.ends_with(|c: char| c.is_numeric());
    let is_reigning = bare.trim_end_matches('.').ends_with(['I', 'V', 'X']);
    if is_reigning && words.next().is_some_and(|title| TITLES.has(&title.to_lowercase())) {
        return true; // "King Francis I. Napoleon"
    }
    is_unit || LETTERED.contains(&previous.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<String> {
        sentences(text).into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn plain_sentences_are_split() {
        assert_eq!(
            texts("Iron is a metal. It rusts! Does it? Yes."),
            ["Iron is a metal.", "It rusts!", "Does it?", "Yes."]
        );
    }

    #[test]
    fn abbreviations_initials_and_decimals_do_not_end_a_sentence() {
        for whole in [
            "Dr. Smith met Mrs. Jones at St. Paul's.",
            "Gases, e.g. Argon, are inert.",
            "The U.S. Army has 3.5 million boots.",
            "The Yahoo!Mail service is part of Yahoo! Inc. and free.",
            "J. K. Rowling and John F. Kennedy never met.",
            "J.R.R. Tolkien wrote it in approx. 12 years.",
            "Acme Inc. Europe was founded on Dec. 24 of that year.",
            "\"Stop!\" he said.",
            "He lives at No. 10 Downing Street.",
            "It is part of the .NET platform.",
        ] {
            assert_eq!(texts(whole), [whole]);
        }
    }

    #[test]
    fn an_abbreviation_before_a_sentence_starter_ends_it() {
        assert_eq!(
            texts("He moved to the U.S. The climate suited him."),
            ["He moved to the U.S.", "The climate suited him."]
        );
        assert_eq!(
            texts("Oranges hold vitamin C. It prevents scurvy."),
            ["Oranges hold vitamin C.", "It prevents scurvy."]
        );
    }

    #[test]
    fn an_abbreviation_or_a_letter_between_two_clauses_ends_the_first() {
        for (text, second) in [
            ("Norway was ruled by Haakon V. Sweden was ruled by Magnus.", "Sweden was ruled by Magnus."),
            ("England was ruled by Elizabeth I. Spain was not.", "Spain was not."),
            ("The mint is in Washington, D.C. Mars has two moons.", "Mars has two moons."),
            ("She earned a Ph.D. Iron is a metal.", "Iron is a metal."),
            ("Jobs founded Apple Inc. Microsoft was older.", "Microsoft was older."),
            ("He was given an A. Mary had a B.", "Mary had a B."),
            ("The peak is at 900 ft. The air is thin.", "The air is thin."),
        ] {
            assert_eq!(texts(text)[1..], [second], "{text}");
        }
        for whole in [
            "He said that the U.S. Army has boots.",
            "The strike was led by Eugene V. Debs.",
            "John V. Lindsay was mayor.",
            "They say that J.R.R. Tolkien wrote it.",
            "It was moved from Jan. 9 to Feb. 2.",
        ] {
            assert_eq!(texts(whole), [whole]);
        }
    }

    #[test]
    fn emoji_and_full_width_stops_end_a_sentence() {
        let said = ["Tin is a metal", "The heart has four chambers", "Mars has two moons"];
        assert_eq!(
            texts("Tin is a metal 🥫 The heart has four chambers 🫀 Mars has two moons"),
            ["Tin is a metal 🥫", "The heart has four chambers 🫀", said[2]]
        );
        assert_eq!(
            texts("✅ Tin is a metal ❌ The heart has four chambers"),
            ["✅ Tin is a metal", "❌ The heart has four chambers"]
        );
        assert_eq!(texts(&said.join("．")), ["Tin is a metal．", "The heart has four chambers．", said[2]]);
        for whole in ["I ❤️ New York.", "The symbol of Mars is ♂ The end", "It is ３．１４ or 1．Pi"] {
            assert_eq!(texts(whole), [whole]);
        }
    }

    #[test]
    fn lists_with_letters_and_roman_numerals_are_parted() {
        let said = ["Tin is a metal", "Mars has two moons", "Gold is soft"];
        for marks in [["(a)", "(b)", "(c)"], ["i.", "ii.", "iii."], ["A.", "B.", "C."], ["(1)", "(2)", "(3)"]] {
            let lines: Vec<String> = marks.iter().zip(said).map(|(mark, said)| format!("{mark} {said}")).collect();
            assert_eq!(texts(&lines.join("\n")), said);
        }
        assert_eq!(texts("(1) Tin is a metal. (2) Mars has two moons."), ["Tin is a metal.", "Mars has two moons."]);
        assert_eq!(texts("A. Einstein met\nI. Newton in no year."), ["A. Einstein met", "I. Newton in no year."]);
        assert_eq!(texts("It was built\nc. 1500 in stone."), ["It was built c. 1500 in stone."]);
    }

    #[test]
    fn line_breaks_and_list_items_end_a_sentence_unless_a_lower_case_letter_goes_on() {
        assert_eq!(
            texts("Metals:\n- **Iron**\n- Tin, which\n  is soft\nGases\n# Noble\nArgon"),
            ["Metals:", "Iron", "Tin, which is soft", "Gases", "Noble", "Argon"]
        );
    }

    #[test]
    fn spans_point_into_the_text_as_it_was() {
        let text = "1. **Paris** is in France.[1] 🎉\r\n2. _Lyon_ too. 日本は国。東京は首都。";
        let found: Vec<&str> = sentences(text).into_iter().map(|s| &text[s.span]).collect();
        assert_eq!(found, ["Paris** is in France.[1] 🎉", "Lyon_ too.", "日本は国。", "東京は首都。"]);
    }

    #[test]
    fn one_word_emoji_and_right_to_left_text_are_sentences() {
        assert_eq!(texts("Paris"), ["Paris"]);
        assert_eq!(texts("🎉🎉"), ["🎉🎉"]);
        assert_eq!(texts("باريس عاصمة فرنسا. هل تعرف؟ نعم."), ["باريس عاصمة فرنسا.", "هل تعرف؟", "نعم."]);
        assert!(texts(" \n\t ").is_empty());
        assert!(texts("---\n").is_empty());
    }

    proptest! {
        #[test]
        fn spans_are_in_order_disjoint_and_inside_the_text(text in r#"([a-zA-Z0-9 .!?\n*_`#>\[\]()|-]|日|。|é|🎉|\PC){0,80}"#) {
            let mut end = 0;
            for sentence in sentences(&text) {
                prop_assert!(end <= sentence.span.start && sentence.span.start < sentence.span.end);
                prop_assert!(text.get(sentence.span.clone()).is_some());
                prop_assert!(!sentence.text.is_empty() && sentence.text.trim() == sentence.text);
                end = sentence.span.end;
            }
        }

        #[test]
        fn text_without_marks_is_covered_but_for_white_space(text in r#"([a-zA-Z,;:'"“” .!?\n]|日|。|é|🎉|ل){0,80}"#) {
            let mut rest = text.clone();
            for sentence in sentences(&text).into_iter().rev() {
                prop_assert!(text[sentence.span.clone()].split_whitespace().eq(sentence.text.split_whitespace()));
                rest.replace_range(sentence.span, "");
            }
            prop_assert_eq!(rest.trim(), "");
        }
    }
}
