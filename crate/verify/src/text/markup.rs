//! The Markdown of an answer as a tree for display, in which each node has its place in the answer.
//!
//! Raw HTML is text, but for `<br>`, which breaks a line; a reasoning block, such as `<think>`, is a block of its own.

use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Tag, TagEnd};
use serde::Serialize;

use crate::report::Span;
use crate::text::markdown::{is_heading, letters, strikes};
use crate::text::parser::events;
use crate::text::prose::Letter;
use crate::text::readable::shown;

/// The greatest depth of nested nodes, so that the tree can be walked recursively. Deeper nodes are left out, and their
/// content stays.
const MOST_DEPTH: usize = 24;

/// A block of an answer's Markdown, or a stretch within one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Markup {
    /// What it is.
    #[serde(flatten)]
    pub kind: MarkupKind,
    /// Its place in the answer, marks included.
    #[serde(flatten)]
    pub span: Span,
    /// What stands in it, in order.
    pub children: Vec<Markup>,
}

/// What a stretch of Markdown is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum MarkupKind {
    /// Words. If they have as many UTF-16 units as their place in the answer, each unit is at its own place; if not,
    /// only the whole text corresponds to the whole place.
    Text {
        /// The words.
        text: String,
    },
    /// Words in lines.
    Paragraph,
    /// A heading.
    Heading {
        /// 1 to 6.
        level: u8,
    },
    /// A quote; its children are blocks.
    Quote,
    /// A list of items.
    List {
        /// The number of the first item; `None` if they have none.
        first: Option<u64>,
    },
    /// An item of a list.
    Item {
        /// Of a task, whether it is done.
        checked: Option<bool>,
    },
    /// A table of rows, the first of which names the columns.
    Table,
    /// A row of cells.
    Row {
        /// Whether it names the columns.
        head: bool,
    },
    /// A cell of a row.
    Cell {
        /// The alignment of its column.
        align: Option<Align>,
    },
    /// A block of code.
    CodeBlock {
        /// The language that it says it is in; "" for none.
        language: String,
    },
    /// A horizontal rule.
    Rule,
    /// A note that a number in the text refers to.
    Footnote {
        /// Its number or name.
        label: String,
    },
    /// What a model thought before it answered.
    Reasoning,
    /// Emphasised words.
    Emphasis,
    /// Strongly emphasised words.
    Strong,
    /// Words struck out.
    Deleted,
    /// Code within a line.
    Code,
    /// A link.
    Link {
        /// What it links to, as the answer has it.
        url: String,
    },
    /// An image; its children are the words in its place.
    Image,
    /// The number or name of a footnote.
    FootnoteReference {
        /// The number or name.
        label: String,
    },
}

/// The alignment of a table's column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Align {
    /// On the left.
    Left,
    /// In the middle.
    Center,
    /// On the right.
    Right,
}

/// The blocks of an answer, in order.
pub(crate) fn markup(answer: &str) -> Vec<Markup> {
    let (readable, reasoning) = shown(answer);
    let mut tree = Tree {
        source: &readable,
        units: utf16_places(answer),
        reasoning: &reasoning,
        blocks: Vec::new(),
        open: Vec::new(),
        are_shown: Vec::new(),
        columns: Vec::new(),
        row: Row::default(),
        tail: None,
    };
    for (event, place) in events(&readable) {
        tree.read(event, place);
    }
    tree.add_reasoning(answer);
    tree.blocks
}

/// For each byte of a text, and for its end, how many UTF-16 units stand before it.
fn utf16_places(text: &str) -> Vec<usize> {
    let mut places = Vec::with_capacity(text.len() + 1);
    let mut units = 0;
    for c in text.chars() {
        places.extend(std::iter::repeat_n(units, c.len_utf8()));
        units += c.len_utf16();
    }
    places.push(units);
    places
}

/// The row of a table that is being read.
#[derive(Default)]
struct Row {
    head: bool,
    cells: usize,
}

