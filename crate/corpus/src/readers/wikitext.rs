//! Wiki markup as plain text: the running text of a page, and the facts of its infoboxes and tables.
//!
//! References, files, categories and galleries are left out. Links become their text, headings become the sections of
//! the text below them, and list items become blocks. Templates that are part of a sentence become what they show; a
//! sentence with one that is not known is left out, rather than shown without, for example, its number.

use std::collections::HashSet;
use std::mem;

use crate::readers::article::Article;
use crate::readers::entities::decode;
use crate::readers::facts::{self, Cell};
use crate::readers::markup::{Mark, Node, Part, Place, Style, parse};
use crate::readers::prose::{APOSTROPHE, HOLE, LITERAL, tidy};
use crate::readers::scripts::{chemical, formula, small};
use crate::readers::templates::{self, Arguments};

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

/// The text of the page `title`, whose markup this is.
pub(crate) fn read(title: &str, markup: &str, hidden: &Hidden) -> Article {
    let mut renderer = Renderer { title, hidden, facts: Vec::new() };
    let text = renderer.text(&parse(markup));
    Article::of(&text, renderer.facts)
}

/// Whether markup is that of a redirect, in whatever case it is written.
pub(crate) fn is_redirect(markup: &str) -> bool {
    const WORD: &str = "#redirect";
    let markup = markup.trim_start();
    let word = markup.get(..WORD.len()).is_some_and(|word| word.eq_ignore_ascii_case(WORD));
    word && markup[WORD.len()..].trim_start_matches([' ', ':', '\t', '\n', '\r']).starts_with("[[")
}

/// The article that the markup of a redirect leads to. None for a part of one: its name is not the article's.
pub(crate) fn target(markup: &str) -> Option<String> {
    let (target, _) = markup.split_once("[[")?.1.split_once("]]")?;
    let target = decode(target.split('|').next()?).replace('_', " ");
    let target = tidy(target.trim().trim_start_matches(':'));
    let mut rest = target.chars();
    let first = rest.next().filter(|_| !target.contains('#'))?;
    Some(first.to_uppercase().chain(rest).collect()) // a title begins with a capital, however a link is written
}

struct Renderer<'a> {
    title: &'a str,
    hidden: &'a Hidden,
    facts: Vec<String>,
}

