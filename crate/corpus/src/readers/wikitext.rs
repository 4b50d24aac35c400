//! Wiki markup as plain text: what a reader of the page reads in its running text.
//!
//! Templates, tables, references, files, categories, formulas and galleries are left out; links become their text; headings become the
//! sections of what follows them; list items become blocks. It is one pass over the text with a stack of what is open, so
//! that its time is linear whatever is nested or left unclosed. What is never closed is text after all, as in MediaWiki: only its
//! brackets go.
//!
//! (parse_wiki_text, last released in 2018, and its fork parse-wiki-text-2, in 2024, run out of memory on pages with unclosed templates:
//! portstrom/parse_wiki_text issue 16.)

use std::collections::HashSet;
use std::mem;

use quick_xml::escape::resolve_html5_entity;

/// A paragraph or a list item, with the heading it stands under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    pub section: Option<String>,
    pub text: String,
}

/// The names before a colon whose links show no text, in lower case: those of files and categories.
#[derive(Debug, Clone)]
pub(crate) struct Hidden(HashSet<String>);

impl Default for Hidden {
    /// The names that every wiki understands.
    fn default() -> Self {
        Self(["file", "image", "media", "category"].map(String::from).into())
    }
}

impl Hidden {
    /// Adds what a wiki calls its files or categories.
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

/// What a line is by its first characters.
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

/// Text with its entities decoded, single spaces, and without what a dropped template leaves: empty parentheses, spaces before
/// punctuation.
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

/// Text with the entities that HTML knows as the characters they stand for; others stay.
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

/// What an entity stands for.
pub(crate) fn character(name: &str) -> Option<String> {
    let Some(number) = name.strip_prefix('#') else { return resolve_html5_entity(name).map(String::from) };
    let number = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    let character = char::from_u32(number.ok()?)?;
    Some(if character == '\0' { ' ' } else { character }.into())
}

/// What can be open. Its text is shown or dropped when it closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    Template,
    Table,
    Link,
    ExternalLink,
}

struct Open {
    kind: Kind,
    text: String,
    /// Whether it began at the start of a line; what is dropped leaves the line so.
    line_start: bool,
}

/// How deep things are followed into one another; MediaWiki stops at 40. Brackets beyond are dropped.
const DEPTH: usize = 100;

/// Elements whose content is no running text.
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

/// Elements whose content is text as it stands.
const LITERAL: [&str; 2] = ["nowiki", "pre"];

/// Elements that end a line.
const BREAKING: [&str; 11] = ["br", "p", "div", "li", "dd", "dt", "tr", "hr", "blockquote", "center", "poem"];

struct Stripper<'a> {
    markup: &'a str,
    /// The markup with its ASCII letters in lower case, to find tags in.
    lower: String,
    hidden: &'a Hidden,
    at: usize,
    open: Vec<Open>,
    /// Numbers of templates and tables among `open`.
    templates: usize,
    tables: usize,
    /// Whether only white space, colons and the like stand before `at` in its line.
    line_start: bool,
    /// Elements that are not closed in what is left.
    unclosed: HashSet<&'static str>,
}

impl<'a> Stripper<'a> {
    fn new(markup: &'a str, hidden: &'a Hidden) -> Self {
        let page = Open { kind: Kind::Page, text: String::with_capacity(markup.len() / 2), line_start: true };
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
        // Whatever is still open follows, in order, the text of what it stands in.
        self.open.into_iter().fold(String::new(), |text, open| text + &open.text)
    }