struct Tree<'a> {
    /// The answer with its reasoning blanked out.
    source: &'a str,
    units: Vec<usize>,
    reasoning: &'a [Range<usize>],
    blocks: Vec<Markup>,
    /// The open nodes.
    open: Vec<Markup>,
    /// For each open element, whether it is a node of the tree.
    are_shown: Vec<bool>,
    columns: Vec<Alignment>,
    row: Row,
    /// The end of the last child of the innermost open node, if that is text that the next letter may extend.
    tail: Option<usize>,
}

impl Tree<'_> {
    fn read(&mut self, event: Event, place: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, place),
            Event::End(TagEnd::Strikethrough) if !strikes(&self.source[place.clone()]) => {
                self.pop();
                self.text("~", place.end - 1..place.end);
            }
            Event::End(_) => self.pop(),
            Event::Text(text) | Event::Html(text) => self.text(&text, place),
            Event::InlineHtml(html) if is_break(&html) => self.line_break(place),
            Event::InlineHtml(html) => self.text(&html, place),
            Event::SoftBreak | Event::HardBreak => self.line_break(place),
            Event::Code(code) => {
                self.push(Some(MarkupKind::Code), place.clone());
                self.text(&code, place);
                self.pop();
            }
            Event::FootnoteReference(label) => self.leaf(MarkupKind::FootnoteReference { label: label.into() }, place),
            Event::Rule => self.leaf(MarkupKind::Rule, place),
            Event::TaskListMarker(done) => {
                for node in self.open.iter_mut().rev() {
                    if let MarkupKind::Item { checked } = &mut node.kind {
                        *checked = Some(done);
                        break;
                    }
                }
            }
            Event::InlineMath(_) | Event::DisplayMath(_) => {} // the parser is not told to read them
        }
    }

    fn start(&mut self, tag: Tag, place: Range<usize>) {
        let kind = match tag {
            // What is indented is seldom code in an answer.
            Tag::Paragraph | Tag::HtmlBlock | Tag::CodeBlock(CodeBlockKind::Indented) => MarkupKind::Paragraph,
            Tag::Heading { level, .. } if is_heading(&self.source[place.clone()]) => {
                MarkupKind::Heading { level: level as u8 }
            }
            Tag::Heading { .. } => MarkupKind::Paragraph,
            Tag::BlockQuote(_) => MarkupKind::Quote,
            Tag::List(first) => MarkupKind::List { first },
            Tag::Item => MarkupKind::Item { checked: None },
            Tag::CodeBlock(CodeBlockKind::Fenced(language)) => MarkupKind::CodeBlock { language: language.into() },
            Tag::Table(columns) => {
                self.columns = columns;
                MarkupKind::Table
            }
            Tag::TableHead | Tag::TableRow => {
                self.row = Row { head: matches!(tag, Tag::TableHead), cells: 0 };
                MarkupKind::Row { head: self.row.head }
            }
            Tag::TableCell => {
                let align = match self.columns.get(self.row.cells) {
                    Some(Alignment::Left) => Some(Align::Left),
                    Some(Alignment::Center) => Some(Align::Center),
                    Some(Alignment::Right) => Some(Align::Right),
                    Some(Alignment::None) | None => None,
                };
                self.row.cells += 1;
                MarkupKind::Cell { align }
            }
            Tag::FootnoteDefinition(label) => MarkupKind::Footnote { label: label.into() },
            Tag::Emphasis => MarkupKind::Emphasis,
            Tag::Strong => MarkupKind::Strong,
            Tag::Strikethrough if strikes(&self.source[place.clone()]) => MarkupKind::Deleted,
            Tag::Strikethrough => {
                self.text("~", place.start..place.start + 1);
                return self.push(None, place);
            }
            Tag::Link { dest_url, .. } => MarkupKind::Link { url: dest_url.into() },
            Tag::Image { .. } => MarkupKind::Image,
            _ => return self.push(None, place), // the parser is not told to read others
        };
        let is_row = matches!(kind, MarkupKind::Paragraph | MarkupKind::Item { .. } | MarkupKind::Row { .. });
        if self.open.len() < MOST_DEPTH {
            self.push(Some(kind), place);
        } else {
            if is_row {
                self.line_break(place.start..place.start);
            }
            self.push(None, place);
        }
    }

    fn push(&mut self, kind: Option<MarkupKind>, place: Range<usize>) {
        self.are_shown.push(kind.is_some());
        let node = kind.map(|kind| Markup { kind, span: self.span(place), children: Vec::new() });
        self.open.extend(node);
        self.tail = None;
    }

    fn pop(&mut self) {
        if self.are_shown.pop() == Some(true)
            && let Some(node) = self.open.pop()
        {
            self.children().push(node);
        }
        self.tail = None;
    }

    fn leaf(&mut self, kind: MarkupKind, place: Range<usize>) {
        self.push(Some(kind), place);
        self.pop();
    }

    fn line_break(&mut self, place: Range<usize>) {
        self.leaf(MarkupKind::Text { text: "\n".to_owned() }, place);
    }

    /// Adds text of the parser. It is split where a character has more or fewer UTF-16 units in the source.
    fn text(&mut self, text: &str, place: Range<usize>) {
        let source = self.source;
        for letter in letters(source, text, place) {
            if !self.is_reasoning(letter.start) {
                self.letter(letter);
            }
        }
    }

    fn letter(&mut self, Letter { c, start, end, .. }: Letter) {
        let span = self.span(start..end);
        let is_same = span.end - span.start == c.len_utf16();
        let goes_on = is_same && self.tail == Some(start);
        match self.children().last_mut() {
            Some(Markup { kind: MarkupKind::Text { text }, span: before, .. }) if goes_on => {
                text.push(c);
                before.end = span.end;
            }
            _ => self.children().push(Markup { kind: MarkupKind::Text { text: c.into() }, span, children: Vec::new() }),
        }
        self.tail = is_same.then_some(end);
    }

    /// The children of the innermost open node, or the blocks if there is none.
    fn children(&mut self) -> &mut Vec<Markup> {
        match self.open.last_mut() {
            Some(node) => &mut node.children,
            None => &mut self.blocks,
        }
    }

    fn span(&self, place: Range<usize>) -> Span {
        Span { start: self.units[place.start], end: self.units[place.end] }
    }

    fn is_reasoning(&self, at: usize) -> bool {
        let after = self.reasoning.partition_point(|block| block.start <= at);
        after > 0 && at < self.reasoning[after - 1].end
    }

    /// Puts the reasoning between the blocks, without its tags.
    fn add_reasoning(&mut self, answer: &str) {
        for place in self.reasoning {
            let span = self.span(place.clone());
            let start = answer[place.clone()].find('>').map_or(place.end, |at| place.start + at + 1);
            let end = answer[start..place.end].rfind("</").map_or(place.end, |at| start + at);
            let text = MarkupKind::Text { text: answer[start..end].to_owned() };
            let words = Markup { kind: text, span: self.span(start..end), children: Vec::new() };
            self.blocks.push(Markup { kind: MarkupKind::Reasoning, span, children: vec![words] });
        }
        self.blocks.sort_by_key(|block| block.span.start); // stable: reasoning follows what begins where it does
    }
}

