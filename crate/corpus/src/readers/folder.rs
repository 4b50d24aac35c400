//! A folder of text, Markdown and HTML files, or one of them. Each file is an article; its link is its path in the
//! folder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use encoding_rs::{Encoding, WINDOWS_1252};
use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};
use evident_index::{Cutter, Passage};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::error::CorpusError;
use crate::lines::{Counter, LONGEST, LONGEST_MARKUP};
use crate::options::Facts;
use crate::readers::article::Article;
use crate::readers::markup::Style;
use crate::readers::{html, scripts};

/// A file to read.
pub(crate) struct TextFile {
    path: PathBuf,
    /// Its path in the folder, with slashes.
    name: String,
    pub bytes: u64,
}

/// The files of a folder and of the folders in it.
#[derive(Default)]
pub(crate) struct Listing {
    /// The text, Markdown and HTML files, by name.
    pub files: Vec<TextFile>,
    /// The number of other files by the ends of their names, such as ".pdf"; "" for a name without one.
    pub others: BTreeMap<String, usize>,
}

/// The files in `folder` and the folders in it. Hidden files are skipped, and so are links to folders, which may form a
/// circle, and links out of `folder`.
pub(crate) fn list(folder: &Path) -> Result<Listing, CorpusError> {
    let mut listing = Listing::default();
    let root = folder.canonicalize().map_err(CorpusError::read(folder))?;
    gather(&root, folder, "", &mut listing)?;
    listing.files.sort_by(|a, b| a.name.cmp(&b.name));
    if listing.files.is_empty() { Err(CorpusError::NoFiles { path: folder.into() }) } else { Ok(listing) }
}

/// The file at `path`, if it is a text, Markdown or HTML file by its name.
pub(crate) fn one(path: &Path) -> Result<Option<TextFile>, CorpusError> {
    let Some(name) = path.file_name().filter(|_| is_text(path) || is_markdown(path) || is_html(path)) else {
        return Ok(None);
    };
    let bytes = fs::metadata(path).map_err(CorpusError::read(path))?.len();
    Ok(Some(TextFile { path: path.into(), name: name.to_string_lossy().into_owned(), bytes }))
}

fn gather(root: &Path, folder: &Path, within: &str, listing: &mut Listing) -> Result<(), CorpusError> {
    for entry in folder.read_dir().map_err(CorpusError::read(folder))? {
        let entry = entry.map_err(CorpusError::read(folder))?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let kind = entry.file_type().map_err(CorpusError::read(&path))?;
        if name.starts_with('.') {
            continue;
        }
        let inside = format!("{within}{name}");
        if kind.is_dir() {
            gather(root, &path, &format!("{inside}/"), listing)?;
        } else if is_text(&path) || is_markdown(&path) || is_html(&path) {
            let metadata = fs::metadata(&path).map_err(CorpusError::read(&path))?;
            let leads_out = kind.is_symlink() && !path.canonicalize().is_ok_and(|path| path.starts_with(root));
            if metadata.is_file() && !leads_out {
                listing.files.push(TextFile { path, name: inside, bytes: metadata.len() });
            }
        } else if kind.is_file() {
            let end =
                path.extension().map_or_else(String::new, |end| format!(".{}", end.to_string_lossy().to_lowercase()));
            *listing.others.entry(end).or_default() += 1;
        }
    }
    Ok(())
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|found| extensions.iter().any(|extension| found.eq_ignore_ascii_case(extension)))
}

fn is_text(path: &Path) -> bool {
    has_extension(path, &["txt", "text"])
}

fn is_markdown(path: &Path) -> bool {
    has_extension(path, &["md", "markdown"])
}

fn is_html(path: &Path) -> bool {
    has_extension(path, &["html", "htm", "xhtml"])
}

/// The passages of the files of a folder. An error ends its file, and the next file is read.
pub(crate) fn passages_of_each(
    files: Vec<TextFile>,
    facts: Facts,
    read: Counter,
) -> impl Iterator<Item = Result<Passage, CorpusError>> + Send {
    passages(files, facts, read).map(|passage| passage.map_err(|error| CorpusError::OneFile(Box::new(error))))
}

