//! An article of a wiki as text, and its passages.

use std::collections::HashSet;
use std::mem;

use evident_index::{Analysis, Cutter};

use crate::options::Facts;
use crate::readers::prose::{GAP, HOLE, bold, mended, tidy, without_last_hole, without_quotes};

/// The section of the passages that are made of infoboxes and tables.
const FACTS: &str = "Facts";

/// The most names that an article has besides its title: each costs a posting for each of its passages.
const MOST_NAMES: usize = 16;

/// An article as text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Article {
    pub blocks: Vec<Block>,
    /// What is bold in its first sentence: its name as it is written in full, and others.
    pub names: Vec<String>,
    /// The facts of its infoboxes and tables, a sentence each.
    pub facts: Vec<String>,
}

/// A paragraph or a list item, with the heading above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    pub section: Option<String>,
    pub text: String,
}

impl Article {
    /// The article with this text, line by line as wiki markup has it: paragraphs, list items and headings.
    pub fn of(text: &str, facts: Vec<String>) -> Self {
        Self { blocks: blocks(text), names: names(text), facts }
    }

    /// The passages of the article, as its cutter makes them; those of its facts come last. `redirects` lead to it.
    pub fn cut<'a>(self, cutter: Cutter, redirects: impl Iterator<Item = &'a str>, facts: Facts) -> Cutter {
        let names = further(cutter.title(), self.names, redirects);
        let mut cutter = cutter.named(names);
        for block in self.blocks {
            cutter.section(block.section);
            cutter.block(&block.text);
        }
        cutter.end();
        if facts == Facts::Read {
            cutter.section(Some(FACTS.into()));
            self.facts.iter().for_each(|fact| cutter.block(fact));
            cutter.end();
        }
        cutter
    }
}

/// The blocks of rendered text.
fn blocks(text: &str) -> Vec<Block> {
    let (mut blocks, mut section, mut paragraph) = (Vec::new(), None::<String>, String::new());
    for line in text.lines() {
        let line = without_quotes(line.trim());
        let kind = Line::of(&line);
        if !matches!(kind, Line::Text) {
            push(&mut blocks, &section, &mem::take(&mut paragraph));
        }
        match kind {
            Line::Text => {
                paragraph.push_str(without_last_hole(&line));
                paragraph.push(' ');
            }
            Line::Item(text) => push(&mut blocks, &section, text),
            Line::Heading(text) => section = Some(tidy(text)).filter(|heading| !heading.is_empty()),
            Line::Nothing => {}
        }
    }
    push(&mut blocks, &section, &paragraph);
    blocks
}

/// What is bold in the first sentence of rendered text.
fn names(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).map(|line| (line, Line::of(line)));
    let mut lines = lines.filter(|(_, kind)| matches!(kind, Line::Text | Line::Heading(_)));
    let Some((line, Line::Text)) = lines.next() else { return Vec::new() };
    let whole = bold(line).into_iter().filter(|name| !name.contains([HOLE, GAP]));
    let names = whole.map(|name| tidy(&without_quotes(name)));
    names.filter(|name| name.contains(char::is_alphanumeric)).collect()
}

fn push(blocks: &mut Vec<Block>, section: &Option<String>, text: &str) {
    let text = mended(text);
    if text.contains(char::is_alphanumeric) {
        blocks.push(Block { section: section.clone(), text });
    }
}

/// The kind of a line, which its first characters tell.
enum Line<'a> {
    Heading(&'a str),
    Item(&'a str),
    Text,
    /// An empty line, a rule, a template that is not shown, or the row of a table that a template opened.
    Nothing,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        let heading = line.strip_prefix('=').and_then(|line| line.trim_end_matches([HOLE, GAP, ' ']).strip_suffix('='));
        if let Some(heading) = heading {
            return Line::Heading(heading.trim_matches('=').trim());
        }
        match line.as_bytes() {
            [] | [b'|', ..] => Line::Nothing,
            [b'-', b'-', b'-', b'-', ..] if line.bytes().all(|byte| byte == b'-') => Line::Nothing,
            [b'*' | b'#' | b':' | b';', ..] => Line::Item(line.trim_start_matches(['*', '#', ':', ';', ' '])),
            _ if line.trim_matches([HOLE, GAP, ' ']).is_empty() => Line::Nothing,
            _ => Line::Text,
        }
    }
}

/// The link of a section of the article at `link`, as MediaWiki writes it.
pub(crate) fn anchored(link: Option<String>) -> impl Fn(Option<&str>) -> Option<String> + Send + 'static {
    move |section| {
        let anchor = section.filter(|section| *section != FACTS).map(|section| format!("#{}", escape(section)));
        link.as_ref().map(|link| format!("{link}{}", anchor.unwrap_or_default()))
    }
}

/// The names of the article besides its `title`: those that are bold in its text, and the redirects to it. Of names
/// with the same terms, the first is kept.
fn further<'a>(title: &str, bold: Vec<String>, redirects: impl Iterator<Item = &'a str>) -> Vec<String> {
    let terms = |name: &str| Analysis::ENGLISH.title_names(name);
    let mut known: HashSet<String> = terms(title).into_iter().collect();
    let names = bold.into_iter().chain(redirects.map(String::from));
    let mut new = |name: &String| {
        let mut terms = terms(name);
        terms.retain(|name| !known.contains(name));
        let is_new = !terms.is_empty();
        known.extend(terms);
        is_new
    };
    names.filter(|name| new(name)).take(MOST_NAMES).collect()
}

/// A title or heading in an address, as MediaWiki writes it: `_` for a space, and in hexadecimal whatever has a meaning
/// in an address or is not ASCII.
pub(crate) fn escape(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    for byte in title.bytes() {
        match byte {
            b' ' => out.push('_'),
            b if b.is_ascii_alphanumeric() || b"-_.~:/,()!*".contains(&b) => out.push(char::from(b)),
            b => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}