impl Renderer<'_> {
    fn text(&mut self, nodes: &[Node]) -> String {
        let mut out = String::new();
        nodes.iter().for_each(|node| self.write(node, &mut out));
        out
    }

    fn write(&mut self, node: &Node, out: &mut String) {
        match node {
            // What an entity stands for is no markup.
            Node::Text(text) => text.split_inclusive('\n').for_each(|line| {
                if line.trim_start().starts_with('&') && (out.is_empty() || out.ends_with('\n')) {
                    out.push(LITERAL);
                }
                write_text(&decode(line), out);
            }),
            Node::Literal(text) => {
                let mut literal = LITERAL.to_string();
                write_text(&decode(text), &mut literal);
                out.push_str(&literal.replace('\'', &APOSTROPHE.to_string()));
            }
            Node::Template { parts, place } => self.template(parts, *place, out),
            Node::Parameter(parts) => match parts.get(1) {
                Some(default) => out.push_str(&self.text(&default.nodes)),
                None => out.push(HOLE),
            },
            Node::Link(parts) => self.link(parts, out),
            Node::External(label) => out.push_str(self.text(label).trim_start()),
            Node::Variants(parts) => self.variants(parts, out),
            Node::Table(parts) => self.table(parts, out),
            Node::Element { style, content } => self.element(*style, content, out),
            Node::Math(source) => write_or_hole(formula(&decode(source)), out),
            Node::Chemistry(source) => write_or_hole(chemical(source), out),
            Node::Fragment(nodes) => nodes.iter().for_each(|node| self.write(node, out)),
            Node::Break => out.push('\n'),
            Node::Paragraph => out.push_str("\n\n"),
            Node::Quote => out.push('"'),
            Node::Hole => out.push(HOLE),
        }
    }

    fn template(&mut self, parts: &[Part], place: Place, out: &mut String) {
        let Some((name, parts)) = parts.split_first() else { return };
        let name = tidy(&self.text(&name.nodes).replace('_', " "));
        let name = name.strip_prefix("Template:").or_else(|| name.strip_prefix("template:")).unwrap_or(&name);
        let mut arguments = Arguments { title: self.title.to_owned(), ..Arguments::default() };
        for part in parts {
            match self.argument(&part.nodes) {
                (Some(name), value) => arguments.named.push((name, value)),
                (None, value) => arguments.positional.push(value),
            }
        }
        if facts::is_infobox(name) {
            self.facts.extend(facts::of_infobox(self.title, &arguments));
        } else if let Some(text) = templates::render(name, &mut arguments) {
            // A fraction does not run into the number before it.
            let is_fraction = text.contains('/') && text.starts_with(|c: char| c.is_ascii_digit());
            if is_fraction && out.ends_with(|c: char| c.is_ascii_digit()) {
                out.push(' ');
            } else if text.starts_with(['*', '#', ':', ';', '=', '|', ' ']) && (out.is_empty() || out.ends_with('\n')) {
                out.push(LITERAL);
            }
            out.push_str(&text);
        } else if place == Place::Inline {
            out.push(HOLE);
        }
        if place == Place::Block {
            out.push('\n');
        }
    }

    /// The name, if it has one, and the value of a template's argument.
    fn argument(&mut self, nodes: &[Node]) -> (Option<String>, String) {
        let mut name = String::new();
        for (index, node) in nodes.iter().enumerate() {
            let Node::Text(text) = node else { continue };
            let Some((before, after)) = text.split_once('=') else {
                name.push_str(text);
                continue;
            };
            name.push_str(before);
            let mut value = self.text(&[Node::Text(after)]);
            nodes[index + 1..].iter().for_each(|node| self.write(node, &mut value));
            return (Some(tidy(&name)), value.replace(LITERAL, ""));
        }
        (None, self.text(nodes).replace(LITERAL, ""))
    }

    /// The text that a link shows.
    fn link(&mut self, parts: &[Part], out: &mut String) {
        let Some((target, labels)) = parts.split_first() else { return };
        let target = self.text(&target.nodes);
        let target = target.trim();
        let labels: Vec<_> = labels.iter().map(|label| self.text(&label.nodes)).collect();
        let label = labels.join("|");
        let label = label.trim();
        let prefix = target.split_once(':').map(|(prefix, _)| prefix);
        let drops = |prefix: &str| self.hidden.hides(prefix) || label.is_empty() && is_language(prefix);
        if prefix.is_some_and(drops) {
            return;
        }
        match (label.is_empty(), labels.is_empty()) {
            (false, _) => out.push_str(label),
            (true, true) => out.push_str(target.strip_prefix(':').unwrap_or(target)),
            (true, false) => out.push_str(short(target)),
        }
    }

    /// The variant of a text that a wiki in many scripts shows first. Markup that only sets a title or a conversion
    /// rule shows nothing.
    fn variants(&mut self, parts: &[Part], out: &mut String) {
        let (flags, text) = match parts {
            [text] => (String::new(), text),
            [flags, text, ..] => (self.text(&flags.nodes), text),
            [] => return,
        };
        if flags.contains(['H', 'T', '-']) {
            return;
        }
        let text = self.text(&text.nodes);
        let first = text.split(';').next().unwrap_or_default();
        match first.split_once(':') {
            Some((code, variant)) if !flags.contains('R') && is_language(code.trim()) => out.push_str(variant.trim()),
            _ => out.push_str(&text),
        }
    }

    fn element(&mut self, style: Style, content: &[Node], out: &mut String) {
        let text = match style {
            Style::Hidden => return,
            Style::Shown => return content.iter().for_each(|node| self.write(node, out)),
            Style::Superscript | Style::Subscript => self.text(content),
        };
        let plain = text.replace("''", "").replace(LITERAL, "");
        let shown = small(style, plain.trim(), out);
        out.push_str(&shown);
    }

    /// Reads a table's facts. In the text, a table only separates paragraphs.
    fn table(&mut self, parts: &[Part], out: &mut String) {
        out.push_str("\n\n");
        let mut rows: Vec<Vec<Cell>> = vec![Vec::new()];
        let mut class = String::new();
        for part in parts {
            let has_table = part.nodes.iter().any(|node| matches!(node, Node::Table(_)));
            let text = self.text(&part.nodes);
            let text = if has_table { HOLE.to_string() } else { text };
            let row = rows.last_mut().filter(|_| part.mark != Mark::Row);
            match (part.mark, row) {
                (Mark::First, _) => class = text,
                (Mark::Header | Mark::Cell, Some(row)) => {
                    row.push(Cell { is_header: part.mark == Mark::Header, attributes: String::new(), text });
                }
                (Mark::Bar, Some(row)) => {
                    if let Some(cell) = row.last_mut() {
                        cell.attributes = mem::replace(&mut cell.text, text);
                    }
                }
                (Mark::Row, _) => rows.push(Vec::new()),
                _ => {}
            }
        }
        rows.retain(|row| !row.is_empty());
        if !["infobox", "navbox", "metadata", "ambox"].iter().any(|layout| class.contains(layout)) {
            self.facts.extend(facts::of_table(self.title, &rows));
        }
    }
}

/// Text without characters that would be taken for private marks.
fn write_text(text: &str, out: &mut String) {
    out.extend(text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }));
}

fn write_or_hole(text: Option<String>, out: &mut String) {
    match text {
        Some(text) => out.push_str(&text.replace('\'', &APOSTROPHE.to_string())),
        None => out.push(HOLE),
    }
}

/// What a link with an empty label shows: its target without prefix and without what stands in brackets.
fn short(target: &str) -> &str {
    let target = target.trim_start_matches(':');
    let name = target.split_once(':').map_or(target, |(_, name)| name);
    match name.rfind(" (") {
        Some(at) if name.ends_with(')') => &name[..at],
        _ => name.split_once(", ").map_or(name, |(name, _)| name),
    }
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
