//! Reads what chatbots write, mostly Markdown, as plain text, with the place in the source of each character.
//!
//! Fenced code, reasoning (`<think>`), images' addresses, footnotes, link definitions and struck-out words are not
//! prose and are left out. So are marks: of headings, lists and quotes, emphasis, link targets, HTML tags, citations
//! such as `[1]`. A table's row is read with the names of its columns.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Tag, TagEnd};

use crate::text::parser::events;
use crate::text::prose::{Letter, Numbers, Prose, is_keyed, is_number, is_span, is_stop, parted, reads_on, row};
use crate::text::readable::read;

/// The blocks of a text, in order.
pub(crate) fn blocks(source: &str) -> Vec<Prose> {
    let readable = read(source);
    let mut reader = Reader {
        source: &readable,
        blocks: Vec::new(),
        open: Vec::new(),
        number: None,
        link: (0, false),
        skip: 0,
        table: Table::default(),
        html: 0,
    };
    for (event, place) in events(&readable) {
        reader.read(&event, place);
    }
    reader.close(false);
    reader.blocks
}

/// The characters of `text`, which the parser found at `place`, each with its own place in `source`. The two differ
/// where the parser has decoded an escape or an entity.
pub(crate) fn letters<'a>(source: &'a str, text: &'a str, place: Range<usize>) -> impl Iterator<Item = Letter> + 'a {
    let ticks = |text: &str| text.len() - text.trim_start_matches('`').len();
    // The place of inline code begins with backticks that `text` lacks.
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
            // The next character of the source, whatever it is, so that no two have the same place.
            None => {
                let start = at;
                at += source[at..place.end].chars().next().map_or(0, char::len_utf8);
                Letter::at(c, start..at)
            }
        }
    })
}

/// True if `source` is struck out: two tildes strike words out, and one does not.
pub(crate) fn strikes(source: &str) -> bool {
    source.starts_with("~~")
}

