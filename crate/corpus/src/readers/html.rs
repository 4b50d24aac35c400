//! HTML as plain text, by the rules for wiki markup: a page, or a wiki's article, whose templates are rendered already.
//!
//! Parsoid says what an element is by its `typeof`, templates by the classes of what they write:
//! <https://www.mediawiki.org/wiki/Specs/HTML>.

use std::collections::BTreeMap;

use html5gum::{DefaultEmitter, HtmlString, Spanned, Token, Tokenizer};
use serde::Deserialize;

use crate::readers::article::Article;
use crate::readers::facts::{self, Cell};
use crate::readers::markup::Style;
use crate::readers::prose::{APOSTROPHE, GAP, HOLE, LITERAL, tidy};
use crate::readers::scripts::{chemical, formula, small};
use crate::readers::templates::Arguments;

/// Elements that show no text of the article.
const HIDDEN: [&str; 25] = [
    "head", "style", "script", "template", "noscript", "figure", "audio", "video", "svg", "object", "iframe", "select",
    "button", "textarea", "nav", "footer", "aside", "title", "rp", "rt", "s", "del", "strike", "map", "caption",
];

/// Elements that begin and end a paragraph.
const BLOCKS: [&str; 18] = [
    "p",
    "div",
    "section",
    "blockquote",
    "ul",
    "ol",
    "dl",
    "center",
    "pre",
    "hr",
    "body",
    "article",
    "main",
    "header",
    "address",
    "form",
    "details",
    "summary",
];

/// Classes of elements that are not the article's text: notes on it, and links to other pages.
const NOTES: [&str; 20] = [
    "reference",
    "references",
    "reflist",
    "mw-references-wrap",
    "mw-editsection",
    "noprint",
    "hatnote",
    "dablink",
    "navbox",
    "navigation-box",
    "vertical-navbox",
    "sidebar",
    "side-box",
    "sistersitebox",
    "portalbox",
    "metadata",
    "shortdescription",
    "toc",
    "gallery",
    "error",
];

/// The style of the footer that mwoffliner writes below a page, which has no class.
const FOOTER: &str = "border-top:dashed2px#AAAAAA";

/// Classes of asides that a sentence can do without: pronunciations and coordinates.
const ASIDES: [&str; 5] = ["ipa", "geo-inline", "geo-default", "geo-nondefault", "coordinates"];

/// The text of the article `title`, whose HTML this is. A redirect has none.
pub(crate) fn read(title: &str, html: &str) -> Article {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut writer = Writer::new(title);
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let attributes = Attributes(&tag.attributes);
                if attributes.has("rel", "mw:PageProp/redirect") {
                    return Article::default();
                }
                writer.start(&text(&tag.name), &attributes, tag.self_closing);
            }
            Token::EndTag(tag) => writer.end(&text(&tag.name)),
            Token::String(string) => writer.write(&text(&string)),
            _ => {}
        }
    }
    writer.article()
}

/// The title of a page, if its head names one. The title of an image does not count.
pub(crate) fn title(html: &str) -> Option<String> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut tokens = Tokenizer::new_with_emitter(html, emitter).map(|Ok(token)| token);
    let in_head =
        |token: &Token| !matches!(token, Token::StartTag(tag) if [&b"body"[..], b"svg"].contains(&&**tag.name));
    let mut head = tokens.by_ref().take_while(in_head);
    head.find(|token| matches!(token, Token::StartTag(tag) if *tag.name == b"title"))?;
    let Some(Token::String(title)) = head.next() else { return None };
    Some(tidy(&text(&title))).filter(|title| !title.is_empty())
}

/// The number of bytes at the start of a page in which a name of its encoding is looked for.
const NAMES_ENCODING_WITHIN: usize = 1024;

