//! A MediaWiki dump (pages-articles XML, export schema 0.x): its articles, page by page.
//!
//! Only the namespace of articles (0) is read, and of several revisions of a page the last. The dump is read twice: the
//! redirects first, which give the articles further names, wherever they stand.

use std::io;
use std::path::PathBuf;

use evident_index::{Cutter, Passage};
use quick_xml::Error as XmlError;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::error::CorpusError;
use crate::lines::{LONGEST_MARKUP, Lines};
use crate::options::{Facts, ReadOptions};
use crate::readers::article::{anchored, escape};
use crate::readers::entities::decode;
use crate::readers::redirects::Redirects;
use crate::readers::wikitext::{self, Hidden};

/// The most bytes of a title in MediaWiki.
const LONGEST_TITLE: usize = 255;

/// The numbers of MediaWiki's namespaces whose links show no text: media, files, categories.
const HIDDEN: [&str; 3] = ["-2", "6", "14"];

/// The passages of the dump at `path`, whose text is each of `lines`.
pub(crate) fn passages(
    path: PathBuf,
    [first, second]: [Lines; 2],
    how: ReadOptions,
) -> impl Iterator<Item = Result<Passage, CorpusError>> {
    let mut first = Some(Dump::new(path.clone(), first));
    let mut dump = Dump::new(path, second);
    let mut redirects = Redirects::default();
    let mut cutter: Option<Cutter> = None;
    std::iter::from_fn(move || {
        if let Some(mut first) = first.take() {
            match first.redirects(how.memory) {
                Ok(found) => redirects = found,
                Err(error) => return Some(Err(error)),
            }
        }
        loop {
            if let Some(passage) = cutter.as_mut().and_then(Cutter::pop) {
                return Some(Ok(passage));
            }
            match dump.next_page() {
                Ok(Some(page)) if page.is_article() => cutter = Some(dump.cut(&page, how.facts, &redirects)),
                Ok(Some(_)) => {}
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
    /// Where it redirects, as the dump says beside its text.
    redirect: Option<String>,
    /// The content model, if it names one; articles are `wikitext`.
    model: String,
    text: String,
}

impl Page {
    fn is_article(&self) -> bool {
        self.namespace == "0" && !self.is_redirect() && matches!(self.model.as_str(), "" | "wikitext")
    }

    fn is_redirect(&self) -> bool {
        self.redirect.is_some() || wikitext::is_redirect(&self.text)
    }

    /// The title of the article that it leads to, if it is a redirect to a whole one.
    fn target(&self) -> Option<String> {
        let is_name = self.namespace == "0" && self.title.len() <= LONGEST_TITLE && self.is_redirect();
        let target = wikitext::target(&self.text).filter(|_| is_name)?;
        Some(self.redirect.clone().unwrap_or(target))
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

    /// All its redirects, which may take `most` bytes of memory. An error ends them; it is reported when the articles
    /// are read.
    fn redirects(&mut self, most: u64) -> Result<Redirects, CorpusError> {
        let mut redirects = Redirects::default();
        while let Ok(Some(page)) = self.next_page() {
            page.target().inspect(|target| redirects.add(&page.title, target));
            if redirects.bytes() > most {
                return Err(CorpusError::NoMemory { path: self.path.clone(), most });
            }
        }
        redirects.sort();
        Ok(redirects)
    }

    /// The next page; none at the end of the dump.
    fn next_page(&mut self) -> Result<Option<Page>, CorpusError> {
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
            if value.len() > LONGEST_MARKUP {
                let line = reader.get_ref().line();
                return Err(CorpusError::TooLong { path: path.clone(), line, most: LONGEST_MARKUP });
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
                Event::Empty(tag) if tag.name().0 == "redirect" => page.redirect = Some(attribute(&tag, "title")),
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
                        "page" => return Ok(Some(page)),
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

    /// The passages of an article.
    fn cut(&self, page: &Page, facts: Facts, redirects: &Redirects) -> Cutter {
        let link = self.site.base.as_ref().map(|base| format!("{base}{}", escape(&page.title)));
        let article = wikitext::read(&page.title, &page.text, &self.site.hidden);
        let cutter = Cutter::new(page.id.clone(), page.title.clone(), anchored(link));
        article.cut(cutter, redirects.to(&page.title), facts)
    }
}

/// Whether links into a namespace show no text.
fn is_hidden(namespace: &BytesStart) -> bool {
    HIDDEN.contains(&&*attribute(namespace, "key"))
}

/// The value of an attribute; empty if there is none.
fn attribute(tag: &BytesStart, name: &str) -> String {
    tag.try_get_attribute(name).ok().flatten().map(|found| decode(&found.value)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