/// Whether `source`, which the parser takes for a heading, is one: a sentence with a line of dashes below it is not.
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
    /// In HTML, whether a cell is open, and how many of the row's cells are heads.
    in_cell: bool,
    heads: usize,
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
    /// Up to where HTML has been read: a tag may go on in the next line.
    html: usize,
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
            Event::Start(Tag::Strikethrough) if strikes(&self.source[place.clone()]) => self.skip += 1,
            Event::End(TagEnd::Strikethrough) if strikes(&self.source[place.clone()]) => self.skip -= 1,
            _ if self.skip > 0 => {}
            Event::Start(Tag::Strikethrough) => self.tilde(&place, place.start),
            Event::End(TagEnd::Strikethrough) => self.tilde(&place, place.end - 1),
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
        let label = &self.open[words..];
        let cites = (is_number(label) || before != Some('(') && is_keyed(label))
            && (is_shortcut || !reads_on(before, &self.source[end..]));
        if cites || is_span(label) {
            let is_gap = |letter: &&Letter| letter.c == ' ' || letter.is_raising();
            let behind = self.source[end..].chars().next();
            let spaces = match behind.is_some_and(char::is_alphanumeric) {
                true => 0, // the space separates the words around the link
                false => self.open[..words].iter().rev().take_while(is_gap).count(),
            };
            self.open.truncate(words - spaces);
        }
        self.open.iter_mut().skip(words).for_each(|letter| letter.linked = true);
    }

    /// Keeps a number such as "1990." that begins a line: it is a year and not the number of a list item.
    fn year(&mut self, start: usize) {
        let digits = self.source[start..].bytes().take_while(u8::is_ascii_digit).count();
        if digits > 3 {
            self.open
                .extend(self.source[start..].char_indices().take(digits + 2).map(|(at, c)| Letter::new(c, start + at)));
        }
    }

    /// Reads HTML: its text is kept, `<br>` and tags of blocks are line breaks, `<sup>` is `^`, and a table's row is
    /// read like one of Markdown.
    fn html(&mut self, place: Range<usize>) {
        let mut at = place.start.max(self.html);
        while at < place.end {
            let rest = &self.source[at..];
            let c = rest.chars().next().unwrap_or(' ');
            let Some(length) = (c == '<').then(|| tag_length(rest)).flatten() else {
                self.open.push(Letter::new(c, at));
                at += c.len_utf8();
                continue;
            };
            let is_end = rest.starts_with("</");
            let name = rest[1 + usize::from(is_end)..length].to_ascii_lowercase();
            let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
            match name {
                "br" | "p" | "div" | "li" | "summary" | "details" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "ul"
                | "ol" | "dt" | "dd" | "caption" | "blockquote" => self.open.push(Letter::inserted('\n', at)),
                "td" | "th" => {
                    self.end_cell();
                    match self.table.cells.is_empty() {
                        true => self.close(false),
                        false => self.open.clear(),
                    }
                    self.table.in_cell = !is_end;
                    self.table.heads += usize::from(!is_end && name == "th");
                }
                "table" | "tr" => {
                    self.close(false);
                    if name == "table" {
                        self.table = Table::default();
                    }
                }
                "sup"
                    if !is_end && self.open.last().is_some_and(|last| last.c.is_alphanumeric() || is_stop(last.c)) =>
                {
                    self.open.push(Letter::inserted('^', at));
                }
                _ => {}
            }
            at += length;
        }
        self.html = at;
    }

    /// Ends a cell of HTML that is open.
    fn end_cell(&mut self) {
        if std::mem::take(&mut self.table.in_cell) {
            self.table.cells.push(std::mem::take(&mut self.open));
        }
    }

    /// Keeps the single tildes around several words, as in "~5 to 7~", which are text. Those around a single word are
    /// marks.
    fn tilde(&mut self, words: &Range<usize>, at: usize) {
        const LONGEST_WORD: usize = 400;
        if words.len() > LONGEST_WORD || self.source[words.clone()].contains(' ') {
            self.open.push(Letter::new('~', at));
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

    /// Ends the open block, and a row of HTML.
    fn close(&mut self, heading: bool) {
        self.end_cell();
        if !self.table.cells.is_empty() {
            self.table.in_head = std::mem::take(&mut self.table.heads) == self.table.cells.len();
            self.end_row();
        }
        let letters = std::mem::take(&mut self.open);
        self.blocks.extend(parted(&letters, heading, self.number.take(), Numbers::All));
    }
}

/// The length in bytes of the HTML tag or comment that `rest` begins with; `None` if it begins with neither. A `>` in
/// quotes does not end a tag.
fn tag_length(rest: &str) -> Option<usize> {
    const LONGEST: usize = 2_000;
    if rest.starts_with("<!--") {
        return Some(rest.find('\n').unwrap_or(rest.len())); // comments that end were blanked out by `readable::read`
    }
    let name = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let tag = &rest[..rest.floor_char_boundary(LONGEST)];
    let tag = tag.split("\n\n").next().unwrap_or(tag);
    let close = tag.find('>')?;
    let mut quote = None;
    let ends = |&(_, c): &(usize, char)| {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
        quote.is_none() && c == '>'
    };
    Some(tag.char_indices().find(ends).map_or(close, |(at, _)| at) + 1)
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
            ["Gold is a metal.", "Mars has moons."]
        );
        assert_eq!(
            prose("10<sup>30</sup> kg, H<sub>2</sub>O, <2 V for a load >30 A &amp; more"),
            ["10^30 kg, H2O, <2 V for a load >30 A & more"]
        );
    }

    #[test]
    fn a_tag_of_html_may_have_marks_and_line_breaks_in_it() {
        assert_eq!(
            prose("<a title=\"x > y\" href='z'>Gold</a> is a metal.\n\n<div\n  title='a > b'\n>It is soft.</div>"),
            ["Gold is a metal.", "It is soft."]
        );
        assert_eq!(
            prose("It is old.<sup>1</sup> It is hard<sup>[2]</sup>, and<sup>[3](u)</sup> soft."),
            ["It is old. It is hard, and soft."]
        );
    }

    #[test]
    fn struck_words_are_no_prose() {
        assert_eq!(
            prose("The heart has ~~five~~ four chambers. ~~It *is* [odd](u).~~ No.\n\n- ~~done~~\n- open"),
            ["The heart has four chambers. No.", "open"]
        );
        assert_eq!(prose("It has ~5 to 7~9 legs."), ["It has ~5 to 7~9 legs."]);
        assert_eq!(prose("A[^1] b.\n\n[^1]: ~~c~~ d"), ["A b."]);
    }

    #[test]
    fn chatbots_marks_are_left_out() {
        for answer in [
            "Gold is a metal :contentReference[oaicite:0]{index=0}. Tin is soft :contentReference[oaicite:1]{index=1}.",
            "Gold is a metal【oaicite:3】. Tin is soft【4:0†a_file_with_a_name_that_is_long_indeed_2023.pdf】.",
            "[cite_start]Gold is a metal[cite: 1]. [cite_start]Tin is soft[cite: 2, 3-5].",
            "[span_0](start_span)Gold is a metal.[span_0](end_span) [span_1](start_span)Tin is soft.[span_1](end_span)",
            "Gold is a metal[^1_1]. Tin is soft[^1_2][^3^].",
            "Gold is a metal [web:1][web:2]. Tin is soft [attached_file:1].",
            "Gold is a metal [doc1][doc 2]. Tin is soft [citation:3].",
            "Gold is a metal [1†L3-L9]. Tin is soft [turn0search3].",
            "Gold is a metal. \u{e200}cite\u{e202}turn0search0\u{e202}turn1news2\u{e201} Tin is soft.",
            "Gold is a metal. citeturn0search0turn1news2\nTin is soft. fileciteturn0file1",
            "\u{e200}entity\u{e202}[\"metal\",\"Gold\",\"an element\"]\u{e201} is a metal. Tin is soft.",
            "Gold is a metal.<grok:render card_id=\"ab_1\" type=\"c_d\"><argument name=\"citation_id\">3</argument></grok:render> Tin is soft.",
            "Gold is a metal. ([oai_citation:0‡a.org](https://a.org)) Tin is soft.[oai_citation:1‡b.org](https://b.org)",
            "Gold is a metal.({\"attribution\":{\"attributableIndex\":\"1009-1\"}}) Tin is soft.<|im_end|>",
        ] {
            let found = prose(answer).join(" ").replace('\n', " ");
            assert_eq!(found, "Gold is a metal. Tin is soft.", "{answer}");
        }
        let kept = "【Gold】 is a [metal: 3], [sic] <| or |> [John 3:16] and [see 4], :contentReference, <grok: a";
        assert_eq!(prose(kept), [kept]);
        assert_eq!(prose("Code `[cite: 1]` stays."), ["Code [cite: 1] stays."]);
    }

    #[test]
    fn labels_of_question_and_answer_are_left_out() {
        assert_eq!(
            prose("Q: How many moons has Mars?\nA: Mars has two."),
            ["How many moons has Mars?", "Mars has two."]
        );
        assert_eq!(prose("**Answer:** Mars has two."), ["Mars has two."]);
        assert_eq!(prose("| Vitamin | In |\n|---|---|\n| A | liver |"), ["A: In liver"]);
    }

    #[test]
    fn invisible_characters_are_left_out() {
        assert_eq!(
            prose("Go\u{200b}ld\u{e0049}\u{e0020} is\u{202e} a\u{2066} me\u{2060}tal\u{7f} 👩\u{200d}🔬\u{fe0f}."),
            ["Gold is a metal 👩\u{200d}🔬\u{fe0f}."]
        );
    }

    #[test]
    fn tables_without_a_rule_are_read_with_their_columns() {
        let rows = ["Mars: Moons 5", "Earth: Moons 3"];
        for table in [
            "<table><tr><th>Planet</th><th>Moons</th></tr><tr><td>Mars</td><td>5</td></tr><tr><td>Earth</td><td>3</td></tr></table>",
            "<table>\n<thead>\n<tr>\n<th>Planet</th>\n<th>Moons</th>\n</tr>\n</thead>\n\n<tr><td>Mars<td>5</td>\n<tr><th>Earth</th><td>3</table>",
            "Planet\tMoons\nMars\t5\nEarth\t3",
        ] {
            assert_eq!(prose(table), rows, "{table}");
        }
        assert_eq!(prose("Mars\t5\nEarth\t3"), ["Mars: 5", "Earth: 3"]);
        assert_eq!(prose("It is\tred.\n|x| is 3"), ["It is red.\n|x| is 3"]);
    }

    #[test]
    fn a_formula_that_was_copied_three_times_is_read_once() {
        assert_eq!(
            prose("It is H2OH_2OH2\u{200b}O. It has 103010^{30}1030\u{200b} kg."),
            ["It is H2O. It has 10^30 kg."]
        );
        assert_eq!(prose("It is 7979, a_a_a_b and nanana."), ["It is 7979, a_a_a_b and nanana."]);
    }

    #[test]
    fn a_row_of_a_table_is_read_with_its_columns() {
        let table = "| Planet | Moons | Colour |\n|---|---|---|\n| **Mars** | 2 | red |\n| Venus | 0 | |\n";
        assert_eq!(prose(table), ["Mars: Moons 2, Colour red", "Venus: Moons 0"]);
        let [mars, _] = &blocks(table)[..] else { panic!("two rows") };
        assert_eq!(&table[mars.source(0..mars.text().len())], "Mars** | 2 | red");
    }

    #[test]
    fn the_name_of_a_column_is_not_repeated_in_each_row_if_it_is_long() {
        let table = |name: &str| format!("| Planet | {name} | Colour |\n|---|---|---|\n| Mars | 2 | red |");
        assert_eq!(prose(&table(&"n".repeat(200))), [format!("Mars: {} 2, Colour red", "n".repeat(200))]);
        assert_eq!(prose(&table(&"n".repeat(201))), ["Mars: 2, Colour red"]);
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