/// The label of the encoding that a page names in a `meta` element: `charset=label`.
/// <https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding>
pub(crate) fn encoding(html: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(&html[..html.len().min(NAMES_ENCODING_WITHIN)]).to_ascii_lowercase();
    let metas = start.split("<meta").skip(1).filter_map(|rest| rest.split('>').next());
    let label = |meta: &str| {
        let value = meta.split_once("charset")?.1.trim_start().strip_prefix('=')?;
        let value = value.trim_start_matches(|c: char| c.is_whitespace() || c == '"' || c == '\'');
        let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.:+".contains(c)).unwrap_or(value.len());
        Some(value[..end].to_owned()).filter(|label| !label.is_empty())
    };
    metas.filter_map(label).next()
}

/// The address that a page says is its own.
pub(crate) fn canonical(html: &str) -> Option<String> {
    let links = Tokenizer::new(html).filter_map(|Ok(token)| match token {
        Token::StartTag(tag) if matches!(&**tag.name, b"link" | b"body") => Some(tag),
        _ => None,
    });
    let mut links = links.take_while(|tag| *tag.name != b"body").map(|tag| {
        let attributes = Attributes(&tag.attributes);
        (attributes.has("rel", "canonical"), attributes.get("href"))
    });
    links.find_map(|(is_canonical, address)| (is_canonical && address.starts_with("http")).then_some(address))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

struct Attributes<'a>(&'a BTreeMap<HtmlString, Spanned<HtmlString, ()>>);

impl Attributes<'_> {
    fn get(&self, name: &str) -> String {
        self.0.get(name.as_bytes()).map(|value| text(value)).unwrap_or_default()
    }

    /// Whether `word` is among the words of an attribute.
    fn has(&self, name: &str, word: &str) -> bool {
        self.get(name).split_whitespace().any(|found| found.eq_ignore_ascii_case(word))
    }
}

/// The table that is being read.
#[derive(Default)]
struct Table {
    is_infobox: bool,
    rows: Vec<Vec<Cell>>,
}

/// A part of the page whose text is put right when it ends.
enum Part {
    Page,
    Heading,
    Script(Style),
    Table(Table),
    Cell(Cell),
}

/// An element whose text is not shown.
struct Hidden {
    name: String,
    /// How many elements of its name are open, it included.
    depth: usize,
}

/// Writes a page as text, line by line as wiki markup has it.
struct Writer<'a> {
    title: &'a str,
    /// The parts that are open, the page first, each with its text so far.
    open: Vec<(Part, String)>,
    hidden: Option<Hidden>,
    is_bold: bool,
    facts: Vec<String>,
}

impl<'a> Writer<'a> {
    fn new(title: &'a str) -> Self {
        let open = vec![(Part::Page, String::new())];
        Self { title, open, hidden: None, is_bold: false, facts: Vec::new() }
    }

    fn part(&mut self) -> &mut (Part, String) {
        let last = self.open.len() - 1; // the page stays open
        &mut self.open[last]
    }