/// The passages of these files; `read` counts their bytes.
pub(crate) fn passages(
    files: Vec<TextFile>,
    facts: Facts,
    read: Counter,
) -> impl Iterator<Item = Result<Passage, CorpusError>> + Send {
    files.into_iter().flat_map(move |file| -> Box<dyn Iterator<Item = _> + Send> {
        if !is_text(&file.path) {
            let articles =
                if is_html(&file.path) { page(&file, facts).map(|article| vec![article]) } else { markdown(&file) };
            read.add(file.bytes);
            match articles {
                Ok(articles) => Box::new(
                    articles.into_iter().flat_map(|mut article| std::iter::from_fn(move || article.pop())).map(Ok),
                ),
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        } else {
            match File::open(&file.path) {
                Ok(open) => Box::new(PlainText::new(file, open, read.clone())),
                Err(source) => Box::new(std::iter::once(Err(CorpusError::Read { path: file.path, source }))),
            }
        }
    })
}

fn cutter(file: &TextFile, title: Option<String>) -> Cutter {
    let source = file.name.clone();
    Cutter::new(file.name.clone(), title.unwrap_or_else(|| stem(file)), move |_| Some(source.clone()))
}

/// The name of a file without its folders and its kind.
fn stem(file: &TextFile) -> String {
    file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Plain text, line by line: an empty line ends a paragraph.
struct PlainText {
    path: PathBuf,
    lines: BufReader<DecodeReaderBytes<File, Vec<u8>>>,
    cutter: Cutter,
    read: Counter,
    line: usize,
    /// Whether the next line begins a paragraph: the line before was empty.
    apart: bool,
    ended: bool,
}

impl PlainText {
    fn new(file: TextFile, open: File, read: Counter) -> Self {
        let cutter = cutter(&file, None);
        // A byte order mark of UTF-16 has the file decoded. Any other file is passed through unchanged.
        let open = DecodeReaderBytesBuilder::new().bom_override(true).utf8_passthru(true).build(open);
        Self { path: file.path, lines: BufReader::new(open), cutter, read, line: 0, apart: true, ended: false }
    }

    /// Takes in a line.
    fn take(&mut self, bytes: &[u8]) -> Result<(), CorpusError> {
        self.line += 1;
        self.read.add(bytes.len() as u64);
        let not_text = |_| CorpusError::NotText { path: self.path.clone(), line: self.line };
        let text = str::from_utf8(bytes).map_err(not_text)?;
        let empty = text.trim().is_empty();
        match self.apart {
            true => self.cutter.block(text),
            false => self.cutter.line(text),
        }
        self.apart = empty;
        Ok(())
    }
}

impl Iterator for PlainText {
    type Item = Result<Passage, CorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = Vec::new();
        loop {
            if let Some(passage) = self.cutter.pop() {
                return Some(Ok(passage));
            }
            if self.ended {
                return None;
            }
            bytes.clear();
            match self.lines.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes) {
                Ok(read) if read > LONGEST => {
                    self.ended = true;
                    let (path, line) = (self.path.clone(), self.line + 1);
                    return Some(Err(CorpusError::TooLong { path, line, most: LONGEST }));
                }
                Err(source) => {
                    self.ended = true;
                    return Some(Err(CorpusError::Read { path: self.path.clone(), source }));
                }
                Ok(0) => {
                    self.ended = true;
                    self.cutter.end();
                }
                Ok(_) => {
                    if let Err(error) = self.take(&bytes) {
                        self.ended = true;
                        return Some(Err(error));
                    }
                }
            }
        }
    }
}

/// An article of a Markdown file: what stands below a heading of level 1.
#[derive(Default)]
struct Below {
    title: Option<String>,
    names: Vec<String>,
    source: Option<String>,
    blocks: Vec<(Option<String>, String)>,
}

/// The passages of a Markdown file. Each heading of level 1 is the title of an article, and the others are sections.
/// Code blocks, blocks of HTML, notes and struck text are left out.
///
/// The first paragraph below a title may have lines of metadata on the article: `Other names: A; B`, `Source: where it
/// is from`, and `Wikipedia: Title`, which is for readers.
fn markdown(file: &TextFile) -> Result<Vec<Cutter>, CorpusError> {
    let text = text(file, LONGEST_MARKUP)?;
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;

    let (mut articles, mut open, mut hidden, mut section) = (vec![Below::default()], String::new(), 0, None);
    let mut small = None; // the open <sup> or <sub>, and where its text begins in `open`
    for event in Parser::new_ext(&text, options) {
        let article = articles.last_mut().expect("there is at least one");
        match event {
            Event::Start(
                Tag::CodeBlock(_)
                | Tag::HtmlBlock
                | Tag::MetadataBlock(_)
                | Tag::FootnoteDefinition(_)
                | Tag::Strikethrough,
            ) => hidden += 1,
            Event::End(
                TagEnd::CodeBlock
                | TagEnd::HtmlBlock
                | TagEnd::MetadataBlock(_)
                | TagEnd::FootnoteDefinition
                | TagEnd::Strikethrough,
            ) => hidden -= 1,
            _ if hidden > 0 => {}
            Event::Text(text) | Event::Code(text) => open.push_str(&text),
            Event::SoftBreak => open.push('\n'),
            Event::HardBreak | Event::End(TagEnd::TableCell) => open.push(' '),
            Event::InlineHtml(tag) => match element(&tag).as_str() {
                "br" => open.push(' '),
                "sup" => small = Some((Style::Superscript, open.len())),
                "sub" => small = Some((Style::Subscript, open.len())),
                "/sup" | "/sub" => {
                    if let Some((style, at)) = small.take() {
                        let text = open.split_off(at);
                        let text = scripts::small(style, &text, &open);
                        open.push_str(&text);
                    }
                }
                _ => {}
            },
            Event::End(TagEnd::Heading(level)) => {
                let heading = open.split_whitespace().collect::<Vec<_>>().join(" ");
                (small, open) = (None, String::new());
                if level != HeadingLevel::H1 {
                    section = Some(heading).filter(|heading| !heading.is_empty());
                    continue;
                }
                section = None;
                if article.title.is_none() {
                    article.title = Some(heading);
                } else {
                    articles.push(Below { title: Some(heading), ..Below::default() });
                }
            }
            // The text of a list item ends where a list inside it begins.
            Event::Start(Tag::List(_) | Tag::Heading { .. })
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead) => {
                article.take(section.as_ref(), std::mem::take(&mut open));
                small = None;
            }
            _ => {}
        }
    }
    let several = articles.len() > 1;
    let number = |number: usize| several.then_some(number);
    Ok(articles.into_iter().zip(1..).map(|(article, n)| article.cut(file, number(n))).collect())
}

