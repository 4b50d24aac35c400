//! What an answer says: its prose, its citations' addresses, and the blocks that it is shown as.
//!
//! In blocks and in plain text, only citations, and the bullets and numbers at the start of a list's lines, are marks.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::input::{Block, BlockKind, GAP, LinkPlace};
use crate::report::Span;
use crate::text::citations::{references, words};
use crate::text::markdown;
use crate::text::markup::{Markup, MarkupKind, markup};
use crate::text::prose::{Letter, Numbers, Prose, is_number, parted, reads_on, row};

/// An answer as it is read.
pub(crate) struct Page {
    /// Its blocks, for whoever shows them.
    pub(crate) markup: Vec<Markup>,
    /// The addresses that the numbers of its citations stand for.
    pub(crate) references: BTreeMap<String, String>,
    /// Its prose, in order.
    pub(crate) prose: Vec<Prose>,
    is_markdown: bool,
}

impl Page {
    /// The page of a Markdown text.
    pub(crate) fn of_markdown(text: &str) -> Self {
        let markup = markup(text);
        Self { references: references(&markup), markup, prose: markdown::blocks(text), is_markdown: true }
    }

    /// Which of its numbers in brackets are citations.
    pub(crate) fn numbers(&self) -> Numbers<'_> {
        if self.is_markdown { Numbers::All } else { Numbers::Of(&self.references) }
    }

    /// The page of these blocks. `text` is that of their [`Input`](crate::Input).
    pub(crate) fn of_blocks(text: &str, blocks: &[Block]) -> Self {
        let (mut end, mut next) = (0, 0);
        let placed = blocks.iter().map(|block| {
            if block.text.is_empty() {
                return (end, block);
            }
            let start = next;
            end = start + block.text.len();
            next = end + GAP.len();
            (start, block)
        });
        Self::new(text, placed)
    }

    /// The page of a plain text.
    pub(crate) fn of_plain(text: &str) -> Self {
        let mut paragraphs: Vec<(usize, Block)> = Vec::new();
        let (mut at, mut is_open) = (0, false);
        for line in text.split_inclusive('\n') {
            match paragraphs.last_mut() {
                _ if line.trim().is_empty() => is_open = false,
                Some((_, paragraph)) if is_open => paragraph.text.push_str(line),
                _ => {
                    paragraphs.push((at, Block::paragraph(line)));
                    is_open = true;
                }
            }
            at += line.len();
        }
        Self::new(text, paragraphs.iter().map(|(at, paragraph)| (*at, paragraph)))
    }

    fn new<'a>(text: &str, blocks: impl Iterator<Item = (usize, &'a Block)>) -> Self {
        let (mut byte, mut unit) = (0, 0);
        let stretches: Vec<(&Block, Stretch)> = blocks
            .map(|(at, block)| {
                unit += units(&text[byte..at]);
                byte = at;
                (block, Stretch { text: &block.text, byte, unit, links: links(block) })
            })
            .collect();
        let mut markup = Vec::new();
        for (block, stretch) in &stretches {
            add_markup(&mut markup, block, stretch);
        }
        let references = references(&markup);
        let numbers = Numbers::Of(&references);
        let prose = |(block, stretch): &(&Block, Stretch)| match block.kind {
            BlockKind::Paragraph => {
                let letters = stretch.letters();
                let paragraphs = between_empty_lines(&letters);
                paragraphs.into_iter().flat_map(|letters| parted(letters, false, None, numbers)).collect()
            }
            BlockKind::Item => parted(&stretch.letters(), false, block.number, numbers),
            BlockKind::Heading => parted(&stretch.letters(), true, None, numbers),
            BlockKind::Row => row(&block.heads, stretch.cells().map(|cell| cell.letters()).collect(), numbers),
            BlockKind::Code | BlockKind::Reference => Vec::new(),
        };
        let prose = stretches.iter().flat_map(prose).collect();
        Self { markup, references, prose, is_markdown: false }
    }
}

