//! Prose in which every character still knows where it stood in the text that it is read from, whatever that text is.
//!
//! What is no prose is left out: marks of lists, and citations such as `[1]`.

use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;

/// A heading, a list item, a table row or a paragraph: a stretch of prose that no sentence crosses.
#[derive(Debug)]
pub(crate) struct Prose {
    text: String,
    /// For each byte of `text`, where in the source the character stands that it belongs to.
    origin: Vec<Range<usize>>,
    heading: bool,
    row: bool,
    /// The number of the list item that it begins.
    number: Option<u32>,
}

impl Prose {
    /// The prose without its marks; runs of white space are one space, or one line break where they held one.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is a heading.
    pub(crate) fn heading(&self) -> bool {
        self.heading
    }

    /// Whether it is a row of a table, of several cells.
    pub(crate) fn row(&self) -> bool {
        self.row
    }

    /// The number of the list item that it begins, as in "2. ...".
    pub(crate) fn number(&self) -> Option<u32> {
        self.number
    }

    /// The bytes of the source from the first to the last character of a non-empty `span` of [`Prose::text`].
    pub(crate) fn source(&self, span: Range<usize>) -> Range<usize> {
        self.origin[span.start].start..self.origin[span.end - 1].end
    }

    /// The prose of these characters and their places, unless they are white space.
    fn new(letters: &[Letter], heading: bool, number: Option<u32>, numbers: Numbers) -> Option<Self> {
        let mut marks = vec![false; letters.len()];
        for Range { start, end } in citations(letters, numbers) {
            let spaces = letters[..start].iter().rev().take_while(|letter| letter.c == ' ').count();
            marks[start - spaces..end].fill(true);
        }
        let mut prose = Self { text: String::new(), origin: Vec::new(), heading, row: false, number };
        let mut space: Option<Letter> = None;
        for (letter, is_mark) in letters.iter().zip(marks) {
            if is_mark || matches!(letter.c, '\u{ad}' | '\u{200b}' | '\u{feff}') {
                continue;
            }
            if letter.is_space() {
                let is_break = is_line_break(letter.c) || space.is_some_and(|space| space.c == '\n');
                space = Some(Letter { c: if is_break { '\n' } else { ' ' }, ..*letter });
                continue;
            }
            if let Some(space) = space.take()
                && !prose.text.is_empty()
            {
                prose.push(space);
            }
            prose.push(*letter);
        }
        (!prose.text.is_empty()).then_some(prose)
    }

    fn push(&mut self, Letter { c, start, end, .. }: Letter) {
        self.text.push(c);
        self.origin.extend(iter::repeat_n(start..end, c.len_utf8()));
    }
}

/// A character, and where it is from in the source: nowhere if `start` is `end`, before what stands there.
#[derive(Clone, Copy)]
pub(crate) struct Letter {
    pub(crate) c: char,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it is of a link.
    pub(crate) linked: bool,
    /// Whether it is of code, in which nothing is a citation.
    pub(crate) code: bool,
}

impl Letter {
    /// One of no link.
    pub(crate) fn at(c: char, place: Range<usize>) -> Self {
        Self { c, start: place.start, end: place.end, linked: false, code: false }
    }

    pub(crate) fn new(c: char, start: usize) -> Self {
        Self::at(c, start..start + c.len_utf8())
    }

    /// One that the source has not, before what stands at `at`.
    pub(crate) fn inserted(c: char, at: usize) -> Self {
        Self::at(c, at..at)
    }

    pub(crate) fn is_space(self) -> bool {
        self.c.is_whitespace()
    }
}

/// The paragraphs of prose without Markdown, in order: blank lines part them.
pub(crate) fn paragraphs(source: &str) -> Vec<Prose> {
    let mut found = Vec::new();
    let mut letters: Vec<Letter> = Vec::new();
    let mut is_blank = false;
    for (at, c) in source.char_indices() {
        if c == '\n' {
            if is_blank {
                found.extend(Prose::new(&letters, false, None, Numbers::All));
                letters.clear();
            }
            is_blank = true;
        } else if !c.is_whitespace() {
            is_blank = false;
        }
        letters.push(Letter::new(c, at));
    }
    found.extend(Prose::new(&letters, false, None, Numbers::All));
    found
}

/// The prose of a block's characters: a line that begins with a list's mark begins another.
/// `number` is that of the list item that the block begins.
pub(crate) fn parted(letters: &[Letter], heading: bool, number: Option<u32>, numbers: Numbers) -> Vec<Prose> {
    let (mut found, mut number) = (Vec::new(), number);
    let counts = counts_lines(letters);
    let bullet = |letters: &[Letter]| bullet(letters, counts);
    let mut add = |letters: &[Letter]| {
        let (mut letters, mut number) = (letters, number.take());
        loop {
            let length = bullet(letters);
            if length == 0 {
                break;
            }
            let digits: String = letters[..length].iter().map(|letter| letter.c).filter(char::is_ascii_digit).collect();
            number = digits.parse().ok().or(number);
            letters = &letters[length..];
        }
        found.extend(Prose::new(letters, heading, number, numbers));
    };
    let mut start = 0;
    for at in 0..letters.len() {
        let is_new = at > start && letters[at - 1].c == '\n' && bullet(&letters[at..]) > 0;
        if is_new {
            add(&letters[start..at]);
            start = at;
        }
    }
    add(&letters[start..]);
    found
}