    /// Takes one piece of markup, or the plain text up to the next.
    fn step(&mut self) {
        let rest = &self.markup[self.at..];
        let bytes = rest.as_bytes();
        let run = || bytes.iter().take_while(|&&byte| byte == bytes[0]).count();
        let line_start = self.line_start;
        match bytes {
            [b'\n', ..] => self.end_line(rest),
            [b'<', ..] => self.tag(rest),
            [b'{', b'|', ..] if line_start => self.begin(Kind::Table, 2),
            [b'|', b'}', after @ ..] if line_start && self.tables > 0 && self.closes_table(after) => {
                self.close(Kind::Table, 2)
            }
            [b'{', b'{', ..] => {
                let run = run();
                (0..run / 2).for_each(|_| self.begin(Kind::Template, 0));
                self.at += run;
            }
            [b'}', b'}', ..] if self.templates > 0 => {
                let run = run();
                (0..run / 2).for_each(|_| self.close(Kind::Template, 0));
                self.at += run;
            }
            [b'[', b'[', ..] => self.begin(Kind::Link, 2),
            [b'[', ..] if is_address(&self.lower[self.at + 1..]) => {
                self.begin(Kind::ExternalLink, 1);
                let address = rest[1..].find([' ', '\t', '\n', ']', '[', '|']).unwrap_or(rest.len() - 1);
                self.at += address;
            }
            [b']', ..] if self.top() == Kind::ExternalLink => self.close(Kind::ExternalLink, 1),
            [b']', b']', ..] if self.top() == Kind::Link => self.close(Kind::Link, 2),
            [b'\'', b'\'', ..] => self.quotes(run()),
            [b'_', b'_', ..] => self.magic_word(rest),
            _ => self.plain(rest),
        }
    }

    fn top(&self) -> Kind {
        self.open.last().map_or(Kind::Page, |open| open.kind)
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
        while self.top() == Kind::ExternalLink || self.top() == Kind::Link && rest.starts_with("\n\n") {
            self.merge();
        }
        self.push("\n");
        self.at += 1;
        self.line_start = true;
    }

    /// Two or more apostrophes: italics, bold, both; one more than that is an apostrophe.
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

    fn begin(&mut self, kind: Kind, skip: usize) {
        self.at += skip;
        if self.open.len() > DEPTH {
            return;
        }
        match kind {
            Kind::Template => self.templates += 1,
            Kind::Table => self.tables += 1,
            _ => {}
        }
        self.open.push(Open { kind, text: String::new(), line_start: self.line_start });
        self.line_start = false;
    }

    /// Whether `|}` with `after` behind it ends a table: `|}}` ends a template, if one is open in the table.
    fn closes_table(&self, after: &[u8]) -> bool {
        let innermost = self.open.iter().rev().find(|open| matches!(open.kind, Kind::Template | Kind::Table));
        after.first() != Some(&b'}') || innermost.is_some_and(|open| open.kind == Kind::Table)
    }

    /// Ends the innermost `kind`, and with it all that was left open in it.
    fn close(&mut self, kind: Kind, skip: usize) {
        self.at += skip;
        if !self.open.iter().any(|open| open.kind == kind) {
            return;
        }
        while let Some(open) = self.open.pop() {
            self.forget(open.kind);
            if open.kind == kind {
                match kind {
                    Kind::Link => self.link(&open.text),
                    Kind::ExternalLink => self.push(open.text.trim_start()),
                    _ => self.line_start = open.line_start,
                }
                return;
            }
        }
    }

    /// What is open innermost turns out to be text.
    fn merge(&mut self) {
        if let Some(open) = self.open.pop() {
            self.forget(open.kind);
            self.push(&open.text);
        }
    }

    fn forget(&mut self, kind: Kind) {
        match kind {
            Kind::Template => self.templates -= 1,
            Kind::Table => self.tables -= 1,
            _ => {}
        }
    }

    /// The text that a link shows, from what stands between its brackets.
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

    /// Where the element `name` ends whose content begins at `from`: the ends of its content and of its closing tag.
    fn closing(&self, name: &str, from: usize) -> Option<(usize, usize)> {
        let tag = format!("</{name}");
        self.lower[from..].match_indices(&tag).find_map(|(at, _)| {
            let end = from + at + tag.len();
            let rest = self.lower[end..].trim_start();
            rest.starts_with('>').then(|| (from + at, self.lower.len() - rest.len() + 1))
        })
    }
}

/// Whether what follows a bracket is the address of an external link.
fn is_address(text: &str) -> bool {
    ["http://", "https://", "ftp://", "//", "mailto:"].iter().any(|scheme| text.starts_with(scheme))
}

/// Whether a link's prefix is the code of another language's wiki, whose pages are listed beside the text: `fr`, `zh-min-nan`.
fn is_language(prefix: &str) -> bool {
    let mut parts = prefix.split('-');
    let code = parts.next().unwrap_or_default();
    let small = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    (2..=3).contains(&code.len()) && small(code) && parts.all(small) || prefix == "simple"
}

#[cfg(test)]
mod tests;
