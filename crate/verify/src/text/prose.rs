//! Prose with the place of each character in the source, whatever the format of that is.
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
            // If a word follows the mark directly, the space before the mark separates the two words and stays.
            let is_glued = letters.get(end).is_some_and(|letter| letter.c.is_alphanumeric());
            let gap = |letter: &&Letter| letter.is_raising() || letter.c == ' ' && !is_glued;
            let spaces = letters[..start].iter().rev().take_while(gap).count();
            marks[start - spaces..end].fill(true);
        }
        repeated(letters, &mut marks);
        let mut prose = Self { text: String::new(), origin: Vec::new(), heading, row: false, number };
        let mut space: Option<Letter> = None;
        for (letter, is_mark) in letters.iter().zip(marks) {
            if is_mark || is_invisible(letter.c) {
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

/// A character and its bytes in the source. If there are none, the character was inserted there.
#[derive(Clone, Copy)]
pub(crate) struct Letter {
    pub(crate) c: char,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it is part of a link.
    pub(crate) linked: bool,
    /// Whether it is part of code, in which nothing is a citation.
    pub(crate) code: bool,
}

impl Letter {
    /// A letter of neither a link nor code.
    pub(crate) fn at(c: char, place: Range<usize>) -> Self {
        Self { c, start: place.start, end: place.end, linked: false, code: false }
    }

    pub(crate) fn new(c: char, start: usize) -> Self {
        Self::at(c, start..start + c.len_utf8())
    }

    /// A letter that the source lacks, inserted before the byte `at`.
    pub(crate) fn inserted(c: char, at: usize) -> Self {
        Self::at(c, at..at)
    }

    pub(crate) fn is_space(self) -> bool {
        self.c.is_whitespace()
    }

    /// Whether it stands for `<sup>`, which raises what follows.
    pub(crate) fn is_raising(self) -> bool {
        self.c == '^' && self.start == self.end
    }
}

/// The paragraphs of prose without Markdown, in order, separated by blank lines.
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

/// The prose of a block's characters. A line that begins with a list mark begins another, and successive lines with
/// equally many cells are the rows of a table. `number` is that of the list item that the block begins.
pub(crate) fn parted(letters: &[Letter], heading: bool, number: Option<u32>, numbers: Numbers) -> Vec<Prose> {
    let (mut found, mut number) = (Vec::new(), number);
    let mut lines = letters.split_inclusive(|letter| letter.c == '\n').map(cells).peekable();
    let (mut open, mut at) = (0, 0);
    while let Some((length, first)) = lines.next() {
        let start = at;
        at += length;
        let mut table = vec![first];
        while let Some((length, cells)) = lines.next_if(|(_, cells)| cells.len() > 1 && cells.len() == table[0].len()) {
            table.push(cells);
            at += length;
        }
        if heading || table[0].len() < 2 || table.len() == 1 {
            continue;
        }
        found.extend(listed(&letters[open..start], heading, number.take(), numbers));
        open = at;
        let text = |cell: &&[Letter]| cell.iter().map(|letter| letter.c).collect::<String>();
        let has_number =
            |cells: &Vec<&[Letter]>| cells.iter().any(|cell| text(cell).contains(|c: char| c.is_ascii_digit()));
        // Such a table has no line below its header, so the first row is one only if it has no digits and a later row
        // has some.
        let is_head = !has_number(&table[0]) && table[1..].iter().any(has_number);
        let columns: Vec<String> = if is_head { table.remove(0).iter().map(text).collect() } else { Vec::new() };
        let rows =
            table.iter().flat_map(|cells| row(&columns, cells.iter().map(|cell| cell.to_vec()).collect(), numbers));
        // A row under no head claims nothing by itself.
        found.extend(rows.map(|prose| Prose { row: is_head && prose.row, ..prose }));
    }
    found.extend(listed(&letters[open..], heading, number, numbers));
    found
}

/// How many characters a line has, and its cells, which are separated by tabs. Bars are not read as separators: without
/// a line below the header they are no sure sign of a table.
fn cells(line: &[Letter]) -> (usize, Vec<&[Letter]>) {
    (line.len(), trimmed(line).split(|letter| letter.c == '\t').map(trimmed).collect())
}

fn trimmed(mut letters: &[Letter]) -> &[Letter] {
    while let [first, rest @ ..] = letters
        && first.is_space()
    {
        letters = rest;
    }
    while let [rest @ .., last] = letters
        && last.is_space()
    {
        letters = rest;
    }
    letters
}

/// The prose of a block's characters that are no table.
fn listed(letters: &[Letter], heading: bool, number: Option<u32>, numbers: Numbers) -> Vec<Prose> {
    let (mut found, mut number) = (Vec::new(), number);
    let counts = counts_lines(letters);
    let mut add = |letters: &[Letter]| {
        let (mut letters, mut number) = (letters, number.take());
        loop {
            let spaces = spaces(letters);
            let length = bullet(&letters[spaces..], counts);
            if length == 0 {
                break;
            }
            let (mark, rest) = letters.split_at(spaces + length);
            let digits: String = mark.iter().map(|letter| letter.c).filter(char::is_ascii_digit).collect();
            number = digits.parse().ok().or(number);
            letters = rest;
        }
        found.extend(Prose::new(letters, heading, number, numbers));
    };
    let mut start = 0;
    let mut next = (0, false); // the first character that is no white space, and whether a list's mark begins there
    for at in 1..letters.len() {
        if letters[at - 1].c != '\n' {
            continue;
        }
        if next.0 < at {
            let word = at + spaces(&letters[at..]);
            next = (word, bullet(&letters[word..], counts) > 0);
        }
        if next.1 {
            add(&letters[start..at]);
            start = at;
        }
    }
    add(&letters[start..]);
    found
}

/// How many characters of white space `letters` begin with.
fn spaces(letters: &[Letter]) -> usize {
    letters.iter().take_while(|letter| letter.is_space()).count()
}

/// The most bytes of a column's name. Each row repeats it, and with a longer one the rows would be much longer than the
/// text that they are from.
const LONGEST_COLUMN: usize = 200;

/// A table's row as prose, "Mars: moons 2, colour red", by the names of its columns.
pub(crate) fn row(columns: &[String], cells: Vec<Vec<Letter>>, numbers: Numbers) -> Vec<Prose> {
    let mut row: Vec<Letter> = Vec::new();
    let mut is_row = false;
    let is_empty = |cell: &[Letter]| cell.iter().all(|letter| letter.is_space());
    for (column, cell) in cells.into_iter().enumerate().filter(|(_, cell)| !is_empty(cell)) {
        let at = cell[0].start;
        let name = columns.get(column).filter(|name| name.len() <= LONGEST_COLUMN).map_or("", String::as_str);
        is_row |= !row.is_empty();
        let before = match column {
            _ if row.is_empty() => String::new(),
            1 => format!(": {name} "),
            _ => format!(", {name} "),
        };
        row.extend(before.chars().map(|c| Letter::inserted(c, at)));
        row.extend(cell);
    }
    let mut found = listed(&row, false, None, numbers);
    found.iter_mut().for_each(|prose| prose.row = is_row);
    found
}

/// Whether a line of a block begins with a list's first letter or number, and a later one with the second: "(a)",
/// "(b)".
fn counts_lines(letters: &[Letter]) -> bool {
    let mut second = "";
    let lines = letters.split(|letter| letter.c == '\n');
    lines.filter_map(|line| lettered(&line[spaces(line)..])).any(|(name, _)| {
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
/// its marks: "(a)", "iv.".
fn lettered(letters: &[Letter]) -> Option<(String, usize)> {
    let open = usize::from(letters.first().is_some_and(|letter| letter.c == '('));
    let of_name = letters[open..].iter().take(5).map(|letter| letter.c);
    let name: String = of_name.take_while(char::is_ascii_alphanumeric).collect();
    let end = open + name.len();
    let (close, after) = (letters.get(end)?.c, letters.get(end + 1)?);
    let is_roman = |c: char| matches!(c, 'i' | 'v' | 'x' | 'I' | 'V' | 'X');
    let is_name = match name.len() {
        1 => open == 1 || name.starts_with(|c: char| c.is_ascii_alphabetic()),
        2..5 => name.chars().all(is_roman) || open == 1 && name.len() < 4 && name.bytes().all(|b| b.is_ascii_digit()),
        _ => false,
    };
    let is_closed = close == ')' || open == 0 && close == '.';
    (is_name && is_closed && after.is_space()).then_some((name, end + 1))
}

/// How many characters of a list's mark, or of a label such as "Answer:", `letters` begin with. `counts` says that lines
/// of the block are known to begin with letters or numbers one after the other.
fn bullet(letters: &[Letter], counts: bool) -> usize {
    if let Some((_, end)) = lettered(letters)
        && let Some(next) = letters.get(end + 1)
        && (counts || letters[end - 1].c == ')' && !next.c.is_lowercase())
    {
        return end;
    }
    let at = |n: usize| letters.get(n).map(|letter| letter.c);
    let is_end = |c: Option<char>| c.is_none_or(char::is_whitespace);
    match at(0) {
        Some('•' | '◦' | '‣' | '▪' | '●' | '⁃') => 1,
        Some('-' | '*' | '+' | '·' | '–' | '—') if is_end(at(1)) => 1,
        Some('0'..='9') => {
            let digits = letters.iter().take_while(|letter| letter.c.is_ascii_digit()).count();
            let marks = letters[digits..].iter().take_while(|letter| ".)".contains(letter.c)).count();
            let after = at(digits + marks);
            let is_mark = (1..=2).contains(&marks) && digits <= 3;
            if is_mark && (is_end(after) || after.is_some_and(char::is_alphabetic)) { digits + marks } else { 0 }
        }
        Some('A' | 'F' | 'Q' | 'R') => label(letters).unwrap_or(0),
        _ => 0,
    }
}

/// The length in characters of the label of an answer, or of the question that it repeats, if `letters` begin with one.
fn label(letters: &[Letter]) -> Option<usize> {
    const LABELS: [&str; 7] = ["A:", "Answer:", "Assistant:", "Final answer:", "Q:", "Question:", "Response:"];
    let length = LABELS.iter().find(|label| starts_with(letters, label))?.len();
    let is_own = letters[length - 1].start < letters[length - 1].end; // the colon in a row of a table was inserted
    (is_own && letters.get(length).is_none_or(|letter| letter.is_space())).then_some(length)
}

/// Sets `marks` for what to leave out of each formula that was copied from a page three times in a row, as words, as
/// TeX and as words again: all but the TeX, and of the TeX all marks but `^`.
fn repeated(letters: &[Letter], marks: &mut [bool]) {
    let is_mark = |at: usize| "_^{}\\".contains(letters[at].c);
    let mut end = 0;
    for word in letters.split(|letter| letter.is_space()) {
        let start = end;
        end = start + word.len() + 1;
        if !(start..start + word.len()).any(is_mark) {
            continue;
        }
        let core: Vec<usize> = (start..start + word.len()).filter(|&at| letters[at].c.is_alphanumeric()).collect();
        let third = core.len() / 3;
        let is_same = |(&a, &b): (&usize, &usize)| letters[a].c == letters[b].c;
        if third == 0
            || !core.len().is_multiple_of(3)
            || !core.iter().zip(&core[third..]).all(is_same)
            || !(core[third]..core[2 * third - 1]).any(is_mark)
            || (start..core[third - 1]).chain(core[2 * third]..core[core.len() - 1]).any(is_mark)
        {
            continue;
        }
        for at in core[0]..=core[core.len() - 1] {
            let is_tex = core[third] <= at && at < core[2 * third];
            marks[at] |= !is_tex || is_mark(at) && letters[at].c != '^';
        }
    }
}

/// Whether a character is invisible and joins no emoji: a control, direction or tag character, a soft hyphen, or one of
/// no width.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}'
    ) || c.is_control() && !c.is_whitespace()
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Which numbers in square brackets are citations.
#[derive(Clone, Copy)]
pub(crate) enum Numbers<'a> {
    /// All: chatbots that write Markdown cite in this form.
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

/// What chatbots' own citations begin and end with.
const MARKS: [(&str, &str); 7] = [
    (":contentReference[", "]"),
    ("{index=", "}"),
    ("({\"attribution\":", ")"),
    ("<grok:", "</grok:render>"),
    ("<|", "|>"),
    ("<｜", "｜>"),
    ("\u{e200}", "\u{e201}"),
];

/// The citations among these characters, in order: `[1]`, `[2, 3]`, `[cite: 1]`, `【4†source】`, a raised number behind a
/// stop, links in brackets at the end of a sentence, and marks that a chatbot's page would have replaced.
pub(crate) fn citations(letters: &[Letter], numbers: Numbers) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut no_bare = 0; // up to where letters and digits are read that do not end as a citation does
    while at < letters.len() {
        let Letter { c, code, .. } = letters[at];
        let before = at.checked_sub(1).map(|before| letters[before].c);
        let behind_stop = before.is_some_and(is_stop);
        let end = match c {
            _ if code => None,
            '[' => bracket_end(letters, at)
                .filter(|&end| is_keyed(&letters[at + 1..end - 1]) || numbers.cite(&letters[at..end])),
            '【' => bracket_end(letters, at),
            '(' => links_end(letters, at).or_else(|| mark_end(letters, at)),
            ':' | '{' | '<' | '\u{e200}' => mark_end(letters, at),
            'c' | 'f' if at >= no_bare => bare_end(letters, at).filter(|&end| {
                no_bare = end;
                letters[end - 1].c.is_ascii_digit()
            }),
            '^' if behind_stop && letters[at].is_raising() => {
                let digits = letters[at + 1..].iter().take_while(|letter| letter.c.is_ascii_digit() || letter.c == ',');
                Some(at + 1 + digits.count())
            }
            c if behind_stop && is_raised(c) => {
                Some(at + letters[at..].iter().take_while(|letter| is_raised(letter.c)).count())
            }
            _ => None,
        };
        match end {
            Some(end) if c == '\u{e200}' => found.extend(around_name(letters, at..end)),
            end => found.extend(end.map(|end| at..end)),
        }
        at = end.unwrap_or(at + 1);
    }
    found
}

/// Whether a raised (superscript) citation may follow the character.
pub(crate) fn is_stop(c: char) -> bool {
    ".!?\"”)".contains(c)
}

fn starts_with(letters: &[Letter], words: &str) -> bool {
    words.chars().enumerate().all(|(at, c)| letters.get(at).is_some_and(|letter| letter.c == c))
}

/// The end of the chatbot's mark at `open`, if one stands there.
fn mark_end(letters: &[Letter], open: usize) -> Option<usize> {
    const LONGEST: usize = 400;
    let (begin, end) = MARKS.iter().find(|(begin, _)| starts_with(&letters[open..], begin))?;
    let inner = open + begin.chars().count();
    let last = letters.len().min(inner + LONGEST);
    let close = (inner..last).find(|&at| starts_with(&letters[at..], end))?;
    let is_one = !begin.starts_with("<|") || !letters[inner..close].iter().any(|letter| letter.is_space());
    is_one.then(|| close + end.chars().count())
}

/// The end of the letters and digits from `open` on if they begin as a citation does whose marks were lost:
/// "citeturn0search1". It is one if they end with a digit.
fn bare_end(letters: &[Letter], open: usize) -> Option<usize> {
    ["citeturn", "fileciteturn"].iter().find(|begin| starts_with(&letters[open..], begin))?;
    let is_part = |letter: &&Letter| letter.c.is_ascii_lowercase() || letter.c.is_ascii_digit();
    Some(open + letters[open..].iter().take_while(is_part).count())
}

/// The parts of a mark between private-use characters that stand around the name in it, which a page would show:
/// `entity["city","Paris","of"]`. The whole mark if it has no name.
fn around_name(letters: &[Letter], mark: Range<usize>) -> Vec<Range<usize>> {
    let mut quotes = mark.clone().filter(|&at| letters[at].c == '"').skip(2);
    match (quotes.next(), quotes.next()) {
        (Some(open), Some(close)) => vec![mark.start..open + 1, close..mark.end],
        _ => vec![mark],
    }
}

fn is_raised(c: char) -> bool {
    matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹')
}

/// Whether these are a number that a citation may have.
pub(crate) fn is_number(words: &[Letter]) -> bool {
    (1..=3).contains(&words.len()) && words.iter().all(|letter| letter.c.is_ascii_digit())
}

/// Whether a number that is a link is a word of its sentence, as in "has [2](...) moons". A citation stands at the end
/// of a word or of a sentence.
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
    const LONGEST: usize = 100;
    let closing = if letters[open].c == '【' { '】' } else { ']' };
    let inner = letters[open + 1..].iter().take(LONGEST).position(|letter| letter.c == closing)?;
    let (close, inner) = (open + 1 + inner, &letters[open + 1..open + 1 + inner]);
    let is_word = |inner: &[Letter]| open > 0 && !inner.iter().any(|letter| letter.is_space());
    let words: String = inner.iter().map(|letter| letter.c).collect();
    let is_one = is_keyed(inner) || words.split(',').all(is_range) || closing == '】' && is_word(inner);
    is_one.then_some(close + 1)
}

/// Whether it is a number of a citation, or a range of such.
fn is_range(words: &str) -> bool {
    let is_number = |n: &str| (1..=3).contains(&n.trim().len()) && n.trim().bytes().all(|b| b.is_ascii_digit());
    words.trim_start_matches('^').split(['-', '–']).all(is_number)
}

/// What chatbots write before the number of a citation.
const KEYS: [&str; 12] =
    ["attached_file", "citation", "cite", "doc", "file", "image", "oaicite", "ref", "source", "span", "web", "webpage"];

/// Whether the words of a bracket can only be a citation: "cite: 1, 2", "^1_2", "4:0†source".
pub(crate) fn is_keyed(words: &[Letter]) -> bool {
    const LONGEST: usize = 100;
    if words.len() > LONGEST {
        return false;
    }
    let words: String = words.iter().map(|letter| letter.c).collect();
    let is_reference = |words: &str| words.trim().split([':', '_']).all(is_range);
    if let Some((number, _)) = words.split_once(['†', '‡']) {
        return is_reference(number) || number.starts_with("oai_citation");
    }
    if words == "cite_start" || words == "cite_end" {
        return true;
    }
    if let Some(number) = words.strip_prefix('^') {
        return is_reference(number.trim_end_matches('^'));
    }
    let mut parts = words.split([',', ';']).map(str::trim);
    let is_one = |part: &str| {
        let digits = part.find(|c: char| c.is_ascii_digit()).unwrap_or(part.len());
        let key = part[..digits].trim_end_matches([' ', ':', '_', '#']).to_lowercase();
        KEYS.contains(&key.as_str()) && is_reference(&part[digits..])
            || key == "turn" && part.ends_with(|c: char| c.is_ascii_digit()) && !part.contains(' ')
    };
    parts.next().is_some_and(is_one) && parts.all(|part| is_one(part) || is_range(part))
}

/// Whether a link's words only mark where a citation's span begins or ends.
pub(crate) fn is_span(words: &[Letter]) -> bool {
    starts_with(words, "span_") && is_keyed(words)
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
    for part in plain_digits(mark).trim_matches(['[', ']', '^', ' ']).split([',', ';']) {
        let part = if mark.starts_with('[') { part.trim_start_matches(|c: char| !c.is_ascii_digit()) } else { part };
        let part = part.split('†').next().unwrap_or(part);
        let mut numbers = part.split(['-', '–']).filter_map(|number| number.trim().parse::<usize>().ok());
        let Some(first) = numbers.next() else { continue };
        let last = numbers.next_back().unwrap_or(first);
        found.extend((first..=last).take(MOST).map(|number| number.to_string()));
    }
    found
}

/// The digit that a superscript stands for.
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