/// A table's row as prose, "Mars: moons 2, colour red", by the names of its columns.
pub(crate) fn row(columns: &[String], cells: Vec<Vec<Letter>>, numbers: Numbers) -> Vec<Prose> {
    let mut row: Vec<Letter> = Vec::new();
    let mut is_row = false;
    let is_empty = |cell: &[Letter]| cell.iter().all(|letter| letter.is_space());
    for (column, cell) in cells.into_iter().enumerate().filter(|(_, cell)| !is_empty(cell)) {
        let at = cell[0].start;
        let name = columns.get(column).map_or("", String::as_str);
        is_row |= !row.is_empty();
        let before = match column {
            _ if row.is_empty() => String::new(),
            1 => format!(": {name} "),
            _ => format!(", {name} "),
        };
        row.extend(before.chars().map(|c| Letter::inserted(c, at)));
        row.extend(cell);
    }
    let mut found = parted(&row, false, None, numbers);
    found.iter_mut().for_each(|prose| prose.row = is_row);
    found
}

/// Whether a line of a block begins with a list's first letter or number, and a later one with the second: "(a)", "(b)".
fn counts_lines(letters: &[Letter]) -> bool {
    let mut second = "";
    letters.split(|letter| letter.c == '\n').filter_map(lettered).any(|(name, _)| {
        let is_second = name == second;
        second = match name.as_str() {
            "1" => "2",
            "a" => "b",
            "A" => "B",
            "i" => "ii",
            "I" => "II",
            _ => second,
        };
        is_second
    })
}

/// A list's letter, roman numeral or number in brackets that `letters` begin with, and how many characters it has with
/// its marks and the white space around: "(a) ", "iv. ".
fn lettered(letters: &[Letter]) -> Option<(String, usize)> {
    let spaces = letters.iter().take_while(|letter| letter.is_space()).count();
    let open = usize::from(letters.get(spaces).is_some_and(|letter| letter.c == '('));
    let of_name = letters[spaces + open..].iter().take(5).map(|letter| letter.c);
    let name: String = of_name.take_while(char::is_ascii_alphanumeric).collect();
    let end = spaces + open + name.len();
    let (close, after) = (letters.get(end)?.c, letters.get(end + 1)?);
    let is_roman = |c: char| matches!(c, 'i' | 'v' | 'x' | 'I' | 'V' | 'X');
    let is_name = match name.len() {
        1 => open == 1 || name.starts_with(|c: char| c.is_ascii_alphabetic()),
        2..5 => name.chars().all(is_roman) || open == 1 && name.len() < 4 && name.bytes().all(|b| b.is_ascii_digit()),
        _ => false,
    };
    let is_closed = close == ')' || open == 0 && close == '.';
    (is_name && is_closed && after.is_space()).then_some((name, end + 2))
}

/// How many characters of white space and of a list's mark `letters` begin with. `counts` says that lines of the block
/// are known to begin with letters or numbers one after the other.
fn bullet(letters: &[Letter], counts: bool) -> usize {
    if let Some((_, end)) = lettered(letters)
        && let Some(next) = letters.get(end)
        && (counts || letters[end - 2].c == ')' && !next.c.is_lowercase())
    {
        return end - 1;
    }
    let spaces = letters.iter().take_while(|letter| letter.is_space()).count();
    let at = |n: usize| letters.get(spaces + n).map(|letter| letter.c);
    let is_end = |c: Option<char>| c.is_none_or(char::is_whitespace);
    match at(0) {
        Some('•' | '◦' | '‣' | '▪' | '●' | '⁃') => spaces + 1,
        Some('-' | '*' | '+' | '·' | '–' | '—') if is_end(at(1)) => spaces + 1,
        Some('0'..='9') => {
            let digits = letters[spaces..].iter().take_while(|letter| letter.c.is_ascii_digit()).count();
            let marks = letters[spaces + digits..].iter().take_while(|letter| ".)".contains(letter.c)).count();
            let after = at(digits + marks);
            let is_mark = (1..=2).contains(&marks) && digits <= 3;
            if is_mark && (is_end(after) || after.is_some_and(char::is_alphabetic)) {
                spaces + digits + marks
            } else {
                0
            }
        }
        _ => 0,
    }
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Which numbers in square brackets are citations.
#[derive(Clone, Copy)]
pub(crate) enum Numbers<'a> {
    /// All: a chatbot that writes Markdown cites so.
    All,
    /// Those that are links, and those that these references have an address for: elsewhere "[1, 2, 3]" may be a list.
    Of(&'a BTreeMap<String, String>),
}

impl Numbers<'_> {
    /// Whether the characters of a mark such as `[1]` are a citation.
    fn cite(self, mark: &[Letter]) -> bool {
        let Self::Of(references) = self else { return true };
        let words: String = mark.iter().map(|letter| letter.c).collect();
        mark.iter().any(|letter| letter.linked) || labels(&words).iter().all(|label| references.contains_key(label))
    }
}

