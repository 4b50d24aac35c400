//! Reads what chatbots write, mostly Markdown, as plain text in which every character still knows where it stood.
//!
//! Code, reasoning (`<think>`), images' addresses, footnotes and link definitions are no prose and are left out. So are
//! marks: of headings, lists and quotes, emphasis, link targets, HTML tags, citations such as `[1]`. A table's row is
//! read with the names of its columns.

use std::iter;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

/// A heading, a list item, a table row or a paragraph: a stretch of prose that no sentence crosses.
#[derive(Debug)]
pub(crate) struct Block {
    text: String,
    /// For each byte of `text`, where in the source the character stands that it belongs to.
    origin: Vec<Range<usize>>,
    heading: bool,
    row: bool,
    /// The number of the list item that it begins.
    number: Option<u32>,
}

impl Block {
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

    /// The bytes of the source from the first to the last character of a non-empty `span` of [`Block::text`].
    pub(crate) fn source(&self, span: Range<usize>) -> Range<usize> {
        self.origin[span.start].start..self.origin[span.end - 1].end
    }

    /// The block of these characters and their places, unless they are white space.
    fn new(letters: &[Letter], heading: bool, number: Option<u32>) -> Option<Self> {
        let mut marks = vec![false; letters.len()];
        for Range { start, end } in citations(letters) {
            let spaces = letters[..start].iter().rev().take_while(|letter| letter.c == ' ').count();
            marks[start - spaces..end].fill(true);
        }
        let mut block = Self { text: String::new(), origin: Vec::new(), heading, row: false, number };
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
                && !block.text.is_empty()
            {
                block.push(space);
            }
            block.push(*letter);
        }
        (!block.text.is_empty()).then_some(block)
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
    linked: bool,
}

impl Letter {
    /// One of no link.
    pub(crate) fn at(c: char, place: Range<usize>) -> Self {
        Self { c, start: place.start, end: place.end, linked: false }
    }

    fn new(c: char, start: usize) -> Self {
        Self::at(c, start..start + c.len_utf8())
    }

    /// One that the source has not, before what stands at `at`.
    fn inserted(c: char, at: usize) -> Self {
        Self::at(c, at..at)
    }

    fn is_space(self) -> bool {
        self.c.is_whitespace()
    }
}

/// The blocks of a text, in order.
pub(crate) fn blocks(source: &str) -> Vec<Block> {
    let (readable, _) = without_reasoning(source);
    let mut reader = Reader {
        source: &readable,
        blocks: Vec::new(),
        open: Vec::new(),
        number: None,
        link: (0, false),
        skip: 0,
        table: Table::default(),
    };
    for (event, place) in events(&readable) {
        reader.read(&event, place);
    }
    reader.close(false);
    reader.blocks
}

/// The parser's events over a text, each with its place.
pub(crate) fn events(readable: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(readable, options).into_offset_iter()
}

/// The paragraphs of prose without Markdown, in order: blank lines part them.
pub(crate) fn paragraphs(source: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut letters: Vec<Letter> = Vec::new();
    let mut is_blank = false;
    for (at, c) in source.char_indices() {
        if c == '\n' {
            if is_blank {
                found.extend(Block::new(&letters, false, None));
                letters.clear();
            }
            is_blank = true;
        } else if !c.is_whitespace() {
            is_blank = false;
        }
        letters.push(Letter::new(c, at));
    }
    found.extend(Block::new(&letters, false, None));
    found
}

/// The text with every reasoning block, such as `<think>...</think>`, turned into white space, so that offsets stay;
/// and where these blocks are, in order.
pub(crate) fn without_reasoning(source: &str) -> (String, Vec<Range<usize>>) {
    let (mut text, mut found) = (source.to_owned(), Vec::new());
    for name in ["think", "thinking", "thought", "reasoning"] {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let lower = text.to_ascii_lowercase();
        let mut from = 0;
        while let Some(start) = lower[from..].find(&open).map(|at| from + at) {
            let end = lower[start..].find(&close).map_or(text.len(), |at| start + at + close.len());
            blank_out(&mut text, start..end);
            found.push(start..end);
            from = end;
        }
    }
    found.sort_unstable_by_key(|block| block.start);
    (text, found)
}

