//! A MediaWiki dump (pages-articles XML, export schema 0.x): its articles, page by page.
//!
//! Only the namespace of articles (0) is read. Redirects are skipped, and of several revisions of a page the last
//! counts.

use std::io;
use std::path::PathBuf;

use evident_index::Passage;
use quick_xml::Error as XmlError;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::cut::Cutter;
use crate::error::CorpusError;
use crate::lines::{LONGEST, Lines};
use crate::options::Facts;
use crate::readers::entities::decode;
use crate::readers::wikitext::{self, Hidden};

/// The section of the passages that are made of infoboxes and tables.
const FACTS: &str = "Facts";

/// The numbers of MediaWiki's namespaces whose links show no text: media, files, categories.
const HIDDEN: [&str; 3] = ["-2", "6", "14"];

/// The passages of the dump at `path`, whose text is `lines`; with `facts` those of its infoboxes and tables too.
pub(crate) fn passages(
    path: PathBuf,
    lines: Lines,
    facts: Facts,
) -> impl Iterator<Item = Result<Passage, CorpusError>> {
    let mut dump = Dump::new(path, lines);
    let mut cutter: Option<Cutter> = None;
    std::iter::from_fn(move || {
        loop {
            if let Some(passage) = cutter.as_mut().and_then(Cutter::pop) {
                return Some(Ok(passage));
            }
            match dump.next_article() {
                Ok(Some(article)) => cutter = Some(dump.cut(&article, facts)),
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    })
}

/// A page, as far as it was read.
#[derive(Default)]
struct Page {
    title: String,
    namespace: String,
    id: String,
    redirect: bool,
    /// The content model, if it names one; articles are `wikitext`.
    model: String,
    text: String,
}

impl Page {
    fn is_article(&self) -> bool {
        let is_redirect = self.redirect || wikitext::is_redirect(&self.text);
        self.namespace == "0" && !is_redirect && matches!(self.model.as_str(), "" | "wikitext")
    }
}

struct Dump {
    path: PathBuf,
    reader: Reader<Lines>,
    buffer: Vec<u8>,
    site: Site,
    place: ReaderPlace,
}

/// What the head of a dump says about its wiki.
#[derive(Default)]
struct Site {
    /// The address before the titles: `https://simple.wikipedia.org/wiki/`.
    base: Option<String>,
    hidden: Hidden,
}

/// Where the reader is in the document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReaderPlace {
    Before,
    Within,
    After,
}

impl Dump {
    fn new(path: PathBuf, lines: Lines) -> Self {
        let reader = Reader::from_reader(lines);
        Self { path, reader, buffer: Vec::new(), site: Site::default(), place: ReaderPlace::Before }
    }

    /// The next article; none at the end of the dump.
    fn next_article(&mut self) -> Result<Option<Page>, CorpusError> {
        let Self { path, reader, buffer, site, place } = self;
        let not_a_dump = |lines: &Lines, reason: &str| CorpusError::NotADump {
            path: path.clone(),
            line: lines.line(),
            reason: reason.into(),
        };
        let (mut page, mut value, mut hides) = (Page::default(), String::new(), false);
        loop {
            buffer.clear();
            reader.get_mut().begin();
            let event = match reader.read_event_into(buffer) {
                Ok(event) => event,
                Err(XmlError::Io(error)) => {
                    let error = io::Error::new(error.kind(), error.to_string());
                    return Err(reader.get_ref().failed(path, error));
                }
                Err(error) => return Err(not_a_dump(reader.get_ref(), &error.to_string())),
            };
            if value.len() > LONGEST {
                return Err(reader.get_ref().failed(path, io::ErrorKind::FileTooLarge.into()));
            }
            match event {
                Event::Start(tag) => {
                    value.clear();
                    match tag.name().0 {
                        "mediawiki" => *place = ReaderPlace::Within,
                        _ if *place != ReaderPlace::Within => {
                            return Err(not_a_dump(reader.get_ref(), "it does not begin with <mediawiki>"));
                        }
                        "page" => page = Page::default(),
                        "namespace" => hides = is_hidden(&tag),
                        _ => {}
                    }
                }
                Event::Empty(tag) if tag.name().0 == "redirect" => page.redirect = true,
                Event::Text(text) => value.push_str(&text),
                Event::CData(text) => value.push_str(&text),
                Event::GeneralRef(name) => value.push_str(&decode(&format!("&{};", &*name))),
                Event::End(tag) => {
                    let value = std::mem::take(&mut value);
                    match tag.name().0 {
                        "mediawiki" => *place = ReaderPlace::After,
                        "base" => site.base = value.rfind('/').map(|end| value[..=end].to_owned()),
                        "namespace" if hides => site.hidden.add(&value),
                        "title" => page.title = value,
                        "ns" => page.namespace = value,
                        "id" if page.id.is_empty() => page.id = value, // the ids of revisions and people follow
                        "model" => page.model = value,
                        "text" => page.text = value,
                        "page" if page.is_article() => return Ok(Some(page)),
                        _ => {}
                    }
                }
                Event::Eof => {
                    return match place {
                        ReaderPlace::Before => Err(not_a_dump(reader.get_ref(), "it has no <mediawiki>")),
                        ReaderPlace::Within => Err(reader.get_ref().failed(path, io::ErrorKind::UnexpectedEof.into())),
                        ReaderPlace::After => Ok(None),
                    };
                }
                _ => {}
            }
        }
    }

    /// The passages of an article; those of its facts come last.
    fn cut(&self, page: &Page, facts: Facts) -> Cutter {
        let link = self.site.base.as_ref().map(|base| format!("{base}{}", escape(&page.title)));
        let mut cutter = Cutter::new(page.id.clone(), page.title.clone(), move |section| {
            let anchor = section.filter(|section| *section != FACTS).map(|section| format!("#{}", escape(section)));
            link.as_ref().map(|link| format!("{link}{}", anchor.unwrap_or_default()))
        });
        let article = wikitext::read(&page.title, &page.text, &self.site.hidden);
        for block in article.blocks {
            cutter.section(block.section);
            cutter.block(&block.text);
        }
        cutter.end();
        if facts == Facts::Read {
            cutter.section(Some(FACTS.into()));
            article.facts.iter().for_each(|fact| cutter.whole(fact));
            cutter.end();
        }
        cutter
    }
}

/// Whether links into a namespace show no text.
fn is_hidden(namespace: &BytesStart) -> bool {
    let key = namespace.try_get_attribute("key").ok().flatten();
    key.is_some_and(|key| HIDDEN.contains(&&*key.value))
}

/// A title or heading in an address, as MediaWiki writes it: `_` for a space, and in hexadecimal whatever has a meaning
/// in an address or is not ASCII.
fn escape(title: &str) -> String {
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

#[cfg(test)]
mod tests;
