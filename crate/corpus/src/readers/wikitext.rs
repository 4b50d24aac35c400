//! Wiki markup as plain text: the running text of a page.
//!
//! Templates, tables, references, files, categories, formulas and galleries are left out. Links become their text,
//! headings become the sections of the text below them, and list items become blocks. One pass with a stack of open
//! constructs takes linear time, however deep the nesting and whatever stays unclosed. As in MediaWiki, an unclosed
//! construct turns out to be text: only its brackets are dropped.
//!
//! (parse_wiki_text, last released in 2018, and its fork parse-wiki-text-2, in 2024, run out of memory on pages with
//! unclosed templates: portstrom/parse_wiki_text issue 16.)

use std::collections::HashSet;
use std::mem;

use quick_xml::escape::resolve_html5_entity;

/// A paragraph or a list item, with the heading above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    pub section: Option<String>,
    pub text: String,
}

/// The prefixes of links that show no text (files and categories), in lower case.
#[derive(Debug, Clone)]
pub(crate) struct Hidden(HashSet<String>);

impl Default for Hidden {
    /// The prefixes that every wiki understands.
    fn default() -> Self {
        Self(["file", "image", "media", "category"].map(String::from).into())
    }
}

impl Hidden {
    /// Adds a wiki's own name of such a namespace.
    pub fn add(&mut self, name: &str) {
        self.0.insert(name.to_lowercase());
    }

    fn hides(&self, prefix: &str) -> bool {
        self.0.contains(&prefix.trim().replace('_', " ").to_lowercase())
    }
}