/// The words of a block or of a cell, and where they stand in the whole text.
struct Stretch<'a> {
    text: &'a str,
    byte: usize,
    unit: usize,
    /// The bytes of `text` that are links, in order, and their addresses.
    links: Vec<(Range<usize>, &'a str)>,
}

impl<'a> Stretch<'a> {
    /// The characters that are prose: all but the numbers of links that are citations.
    fn letters(&self) -> Vec<Letter> {
        let of = |range: Range<usize>| {
            let start = self.byte + range.start;
            self.text[range].char_indices().map(move |(at, c)| Letter::new(c, start + at))
        };
        let (mut found, mut end): (Vec<Letter>, usize) = (Vec::new(), 0);
        for (link, _) in &self.links {
            found.extend(of(end..link.start));
            end = link.end;
            let words: Vec<Letter> = of(link.clone()).map(|letter| Letter { linked: true, ..letter }).collect();
            let before = found.last().map(|letter| letter.c);
            let cites = is_number(&words)
                && !is_in_brackets(&self.text[..link.start])
                && !reads_on(before, &self.text[link.end..]);
            match cites {
                true => found.truncate(found.iter().rposition(|letter| letter.c != ' ').map_or(0, |last| last + 1)),
                false => found.extend(words),
            }
        }
        found.extend(of(end..self.text.len()));
        found
    }

    /// The cells of a row.
    fn cells(&self) -> impl Iterator<Item = Stretch<'a>> {
        let (mut byte, mut unit) = (0, 0);
        self.text.split('\t').map(move |text| {
            let cell = byte..byte + text.len();
            let is_within = |link: &&(Range<usize>, &str)| link.0.end <= cell.end;
            let first = self.links.partition_point(|(link, _)| link.start < cell.start);
            let links = self.links[first..].iter().take_while(is_within);
            let links = links.map(|(link, url)| (link.start - cell.start..link.end - cell.start, *url)).collect();
            let found = Stretch { text, byte: self.byte + byte, unit: self.unit + unit, links };
            byte = cell.end + 1;
            unit += units(text) + 1;
            found
        })
    }

    /// Its text and links as nodes.
    fn markup(&self) -> Vec<Markup> {
        let (mut found, mut end, mut unit) = (Vec::new(), 0, self.unit);
        for (link, url) in &self.links {
            add_lines(&mut found, &self.text[end..link.start], &mut unit);
            let (start, mut children) = (unit, Vec::new());
            add_lines(&mut children, &self.text[link.clone()], &mut unit);
            end = link.end;
            let kind = MarkupKind::Link { url: (*url).to_owned() };
            found.push(Markup { kind, span: Span { start, end: unit }, children });
        }
        add_lines(&mut found, &self.text[end..], &mut unit);
        found
    }

    fn span(&self) -> Span {
        Span { start: self.unit, end: self.unit + units(self.text) }
    }
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// These characters, split at lines of white space.
fn between_empty_lines(letters: &[Letter]) -> Vec<&[Letter]> {
    let (mut found, mut start, mut is_empty) = (Vec::new(), 0, false);
    for (at, letter) in letters.iter().enumerate() {
        if letter.c == '\n' {
            if is_empty {
                found.push(&letters[start..at]);
                start = at;
            }
            is_empty = true;
        } else if !letter.is_space() {
            is_empty = false;
        }
    }
    found.push(&letters[start..]);
    found
}

/// Whether a citation's bracket is open at the end of a text, as in "[1, ".
fn is_in_brackets(before: &str) -> bool {
    const LONGEST: usize = 400;
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(LONGEST))..];
    near.trim_end_matches(|c: char| c.is_ascii_digit() || ",-– ".contains(c)).ends_with('[')
}