    fn start(&mut self, name: &str, attributes: &Attributes, closes: bool) {
        if let Some(hidden) = &mut self.hidden {
            hidden.depth += usize::from(hidden.name == name && !closes);
            return;
        }
        match name {
            "br" => return self.part().1.push('\n'),
            "hr" => return self.block(),
            "img" | "link" | "meta" | "base" | "wbr" | "input" | "source" | "track" | "col" | "embed" | "area" => {
                return;
            }
            _ => {}
        }
        let shown = if attributes.is_aside() { Some(GAP.to_string()) } else { attributes.formula(name) };
        if let Some(shown) = &shown {
            self.part().1.push_str(shown);
        }
        if shown.is_some() || attributes.hide(name) {
            self.hidden = Some(Hidden { name: name.into(), depth: 1 });
            return;
        }
        match name {
            _ if BLOCKS.contains(&name) => self.block(),
            "li" | "dt" | "dd" => {
                self.block();
                self.part().1.push_str("* ");
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.block();
                self.open.push((Part::Heading, String::new()));
            }
            "b" | "strong" => self.bold(true),
            "sup" => self.open.push((Part::Script(Style::Superscript), String::new())),
            "sub" => self.open.push((Part::Script(Style::Subscript), String::new())),
            "table" => {
                self.block();
                let is_infobox = attributes.has("class", "infobox");
                self.open.push((Part::Table(Table { is_infobox, rows: Vec::new() }), String::new()));
            }
            "tr" => {
                self.end_cell();
                if let (Part::Table(table), _) = self.part() {
                    table.rows.push(Vec::new());
                }
            }
            "td" | "th" => {
                self.end_cell();
                if let (Part::Table(_), _) = self.part() {
                    let spans = ["colspan", "rowspan"].map(|span| (span, attributes.get(span)));
                    let spans = spans.iter().filter(|(_, columns)| !matches!(columns.as_str(), "" | "1"));
                    let attributes = spans.map(|(span, _)| *span).collect::<Vec<_>>().join(" ");
                    self.open.push((
                        Part::Cell(Cell { is_header: name == "th", attributes, text: String::new() }),
                        String::new(),
                    ));
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if let Some(hidden) = &mut self.hidden {
            hidden.depth -= usize::from(hidden.name == name);
            if hidden.depth == 0 {
                self.hidden = None;
            }
            return;
        }
        match name {
            _ if BLOCKS.contains(&name) => self.block(),
            "li" | "dt" | "dd" => self.block(),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.end_heading(),
            "b" | "strong" => self.bold(false),
            "sup" | "sub" => self.end_script(),
            "td" | "th" | "tr" => self.end_cell(),
            "table" => self.end_table(),
            _ => {}
        }
    }

    /// Writes text as HTML shows it, with its line breaks as spaces.
    fn write(&mut self, text: &str) {
        if self.hidden.is_some() {
            return;
        }
        let out = &mut self.part().1;
        let begins = out.is_empty() || out.ends_with('\n');
        let text = if begins { text.trim_start() } else { text };
        if begins && text.starts_with(['*', '#', ':', ';', '=', '|', '-']) {
            out.push(LITERAL);
        }
        out.extend(text.chars().map(|c| match c {
            '\'' => APOSTROPHE,
            c if c.is_control() => ' ',
            c => c,
        }));
    }

    /// Ends a paragraph, and any script, heading or bold text that is still open in it.
    fn block(&mut self) {
        self.end_script();
        self.end_heading();
        self.bold(false);
        self.part().1.push_str("\n\n");
    }

    /// Marks in the text of the page where bold begins and ends.
    fn bold(&mut self, is_bold: bool) {
        const MARK: &str = "'''";
        if self.is_bold != is_bold && matches!(self.part().0, Part::Page) {
            self.is_bold = is_bold;
            let out = &mut self.part().1;
            match out.strip_suffix(MARK) {
                Some(before) => out.truncate(before.len()),
                None => out.push_str(MARK),
            }
        }
    }

    fn end_script(&mut self) {
        while let Some((Part::Script(style), text)) = self.open.pop_if(|(part, _)| matches!(part, Part::Script(_))) {
            let out = &mut self.part().1;
            let shown = small(style, text.trim(), out);
            out.push_str(&shown);
        }
    }

    fn end_heading(&mut self) {
        self.end_script();
        if let Some((_, heading)) = self.open.pop_if(|(part, _)| matches!(part, Part::Heading))
            && !(self.begins() && tidy(&heading) == self.title)
        {
            self.part().1.push_str(&format!("== {} ==\n\n", heading.replace('\n', " ").replace(LITERAL, "")));
        }
    }

    /// Whether the page has no text yet.
    fn begins(&mut self) -> bool {
        self.part().1.trim().is_empty()
    }

    fn end_cell(&mut self) {
        self.end_heading();
        if let Some((Part::Cell(cell), text)) = self.open.pop_if(|(part, _)| matches!(part, Part::Cell(_)))
            && let (Part::Table(table), _) = self.part()
            && let Some(row) = table.rows.last_mut()
        {
            row.push(Cell { text: text.replace(LITERAL, ""), ..cell });
        }
    }

    fn end_table(&mut self) {
        self.end_cell();
        let Some((Part::Table(mut table), _)) = self.open.pop_if(|(part, _)| matches!(part, Part::Table(_))) else {
            return;
        };
        table.rows.retain(|row| !row.is_empty());
        self.facts.extend(if table.is_infobox {
            let field = |row: &Vec<Cell>| match &row[..] {
                [name, value] if name.is_header && !value.is_header => {
                    Some((name.text.trim().into(), value.text.clone()))
                }
                _ => None,
            };
            let named = table.rows.iter().filter_map(field).collect();
            facts::of_infobox(self.title, &Arguments { title: self.title.into(), named, ..Arguments::default() })
        } else {
            facts::of_table(self.title, &table.rows)
        });
        // A cell with a table in it cannot be written as a value.
        let (part, text) = self.part();
        text.push_str(if matches!(part, Part::Cell(_)) { "\0" } else { "\n\n" });
    }

    fn article(mut self) -> Article {
        self.end_heading();
        let text = self.open.swap_remove(0).1;
        Article::of(&text, self.facts)
    }
}

/// What Parsoid says of an extension's element.
#[derive(Deserialize)]
struct Extension {
    body: Source,
}

/// The markup within the element.
#[derive(Deserialize)]
struct Source {
    extsrc: String,
}

impl Attributes<'_> {
    /// Returns true for an aside that a sentence can do without.
    fn is_aside(&self) -> bool {
        ASIDES.iter().any(|class| self.has("class", class))
    }

    /// Whether an element shows no text of the article.
    fn hide(&self, name: &str) -> bool {
        let (kinds, classes, style) = (self.get("typeof"), self.get("class"), self.get("style").replace(' ', ""));
        let is_media = |kind: &str| {
            let extension = ["ref", "references", "gallery", "imagemap", "indicator"];
            kind.strip_prefix("mw:Extension/").is_some_and(|name| extension.contains(&name))
                || ["mw:File", "mw:Image", "mw:Video", "mw:Audio"].iter().any(|media| kind.starts_with(media))
        };
        let is_note = |class: &str| {
            let class = class.to_ascii_lowercase();
            NOTES.contains(&&*class)
                || class.ends_with("mbox")
                || class.starts_with("mbox")
                || class == "infobox" && name != "table"
        };
        HIDDEN.contains(&name)
            || kinds.split_whitespace().any(is_media)
            || classes.split_whitespace().any(is_note)
            || matches!(self.get("role").as_str(), "navigation" | "note" | "contentinfo")
            || style.contains("display:none") && !classes.contains("mwe-math")
            || style.contains(FOOTER)
    }

    /// What a formula's element shows, if it is one.
    fn formula(&self, name: &str) -> Option<String> {
        let kinds = self.get("typeof");
        let kind = kinds.split_whitespace().find_map(|kind| kind.strip_prefix("mw:Extension/"));
        let source = || serde_json::from_str::<Extension>(&self.get("data-mw")).ok().map(|found| found.body.extsrc);
        let shown = match kind {
            Some("math") => formula(&source()?),
            Some("chem" | "ce") => chemical(&source()?),
            _ if name == "math" => {
                let tex = self.get("alttext");
                let inner = tex.strip_prefix("{\\displaystyle").and_then(|tex| tex.trim_end().strip_suffix('}'));
                formula(inner.unwrap_or(&tex))
            }
            _ => return None,
        };
        Some(shown.map_or(HOLE.to_string(), |text| text.replace('\'', &APOSTROPHE.to_string())))
    }
}

#[cfg(test)]
mod tests;
