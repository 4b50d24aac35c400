//! Reads what chatbots write, mostly Markdown, as plain text in which every character still knows where it stood.
//!
//! Code, reasoning (`<think>`), images' addresses, footnotes and link definitions are no prose and are left out. So are
//! marks: of headings, lists and quotes, emphasis, link targets, HTML tags, citations such as `[1]`. A table's row is
//! read with the names of its columns.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::text::prose::{Letter, Numbers, Prose, is_number, parted, reads_on, row};

/// The blocks of a text, in order.
pub(crate) fn blocks(source: &str) -> Vec<Prose> {
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
    blocks: Vec<Prose>,
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
            Event::Text(text) => self.open.extend(letters(self.source, text, place)),
            Event::Code(text) => {
                let code = letters(self.source, text, place).map(|letter| Letter { code: true, ..letter });
                self.open.extend(code);
            }
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
        self.blocks.extend(row(&self.table.columns, cells, Numbers::All));
    }

    /// Ends the open block.
    fn close(&mut self, heading: bool) {
        let letters = std::mem::take(&mut self.open);
        self.blocks.extend(parted(&letters, heading, self.number.take(), Numbers::All));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(source: &str) -> Vec<String> {
        blocks(source).into_iter().map(|block| block.text().to_owned()).collect()
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