/// The citations among these characters, in order: `[1]`, `[2, 3]`, `【4†source】`, a raised number behind a stop, or
/// links in brackets at the end of a sentence.
pub(crate) fn citations(letters: &[Letter], numbers: Numbers) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let c = letters[at].c;
        let before = at.checked_sub(1).map(|before| letters[before].c);
        let end = match c {
            _ if letters[at].code => None,
            '[' => bracket_end(letters, at).filter(|&end| numbers.cite(&letters[at..end])),
            '【' => bracket_end(letters, at),
            '(' => links_end(letters, at),
            c if is_raised(c) && before.is_some_and(|c| ".!?\"”)".contains(c)) => {
                Some(at + letters[at..].iter().take_while(|letter| is_raised(letter.c)).count())
            }
            _ => None,
        };
        found.extend(end.map(|end| at..end));
        at = end.unwrap_or(at + 1);
    }
    found
}

fn is_raised(c: char) -> bool {
    matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹')
}

/// Whether these are a number that a citation may have.
pub(crate) fn is_number(words: &[Letter]) -> bool {
    (1..=3).contains(&words.len()) && words.iter().all(|letter| letter.c.is_ascii_digit())
}

/// Whether a sentence reads on through a number that is a link, as in "has [2](...) moons": one that cites stands at
/// the end of a word or of a sentence.
pub(crate) fn reads_on(before: Option<char>, after: &str) -> bool {
    before.is_none_or(|c| c.is_whitespace() || c == '(')
        && after.trim_start_matches([' ', '-']).starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit())
}

/// Words that may stand beside links in brackets.
const BESIDE: [&str; 7] = ["and", "cf", "from", "see", "source", "sources", "via"];

/// The end of the brackets at `open` if they hold links and nothing else, and stand before or behind a sentence's stop.
fn links_end(letters: &[Letter], open: usize) -> Option<usize> {
    const LONGEST: usize = 400;
    let is_close = |letter: &Letter| letter.c == ')' && !letter.linked;
    let close = open + 1 + letters[open + 1..].iter().take(LONGEST).position(is_close)?;
    let inner = &letters[open + 1..close];
    let beside: String = inner.iter().map(|letter| if letter.linked { ' ' } else { letter.c }).collect();
    let mut words = beside.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_stop = |letter: &Letter| ".!?,;:”\"".contains(letter.c);
    let before = letters[..open].iter().rfind(|letter| !letter.is_space());
    let after = letters[close + 1..].iter().find(|letter| !letter.is_space());
    let is_citation = inner.iter().any(|letter| letter.linked)
        && words.all(|word| BESIDE.contains(&word.to_lowercase().as_str()))
        && (before.is_some_and(is_stop) || after.is_none_or(is_stop));
    is_citation.then_some(close + 1)
}

/// The end of the citation that begins with the bracket at `open`, if it is one.
fn bracket_end(letters: &[Letter], open: usize) -> Option<usize> {
    const LONGEST: usize = 40;
    let (is_cjk, closing) = if letters[open].c == '【' { (true, '】') } else { (false, ']') };
    let inner: String =
        letters[open + 1..].iter().take(LONGEST).map(|letter| letter.c).take_while(|&c| c != closing).collect();
    let close = open + 1 + inner.chars().count();
    if letters.get(close)?.c != closing {
        return None;
    }
    let is_number = |n: &str| (1..=3).contains(&n.trim().len()) && n.trim().bytes().all(|b| b.is_ascii_digit());
    (is_cjk || inner.trim_start_matches('^').split([',', '-', '–']).all(is_number)).then_some(close + 1)
}

/// The most numbers that a citation such as "[1-9]" stands for.
const MOST: usize = 20;

/// The labels of a mark such as "[1]", "[2, 4-6]", "【4†source】" or "¹".
pub(crate) fn labels(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    if mark.starts_with('【') {
        let inner = mark.trim_matches(['【', '】']);
        found.push(inner.split('†').next().unwrap_or(inner).trim().to_owned());
        return found;
    }
    for part in plain_digits(mark).trim_matches(['[', ']', '^', ' ']).split(',') {
        let mut numbers = part.split(['-', '–']).filter_map(|number| number.trim().parse::<usize>().ok());
        let Some(first) = numbers.next() else { continue };
        let last = numbers.next_back().unwrap_or(first);
        found.extend((first..=last).take(MOST).map(|number| number.to_string()));
    }
    found
}

/// The digit that a raised one is.
pub(crate) fn plain_digit(c: char) -> Option<char> {
    Some(match c {
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰' => '0',
        '⁴'..='⁹' => char::from(b'4' + (c as u32 - '⁴' as u32) as u8),
        _ => return None,
    })
}

pub(crate) fn plain_digits(text: &str) -> String {
    text.chars().map(|c| plain_digit(c).unwrap_or(c)).collect()
}