/// Turns a place into white space that Markdown does not take for an indent, which would make what follows code: form
/// feeds within a paragraph, line ends elsewhere.
fn blank_out(text: &mut String, place: Range<usize>) {
    let space = [' ', '\t', '\r'];
    let after = text[place.end..].trim_start_matches(space);
    let before = text[..place.start].trim_end_matches(space);
    let line_before = before.strip_suffix('\n').map(|lines| lines.trim_end_matches(space));
    let follows_a_gap = before.is_empty() || line_before.is_some_and(|line| line.is_empty() || line.ends_with('\n'));
    let fills_lines = line_before.is_some() && (after.is_empty() || after.starts_with('\n'));
    let parts = follows_a_gap || fills_lines;
    let (blank, end) = if parts { ('\n', text.len() - after.len()) } else { ('\u{c}', place.end) };
    let white = text[place.start..end].bytes().map(|byte| if byte == b'\n' { '\n' } else { blank }).collect::<String>();
    text.replace_range(place.start..end, &white);
}

/// The characters of what the parser calls the text of a place; where it has read an escape or an entity, the source
/// differs.
pub(crate) fn letters<'a>(source: &'a str, text: &'a str, place: Range<usize>) -> impl Iterator<Item = Letter> + 'a {
    let ticks = |text: &str| text.len() - text.trim_start_matches('`').len();
    // A fence of backticks stands before code.
    let mut at = place.start + ticks(&source[place.clone()]).saturating_sub(ticks(text));
    let is_entity = text.chars().nth(1).is_none();
    text.chars().map(move |c| {
        let is_it = |s: char| s == c || (c == ' ' && s.is_whitespace()) || (c == '\u{fffd}' && s == '\0');
        match source[at..place.end].char_indices().take(12).find(|&(_, s)| is_it(s)) {
            Some((skipped, s)) => {
                let start = at + skipped;
                at = start + s.len_utf8();
                Letter::at(c, start..at)
            }
            None if is_entity => Letter::at(c, at..place.end),
            // Some character of this text, so that no two have the same place.
            None => {
                let start = at;
                at += source[at..place.end].chars().next().map_or(0, char::len_utf8);
                Letter::at(c, start..at)
            }
        }
    })
}

/// A line of prose that a line of dashes follows is no heading.
pub(crate) fn is_heading(source: &str) -> bool {
    let prose = source.trim_end_matches(|c: char| c.is_whitespace() || "-=*_".contains(c));
    source.trim_start().starts_with('#') || !prose.ends_with(['.', '!', '?'])
}

/// The rows of a table that is being read.
#[derive(Default)]
struct Table {
    columns: Vec<String>,
    cells: Vec<Vec<Letter>>,
    in_head: bool,
}

struct Reader<'a> {
    source: &'a str,
    blocks: Vec<Block>,
    /// The characters of the block that is open.
    open: Vec<Letter>,
    /// The number of the list item that has just begun.
    number: Option<u32>,
    /// Where in `open` the words of the last link begin, and whether it is one such as `[1]`, whose address stands
    /// elsewhere.
    link: (usize, bool),
    /// How many elements that are no prose are open.
    skip: usize,
    table: Table,
}