/// The metadata that a first paragraph may have.
const NAMES: &str = "Other names:";
const SOURCE: &str = "Source:";
const WIKIPEDIA: &str = "Wikipedia:";

impl Below {
    /// Takes in a block: prose, or a first paragraph of metadata.
    fn take(&mut self, section: Option<&String>, text: String) {
        let is_first = self.title.is_some() && self.blocks.is_empty();
        let is_about = |line: &str| [NAMES, SOURCE, WIKIPEDIA].iter().any(|what| line.starts_with(what));
        if text.trim().is_empty() {
            return;
        }
        if !is_first || !text.lines().all(is_about) {
            self.blocks.push((section.cloned(), text));
            return;
        }
        for line in text.lines() {
            if let Some(names) = line.strip_prefix(NAMES) {
                self.names.extend(names.split(';').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()));
            }
            if let Some(source) = line.strip_prefix(SOURCE) {
                self.source = Some(source.trim().to_owned());
            }
        }
    }

    /// Its passages. Where a file has several articles, their ids have the `number` of the article.
    fn cut(self, file: &TextFile, number: Option<usize>) -> Cutter {
        let source = self.source.unwrap_or_else(|| file.name.clone());
        let title = self.title.unwrap_or_else(|| stem(file));
        let id = number.map_or_else(|| file.name.clone(), |number| format!("{}/{number}", file.name));
        let mut cutter = Cutter::new(id, title, move |_| Some(source.clone())).named(self.names);
        for (section, text) in self.blocks {
            cutter.section(section);
            cutter.block(&text);
        }
        cutter.end();
        cutter
    }
}

/// The name of the element that an HTML tag opens, such as `br`, or closes: `/sup`.
fn element(tag: &str) -> String {
    let name = tag.trim_start_matches('<');
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '/').unwrap_or(name.len());
    name[..end].trim_end_matches('/').to_ascii_lowercase()
}

/// The passages of a page of HTML, with the title that its head names. What is bold in it names nothing.
fn page(file: &TextFile, facts: Facts) -> Result<Cutter, CorpusError> {
    let text = html_text(&whole(file, LONGEST)?);
    let cutter = cutter(file, html::title(&text));
    let article = html::read(cutter.title(), &text);
    Ok(Article { names: Vec::new(), ..article }.cut(cutter, std::iter::empty(), facts))
}

/// The text of a page, decoded as browsers do: by its byte order mark, else by the encoding that it names, else as
/// UTF-8, and as Windows-1252 if it is not valid. A page that names UTF-16 without its mark is in UTF-8.
fn html_text(bytes: &[u8]) -> String {
    let named = html::encoding(bytes).and_then(|label| Encoding::for_label(label.as_bytes()));
    let named = named.map(Encoding::output_encoding);
    let valid = |encoding: &'static Encoding| encoding.decode_without_bom_handling_and_without_replacement(bytes);
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding.decode(bytes).0);
    let text = marked.or_else(|| named.and_then(valid)).or_else(|| valid(encoding_rs::UTF_8));
    text.unwrap_or_else(|| WINDOWS_1252.decode(bytes).0).into_owned()
}

/// The text of a file in UTF-8, or in UTF-16 with its byte order mark.
fn text(file: &TextFile, most: usize) -> Result<String, CorpusError> {
    let bytes = whole(file, most)?;
    if let Some((encoding, _)) = Encoding::for_bom(&bytes) {
        return Ok(encoding.decode(&bytes).0.into_owned());
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        CorpusError::NotText { path: file.path.clone(), line }
    })
}

/// The bytes of a file, which may be `most`.
fn whole(file: &TextFile, most: usize) -> Result<Vec<u8>, CorpusError> {
    let mut bytes = Vec::new();
    let opened = File::open(&file.path).map_err(CorpusError::read(&file.path))?;
    opened.take(most as u64 + 1).read_to_end(&mut bytes).map_err(CorpusError::read(&file.path))?;
    if bytes.len() > most {
        let line = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
        return Err(CorpusError::TooLong { path: file.path.clone(), line, most });
    }
    Ok(bytes)
}