/// The blocks of a page's markup.
pub(crate) fn blocks(markup: &str, hidden: &Hidden) -> Vec<Block> {
    let text = Stripper::new(markup, hidden).strip();
    let (mut blocks, mut section, mut paragraph) = (Vec::new(), None::<String>, String::new());
    for line in text.lines() {
        let line = line.trim();
        let kind = Line::of(line);
        if !matches!(kind, Line::Text) {
            push(&mut blocks, &section, &mem::take(&mut paragraph));
        }
        match kind {
            Line::Text => {
                paragraph.push_str(line);
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

fn push(blocks: &mut Vec<Block>, section: &Option<String>, text: &str) {
    let text = tidy(text);
    if text.contains(char::is_alphanumeric) {
        blocks.push(Block { section: section.clone(), text });
    }
}

/// The kind of a line, which its first characters tell.
enum Line<'a> {
    Heading(&'a str),
    Item(&'a str),
    Text,
    /// An empty line, a rule, or the row of a table that a template opened.
    Nothing,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        let heading = line.strip_prefix('=').and_then(|line| line.strip_suffix('='));
        if let Some(heading) = heading {
            return Line::Heading(heading.trim_matches('=').trim());
        }
        match line.as_bytes() {
            [] | [b'|', ..] => Line::Nothing,
            [b'-', b'-', b'-', b'-', ..] if line.bytes().all(|byte| byte == b'-') => Line::Nothing,
            [b'*' | b'#' | b':' | b';', ..] => Line::Item(line.trim_start_matches(['*', '#', ':', ';', ' '])),
            _ => Line::Text,
        }
    }
}

/// Text with decoded entities and single spaces, without what dropped templates leave behind: empty parentheses and
/// spaces before punctuation.
fn tidy(text: &str) -> String {
    let text = decode(text);
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    if !out.contains([',', ';', '.', ')']) {
        return out;
    }
    let mut tidy = String::with_capacity(out.len());
    let mut chars = out.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' if tidy.is_empty() || tidy.ends_with(' ') => {
                while chars.next_if(|c| matches!(c, ' ' | ',' | ';')).is_some() {}
                if chars.next_if_eq(&')').is_none() {
                    tidy.push('(');
                } else {
                    tidy.pop();
                }
            }
            ',' | '.' | ';' | ')' if tidy.ends_with(' ') && chars.peek().is_none_or(|next| *next == ' ') => {
                tidy.pop();
                tidy.push(c);
            }
            c => tidy.push(c),
        }
    }
    tidy.trim().to_owned()
}

/// The longest name of an entity, in bytes: `CounterClockwiseContourIntegral`.
const ENTITY: usize = 32;

/// Text with HTML's entities decoded; unknown ones stay.
pub(crate) fn decode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let name = &rest[at + 1..];
        let end = name.bytes().take(ENTITY).position(|byte| byte == b';');
        let decoded = end.and_then(|end| Some((character(&name[..end])?, end)));
        match decoded {
            Some((character, end)) => {
                out.push_str(&character);
                rest = &name[end + 1..];
            }
            None => {
                out.push('&');
                rest = name;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The characters that an entity stands for.
fn character(name: &str) -> Option<String> {
    let Some(number) = name.strip_prefix('#') else { return resolve_html5_entity(name).map(String::from) };
    let number = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    let character = char::from_u32(number.ok()?)?;
    Some(if character == '\0' { ' ' } else { character }.into())
}

/// What can be open. Its text is kept or dropped when it closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Construct {
    Page,
    Template,
    Table,
    Link,
    ExternalLink,
}

struct Open {
    kind: Construct,
    text: String,
    /// Whether it began at the start of a line, which it still is if the construct is dropped.
    line_start: bool,
}

/// The deepest nesting that is followed; MediaWiki stops at 40. Deeper brackets are dropped.
const DEPTH: usize = 100;

/// Elements whose content is not running text.
const DROPPED: [&str; 17] = [
    "ref",
    "references",
    "math",
    "chem",
    "ce",
    "gallery",
    "timeline",
    "syntaxhighlight",
    "source",
    "score",
    "imagemap",
    "templatedata",
    "graph",
    "mapframe",
    "maplink",
    "includeonly",
    "table",
];

/// Elements whose content is plain text.
const LITERAL: [&str; 2] = ["nowiki", "pre"];

/// Elements that end a line.
const BREAKING: [&str; 11] = ["br", "p", "div", "li", "dd", "dt", "tr", "hr", "blockquote", "center", "poem"];

struct Stripper<'a> {
    markup: &'a str,
    /// The markup with its ASCII letters in lower case, in which tags are found.
    lower: String,
    hidden: &'a Hidden,
    at: usize,
    open: Vec<Open>,
    /// The numbers of templates and tables among `open`.
    templates: usize,
    tables: usize,
    /// Whether nothing but white space and the marks of list items is before `at` in its line.
    line_start: bool,
    /// Elements that the rest of the markup does not close.
    unclosed: HashSet<&'static str>,
}

impl<'a> Stripper<'a> {
    fn new(markup: &'a str, hidden: &'a Hidden) -> Self {
        let page = Open { kind: Construct::Page, text: String::with_capacity(markup.len() / 2), line_start: true };
        Self {
            markup,
            lower: markup.to_ascii_lowercase(),
            hidden,
            at: 0,
            open: vec![page],
            templates: 0,
            tables: 0,
            line_start: true,
            unclosed: HashSet::new(),
        }
    }

    fn strip(mut self) -> String {
        while self.at < self.markup.len() {
            self.step();
        }
        // The text of an unclosed construct follows the text around it.
        self.open.into_iter().fold(String::new(), |text, open| text + &open.text)
    }

    /// Takes one piece of markup, or the plain text before the next one.
    fn step(&mut self) {
        let rest = &self.markup[self.at..];
        let bytes = rest.as_bytes();
        let run = || bytes.iter().take_while(|&&byte| byte == bytes[0]).count();
        let line_start = self.line_start;
        match bytes {
            [b'\n', ..] => self.end_line(rest),
            [b'<', ..] => self.tag(rest),
            [b'{', b'|', ..] if line_start => self.begin(Construct::Table, 2),
            [b'|', b'}', after @ ..] if line_start && self.tables > 0 && self.closes_table(after) => {
                self.close(Construct::Table, 2)
            }
            [b'{', b'{', ..] => {
                let run = run();
                (0..run / 2).for_each(|_| self.begin(Construct::Template, 0));
                self.at += run;
            }
            [b'}', b'}', ..] if self.templates > 0 => {
                let run = run();
                (0..run / 2).for_each(|_| self.close(Construct::Template, 0));
                self.at += run;
            }
            [b'[', b'[', ..] => self.begin(Construct::Link, 2),
            [b'[', ..] if is_address(&self.lower[self.at + 1..]) => {
                self.begin(Construct::ExternalLink, 1);
                let address = rest[1..].find([' ', '\t', '\n', ']', '[', '|']).unwrap_or(rest.len() - 1);
                self.at += address;
            }
            [b']', ..] if self.top() == Construct::ExternalLink => self.close(Construct::ExternalLink, 1),
            [b']', b']', ..] if self.top() == Construct::Link => self.close(Construct::Link, 2),
            [b'\'', b'\'', ..] => self.quotes(run()),
            [b'_', b'_', ..] => self.magic_word(rest),
            _ => self.plain(rest),
        }
    }

    fn top(&self) -> Construct {
        self.open.last().map_or(Construct::Page, |open| open.kind)
    }

    fn push(&mut self, text: &str) {
        if let Some(open) = self.open.last_mut() {
            open.text.push_str(text);
        }
    }

    /// Text up to the next character that may be markup.
    fn plain(&mut self, rest: &str) {
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let length =
            rest[first..].find(['\n', '<', '{', '}', '[', ']', '|', '\'', '_']).map_or(rest.len(), |at| at + first);
        let text = &rest[..length];
        self.push(text);
        self.at += length;
        self.line_start &= text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b':' | b'*' | b'#'));
    }

    fn end_line(&mut self, rest: &str) {
        while self.top() == Construct::ExternalLink || self.top() == Construct::Link && rest.starts_with("\n\n") {
            self.merge();
        }
        self.push("\n");
        self.at += 1;
        self.line_start = true;
    }

    /// Two or more apostrophes: italics, bold, or both. Apostrophes beyond these are text.
    fn quotes(&mut self, run: usize) {
        let apostrophes = match run {
            2 | 3 | 5 => 0,
            4 => 1,
            more => more - 5,
        };
        self.push(&"'".repeat(apostrophes));
        self.at += run;
    }

    /// A switch such as `__NOTOC__`.
    fn magic_word(&mut self, rest: &str) {
        let name = rest[2..].bytes().take_while(u8::is_ascii_uppercase).count();
        if name > 0 && rest[2 + name..].starts_with("__") {
            self.at += name + 4;
        } else {
            self.plain(rest);
        }
    }

    fn begin(&mut self, kind: Construct, skip: usize) {
        self.at += skip;
        if self.open.len() > DEPTH {
            return;
        }
        match kind {
            Construct::Template => self.templates += 1,
            Construct::Table => self.tables += 1,
            _ => {}
        }
        self.open.push(Open { kind, text: String::new(), line_start: self.line_start });
        self.line_start = false;
    }

    /// Whether `|}` before `after` ends a table: `|}}` ends a template if one is open inside the table.
    fn closes_table(&self, after: &[u8]) -> bool {
        let innermost = self.open.iter().rev().find(|open| matches!(open.kind, Construct::Template | Construct::Table));
        after.first() != Some(&b'}') || innermost.is_some_and(|open| open.kind == Construct::Table)
    }

    /// Ends the innermost `kind`, and everything still open inside it.
    fn close(&mut self, kind: Construct, skip: usize) {
        self.at += skip;
        if !self.open.iter().any(|open| open.kind == kind) {
            return;
        }
        while let Some(open) = self.open.pop() {
            self.forget(open.kind);
            if open.kind == kind {
                match kind {
                    Construct::Link => self.link(&open.text),
                    Construct::ExternalLink => self.push(open.text.trim_start()),
                    _ => self.line_start = open.line_start,
                }
                return;
            }
        }
    }

    /// The innermost construct turns out to be text.
    fn merge(&mut self) {
        if let Some(open) = self.open.pop() {
            self.forget(open.kind);
            self.push(&open.text);
        }
    }

    fn forget(&mut self, kind: Construct) {
        match kind {
            Construct::Template => self.templates -= 1,
            Construct::Table => self.tables -= 1,
            _ => {}
        }
    }

    /// The text that a link shows, from the text between its brackets.
    fn link(&mut self, inside: &str) {
        let (target, label) = inside.split_once('|').map_or((inside, ""), |(target, label)| (target, label.trim()));
        let target = target.trim();
        if let Some(target) = target.strip_prefix(':') {
            return self.push(if label.is_empty() { target } else { label });
        }
        let prefix = target.split_once(':').map(|(prefix, _)| prefix);
        let drops = |prefix: &str| self.hidden.hides(prefix) || label.is_empty() && is_language(prefix);
        if !prefix.is_some_and(drops) {
            self.push(if label.is_empty() { target } else { label });
        }
    }

    /// A comment, an element, or a plain `<`.
    fn tag(&mut self, rest: &str) {
        if let Some(comment) = rest.strip_prefix("<!--") {
            self.at += comment.find("-->").map_or(rest.len(), |end| end + 7);
            return;
        }
        let lower = &self.lower[self.at + 1..];
        let name = lower.strip_prefix('/').unwrap_or(lower);
        let name = &name[..name.bytes().take_while(u8::is_ascii_alphanumeric).count()];
        let end = lower.find(['<', '>']).filter(|&end| !name.is_empty() && lower[end..].starts_with('>'));
        let Some(end) = end else { return self.plain(rest) };
        let (opens, after) = (!lower.starts_with('/') && !lower[..end].ends_with('/'), self.at + end + 2);

        let find = |names: &[&'static str]| names.iter().copied().find(|known| *known == name);
        let (dropped, literal, breaks) = (find(&DROPPED), find(&LITERAL), find(&BREAKING).is_some());
        self.at = after;
        if breaks {
            self.push("\n");
        }
        let Some(name) = dropped.or(literal).filter(|name| opens && !self.unclosed.contains(name)) else { return };
        let closing = self.closing(name, after);
        let Some((content, after)) = closing else {
            self.unclosed.insert(name);
            return;
        };
        if literal.is_some() {
            self.push(&self.markup[self.at..content]);
            self.line_start = false;
        }
        self.at = after;
    }

    /// The ends of the content and of the closing tag of the element `name`, whose content begins at `from`.
    fn closing(&self, name: &str, from: usize) -> Option<(usize, usize)> {
        let tag = format!("</{name}");
        self.lower[from..].match_indices(&tag).find_map(|(at, _)| {
            let end = from + at + tag.len();
            let rest = self.lower[end..].trim_start();
            rest.starts_with('>').then(|| (from + at, self.lower.len() - rest.len() + 1))
        })
    }
}

/// Whether the text after a bracket is the address of an external link.
fn is_address(text: &str) -> bool {
    ["http://", "https://", "ftp://", "//", "mailto:"].iter().any(|scheme| text.starts_with(scheme))
}

/// Whether a link's prefix is the code of another language's wiki, whose pages are listed beside the text: `fr`,
/// `zh-min-nan`.
fn is_language(prefix: &str) -> bool {
    let mut parts = prefix.split('-');
    let code = parts.next().unwrap_or_default();
    let small = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    (2..=3).contains(&code.len()) && small(code) && parts.all(small) || prefix == "simple"
}

#[cfg(test)]
mod tests;