fn is_break(html: &str) -> bool {
    let name = html.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/').trim_end();
    name.eq_ignore_ascii_case("br")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree in short: kinds with their children, and words in quotes.
    fn short(blocks: &[Markup]) -> String {
        let one = |Markup { kind, children, .. }: &Markup| match kind {
            MarkupKind::Text { text } => format!("{text:?}"),
            MarkupKind::Link { url } => format!("link<{url}>({})", short(children)),
            kind => {
                let json = serde_json::to_value(kind).unwrap();
                let details =
                    json.as_object().unwrap().iter().filter(|(name, value)| *name != "kind" && !value.is_null());
                let details: String = details.map(|(name, value)| format!(" {name}={value}")).collect();
                format!("{}{details}({})", json["kind"].as_str().unwrap(), short(children))
            }
        };
        blocks.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    /// Asserts that all text is at its place, and all children are within their parents.
    fn check_places(answer: &str, blocks: &[Markup]) {
        let units: Vec<u16> = answer.encode_utf16().collect();
        for Markup { kind, span, children } in blocks {
            let source = String::from_utf16(&units[span.start..span.end]).unwrap();
            if let MarkupKind::Text { text } = kind
                && text.encode_utf16().count() == span.end - span.start
            {
                assert_eq!(text.replace('\n', " "), source.replace('\n', " "));
            }
            for child in children {
                assert!(span.start <= child.span.start && child.span.end <= span.end, "{child:?} outside of {span:?}");
            }
            check_places(answer, children);
        }
    }

    #[test]
    fn what_chatbots_write_is_a_tree() {
        for (answer, expected) in [
            (
                "# Iron\n\nIt **is *a* `metal`**.",
                r#"heading level=1("Iron") paragraph("It " strong("is " emphasis("a") " " code("metal")) ".")"#,
            ),
            ("- a\n  - b\n- [x] c", r#"list(item("a" list(item("b"))) item checked=true("c"))"#),
            ("3. a\n4. b", r#"list first=3(item("a") item("b"))"#),
            ("> quoted\n\n---", r#"quote(paragraph("quoted")) rule()"#),
            ("```rs\nlet a;\n\nb\n```", r#"codeBlock language="rs"("let a;\n\nb\n")"#),
            ("a &amp; b \\* c", r#"paragraph("a &" " b " "* c")"#),
            ("two<br>lines <b>bold</b>", r#"paragraph("two" "\n" "lines <b>bold</b>")"#),
            ("<div>raw</div>", r#"paragraph("<div>raw</div>")"#),
            ("[x](javascript:y) ![alt](data:z)", r#"paragraph(link<javascript:y>("x") " " image("alt"))"#),
            (
                "a[^1]\n\n[^1]: note",
                r#"paragraph("a" footnoteReference label="1"()) footnote label="1"(paragraph("note"))"#,
            ),
            ("~~no~~ \u{1f980}", "paragraph(deleted(\"no\") \" \u{1f980}\")"),
            ("It is.\n---", r#"paragraph("It is.")"#),
        ] {
            let found = markup(answer);
            assert_eq!(short(&found), expected, "{answer}");
            check_places(answer, &found);
        }
    }

    #[test]
    fn a_tables_cells_know_their_row_and_their_side() {
        let found = markup("| a | b |\n|:-:|--:|\n| 1 | **2** |\n");
        assert_eq!(
            short(&found),
            r#"table(row head=true(cell align="center"("a") cell align="right"("b")) row head=false(cell align="center"("1") cell align="right"(strong("2"))))"#
        );
    }

    #[test]
    fn reasoning_is_a_block_and_words_around_it_stay() {
        let answer = "<think>é\n\n- no</think>\n\n# Yes\n\nIt <think>is</think> so.";
        let found = markup(answer);
        assert_eq!(
            short(&found),
            r#"reasoning("é\n\n- no") heading level=1("Yes") paragraph("It " " so.") reasoning("is")"#
        );
        assert_eq!(short(&markup("<think>never closed")), r#"reasoning("never closed")"#);
    }

    /// With a running time quadratic in the length, this would take hours.
    #[test]
    fn hostile_texts_are_read_and_no_tree_is_deep() {
        fn depth(blocks: &[Markup]) -> usize {
            blocks.iter().map(|block| 1 + depth(&block.children)).max().unwrap_or(0)
        }
        let nested: String = (0..500).map(|level| format!("{}- deep {level}\n", "  ".repeat(level))).collect();
        for answer in [
            "*".repeat(1_000_000),
            "*a ".repeat(300_000),
            "[".repeat(300_000),
            "> ".repeat(20_000) + "quoted",
            "<think>".repeat(100_000),
            "<think></think>".repeat(50_000),
            "a <think></think>".repeat(50_000),
            nested,
        ] {
            assert!(depth(&markup(&answer)) <= MOST_DEPTH + 1);
        }
    }
}