impl Reader<'_> {
    fn read(&mut self, event: &Event, place: Range<usize>) {
        match event {
            Event::Start(
                Tag::CodeBlock(CodeBlockKind::Fenced(_)) | Tag::FootnoteDefinition(_) | Tag::MetadataBlock(_),
            ) => {
                self.close(false);
                self.skip += 1;
            }
            // What is indented is seldom code in an answer.
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) | Event::End(TagEnd::CodeBlock) if self.skip == 0 => {
                self.close(false);
            }
            Event::End(TagEnd::CodeBlock | TagEnd::FootnoteDefinition | TagEnd::MetadataBlock(_)) => self.skip -= 1,
            _ if self.skip > 0 => {}
            Event::Start(Tag::Table(_)) => self.table = Table::default(),
            Event::Start(Tag::TableHead) => self.table.in_head = true,
            Event::End(TagEnd::TableCell) => self.table.cells.push(std::mem::take(&mut self.open)),
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => self.end_row(),
            Event::Start(Tag::Item) => {
                self.close(false);
                let digits: String = self.source[place.start..].chars().take_while(char::is_ascii_digit).collect();
                self.number = digits.parse().ok();
                self.year(place.start);
            }
            // The number that opens an item stays before it.
            Event::Start(Tag::Paragraph) if !self.open.iter().any(|letter| letter.c.is_alphabetic()) => {}
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::BlockQuote(_) | Tag::HtmlBlock)
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::BlockQuote(_) | TagEnd::HtmlBlock)
            | Event::Rule => self.close(false),
            Event::End(TagEnd::Heading(_)) => self.close(is_heading(&self.source[place])),
            Event::Text(text) | Event::Code(text) => self.open.extend(letters(self.source, text, place)),
            Event::Start(Tag::Link { link_type, .. }) => {
                self.link = (self.open.len(), *link_type == LinkType::Shortcut)
            }
            Event::End(TagEnd::Link) => self.end_link(place.end),
            Event::InlineHtml(_) | Event::Html(_) => self.html(place),
            Event::SoftBreak | Event::HardBreak => self.open.push(Letter::inserted('\n', place.start)),
            _ => {}
        }
    }

    /// Takes away the words of the link that ends at `end` if they are a citation's number, and the spaces before it.
    fn end_link(&mut self, end: usize) {
        let (words, is_shortcut) = (self.link.0.min(self.open.len()), self.link.1);
        let before = self.open[..words].last().map(|letter| letter.c);
        if is_number(&self.open[words..]) && (is_shortcut || !reads_on(before, &self.source[end..])) {
            let spaces = self.open[..words].iter().rev().take_while(|letter| letter.c == ' ').count();
            self.open.truncate(words - spaces);
        }
        self.open.iter_mut().skip(words).for_each(|letter| letter.linked = true);
    }

    /// A line that begins with "1990." is no item of a list.
    fn year(&mut self, start: usize) {
        let digits = self.source[start..].bytes().take_while(u8::is_ascii_digit).count();
        if digits > 3 {
            self.open
                .extend(self.source[start..].char_indices().take(digits + 2).map(|(at, c)| Letter::new(c, start + at)));
        }
    }

    /// Of HTML the text counts, a `<br>` as a line break and `<sup>` as `^`.
    fn html(&mut self, place: Range<usize>) {
        let mut at = place.start;
        while at < place.end {
            let rest = &self.source[at..place.end];
            let c = rest.chars().next().unwrap_or(' ');
            let Some(length) = (c == '<').then(|| tag_length(rest)).flatten() else {
                self.open.push(Letter::new(c, at));
                at += c.len_utf8();
                continue;
            };
            let name = rest[1..length].trim_start_matches('/').to_ascii_lowercase();
            let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
            match name {
                "br" | "p" | "div" | "li" | "tr" | "summary" | "details" | "h1" | "h2" | "h3" | "ul" | "ol" => {
                    self.open.push(Letter::inserted('\n', at));
                }
                "td" | "th" => self.open.push(Letter::inserted(' ', at)),
                "sup" if !rest.starts_with("</") && self.open.last().is_some_and(|last| last.c.is_alphanumeric()) => {
                    self.open.push(Letter::inserted('^', at));
                }
                _ => {}
            }
            at += length;
        }
    }

    /// A row as prose, "Mars: moons 2, colour red", by the names of its columns.
    fn end_row(&mut self) {
        let cells = std::mem::take(&mut self.table.cells);
        if std::mem::take(&mut self.table.in_head) {
            let name = |cell: &Vec<Letter>| cell.iter().map(|letter| letter.c).collect::<String>().trim().to_owned();
            self.table.columns = cells.iter().map(name).collect();
            return;
        }
        let mut is_row = false;
        let is_empty = |cell: &[Letter]| cell.iter().all(|letter| letter.is_space());
        for (column, cell) in cells.into_iter().enumerate().filter(|(_, cell)| !is_empty(cell)) {
            let at = cell[0].start;
            let name = self.table.columns.get(column).map_or("", String::as_str);
            is_row |= !self.open.is_empty();
            let before = match column {
                _ if self.open.is_empty() => String::new(),
                1 => format!(": {name} "),
                _ => format!(", {name} "),
            };
            self.open.extend(before.chars().map(|c| Letter::inserted(c, at)));
            self.open.extend(cell);
        }
        let before = self.blocks.len();
        self.close(false);
        for block in &mut self.blocks[before..] {
            block.row = is_row;
        }
    }

    /// Ends the open block; a line that begins with a mark of a list that Markdown does not know begins another.
    fn close(&mut self, heading: bool) {
        let letters = std::mem::take(&mut self.open);
        let mut start = 0;
        for at in 0..letters.len() {
            let is_new = at > start && letters[at - 1].c == '\n' && bullet(&letters[at..]) > 0;
            if is_new {
                self.push(&letters[start..at], heading);
                start = at;
            }
        }
        self.push(&letters[start..], heading);
    }

    fn push(&mut self, letters: &[Letter], heading: bool) {
        let mut letters = letters;
        let mut number = self.number.take();
        loop {
            let length = bullet(letters);
            if length == 0 {
                break;
            }
            let digits: String = letters[..length].iter().map(|letter| letter.c).filter(char::is_ascii_digit).collect();
            number = digits.parse().ok().or(number);
            letters = &letters[length..];
        }
        self.blocks.extend(Block::new(letters, heading, number));
    }
}