/// The links of a block, without those that begin within another.
fn links(block: &Block) -> Vec<(Range<usize>, &str)> {
    if block.links.is_empty() {
        return Vec::new();
    }
    // For each UTF-16 unit, the byte of the first character that begins there or behind.
    let of = |(at, c): (usize, char)| [at, at + c.len_utf8()].into_iter().take(c.len_utf16());
    let bytes: Vec<usize> = block.text.char_indices().flat_map(of).collect();
    let byte_at = |unit: usize| bytes.get(unit).copied().unwrap_or(block.text.len());
    let mut found: Vec<(Range<usize>, &str)> = Vec::new();
    for LinkPlace { start, end, url } in &block.links {
        let link = byte_at(*start)..byte_at(*end);
        let after = found.last().map_or(0, |(last, _)| last.end);
        if after <= link.start && link.start <= link.end {
            found.push((link, url));
        }
    }
    found
}

/// Adds words at `unit` as a text for each line and each break, and moves `unit` behind them.
fn add_lines(nodes: &mut Vec<Markup>, words: &str, unit: &mut usize) {
    for (number, line) in words.split('\n').enumerate() {
        for text in [if number > 0 { "\n" } else { "" }, line].into_iter().filter(|text| !text.is_empty()) {
            let start = *unit;
            *unit += units(text);
            let kind = MarkupKind::Text { text: text.to_owned() };
            nodes.push(Markup { kind, span: Span { start, end: *unit }, children: Vec::new() });
        }
    }
}

/// Adds a block to those before it: an item to its list, a row to its table.
fn add_markup(blocks: &mut Vec<Markup>, block: &Block, stretch: &Stretch) {
    let span = stretch.span();
    let level = |number: u32| number.clamp(1, 6) as u8; // at most 6
    let kind = match block.kind {
        BlockKind::Paragraph => MarkupKind::Paragraph,
        BlockKind::Heading => MarkupKind::Heading { level: level(block.number.unwrap_or(1)) },
        BlockKind::Code => MarkupKind::CodeBlock { language: String::new() },
        BlockKind::Reference => MarkupKind::Footnote { label: block.number.unwrap_or_default().to_string() },
        BlockKind::Item => {
            let item = Markup { kind: MarkupKind::Item { checked: None }, span, children: stretch.markup() };
            let number = block.number.map(u64::from);
            let goes_on = |list: &Markup| match list.kind {
                MarkupKind::List { first } => first.map(|first| first + list.children.len() as u64) == number,
                _ => false,
            };
            return within(
                blocks,
                goes_on,
                || Markup { kind: MarkupKind::List { first: number }, span, children: Vec::new() },
                item,
            );
        }
        BlockKind::Row => {
            let cell = |span, children| Markup { kind: MarkupKind::Cell { align: None }, span, children };
            let cells = stretch.cells().map(|words| cell(words.span(), words.markup())).collect();
            let row = Markup { kind: MarkupKind::Row { head: false }, span, children: cells };
            // The columns' names stand nowhere in the text.
            let nowhere = Span { start: span.start, end: span.start };
            let name = |name: &String| {
                let kind = MarkupKind::Text { text: name.clone() };
                cell(nowhere, vec![Markup { kind, span: nowhere, children: Vec::new() }])
            };
            let names: Vec<Markup> = block.heads.iter().map(name).collect();
            let head = Markup { kind: MarkupKind::Row { head: true }, span: nowhere, children: names };
            let goes_on = |table: &Markup| table.kind == MarkupKind::Table && names_of(table) == block.heads;
            return within(
                blocks,
                goes_on,
                || Markup { kind: MarkupKind::Table, span, children: vec![head.clone()] },
                row,
            );
        }
    };
    blocks.push(Markup { kind, span, children: stretch.markup() });
}

/// Adds `part` to the last block if `goes_on` holds of that, or else to a `new` one.
fn within(blocks: &mut Vec<Markup>, goes_on: impl Fn(&Markup) -> bool, new: impl Fn() -> Markup, part: Markup) {
    if !blocks.last().is_some_and(goes_on) {
        blocks.push(new());
    }
    if let Some(whole) = blocks.last_mut() {
        whole.span.end = part.span.end;
        whole.children.push(part);
    }
}

