//! Wiki markup as a tree: what stands between which brackets. It says nothing about what is shown.
//!
//! One pass with a stack of open constructs takes linear time, however deep the nesting and whatever stays unclosed. As
//! in MediaWiki, an unclosed construct turns out to be text: only its brackets are dropped. An unclosed template or
//! superscript leaves a [`Node::Hole`], because its end is unknown.
//!
//! (parse_wiki_text, last released in 2018, and its fork parse-wiki-text-2, in 2024, run out of memory on pages with
//! unclosed templates: portstrom/parse_wiki_text issue 16.)

use std::collections::HashSet;

/// A piece of markup.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Node<'a> {
    /// Running text, with entities and the apostrophes of italics and bold.
    Text(&'a str),
    /// Text in which no markup counts: `<nowiki>`.
    Literal(&'a str),
    /// `{{name|argument|...}}`.
    Template { parts: Vec<Part<'a>>, place: Place },
    /// `{{{name|default}}}`.
    Parameter(Vec<Part<'a>>),
    /// `[[target|label]]`.
    Link(Vec<Part<'a>>),
    /// The label of `[address label]`.
    External(Vec<Node<'a>>),
    /// `-{variants}-`.
    Variants(Vec<Part<'a>>),
    /// `{| ... |}`.
    Table(Vec<Part<'a>>),
    /// An element whose content is not shown as it stands.
    Element { style: Style, content: Vec<Node<'a>> },
    /// The source of `<math>`.
    Math(&'a str),
    /// The source of `<chem>` and `<ce>`.
    Chemistry(&'a str),
    /// What turned out to be text.
    Fragment(Vec<Node<'a>>),
    /// The end of a line: `<br>`.
    Break,
    /// The end of a paragraph, where a gallery stood.
    Paragraph,
    /// A quotation mark: `<q>`.
    Quote,
    /// What cannot be read.
    Hole,
}

/// The place of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// It begins a line and has more lines, so that what follows it is another line.
    Block,
    Inline,
}

/// How an element shows its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Superscript,
    Subscript,
    /// Struck out, or not displayed.
    Hidden,
    /// As it stands.
    Shown,
}

/// What stands between two marks of a construct.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    /// The mark before it.
    pub mark: Mark,
    pub nodes: Vec<Node<'a>>,
}

/// A mark that begins a part of a construct.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The opening bracket.
    #[default]
    First,
    /// `|`; in a cell of a table it says that what stands before it are the cell's attributes.
    Bar,
    /// `|-`
    Row,
    /// `|+`
    Caption,
    /// `!` or `!!`
    Header,
    /// `|` at the start of a line, or `||`
    Cell,
}

impl Mark {
    fn text(self) -> &'static str {
        match self {
            Self::First => "",
            Self::Bar | Self::Cell => "|",
            Self::Row => "|-",
            Self::Caption => "|+",
            Self::Header => "!",
        }
    }
}

/// What can be open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Construct {
    Page,
    /// So many opening braces, of which a template takes two and a parameter three.
    Braces(usize),
    Table,
    Link,
    External,
    Variants,
    Element(&'static str, Style),
}

struct Open<'a> {
    construct: Construct,
    parts: Vec<Part<'a>>,
    /// Where it begins in the markup.
    from: usize,
    /// Whether it begins at the start of a line.
    line_start: bool,
}

/// The deepest nesting that is followed; MediaWiki stops there too.
const DEPTH: usize = 40;

/// The most braces in a row that are taken for brackets.
const BRACES: usize = 9;

/// What becomes of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The tags are dropped, the content stays.
    Tags,
    /// Its content is a footnote.
    Reference,
    /// Element and content are dropped.
    Dropped,
    /// Likewise; it ends a paragraph.
    Block,
    /// Likewise; within a sentence it leaves a hole.
    Code,
    Literal,
    Math,
    Chemistry,
    /// The tags end a line.
    Break,
    Quote,
    Styled(Style),
}

/// The elements of HTML and MediaWiki. A `<` before any other name is text.
const ELEMENTS: [(&str, Role); 101] = [
    ("a", Role::Tags),
    ("abbr", Role::Tags),
    ("b", Role::Tags),
    ("bdi", Role::Tags),
    ("bdo", Role::Tags),
    ("big", Role::Tags),
    ("blockquote", Role::Break),
    ("br", Role::Break),
    ("caption", Role::Break),
    ("categorytree", Role::Block),
    ("ce", Role::Chemistry),
    ("center", Role::Break),
    ("charinsert", Role::Dropped),
    ("chem", Role::Chemistry),
    ("cite", Role::Tags),
    ("code", Role::Tags),
    ("col", Role::Tags),
    ("colgroup", Role::Tags),
    ("data", Role::Tags),
    ("dd", Role::Break),
    ("del", Role::Styled(Style::Hidden)),
    ("dfn", Role::Tags),
    ("div", Role::Break),
    ("dl", Role::Break),
    ("dt", Role::Break),
    ("em", Role::Tags),
    ("font", Role::Tags),
    ("gallery", Role::Block),
    ("graph", Role::Block),
    ("h1", Role::Break),
    ("h2", Role::Break),
    ("h3", Role::Break),
    ("h4", Role::Break),
    ("h5", Role::Break),
    ("h6", Role::Break),
    ("hiero", Role::Code),
    ("hr", Role::Break),
    ("i", Role::Tags),
    ("imagemap", Role::Block),
    ("img", Role::Tags),
    ("includeonly", Role::Dropped),
    ("indicator", Role::Dropped),
    ("inputbox", Role::Block),
    ("ins", Role::Tags),
    ("kbd", Role::Tags),
    ("langconvert", Role::Tags),
    ("languages", Role::Dropped),
    ("li", Role::Break),
    ("link", Role::Tags),
    ("mapframe", Role::Block),
    ("maplink", Role::Dropped),
    ("mark", Role::Tags),
    ("math", Role::Math),
    ("meta", Role::Tags),
    ("nav", Role::Break),
    ("noinclude", Role::Tags),
    ("nowiki", Role::Literal),
    ("ol", Role::Break),
    ("onlyinclude", Role::Tags),
    ("p", Role::Break),
    ("phonos", Role::Dropped),
    ("poem", Role::Break),
    ("pre", Role::Literal),
    ("q", Role::Quote),
    ("rb", Role::Tags),
    ("ref", Role::Reference),
    ("references", Role::Dropped),
    ("rp", Role::Tags),
    ("rt", Role::Tags),
    ("rtc", Role::Tags),
    ("ruby", Role::Tags),
    ("s", Role::Styled(Style::Hidden)),
    ("samp", Role::Tags),
    ("score", Role::Code),
    ("section", Role::Tags),
    ("small", Role::Tags),
    ("source", Role::Code),
    ("span", Role::Styled(Style::Shown)),
    ("strike", Role::Styled(Style::Hidden)),
    ("strong", Role::Tags),
    ("sub", Role::Styled(Style::Subscript)),
    ("sup", Role::Styled(Style::Superscript)),
    ("syntaxhighlight", Role::Code),
    ("table", Role::Block),
    ("tbody", Role::Tags),
    ("td", Role::Break),
    ("templatedata", Role::Block),
    ("templatestyles", Role::Dropped),
    ("tfoot", Role::Tags),
    ("th", Role::Break),
    ("thead", Role::Tags),
    ("time", Role::Tags),
    ("timeline", Role::Block),
    ("tr", Role::Break),
    ("translate", Role::Tags),
    ("tt", Role::Tags),
    ("tvar", Role::Tags),
    ("u", Role::Tags),
    ("ul", Role::Break),
    ("var", Role::Tags),
    ("wbr", Role::Tags),
];

/// The tree of a page's markup.
pub(crate) fn parse(markup: &str) -> Vec<Node<'_>> {
    let mut parser = Parser::new(markup);
    while parser.at < markup.len() {
        parser.step();
    }
    parser.flush();
    while parser.open.len() > 1 {
        parser.merge();
    }
    parser.open.pop().map(|page| joined(page.parts)).unwrap_or_default()
}

/// The nodes of parts that turn out to be text, with the marks between them.
fn joined(parts: Vec<Part>) -> Vec<Node> {
    let mut nodes = Vec::new();
    for part in parts {
        if part.mark != Mark::First {
            nodes.push(Node::Text(part.mark.text()));
        }
        nodes.extend(part.nodes);
    }
    nodes
}

struct Parser<'a> {
    markup: &'a str,
    /// The markup with its ASCII letters in lower case, in which tags are found.
    lower: String,
    at: usize,
    /// Where the text begins that is read but not yet a node.
    text: Option<usize>,
    /// The page, and what is open in it; never empty.
    open: Vec<Open<'a>>,
    /// Whether nothing but white space and the marks of list items is before `at` in its line.
    line_start: bool,
    /// Elements that the rest of the markup does not close.
    unclosed: HashSet<&'static str>,
}

impl<'a> Parser<'a> {
    fn new(markup: &'a str) -> Self {
        let lower = markup.to_ascii_lowercase();
        let page = Open { construct: Construct::Page, parts: vec![Part::default()], from: 0, line_start: true };
        Self { markup, lower, at: 0, text: None, open: vec![page], line_start: true, unclosed: HashSet::new() }
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
            [b'{', b'|', ..] if line_start && !rest.starts_with("{|}") => self.begin(Construct::Table, 2),
            [b'{', b'{', ..] => self.open_braces(run()),
            [b'}', b'}', ..] if self.is_open(|open| matches!(open, Construct::Braces(_))) => self.close_braces(run()),
            [b'-', b'{', after, ..] if *after != b'{' => self.begin(Construct::Variants, 2),
            [b'}', b'-', ..] if self.top() == Construct::Variants => self.close(Construct::Variants, 2),
            [b'|', b'}', after @ ..] if line_start && self.closes_table(after) => self.close(Construct::Table, 2),
            [b'|', ..] => self.bar(rest),
            [b'!', ..] => self.header(rest),
            [b'[', b'[', b'[', ..] => self.plain(1),
            [b'[', b'[', ..] => self.begin(Construct::Link, 2),
            [b'[', ..] if is_address(&self.lower[self.at + 1..]) => {
                self.begin(Construct::External, 1);
                self.at += rest[1..].find([' ', '\t', '\n', ']', '[', '|', '<', '{', '}']).unwrap_or(rest.len() - 1);
            }
            [b']', ..] if self.top() == Construct::External => self.close(Construct::External, 1),
            [b']', b']', ..] if self.closes_link() => self.close(Construct::Link, 2),
            [b'_', b'_', ..] => self.magic_word(rest),
            _ => {
                let first = rest.chars().next().map_or(1, char::len_utf8);
                let marks = ['\n', '<', '{', '}', '[', ']', '|', '!', '_', '-'];
                self.plain(rest[first..].find(marks).map_or(rest.len(), |at| at + first));
            }
        }
    }

    fn top(&self) -> Construct {
        self.open.last().map_or(Construct::Page, |open| open.construct)
    }

    fn is_open(&self, is: impl Fn(Construct) -> bool) -> bool {
        self.open.iter().any(|open| is(open.construct))
    }

    /// The innermost open construct that bars (`|`) divide into parts, and its index.
    fn parted(&self) -> (usize, Construct) {
        let parts = |open: &Open| !matches!(open.construct, Construct::Element(..) | Construct::External);
        let index = self.open.iter().rposition(parts).unwrap_or_default();
        (index, self.open[index].construct)
    }

    /// Takes so many bytes as text.
    fn plain(&mut self, length: usize) {
        self.text.get_or_insert(self.at);
        let text = &self.markup[self.at..self.at + length];
        self.at += length;
        self.line_start &= text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b':' | b'*' | b'#'));
    }

    /// Makes a node of the text that was read.
    fn flush(&mut self) {
        if let Some(from) = self.text.take().filter(|&from| from < self.at) {
            let text = Node::Text(&self.markup[from..self.at]);
            self.add(text);
        }
    }

    /// Passes over so many bytes, which show nothing.
    fn skip(&mut self, length: usize) {
        self.flush();
        self.at += length;
    }

    /// Adds a node to the innermost open construct. Text before it must have been flushed.
    fn add(&mut self, node: Node<'a>) {
        if let Some(part) = self.open.last_mut().and_then(|open| open.parts.last_mut()) {
            part.nodes.push(node);
        }
    }

    /// Begins the next part of the construct at `index`.
    fn part(&mut self, index: usize, mark: Mark, length: usize) {
        self.skip(length);
        while self.open.len() > index + 1 {
            self.merge();
        }
        self.open[index].parts.push(Part { mark, nodes: Vec::new() });
        self.line_start = false;
    }

    fn end_line(&mut self, rest: &str) {
        self.flush();
        let paragraph = rest.starts_with("\n\n");
        while match self.top() {
            Construct::External => true,
            Construct::Link | Construct::Variants | Construct::Element(..) => paragraph,
            _ => false,
        } {
            self.merge();
        }
        self.plain(1);
        self.line_start = true;
    }

    /// A switch such as `__NOTOC__`.
    fn magic_word(&mut self, rest: &str) {
        let name = rest[2..].bytes().take_while(u8::is_ascii_uppercase).count();
        if name > 0 && rest[2 + name..].starts_with("__") { self.skip(name + 4) } else { self.plain(1) }
    }

    fn begin(&mut self, construct: Construct, length: usize) {
        self.skip(length);
        if self.open.len() > DEPTH {
            return self.add(Node::Hole);
        }
        let from = self.at - length;
        self.open.push(Open { construct, parts: vec![Part::default()], from, line_start: self.line_start });
        self.line_start = false;
    }

    fn open_braces(&mut self, run: usize) {
        if run <= BRACES {
            return self.begin(Construct::Braces(run), run);
        }
        self.skip(run);
        self.add(Node::Hole);
    }

    /// Closes templates and parameters with the run of braces at `at`, innermost first. Three braces are a parameter's.
    fn close_braces(&mut self, mut run: usize) {
        self.flush();
        while run >= 2 {
            let is_braces = |open: &Open| matches!(open.construct, Construct::Braces(_));
            let Some(index) = self.open.iter().rposition(is_braces) else { return };
            while self.open.len() > index + 1 {
                self.merge();
            }
            let Some(Open { construct: Construct::Braces(braces), parts, from, line_start }) = self.open.pop() else {
                return;
            };
            let taken = if braces >= 3 && run >= 3 { 3 } else { 2 };
            let block = line_start && self.markup[from..self.at].contains('\n');
            let place = if block { Place::Block } else { Place::Inline };
            let node = if taken == 3 { Node::Parameter(parts) } else { Node::Template { parts, place } };
            (run, self.at, self.line_start) = (run - taken, self.at + taken, line_start);
            match braces - taken {
                left @ 2.. => {
                    let parts = vec![Part { mark: Mark::First, nodes: vec![node] }];
                    self.open.push(Open { construct: Construct::Braces(left), parts, from, line_start });
                }
                left => {
                    if left == 1 {
                        self.add(Node::Text("{"));
                    }
                    self.add(node);
                }
            }
        }
    }

    /// Whether `|}` before `after` ends a table: `|}}` ends a template if one is open inside the table.
    fn closes_table(&self, after: &[u8]) -> bool {
        let around = |open: &&Open| matches!(open.construct, Construct::Braces(_) | Construct::Table);
        let innermost = self.open.iter().rev().find(around).map(|open| open.construct);
        let in_table = innermost == Some(Construct::Table);
        in_table || after.first() != Some(&b'}') && self.is_open(|open| open == Construct::Table)
    }

    fn closes_link(&self) -> bool {
        self.parted().1 == Construct::Link
    }

    /// Ends the innermost `construct`. What is still open inside it is text.
    fn close(&mut self, construct: Construct, length: usize) {
        self.skip(length);
        let Some(index) = self.open.iter().rposition(|open| open.construct == construct) else { return };
        while self.open.len() > index + 1 {
            self.merge();
        }
        let Some(Open { parts, line_start, .. }) = self.open.pop() else { return };
        self.add(match construct {
            Construct::Link => Node::Link(parts),
            Construct::Variants => Node::Variants(parts),
            Construct::Table => Node::Table(parts),
            Construct::Element(_, style) => Node::Element { style, content: joined(parts) },
            _ => Node::External(joined(parts)),
        });
        if construct == Construct::Table {
            self.line_start = line_start;
        }
    }

    /// The innermost construct turns out to be text.
    fn merge(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let script = |style| matches!(style, Style::Superscript | Style::Subscript);
        match open.construct {
            Construct::Braces(_) => self.add(Node::Hole),
            Construct::Element(_, style) if script(style) => self.add(Node::Hole),
            _ => {}
        }
        self.add(Node::Fragment(joined(open.parts)));
    }

    /// A bar, which begins the next part of the innermost template, link or table.
    fn bar(&mut self, rest: &str) {
        let (index, construct) = self.parted();
        let line_start = self.line_start;
        match construct {
            Construct::Page => self.plain(1),
            Construct::Table => {
                let dashes = rest[1..].bytes().take_while(|&byte| byte == b'-').count();
                match rest.as_bytes() {
                    [_, b'-', ..] if line_start => self.part(index, Mark::Row, 1 + dashes),
                    [_, b'+', ..] if line_start => self.part(index, Mark::Caption, 2),
                    [_, b'|', ..] if !line_start => self.part(index, self.beside(index), 2),
                    _ if line_start => self.part(index, Mark::Cell, 1),
                    _ => self.part(index, Mark::Bar, 1),
                }
            }
            _ => self.part(index, Mark::Bar, 1),
        }
    }

    /// The mark of a further cell in the line of the last cell of the table at `index`.
    fn beside(&self, index: usize) -> Mark {
        let cell = self.open[index].parts.iter().rev().map(|part| part.mark).find(|mark| *mark != Mark::Bar);
        if cell == Some(Mark::Header) { Mark::Header } else { Mark::Cell }
    }

    /// An exclamation mark, which begins a header in a table.
    fn header(&mut self, rest: &str) {
        match self.parted() {
            (index, Construct::Table) if self.line_start => self.part(index, Mark::Header, 1),
            (index, Construct::Table) if rest.starts_with("!!") && self.beside(index) == Mark::Header => {
                self.part(index, Mark::Header, 2);
            }
            _ => self.plain(1),
        }
    }

    /// A comment, an element, or a plain `<`.
    fn tag(&mut self, rest: &'a str) {
        if let Some(comment) = rest.strip_prefix("<!--") {
            return self.skip(comment.find("-->").map_or(rest.len(), |end| end + 7));
        }
        let Some(tag) = Tag::read(&self.lower[self.at..]) else { return self.plain(1) };
        let Tag { name, role, length, opens, closes, named, hides } = tag;
        self.skip(length);
        match role {
            Role::Tags => {}
            Role::Break => self.add(Node::Break),
            Role::Quote => self.add(Node::Quote),
            Role::Styled(style) if opens => {
                let style = if hides { Style::Hidden } else { style };
                self.begin(Construct::Element(name, style), 0);
            }
            Role::Styled(_) if closes => {
                if let Construct::Element(open, style) = self.top()
                    && open == name
                {
                    self.close(Construct::Element(open, style), 0);
                }
            }
            _ if opens => self.content(name, role, named),
            _ => {}
        }
    }

    /// Reads an element whose content is not markup, from the end of its opening tag.
    fn content(&mut self, name: &'static str, role: Role, named: bool) {
        let from = self.at;
        let Some((end, after)) = self.closing(name, role) else { return self.unclosed_content(role, named) };
        let content = &self.markup[from..end];
        self.at = after;
        match role {
            Role::Literal => self.add(Node::Literal(content)),
            Role::Math => self.add(Node::Math(content)),
            Role::Chemistry => self.add(Node::Chemistry(content)),
            Role::Code => self.add(Node::Hole),
            Role::Block => self.add(Node::Paragraph),
            _ => return,
        }
        self.line_start &= role == Role::Block;
    }

    /// An element that is never closed. Its tag is dropped. The source of a formula is no text, nor is what follows a
    /// footnote's tag in its line; but a footnote that has a name was meant to be an empty element: `<ref name="a">`.
    fn unclosed_content(&mut self, role: Role, named: bool) {
        match role {
            Role::Math | Role::Chemistry => self.add(Node::Hole),
            Role::Reference if !named => {
                while let Some(at) = self.markup[self.at..].find(['\n', '<']) {
                    self.at += at;
                    let lower = &self.lower[self.at..];
                    if lower.starts_with('\n') || lower.starts_with("<ref") {
                        return;
                    }
                    self.at += 1;
                }
                self.at = self.markup.len();
            }
            _ => {}
        }
    }

    /// The ends of the content and of the closing tag of the element `name`, whose content begins at `at`. A reference
    /// ends at the latest where the next one begins: it was never closed then.
    fn closing(&mut self, name: &'static str, role: Role) -> Option<(usize, usize)> {
        if self.unclosed.contains(name) {
            return None;
        }
        let mut from = self.at;
        while let Some(at) = self.lower[from..].find('<') {
            let tag = from + at;
            from = tag + 1;
            let (closes, rest) = match self.lower[from..].strip_prefix('/') {
                Some(rest) => (true, rest),
                None => (false, &self.lower[from..]),
            };
            let Some(rest) = rest.strip_prefix(name) else { continue };
            if closes && rest.trim_start().starts_with('>') {
                return Some((tag, self.lower.len() - rest.trim_start().len() + 1));
            }
            if !closes && role == Role::Reference && rest.starts_with(['>', ' ', '/', '\n']) {
                return None;
            }
        }
        self.unclosed.insert(name);
        None
    }
}