/// How many characters an HTML tag or comment has that `rest` begins with.
fn tag_length(rest: &str) -> Option<usize> {
    if rest.starts_with("<!--") {
        return Some(rest.find("-->").map_or(rest.len(), |at| at + 3));
    }
    let name = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| rest.find('>').map(|at| at + 1)).flatten()
}

/// How many characters of white space and of a list's mark `letters` begin with.
fn bullet(letters: &[Letter]) -> usize {
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

/// The citations among these characters, in order: `[1]`, `[2, 3]`, `【4†source】`, a raised number behind a stop, or
/// links in brackets at the end of a sentence.
pub(crate) fn citations(letters: &[Letter]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let c = letters[at].c;
        let before = at.checked_sub(1).map(|before| letters[before].c);
        let end = match c {
            '[' | '【' => bracket_end(letters, at),
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

pub(crate) fn is_raised(c: char) -> bool {
    matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹')
}

/// Whether these are a number that a citation may have.
fn is_number(words: &[Letter]) -> bool {
    (1..=3).contains(&words.len()) && words.iter().all(|letter| letter.c.is_ascii_digit())
}

/// Whether a sentence reads on through a number that is a link, as in "has [2](...) moons": one that cites stands at
/// the end of a word or of a sentence.
fn reads_on(before: Option<char>, after: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(source: &str) -> Vec<String> {
        blocks(source).into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn line_marks_open_a_block_and_are_left_out() {
        assert_eq!(
            prose("# Iron\nIron is a metal.\n\n- hard\n* [x] grey\n1. old\n2)New\n> quoted\n\n---\n"),
            ["Iron", "Iron is a metal.", "hard", "grey", "old", "New", "quoted"]
        );
        assert_eq!(prose("Metals:\n• iron\n◦ tin\n– lead"), ["Metals:", "iron", "tin", "lead"]);
        assert_eq!(
            prose("Gold is a metal.\n---\nSo is tin.\n\nOn tin\n---"),
            ["Gold is a metal.", "So is tin.", "On tin"]
        );
    }

    #[test]
    fn numbers_and_dashes_within_prose_are_no_marks() {
        assert_eq!(prose("1990. A year"), ["1990. A year"]);
        assert_eq!(prose("-5 degrees"), ["-5 degrees"]);
        assert_eq!(prose("1.5 million"), ["1.5 million"]);
        assert_eq!(prose("#hashtag"), ["#hashtag"]);
    }

    #[test]
    fn inline_marks_are_left_out() {
        assert_eq!(prose("**Paris** is *the* `capital` of __France__."), ["Paris is the capital of France."]);
        assert_eq!(prose("See [the [big] page](https://example.org/a_b) ![map](m.png)."), ["See the [big] page map."]);
        assert_eq!(prose("It is old [1][2, 3], they say【4†source】."), ["It is old, they say."]);
        assert_eq!(
            prose("It is old[1](u) and hard [2](u). [3](u) So is tin [4] here.\n\n[4]: u"),
            ["It is old and hard. So is tin here."]
        );
        assert_eq!(
            prose(
                "It is old ([a](u), [b (c)](v)). It is hard. (Source: [a](u)) The metal ([tin](u)) is [soft](u) ([so](u))"
            ),
            ["It is old. It is hard. The metal (tin) is soft"]
        );
        assert_eq!(prose("It has [2](u) moons, found in [1877](u)."), ["It has 2 moons, found in 1877."]);
        assert_eq!(
            prose("Gold is a metal.¹ Mars has two moons.²\n10² is 100."),
            ["Gold is a metal. Mars has two moons.\n10² is 100."]
        );
    }

    #[test]
    fn stars_and_bars_that_mean_something_stay() {
        assert_eq!(prose("5 * 3 is 5*3, a snake_case and [sic] stay"), ["5 * 3 is 5*3, a snake_case and [sic] stay"]);
    }

    #[test]
    fn code_is_no_prose() {
        assert_eq!(prose("Run:\n```sh\nls -l\n```\nThat lists files."), ["Run:", "That lists files."]);
        assert_eq!(prose("Run:\n~~~~\nls\n```\n~~~~\nDone."), ["Run:", "Done."]);
        assert_eq!(prose("Run:\n```\nnever closed"), ["Run:"]);
        assert_eq!(prose("So:\n\n    Gold is a metal."), ["So:", "Gold is a metal."]);
    }

    #[test]
    fn footnotes_link_definitions_and_reasoning_are_no_prose() {
        assert_eq!(prose("Gold is a metal.[^1]\n\n[^1]: Smith wrote it in Metals, 1999."), ["Gold is a metal."]);
        assert_eq!(prose("See [gold][g].\n\n[g]: https://example.org 'Gold'"), ["See gold."]);
        assert_eq!(prose("<think>\nMaybe five.\n\nI should check.\n</think>\nIt has four."), ["It has four."]);
        assert_eq!(prose("<Thinking>Maybe five"), [""; 0]);
        assert_eq!(prose("<think>Maybe five.</think>    It has four."), ["It has four."]);
        assert_eq!(prose("<think>Five?</think># Legs\n\nFour."), ["Legs", "Four."]);
        assert_eq!(prose("- <think>Maybe five.</think> It has four."), ["It has four."]);
        assert_eq!(prose("A dog\n<think>Maybe five.</think> has four."), ["A dog\nhas four."]);
        assert_eq!(prose("A dog.\n<think>Maybe five.</think>\nA cat."), ["A dog.", "A cat."]);
    }

    #[test]
    fn of_html_the_text_stays() {
        assert_eq!(
            prose("Gold is a metal.<br>Mars has <b>two</b> moons.<br/>Yes."),
            ["Gold is a metal.\nMars has two moons.\nYes."]
        );
        assert_eq!(
            prose("<p>Gold is a metal.</p>\n<!-- no -->\nMars has moons."),
            ["Gold is a metal.\n\nMars has moons.".replace("\n\n", "\n")]
        );
        assert_eq!(
            prose("10<sup>30</sup> kg, H<sub>2</sub>O, <2 V for a load >30 A &amp; more"),
            ["10^30 kg, H2O, <2 V for a load >30 A & more"]
        );
    }

    #[test]
    fn a_row_of_a_table_is_read_with_its_columns() {
        let table = "| Planet | Moons | Colour |\n|---|---|---|\n| **Mars** | 2 | red |\n| Venus | 0 | |\n";
        assert_eq!(prose(table), ["Mars: Moons 2, Colour red", "Venus: Moons 0"]);
        let [mars, _] = &blocks(table)[..] else { panic!("two rows") };
        assert_eq!(&table[mars.source(0..mars.text().len())], "Mars** | 2 | red");
    }

    #[test]
    fn every_character_knows_where_it_stood() {
        let source = "- **Länder:**  Österreich [1].";
        let [block] = &blocks(source)[..] else { panic!("one block") };
        assert_eq!(block.text(), "Länder: Österreich.");
        let word = block.text().find("Österreich").unwrap();
        assert_eq!(&source[block.source(word..word + "Österreich".len())], "Österreich");
        assert_eq!(&source[block.source(0..block.text().len())], "Länder:**  Österreich [1].");
    }
}