/// The names of a table's columns.
fn names_of(table: &Markup) -> Vec<String> {
    let cells = table.children.first().map_or(&[][..], |head| &head.children);
    cells.iter().map(|cell| words(&cell.children)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::input::Input;
    use crate::report::SentenceKind;
    use crate::settings::Settings;
    use crate::text::split::{Split, split};

    fn read(input: &Input) -> Split {
        split(input.clone(), None, &Settings::default()).unwrap()
    }

    /// The statements of an input. Asserts that each sentence is at its place.
    fn statements(input: Input) -> Vec<String> {
        let text = input.text().into_owned();
        let found = read(&input);
        for sentence in &found.sentences {
            let [stands, said] = [&sentence.span.of(&text), &sentence.text].map(|words| words.chars().next());
            assert_eq!(stands, said, "{sentence:?}");
        }
        found.sentences.into_iter().map(|sentence| sentence.statement).collect()
    }

    fn block(kind: BlockKind, text: &str) -> Block {
        Block { kind, text: text.to_owned(), ..Block::default() }
    }

    fn linked(text: &str, words: &str, url: &str) -> Block {
        let start = units(&text[..text.find(words).unwrap()]);
        let link = LinkPlace { start, end: start + units(words), url: url.to_owned() };
        Block { links: vec![link], ..Block::paragraph(text) }
    }

    #[test]
    fn what_a_page_shows_is_no_markdown() {
        for said in [
            "Python's __init__ method makes an object.",
            "The <div> element is a block container.",
            "The list [1, 2, 3] has three items.",
            "The product 2*3*4 is 24.",
            "The name snake_case_name has *stars* and `ticks`.",
            "The entity &amp; is an ampersand.",
        ] {
            assert_eq!(statements(Input::Blocks(vec![Block::paragraph(said)])), [said]);
            assert_eq!(statements(Input::Plain(said.to_owned())), [said]);
        }
    }

    #[test]
    fn each_block_is_read_as_what_it_is() {
        let row =
            |text: &str| Block { heads: ["Planet", "Moons"].map(str::to_owned).into(), ..block(BlockKind::Row, text) };
        let item = |number, text: &str| Block { number: Some(number), ..block(BlockKind::Item, text) };
        let input = Input::Blocks(vec![
            block(BlockKind::Heading, "Moons of planets"),
            block(BlockKind::Code, "The moon is a rock."),
            row("Mars\t2"),
            row("Saturn 🪐 B\t274"),
            item(1, "Mars has two moons."),
            item(2, "Venus has none at all."),
            Block::paragraph("Deimos is small.\n\nPhobos is a moon."),
            Block::default(),
        ]);
        assert_eq!(
            statements(input.clone()),
            [
                "Mars: Moons 2",
                "Saturn 🪐 B: Moons 274",
                "Mars has two moons.",
                "Venus has none at all.",
                "Deimos is small.",
                "Phobos is a moon."
            ]
        );
        let kinds: Vec<String> = read(&input)
            .blocks
            .iter()
            .map(|block| format!("{:?}", block.kind).split([' ', '{']).next().unwrap().into())
            .collect();
        assert_eq!(kinds, ["Heading", "CodeBlock", "Table", "List", "Paragraph", "Paragraph"]);
        let found = read(&input);
        let children: Vec<usize> = found.blocks[2..4].iter().map(|block| block.children.len()).collect();
        assert_eq!(children, [3, 2], "the names of the columns and two rows, and two items");
        assert_eq!(found.blocks[2].span.end, found.sentences[1].span.end);
    }

    #[test]
    fn a_sentence_with_an_object_that_has_no_words_is_not_judged() {
        let whole = Block::paragraph("The heart has 5 chambers. The \u{fffc} is a number.");
        let Split { sentences, left_out, .. } = read(&Input::Blocks(vec![whole]));
        assert_eq!(sentences.len(), 1);
        assert_eq!(sentences[0].statement, "The heart has 5 chambers.");
        assert_eq!((left_out.len(), left_out[0].kind), (1, SentenceKind::Formula));
    }

    #[test]
    fn numbers_in_brackets_cite_where_something_says_what_they_refer_to() {
        let cited = |blocks: Vec<Block>| -> Vec<(String, Vec<String>)> {
            let sentences = read(&Input::Blocks(blocks)).sentences;
            let addresses = |citations: Vec<crate::report::Citation>| {
                citations
                    .into_iter()
                    .map(|cited| format!("{}={}", cited.label, cited.address.unwrap_or_default()))
                    .collect()
            };
            sentences.into_iter().map(|sentence| (sentence.statement, addresses(sentence.citations))).collect()
        };
        let said =
            |statement: &str, cited: &[&str]| (statement.to_owned(), cited.iter().map(|&it| it.to_owned()).collect());
        let url = "https://example.org/iron";
        let note = Block {
            number: Some(2),
            ..Block { links: vec![LinkPlace { start: 0, end: 0, url: url.into() }], ..block(BlockKind::Reference, "") }
        };
        assert_eq!(
            cited(vec![Block::paragraph("Iron is a metal [2]. Tin is soft [3]."), note]),
            [said("Iron is a metal.", &[&format!("2={url}")]), said("Tin is soft [3].", &[])]
        );
        assert_eq!(
            cited(vec![linked("Iron is a metal [2]. Tin is a metal [2].", "2", url)]),
            [said("Iron is a metal.", &[&format!("2={url}")]), said("Tin is a metal.", &[&format!("2={url}")])]
        );
        assert_eq!(
            cited(vec![linked("Iron is a metal (its page).", "its page", url)]),
            [said("Iron is a metal.", &[&format!("its page={url}")])]
        );
        assert_eq!(
            cited(vec![linked("Iron is a metal.1", "1", url)]),
            [said("Iron is a metal.", &[&format!("1={url}")])]
        );
        let behind = Block {
            links: vec![LinkPlace { start: 16, end: 16, url: url.into() }],
            ..Block::paragraph("Iron is a metal.")
        };
        assert_eq!(cited(vec![behind]), [said("Iron is a metal.", &[&format!("={url}")])]);
    }

    #[test]
    fn links_that_no_text_has_are_cut_and_passed_over() {
        let places = [(3, 99), (90, 95), (1, 2), (5, 4)].map(|(start, end)| LinkPlace {
            start,
            end,
            url: "https://a.org".into(),
        });
        let input = Input::Blocks(vec![Block { links: places.into(), ..Block::paragraph("Ï🦀n is a crab.") }]);
        assert_eq!(statements(input), ["Ï🦀n is a crab."]);
    }

    proptest! {
        #[test]
        fn any_blocks_are_read_and_their_sentences_stand_in_order(
            texts in proptest::collection::vec("[a-zA-Z12 .,()\\[\\]<>*_\n\t🪐-]{0,40}", 0..6),
            start in 0_usize..50,
            length in 0_usize..20,
        ) {
            use BlockKind::{Code, Heading, Item, Paragraph, Reference, Row};
            let kinds = [Paragraph, Row, Item, Heading, Code, Reference];
            let link = LinkPlace { start, end: start + length, url: "https://example.org".to_owned() };
            let linked = |(text, kind): (&String, _)| Block { links: vec![link.clone()], ..block(kind, text) };
            let blocks = texts.iter().zip(kinds).map(linked);
            let input = Input::Blocks(blocks.collect());
            let end = units(&input.text());
            let found = read(&input);
            let mut after = 0;
            for sentence in found.sentences {
                prop_assert!(after <= sentence.span.start && sentence.span.start < sentence.span.end);
                after = sentence.span.end;
            }
            prop_assert!(after <= end);
            prop_assert!(found.blocks.iter().all(|block| block.span.start <= block.span.end && block.span.end <= end));
        }
    }
}