/// The tag of a known element.
struct Tag {
    name: &'static str,
    role: Role,
    /// Its bytes, with its brackets.
    length: usize,
    /// Whether content follows it.
    opens: bool,
    closes: bool,
    /// Whether it has attributes.
    named: bool,
    /// Whether it says that its content is not displayed.
    hides: bool,
}

impl Tag {
    /// The tag that `text`, in lower case, begins with.
    fn read(text: &str) -> Option<Self> {
        let (closes, rest) = match text[1..].strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, &text[1..]),
        };
        let name = &rest[..rest.bytes().take_while(u8::is_ascii_alphanumeric).count()];
        let (name, role) = *ELEMENTS.iter().find(|(known, _)| *known == name)?;
        let rest = &rest[name.len()..];
        let end = rest.find(['<', '>']).filter(|&end| rest[end..].starts_with('>'))?;
        let attributes = &rest[..end];
        let is_attributes = attributes.is_empty() || attributes.starts_with([' ', '\t', '\n', '/']);
        // "a<b and c>d" is no bold, and "the <source of the Nile>" no source.
        let bare = attributes.split_whitespace().filter(|word| *word != "/").count();
        let is_prose = !attributes.contains('=') && bare > usize::from(name.len() > 1);
        if !is_attributes || is_prose {
            return None;
        }
        let opens = !closes && !attributes.ends_with('/');
        let length = text.len() - rest.len() + end + 1;
        let style: String = attributes.chars().filter(|c| !c.is_whitespace()).collect();
        let (named, hides) = (!style.is_empty(), style.contains("display:none"));
        Some(Self { name, role, length, opens, closes, named, hides })
    }
}

/// Whether the text after a bracket is the address of an external link.
fn is_address(text: &str) -> bool {
    ["http://", "https://", "ftp://", "//", "mailto:"].iter().any(|scheme| text.starts_with(scheme))
}
